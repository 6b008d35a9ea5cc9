"""The workers of a Ray cluster: actors, one for each core, that hold a pipeline each.

The rows are read, handed out in order and written here, as with processes of this machine, so what comes out is the
same to the byte and a broken run is gone on with. Actors need the package, and the models, but no file of the run.
That is why it is not Ray Data: there a run's blocks are read and written by the nodes, which would need the files, and
their order, the journal and the last whole row would be lost or gathered here anyway (docs/scale.md has the figures).
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from rerank.workers import Worker, cores, share_cores
from rewrite.errors import MissingExtra, RewriteError, ServerError

LOCAL = "local"
"""The address of a cluster that is started on this machine, and ends with the run."""
_LOOK, _PATIENCE = 5.0, 300.0
"""Seconds from one look at the cluster to the next, and without any worker until it is given up."""
_QUIET: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.ERROR}


class Cluster:
    """Actors that do what `prepare(False)` makes, as many as there are cores, or at most `most`."""

    def __init__(self, ray: ModuleType, prepare: Callable[[bool], Any], most: int | None = None) -> None:
        self._ray, self._most = ray, most
        self._prepare = ray.put(prepare)
        self._actor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        self._seen = time.monotonic()
        self._looked = 0.0
        self._cores = 1

    @property
    def size(self) -> int:
        """Cores of the cluster, which may grow and shrink; it is asked every few seconds."""
        if time.monotonic() - self._looked > _LOOK:
            self._looked, self._cores = time.monotonic(), int(self._ray.cluster_resources().get("CPU", 0))
        return self._cores if self._most is None else min(self._cores, self._most)

    def start(self, others: Sequence[Worker]) -> _Remote | None:
        """An actor where a core is free; somebody else may work on the cluster, too."""
        if self._ray.available_resources().get("CPU", 0) < 1:
            return None
        return _Remote(self._ray, self._actor.remote(self._prepare))

    def wait(self, busy: Sequence[Worker]) -> list[Worker]:
        """Those that have answered or died. Raises `RewriteError` where there has long been nobody."""
        if not busy:
            if time.monotonic() - self._seen > _PATIENCE:
                raise ServerError("The Ray cluster has had no room for a worker for minutes.", hint="See: ray status")
            time.sleep(1.0)
            return []
        self._seen = time.monotonic()
        waiting = {worker.answer: worker for worker in busy if isinstance(worker, _Remote)}
        ready, _ = self._ray.wait(list(waiting), num_returns=1, timeout=_LOOK)
        return [waiting[answer] for answer in ready]


class _Remote:
    """An actor as a worker."""

    def __init__(self, ray: ModuleType, actor: Any) -> None:
        self._ray, self._actor = ray, actor
        self.answer: Any = None
        self._end = "its node or its process is gone"

    def send(self, chunk: Any) -> None:
        self.answer = self._actor.answer.remote(chunk)

    def receive(self) -> tuple[str | None, Any]:
        try:
            kind, answer = self._ray.get(self.answer)
        except self._ray.exceptions.RayError as error:
            self._end = str(error).strip().splitlines()[0]
            raise EOFError from error
        return kind, answer

    def stop(self) -> str:
        self._ray.kill(self._actor)
        return self._end


class _Actor:
    """What runs on a core of the cluster."""

    def __init__(self, prepare: Callable[[bool], Callable[[Any], Any]]) -> None:
        share_cores(cores())
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(variable, "1")
        self._prepare = prepare
        self._work: Callable[[Any], Any] | None = None

    def answer(self, chunk: Any) -> tuple[str | None, Any]:
        try:
            if self._work is None:
                self._work = self._prepare(False)
            return None, self._work(chunk)
        except RewriteError as error:
            return traceback.format_exc(), RewriteError(str(error))
        except Exception as error:
            return traceback.format_exc(), RuntimeError(f"{type(error).__name__}: {error}")


@contextmanager
def cluster_at(address: str, prepare: Callable[[bool], Any], most: int | None = None) -> Iterator[Cluster]:
    """The cluster at `address` (`HOST:PORT`, `auto`, `ray://…`), or `local` for one of this machine's cores.

    Raises `MissingExtra`, and `ServerError` where there is none.
    """
    try:
        import ray
    except ImportError:
        raise MissingExtra("--ray needs ray.", hint="Run: pip install 'rewrite-rerank[ray]'") from None
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns of GPUs
    try:
        if address == LOCAL:
            ray.init(address="local", num_cpus=most or cores(), **_QUIET)
        else:
            _look_up(address)
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise ServerError(
            f"No Ray cluster answers at {address!r}: {reason}.",
            hint="Start one with: ray start --head. Where it asks for a token, set RAY_AUTH_MODE=token.",
        ) from None
    try:
        yield Cluster(ray, prepare, most)
    finally:
        # Another Ctrl-C would leave it waiting for ever for nodes that have heard of the first.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        ray.shutdown()
        signal.signal(signal.SIGINT, before)


def _look_up(address: str) -> None:
    """Raises `OSError` where nobody listens: Ray itself would try for six minutes."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_LOOK).close()
