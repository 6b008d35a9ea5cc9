"""Universal Dependencies treebanks as one: read from CoNLL-U, chosen by document, brought to the same labels.

Treebanks of one language differ in what they mark beyond the guidelines' core. What only some of them have is dropped
here: fine tags, rare subtypes of relations, features of style.

Names are taken from the entities that GUM marks in its last column. It marks every mention, named or not, and mentions
may lie in one another: `(1-person-…(5-place-…)5)1)`. A name here is a run of proper nouns; its type is that of the
smallest mention that holds the run and has its head in it.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from rerank.errors import BadInput
from rewrite.datasets import text_lines
from rewrite.declaration import Count, Name, Section
from training.card import DataSet


class Treebank(Section):
    """Files of one origin and licence, in CoNLL-U."""

    files: Name
    """A path, or a pattern with *."""
    what: Name
    """What it is, for the card."""
    licence: Name
    """Its licence, as stated at the origin, for the card."""
    source_urls: tuple[str, ...] = ()
    """Only documents whose `meta::sourceURL` holds one of these; empty: all."""


class ParserOptions(Section):
    """What the step `english_parser` may be told; unknown keys and values out of range are refused."""

    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")] = "1.0.0"
    licence: Name
    """Of the pipeline that comes out of it."""
    train: Annotated[tuple[Treebank, ...], Field(min_length=1)]
    dev: Name
    """CoNLL-U: chooses among the states of the training."""
    test: str | None = None
    """CoNLL-U: measured once, at the end."""
    max_steps: Count = 20_000
    eval_every: Count = 200
    """Steps between two measurements on `dev`."""
    sentences_at_once: Count = 10
    """In a text: a parser learns where they end."""

    @property
    def held(self) -> dict[str, str]:
        """The files that are not learnt from, by what they are for: `dev`, and `test` where there is one."""
        return {"dev": self.dev} | ({} if self.test is None else {"test": self.test})

    @property
    def data(self) -> tuple[DataSet, ...]:
        """What was learnt from, for the card."""
        return tuple(DataSet(name=bank.what, licence=bank.licence, used_for="training") for bank in self.train)


Row = tuple[str, ...]

_SUBTYPES = frozenset(
    "acl:relcl aux:pass cc:preconj compound:prt det:predet nmod:desc nmod:poss nmod:unmarked nsubj:pass obl:agent "
    "obl:unmarked".split()
)
_FEATURES = frozenset("Case Definite Degree Mood NumType Number Person Polarity Poss PronType Tense VerbForm".split())
_COLUMNS = 10
_ID = re.compile(r"\d+(?:[-.]\d+)?")
_TYPES = {"person": "PER", "place": "LOC", "organization": "ORG"}
_JOINTS = frozenset({"of", "-", "&"})
_NEAR = ("appos", "flat", "nmod:desc", "compound")
_MENTION = re.compile(r"\((\d+)-([a-z]+)[^()]*|(\d+)\)")


@dataclass(frozen=True, slots=True)
class Block:
    """One sentence of a treebank: its rows of ten columns, and the document it stands in."""

    document: str
    source_url: str
    rows: tuple[Row, ...]


def read_blocks(path: Path) -> Iterator[Block]:
    """The sentences of a CoNLL-U file. Raises `BadInput` that names file and line."""
    document = source_url = ""
    rows: list[tuple[str, ...]] = []
    for number, line in enumerate([*text_lines(path), ""], 1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            document = value.strip() if key.strip() == "newdoc id" else document
            source_url = value.strip() if key.strip() == "meta::sourceURL" else source_url
        elif line.strip():
            rows.append(_row(path, number, line))
        elif rows:
            yield Block(document, source_url, tuple(rows))
            rows = []


def _row(path: Path, number: int, line: str) -> Row:
    row = tuple(line.rstrip("\r").split("\t"))
    if len(row) != _COLUMNS or not _ID.fullmatch(row[0]):
        raise BadInput(f"{path}, line {number}: not a row of CoNLL-U: {line[:60]!r}.", hint="It has ten columns.")
    return row


def _chosen(treebank: Treebank, where: Callable[[str], Path], left_out: frozenset[str]) -> Iterator[Block]:
    """The sentences of a treebank, without the documents `left_out`. Raises `BadInput` where it has no files."""
    paths = sorted(map(Path, glob.glob(str(where(treebank.files)))))
    if not paths:
        raise BadInput(f"No treebank {treebank.files!r}.", hint="Give --data DIR with the folder that has it.")
    for path in paths:
        for block in read_blocks(path):
            wanted = not treebank.source_urls or any(url in block.source_url for url in treebank.source_urls)
            if wanted and block.document not in left_out:
                yield block


def sides(options: ParserOptions, where: Callable[[str], Path]) -> tuple[list[list[Block]], dict[str, list[Block]]]:
    """The sentences of each treebank in `train`, and those of `dev` and, where the recipe has one, `test`.

    No document of these two is in `train`. `where` turns a path of the recipe into one of this machine. Raises
    `BadInput` for files that are missing, empty or no CoNLL-U, and for a treebank of which nothing is left.
    """
    held = {name: list(read_blocks(where(path))) for name, path in options.held.items()}
    for name, blocks in held.items():
        if not blocks:
            raise BadInput(f"{where(options.held[name])}: no sentences in it.")
    left_out = frozenset(block.document for blocks in held.values() for block in blocks if block.document)
    learnt = [list(_chosen(treebank, where, left_out)) for treebank in options.train]
    for treebank, blocks in zip(options.train, learnt, strict=True):
        if not blocks:
            raise BadInput(f"{treebank.files}: no sentences to train on.", hint="Are all in dev or test?")
    return learnt, held


def unified(block: Block, *, names: bool) -> str:
    """The sentence as CoNLL-U with common labels; with `names`, tags of names in the last column."""
    tags = name_tags(block.rows) if names else {}
    return "\n".join("\t".join(_unified(row, tags)) for row in block.rows if "." not in row[0])


def _unified(row: Row, tags: dict[str, str]) -> Collection[str]:
    number, form, lemma, pos, _, features, head, relation, _, misc = row
    # Fine tags differ from treebank to treebank; the converter takes the coarse one where there is none.
    spacing = "SpaceAfter=No" if "SpaceAfter=No" in misc.split("|") else ""
    note = "|".join(filter(None, (spacing, f"name={tags[number]}" if number in tags else ""))) or "_"
    relation = relation if relation in _SUBTYPES else relation.split(":")[0]
    return number, form, lemma, pos, "_", _kept(features), head, relation, "_", note


def _kept(features: str) -> str:
    pairs = [pair for pair in features.split("|") if pair.split("=")[0] in _FEATURES]
    return "|".join(pairs) or "_"


@dataclass(slots=True)
class _Mention:
    kind: str
    first: int
    last: int = -1


def name_tags(rows: Sequence[Row]) -> dict[str, str]:
    """`B-PER`, `I-PER` and so on by token number, for the tokens that are part of a name; `O` for all others."""
    words = [row for row in rows if row[0].isdigit()]
    tags = {row[0]: "O" for row in words}
    mentions = _mentions(words)
    for first, last in _runs(words):
        kind = _kind(words, mentions, first, last)
        if kind:
            for number in range(first, last + 1):
                tags[words[number][0]] = f"{'B' if number == first else 'I'}-{kind}"
    return tags


def _mentions(words: Sequence[Row]) -> list[_Mention]:
    """Mentions that begin and end in the sentence; one of a single token is `(…)` with no number at its end."""
    done: list[_Mention] = []
    opened: dict[str, list[_Mention]] = {}
    for number, row in enumerate(words):
        value = next((part[7:] for part in row[9].split("|") if part.startswith("Entity=")), "")
        for match in _MENTION.finditer(value):
            if match[1]:
                mention = _Mention(match[2], number)
                if value[match.end() : match.end() + 1] == ")":
                    mention.last = number
                    done.append(mention)
                else:
                    opened.setdefault(match[1], []).append(mention)
            elif opened.get(match[3]):
                mention = opened[match[3]].pop()
                mention.last = number
                done.append(mention)
    return done


def _runs(words: Sequence[Row]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number, row in enumerate(words):
        if row[3] != "PROPN":
            continue
        gap = words[number - 1][1].lower() if number else ""
        if runs and (runs[-1][1] == number - 1 or (runs[-1][1] == number - 2 and gap in _JOINTS)):
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _kind(words: Sequence[Row], mentions: Sequence[_Mention], first: int, last: int) -> str:
    around = [m for m in mentions if m.first <= first and last <= m.last]
    for mention in sorted(around, key=lambda m: m.last - m.first):
        head = _head(words, mention.first, mention.last)
        top = _head(words, first, last)
        near = int(words[top][6]) - 1 == head and words[top][7].startswith(_NEAR[:3])
        if first <= head <= last or near:
            return _TYPES.get(mention.kind, "")
    return ""


def _head(words: Sequence[Row], first: int, last: int) -> int:
    """The token of the stretch whose head lies outside of it."""
    outside = (n for n in range(first, last + 1) if not first <= int(words[n][6]) - 1 <= last)
    return next(outside, first)
