"""Candidates sampled from a language model: prompt → engine → cleaning → distinct texts with their counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rerank.errors import RewriteError
from rerank.types import Candidate
from rewrite.acceptance.verdict import VerdictModel
from rewrite.cleaning import clean
from rewrite.controls import spread_for, spread_of
from rewrite.engines.base import Engine, Sample
from rewrite.generators.base import Sampling, SourcesFailed
from rewrite.prompting import Prompt, choose_prompt, fits, load_prompt, require_fit

_COPY = "copy of the source"
# A sample with the control values that it was drawn with, empty for a prompt without any.
_Controlled = tuple[str, Sample]
_Drawn = list[_Controlled] | RewriteError


class LanguageModelGenerator:
    """Draws rewrites from the model that `engine` runs.

    `prompt` is a prompt's name or file; without one it is chosen by the model (`rewrite.prompting.choose_prompt`).
    A `prompt` that does not fit this model, and fits one of those `beside` it, is meant for that one: then it is chosen
    by the model too.
    Samples that cleaning rejects come back too, with `Candidate.dropped`, so that nothing drawn is hidden; their counts
    and those of the others add up to `n`. A copy of the source tells how probable the model finds leaving it alone:
    its log-probability becomes the others' `source_logprob`. A model whose prompt has control values is asked for
    several kinds of rewrites of a source in turn (`rewrite.controls`), all with so many `sentences`, or with sentences
    of at most `max_words`, if that is given.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        prompt: str | Prompt | None = None,
        task: str = "simplify",
        language: str = "ru",
        beside: Sequence[Engine] = (),
        sentences: int | None = None,
        max_words: int | None = None,
        verdicts: VerdictModel | None = None,
    ) -> None:
        self.engine = engine
        self._verdicts = verdicts
        self._beside = tuple(beside)
        self._prompt = prompt
        self._task = task
        self._language = language
        self._lengths = {"sentences": sentences, "max_words": max_words}

    @property
    def name(self) -> str:
        return self.engine.name

    @cached_property
    def prompt(self) -> Prompt:
        """The prompt in use; choosing one reads the model's description."""
        if not self._prompt:
            return choose_prompt(self.engine.info, task=self._task, language=self._language)
        prompt = self._prompt if isinstance(self._prompt, Prompt) else load_prompt(self._prompt)
        info = self.engine.info
        if not fits(prompt, info) and any(fits(prompt, other.info) for other in self._beside):
            return choose_prompt(info, task=self._task, language=self._language, given=prompt)
        require_fit(prompt, info)
        return prompt

    @property
    def _temperature(self) -> float:
        # The one that the model was meant to be sampled at.
        return 1.0 if self.prompt.temperature is None else self.prompt.temperature

    def describe(self) -> Mapping[str, object]:
        """Model, engine and prompt."""
        spread = (
            {"controls": " ".join(controls.text for controls in spread_of(self._task))}
            if self.prompt.controlled
            else {}
        )
        verdicts = self._verdicts.describe() if self._verdicts else {}
        return {**self.engine.describe(), "prompt": self.prompt.signature(), **spread, **verdicts}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """See `Generator.generate`."""
        if not sources:
            return []
        sampling = replace(
            sampling,
            stop=(*self.prompt.stop, *sampling.stop),
            temperature=self._temperature if sampling.own_temperature else sampling.temperature,
        )
        drawn = self._drawn_by_controls(sources, sampling) if self.prompt.controlled else self._drawn(sources, sampling)
        errors = {i: outcome for i, outcome in enumerate(drawn) if isinstance(outcome, RewriteError)}
        candidates = [
            [] if isinstance(outcome, RewriteError) else self._candidates(source, outcome, sampling)
            for source, outcome in zip(sources, drawn, strict=True)
        ]
        if self._verdicts is not None:
            # Its weights are read again in a tenth of a second, and need not lie beside those that draw.
            self._verdicts.close()
        if errors:
            raise SourcesFailed(errors, candidates)
        return candidates

    def _drawn(self, sources: Sequence[str], sampling: Sampling) -> list[_Drawn]:
        drawn = self.engine.sample([self.prompt.render(source) for source in sources], sampling)
        return [
            outcome if isinstance(outcome, RewriteError) else [("", sample) for sample in outcome] for outcome in drawn
        ]

    def _drawn_by_controls(self, sources: Sequence[str], sampling: Sampling) -> list[_Drawn]:
        """The samples of each source, spread over its control values, with those of each."""
        spreads = [spread_for(source, task=self._task, **self._lengths)[: sampling.n] for source in sources]
        drawn: list[_Drawn] = [[] for _ in sources]
        # Sources with as many kinds of controls together: what one draws must not depend on what others need.
        for kinds in sorted({len(spread) for spread in spreads}):
            asked = [
                (i, controls.text) for i, spread in enumerate(spreads) if len(spread) == kinds for controls in spread
            ]
            each = replace(sampling, n=math.ceil(sampling.n / kinds))
            inputs = [replace(self.prompt.render(sources[i], controls), group=i) for i, controls in asked]
            for (i, controls), samples in zip(asked, self.engine.sample(inputs, each), strict=True):
                so_far = drawn[i]
                if isinstance(samples, RewriteError):
                    drawn[i] = samples
                elif not isinstance(so_far, RewriteError):
                    so_far += ((controls, sample) for sample in samples)
        return [outcome if isinstance(outcome, RewriteError) else _in_turn(outcome, sampling.n) for outcome in drawn]

    def close(self) -> None:
        """Free what the engines hold."""
        self.engine.close()
        if self._verdicts is not None:
            self._verdicts.close()

    def _judged(self, source: str, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates with the chance that a reader passes them.

        Without it stay those that cleaning rejected, or whose probability is not known: nobody asks about these.
        """
        if self._verdicts is None:
            return list(candidates)
        texts = [c.text for c in candidates if not c.dropped and c.logprob is not None]
        chances = dict(zip(texts, self._verdicts.chances(source, texts), strict=True))
        return [c if c.dropped else replace(c, certainty=chances.get(c.text)) for c in candidates]

    def _candidates(self, source: str, samples: Sequence[_Controlled], sampling: Sampling) -> list[Candidate]:
        distinct: dict[tuple[str, str], Candidate] = {}
        for number, (controls, sample) in enumerate(samples):
            candidate = replace(self._candidate(source, sample, sampling), first=number, controls=controls)
            key = candidate.text, candidate.dropped
            before = distinct.get(key)
            distinct[key] = candidate if before is None else _merged(before, candidate)
        copy = next((c for c in distinct.values() if c.dropped == _COPY), None)
        candidates = self._judged(source, list(distinct.values()))
        if copy is None:
            return candidates
        return [replace(c, source_logprob=copy.logprob, source_tokens=copy.tokens) for c in candidates]

    def _candidate(self, source: str, sample: Sample, sampling: Sampling) -> Candidate:
        cleaned = clean(
            sample.text,
            source,
            stop=sampling.stop,
            markers=self.prompt.markers,
            finish_reason=sample.finish_reason,
        )
        return Candidate(
            text=cleaned.text,
            generator=self.name,
            logprob=sample.logprob,
            tokens=sample.tokens,
            least_logprob=sample.least_logprob,
            seed=sampling.seed,
            finish_reason=sample.finish_reason,
            cleaned=cleaned.fired,
            dropped=cleaned.dropped,
        )


def _in_turn(samples: Sequence[_Controlled], n: int) -> list[_Controlled]:
    """The first `n` samples, taking one of each control values in turn."""
    queues: dict[str, list[_Controlled]] = {}
    for controls, sample in samples:
        queues.setdefault(controls, []).append((controls, sample))
    turns = itertools.zip_longest(*queues.values())
    return [controlled for turn in turns for controlled in turn if controlled is not None][:n]


def _merged(earlier: Candidate, later: Candidate) -> Candidate:
    """The same text drawn twice: the count of both, the figures of the more probable (raw texts may differ)."""
    better = max(earlier, later, key=lambda c: -float("inf") if c.logprob is None else c.logprob)
    return replace(better, count=earlier.count + later.count, first=earlier.first)
