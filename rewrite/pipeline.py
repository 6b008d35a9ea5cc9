"""Request → sentences → candidates → fact guard → score table → choice.

A pipeline holds the models; it is built once and run over many texts. Work is batched over all sentences of a call:
the generator, the guard and the scorers each see them together.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.fluency import Fluency
from rerank.presets import PRESETS
from rerank.rank import score_tables
from rerank.scorer import Context, Limited, Scorer
from rerank.signature import signature
from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights, load_preset
from rerank.wellformed import LAYERS as FORM_LAYERS
from rerank.wellformed import WellFormedness
from rewrite.adaptive import Draws
from rewrite.drawing import Drawing, distinct, draw, draw_in_rounds, sampling_of
from rewrite.errors import BadInput, BadOption, RewriteError, TextTooLong
from rewrite.generators import Generator, create_generator, known_generators
from rewrite.generators.replay import EVERYTHING, Recorder, ReplayGenerator
from rewrite.layout import Layout, length_fault, skip_reason, split
from rewrite.request import Options
from rewrite.result import Result, SentenceResult
from rewrite.scorers import ON_REQUEST, chosen_scorers
from rewrite.selection import choose
from rewrite.specs import EDITS, is_language_model, parse_specs
from rewrite.unused import refuse_unused

__all__ = ["Pipeline", "Pool"]

Pool = tuple[str, Sequence[Candidate]]

# Texts are met again within one call at most: more would only take memory, some 20 kB each.
_REMEMBERED = 4_000
_SAMPLE = "Кошка, которую нашли дети, спала на старом диване."
_UNMEASURABLE = "too long for the model of --fluency"
_BEYOND_WINDOW = "too long for the masked language model"
_SAMPLE_REWRITE = "Кошка спала на диване."


class Pipeline:
    """Rewrites texts as `options` say. Parts given by keyword replace the default ones.

    Nothing heavy is loaded before the first text, or `load`. Raises `BadWeights`, `BadOption` (for one that nothing
    takes) and `UnknownName` at once.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        analyzer: Analyzer | None = None,
        generator: Generator | None = None,
        scorers: Sequence[Scorer] | None = None,
    ) -> None:
        self.options = options or Options()
        if generator is None:
            refuse_unused(self.options, known_generators())
        self.analyzer = analyzer or Analyzer(cache_size=_REMEMBERED)
        preset = _preset(self.options.chosen_preset)
        self.scorers = tuple(scorers or chosen_scorers(self.options, preset))
        self.weights = Weights.resolve(
            [scorer.name for scorer in self.scorers],
            preset=preset,
            control=self.options.control,
            explicit=self.options.weights,
            also=() if scorers else ON_REQUEST,
        )
        self._generator = generator
        self.recorder = self._record(self.options.record) if self.options.record else None

    def _record(self, path: str) -> Recorder:
        # Opening empties the file, so a model or a prompt that is not there has to be found out first; and it comes
        # before the work, so that a bad path does not cost an hour.
        self.generator.describe()
        return Recorder(path)

    @cached_property
    def generator(self) -> Generator:
        """Where candidates come from, created on first use."""
        if self._generator is not None:
            return self._generator
        o = self.options
        specs = parse_specs(o.generator, known_generators())
        if o.n == "auto" and len(specs) > 1 and any(spec.scheme == "replay" for spec in specs):
            raise BadOption(
                "--n auto with a recording beside other generators: a recording has no rounds.", hint="Give a number."
            )
        return create_generator(
            o.generator,
            analyzer=self.analyzer,
            prompt=o.prompt,
            engine=o.engine,
            base=o.base,
            sentences=o.sentences,
            max_words=o.max_words,
        )

    @cached_property
    def _guard(self) -> FactGuard:
        return FactGuard(self.analyzer, strict=self.options.strict, morphology=self.analyzer.morphology)

    @cached_property
    def _form(self) -> WellFormedness:
        return WellFormedness(self.analyzer.morphology)

    @cached_property
    def settings(self) -> str:
        """Signature of everything behind a result but the weights."""
        o = self.options
        settings: dict[str, object] = {"generator": self.generator.name, "n": o.n, "seed": o.seed, "strict": o.strict}
        settings |= {name: value for name in ("sentences", "max_words") if (value := getattr(o, name)) is not None}
        if is_language_model(o.generator):
            settings |= {name: getattr(o, name) for name in ("temperature", "top_p", "top_k", "max_tokens")}
        elif o.temperature is not None:
            settings["temperature"] = o.temperature
        return signature(self.scorers, settings={**settings, **self.generator.describe()})

    def load(self, *, draw: bool = True) -> None:
        """Load every model now, so that processes forked after this share them; without `draw`, the generator's not."""
        if not draw:
            known = Candidate(_SAMPLE_REWRITE, logprob=-1.0, tokens=4, source_logprob=-1.0, source_tokens=4)
            self.rerank([(_SAMPLE, [known])])
            return
        recorder, self.recorder = self.recorder, None
        self.run([_SAMPLE])
        self.recorder = recorder

    def run(self, texts: Sequence[str]) -> list[Result]:
        """One result per text, in order. A text is a sentence or a paragraph; an empty one stays as it is."""
        layouts = [split(text) for text in texts]
        skipped = {s: skip_reason(s) for layout in layouts for s in layout.sentences}
        drawings = self._draw([sentence for sentence, reason in skipped.items() if not reason])
        pools = [(drawing.source, drawing.candidates) for drawing in drawings if not _stands(drawing)]
        judged = {found.source: found for found in self._judge(pools)}
        done = {d.source: _with_drawing(judged.get(d.source) or SentenceResult(d.source), d) for d in drawings}
        done.update({s: SentenceResult(s, skipped=reason) for s, reason in skipped.items() if reason})
        return [
            self._result(text, layout, tuple(done[s] for s in layout.sentences))
            for text, layout in zip(texts, layouts, strict=True)
        ]

    def rerank(self, pools: Sequence[Pool]) -> list[Result]:
        """As `run`, for candidates from anywhere: `(source, candidates)` each. The source is taken as one sentence."""
        self._check_fluency(pools)
        failed = self.failures(pools)
        fit = [pool for i, pool in enumerate(pools) if i not in failed]
        found = iter(self._judge([(source, distinct(source, candidates)) for source, candidates in fit]))
        judged = [_failed(s, str(failed[i])) if i in failed else next(found) for i, (s, _) in enumerate(pools)]
        whole = [Layout(sentences=(source,), gaps=("", "")) for source, _ in pools]
        return [
            self._result(layout.sentences[0], layout, (sentence,))
            for layout, sentence in zip(whole, judged, strict=True)
        ]

    def failures(self, pools: Sequence[Pool]) -> dict[int, RewriteError]:
        """Why some pools cannot be scored, by index: a text in them is too long for a model that scores."""
        texts = [(i, text) for i, (source, pool) in enumerate(pools) for text in (source, *(c.text for c in pool))]
        unfit = self._unfit([text for _, text in texts])
        return {texts[place][0]: unfit[place] for place in sorted(unfit, reverse=True)}

    def _unfit(self, texts: Sequence[str]) -> dict[int, RewriteError]:
        scorers = (scorer for scorer in self.scorers if isinstance(scorer, Limited))
        return {place: error for scorer in scorers for place, error in scorer.unfit(texts).items()}

    def score(self, pools: Sequence[Pool]) -> list[ScoreTable]:
        """The table of each pool, candidates as given: nothing is dropped, merged or reordered, facts are checked.

        Raises the error of a pool among `failures`.
        """
        self._check_fluency(pools)
        tables = score_tables(pools, self.scorers, Context(self.analyzer))
        return [replace(table, blocked=tuple(b)) for table, b in zip(tables, self._guarded(pools), strict=True)]

    def _draw(self, sources: Sequence[str]) -> list[Drawing]:
        """The drawings of all sources, those first that could be drawn for."""
        o = self.options
        self._check_drawn_fluency()
        sampling = sampling_of(o)
        failed = self._unfit(sources)
        fit = [source for i, source in enumerate(sources) if i not in failed]
        if o.n == "auto" and isinstance(self.generator, ReplayGenerator):
            # What was drawn was drawn: all of it, so that a recording of rounds gives the same choice again.
            drawings = draw(self.generator, fit, replace(sampling, n=EVERYTHING))
        elif o.n == "auto":
            drawings = draw_in_rounds(self.generator, fit, sampling, self.count_usable)
        else:
            drawings = draw(self.generator, fit, sampling)
        if self.recorder is not None:
            for drawing in drawings:
                self.recorder.write(drawing.source, (*drawing.candidates, *drawing.dropped), drawing.error)
        return [*map(self._measurable, drawings), *(Drawing(sources[i], error=str(e)) for i, e in failed.items())]

    def count_usable(self, drawings: Sequence[Drawing]) -> list[Draws]:
        """How many candidates may be chosen by their facts and form, for `--n auto`; nothing is scored."""
        pools = [(drawing.source, drawing.candidates) for drawing in drawings]
        return [self._draws(d, blocked) for d, blocked in zip(drawings, self._guarded(pools), strict=True)]

    def _draws(self, drawing: Drawing, blocked: Sequence[str]) -> Draws:
        free = [candidate for candidate, reason in zip(drawing.candidates, blocked, strict=True) if not reason]
        faults = self._faults(drawing.source, free)
        usable = [candidate for candidate, fault in zip(free, faults, strict=True) if not fault]
        return Draws(drawing.drawn, len(usable), sum(candidate.count == 1 for candidate in usable))

    def _measurable(self, drawing: Drawing) -> Drawing:
        """The drawing without candidates that are too long for a model that scores."""
        unfit = self._unfit([candidate.text for candidate in drawing.candidates])
        if not unfit:
            return drawing
        fit = tuple(candidate for i, candidate in enumerate(drawing.candidates) if i not in unfit)
        left_out = tuple(replace(drawing.candidates[i], dropped=_unmeasurable(unfit[i])) for i in sorted(unfit))
        return replace(drawing, candidates=fit, dropped=(*drawing.dropped, *left_out))

    def checked(self, pools: Sequence[Pool]) -> list[ScoreTable]:
        """As `score`, with badly formed candidates blocked as well, as for a choice."""
        return [self._without_faults(table) for table in self.score(pools)]

    def _judge(self, pools: Sequence[Pool]) -> list[SentenceResult]:
        return [
            SentenceResult(table.source, choices=choose(table, self.weights, options=self.options), table=table)
            for table in self.checked(pools)
        ]

    def _check_drawn_fluency(self) -> None:
        o = self.options
        by_itself = not o.fluency and any(scorer.name == Fluency.name for scorer in self.scorers)
        if self._generator is None and by_itself and _has_edits(o.generator):
            # What they call a probability is comparable among themselves alone.
            raise BadOption(
                "The component 'fluency' has a weight, but edits do not say how probable a text is.",
                hint="Name a model that does: --fluency ct2:MODEL.",
            )

    def _check_fluency(self, pools: Sequence[Pool]) -> None:
        if self.options.fluency or not self.weights.get("fluency"):
            return
        for source, candidates in pools:
            if candidates and all(candidate.logprob is None for candidate in candidates):
                raise BadInput(
                    f"fluency is weighted, but no candidate of {source[:60]!r} has a log-probability.",
                    hint="Name a language model to measure it, as in --fluency ct2:MODEL.",
                )

    def _guarded(self, pools: Sequence[Pool]) -> list[list[str]]:
        """For each candidate the facts it changes, or what of `--sentences` and `--max-words` it misses, in words."""
        asked = {"sentences": self.options.sentences, "max_words": self.options.max_words}
        guarded = (self._guard.check_all(source, [c.text for c in candidates]) for source, candidates in pools)
        return [
            [
                "; ".join(v.message for v in violations) or length_fault(candidate.text, **asked)
                for candidate, violations in zip(candidates, group, strict=True)
            ]
            for (_, candidates), group in zip(pools, guarded, strict=True)
        ]

    def _faults(self, source: str, candidates: Sequence[Candidate]) -> tuple[str, ...]:
        parsed, *texts = self.analyzer.analyze([source, *(c.text for c in candidates)], FORM_LAYERS)
        return tuple("; ".join(problem.message for problem in self._form.check(parsed, text)) for text in texts)

    def _without_faults(self, table: ScoreTable) -> ScoreTable:
        """The table with badly formed candidates blocked as well, so that later choices need no parser."""
        faults = self._faults(table.source, table.candidates)
        return replace(table, blocked=tuple(a or b for a, b in zip(table.blocked, faults, strict=True)))

    def _result(self, text: str, layout: Layout, sentences: tuple[SentenceResult, ...]) -> Result:
        return Result(
            source=text,
            sentences=sentences,
            layout=layout,
            weights=self.weights,
            options=self.options,
            settings=self.settings,
        )


def _unmeasurable(error: RewriteError) -> str:
    return _BEYOND_WINDOW if isinstance(error, TextTooLong) else _UNMEASURABLE


def _failed(source: str, error: str) -> SentenceResult:
    return SentenceResult(source, skipped=error, error=error)


def _has_edits(generator: str) -> bool:
    return any(spec.scheme in EDITS for spec in parse_specs(generator, known_generators()))


def _stands(drawing: Drawing) -> bool:
    """Whether there is nothing to choose from, for want of what should have been drawn."""
    return bool(drawing.error) and not drawing.candidates


def _with_drawing(result: SentenceResult, drawing: Drawing) -> SentenceResult:
    reasons: Counter[str] = Counter()
    for candidate in drawing.dropped:
        reasons[candidate.dropped] += candidate.count
    repairs = Counter(rule for c in drawing.candidates for rule in c.cleaned)
    skipped = drawing.error if _stands(drawing) else ""
    return replace(
        result,
        choices=() if skipped else result.choices,
        skipped=skipped,
        drawn=drawing.drawn,
        dropped=dict(reasons.most_common()),
        cleaned=dict(repairs.most_common()),
        error=drawing.error,
    )


def _preset(name: str) -> str | Weights:
    """A preset's name as it is, or the weights of a preset file."""
    is_file = name not in PRESETS and (os.sep in name or name.endswith((".yaml", ".yml")) or os.path.exists(name))
    return load_preset(name)[1] if is_file else name
