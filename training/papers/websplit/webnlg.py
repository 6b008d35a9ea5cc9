"""WebNLG in XML, any release: sets of triples with the texts that say them, and the sentences of these texts.

Where marks leave no choice, sentences are cut by rule, elsewhere by the English parser. A full stop is only a
candidate. It ends no sentence inside the name of an entity of the text's own triples (*A.C. Cesena*, *Abh. Math. Semin.
Univ. Hambg.*), nor before a small letter. After a plain word it does; after an initial, an abbreviation, or a name that
itself ends in a stop, it does where a word follows that opens sentences (*He*, *The*), where the first word of an
entity follows what ends names (*Inc.*, *U.S.*), or where one may follow and the parser of `rerank.english` begins a
sentence.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

from rerank.errors import BadInput
from rewrite.datasets import read_text
from rewrite.splitting.triples.triple import Triple, entity_name, parse_triple

RELEASES: dict[str, tuple[str, ...]] = {
    "release_v1": ("webnlg/release_v1/xml",),
    "challenge_2017": ("webnlg/challenge_2017/train", "webnlg/challenge_2017/dev"),
}
"""What a release's name stands for: folders in the data folder."""
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
    `BadInput` that names file and line, or file and entry.
    """
    for file in files:
        for entry in _root(file).iter("entry"):
            meaning = _entry(file, entry)
            if meaning.texts:
                yield meaning


def _root(file: Path) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(read_text(file))
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
    return [Meaning(meaning.category, meaning.triples, tuple(texts[key])) for key, meaning in first.items()]


_MARK = re.compile(r"[.!?…]+[\"'”’»)\]]*(?P<gap>\s*)(?P<open>[\"'“‘«(\[]*)(?=[^\s\"'”’»)\]])")
_LAST = re.compile(r"[^\s,;:(/]+$")
_WORD = re.compile(r"[^\W_]+(?:[-'’–][^\W_]+)*")
_DOTTED = re.compile(r"[A-ZÀ-ÞŞŠ]|(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}|(?:[^\W\d_]{1,4}\.)+[^\W\d_]{1,7}|\d")
_SMALL = re.compile(r"[a-zß-ÿ]{2,}|[0-9]{2,}")
# What a title, a saint or a number leaves open whatever comes next.
_NEVER = frozenset("abbr abbrv dr ft fr gen gov lt messrs mr mrs ms mt no nos prof rep rev sen sgt st vol vs".split())
_MAYBE = frozenset(
    "abh acad acta admin adv al am approx apr arch assoc aug ave bros bsc btw ca cm co col comm comput corp dec dept "
    "dist est etc feb fl hambg hungar inc inf jan jr jul jun km lbs ltd mar math max mi mins mm nov oct palaeontol "
    "ph phd pl pol pop pres proc pub sc sci sec semin sep sept ser sq sr syst tech temp trans univ vincent-st "
    "vincent–st".split()
)
_OPENERS = frozenset(
    "a according after all also although among an another are as at because before being besides born both but by "
    "currently due during each english for from he her his however if in is it its it's many most mr no of on once one "
    "other our people previously she since some that the their there these they this those though to together under "
    "was we what when where which while who with within you".split()
)
# Abbreviations that stand at the end of a name, not at its beginning, as *A.C.* does.
_ENDINGS = frozenset("b.s co corp d.c f.c inc jr km ltd m.a m.s ph.d s.p.a s.r.l sc.d u.k u.s u.s.a".split())
# What follows *U.S.* within a name: *Navy*, *House of Representatives*.
_AMERICAN = frozenset("Air Army Capitol Congress Democratic Department House Marine Navy Republican Senate".split())
# Those that open one even where somebody forgot the capital.
_SUBJECTS = frozenset("he his it its she the their they this".split())
_Decision = Literal["ends", "stays", "ask"]
Parser = Callable[[Sequence[str]], list[frozenset[int]]]
"""For each text the offsets at which a sentence begins."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A mark that may end a sentence; the next one would begin at `start`, its first word at `word`."""

    mark: int
    start: int
    word: int
    gap: bool


def _candidates(text: str) -> list[_Candidate]:
    return [_Candidate(m.start(), m.start("open"), m.end(), bool(m["gap"])) for m in _MARK.finditer(text)]


def _mentions(text: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Spans of the entities in the text whose names hold a mark, and of such parts of them between commas."""
    plain = _fold(text)
    parts = {_fold(part.strip()) for name in names for part in (name, *name.split(","))}
    spans = []
    for name in sorted(parts):
        if re.search(r"[.!?]", name) and len(name) > 2:
            # The texts write "A. C. Cesena" and "Acta Math.Hungar." for names that have it otherwise.
            pieces = (re.escape(piece) for piece in re.split(r"(?<=[.!?])\s*|\s+", name) if piece)
            spans += [m.span() for m in re.finditer(r"\s*".join(pieces), plain, re.IGNORECASE)]
    return spans


def _fold(text: str) -> str:
    """The text without accents, as long as before: some texts write *Köln*, some *Koln*."""
    return text if text.isascii() else "".join(unicodedata.normalize("NFD", character)[0] for character in text)


def _names(triples: Iterable[Triple]) -> frozenset[str]:
    """The entities, with and without what is in brackets after them."""
    names = {entity_name(entity) for triple in triples for entity in (triple.subject, triple.object)}
    return frozenset(form for name in names for form in (name, re.sub(r"\s*\(.*\)", "", name)) if form)


def _decide(text: str, place: _Candidate, mentions: Sequence[tuple[int, int]], names: frozenset[str]) -> _Decision:
    if any(start < place.start < stop for start, stop in mentions):
        return "stays"
    following = _WORD.match(text, place.word)
    last = _LAST.search(text[: place.mark].rstrip())
    if following is None or last is None:
        return "stays"
    before, after = last.group().lstrip("\"'“‘«(["), following.group()
    named = any(stop in (place.mark, place.mark + 1) and text[stop - 1] == "." for _, stop in mentions)
    short = named or before.lower() in _MAYBE or _DOTTED.fullmatch(before) is not None
    opens = after.lower() in _OPENERS and text[following.end() : following.end() + 1] != "."
    begins = any(_opens(name, after) for name in names)
    if before.lower() in _NEVER:
        return "ends" if opens and len(after) > 1 and after[0].isupper() else "stays"
    if after[0].islower():
        return "ends" if after in _SUBJECTS and place.gap and not short else "stays"
    if not place.gap:
        plain = _SMALL.fullmatch(before) is not None and not after[0].isdigit()
        known = len(before) > 3 and before.isalpha() and not short and (opens or begins)
        return "ends" if plain or known else "stays"
    if short and text[place.mark] == ".":
        closes = before.lower() in _ENDINGS and begins and after.isalpha() and after not in _AMERICAN
        return "ends" if opens or closes else "ask" if begins else "stays"
    return "ends"


def _opens(name: str, word: str) -> bool:
    first = _WORD.match(name)
    return first is not None and first.group() == word


def _cut(text: str, starts: Iterable[int]) -> tuple[str, ...]:
    edges = [0, *sorted(starts), len(text)]
    return tuple(text[a:b].strip() for a, b in itertools.pairwise(edges))


def _english(texts: Sequence[str]) -> list[frozenset[int]]:
    from rerank.english import EnglishAnalyzer

    analyses = EnglishAnalyzer().analyze(texts)
    return [frozenset(sentence.start for sentence in analysis.sentences) for analysis in analyses]


def segment(texts: Sequence[tuple[str, Sequence[Triple]]], parser: Parser = _english) -> list[tuple[str, ...]]:
    """For each (text, triples) its sentences, at least one, which joined by spaces are the text.

    `parser` answers where rules cannot; that of `rerank.english` loads at the first text that needs it.
    """
    starts: list[set[int]] = []
    asked: dict[int, list[int]] = {}
    for number, (text, triples) in enumerate(texts):
        names = _names(triples)
        mentions = _mentions(text, names)
        decided = [(place.start, _decide(text, place, mentions, names)) for place in _candidates(text)]
        starts.append({start for start, decision in decided if decision == "ends"})
        if unsure := [start for start, decision in decided if decision == "ask"]:
            asked[number] = unsure
    if asked:
        for number, begun in zip(asked, parser([texts[n][0] for n in asked]), strict=True):
            starts[number].update(start for start in asked[number] if start in begun)
    return [_cut(text, begun) for (text, _), begun in zip(texts, starts, strict=True)]
