"""Candidates of many sentences: drawn, told apart by what may be used, and, with `--n auto`, drawn in rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rerank.types import Candidate
from rewrite.generators.base import Generator, Sampling, generate_all
from rewrite.generators.replay import EVERYTHING
from rewrite.layout import one_line
from rewrite.request import DrawingOptions, TaskOptions

# Draws of each round; their sum is the most that is drawn.
ROUNDS = (8, 4, 4, 4, 5, 5)
# One in four by the formula; chosen on 80 sources of RSSE dev (60–139) and a small model, so that about half of the
# draws are saved.
TOLERANCE = 0.25


@dataclass(frozen=True, slots=True)
class Draws:
    """What is known of one source's draws: how many were made, how many distinct texts that may be chosen they brought
    (`usable`), and how many of these were drawn just once (`singles`)."""

    drawn: int
    usable: int
    singles: int


def settled(draws: Draws, next_round: int) -> bool:
    """Whether `next_round` more draws are unlikely to change the winner."""
    return change_probability(draws, next_round) < TOLERANCE


def change_probability(draws: Draws, next_round: int) -> float:
    """The probability that `next_round` more draws bring a text better than all so far; 1 before the first draw.

    m / (k + m), with k usable texts so far and m = next_round · (s + 1) / (N + 1) new ones to come, s of the k having
    been seen once in N draws. With nothing usable so far k is taken to be 1, or a source that has only bad texts would
    be drawn for to the end.
    """
    if not draws.drawn:
        return 1.0
    new = next_round * min(1.0, (draws.singles + 1) / (draws.drawn + 1))
    return new / (max(1, draws.usable) + new)


# What a round is judged by.
Judge = Callable[[Sequence["Drawing"]], Sequence[Draws]]
# Whether so many more draws would hardly help.
Stop = Callable[[Draws, int], bool]


@dataclass(frozen=True, slots=True)
class Drawing:
    """What was drawn for one source: `candidates` to choose from, what cleaning `dropped`, and why any is missing."""

    source: str
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Candidate, ...] = ()
    error: str = ""

    @property
    def drawn(self) -> int:
        """How many samples were drawn, alike ones and dropped ones among them."""
        return sum(candidate.count for candidate in (*self.candidates, *self.dropped))

    def with_(self, other: Drawing) -> Drawing:
        """This and a later round of the same source."""
        later, dropped_later = self._after(other.candidates), self._after(other.dropped)
        dropped = _merged((*self.dropped, *dropped_later), lambda c: (c.text, c.dropped))
        candidates = _merged((*self.candidates, *later), lambda c: c.text)
        return Drawing(self.source, tuple(candidates), tuple(dropped), self.error or other.error)

    def _after(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Numbers of their draws counted on from those made so far."""
        return [c if c.first is None else replace(c, first=c.first + self.drawn) for c in candidates]

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


def sampling_of(options: TaskOptions) -> Sampling:
    """How `options` say that candidates are drawn; where `n` is auto, one at a time (`draw_in_rounds` knows how many).

    Without a temperature it is each generator's own, if it has one, else 1.
    """
    if not isinstance(options, DrawingOptions):
        return Sampling(n=EVERYTHING)
    return Sampling(
        n=1 if options.n == "auto" else options.n,
        seed=options.seed,
        temperature=1.0 if options.temperature is None else options.temperature,
        own_temperature=options.temperature is None,
        top_p=options.top_p,
        top_k=options.top_k,
        max_tokens=options.max_tokens,
    )


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


def draw_in_rounds(
    generator: Generator,
    sources: Sequence[str],
    sampling: Sampling,
    judge: Judge,
    *,
    form: Callable[[str], str] = one_line,
    stop: Stop = settled,
) -> list[Drawing]:
    """As `draw`, in rounds: a source is out once another round would hardly change its winner (`rewrite.drawing`)."""
    drawings = draw(generator, sources, _round(sampling, 0), form)
    going = list(range(len(drawings)))
    for number, n in enumerate(ROUNDS[1:], start=1):
        going = [i for i in going if not drawings[i].error]
        counts = judge([drawings[i] for i in going])
        going = [i for i, found in zip(going, counts, strict=True) if not stop(found, n)]
        more = draw(generator, [drawings[i].source for i in going], _round(sampling, number), form)
        for i, drawing in zip(going, more, strict=True):
            drawings[i] = drawings[i].with_(drawing)
    return drawings


def distinct(source: str, candidates: Iterable[Candidate], form: Callable[[str], str] = one_line) -> list[Candidate]:
    """Candidates in that `form`, the same text once with its counts added up; without empty ones and the source."""
    lines = (replace(candidate, text=form(candidate.text)) for candidate in candidates)
    return _merged((c for c in lines if c.text and c.text != source), lambda c: c.text)


def _merged(candidates: Iterable[Candidate], key: Callable[[Candidate], object]) -> list[Candidate]:
    found: dict[object, Candidate] = {}
    for candidate in candidates:
        before = found.get(key(candidate))
        merged = candidate if before is None else replace(before, count=before.count + candidate.count)
        found[key(candidate)] = merged
    return list(found.values())


def _round(sampling: Sampling, number: int) -> Sampling:
    # A round is a draw of its own: with the same seed it would bring the same texts again.
    return replace(sampling, n=ROUNDS[number], seed=(sampling.seed + 0x9E3779B1 * number) % (1 << 63))
