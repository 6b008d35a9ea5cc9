"""BERTScore (Zhang et al., 2020) against references, through the `bert-score` library."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.ndd.bertscore import BERTScore
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.compression.analyzer import WordAnalyzer
from rewrite.errors import BadInput, BadOption, TextTooLong
from rewrite.judging.types import Judged, Row
from rewrite.judging.words import checked_language, require_references

__all__ = ["BertScore"]


class BertScore:
    """max(0, F1) of BERTScore between each text and its nearest reference, in [0, 1].

    `model` is `hf:FOLDER` of an encoder, or `hf:NAME` of the hub. Neither idf weights nor a baseline are used. Raises
    `BadOption` without a model, `MissingExtra` at the first row where the library is not installed.
    """

    name = "bertscore"
    range = (0.0, 1.0)
    needs_references = True

    def __init__(self, *, language: str | None = None, model: str | None = None) -> None:
        if model is None:
            raise BadOption("bertscore needs a model.", hint="Give one, as in --model hf:FOLDER.")
        self._scorer = BERTScore(model=model, language=checked_language(language))
        self._context = Context(WordAnalyzer(language or "other"))

    def signature(self) -> str:
        """Name, library, model, layer and language."""
        return self._scorer.signature()

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row; `BadInput` for one without references or longer than the model's window."""
        require_references(rows, self.name)
        return [self._judged(row, number) for number, row in enumerate(rows, 1)]

    def _judged(self, row: Row, number: int) -> Judged:
        text = [Candidate(row.text)]
        try:
            found = (self._scorer.score(reference, text, self._context) for reference in row.references)
            score = max(float(values[0]) for values in found)
        except TextTooLong as error:
            raise BadInput(f"Row {number}: {error.message}", hint=error.hint) from None
        return Judged(score, {"F": score})
