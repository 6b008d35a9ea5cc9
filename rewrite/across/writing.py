"""What putting a term in another's place asks for in any language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from rerank.analysis import Analysis
from rewrite.across.terms import Place


class Unsafe(Exception):
    """Why a term cannot be put into a sentence, in words."""


class Writer(Protocol):
    """Puts a term in another's place in a sentence of one language."""

    def changes(self, analysis: Analysis, place: Place, new: str, following: str) -> list[tuple[int, int, str]]:
        """New texts by place, the term's own and those of words that agree with it. Raises `Unsafe`."""


def cased(new: str, said: str, term: str, *, starts: bool) -> str:
    """A new term with the capitals that the old one has in the text beside those that it has in the list."""
    if said.isupper() and len(said) > 1 and not term.isupper():
        return new.upper()
    capital = said[:1].isupper() and (starts or not term[:1].isupper())
    return new[:1].upper() + new[1:] if capital else new


def is_quoted(text: str, place: int) -> bool:
    """Whether somebody else's words stand there: between quotation marks that open before it."""
    before = text[:place]
    opened = sum(before.count(mark) for mark in "«„“") - sum(before.count(mark) for mark in "»”")
    return opened > 0 or before.count('"') % 2 == 1


def replaced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with other words at these places."""
    for start, stop, change in sorted(changes, reverse=True):
        text = text[:start] + change + text[stop:]
    return text
