"""The file of a table of paraphrases, as `rerank.paraeval.table` describes and reads it."""

from __future__ import annotations

import zlib
from array import array
from collections import defaultdict
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

from rerank.paraeval.table import FORMAT, HEAD, MAGIC, STEPS, Head, digest
from rewrite.errors import BadInput
from training.paraphrases.pivots import Pair

__all__ = ["packed", "write_table"]


def write_table(path: Path, probabilities: Mapping[Pair, float], language: str) -> None:
    """Write the paraphrases with their probabilities, in (0, 1]; the same ones give the same bytes.

    Raises `BadInput` for a probability that is none.
    """
    path.write_bytes(packed(probabilities, language))


def packed(probabilities: Mapping[Pair, float], language: str) -> bytes:
    """The bytes of the file."""
    of: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (phrase, other), probability in probabilities.items():
        if not 0 < probability <= 1 + 1e-9:
            raise BadInput(f"The probability of {phrase!r} and {other!r} is {probability}, not in (0, 1].")
        of[phrase][other] = probability
    texts = sorted({phrase.encode("utf-8") for pair in probabilities for phrase in pair})
    numbers = {text.decode("utf-8"): number for number, text in enumerate(texts)}
    rows = [sorted((numbers[other], share) for other, share in of[phrase].items()) for phrase in numbers]
    slots = _slots(texts)
    body = b"".join(
        [
            slots.tobytes(),
            array("I", accumulate(map(len, texts), initial=0)).tobytes(),
            array("I", accumulate(map(len, rows), initial=0)).tobytes(),
            array("I", (number for row in rows for number, _ in row)).tobytes(),
            array("H", (_steps(share) for row in rows for _, share in row)).tobytes(),
            b"".join(texts),
        ]
    )
    longest = max((phrase.count(" ") + 1 for phrase in numbers), default=0)
    pairs, size = len(probabilities), sum(map(len, texts))
    head = Head(MAGIC, FORMAT, longest, language.encode("ascii"), len(slots), len(texts), pairs, size, digest(body))
    return HEAD.pack(*head) + body


def _slots(texts: list[bytes]) -> array[int]:
    """A hash table at most half full, of a power of two."""
    slots = array("I", bytes(4 << max(1, (2 * len(texts)).bit_length())))
    for number, text in enumerate(texts, 1):
        slot = zlib.crc32(text) & (len(slots) - 1)
        while slots[slot]:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number
    return slots


def _steps(probability: float) -> int:
    # One that is not zero stays so.
    return max(1, min(STEPS, round(probability * STEPS)))
