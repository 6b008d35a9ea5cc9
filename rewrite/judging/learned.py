"""The metric `learned`: the evaluator of `rerank.evaluator`, without references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rerank.errors import BadInput, UnknownName
from rerank.evaluator.base import Evaluator
from rerank.evaluator.registry import Task, create_evaluator, task_of
from rerank.masked.words import guess_language
from rerank.types import FloatArray
from rewrite.judging.types import Judged, Row

__all__ = ["Learned", "summed"]

_MAIN = "quality"


class Learned:
    """f(d, s) of an evaluator taught by negative sampling, in [0, 1]; its outputs are the components.

    `model` is as in `rerank.evaluator.registry.create_evaluator`; with `bundled` a text of a source of five sentences
    or more is judged as a summary, another as a rewrite. The score is `quality`, or the first output of an evaluator
    without it. Of a source longer than the evaluator's window the beginning is read, and of the rest which of the
    text's words it has. The score of a row of several documents is Σᵢ f(dᵢ, s), as in section 3.1 of the paper, so as
    much as there are documents.
    """

    name = "learned"
    range = (0.0, 1.0)
    needs_references = False

    def __init__(self, *, language: str | None = None, model: str = "bundled") -> None:
        self._spec, self._language = model, language
        self._loaded: dict[tuple[str, Task], Evaluator] = {}

    def signature(self) -> str:
        if self._spec.startswith("bundled"):
            return f"learned:1:{self._spec}:{self._language or 'guessed'}"
        return f"learned:1:{self._of('').signature()}"

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row. Raises `BadInput` for a blank source or text, or a language that no evaluator knows."""
        pairs = [(number, document) for number, row in enumerate(rows) for document in row.documents or (row.source,)]
        by_evaluator: defaultdict[Evaluator, list[int]] = defaultdict(list)
        for place, (number, document) in enumerate(pairs):
            by_evaluator[self._for_row(number + 1, document, rows[number].text)].append(place)
        told: dict[int, Judged] = {}
        for evaluator, places in by_evaluator.items():
            values = evaluator.judge([(pairs[place][1], rows[pairs[place][0]].text) for place in places])
            told |= {place: _judged(evaluator, own) for place, own in zip(places, values, strict=True)}
        found: list[list[Judged]] = [[] for _ in rows]
        for place, (number, _) in enumerate(pairs):
            found[number].append(told[place])
        return [own[0] if len(own) == 1 else summed(own) for own in found]

    def _for_row(self, number: int, source: str, text: str) -> Evaluator:
        for what, given in (("source", source), ("text", text)):
            if not given.strip():
                raise BadInput(f"Row {number}: the {what} is blank.", hint="Leave the row out, or give both.")
        try:
            return self._of(source)
        except UnknownName as error:
            raise BadInput(f"Row {number}: {error.message}", hint=error.hint) from error

    def _of(self, source: str) -> Evaluator:
        """The evaluator of a source: by its language and length where `bundled` was asked for, else always the same."""
        if self._spec != "bundled":
            return self._load(self._language or "en", "rewrites")
        return self._load(self._language or guess_language(source), task_of(source))

    def _load(self, language: str, task: Task) -> Evaluator:
        if (language, task) not in self._loaded:
            self._loaded[language, task] = create_evaluator(self._spec, language=language, task=task)
        return self._loaded[language, task]


def summed(judged: Sequence[Judged]) -> Judged:
    """The sum of what is said of a text for several documents, of the components as well."""
    names = judged[0].components if judged else ()
    return Judged(
        sum(one.score for one in judged), {name: sum(one.components[name] for one in judged) for name in names}
    )


def _judged(evaluator: Evaluator, values: FloatArray) -> Judged:
    components: Mapping[str, float] = dict(zip(evaluator.outputs, map(float, values), strict=True))
    return Judged(components.get(_MAIN, next(iter(components.values()))), components)
