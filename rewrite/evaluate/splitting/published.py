"""Table 3 of the Split-and-Rephrase paper (Narayan et al., 2017), for reports to show beside what was measured."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PUBLISHED", "PublishedRow"]


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """BLEU in [0, 100], sentences per complex sentence, tokens per sentence."""

    system: str
    bleu: float
    sentences: float
    tokens: float


PUBLISHED: dict[str, tuple[PublishedRow, ...]] = {
    "websplit": (
        PublishedRow("Source", 55.67, 1.0, 21.11),
        PublishedRow("HybridSimpl", 39.97, 1.26, 17.55),
        PublishedRow("Seq2Seq", 48.92, 2.51, 10.32),
        PublishedRow("MultiSeq2Seq", 42.18, 2.53, 10.69),
        PublishedRow("Split-MultiSeq2Seq", 77.27, 2.84, 11.63),
        PublishedRow("Split-Seq2Seq", 78.77, 2.84, 9.28),
    )
}
"""By the set; the paper's test set was of its own data (version 0.1), and its BLEU the mean over sentences."""
