"""What the guard reports."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["KINDS", "Violation"]

#: Kinds of facts that are guarded.
KINDS = ("number", "date", "unit", "entity", "latin", "quotation", "negation", "modality", "quantity")


@dataclass(frozen=True, slots=True)
class Violation:
    """A fact that a candidate changes: its kind, the words concerned, and what is wrong with them.

    Kinds are those of `KINDS`, and `opposite` (`rerank.opposites.check`).
    """

    kind: str
    text: str
    message: str
