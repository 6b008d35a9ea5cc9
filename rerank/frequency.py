"""Relative word frequencies, for the lexical score, and the commonest words of a language.

Two sources for Russian: the list that the `wordfreq` package carries, and a FrequencyWords file (`word count` a line).
Both fold ё into е, summing what the two spellings had.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import math
import os
import zlib
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Protocol, runtime_checkable

from rerank.errors import BadInput, ModelNotFound

_reading = Lock()


def _renew() -> None:
    # A fork may come while a thread reads, which is not there in the child to let go.
    global _reading
    _reading = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
_YO = "ё".encode()
_YE = "е".encode()


def fold(word: str) -> str:
    """Lower case, with ё as е."""
    return word.lower().replace("ё", "е")


@runtime_checkable
class WordFrequencies(Protocol):
    """Share of each word among all running words of some corpus."""

    def lookup(self, words: Iterable[str]) -> Mapping[str, float]:
        """A value in [0, 1] for each of `words` (any case, ё or е); 0 where the word is unknown.

        A hyphenated word that is not listed gets 1 / Σ 1/fᵢ over its parts, or 0 where a part is unknown.
        """
        ...

    def signature(self) -> str:
        """Name and version of the list: equal signatures mean equal frequencies."""
        ...


def _compound(parts: list[float]) -> float:
    return 1.0 / sum(1.0 / part for part in parts) if all(parts) else 0.0


def _with_parts(words: Iterable[str]) -> set[str]:
    """Folded words and the parts of the hyphenated ones."""
    wanted = {fold(word) for word in words}
    for word in [word for word in wanted if "-" in word]:
        wanted.update(word.split("-"))
    return wanted


def _frequency(word: str, known: Mapping[str, float]) -> float:
    folded = fold(word)
    frequency = known.get(folded, 0.0)
    if frequency == 0.0 and "-" in folded:
        return _compound([known.get(part, 0.0) for part in folded.split("-")])
    return frequency


class FrequencyFile:
    """A FrequencyWords list: one `word count` a line, divided by the sum of all counts. Read at the first look-up.

    `ModelNotFound` if the file is missing, `BadInput` naming the line if one is malformed.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @cached_property
    def _known(self) -> dict[str, float]:
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise ModelNotFound(
                f"Cannot read the frequency list {str(self.path)!r}: {error.strerror or error}.",
                hint="Give the path of a FrequencyWords file, such as ru_50k.txt.",
            ) from error
        counts: dict[str, int] = {}
        for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), start=1):
            if not line.strip():
                continue
            word, _, count = line.strip().rpartition(" ")
            if not word or not count.isdecimal():
                raise BadInput(
                    f"{self.path}, line {number}: {line[:80]!r} is not `word count`.",
                    hint="Each line needs a word, one space and a whole number.",
                )
            folded = fold(word)
            counts[folded] = counts.get(folded, 0) + int(count)
        total = sum(counts.values())
        if not total:
            raise BadInput(f"{self.path} holds no words.", hint="Give a FrequencyWords file, such as ru_50k.txt.")
        return {word: count / total for word, count in counts.items()}

    def lookup(self, words: Iterable[str]) -> Mapping[str, float]:
        return {word: _frequency(word, self._known) for word in words}

    def signature(self) -> str:
        known = self._known
        checksum = zlib.crc32(repr(sorted(known.items())).encode())
        return f"file:{self.path.name}:{len(known)}:{checksum:08x}"


def _read_buckets(name: str) -> list[list[bytes]]:
    """The buckets of a list of `wordfreq`, the i-th holding the words of frequency 10^(−i/100), in UTF-8, with ё as е.

    Raises `ModelNotFound` where the package or its list is missing.
    """
    spec = importlib.util.find_spec("wordfreq")
    if spec is None or spec.origin is None:
        raise ModelNotFound("wordfreq is not installed.", hint="Run: pip install wordfreq")
    path = Path(spec.origin).parent / "data" / f"{name}.msgpack.gz"
    try:
        data = zlib.decompress(path.read_bytes(), wbits=31)
    except (OSError, zlib.error) as error:
        raise ModelNotFound(
            f"Cannot read wordfreq's list {str(path)!r}: {error}.",
            hint="Run: pip install --force-reinstall wordfreq",
        ) from error
    import msgpack

    # Both letters take two bytes, and in UTF-8 a lead byte never ends a word: lengths and headers stay right.
    buckets: list[list[bytes]] = msgpack.unpackb(data.replace(_YO, _YE), raw=True)[1:]
    return buckets


@lru_cache(maxsize=8)
def common_words(language: str) -> Mapping[str, float]:
    """The frequencies of the commonest words of a language (29 thousand English ones), from 10⁻⁶ up, of a word with ё
    and without the higher; raises what `Wordfreq` does.
    """
    rarest_first = list(enumerate(_read_buckets(f"small_{language}")))[::-1]
    return {word.decode(): _from_centibels(centibels) for centibels, bucket in rarest_first for word in bucket}


class Wordfreq:
    """The large list of a language (ru, en) inside `wordfreq`, frequencies from 10⁻⁸ up; equal to
    `wordfreq.word_frequency`, save that ё is folded and that words with digits are unknown rather than estimated.

    The package's data file is read directly, since importing it costs more than reading its 713 thousand words. The
    file is a list of buckets, the i-th holding the words of frequency 10^(−i/100). The first few look-ups scan the
    buckets; whoever looks up more than that pays once for a dictionary of them all.
    """

    _SCANS = 12

    def __init__(self, language: str = "ru") -> None:
        self._language = language
        self._seen: dict[str, float] = {}
        self._scans = 0
        self._index: dict[str, float] | None = None

    @cached_property
    def _buckets(self) -> list[list[bytes]]:
        return _read_buckets(f"large_{self._language}")

    def _scan(self, words: set[str]) -> None:
        encoded = {word.encode("utf-8", errors="replace") for word in words}
        self._seen.update(dict.fromkeys(words, 0.0))
        for centibels, bucket in enumerate(self._buckets):
            for word in encoded.intersection(bucket):
                self._seen[word.decode()] += _from_centibels(centibels)

    def _build(self) -> dict[str, float]:
        index: dict[str, float] = {}
        for centibels, bucket in enumerate(self._buckets):
            frequency = _from_centibels(centibels)
            for encoded in bucket:
                word = encoded.decode()
                index[word] = index[word] + frequency if word in index else frequency
        return index

    def lookup(self, words: Iterable[str]) -> Mapping[str, float]:
        words = list(words)
        with _reading:  # others may ask at the same time, from threads of their own
            if self._index is None:
                missing = _with_parts(words) - self._seen.keys()
                if missing and self._scans < self._SCANS:
                    self._scans += 1
                    self._scan(missing)
                elif missing:
                    self._index = self._build()
                    self._seen.clear()
                    del self._buckets
            known = self._seen if self._index is None else self._index
            return {word: _frequency(word, known) for word in words}

    def signature(self) -> str:
        language = "" if self._language == "ru" else f":{self._language}"
        return f"wordfreq-{importlib.metadata.version('wordfreq')}{language}"


@lru_cache(maxsize=4)
def shared_wordfreq(language: str) -> Wordfreq:
    """The list of a language that all in this process share: it is large."""
    return Wordfreq(language)


def _from_centibels(centibels: int) -> float:
    """wordfreq's own rounding: three significant digits."""
    frequency: float = 10 ** (-centibels / 100)
    return round(frequency, math.floor(-math.log10(frequency)) + 3)


def create_frequencies(spec: str = "wordfreq") -> WordFrequencies:
    """`wordfreq` (the default), or the path of a FrequencyWords file."""
    return shared_wordfreq("ru") if spec == "wordfreq" else FrequencyFile(spec)
