"""What every section of a recipe shares."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Section"]


class Section(BaseModel):
    """A part of a recipe: frozen, and without keys that nobody declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)
