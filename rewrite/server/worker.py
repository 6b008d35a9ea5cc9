"""A worker process: it holds the models, and does batch after batch of what the server sends it."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from rerank.workers import cores
from rewrite.errors import RewriteError
from rewrite.server.kinds import AT_ONCE, SAMPLING, Crash, Done, Kind

if TYPE_CHECKING:
    from rerank.analysis import Analyzer
    from rewrite.judging.row_metric import RowMetric
    from rewrite.pipeline import Pipeline
    from rewrite.server.settings import Settings
    from rewrite.task import Bench
    from rewrite.task_options import TaskOptions

_KEPT_MODELS = 8


class Models:
    """Pipelines by the options that their models hang on, the last few; analysers and engines are shared by all."""

    def __init__(self, settings: dict[str, str]) -> None:
        from rewrite.generators import Engines

        self._engines = Engines(settings)
        self._analyzers: dict[str, Analyzer] = {}
        self._metrics: dict[str, RowMetric] = {}
        self._made: OrderedDict[tuple[str, str], tuple[str, Pipeline]] = OrderedDict()

    def pipeline(self, task: str, options: str) -> Pipeline:
        """The pipeline of a task for `options` as JSON."""
        from rewrite.pipeline import Pipeline
        from rewrite.server.tasks import OPTIONS

        values = json.loads(options)
        # Told English has other generators than English that was guessed; told Russian has not.
        apart = {n: value for n, value in values.items() if n not in SAMPLING and (n != "lang" or value == "en")}
        base = task, json.dumps(apart, sort_keys=True)
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

    def metric(self, options: str) -> RowMetric:
        """The metric that options of `judge` as JSON ask for."""
        if options not in self._metrics:
            from rewrite.judging.registry import JudgeOptions

            self._metrics[options] = JudgeOptions.read(json.loads(options)).create()
        return self._metrics[options]

    def _bench(self, options: TaskOptions, language: str) -> Bench:
        """What simplifying works with, with the analyser that others have."""
        from rewrite.task import task_of

        bench = task_of(options).bench(options, language, self._analyzers.get(language))
        self._analyzers.setdefault(language, bench.analyzer)
        return bench


def do(models: Models, kind: Kind, items: Sequence[Any]) -> Done:
    """One batch: sentences of a language, pools of candidates, or rows to judge. Raises `RewriteError`."""
    if kind.verb == "judge":
        metric = models.metric(kind.options)
        return Done(metric.results(items), metric.signature())
    pipeline = models.pipeline(kind.task, kind.options)
    if kind.verb == "score":
        return Done(pipeline.score(items), pipeline.settings_in(kind.language, drawn=False))
    distinct = list(dict.fromkeys(items))
    # Choices are made where the weights are; without them there is less to send.
    results = {r.source: replace(r, choices=()) for r in pipeline.outcomes(kind.language, distinct)}
    return Done([results[item] for item in items], pipeline.settings_in(kind.language))


def main(connection: Connection) -> None:
    """Answer batches until the other end is closed or the server dies."""
    threading.Thread(target=_end_with, args=[os.getppid()], daemon=True).start()
    # A stop of all processes of a service is for the server, which lets its workers finish and ends them.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    settings: Settings = connection.recv()
    # The first works alone at first, on all cores; where there are more than two, two threads share a core.
    threads = {"ct2.threads": str(max(1, 2 * cores() // max(2, settings.workers)))}
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
            message = pickle.dumps(answer)
            if len(message) > AT_ONCE:
                connection.send(len(message))  # so that it need not wait in its loop for the rest
            connection.send_bytes(message)
        except OSError:
            return


def _load_first(models: Models, settings: Settings) -> None:
    """Load what is first while the server still imports its own; it will ask for that, too, and hear of errors."""
    from rewrite.server.tasks import warm_up

    with suppress(Exception):
        for kind, item in warm_up(settings)[:1]:
            do(models, kind, [item])


def _end_with(server: int) -> None:
    """Whatever this process is doing: work on a killed server's batch would have no end that anyone sees."""
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
