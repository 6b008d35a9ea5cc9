"""What every command that answers lines takes of the files it reads and writes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rewrite.declaration import UserOptions

_Column = Annotated[str | None, Field(min_length=1)]
_COLUMN = "of a .csv, .tsv, .jsonl or .parquet file (also .gz, .zst); the other columns pass through."


class FileOptions(UserOptions):
    """How a run goes on and what it tells."""

    resume: bool | None = Field(
        default=None,
        description="Go on with what a broken run of the same command left beside --output, which is the default; "
        "or start over.",
    )
    quiet: bool = Field(default=False, description="No progress and no summary on standard error.")
    report: str | None = Field(
        default=None,
        min_length=1,
        description="Write the summary to this file as JSON: counts by reason, and the rate.",
    )

    ray: str | None = Field(
        default=None,
        min_length=1,
        description="Do the work on a Ray cluster: its address, as in HOST:6379, auto, or local for one on this "
        "machine. The same rows come out.",
    )

    @property
    def settings(self) -> dict[str, str | None]:
        """What of this decides what comes out."""
        return {}


class ColumnOptions(FileOptions):
    """What is read of a file with columns, and where what comes out goes."""

    into: str | None = Field(
        default=None,
        min_length=1,
        description="The new column for what comes out; by default the column and what was done: text_simplified.",
    )

    @property
    def columns(self) -> dict[str, str | None]:
        """The columns that are read, by option; none where lines are."""
        return {}

    @property
    def settings(self) -> dict[str, str | None]:
        return {**self.columns, "into": self.into}

    @property
    def named(self) -> dict[str, str]:
        """Those columns that somebody has named."""
        return {option: name for option, name in self.columns.items() if name is not None}


class TextColumns(ColumnOptions):
    """Where texts are."""

    column: _Column = Field(default=None, description=f"The column of texts {_COLUMN}")

    @property
    def columns(self) -> dict[str, str | None]:
        return {"column": self.column}


class PoolColumns(ColumnOptions):
    """Where sources and candidates are."""

    source_column: _Column = Field(default=None, description=f"The column of sources {_COLUMN}")
    candidate_column: _Column = Field(
        default=None, description="The column of candidates: a text, or (.jsonl, .parquet) a list of them."
    )

    @property
    def columns(self) -> dict[str, str | None]:
        return {"source_column": self.source_column, "candidate_column": self.candidate_column}


class JudgedColumns(PoolColumns):
    """Where sources, texts and their references are."""

    candidate_column: _Column = Field(default=None, description="The column of the texts that are judged.")
    reference_column: _Column = Field(
        default=None, description="The column of references, where the metric takes any: a text, or a list of them."
    )

    @property
    def columns(self) -> dict[str, str | None]:
        return {**super().columns, "reference_column": self.reference_column}
