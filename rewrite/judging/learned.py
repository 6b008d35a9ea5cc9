"""The metric `learned`: the evaluator of `rerank.evaluator`, without references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rerank.errors import BadInput
from rerank.evaluator.base import Evaluator
from rerank.evaluator.registry import Task, create_evaluator, task_of
from rerank.masked.words import guess_language
from rerank.types import FloatArray
from rewrite.judging.types import Judged, Row

__all__ = ["Learned", "summed"]

_MAIN = "quality"


class Learned:
    """f(d, s) of an evaluator taught by negative sampling, in [0, 1]; its outputs are the components.

    `evaluator` is as in `rerank.evaluator.registry.create_evaluator`; with `bundled` a text of a source of five
    sentences or more is judged as a summary, another as a rewrite. The score is `quality`, or the first output of an
    evaluator without it. A source longer than the evaluator's window counts with its beginning.
    """

    name = "learned"
    range = (0.0, 1.0)
    needs_references = False

    def __init__(self, *, language: str | None = None, evaluator: str = "bundled") -> None:
        self._spec, self._language = evaluator, language
        self._loaded: dict[tuple[str, Task], Evaluator] = {}

    def signature(self) -> str:
        if self._spec.startswith("bundled"):
            return f"learned:1:{self._spec}:{self._language or 'guessed'}"
        return f"learned:1:{self._of('').signature()}"

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row. Raises `BadInput` for a blank source or text, `UnknownName` for a language without one."""
        by_evaluator: defaultdict[Evaluator, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            _require_both(row, number + 1)
            by_evaluator[self._of(row.source)].append(number)
        found: dict[int, Judged] = {}
        for evaluator, numbers in by_evaluator.items():
            values = evaluator.judge([(rows[n].source, rows[n].text) for n in numbers])
            found |= {n: _judged(evaluator, own) for n, own in zip(numbers, values, strict=True)}
        return [found[number] for number in range(len(rows))]

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
    """The score of a text for several documents, Σᵢ f(dᵢ, s) as in section 3.1 of the paper, of those for each."""
    names = judged[0].components if judged else ()
    return Judged(
        sum(one.score for one in judged), {name: sum(one.components[name] for one in judged) for name in names}
    )


def _judged(evaluator: Evaluator, values: FloatArray) -> Judged:
    components: Mapping[str, float] = dict(zip(evaluator.outputs, map(float, values), strict=True))
    return Judged(components.get(_MAIN, next(iter(components.values()))), components)


def _require_both(row: Row, number: int) -> None:
    for what, text in (("source", row.source), ("text", row.text)):
        if not text.strip():
            raise BadInput(f"Row {number}: the {what} is blank.", hint="Leave the row out, or give both.")
