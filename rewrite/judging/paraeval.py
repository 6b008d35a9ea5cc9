"""ParaEval as a metric: what people wrote of the same source, and how much of it a text says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rerank.masked.words import guess_language
from rerank.paraeval.match import TIERS, Expanded
from rerank.paraeval.score import ParaEval, Scored, Settings, explained
from rerank.paraeval.table import BUNDLED, WHAT_IT_IS, PairTable, bundled, open_paraphrases, require_language
from rewrite.errors import BadInput, BadOption
from rewrite.judging.row_metric import Judged, Row, RowMetric

_REMEMBERED = 1000


class ParaEvalMetric(RowMetric):
    """ParaEval (`rerank.paraeval.score`): the recall of that reference of which a text says most, in [0, 1].

    All components are of that reference: P, R, F, the words of the reference that each tier matched (`phrase`,
    `synonym`, `word`), and `optimal`, 0 where tier 1 was cut short. `table` is a file of pairs or a table, without it
    the one that the package carries for the language; `unit` and `identity` are those of `Settings`. Without `language`
    that of a row is guessed of its first reference.

    Raises `BadOption` for a language without a table, `UnknownName` for another unit or identity.
    """

    name = "paraeval"

    def __init__(
        self,
        *,
        language: str | None = None,
        table: str | Path | PairTable | None = None,
        unit: str = "words",
        identity: str = "usual",
    ) -> None:
        self._table = open_paraphrases(table) if isinstance(table, (str, Path)) else table
        self._language = language
        self._settings = Settings(unit=unit, identity=identity)
        self._metric = lru_cache(maxsize=4)(self._create)
        self._prepared = lru_cache(maxsize=_REMEMBERED)(self._prepare)
        if language is not None:
            self._metric(language)

    def signature(self) -> str:
        languages = [self._language] if self._language else sorted(BUNDLED)
        tables = [self._table] if self._table is not None else [self._table_of(language) for language in languages]
        named = "+".join(table.signature() for table in tables)
        return f"paraeval:2,{self._language or 'guessed'},{self._settings},{named}"

    def judged(self, row: Row) -> Judged:
        scored = self.compare(row)
        figures = {"P": scored.precision, "R": scored.recall, "F": scored.f}
        words = {tier: float(scored.match.words(tier)) for tier in TIERS}
        return Judged(scored.recall, {**figures, **words, "optimal": float(scored.match.optimal)})

    def reasons(self, rows: Sequence[Row]) -> list[str]:
        """Of each row which words were matched at which tier, and which were not."""
        return [explained(self.compare(row)) for row in rows]

    def compare(self, row: Row) -> Scored:
        """What the score of a row with references is made of."""
        language = self._language or guess_language(row.references[0])
        references = [self._prepared(language, reference) for reference in row.references]
        return self._metric(language).best(references, row.text)

    def _prepare(self, language: str, reference: str) -> Expanded:
        return self._metric(language).prepare(reference)

    def _create(self, language: str) -> ParaEval:
        return ParaEval(self._table_of(language), language=language, settings=self._settings)

    def _table_of(self, language: str) -> PairTable:
        if self._table is None and language not in BUNDLED:
            # A language that was guessed is the row's fault, one that was named the user's.
            kind = BadInput if self._language is None else BadOption
            wrong = " Or give --lang where the language was guessed wrong." if self._language is None else ""
            raise kind(
                f"No table of paraphrases is bundled for {language!r}, only for {' and '.join(BUNDLED)}.",
                hint=f"Give --table with one of your own. {WHAT_IT_IS}{wrong}",
            )
        return require_language(self._table or bundled(language), language)
