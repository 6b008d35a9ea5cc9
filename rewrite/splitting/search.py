"""The splits of one sentence: two sentences, then those split again while more are wanted."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rerank.splits import sentence_words
from rerank.types import Candidate
from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsing import Parser
from rewrite.splitting.reports import told
from rewrite.splitting.rules import FORM, broken, refused, risk
from rewrite.splitting.split import Split, render
from rewrite.splitting.words import Words

__all__ = ["DOUBTFUL", "Search", "Wanted"]

DOUBTFUL = "doubtful: "
"""What begins the edit that names the rules of form which a cut breaks."""
_BEAM = 4
_LONGEST = 20
"""Words of a sentence that is split further where nobody has said how long one may be."""
_ROUNDS = 60
_RISKY = 3.0
"""Nats of risk from which on sentences as short as was asked for are no better than longer ones."""
_DOUBT = 1.0
"""What a nat of risk counts against one of probability, where candidates are held for the scorers to choose from."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many sentences, and how long they may be; `None` where nothing was said."""

    sentences: int | None = None
    max_words: int | None = None

    @property
    def target(self) -> int:
        """The sentences that are wanted of one, 2 where nothing was said."""
        return self.sentences or 2

    @property
    def longest(self) -> int:
        """Words that a sentence may have before it is split further."""
        if self.max_words is not None:
            return self.max_words
        return _LONGEST if self.sentences is None else 1_000_000

    def more(self, parts: Sequence[str]) -> bool:
        """Whether sentences `parts` are to be split further."""
        return len(parts) < self.target or max(sentence_words("\n".join(parts)), default=0) > self.longest


@dataclass(frozen=True, slots=True)
class _Step:
    """A permitted split of a sentence: its log-probability, the two sentences, its risk, and what was done in words."""

    logprob: float
    pair: tuple[str, str]
    risk: float
    edits: tuple[str, ...]

    @property
    def cost(self) -> float:
        return _DOUBT * self.risk - self.logprob


@dataclass(frozen=True, slots=True)
class _Partial:
    """Sentences so far, with the sum of the network's log-probabilities, the risk of the worst cut, and the steps."""

    parts: tuple[str, ...]
    logprob: float
    risk: float
    edits: tuple[str, ...]
    closed: frozenset[str] = frozenset()

    @property
    def worth(self) -> float:
        return self.logprob / max(1, len(self.parts) - 1) - _DOUBT * self.risk


class Search:
    """Splits sentences with a model; work is batched over all sentences of a call."""

    def __init__(self, model: SplitModel, parser: Parser, wanted: Wanted, n: int) -> None:
        self._model, self._parser, self._wanted, self._n = model, parser, wanted, n

    def run(self, sources: Sequence[str]) -> list[list[Candidate]]:
        """At most n candidates for each source, the best first; a candidate has its sentences a line each."""
        steps = self._steps(sources)
        found: list[dict[tuple[str, ...], _Partial]] = [{} for _ in sources]
        whole = [steps[source][1] for source in sources]
        beams: list[list[_Partial]] = [[_Partial((source,), 0.0, 0.0, ())] for source in sources]
        for _ in range(_ROUNDS):
            open_ = [(i, one) for i, beam in enumerate(beams) for one in beam if self._wanted.more(one.parts)]
            if not open_:
                break
            asked = {(i, one): self._next(one) for i, one in open_}
            steps |= self._steps(list(dict.fromkeys(part for part in asked.values() if part and part not in steps)))
            beams = [[] for _ in sources]
            for (i, one), part in asked.items():
                grown = list(self._grown(one, part, steps[part][0])) if part else []
                for new in grown:
                    kept = found[i].get(new.parts)
                    if kept is None or kept.worth < new.worth:
                        found[i][new.parts] = new
                beams[i] += grown or ([replace(one, closed=one.closed | {part})] if part else [])
            beams = [sorted(beam, key=lambda one: -one.worth)[:_BEAM] for beam in beams]
        return [self._candidates(list(pool.values()), own) for pool, own in zip(found, whole, strict=True)]

    def _next(self, one: _Partial) -> str:
        """The sentence to split next: the longest that can still be; empty where there is none."""
        left = [part for part in one.parts if part not in one.closed]
        if len(one.parts) >= self._wanted.target:
            left = [part for part in left if sum(sentence_words(part)) > self._wanted.longest]
        return max(left, key=lambda part: sum(sentence_words(part)), default="")

    def _grown(self, one: _Partial, part: str, steps: Sequence[_Step]) -> Iterator[_Partial]:
        place = one.parts.index(part)
        for step in steps:
            yield _Partial(
                (*one.parts[:place], *step.pair, *one.parts[place + 1 :]),
                one.logprob + step.logprob,
                max(one.risk, step.risk),
                (*one.edits, *step.edits),
                one.closed,
            )

    def _steps(self, texts: Sequence[str]) -> dict[str, tuple[list[_Step], float]]:
        """For each sentence its permitted splits, the best first, and the log-probability of none."""
        parsed = self._parser.parse(texts)
        proposed = self._model.propose(parsed)
        return {
            text: (self._permitted(words, splits), whole)
            for text, words, (splits, whole) in zip(texts, parsed, proposed, strict=True)
        }

    def _permitted(self, words: Words, splits: Sequence[Split]) -> list[_Step]:
        """The best n of the splits that no rule refuses; `splits` come by falling log-probability."""
        found: dict[tuple[str, str], _Step] = {}
        costs: list[float] = []
        for split in splits:
            if len(costs) >= self._n and -split.logprob >= costs[self._n - 1]:
                # Risk only adds to what a split costs, so none of those that are left is among the best.
                break
            if refused(words, split):
                continue
            pair = render(words, split)
            if pair is not None and pair not in found:
                faults = broken(words, split, FORM)
                step = _Step(split.logprob, pair, risk(faults), (*told(words, split), *_named(faults)))
                found[pair] = step
                insort(costs, step.cost)
        return sorted(found.values(), key=lambda one: one.cost)[: self._n]

    def _candidates(self, pool: list[_Partial], whole: float) -> list[Candidate]:
        ranked = sorted(pool, key=lambda one: (-self._fulfils(one), -one.worth))
        best = ranked[: self._n]
        least = min((one.risk for one in ranked if self._fulfils(one)), default=0.0)
        if self._wanted.max_words is None or least >= _RISKY:
            # Where all of them are bad, one split fewer may be better.
            rest = [one for one in ranked if not self._fulfils(one)][: self._n // 2]
            best = [*[one for one in ranked if one not in rest][: self._n - len(rest)], *rest]
        return [
            Candidate(
                "\n".join(one.parts),
                generator="splitter",
                logprob=one.logprob,
                tokens=len(one.parts) - 1,
                edits=one.edits,
                risk=one.risk,
                source_logprob=whole,
                source_tokens=1,
            )
            for one in best
        ]

    def _fulfils(self, one: _Partial) -> bool:
        return not self._wanted.more(one.parts)


def _named(faults: Sequence[str]) -> list[str]:
    return [f"{DOUBTFUL}{', '.join(faults)}"] if faults else []
