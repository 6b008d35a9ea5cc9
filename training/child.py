"""A command run to its end in a process of its own, which is told once of what ends this one."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["Stopped", "run_child"]

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopped(BaseException):
    """A signal has ended the work; `number` is the signal's. As `KeyboardInterrupt`, it is no error."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run_child(command: Sequence[str]) -> int:
    """The exit status of a command, below 0 the signal that ended it.

    Ctrl-C, SIGTERM and SIGHUP are passed on to the command and the processes that it has started, once; it is waited
    for, then `Stopped` is raised. A second signal kills it. For the main thread.
    """
    child = _Child()
    with _heard(child):
        status = child.run(command)
    if child.caught:
        raise Stopped(child.caught[0])
    return status


class _Child:
    def __init__(self) -> None:
        self.caught: list[int] = []
        self._passed_on = 0
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, command: Sequence[str]) -> int:
        # In a session of its own: what a terminal sends to all of a group would reach it a second time.
        self._process = subprocess.Popen(command, start_new_session=True)
        self._pass_on()
        return self._process.wait()

    def end(self, number: int, _: Any) -> None:
        """Handle a signal that ends this process."""
        self.caught.append(number)
        self._pass_on()

    def pause(self, *_: Any) -> None:
        """Handle Ctrl-Z, which would stop this process alone."""
        self._send(signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        self._send(signal.SIGCONT)

    def _pass_on(self) -> None:
        # A signal may come before there is anybody to pass it on to.
        while self._process is not None and self._passed_on < len(self.caught):
            self._passed_on += 1
            self._send(self.caught[0] if self._passed_on == 1 else signal.SIGKILL)

    def _send(self, number: int) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)


@contextmanager
def _heard(child: _Child) -> Iterator[None]:
    """Signals go to `child`, but for those that this process was started deaf to, as by nohup."""
    handlers = {getattr(signal, name, None): child.end for name in _ENDING} | {
        getattr(signal, "SIGTSTP", None): child.pause
    }
    before: dict[int, Any] = {}
    try:
        for number, handler in handlers.items():
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
