"""First names, nouns and places with the pronoun that stands for them: counted in texts, and looked up in WordNet.

python -m training.splitting.genders --data DIR --out FILE
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rewrite.errors import BadInput
from training.masked.corpora import set_paragraphs
from training.masked.sentences import detokenised
from training.papers.probes.wordnet import DEBIAN
from training.splitting.pairs import measured, read_lines, read_set

__all__ = ["count_names", "count_nouns", "joined", "main", "names_by_pronoun", "noun_kinds", "ordinary", "persons"]

_SETS = ("wikisplit-tune", "wikisplit-validation", "minwiki", "bisect")
_NEIGHBOURS = "abc wikitext masc newstest state_union inaugural brown tatoeba ntrex flores mlqe".split()
_NAME = re.compile(r"^([A-Z][a-z]+(?:-[A-Z][a-z]+)?)(?: (?:[A-Z][\w.'’-]*|\"[^\"]*\"|\([^)]*\)|de|von|van|da|di))*,? ")
_HE, _SHE = (
    re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE),
    re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
)
_IS = re.compile(
    r"\b(?:is|was|became|remains) (?:an?|the|one of the) (?:[\w'’-]+ ){0,6}?([a-z]+)"
    r"(?= (?:of|in|from|at|for|and|or|who|which|that|with|by|born|located|on|to|based|known)\b| ?[,.;(]|$)"
)
_LEAST, _SURE = 2, 0.85
_FIRST = r"([A-Z][a-z]{2,}(?:-[A-Z][a-z]+)?)"
_OF = rf"{_FIRST}(?: [A-Z][\w'’-]+)?['’]s (?:late |former |first |second )?"
_KIN = (
    ("she", rf"\b(?:daughter|sister|wife|mother|actress|girlfriend|widow|niece|aunt|grandmother)s?,? {_FIRST}"),
    ("she", rf"\b(?:Queen|Princess|Mrs\.?|Ms\.?|Miss|Lady|Sister) {_FIRST}"),
    ("she", rf"{_OF}(?:husband|boyfriend)\b"),
    ("he", rf"\b(?:son|brother|husband|father|actor|boyfriend|uncle|nephew|grandfather)s?,? {_FIRST}"),
    ("he", rf"\b(?:King|Prince|Mr\.?|Sir|Father|Brother|Emperor|Pope) {_FIRST}"),
    ("he", rf"{_OF}(?:wife|girlfriend|widow)\b"),
)
_WITHIN = re.compile(rf"(?<=[a-z,] ){_FIRST}(?: [A-Z][a-z'’]+)+\b")
_BY_KIN = 2
# The share of a name's pronouns that must be of one kind, where it has few of them and where it has many: *he* follows
# names of both kinds more often.
_MANY = 8
# Function words that begin sentences and parts of names, and are no first names.
_FUNCTION = frozenset("as de at in no so he she it the an and or but if on to of by is was du la le el".split())
_SHARES = {"he": (0.85, 0.75), "she": (0.75, 0.6)}
_KINDS = ("person", "group", "place", "it")
_TOPS, _ANIMAL, _GROUP, _LOCATION, _PERSON = 3, 5, 14, 15, 18
_CROWDS = frozenset({"social_group", "people", "gathering"})
"""Groups of people: what is below one of these synsets."""
_OF_THINGS = -1
"""In place of the file of groups for those of things, as *forest* is one."""
_NEARLY_ALL, _HARDLY = 0.9, 0.2
_PARTS = 3
"""Words of a place's name."""


def count_names(texts: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """How much tells that a first name goes with *he*, and how much that it goes with *she*.

    `texts` are a sentence and the one behind it (or nothing). What tells is a pronoun in a sentence that begins with
    the name or at the beginning of the next, a pronoun behind the only full name of a sentence, and, twice as much,
    kin and titles: *her sister Ann*, *Queen Ann*, *Ann's husband*. Pronouns of both kinds tell nothing.
    """
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for first, second in texts:
        begun = _NAME.match(first)
        if begun and (pronoun := _only_pronoun(_begins(second) or first)):
            found[begun[1]][pronoun] += 1
        for pronoun, pattern in _KIN:
            for match in re.finditer(pattern, first):
                found[match[1]][pronoun] += _BY_KIN
        names = list(_WITHIN.finditer(first))
        if len(names) == 1 and (pronoun := _only_pronoun(first[names[0].end() :])):
            found[names[0][1]][pronoun] += 1
    return dict(found)


def _begins(text: str) -> str:
    match = re.match(r"(He|She|His|Her)\b", text)
    return match[0] if match else ""


def _only_pronoun(text: str) -> str:
    """*he* or *she* for a text that has pronouns of one kind alone."""
    he, she = bool(_HE.search(text)), bool(_SHE.search(text))
    return "" if he == she else "he" if he else "she"


def ordinary(texts: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Words (in small letters) that are mostly no names of people: also written small, or behind *in*, *at*, *the*."""
    small: Counter[str] = Counter()
    large: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for text, _ in texts:
        for word in re.findall(r"(?<=[a-z,] )[A-Za-z][a-z]{2,}\b", text):
            (large if word[0].isupper() else small)[word.lower()] += 1
        for word in re.findall(r"(?<= )(?:in|at|near|from|to|into|the|of) ([A-Z][a-z]{2,})\b(?! [A-Z])", text):
            places[word.lower()] += 1
    return frozenset(word for word in small | large if 10 * small[word] > large[word] or 4 * places[word] > large[word])


def count_nouns(texts: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """How often a noun that says what the subject of a sentence is goes with *he* or *she*, and with *it*.

    The noun is the last word of *… is a …* before a preposition, a mark or a relative clause; the pronoun begins the
    next sentence.
    """
    found: dict[str, Counter[str]] = {}
    for first, second in texts:
        begins = re.match(r"(He|She|It)\b", second)
        match = _IS.search(first) if begins else None
        if begins and match:
            found.setdefault(match[1], Counter())["it" if begins[1] == "It" else "person"] += 1
    return found


def persons(counts: dict[str, Counter[str]]) -> list[str]:
    """The nouns that nearly always mean a person, sorted."""
    return sorted(noun for noun, both in counts.items() if both["person"] >= max(_LEAST, _SURE * sum(both.values())))


def names_by_pronoun(counts: dict[str, Counter[str]], but: frozenset[str] = frozenset()) -> dict[str, list[str]]:
    """The names that mostly go with one pronoun, sorted, by that pronoun, without the words of `but`."""
    found: dict[str, list[str]] = {"he": [], "she": []}
    for name, both in sorted(counts.items()):
        total = sum(both.values())
        for pronoun, names in found.items():
            share = _SHARES[pronoun][total >= _MANY]
            if name.lower() not in but and both[pronoun] >= max(_LEAST, share * total):
                names.append(name.lower())
    return found


@dataclass
class _Senses:
    """How often words stand for a sense of each file: nouns, names, and which words are adjectives too."""

    nouns: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    names: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    adjectives: set[str] = field(default_factory=set)


def noun_kinds(folder: Path, seen: Container[str], persons: Iterable[str] = ()) -> dict[str, list[str]]:
    """The nouns of `seen` that mean one kind of thing, sorted, by `_KINDS`.

    `folder` has WordNet 3's `data.noun`, `data.adj` and `cntlist.rev` (Debian: package wordnet-base,
    /usr/share/wordnet). A sense counts one and its number of tagged uses. A noun is a `person` or a `group` (of people;
    none that is an adjective, as *the poor* is) where nine tenths of its senses, so counted, are, and `it` where none
    is a person's or an animal's. A `place` is a name of up to three words of which one sense is a place's and hardly
    one a person's; a noun that is also a name is told as the noun. `persons` are nouns that texts tell to be persons:
    those that WordNet does not have, or has as persons in half of their senses, are told as such.

    Raises `BadInput` where a file is missing or is none of WordNet's.
    """
    senses = _senses(folder)
    found: dict[str, list[str]] = {kind: [] for kind in _KINDS}
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
    if files[_PERSON] >= _NEARLY_ALL * total:
        return "person"
    if files[_GROUP] >= _NEARLY_ALL * total:
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
    for number, line in enumerate(_wordnet(path), 1):
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
    for line in _wordnet(path):
        key, _, count = line.split(" ")
        lemma, _, place = key.partition("%")
        kind, file, *_ = place.split(":")
        if kind == "1":
            found[lemma, int(file)] += int(count)
    return found


def _wordnet(path: Path) -> list[str]:
    return read_lines(path, hint="Debian's package wordnet-base has it in /usr/share/wordnet.")[:-1]


def _texts(data: Path) -> Iterator[tuple[str, str]]:
    kept = set(map(detokenised, measured(data)))
    for name in _SETS:
        for pair in read_set(name, data):
            simple = [detokenised(text) for text in pair.simple]
            if not kept.intersection((detokenised(pair.complex), *simple)):
                yield from itertools.pairwise([*simple, ""])
                yield detokenised(pair.complex), ""
    for name in _NEIGHBOURS:
        for paragraph in set_paragraphs(name, data, 1.0, 0):
            yield from itertools.pairwise([*paragraph, ""])


def _words(texts: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The words, in small letters, that stand in the texts twice or more."""
    found = Counter(word for text, _ in texts for word in re.findall(r"[a-z]+", text.lower()))
    return frozenset(word for word, count in found.items() if count >= _LEAST)


def joined(names: dict[str, list[str]], kinds: dict[str, list[str]]) -> dict[str, list[str]]:
    """Names and kinds without what is both: *Ohio* is a place and no first name, *bob* a name and no thing."""
    no_names = _FUNCTION.union(kinds["place"])
    left = {pronoun: [name for name in found if name not in no_names] for pronoun, found in names.items()}
    given = {name for found in left.values() for name in found}
    return left | kinds | {"it": [noun for noun in kinds["it"] if noun not in given]}


def main(arguments: list[str] | None = None) -> int:
    """Count, and write the names as gzipped JSON; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.splitting.genders", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--wordnet", type=Path, default=DEBIAN, metavar="DIR", help="WordNet 3's files; default: %(default)s"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    given = parser.parse_args(arguments)
    try:
        texts = list(_texts(given.data))
        kinds = noun_kinds(given.wordnet, _words(texts), persons(count_nouns(texts)))
    except BadInput as error:
        parser.error(str(error))
    found = joined(names_by_pronoun(count_names(texts), ordinary(texts)), kinds)
    text = json.dumps({kind: "\n".join(words) for kind, words in found.items()}, ensure_ascii=False)
    given.out.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    print(", ".join(f"{kind} {len(words):,}" for kind, words in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
