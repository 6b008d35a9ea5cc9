"""Candidates of many sentences: drawn, each text once, and what was dropped beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from rerank.types import Candidate
from rewrite.errors import RewriteError, TextTooLong
from rewrite.generators.base import Generator, Sampling, generate_all
from rewrite.generators.replay import EVERYTHING
from rewrite.layout import one_line
from rewrite.task_options import TaskOptions


@dataclass(frozen=True, slots=True)
class Drawing:
    """What was drawn for one source: `candidates` to choose from, what cleaning `dropped`, and why any is missing."""

    source: str
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Candidate, ...] = ()
    error: str = ""

    def without(self, unfit: Mapping[int, RewriteError]) -> Drawing:
        """The drawing without the candidates that a model could not measure, by their places."""
        if not unfit:
            return self
        fit = tuple(candidate for i, candidate in enumerate(self.candidates) if i not in unfit)
        left_out = tuple(replace(self.candidates[i], dropped=_unmeasurable(unfit[i])) for i in sorted(unfit))
        return replace(self, candidates=fit, dropped=(*self.dropped, *left_out))

    @property
    def drawn(self) -> int:
        """How many samples were drawn, alike ones and dropped ones among them."""
        return sum(candidate.count for candidate in (*self.candidates, *self.dropped))

    @property
    def is_in_vain(self) -> bool:
        """Whether there is nothing to choose from, for want of what should have been drawn."""
        return bool(self.error) and not self.candidates

    @property
    def reasons(self) -> dict[str, int]:
        """How many draws were dropped for each reason, the commonest first."""
        counts: Counter[str] = Counter()
        for candidate in self.dropped:
            counts[candidate.dropped] += candidate.count
        return dict(counts.most_common())

    @property
    def repairs(self) -> dict[str, int]:
        """How many candidates each rule of cleaning repaired, the commonest first."""
        return dict(Counter(rule for c in self.candidates for rule in c.cleaned).most_common())


def _unmeasurable(error: RewriteError) -> str:
    return f"too long for the {'masked language model' if isinstance(error, TextTooLong) else 'model of --fluency'}"


def sampling_of(options: TaskOptions) -> Sampling:
    """How `options` say that candidates are drawn.

    Without a temperature it is each generator's own, if it has one, else 1. Where a task has no number of candidates,
    all that there are come.
    """
    values = {field.name: getattr(options, field.name, None) for field in fields(Sampling)}
    given = {name: value for name, value in values.items() if value is not None}
    return Sampling(**{"n": EVERYTHING, "own_temperature": "temperature" not in given, **given})


def draw(
    generator: Generator, sources: Sequence[str], sampling: Sampling, form: Callable[[str], str] = one_line
) -> list[Drawing]:
    """One drawing for each source, in order; `form` is applied to the texts to choose from."""
    if not sources:
        return []
    pools, errors = generate_all(generator, sources, sampling)
    return [
        Drawing(
            source=source,
            candidates=tuple(distinct(source, (c for c in pool if not c.dropped), form)),
            dropped=tuple(c for c in pool if c.dropped),
            error=str(errors[i]) if i in errors else "",
        )
        for i, (source, pool) in enumerate(zip(sources, pools, strict=True))
    ]


def distinct(source: str, candidates: Iterable[Candidate], form: Callable[[str], str] = one_line) -> list[Candidate]:
    """Candidates in that `form`, the same text once with its counts added up; without empty ones and the source."""
    by_text: dict[str, Candidate] = {}
    for candidate in candidates:
        text = form(candidate.text)
        if text and text != source:
            before = by_text.get(text)
            formed = replace(candidate, text=text)
            by_text[text] = formed if before is None else replace(before, count=before.count + candidate.count)
    return list(by_text.values())
