"""Forms of English words that no rule makes: a trained lemmatiser knows only those it has seen."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from rerank.wordlists import WordLists

__all__ = ["BASES", "PASTS"]

_LISTS = WordLists(Path(__file__).with_name("irregular.txt"))
_VERBS = [row.split() for row in _LISTS.rows("verbs")]


def _bases() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for base, *forms in (*_VERBS, *(row.split() for row in _LISTS.rows("others"))):
        for form in forms:
            found.setdefault(form, set()).add(base)
    return {form: frozenset(bases) for form, bases in found.items()}


PASTS = MappingProxyType({base: past for base, past, *_ in _VERBS})
"""The past of verbs that have an irregular one, or an irregular participle beside a regular past (*show*)."""

BASES = MappingProxyType(_bases())
"""What each form of a verb, noun or adjective may be a form of; *found* is one of *find*, and a word of its own."""
