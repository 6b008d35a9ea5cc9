"""What the tests of the probes share: a masked model that only counts, and tiny files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rerank.masked.base import LogProbs, Row, Word

__all__ = ["CountingModel", "write_wordnet"]

_SIZE = 64


class CountingModel:
    """A masked language model with a simple rule: it expects at a place the words that stand in the text.

    Each different word is a token; a word that is in the row `n` times is expected `n + 1` times as much as one that is
    not. The vector of a place is the row's counts of words, the same at every place.
    """

    name = "counting"
    window = 60
    mask = 1
    prefix = (2,)
    suffix = (3,)

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def signature(self) -> str:
        return "counting@1"

    def tokens(self, word: Word) -> tuple[int, ...]:
        return (self._numbers.setdefault(word.text, len(self._numbers) + 4),)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        found = []
        for row in rows:
            shares = 1.0 + self._counts(row.tokens)
            logs = np.log(shares / shares.sum()).astype(np.float32)
            found.append(np.tile(logs, (len(row.positions), 1)))
        return found

    def vectors(self, rows: Sequence[tuple[int, ...]]) -> list[LogProbs]:
        return [np.tile(self._counts(row).astype(np.float32), (len(row), 1)) for row in rows]

    def _counts(self, tokens: Sequence[int]) -> np.ndarray:
        return np.bincount([token for token in tokens if token > 3], minlength=_SIZE).astype(np.float64)


# Offsets of synsets are found when the file is written: {name} stands for that of the synset so called.
_SYNSETS = {
    "adj": {
        "cold": "00 a 02 cold 0 chilly 0 001 ! {hot} a 0101 | not warm",
        "hot": "00 a 02 hot 0 Warm(p) 0 002 ! {cold} a 0101 & {tepid} a 0000 | not cold",
        "tepid": "00 s 02 tepid 0 luke_warm 0 001 & {hot} a 0000 | in between",
    },
    "verb": {
        "walk": "00 v 02 walk 0 stroll 0 000 01 + 02 00 | go",
        "ride": "00 v 01 ride 0 000 01 + 02 00 | on a horse",
    },
    "noun": {"cold": "00 n 01 cold 0 000 | an illness"},
    "adv": {"slowly": "00 r 01 slowly 0 000 | not fast"},
}
_LICENCE = "  1 This software and database is being provided to you\n"


def write_wordnet(folder: Path) -> Path:
    """A WordNet of six synsets in the files of the real one: cold (chilly) against hot (warm), tepid, walk (stroll)."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, synsets in _SYNSETS.items():
        offsets, place = {}, len(_LICENCE)
        for name, record in synsets.items():
            offsets[name] = f"{place:08d}"
            place += len(f"00000000 {record.format(**dict.fromkeys(synsets, '00000000'))}\n")
        lines = [f"{offsets[name]} {record.format(**offsets)}\n" for name, record in synsets.items()]
        (folder / f"data.{kind}").write_text(_LICENCE + "".join(lines), encoding="ascii")
    return folder
