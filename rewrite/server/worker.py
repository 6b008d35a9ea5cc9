"""A worker process: it holds the models, and does batch after batch of what the server sends it."""

from __future__ import annotations

import json
import signal
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from rerank.workers import cores
from rewrite.errors import RewriteError
from rewrite.server.kinds import SAMPLING, Kind

if TYPE_CHECKING:
    from rerank.analysis import Analyzer
    from rewrite.pipeline import Pipeline
    from rewrite.server.settings import Settings
    from rewrite.task import Bench
    from rewrite.task_options import TaskOptions

_KEPT_MODELS = 8


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a batch: a sentence's result or a table for each item, and the signature behind them."""

    outcomes: Sequence[Any]
    settings: str


@dataclass(frozen=True, slots=True)
class Crash:
    """An error that nobody expected: its kind, and where it was raised, without its message, which may hold a text."""

    name: str
    trace: str


class Models:
    """Pipelines by the options that their models hang on, the last few; analysers and engines are shared by all."""

    def __init__(self, settings: dict[str, str]) -> None:
        from rewrite.generators import Engines

        self._engines = Engines(settings)
        self._analyzers: dict[str, Analyzer] = {}
        self._made: OrderedDict[tuple[str, str], tuple[str, Pipeline]] = OrderedDict()

    def pipeline(self, task: str, options: str) -> Pipeline:
        """The pipeline of a task for `options` as JSON."""
        from rewrite.pipeline import Pipeline
        from rewrite.server.tasks import OPTIONS

        values = json.loads(options)
        base = task, json.dumps({name: value for name, value in values.items() if name not in SAMPLING}, sort_keys=True)
        asked, pipeline = self._made.get(base, ("", None))
        if asked != options:
            wanted = OPTIONS[task](**values, best=1)  # type: ignore[index]
            bench = partial(self._bench, wanted) if task == "simplify" else None
            pipeline = pipeline.like(wanted) if pipeline else Pipeline(wanted, bench=bench, engines=self._engines)
            self._made[base] = options, pipeline
        assert pipeline is not None
        self._made.move_to_end(base)
        while len(self._made) > _KEPT_MODELS:
            self._made.popitem(last=False)
        return pipeline

    def _bench(self, options: TaskOptions, language: str) -> Bench:
        """What simplifying works with, with the analyser that others have."""
        from rewrite.task import task_of

        bench = task_of(options).bench(options, language, self._analyzers.get(language))
        self._analyzers.setdefault(language, bench.analyzer)
        return bench


def do(models: Models, kind: Kind, items: Sequence[Any]) -> Done:
    """One batch: sentences of a language, all different, or pools of candidates. Raises `RewriteError`."""
    pipeline = models.pipeline(kind.task, kind.options)
    if kind.verb == "score":
        return Done(pipeline.score(items), pipeline.settings_in(kind.language, drawn=False))
    distinct = list(dict.fromkeys(items))
    # Choices are made where the weights are; without them there is less to send.
    results = {r.source: replace(r, choices=()) for r in pipeline.outcomes(kind.language, distinct)}
    return Done([results[item] for item in items], pipeline.settings_in(kind.language))


def main(connection: Connection, settings: Settings) -> None:
    """Answer batches until the other end is closed, which is also what happens when the server dies."""
    # Ctrl-C, and a stop of the whole group, are for the server, which lets its workers finish and ends them.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    # Workers share the cores where a language model would take all of them.
    threads = {"ct2.threads": str(max(1, cores() // settings.workers))} if settings.workers > 1 else {}
    models = Models(threads)
    _load_first(models, settings)
    while True:
        try:
            kind, items = connection.recv()
        except (EOFError, OSError):
            return
        answer: Done | Crash | RewriteError
        try:
            answer = do(models, kind, items)
        except RewriteError as error:
            answer = error
        except Exception as error:
            answer = Crash(type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
        try:
            connection.send(answer)
        except OSError:
            return


def _load_first(models: Models, settings: Settings) -> None:
    """Load what is first while the server still imports its own; it will ask for that, too, and hear of errors."""
    from rewrite.server.tasks import warm_up

    for kind, item in warm_up(settings)[:1]:
        with suppress(Exception):
            do(models, kind, [item])
