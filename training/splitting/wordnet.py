"""What nouns mean, from WordNet's files of nouns: persons, groups of people, places, things."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rewrite.errors import BadInput

__all__ = ["KINDS", "noun_kinds"]

KINDS = ("person", "group", "place", "it")
_TOPS, _ANIMAL, _GROUP, _LOCATION, _PERSON = 3, 5, 14, 15, 18
_CROWDS = frozenset({"social_group", "people", "gathering"})
"""Groups of people: what is below one of these synsets."""
_OF_THINGS = -1
"""In place of the file of groups for those of things, as *forest* is one."""
_SURE, _HARDLY = 0.9, 0.2
_PARTS = 3
"""Words of a place's name."""


@dataclass
class _Senses:
    """How often words stand for a sense of each file: nouns, names, and which words are adjectives too."""

    nouns: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    names: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    adjectives: set[str] = field(default_factory=set)


def noun_kinds(folder: Path, seen: Container[str], persons: Iterable[str] = ()) -> dict[str, list[str]]:
    """The nouns of `seen` that mean one kind of thing, sorted, by `KINDS`.

    `folder` has WordNet 3's `data.noun`, `data.adj` and `cntlist.rev` (Debian: package wordnet-base,
    /usr/share/wordnet). A sense counts one and its number of tagged uses. A noun is a `person` or a `group` (of people;
    none that is an adjective, as *the poor* is) where nine tenths of its senses, so counted, are, and `it` where none
    is a person's or an animal's. A `place` is a name of up to three words of which one sense is a place's and hardly
    one a person's; a noun that is also a name is told as the noun. `persons` are nouns that texts tell to be persons:
    those that WordNet does not have, or has as persons in half of their senses, are told as such.

    Raises `BadInput` where a file is missing or is none of WordNet's.
    """
    senses = _senses(folder)
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for noun, files in sorted(senses.nouns.items()):
        if noun in seen and (kind := _kind(files, is_adjective=noun in senses.adjectives)):
            found[kind].append(noun)
    for name, files in sorted(senses.names.items()):
        is_seen = all(part in seen for part in name.split())
        if is_seen and name not in senses.nouns and _is_place(files):
            found["place"].append(name)
    found["person"] = sorted({*found["person"], *(noun for noun in persons if _is_mostly_person(senses.nouns, noun))})
    return found


def _kind(files: Counter[int], *, is_adjective: bool) -> str:
    total = sum(files.values())
    if files[_PERSON] >= _SURE * total:
        return "person"
    if files[_GROUP] >= _SURE * total:
        return "" if is_adjective else "group"
    return "" if files[_PERSON] or files[_ANIMAL] else "it"


def _is_mostly_person(nouns: Mapping[str, Counter[int]], noun: str) -> bool:
    # *goalkeeper* is a position, too; *midfielder* WordNet does not have; of *chair* hardly a sense is a person's.
    return noun not in nouns or 2 * nouns[noun][_PERSON] >= sum(nouns[noun].values())


def _is_place(files: Counter[int]) -> bool:
    # *Paris* is a prince, too.
    return files[_LOCATION] > 0 and files[_PERSON] <= _HARDLY * sum(files.values())


def _senses(folder: Path) -> _Senses:
    used = _uses(folder / "cntlist.rev")
    found = _Senses(adjectives={word for _, _, words, _ in _synsets(folder / "data.adj") for word in words})
    synsets = list(_synsets(folder / "data.noun"))
    crowds = _below(synsets)
    for offset, file, words, _ in synsets:
        kind = _OF_THINGS if file == _GROUP and offset not in crowds else file
        for word in words:
            lower = word.lower()
            # The noun *person* itself is of the file of the most general ones.
            kept = _PERSON if word == "person" and file == _TOPS else kind
            if word.islower() and word.isalpha():
                found.nouns[word][kept] += 1 + used[word, file]
            elif word.count("_") < _PARTS and all(part.isalpha() and part[0].isupper() for part in word.split("_")):
                found.names[lower.replace("_", " ")][kept] += 1 + used[lower, file]
    return found


def _below(synsets: list[tuple[str, int, list[str], list[str]]]) -> set[str]:
    """The synsets of `_CROWDS` and all below them."""
    under: defaultdict[str, list[str]] = defaultdict(list)
    for offset, _, _, above in synsets:
        for one in above:
            under[one].append(offset)
    left = [offset for offset, file, words, _ in synsets if file == _GROUP and _CROWDS.intersection(words)]
    found: set[str] = set()
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left.extend(under[one])
    return found


def _synsets(path: Path) -> Iterator[tuple[str, int, list[str], list[str]]]:
    """Of each synset its place, its file, its words, and the synsets that it is a kind or a case of."""
    for number, line in enumerate(_lines(path), 1):
        if line.startswith("  "):
            # The licence.
            continue
        parts = line.split(" ")
        try:
            file, behind = int(parts[1]), 4 + 2 * int(parts[3], 16)
            pointers = parts[behind + 1 : behind + 1 + 4 * int(parts[behind])]
        except (ValueError, IndexError) as error:
            raise BadInput(f"{path}: line {number} is none of WordNet's.") from error
        above = [pointers[n + 1] for n in range(0, len(pointers), 4) if pointers[n] in ("@", "@i")]
        yield parts[0], file, parts[4:behind:2], above


def _uses(path: Path) -> Counter[tuple[str, int]]:
    """How often a word was tagged with a noun's sense of one of WordNet's files."""
    found: Counter[tuple[str, int]] = Counter()
    for line in _lines(path):
        key, _, count = line.split(" ")
        lemma, _, place = key.partition("%")
        kind, file, *_ = place.split(":")
        if kind == "1":
            found[lemma, int(file)] += int(count)
    return found


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path}: it cannot be read: {error}.", hint="Debian's package wordnet-base has it in /usr/share/wordnet."
        ) from error
