"""The folder of a table of paraphrases: the file that `rerank.paraeval.table` describes and reads, and its card."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rerank.paraeval.table import TABLE
from rewrite.errors import BadInput
from training.card import CardTexts, DataSet, write_card
from training.paraphrases.phrases import Pair
from training.paraphrases.reading import Report

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
    lines = [language]
    for (phrase, other), probability in sorted(probabilities.items()):
        if not 0 < probability <= 1 + 1e-9:
            raise BadInput(f"The probability of {phrase!r} and {other!r} is {probability}, not in (0, 1].")
        lines.append(f"{phrase}\t{other}\t{min(1.0, float(probability))!r}")
    path.write_bytes(gzip.compress("\n".join(lines).encode("utf-8"), 9, mtime=0))


def write_table_card(
    folder: Path, language: str, report: Report, figures: Mapping[str, float], settings: Mapping[str, Any]
) -> None:
    """Write the card of the table in the folder, and the checksums."""
    named, pivot = _ABOUT[language]
    texts = CardTexts(
        task="paraphrases of words and phrases",
        what=(
            f"{named} words and phrases that share translations into {pivot}, with pivot probabilities (`{TABLE}`). "
            "`rerank.paraeval.table` reads it; docs/paraphrases.md tells how it is made and how good it is. No "
            "sentence of any set is in it."
        ),
        limits=" ".join(_LIMITS),
        measured="Of the table; the settings that it was made with are in card.json:",
    )
    data = [
        DataSet(name=f"{name} (parallel_enru)", used_for=f"{taken:,} lines", licence=_licence(name))
        for name, taken in report.taken.items()
    ]
    name = f"paraphrases-{language}"
    write_card(folder, figures, texts, name=name, language=language, licence=LICENCES, data=data, settings=settings)


def _licence(name: str) -> str:
    return next((licence for begin, licence in _OWN_LICENCES.items() if name.startswith(begin)), LICENCES)
