"""Outcomes that are still known: whoever asks again, as editors do at each key, waits for what is new alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from rewrite.server.kinds import Kind

_MOST = 20_000_000
"""Characters of what is kept at most, its numbers counted as such: some 50 MB."""
_LONGEST = 3_000
"""Characters of a sentence that is rewritten, and of the options that are worth keeping."""
_NUMBER = 8


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
        """Know an outcome, a sentence's result, and forget those that nobody has asked for the longest time.

        An error may be over the next time, so it is not kept.
        """
        (kind, sentence), (result, _) = key, outcome
        if key in self._known or result.error or max(len(sentence), len(kind.options)) > _LONGEST:
            return
        self._known[key] = outcome
        self._held += _size(key, outcome)
        while self._held > _MOST:
            self._held -= _size(*self._known.popitem(last=False))


def _size(key: tuple[Kind, str], outcome: tuple[Any, str]) -> int:
    (kind, sentence), (result, settings) = key, outcome
    size = len(kind.options) + len(sentence) + len(settings)
    if result.table is not None:
        size += _NUMBER * result.table.values.size
        size += sum(len(c.text) + sum(map(len, c.edits)) + 20 * _NUMBER for c in result.table.candidates)
    return size
