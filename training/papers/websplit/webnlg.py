"""WebNLG in XML, any release: sets of triples with the texts that say them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from rerank.errors import BadInput
from rewrite.datasets import read_text
from rewrite.splitting.triples.triple import Triple, parse_triple

RELEASES: dict[str, tuple[str, ...]] = {
    "release_v1": ("webnlg/release_v1/xml",),
    "challenge_2017": ("webnlg/challenge_2017/train", "webnlg/challenge_2017/dev"),
}
"""What a release's name stands for: folders in the data folder."""
_DECLARES = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ENGLISH = frozenset({None, "", "en"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """A set of distinct triples, in the order given, and the distinct texts that say them."""

    category: str
    triples: tuple[Triple, ...]
    texts: tuple[str, ...]


def xml_files(data: Path, release: str) -> list[Path]:
    """The XML files of a release, sorted: of a name in `RELEASES` within `data`, else of a folder or one file.

    Raises `BadInput` where there are none.
    """
    folders = [data / part for part in RELEASES[release]] if release in RELEASES else [Path(release)]
    for folder in folders:
        if not folder.exists():
            raise BadInput(
                f"{str(folder)!r} does not exist.",
                hint=f"--release is a folder or file of WebNLG's XML, or one of: {', '.join(RELEASES)}.",
            )
    files = [file for folder in folders for file in ([folder] if folder.is_file() else sorted(folder.rglob("*.xml")))]
    if not files:
        raise BadInput(f"No .xml file lies in {', '.join(map(str, folders))}.", hint="Name WebNLG's folder of XML.")
    return files


def read_entries(files: Iterable[Path]) -> Iterator[Meaning]:
    """The entries of WebNLG files, one `Meaning` each, by their modified triples; English texts only.

    Spaces in texts are made single. Entries without a text, as of unlabelled test files, are passed over. Raises
    `BadInput` that names file and line, or file and entry. Files that declare entities are refused, so nothing outside
    the file is ever read.
    """
    for file in files:
        for entry in _root(file).iter("entry"):
            meaning = _entry(file, entry)
            if meaning.texts:
                yield meaning


def _root(file: Path) -> ElementTree.Element:
    text = read_text(file)
    declared = _DECLARES.search(text)
    if declared is not None:
        line = text.count("\n", 0, declared.start()) + 1
        raise BadInput(f"{file}, line {line}: declares a document type.", hint="WebNLG has none: remove it.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, _ = error.position
        raise BadInput(f"{file}, line {line}: no XML: {error}.", hint="Is the file whole?") from error
    if root.tag != "benchmark":
        raise BadInput(f"{file}: begins with <{root.tag}>.", hint="WebNLG's files begin with <benchmark>.")
    return root


def _entry(file: Path, entry: ElementTree.Element) -> Meaning:
    place = f"{file}, entry {entry.get('eid', '?')}"
    rows = entry.findall("modifiedtripleset/mtriple")
    if not rows:
        raise BadInput(f"{place}: no <modifiedtripleset> with an <mtriple>.", hint="Is this a file of WebNLG?")
    try:
        triples = tuple(dict.fromkeys(parse_triple(row.text or "") for row in rows))
    except BadInput as error:
        raise BadInput(f"{place}: {error.message}", hint=error.hint) from None
    texts = (" ".join((lex.text or "").split()) for lex in entry.findall("lex") if lex.get("lang") in _ENGLISH)
    return Meaning(entry.get("category", ""), triples, tuple(dict.fromkeys(filter(None, texts))))


def merge(meanings: Iterable[Meaning]) -> list[Meaning]:
    """One `Meaning` for each set of triples: the order of the first entry that has it, the texts of all of them."""
    first: dict[frozenset[Triple], Meaning] = {}
    texts: dict[frozenset[Triple], dict[str, None]] = {}
    for meaning in meanings:
        key = frozenset(meaning.triples)
        first.setdefault(key, meaning)
        texts.setdefault(key, {}).update(dict.fromkeys(meaning.texts))
    return [Meaning(one.category, one.triples, tuple(texts[key])) for key, one in first.items()]
