"""The splits of one sentence: two sentences, then those split again while more are wanted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rerank.english import EnglishAnalyzer
from rerank.structure import sentence_words
from rerank.types import Candidate
from rewrite.forest import TreeAcceptance
from rewrite.generators.base import Sampling
from rewrite.splitting.acceptance import acceptance_signature, load_acceptance, split_features
from rewrite.splitting.likelihood import LikelihoodJudge
from rewrite.splitting.model import SplitModel
from rewrite.splitting.openers import opening
from rewrite.splitting.parsed_words import Words, read_words
from rewrite.splitting.refusals import refused
from rewrite.splitting.split import Split, render
from rewrite.splitting.wholeness import SentenceJudge

_BATCH = 64
_BEAM = 4
_READ = 16
"""The likeliest different splits of a sentence, which are judged."""
_LEAST = 0.02
"""The chance below which a split is not worth a candidate."""
_LONGEST = 20
"""Words of a sentence that is split further where nobody has said how long one may be."""
_ROUNDS = 60
_RISKY = -math.log(0.2)
"""Nats of risk from which on sentences as short as was asked for are no better than longer ones."""


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
    """A split: its log-probability, the two sentences, −log of the chance that it passes, and what was done."""

    logprob: float
    pair: tuple[str, str]
    risk: float
    edits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Partial:
    """Sentences so far, with the sum of the network's log-probabilities, the risk of the worst cut, and the steps."""

    parts: tuple[str, ...]
    logprob: float
    risk: float
    edits: tuple[str, ...]
    closed: frozenset[str] = frozenset()

    @property
    def worth(self) -> tuple[float, float]:
        """What goes first in a beam: the surest, of those that are as sure the likeliest."""
        return -self.risk, self.logprob / max(1, len(self.parts) - 1)


class SplitGenerator:
    """The splits that a small model finds, each sentence of a candidate on a line; work is batched over all sources.

    `wanted` is how many sentences, and how long; `second` judges the splits once more. `whole` and `acceptance` replace
    the bundled judges of sentences and of splits. No model is loaded before the first source.
    """

    def __init__(
        self,
        model: SplitModel,
        analyzer: EnglishAnalyzer,
        wanted: Wanted,
        second: LikelihoodJudge | None = None,
        *,
        whole: SentenceJudge | None = None,
        acceptance: TreeAcceptance | None = None,
    ) -> None:
        self._model, self._analyzer, self._wanted, self._second = model, analyzer, wanted, second
        self._whole, self._given = whole or SentenceJudge(), acceptance

    @property
    def name(self) -> str:
        return "splitter" if self._second is None else "splitter-lm"

    def describe(self) -> Mapping[str, object]:
        """The models at work."""
        return {
            "model": self._model.signature(),
            "parser": self._analyzer.signature,
            "judge": f"{acceptance_signature()}+{self._whole.signature()}",
            **(self._second.describe() if self._second else {}),
        }

    @cached_property
    def _acceptance(self) -> TreeAcceptance:
        return self._given or load_acceptance()

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """See `Generator.generate`; only `sampling.n` matters. The best candidate comes first."""
        n = sampling.n
        steps = self._steps(sources, n)
        pools: list[dict[tuple[str, ...], _Partial]] = [{} for _ in sources]
        beams: list[list[_Partial]] = [[_Partial((source,), 0.0, 0.0, ())] for source in sources]
        for _ in range(_ROUNDS):
            next_parts = {
                (i, partial): self._next(partial)
                for i, beam in enumerate(beams)
                for partial in beam
                if not self._fulfils(partial)
            }
            if not next_parts:
                break
            steps |= self._steps([part for part in dict.fromkeys(next_parts.values()) if part and part not in steps], n)
            beams = [[] for _ in sources]
            for (i, partial), part in next_parts.items():
                grown = list(self._grown(partial, part, steps[part][0])) if part else []
                for new in grown:
                    kept = pools[i].get(new.parts)
                    if kept is None or kept.worth < new.worth:
                        pools[i][new.parts] = new
                beams[i] += grown or ([replace(partial, closed=partial.closed | {part})] if part else [])
            beams = [sorted(beam, key=lambda partial: partial.worth, reverse=True)[:_BEAM] for beam in beams]
        return [
            self._candidates(list(pool.values()), steps[text][1], n) for text, pool in zip(sources, pools, strict=True)
        ]

    def _next(self, partial: _Partial) -> str:
        """The sentence to split next: the longest that can still be; empty where there is none."""
        left = [part for part in partial.parts if part not in partial.closed]
        if len(partial.parts) >= self._wanted.target:
            left = [part for part in left if sum(sentence_words(part)) > self._wanted.longest]
        return max(left, key=lambda part: sum(sentence_words(part)), default="")

    def _grown(self, partial: _Partial, part: str, steps: Sequence[_Step]) -> Iterator[_Partial]:
        place = partial.parts.index(part)
        for step in steps:
            yield _Partial(
                (*partial.parts[:place], *step.pair, *partial.parts[place + 1 :]),
                partial.logprob + step.logprob,
                max(partial.risk, step.risk),
                (*partial.edits, *step.edits),
                partial.closed,
            )

    def _steps(self, texts: Sequence[str], n: int) -> dict[str, tuple[list[_Step], float]]:
        """For each sentence its splits, the surest first, and the log-probability of none."""
        by_text: dict[str, tuple[list[_Step], float]] = {}
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            parsed = read_words(batch, self._analyzer)
            proposed = self._model.propose(parsed)
            offered = [distinct(words, splits) for words, (splits, _) in zip(parsed, proposed, strict=True)]
            # One call for all of them, which the judge remembers.
            self._whole.probabilities([text for pairs in offered for pair in pairs for text in pair])
            chances = [
                self._chances(words, pairs, none)
                for words, pairs, (_, none) in zip(parsed, offered, proposed, strict=True)
            ]
            if self._second:
                chances = self._second.judged(list(zip(batch, chances, strict=True)))
            for text, words, pairs, (_, none), chance in zip(batch, parsed, offered, proposed, chances, strict=True):
                steps = [
                    _Step(split.logprob, pair, -math.log(chance[pair]), edits_of(words, split))
                    for pair, split in pairs.items()
                    if chance[pair] >= _LEAST
                ]
                by_text[text] = sorted(steps, key=lambda step: step.risk)[:n], none
        return by_text

    def _chances(
        self, words: Words, offered: Mapping[tuple[str, str], Split], none: float
    ) -> dict[tuple[str, str], float]:
        """The chance that each split on offer passes."""
        features = split_features(words, list(offered.values()), list(offered), none, self._whole.probabilities)
        return dict(zip(offered, self._acceptance.predict(features).tolist(), strict=True))

    def _candidates(self, pool: list[_Partial], source_logprob: float, n: int) -> list[Candidate]:
        ranked = sorted(pool, key=lambda partial: (self._fulfils(partial), partial.worth), reverse=True)
        best = ranked[:n]
        least = min((partial.risk for partial in ranked if self._fulfils(partial)), default=0.0)
        if self._wanted.max_words is None or least >= _RISKY:
            # Where all of them are bad, one split fewer may be better.
            rest = [partial for partial in ranked if not self._fulfils(partial)][: n // 2]
            best = [*[partial for partial in ranked if partial not in rest][: n - len(rest)], *rest]
        return [
            Candidate(
                "\n".join(partial.parts),
                generator=self.name,
                logprob=partial.logprob,
                tokens=len(partial.parts) - 1,
                edits=partial.edits,
                risk=partial.risk,
                source_logprob=source_logprob,
                source_tokens=1,
            )
            for partial in best
        ]

    def _fulfils(self, partial: _Partial) -> bool:
        return not self._wanted.more(partial.parts)


def distinct(words: Words, splits: Sequence[Split]) -> dict[tuple[str, str], Split]:
    """The likeliest splits on offer by the two sentences they make; `splits` come by falling log-probability."""
    by_pair: dict[tuple[str, str], Split] = {}
    for split in splits:
        pair = None if refused(words, split) else render(words, split)
        if pair is not None:
            by_pair.setdefault(pair, split)
        if len(by_pair) == _READ:
            break
    return by_pair


def edits_of(words: Words, split: Split) -> tuple[str, ...]:
    """The steps of a split, such as `cut at “he served …”`, `dropped “and”`, `began with “he”`."""
    place = words.join(range(split.kept, min(split.kept + 2, split.stop)))
    where = "cut at" if split.stop == words.end else "took out"
    steps = [f"{where} “{place} …”"]
    dropped = words.join([n for n in range(split.start, split.kept) if not words[n].is_mark])
    lead = words.join(range(split.lead))
    gone = words.join([n for n in split.gone if not words[n].is_mark])
    if gone:
        steps.append(f"dropped “{gone}”")
    if lead:
        steps.append(f"dropped “{lead}”")
    if dropped:
        steps.append(f"dropped “{dropped}”")
    begun = opening(words, split.opener, split.antecedent, split.verb)
    if begun is not None and begun:
        steps.append(f"began with “{' '.join(begun)}”")
    return tuple(steps)
