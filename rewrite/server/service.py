"""What the HTTP server can do, apart from HTTP: `request.app.state.service` of every router."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, TypeVar

import anyio.to_thread

from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights
from rewrite.errors import BadInput, BadWeights, OtherLanguage
from rewrite.layout import Layout
from rewrite.pipeline import Pipeline
from rewrite.result import SentenceResult
from rewrite.server import rendering, tasks
from rewrite.server.errors import Stopping, TimeOver, TooMuch
from rewrite.server.metrics import Metrics
from rewrite.server.pool import Pool
from rewrite.server.queue import FairQueue, Job
from rewrite.server.recall import Recall
from rewrite.server.schemas import (
    Event,
    ModelInfo,
    ReadabilityRequest,
    ReadabilityResponse,
    ResultEvent,
    ReweightRequest,
    ReweightResponse,
    RewriteRequest,
    RewriteResponse,
    RewriteResult,
    ScoreRequest,
    ScoreResponse,
    Sentence,
    SentenceEvent,
    StartedText,
    StartEvent,
    TaskInfo,
)
from rewrite.server.settings import Settings, TaskName
from rewrite.server.tables import score_table
from rewrite.task_options import TaskOptions
from rewrite.version import version

_log = logging.getLogger("rewrite.server")
_Made = TypeVar("_Made")
_Place = tuple[int, int]
_SHORT = 5_000


@dataclass(slots=True)
class _Text:
    """One text of a request on its way: what became of its sentences so far."""

    source: str
    language: str
    layout: Layout
    done: dict[int, SentenceResult] = field(default_factory=dict)
    settings: str = ""

    @property
    def is_done(self) -> bool:
        return len(self.done) == len(self.layout.sentences)


class Service:
    """Rewrites and scores for all routers, through one queue. Errors are those of `rewrite.errors` and of the server.

    `client` names who asks, for turns to be fair.
    """

    def __init__(self, settings: Settings, queue: FairQueue, pool: Pool, metrics: Metrics) -> None:
        self.settings, self.pool, self.metrics = settings, pool, metrics
        self._queue, self._recall = queue, Recall()
        self._stopping = False
        # It holds no model: it checks and chooses.
        self._pipeline = lru_cache(maxsize=64)(self._new_pipeline)

    def stop(self) -> None:
        """Take no new work from now on."""
        self._stopping = True

    async def rewrite(self, request: RewriteRequest, *, client: str) -> AsyncGenerator[Event, None]:
        """Events in order of completion: a start, then each sentence, and each text when its sentences are done."""
        deadline = time.monotonic() + self.settings.limits.seconds
        plan = await _aside(lambda: self._planned(request), size=_size(request.given))
        answers: asyncio.Queue[Job] = asyncio.Queue()
        jobs = {
            Job(tasks.kind_of("rewrite", request.task, plan.options, language), sentence, answers): places
            for (language, sentence), places in plan.places.items()
        }
        known = {job: outcome for job in jobs if (outcome := self._recall[job.kind, job.item]) is not None}
        self._put(client, [job for job in jobs if job not in known])
        for job, known_outcome in known.items():
            job.finish(known_outcome)
        left = len(jobs)
        try:
            yield StartEvent(
                version=version(),
                task=request.task,
                results=[
                    StartedText(
                        gaps=list(text.layout.gaps),
                        sentences=list(text.layout.sentences),
                        language=text.language,
                        weights=dict(plan.pipeline.weights_in(text.language)),
                        threshold=plan.options.source_share,
                    )
                    for text in plan.texts
                ],
            )
            for number, text in enumerate(plan.texts):
                if text.is_done:  # it has no sentence
                    yield await self._result(plan, number)
            while left:
                job = await self._answer(answers, deadline)
                left -= 1
                self._recall.keep((job.kind, job.item), job.outcome)
                shown, result = self._rendered(plan, job)
                await asyncio.sleep(0)  # what is known already would let nobody else have a turn
                for number, index in jobs[job]:
                    text = plan.texts[number]
                    text.done[index], text.settings = result, job.outcome[1]
                    yield SentenceEvent(result=number, index=index, sentence=shown)
                    if text.is_done:
                        yield await self._result(plan, number)
        finally:
            if left:
                self._queue.withdraw(jobs)

    async def rewrite_all(self, request: RewriteRequest, *, client: str) -> RewriteResponse:
        """The same, collected."""
        sentences: dict[_Place, Sentence] = {}
        heads: dict[int, ResultEvent] = {}
        async with aclosing(self.rewrite(request, client=client)) as events:
            async for event in events:
                if isinstance(event, SentenceEvent):
                    sentences[event.result, event.index] = event.sentence
                elif isinstance(event, ResultEvent):
                    heads[event.result] = event
        return RewriteResponse(
            version=version(),
            task=request.task,
            results=[
                RewriteResult.model_construct(
                    **{
                        name: getattr(heads[number], name) for name in RewriteResult.model_fields if name != "sentences"
                    },
                    sentences=[sentences[number, index] for index in range(len(heads[number].gaps) - 1)],
                )
                for number in sorted(heads)
            ],
        )

    async def score(self, request: ScoreRequest, *, client: str) -> ScoreResponse:
        """The table of candidates from anywhere, and the choice among them. Nothing is drawn."""
        limits = self.settings.limits
        if not request.source.strip():
            raise BadInput("The source is empty.", hint="Send the sentence that the candidates are rewrites of.")
        size = len(request.source) + sum(map(len, request.candidates))
        if len(request.candidates) > limits.candidates:
            raise TooMuch(f"There are {len(request.candidates):,} candidates: at most {limits.candidates:,} are taken.")
        given_options = {**request.options, "preset": request.preset, "control": request.control}
        options = tasks.score_options(request.task, given_options, request.weights, request.lang, self.settings)
        pipeline = Pipeline(options)
        language = pipeline.language_of(request.source)
        if reason := pipeline.task.strange(language):
            raise OtherLanguage(reason)
        form = pipeline.task.text
        pool = (request.source, [Candidate(form(text), generator="given") for text in request.candidates])
        answers: asyncio.Queue[Job] = asyncio.Queue()
        job = Job(tasks.kind_of("score", request.task, options, language), pool, answers)
        await self.work([job], answers, size=size, client=client)
        given, settings = job.outcome
        weights = pipeline.weights_in(language)

        def answer() -> ScoreResponse:
            table, rows = rendering.settled(given)
            self.metrics.table(request.task, table)
            shown = rendering.shown_table(table, options.source_share)
            choice = rendering.rechosen(table, weights, options.source_share, request.ui, digest=shown.digest)
            return ScoreResponse(
                version=version(),
                language=language,
                table=shown,
                rows=rows,
                scores=[choice.scores[row] for row in rows],
                choice=choice.choice,
                why=choice.why,
                signature=f"{settings}|{rendering.signed(weights)}",
            )

        return await _aside(answer, size=size)

    async def reweight(self, request: ReweightRequest) -> ReweightResponse:
        """Choices from tables of earlier answers; no model is asked."""

        self.check_count(len(request.tables), "tables")
        options = {name: value for name in ("preset", "control") if (value := getattr(request, name)) is not None}

        def choices() -> ReweightResponse:
            chosen = []
            for i, given in enumerate(request.tables):
                table = score_table(given, f"tables[{i}]")
                weights = self.weights_for(table, request.task, request.lang, options, request.weights or {})
                chosen.append(rendering.rechosen(table, weights, given.threshold, request.ui, digest=given.digest))
            return ReweightResponse(version=version(), choices=chosen)

        return await _aside(choices, size=_size([t.source * len(t.candidates) for t in request.tables]))

    def weights_for(
        self, table: ScoreTable, task: TaskName, lang: str | None, options: dict[str, Any], weights: dict[str, Any]
    ) -> Weights:
        """What a request with these options and weights would choose by from `table`. Raises `BadWeights`."""
        pipeline = self._pipeline(task, json.dumps([options, weights, lang]))
        chosen = pipeline.weights_in(pipeline.language_of(table.source))
        lacking = [name for name, weight in chosen.items() if weight and name not in table.components]
        if lacking:
            known = ", ".join(table.components)
            raise BadWeights(f"The table has no {', '.join(lacking)}: is it one of {task}?", hint=f"Known: {known}.")
        return Weights({name: chosen.get(name, 0.0) for name in table.components})

    async def readability(self, request: ReadabilityRequest) -> ReadabilityResponse:
        """How easy texts are to read."""
        self.check_count(len(request.texts), "texts")
        self.check_length(sum(map(len, request.texts)))
        options = tasks.read_options("simplify", {}, {}, request.lang, self.settings)
        measure = partial(rendering.text_ease, options=options)
        results = await _aside(lambda: list(map(measure, request.texts)), size=_size(request.texts))
        return ReadabilityResponse(version=version(), results=results)

    async def work(self, jobs: list[Job], answers: asyncio.Queue[Job], *, size: int, client: str) -> None:
        """Have the jobs of a request done; their texts have `size` characters. Raises what the first failed on."""
        deadline = time.monotonic() + self.settings.limits.seconds
        self.check_length(size)
        self.check_count(len(jobs), "sentences")
        self._put(client, jobs)
        try:
            for _ in jobs:
                await self._answer(answers, deadline)
        finally:
            self._queue.withdraw(jobs)

    def tasks(self) -> list[TaskInfo]:
        """What can be asked for."""
        return tasks.tasks(self.settings)

    def presets(self) -> dict[str, Any]:
        """Weights by task, language and name, and the places of presets on the knob."""
        return tasks.presets()

    def models(self, *, installed: bool = False) -> list[ModelInfo]:
        """Tasks in languages, by the names that clients give models; perhaps those alone that are `installed`."""
        return tasks.offered(self.settings) if installed else tasks.models()

    def _put(self, client: str, jobs: list[Job]) -> None:
        if self._stopping:
            raise Stopping("The server is stopping.", hint="Try another, or again in a minute.")
        self._queue.put(client, jobs)

    def check_length(self, size: int) -> None:
        """Raises `TooMuch` for more characters than a request may have."""
        most = self.settings.limits.characters
        if size > most:
            raise TooMuch(f"The text has {size:,} characters: at most {most:,} are taken.", hint="Send it in parts.")

    def check_count(self, count: int, what: str) -> None:
        """Raises `TooMuch` for more sentences, texts, rows or tables than a request may have."""
        limits = self.settings.limits
        most = min(limits.sentences, limits.queue // 2)
        if count > most:
            raise TooMuch(f"There are {count:,} {what}: at most {most:,} are taken.", hint="Send them in parts.")

    def _planned(self, request: RewriteRequest) -> _Plan:
        """The request with its options checked and its texts cut into sentences."""
        self.check_count(len(request.given), "texts")
        self.check_length(sum(map(len, request.given)))
        if not any(map(str.strip, request.given)):
            raise BadInput("The text is empty.", hint="Send a sentence or paragraph as text.")
        pipeline = self._pipeline(request.task, json.dumps([request.options, request.weights, request.lang]))
        if self.settings.log_texts:
            _log.info("%s: %r", request.task, request.given)
        texts = []
        for text in request.given:
            language = pipeline.language_of(text)
            texts.append(_Text(text, language, pipeline.task.sentences(text, language)))
        count = sum(len(text.layout.sentences) for text in texts)
        self.check_count(count, "sentences")
        drawn, most = count * (getattr(pipeline.options, "n", None) or 1), self.settings.limits.drawn
        if drawn > most:
            raise TooMuch(f"Of {count:,} sentences {drawn:,} candidates: at most {most:,} are drawn.", hint="Lower n.")
        languages = dict.fromkeys(text.language for text in texts if text.layout.sentences)
        reasons = list(filter(None, map(pipeline.unusable, languages)))
        if reasons and len(reasons) == len(languages):
            raise reasons[0]
        return _Plan(request, pipeline.options, pipeline, texts)

    def _new_pipeline(self, task: TaskName, asked: str) -> Pipeline:
        """What checks and chooses for options, weights and a language as JSON."""
        options, weights, lang = json.loads(asked)
        return Pipeline(tasks.read_options(task, options, weights, lang, self.settings))

    async def _answer(self, answers: asyncio.Queue[Job], deadline: float) -> Job:
        """The next job that is done. Raises what it failed on, and `TimeOver`."""
        try:
            job = await asyncio.wait_for(answers.get(), deadline - time.monotonic())
        except asyncio.TimeoutError:
            seconds = self.settings.limits.seconds
            raise TimeOver(f"The work took more than {seconds:g} s.", hint="Send less text at once.") from None
        if job.error is not None:
            raise job.error
        return job

    def _rendered(self, plan: _Plan, job: Job) -> tuple[Sentence, SentenceResult]:
        result: SentenceResult = job.outcome[0]
        if result.table is not None:
            self.metrics.table(plan.request.task, result.table)
        weights = plan.pipeline.weights_in(result.language)
        return rendering.sentence(result, weights, plan.options, plan.request.ui)

    async def _result(self, plan: _Plan, number: int) -> ResultEvent:
        text = plan.texts[number]
        sentences = [text.done[index] for index in range(len(text.layout.sentences))]
        parts = rendering.TextParts(text.source, text.layout, text.language, sentences, text.settings)
        weights = plan.pipeline.weights_in(text.language)
        head = await _aside(lambda: rendering.head(parts, weights, plan.options), size=len(text.source))
        return ResultEvent.model_construct(result=number, **dict(head))


def _size(texts: Sequence[str]) -> int:
    """What reading texts costs, in characters: an empty one, too, is some work."""
    return sum(map(len, texts)) + _SHORT // 50 * len(texts)


async def _aside(work: Callable[[], _Made], *, size: int) -> _Made:
    """Work on so many characters: in a thread where it takes more than a moment, for others are served meanwhile."""
    return work() if size < _SHORT else await anyio.to_thread.run_sync(work)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A request that is allowed, with its texts cut into sentences."""

    request: RewriteRequest
    options: TaskOptions
    pipeline: Pipeline
    texts: list[_Text]

    @property
    def places(self) -> dict[tuple[str, str], list[_Place]]:
        """Where each sentence of a language stands: text and number. Each is worked on once."""
        places: dict[tuple[str, str], list[_Place]] = {}
        for number, text in enumerate(self.texts):
            for index, sentence in enumerate(text.layout.sentences):
                places.setdefault((text.language, sentence), []).append((number, index))
        return places
