"""The folder of a table of paraphrases: the file that `rerank.paraeval.table` describes and reads, and its card."""

from __future__ import annotations

import json
import zlib
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from rerank.paraeval.table import FORMAT, HEAD, MAGIC, STEPS, Head, digest
from rewrite.errors import BadInput
from training.paraphrases.phrases import Pair
from training.paraphrases.reading import Report

__all__ = ["LICENCES", "packed", "write_card", "write_table"]

LICENCES = "mixed open licences"
"""Of the sets of parallel_enru, as the data folder states it."""
_OWN_LICENCES = {"webnlg": "mixed open licences; WebNLG itself CC BY-NC-SA 4.0"}
"""What it states of a set elsewhere, by how the set's name begins."""
_ABOUT = {"en": ("English", "Russian"), "ru": ("Russian", "English")}
_LIMITS = (
    "Phrases without their sentence: one of them may stand for the other in some sentences, not in all.",
    "Words and phrases of news, of an encyclopaedia, of short everyday sentences and of a programming manual, as far "
    "as these sets have them. Names and numbers are left out, and what is no phrase of grammar.",
    "Forms of one word are not in it: compare words by lemma or stem for those.",
)


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


def write_card(
    folder: Path, language: str, report: Report, figures: Mapping[str, Any], settings: Mapping[str, Any]
) -> None:
    """Write README.md for people and card.json for programs to the folder of the table."""
    own, other = _ABOUT[language]
    rows = [(f"{name} (parallel_enru)", taken, _licence(name)) for name, taken in report.taken.items()]
    card = {
        "name": f"paraphrases-{language}",
        "task": "paraphrases of words and phrases",
        "language": language,
        "licence": LICENCES,
        "data": [{"name": name, "lines": taken, "licence": licence} for name, taken, licence in rows],
        "figures": dict(figures),
        "settings": dict(settings),
        "limits": list(_LIMITS),
    }
    (folder / "card.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    parts = [
        f"# paraphrases-{language}",
        f"{own} words and phrases that share translations into {other}, with pivot probabilities, in one file that is "
        "mapped into memory (`table.bin`). `rerank.paraeval.table` reads it; docs/paraphrases.md tells how it is made "
        "and how good it is. No sentence of any set is in it.",
        "## Data",
        _table(
            ["data set", "lines", "licence as stated at its origin"],
            [(name, f"{taken:,}", licence) for name, taken, licence in rows],
        ),
        "## Figures",
        _table(["figure", "value"], [(name, f"{value:,}") for name, value in figures.items()]),
        "Settings: " + ", ".join(f"{name} {value}" for name, value in settings.items()) + ".",
        "## Limits",
        "\n".join(f"- {limit}" for limit in _LIMITS),
        "`sha256sum -c SHA256SUMS` checks the files.",
    ]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _licence(name: str) -> str:
    return next((licence for begin, licence in _OWN_LICENCES.items() if name.startswith(begin)), LICENCES)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
