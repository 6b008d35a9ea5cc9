"""Universal Dependencies treebanks as one: read from CoNLL-U, chosen by document, brought to the same labels.

Treebanks of one language differ in what they mark beyond the guidelines' core. What only some of them have is dropped
here: fine tags, rare subtypes of relations, features of style. Names are taken from the entities that GUM marks.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rerank.errors import BadInput
from training.parsing.names import name_tags
from training.parsing.options import Treebank

__all__ = ["Block", "chosen", "document_ids", "read_blocks", "unified"]

_SUBTYPES = frozenset(
    "acl:relcl aux:pass cc:preconj compound:prt det:predet nmod:desc nmod:poss nmod:unmarked nsubj:pass obl:agent "
    "obl:unmarked".split()
)
_FEATURES = frozenset("Case Definite Degree Mood NumType Number Person Polarity Poss PronType Tense VerbForm".split())
_COLUMNS = 10
_ID = re.compile(r"\d+(?:[-.]\d+)?")


@dataclass(frozen=True, slots=True)
class Block:
    """One sentence of a treebank: its rows of ten columns, and the document it stands in."""

    document: str
    source_url: str
    rows: tuple[tuple[str, ...], ...]


def read_blocks(path: Path) -> Iterator[Block]:
    """The sentences of a CoNLL-U file. Raises `BadInput` that names file and line."""
    document = source_url = ""
    rows: list[tuple[str, ...]] = []
    for number, line in enumerate([*_lines(path), ""], 1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            document = value.strip() if key.strip() == "newdoc id" else document
            source_url = value.strip() if key.strip() == "meta::sourceURL" else source_url
        elif line.strip():
            rows.append(_row(path, number, line))
        elif rows:
            yield Block(document, source_url, tuple(rows))
            rows = []


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode("utf-8").split("\n")
    except OSError as error:
        raise BadInput(f"Cannot read the treebank {str(path)!r}: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}, byte {error.start}: not UTF-8.") from error


def _row(path: Path, number: int, line: str) -> tuple[str, ...]:
    row = tuple(line.rstrip("\r").split("\t"))
    if len(row) != _COLUMNS or not _ID.fullmatch(row[0]):
        raise BadInput(f"{path}, line {number}: not a row of CoNLL-U: {line[:60]!r}.", hint="It has ten columns.")
    return row


def document_ids(paths: Sequence[Path]) -> frozenset[str]:
    """The documents that the files hold."""
    return frozenset(block.document for path in paths for block in read_blocks(path) if block.document)


def chosen(treebank: Treebank, where: Callable[[str], Path], left_out: frozenset[str]) -> Iterator[Block]:
    """The sentences of a treebank, without the documents `left_out`. Raises `BadInput` where it has no files."""
    paths = sorted(map(Path, glob.glob(str(where(treebank.files)))))
    if not paths:
        raise BadInput(f"No treebank {treebank.files!r}.", hint="Give --data DIR with the folder that has it.")
    for path in paths:
        for block in read_blocks(path):
            wanted = not treebank.source_urls or any(url in block.source_url for url in treebank.source_urls)
            if wanted and block.document not in left_out:
                yield block


def unified(block: Block, *, names: bool) -> str:
    """The sentence as CoNLL-U with common labels; with `names`, tags of names in the last column."""
    tags = name_tags(block.rows) if names else {}
    return "\n".join("\t".join(_unified(row, tags)) for row in block.rows if "." not in row[0])


def _unified(row: tuple[str, ...], tags: dict[str, str]) -> Collection[str]:
    number, form, lemma, pos, _, features, head, relation, _, misc = row
    # Fine tags differ from treebank to treebank; the converter takes the coarse one where there is none.
    spacing = "SpaceAfter=No" if "SpaceAfter=No" in misc.split("|") else ""
    note = "|".join(filter(None, (spacing, f"name={tags[number]}" if number in tags else ""))) or "_"
    relation = relation if relation in _SUBTYPES else relation.split(":")[0]
    return number, form, lemma, pos, "_", _kept(features), head, relation, "_", note


def _kept(features: str) -> str:
    pairs = [pair for pair in features.split("|") if pair.split("=")[0] in _FEATURES]
    return "|".join(pairs) or "_"
