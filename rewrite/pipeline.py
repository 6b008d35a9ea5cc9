"""Request → sentences → candidates → guard → score table → choice, for every task (`rewrite.task`).

A pipeline holds the models; it is built once and run over many texts. Work is batched over all sentences of a call:
the generator, the guards and the scorers each see them together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial

from rerank.analysis import LAYERS, Analyzer
from rerank.likelihood import Fluency
from rerank.rank import CANDIDATES, TEXTS_AT_ONCE, score_tables, signature, spans
from rerank.scorer import Context, Limited, Scorer
from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights
from rewrite.across.surroundings import Surroundings, check_lists
from rewrite.candidates import TextPool, batches, checked_pools, require_texts
from rewrite.drawing import Drawing, distinct, draw, sampling_of
from rewrite.errors import BadInput, BadOption, OtherLanguage, RewriteError, UnknownName
from rewrite.generators import Engines, Generator, create_generator
from rewrite.generators.replay import Recorder
from rewrite.layout import Layout
from rewrite.request import Options
from rewrite.requested_scorers import plugged
from rewrite.result import Result, SentenceResult, choose
from rewrite.task import Bench, Guard, Pool, Task, keeping, objections, preset_of, task_of
from rewrite.task_options import TaskOptions
from rewrite.unused import refuse_unused

__all__ = ["Pipeline", "Pool"]


class Pipeline:
    """Rewrites texts as `options` say, in the task whose options they are.

    Parts given by keyword replace the default ones.

    Nothing heavy is loaded before the first text, or `load`. Raises `BadWeights`, `BadOption` (for one that nothing
    takes) and `UnknownName` at once.
    """

    def __init__(
        self,
        options: TaskOptions | None = None,
        *,
        analyzer: Analyzer | None = None,
        generator: Generator | None = None,
        scorers: Sequence[Scorer] | None = None,
        bench: Callable[[str], Bench] | None = None,
        engines: Engines | None = None,
    ) -> None:
        if not isinstance(options, (TaskOptions, type(None))):
            raise BadOption(f"{options!r:.60} are no options.", hint='Write Pipeline(Options(preset="simple")).')
        self.options = o = options or Options()
        self.task: Task = task_of(o)
        self._given, self._engines = generator, engines
        check_lists(o)
        if generator is None:
            refuse_unused(o)
        preset = preset_of(o.chosen_preset, self.task.presets)
        asked = Weights.named(preset, o.weights)
        known = (self.task.on_request, *self.task.presets.values())
        self.scorers = tuple(scorers or (*self.task.scorers(o, asked), *plugged(asked.difference(*known))))
        self._also = () if scorers else self.task.on_request
        self._refuse_wrong_weights()
        self._generators: dict[str, Generator] = {}
        self._make_bench = bench or (lambda language: self.task.bench(o, language, analyzer))
        self._benches: dict[str, Bench] = {}
        self._signatures: dict[tuple[str, bool], str] = {}
        if len(self.task.languages) == 1:
            # So is a model that is not there.
            self.bench(self._language)
        self.recorder = self._record(o.record) if o.record else None

    def like(self, options: TaskOptions) -> Pipeline:
        """The same models under other options of the task: in what only drawing and choosing read, they may differ.

        That is how many are drawn and from what (`Sampling`), words to keep, and weights of the components that are
        measured. Nothing is loaded again. Raises `BadWeights`.
        """
        other = copy(self)
        other.options, other._signatures = options, {}
        other._refuse_wrong_weights()
        return other

    def _refuse_wrong_weights(self) -> None:
        """Wrong weights are told at once, not at the first text."""
        self._weights: dict[str, Weights] = {}
        for language in self.task.languages or (self._language,):
            self.weights_in(language)

    def _record(self, path: str) -> Recorder:
        # Before the work, so that a bad path does not cost an hour; after a model or a prompt that is not there, so
        # that these leave no empty file behind.
        if self.task.languages:
            self.generator_in(self._language).describe()
        return Recorder(path)

    def bench(self, language: str) -> Bench:
        """What works on texts in `language`, made on first use."""
        if language not in self._benches:
            self._benches[language] = self._make_bench(language)
        made = self._benches[language]
        return replace(made, facts=(*made.facts, *keeping(self.options, language)))

    def generator_in(self, language: str) -> Generator:
        """Where candidates in `language` come from, made on first use."""
        if language not in self._generators:
            bench, task = self.bench(language), self.task.asks
            self._generators[language] = self._given or create_generator(
                self.options,
                language,
                analyzer=bench.analyzer,
                task=task,
                makers=bench.makers,
                engines=self._engines,
            )
        return self._generators[language]

    def weights_in(self, language: str) -> Weights:
        """What candidates in `language` are chosen by."""
        if language not in self._weights:
            o = self.options
            chosen = o.model_copy(update={"lang": language}).chosen_preset
            self._weights[language] = Weights.resolve(
                [scorer.name for scorer in self.scorers],
                preset=preset_of(chosen, self.task.presets),
                control=getattr(o, "control", None),
                explicit=o.weights,
                presets=self.task.presets_in.get(language, self.task.presets),
                also=self._also,
            )
        return self._weights[language]

    @property
    def weights(self) -> Weights:
        """What candidates in the task's first language are chosen by."""
        return self.weights_in(self._language)

    @property
    def _language(self) -> str:
        """That of the texts, where somebody has said it, else the task's first one."""
        language, known = self.options.told_language or self.options.main_language, self.task.languages
        return language if language and (language in known or not known) else next(iter(known), "other")

    @property
    def analyzer(self) -> Analyzer:
        """What reads texts in the task's first language."""
        return self.bench(self._language).analyzer

    @property
    def settings(self) -> str:
        """Signature of everything behind a result but the weights, in the task's first language."""
        return self.settings_in(self._language)

    def settings_in(self, language: str, *, drawn: bool = True) -> str:
        """As `settings`, of texts in `language`; of candidates that nobody has drawn, without a generator."""
        known = self.task.languages
        language = known[0] if self.task.strange(language) else language
        bench = self.bench(language)
        if drawn and not known and language not in self._generators:  # every sentence was passed through
            return ""
        if (language, drawn) not in self._signatures:
            settings = self._options_for(bench).settings
            if drawn:
                try:
                    generator = self.generator_in(language)
                except OtherLanguage:  # every sentence was passed through
                    return ""
                settings = {"generator": generator.name, **settings, **generator.describe()}
            self._signatures[language, drawn] = signature(self.scorers, settings=settings, language=language)
        return self._signatures[language, drawn]

    def _options_for(self, bench: Bench) -> TaskOptions:
        """The options, with as many candidates as are drawn there where nobody has said how many."""
        said = bench.n is None or "n" in self.options.model_fields_set
        return self.options if said else self.options.model_copy(update={"n": bench.n})

    def load(self, *, draw: bool = True) -> None:
        """Load every model that forked processes can share; without `draw`, the generator's not."""
        recorder, self.recorder = self.recorder, None
        for language, (source, rewritten) in self.task.samples.items():
            known = Candidate(rewritten, logprob=-1.0, tokens=4, source_logprob=-1.0, source_tokens=4)
            if self.language_of(source) == language:
                _ = self.run([source]) if draw else self.rerank([(source, [known])])
        self.recorder = recorder

    def stream(self, texts: Iterable[str], batch: int = 32) -> Iterator[Result]:
        """As `run`, for texts of any number: `batch` of them are read and answered before the next."""
        for group in batches(texts, batch):
            yield from self.run(group)

    def run(self, texts: Iterable[str], *, connected: bool = False) -> list[Result]:
        """One result per text, in order. A text is a sentence or a paragraph; an empty one stays as it is.

        Sentences that nothing can be made of come back as they are, and their result says why. Each is chosen with a
        view to its neighbours in the text, `connected` also in the texts beside it, such as paragraphs of a document.
        """
        texts = require_texts(texts)
        languages = [self.language_of(text) for text in texts]
        layouts = [self.task.sentences(text, language) for text, language in zip(texts, languages, strict=True)]
        around = self._surroundings
        wordings = [around.worded(its.sentences, language) for its, language in zip(layouts, languages, strict=True)]
        outcomes: dict[tuple[str, str], SentenceResult] = {}
        for language in dict.fromkeys(languages):
            mine = (worded for worded, its in zip(wordings, languages, strict=True) if its == language)
            sentences = dict.fromkeys(wording.text for worded in mine for wording in worded)
            outcomes |= {(language, outcome.source): outcome for outcome in self.outcomes(language, list(sentences))}
        seen = around.seen(layouts, languages, wordings, outcomes, connected=connected)
        return list(map(self._result, texts, layouts, seen, languages))

    @property
    def _surroundings(self) -> Surroundings:
        return Surroundings(self.options, lambda language: self.bench(language).analyzer, self.weights_in)

    def outcomes(self, language: str, sentences: Sequence[str]) -> list[SentenceResult]:
        """What becomes of sentences in `language`, all different, in any order."""
        skipped = {s: reason for s in sentences if (reason := self.task.skip(s, language))}
        passed = [self._passed(s, language, skipped=reason) for s, reason in skipped.items()]
        fit = [sentence for sentence in sentences if sentence not in skipped]
        error = str(self.unusable(language) or "") if fit else ""
        if error:
            return [*passed, *(self._passed(s, language, error=error, other_language=True) for s in fit)]
        drawings = self._draw(language, fit) if fit else []
        pools = [(drawing.source, drawing.candidates) for drawing in drawings if not drawing.is_in_vain]
        chosen = {outcome.source: outcome for outcome in self._choose(pools, language)}
        nothing = partial(self._passed, language=language)
        return [*passed, *((chosen.get(d.source) or nothing(d.source)).with_drawing(d) for d in drawings)]

    def unusable(self, language: str) -> RewriteError | None:
        """Why nothing can be made of texts in `language`; `None` where something can.

        Raises that, `UnknownName` or `BadOption`, where all texts are said to be in it.
        """
        if reason := self.task.strange(language):
            return OtherLanguage(reason)
        try:
            self.generator_in(language)
        except (UnknownName, BadOption) as error:
            # Lines in a language that has no model or parser must not stop the others, unless all are said to be in it.
            one_of_several = not self.task.languages or isinstance(error, OtherLanguage)
            if not one_of_several or self.options.told_language is not None:
                raise
            return error
        return None

    def rerank(self, given: Iterable[TextPool]) -> list[Result]:
        """As `run`, for candidates from anywhere: `(source, candidates)` each. The source is taken as one sentence."""
        pools = self._checked(given)
        worded = [self._surroundings.pool(*pool, self.language_of(pool[0])) for pool in pools]
        pools = [(wording.text, candidates) for wording, candidates in worded]
        failed = self.failures(pools)
        distinct_pools = [(source, distinct(source, candidates, self.task.text)) for source, candidates in pools]
        chosen: dict[int, SentenceResult] = {}
        for language, places in self._by_language(pools, failed):
            chosen.update(zip(places, self._choose([distinct_pools[i] for i in places], language), strict=True))
        for i, error in failed.items():
            source, is_other = pools[i][0], isinstance(error, OtherLanguage)
            chosen[i] = self._passed(source, self.language_of(source), error=str(error), other_language=is_other)
        return [
            self._result(source, Layout((source,), ("", "")), (sentence,), sentence.language, drawn=False)
            for i, (source, _) in enumerate(given)
            for sentence in [chosen[i].of(source, worded[i][0])]
        ]

    def language_of(self, text: str) -> str:
        """What a text is taken to be in: told, or guessed."""
        return self.task.language(text, self.options)

    def _by_language(self, pools: Sequence[Pool], failed: Collection[int] = ()) -> Iterator[tuple[str, list[int]]]:
        """Each language with the places of the pools in it, those that `failed` left out.

        Raises `OtherLanguage` for one that the task does not know.
        """
        languages = {i: self.language_of(source) for i, (source, _) in enumerate(pools) if i not in failed}
        for language in dict.fromkeys(languages.values()):
            if reason := self.task.strange(language):
                raise OtherLanguage(reason)
            yield language, [i for i, its in languages.items() if its == language]

    def failures(self, pools: Sequence[Pool]) -> dict[int, RewriteError]:
        """Why some pools cannot be scored, by index.

        Their source is in a language that the task does not know (`OtherLanguage`), or a text in them is too long for a
        model that scores.
        """
        reasons = {i: self.task.strange(self.language_of(source)) for i, (source, _) in enumerate(pools)}
        texts = [(i, text) for i, (source, pool) in enumerate(pools) for text in (source, *(c.text for c in pool))]
        unfit = self._unfit([text for _, text in texts])
        too_long = {texts[place][0]: unfit[place] for place in sorted(unfit, reverse=True)}
        return {**too_long, **{i: OtherLanguage(reason) for i, reason in reasons.items() if reason}}

    def _unfit(self, texts: Sequence[str]) -> dict[int, RewriteError]:
        scorers = (scorer for scorer in self.scorers if isinstance(scorer, Limited))
        return {place: error for scorer in scorers for place, error in scorer.unfit(texts).items()}

    def score(self, given: Iterable[TextPool]) -> list[ScoreTable]:
        """The table of each pool, candidates as given: nothing is dropped, merged or reordered, facts are checked.

        Raises the error of a pool among `failures`.
        """
        pools = self._checked(given)
        tables: dict[int, ScoreTable] = {}
        for language, places in self._by_language(pools):
            bench = self.bench(language)
            tables.update(zip(places, self._tables([pools[i] for i in places], bench, bench.facts), strict=True))
        return [tables[i] for i in range(len(pools))]

    def _tables(self, pools: Sequence[Pool], bench: Bench, guards: Sequence[Guard]) -> list[ScoreTable]:
        """Guards first, then the scores, for so many pools at once as the analyser remembers the texts of."""
        layers = {*bench.layers, *(need for scorer in self.scorers for need in scorer.needs)}
        tables: list[ScoreTable] = []
        sizes = [len(candidates) + 1 for _, candidates in pools]
        for first, last in spans(sizes, min(TEXTS_AT_ONCE, bench.analyzer.cache_size)):
            group = pools[first:last]
            texts = (text for source, pool in group for text in (source, *(c.text for c in pool)))
            bench.analyzer.analyze(list(texts), [layer for layer in LAYERS if layer in layers])
            blocked = objections(group, guards)
            scored = score_tables(group, self.scorers, Context(bench.analyzer))
            tables += [replace(table, blocked=reasons) for table, reasons in zip(scored, blocked, strict=True)]
        return tables

    def _choose(self, pools: Sequence[Pool], language: str) -> list[SentenceResult]:
        """The choice from each pool."""
        if not pools:
            return []
        bench = self.bench(language)
        return [
            self.task.result.sentence_class(
                table.source,
                choices=choose(table, self.weights_in(language), options=self.options),
                table=table,
                language=language,
            )
            for table in self._tables(pools, bench, (*bench.facts, *bench.form))
        ]

    def _draw(self, language: str, sources: Sequence[str]) -> list[Drawing]:
        """The drawings of all sources, those first that could be drawn for."""
        self._check_drawn_fluency()
        sampling = sampling_of(self._options_for(self.bench(language)))
        failed = self._unfit(sources)
        fit = [source for i, source in enumerate(sources) if i not in failed]
        drawings = draw(self.generator_in(language), fit, sampling, self.task.text)
        if self.recorder is not None:
            for drawing in drawings:
                self.recorder.write(drawing.source, (*drawing.candidates, *drawing.dropped), drawing.error)
        measurable = (d.without(self._unfit([c.text for c in d.candidates])) for d in drawings)
        return [*measurable, *(Drawing(sources[i], error=str(e)) for i, e in failed.items())]

    @property
    def _fluency_is_the_generators(self) -> bool:
        return any(scorer.name == Fluency.name and CANDIDATES in scorer.needs for scorer in self.scorers)

    def _check_drawn_fluency(self) -> None:
        edits = self._given is None and any(spec.kind.gains for spec in self.options.specs)
        if edits and self._fluency_is_the_generators:
            # What they call a probability is comparable among themselves alone.
            raise BadOption(
                "The component 'fluency' has a weight, but edits do not say how probable a text is.",
                hint="Name a model that does: --fluency ct2:MODEL.",
            )

    def _checked(self, given: Iterable[TextPool]) -> list[Pool]:
        pools = checked_pools(given)
        needs_logprobs = self._fluency_is_the_generators and self.weights.get(Fluency.name)
        for source, candidates in pools if needs_logprobs else ():
            if candidates and all(candidate.logprob is None for candidate in candidates):
                raise BadInput(
                    f"fluency is weighted, but no candidate of {source[:60]!r} has a log-probability.",
                    hint="Name a language model to measure it, as in --fluency ct2:MODEL.",
                )
        return pools

    def _passed(
        self, source: str, language: str, *, skipped: str = "", error: str = "", other_language: bool = False
    ) -> SentenceResult:
        """A sentence that stands as it is, with the reason."""
        return self.task.result.sentence_class(
            source, skipped=skipped or error, error=error, language=language, other_language=other_language
        )

    def _result(
        self, text: str, layout: Layout, sentences: tuple[SentenceResult, ...], language: str, *, drawn: bool = True
    ) -> Result:
        return self.task.result(
            source=text,
            sentences=sentences,
            layout=layout,
            weights=self.weights_in(language),
            options=self.options,
            settings=self.settings_in(language, drawn=drawn),
            grade=self.bench(language).grade if language in self._benches else None,
        )
