"""The section `evaluator` of a recipe: what it learns from, what it is to tell, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from training.exporting.options import Megabytes
from training.heads.options import Count, HeadOptions, Name, Share
from training.negatives.sampling import KINDS, PAPER_KINDS

__all__ = ["BUNDLED", "HF", "EvaluatorOptions"]

BUNDLED = "bundled:"
HF = "hf:"
"""What the name of an encoder of Hugging Face begins with, of the hub or a folder."""


class EvaluatorOptions(HeadOptions):
    """What the step `evaluator` may be told; unknown keys and values out of range are refused."""

    encoder: Name
    """bundled:en or bundled:ru, a folder of training.masked_lm, or hf:NAME for any encoder."""
    positives: Annotated[dict[str, Count], Field(min_length=1)]
    """Sets of good texts, or JSONL files, and how many texts of each at most."""
    rated: dict[str, str] = Field(default_factory=dict)
    """Sets of texts that people called good or bad, and the output that learns from each."""
    copies: Share = 0.0
    """Share of the sources that are taken as good texts for themselves, too."""
    extracts: dict[str, Share] = Field(default_factory=dict)
    """Outputs that learn from sentences of sources as good texts, too, and of what share of them."""
    negatives: Annotated[int, Field(ge=1, le=100)] = 5
    """For each good text; 5 in the paper."""
    outputs: dict[str, tuple[str, ...]] = Field(default_factory=lambda: {"quality": PAPER_KINDS}, min_length=1)
    """What is told, and the kinds of mutations that each output learns from."""
    binary: tuple[str, ...] = ()
    """Outputs that learn whether a text was mutated, 0 or 1, and not how much of it."""
    alone: dict[str, Share] = Field(default_factory=dict)
    """Outputs that are to judge a text without its source, and the share of examples without."""
    sentences: dict[str, Count] = Field(default_factory=dict)
    """Sets of plain text (training.masked_lm's), and how many sentences of each.

    Outputs of `alone` learn from them without a source; each word is wrong by the same small chance.
    """
    likelihood: tuple[str, ...] = ()
    """Outputs of `alone` that tell a text without a source by how likely its words are.

    As the bundled masked model has it that `encoder` names.
    """
    window: Annotated[int, Field(ge=16, le=8192)] = 512
    """Tokens of both texts together; the paper's is 512."""
    head: Literal["mixed", "cls"] = "mixed"
    """cls: one layer on [CLS], as in the paper; mixed: two, on [CLS] and both texts' means."""
    loss: Literal["mse", "cross-entropy"] = "cross-entropy"
    """mse, as in the paper, or cross-entropy with its labels."""
    ranking: Annotated[float, Field(ge=0, le=100)] = 0
    """Weight of a second loss: good texts above their mutations, these above worse."""
    epochs: Annotated[float | None, Field(gt=0)] = None
    """Times that the examples are seen, instead of steps."""
    batch_rows: Count | None = None
    """Pairs of a batch at most; 14 in the paper."""
    dev: Annotated[int, Field(ge=2)] = 200
    """Good texts, about, whose examples are not learnt from."""
    max_mb: Megabytes = 15

    @model_validator(mode="before")
    @classmethod
    def _steps_or_epochs(cls, data: object) -> object:
        if isinstance(data, dict) and ("steps" in data) == ("epochs" in data):
            raise ValueError("give either steps or epochs")
        # The section that this one widens must have a number of steps; the batches tell the right one.
        return {"steps": 1, **data} if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _fit_together(self) -> EvaluatorOptions:
        for output, kinds in self.outputs.items():
            unknown = sorted(set(kinds) - set(KINDS))
            if unknown or not kinds:
                raise ValueError(f"outputs.{output}: no kind is named {unknown}; known: {', '.join(KINDS)}")
        for place, names in (
            ("alone", set(self.alone)),
            ("extracts", set(self.extracts)),
            ("binary", set(self.binary)),
            ("rated", set(self.rated.values())),
            ("likelihood", set(self.likelihood)),
        ):
            unknown = sorted(names - set(self.outputs))
            if unknown:
                raise ValueError(f"{place}: no output is named {', '.join(unknown)}")
        if not set(self.likelihood) <= set(self.alone):
            raise ValueError("likelihood: its outputs have to be in `alone`")
        if self.sentences and not self.alone:
            raise ValueError("sentences: no output is in `alone`, so nothing learns from them")
        if self.likelihood and not (self.encoder.startswith(BUNDLED) and self.head == "mixed"):
            raise ValueError("likelihood: goes with a bundled encoder and head: mixed")
        if self.encoder.startswith(HF) and self.head != "cls":
            raise ValueError("an encoder of Hugging Face takes head: cls")
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds that any output learns from, in the order of `KINDS`."""
        return tuple(kind for kind in KINDS if any(kind in own for own in self.outputs.values()))
