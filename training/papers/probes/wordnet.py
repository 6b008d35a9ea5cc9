"""Synonyms and antonyms from the files of a WordNet database, as `wninput(5)` and `wndb(5)` describe them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rewrite.errors import BadInput

DEBIAN = Path("/usr/share/wordnet")
"""Where Debian's package `wordnet-base` puts it."""

_FILES: Mapping[str, str] = MappingProxyType({"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"})
_LETTERS: Mapping[str, str] = MappingProxyType({"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"})
_ANTONYM = "!"


@dataclass(frozen=True, slots=True)
class _Synset:
    """Its words, and its antonym pointers: number of the word here, file and offset there, number of the word there.

    Numbers count from 1.
    """

    words: Sequence[str]
    antonyms: Sequence[tuple[int, str, int, int]]


class WordNet:
    """The database in `folder`: index.noun, data.noun and their like for verbs, adjectives and adverbs.

    Parts of speech are those of Universal Dependencies; for others than NOUN, VERB, ADJ and ADV there is nothing.
    Words are in lower case, those with a space are left out. Raises `BadInput` for a file that is missing or broken.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = {kind: self._read_index(kind) for kind in _FILES.values()}
        self._data = {kind: read_file(self._folder, f"data.{kind}") for kind in _FILES.values()}

    def synonyms(self, lemma: str, pos: str) -> frozenset[str]:
        """The other words of the synsets in which `lemma` has an antonym: of that sense and no other.

        Over all senses *world* would be a synonym of *man*, whose antonym is *woman*.
        """
        opposed = (synset for synset in self._synsets(lemma, pos) if self._against(lemma, synset))
        return _single({word for synset in opposed for word in synset.words} - {lemma})

    def antonyms(self, lemma: str, pos: str) -> frozenset[str]:
        """The words that stand against `lemma` itself in any of its synsets; not those against its synonyms."""
        return _single({word for synset in self._synsets(lemma, pos) for word in self._against(lemma, synset)})

    def _against(self, lemma: str, synset: _Synset) -> set[str]:
        return {
            self._synset(kind, offset).words[other - 1]
            for here, kind, offset, other in synset.antonyms
            if here and other and synset.words[here - 1] == lemma
        }

    def _synsets(self, lemma: str, pos: str) -> Iterator[_Synset]:
        kind = _FILES.get(pos, "")
        for offset in self._index.get(kind, {}).get(lemma, ()):
            yield self._synset(kind, offset)

    def _synset(self, kind: str, offset: int) -> _Synset:
        data = self._data[kind]
        fields = data[offset : data.find(b"\n", offset)].decode("utf-8", "replace").split(" ")
        try:
            if int(fields[0]) != offset:
                raise ValueError
            return _parsed(fields)
        except (ValueError, IndexError, KeyError):
            path = self._folder / f"data.{kind}"
            hint = "The index and data files must be of one WordNet."
            raise BadInput(f"{path}, byte {offset:,}: no synset begins there.", hint=hint) from None

    def _read_index(self, kind: str) -> dict[str, tuple[int, ...]]:
        name = f"index.{kind}"
        index = {}
        for number, line in enumerate(read_file(self._folder, name).decode("utf-8", "replace").split("\n"), 1):
            if not line.strip() or line.startswith("  "):  # the licence
                continue
            fields = line.split()
            try:
                offsets = fields[-int(fields[2]) :]
                index[fields[0]] = tuple(map(int, offsets))
            except (ValueError, IndexError):
                raise BadInput(
                    f"{self._folder / name}, line {number}: not a row of WordNet's: {line[:60]!r}."
                ) from None
        return index


def read_file(folder: Path, name: str) -> bytes:
    """A file of the database in `folder`. Raises `BadInput`."""
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise BadInput(
            f"No WordNet in {str(folder)!r}: {name}: {error.strerror or error}.",
            hint="Install Debian's wordnet-base, or give the folder of any WordNet (--wordnet; wordnet in --data).",
        ) from error


def _single(words: set[str]) -> frozenset[str]:
    return frozenset(word for word in words if "_" not in word)


def _parsed(fields: Sequence[str]) -> _Synset:
    """`offset file type count (word number)… count (symbol offset type numbers)… | gloss`; words counted in base 16."""
    count = int(fields[3], 16)
    # "galore(ip)": where an adjective may stand.
    words = [word.split("(")[0].lower() for word in fields[4 : 4 + 2 * count : 2]]
    start = 4 + 2 * count
    antonyms = []
    for place in range(start + 1, start + 1 + 4 * int(fields[start]), 4):
        symbol, offset, letter, numbers = fields[place : place + 4]
        if symbol == _ANTONYM:
            antonyms.append((int(numbers[:2], 16), _LETTERS[letter], int(offset), int(numbers[2:], 16)))
    return _Synset(words, antonyms)
