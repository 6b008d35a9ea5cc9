"""The rows that the NDD paper (Peng et al., 2023) prints in its Tables 3 to 6, to set beside what is measured.

They were measured on the paper's test sets, which need not be the sentences at hand. Values are as printed there.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PublishedRow", "PublishedTable", "published_tables"]


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """F1, ROUGE-1, 2 and L (`None` where not printed), CR and ΔC, BLEU-1 to 4 where printed."""

    system: str
    f1: float
    rouge: tuple[float | None, float | None, float | None]
    cr: float
    delta_c: float
    bleu: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of the paper: its number, the test set, its rows."""

    number: int
    test_set: str
    rows: tuple[PublishedRow, ...]


_NO_ROUGE = (None, None, None)

_GOOGLE = PublishedTable(
    3,
    "Google, first 1,000",
    (
        PublishedRow("Unedited", 58.2, (63.8, 53.4, 63.3), 1.00, 0.56),
        PublishedRow("LSTM (supervised)", 80.0, _NO_ROUGE, 0.39, -0.05),
        PublishedRow("LSTM-Dep (supervised)", 81.0, _NO_ROUGE, 0.38, -0.06),
        PublishedRow("Evaluator-SLM (supervised)", 85.1, _NO_ROUGE, 0.39, -0.05),
        PublishedRow("Tagger+BERT (supervised)", 85.0, (78.1, 69.9, 77.9), 0.40, -0.04),
        PublishedRow("SLAHAN (supervised)", 85.5, (79.3, 71.4, 79.1), 0.42, -0.02),
        PublishedRow("Drop Head", 31.7, (23.6, 14.7, 22.7), 0.39, -0.05),
        PublishedRow("Drop Tail", 56.0, (58.2, 47.4, 57.7), 0.39, -0.05),
        PublishedRow("Random Drop", 42.3, (41.7, 13.6, 40.4), 0.40, -0.04),
        PublishedRow("PPL Deleter (Niu et al.)", 50.0, _NO_ROUGE, 0.39, -0.05),
        PublishedRow("PPL Deleter", 50.9, (51.3, 36.7, 50.9), 0.42, -0.02),
        PublishedRow("NDD", 61.2, (60.3, 43.2, 59.6), 0.41, -0.03),
        PublishedRow("NDD+SC", 62.3, (62.6, 45.9, 61.9), 0.42, -0.02),
        PublishedRow("Fast NDD", 59.7, (55.5, 40.3, 54.8), 0.43, -0.01),
        PublishedRow("Fast NDD+SC", 67.1, (62.0, 46.6, 61.4), 0.43, -0.01),
    ),
)
_CONFIGURATIONS = PublishedTable(
    6,
    "Google, first 1,000: Fast NDD+SC by N_max / L_max",
    (
        PublishedRow("4.00 / 5", 44.6, (35.8, 15.4, 35.7), 0.16, -0.28),
        PublishedRow("2.00 / 5", 58.5, (52.4, 34.9, 52.1), 0.27, -0.17),
        PublishedRow("1.00 / 5", 67.1, (62.0, 46.6, 61.4), 0.43, -0.01),
        PublishedRow("0.50 / 5", 67.7, (64.6, 51.2, 64.1), 0.57, 0.13),
        PublishedRow("0.25 / 5", 66.0, (65.1, 53.0, 64.6), 0.69, 0.25),
        PublishedRow("1.00 / 2", 66.8, (63.0, 47.5, 62.4), 0.48, 0.04),
        PublishedRow("1.00 / 1", 64.7, (64.2, 49.3, 63.7), 0.62, 0.18),
    ),
)
# ROUGE-L of this table is not legible in the text of the paper at hand.
_BROADCAST = PublishedTable(
    4,
    "Broadcast News Compression",
    (
        PublishedRow("SLAHAN (trained on Google)", 57.7, (40.1, 30.6, None), 0.35, -0.36),
        PublishedRow("Fast NDD+SC", 76.5, (69.8, 55.1, None), 0.70, -0.01),
    ),
)
_CHINESE = PublishedTable(
    5,
    "Chinese colloquial, test",
    (
        PublishedRow("Unedited", 81.7, (70.4, 55.3, 70.2), 1.00, 0.32, (74.4, 73.7, 71.4, 68.5)),
        PublishedRow("Tagger+BERT (supervised)", 85.8, _NO_ROUGE, 0.83, 0.15, (73.4, 64.3, 58.3, 53.9)),
        PublishedRow("SOM-NCSCM (supervised)", 89.7, _NO_ROUGE, 0.68, -0.00, (84.0, 78.2, 74.8, 70.1)),
        PublishedRow("PPL Deleter", 56.3, (55.7, 25.3, 55.4), 0.70, 0.02, (51.8, 47.3, 43.5, 40.5)),
        PublishedRow("NDD", 74.8, (67.8, 47.0, 67.8), 0.65, -0.03, (66.4, 57.1, 50.5, 44.6)),
        PublishedRow("NDD+SC", 76.4, (69.3, 49.9, 69.2), 0.68, -0.00, (68.5, 59.3, 52.8, 47.2)),
        PublishedRow("NDD (wwm)+SC", 76.7, (70.5, 50.8, 70.2), 0.70, 0.02, (68.6, 59.6, 53.5, 47.9)),
        PublishedRow("Fast NDD", 73.9, (65.9, 48.4, 65.7), 0.67, -0.02, (64.1, 56.6, 51.2, 45.6)),
        PublishedRow("Fast NDD+SC", 75.5, (67.2, 47.7, 66.8), 0.69, 0.01, (66.9, 58.5, 52.4, 47.2)),
        PublishedRow("Fast NDD (wwm)+SC", 74.7, (67.7, 48.4, 67.5), 0.70, 0.02, (66.0, 57.7, 51.7, 45.7)),
    ),
)


def published_tables(name: str) -> tuple[PublishedTable, ...]:
    """What the paper prints for the set `name` (as of `CompressionSet.name`), which may be nothing."""
    tables = {"google": (_GOOGLE, _CONFIGURATIONS), "broadcast": (_BROADCAST,), "bnc": (_BROADCAST,), "zh": (_CHINESE,)}
    return tables.get(name.split()[0], ())
