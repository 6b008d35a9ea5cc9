"""The section `parser` of a recipe: which treebanks a pipeline of spaCy sees, under which licences, and how long."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from training.exporting.options import DataSet, Megabytes
from training.section import Count, Name, Section

__all__ = ["ParserOptions", "Treebank"]


class Treebank(Section):
    """Files of one origin and licence, in CoNLL-U."""

    files: Name
    """A path, or a pattern with *."""
    what: Name
    """What it is, for the card."""
    licence: Name
    """Its licence, as stated at the origin, for the card."""
    source_urls: tuple[str, ...] = ()
    """Only documents whose `meta::sourceURL` holds one of these; empty: all."""


class ParserOptions(Section):
    """What the step `english_parser` may be told; unknown keys and values out of range are refused."""

    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")] = "1.0.0"
    licence: Name
    """Of the pipeline that comes out of it."""
    train: Annotated[tuple[Treebank, ...], Field(min_length=1)]
    dev: Name
    """CoNLL-U: chooses among the states of the training."""
    test: str | None = None
    """CoNLL-U: measured once, at the end."""
    max_steps: Count = 20_000
    eval_every: Count = 200
    """Steps between two measurements on `dev`."""
    sentences_at_once: Count = 10
    """In a text: a parser learns where they end."""
    max_mb: Megabytes = 10.0

    @property
    def held(self) -> dict[str, str]:
        """The files that are not learnt from, by what they are for: `dev`, and `test` where there is one."""
        return {"dev": self.dev} | ({} if self.test is None else {"test": self.test})

    @property
    def data(self) -> tuple[DataSet, ...]:
        """What was learnt from, for the card."""
        return tuple(DataSet(name=one.what, licence=one.licence, used_for="training") for one in self.train)
