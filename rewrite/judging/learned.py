"""The metric `learned`: the evaluator of `rerank.evaluator`, without references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rerank.errors import BadInput, UnknownName
from rerank.evaluator.base import Evaluator
from rerank.evaluator.choosing import Evaluators
from rerank.evaluator.registry import task_of
from rerank.types import FloatArray
from rewrite.judging.types import Judged, Row
from rewrite.version import version

__all__ = ["Learned", "summed"]

_MAIN = "quality"


class Learned:
    """f(d, s) of an evaluator taught by negative sampling, in [0, 1]; its outputs are the components.

    `model` is as in `rerank.evaluator.registry.create_evaluator`. With `bundled` a text of a source of five sentences
    or more, or of several documents, is judged as a summary, another as a rewrite; as a rewrite, too, where there is no
    evaluator of summaries for the language. The score is `quality`, or the first output of an evaluator without it. Of
    a source longer than the evaluator's window the beginning is read, and of the rest which of the text's words it has.
    The score of a row of several documents is Σᵢ f(dᵢ, s), as in section 3.1 of the paper, so as much as there are
    documents. Raises `UnknownName` for a name that stands for no evaluator, and for a `language` that none is bundled
    for, `ModelNotFound` for a folder with files missing.
    """

    name = "learned"
    range = (0.0, 1.0)
    needs_references = False

    def __init__(self, *, language: str | None = None, model: str = "bundled") -> None:
        self._evaluators = Evaluators(model, language=language)

    def signature(self) -> str:
        release = f":rewrite-rerank-{version()}" if self._evaluators.bundled else ""
        return f"learned:1:{self._evaluators.signature()}{release}"

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row. Raises `BadInput` for a blank source or text, or a language that no evaluator knows."""
        pairs = [(number, document) for number, row in enumerate(rows) for document in row.documents or (row.source,)]
        by_evaluator: defaultdict[Evaluator, list[int]] = defaultdict(list)
        chosen = [self._for_row(number, row) for number, row in enumerate(rows, 1)]
        for place, (number, _) in enumerate(pairs):
            by_evaluator[chosen[number]].append(place)
        told: dict[int, Judged] = {}
        for evaluator, places in by_evaluator.items():
            values = evaluator.judge([(pairs[place][1], rows[pairs[place][0]].text) for place in places])
            told |= {place: _judged(evaluator, own) for place, own in zip(places, values, strict=True)}
        found: list[list[Judged]] = [[] for _ in rows]
        for place, (number, _) in enumerate(pairs):
            found[number].append(told[place])
        return [own[0] if len(own) == 1 else summed(own) for own in found]

    def _for_row(self, number: int, row: Row) -> Evaluator:
        """One evaluator for all documents of a row: what different ones say cannot be added."""
        named = [("text", row.text), ("source", row.source)]
        named += [(f"document {place} of the source", one) for place, one in enumerate(row.documents, 1)]
        for what, given in named:
            if not given.strip():
                raise BadInput(f"Row {number}: the {what} is empty.", hint="Leave it out, or give its text.")
        try:
            return self._evaluators.of(row.source, "summaries" if len(row.documents) > 1 else task_of(row.source))
        except UnknownName as error:
            raise BadInput(f"Row {number}: {error.message}", hint=error.hint) from error


def summed(judged: Sequence[Judged]) -> Judged:
    """The sum of what is said of a text for several documents, of the components as well."""
    names = judged[0].components if judged else ()
    return Judged(
        sum(one.score for one in judged), {name: sum(one.components[name] for one in judged) for name in names}
    )


def _judged(evaluator: Evaluator, values: FloatArray) -> Judged:
    components: Mapping[str, float] = dict(zip(evaluator.outputs, map(float, values), strict=True))
    return Judged(components.get(_MAIN, next(iter(components.values()))), components)
