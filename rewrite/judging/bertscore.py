"""BERTScore (Zhang et al., 2020) against references, through the `bert-score` library."""

from __future__ import annotations

from rerank.ndd.bertscore import BERTScore
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.compression.analyzer import WordAnalyzer
from rewrite.errors import BadOption
from rewrite.judging.types import Judged, Metric, Row
from rewrite.judging.words import checked_language

__all__ = ["BertScore"]


class BertScore(Metric):
    """max(0, F1) of BERTScore between each text and its nearest reference, in [0, 1].

    `model` is `hf:FOLDER` of an encoder, or `hf:NAME` of the hub. Neither idf weights nor a baseline are used. Raises
    `BadOption` without a model, `MissingExtra` at the first row where the library is not installed.
    """

    name = "bertscore"

    def __init__(self, *, language: str | None = None, model: str | None = None) -> None:
        if model is None:
            raise BadOption("bertscore needs a model.", hint="Give one, as in --model hf:FOLDER.")
        self._scorer = BERTScore(model=model, language=checked_language(language))
        self._context = Context(WordAnalyzer(language or "other"))

    def signature(self) -> str:
        return self._scorer.signature()

    def judged(self, row: Row) -> Judged:
        text = [Candidate(row.text)]
        scores = (self._scorer.score(reference, text, self._context) for reference in row.references)
        score = max(float(values[0]) for values in scores)
        return Judged(score, {"F": score})
