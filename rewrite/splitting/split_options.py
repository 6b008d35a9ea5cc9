"""What a user may ask of a split: one declaration for the command line and the Python API."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from rewrite.task_options import DrawCount, DrawingOptions


class SplitOptions(DrawingOptions):
    """How a text is split. Unknown names and values out of range are refused."""

    home: ClassVar[str] = "rewrite.splitting.splitter:SPLIT"
    sentences: Annotated[
        int | None,
        Field(
            ge=1,
            le=50,
            description="Sentences wanted of each sentence. Without it two, and more while one has over 20 words.",
        ),
    ] = None
    max_words: Annotated[
        int | None,
        Field(ge=3, le=1000, description="Go on splitting while a sentence has more words than this."),
    ] = None
    n: DrawCount = 10
    generator: Annotated[
        str,
        Field(
            min_length=1,
            description="Where candidates come from: splitter, splitter-lm, ct2:MODEL, hf:MODEL, "
            "openai:URL[,URL…]#MODEL, replay:FILE, or several joined by +.",
        ),
    ] = "splitter"
    model: Annotated[
        str, Field(min_length=1, description="The splitter's model: bundled, or the folder of one of your own.")
    ] = "bundled"

    @model_validator(mode="after")
    def _nothing_in_vain(self) -> SplitOptions:
        if self.told_language not in (None, "en"):
            raise ValueError(f"--lang {self.lang}: split knows English, en")
        if "model" in self.untaken:
            raise ValueError(f"--model counts for nothing with --generator {self.generator}: it is of splitter")
        return self

    @property
    def source_share(self) -> float:
        """A split is as good as its source only where it says so itself."""
        return 1.0

    @property
    def plain_generators(self) -> tuple[str, ...]:
        return ("splitter", "splitter-lm")
