"""What every section of a recipe shares."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]


class Section(BaseModel):
    """A part of a recipe: frozen, and without keys that nobody declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)
