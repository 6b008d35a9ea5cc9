"""Outcomes that are still known: whoever asks again, as editors do at each key, waits for what is new alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from rewrite.server.kinds import Kind

_CANDIDATES = 50_000
"""Candidates that are kept at most: some 50 MB."""


class Recall:
    """The last outcomes of sentences by kind, with the settings behind them. Equal questions have equal answers."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Kind, str], tuple[Any, str]] = OrderedDict()
        self._held = 0

    def __getitem__(self, key: tuple[Kind, str]) -> tuple[Any, str] | None:
        if key in self._known:
            self._known.move_to_end(key)
        return self._known.get(key)

    def keep(self, key: tuple[Kind, str], outcome: tuple[Any, str]) -> None:
        """Know an outcome, a sentence's result, and forget those that nobody has asked for the longest time."""
        if key in self._known:
            return
        self._known[key] = outcome
        self._held += _size(outcome)
        while self._held > _CANDIDATES:
            self._held -= _size(self._known.popitem(last=False)[1])


def _size(outcome: tuple[Any, str]) -> int:
    table = outcome[0].table
    return 10 + (len(table.candidates) if table is not None else 0)
