"""BLEU (Papineni et al., 2002) and chrF (Popović, 2015) of single texts by `sacrebleu`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rewrite.errors import MissingExtra
from rewrite.judging.types import Judged, Row
from rewrite.judging.words import checked_language, require_references

__all__ = ["Sacre"]


class Sacre:
    """BLEU or chrF of each text against all its references, as sacrebleu counts sentences, over 100: in [0, 1].

    BLEU has the parts `precision-1` to `precision-4` and `brevity` (the penalty), smoothed and in [0, 1]; orders
    longer than the text do not count. chrF has no parts but itself. Neither looks at the language. `MissingExtra` where
    the library is not installed.
    """

    range = (0.0, 1.0)
    needs_references = True

    def __init__(self, name: str, *, language: str | None = None) -> None:
        try:
            from sacrebleu.metrics.bleu import BLEU
            from sacrebleu.metrics.chrf import CHRF
        except ImportError:
            raise MissingExtra(f"{name} needs sacrebleu.", hint="Run: pip install 'rewrite-rerank[eval]'") from None
        checked_language(language)
        self.name = name
        self._metric: Any = BLEU(effective_order=True) if name == "bleu" else CHRF()

    def signature(self) -> str:
        """Name, library and settings."""
        settings = "13a,exp,effective-order" if self.name == "bleu" else "characters-6,words-0,beta-2"
        return f"{self.name}:sacrebleu-{version('sacrebleu')}:{settings}"

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row; `BadInput` for a row without references."""
        require_references(rows, self.name)
        return [self._judged(self._metric.sentence_score(row.text, list(row.references))) for row in rows]

    def _judged(self, found: Any) -> Judged:
        score = min(1.0, float(found.score) / 100)
        if self.name != "bleu":
            return Judged(score, {"F": score})
        precisions = {f"precision-{n}": float(share) / 100 for n, share in enumerate(found.precisions, 1)}
        return Judged(score, {**precisions, "brevity": float(found.bp)})
