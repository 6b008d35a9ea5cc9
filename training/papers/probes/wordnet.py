"""Synonyms and antonyms from the files of a WordNet database, as `wndb(5)` describes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rewrite.errors import BadInput

DEBIAN = Path("/usr/share/wordnet")
"""Where Debian's package `wordnet-base` puts it."""

KINDS = ("noun", "verb", "adj", "adv")
"""What its files are called by."""
_LETTERS: Mapping[str, str] = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
_Place = tuple[str, str]
"""A file and the offset of a synset in it."""


@dataclass(frozen=True, slots=True)
class _Synset:
    """Its words, and its antonym pointers: number of the word here, the other synset, number of the word there.

    Numbers count from 1.
    """

    words: tuple[str, ...]
    antonyms: tuple[tuple[int, _Place, int], ...]


class WordNet:
    """The database in `folder`: data.noun and its like for verbs, adjectives and adverbs.

    Parts of speech are those of Universal Dependencies; for others than NOUN, VERB, ADJ and ADV there is nothing.
    Words are in lower case, those with a space are left out. Raises `BadInput` for a file that is missing or broken.
    """

    def __init__(self, folder: Path) -> None:
        self._synsets = dict(_synsets(folder))
        self._holding: dict[tuple[str, str], list[_Synset]] = {}
        for (kind, offset), synset in self._synsets.items():
            # Nothing is asked of a synset without an antonym.
            for word in synset.words if synset.antonyms else ():
                self._holding.setdefault((kind, word), []).append(synset)
            for here, there, other in synset.antonyms:
                against = self._synsets.get(there)
                if against is None or here > len(synset.words) or other > len(against.words):
                    raise BadInput(
                        f"{folder}: {kind} {offset}: an antonym that is in no synset: {there[0]} {there[1]}."
                    )

    def synonyms(self, lemma: str, pos: str) -> frozenset[str]:
        """The other words of the synsets in which `lemma` has an antonym: of that sense and no other.

        Over all senses *world* would be a synonym of *man*, whose antonym is *woman*.
        """
        opposed = (synset for synset in self._with(lemma, pos) if self._against(lemma, synset))
        return _single({word for synset in opposed for word in synset.words} - {lemma})

    def antonyms(self, lemma: str, pos: str) -> frozenset[str]:
        """The words that stand against `lemma` itself in any of its synsets; not those against its synonyms."""
        return _single({word for synset in self._with(lemma, pos) for word in self._against(lemma, synset)})

    def _with(self, lemma: str, pos: str) -> list[_Synset]:
        return self._holding.get((pos.lower(), lemma), [])

    def _against(self, lemma: str, synset: _Synset) -> set[str]:
        pointers = [(there, other) for here, there, other in synset.antonyms if synset.words[here - 1] == lemma]
        return {self._synsets[there].words[other - 1] for there, other in pointers}


def _single(words: set[str]) -> frozenset[str]:
    return frozenset(word for word in words if "_" not in word)


def synset_rows(folder: Path, kind: str) -> Iterator[tuple[str, list[str], str]]:
    """For each synset of a part of speech (noun, verb, adj, adv) its place, which errors begin with, fields and gloss.

    Raises `BadInput` where the file is missing.
    """
    path = folder / f"data.{kind}"
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise BadInput(
            f"No WordNet in {str(folder)!r}: {path.name}: {error.strerror or error}.",
            hint="Install Debian's wordnet-base, or give the folder of any WordNet (--wordnet; wordnet in --data).",
        ) from error
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("  "):  # the licence
            fields, _, gloss = line.partition(" | ")
            yield f"{path}, line {number}", fields.split(" "), gloss


def _synsets(folder: Path) -> Iterator[tuple[_Place, _Synset]]:
    for kind in KINDS:
        for place, fields, _ in synset_rows(folder, kind):
            yield (kind, fields[0]), _parsed(place, fields)


def _parsed(place: str, fields: list[str]) -> _Synset:
    """`offset file type count (word number)… count (symbol offset type numbers)…`; words counted in base 16."""
    try:
        stop = 4 + 2 * int(fields[3], 16)
        pointers = [fields[start : start + 4] for start in range(stop + 1, stop + 1 + 4 * int(fields[stop]), 4)]
        antonyms = [
            (int(numbers[:2], 16), (_LETTERS[letter], offset), int(numbers[2:], 16))
            for symbol, offset, letter, numbers in pointers
            if symbol == "!" and numbers != "0000"
        ]
    except (ValueError, IndexError, KeyError):
        raise BadInput(f"{place}: not a synset of WordNet's: {' '.join(fields)[:60]!r}.") from None
    # "galore(ip)": where an adjective may stand.
    return _Synset(tuple(word.split("(")[0].lower() for word in fields[4:stop:2]), tuple(antonyms))
