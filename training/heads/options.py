"""The sections of a recipe for a small encoder and for networks on one (`evaluator`, `splitter`, `trees`, `whole`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from rewrite.declaration import Count, Name, Section, Share
from training.card import DataSet, require_licences
from training.finetuning.learning import Learning
from training.negatives.sampling import KINDS, PAPER_KINDS
from training.splitting.pairs import Pairs, Paragraphs, require_sets


class PackedLearning(Learning):
    """How a small network is trained and packed, whatever it tells."""

    held_back: tuple[Name, ...] = ()
    """Files of texts that measure the model later, none of which is learnt from: lines, JSON lines or CSV."""
    steps: Count
    """Updates of the weights."""
    batch_tokens: Annotated[int, Field(ge=16)] = 4096
    """Word pieces of a batch at most, padding included."""
    judge_every: Count = 400
    """Steps from one look at the dev examples to the next."""
    licence: str = "apache-2.0"
    """Of the model."""
    data: tuple[DataSet, ...] = ()
    """All sets that the model saw, with their licences."""

    @model_validator(mode="after")
    def _licences_are_told(self) -> PackedLearning:
        require_licences(self.data)
        return self


class MaskedOptions(PackedLearning):
    """What the step `masked_lm` may be told; unknown keys and values out of range are refused."""

    sets: dict[str, Annotated[float, Field(gt=0, le=1)]] = Field(default_factory=dict)
    """Sets of the data folder by name, and the share of their paragraphs."""
    files: tuple[Name, ...] = ()
    """Text of one's own: UTF-8, a paragraph a line, plain or packed (.gz, .bz2, .xz)."""
    held_out: Annotated[float, Field(gt=0, le=1)] = 0.01
    """Share of paragraphs kept for the loss."""
    vocabulary: Annotated[int, Field(ge=100, le=65_536)] = 16_000
    """Pieces of words, special ones among them."""
    window: Annotated[int, Field(ge=8, le=512)] = 128
    """Tokens of a text at most, special ones included."""
    width: Annotated[int, Field(ge=16, multiple_of=8)] = 256
    """Of its vectors."""
    layers: Annotated[int, Field(ge=1, le=24)] = 6
    heads: Annotated[int, Field(ge=1, le=32)] = 4
    masked: Annotated[float, Field(gt=0, lt=0.6)] = 0.18
    """Share of words masked, on average."""
    whole_words: Share = 0.5
    """Share of batches with whole words masked; of the others, pieces of words."""

    @model_validator(mode="after")
    def _fit_together(self) -> MaskedOptions:
        require_sets((), self.sets)
        if not self.sets and not self.files:
            raise ValueError("give sets or files to learn from")
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is no multiple of heads {self.heads}")
        return self


class HeadOptions(PackedLearning):
    """How a network on a small encoder is trained and packed."""

    encoder: Name
    """Folder of a masked language model (training.masked_lm) to begin with; or bundled:en."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1


class DrawnSentences(Section):
    """Sentences of named sets."""

    pairs: Pairs
    paragraphs: Paragraphs

    @model_validator(mode="after")
    def _known(self) -> DrawnSentences:
        require_sets(self.pairs, self.paragraphs)
        return self


class SilverOptions(DrawnSentences):
    """Sentences without trees, to which several parsers that learnt from the treebanks alone give theirs together."""

    teachers: Annotated[int, Field(ge=1, le=9)] = 3
    """Parsers that find the trees, each of another seed."""
    steps: Count
    """Updates of the weights of each of them."""
    again: Count = 4
    """How often a sentence of the treebanks is learnt for once that such a one is."""


class TreesOptions(HeadOptions):
    """What the step `english_trees` may be told; unknown keys and values out of range are refused."""

    treebanks: Name
    """A recipe of training.english_parser, or its file: its train, dev and test."""
    silver: SilverOptions | None = None
    heads_rate: Annotated[float, Field(gt=0, le=100)] = 4.0
    """How many times faster than the encoder all other weights learn."""
    least: Count = 2
    """Words that a set of features needs to be told."""


class SplitterOptions(HeadOptions):
    """What the step `splitter` may be told; unknown keys and values out of range are refused."""

    sets: Annotated[tuple[Name, ...], Field(min_length=1)]
    """Sets of split sentences by name; the first is the style."""
    repeat: dict[str, Count] = Field(default_factory=dict)
    """How often in an epoch the split sentences of a set are seen."""
    dev: Name = "wikisplit-dev"
    """The set that tells how the model does while it learns."""
    whole: dict[str, Share] = Field(default_factory=dict)
    """Share of a set's simple sentences that teach what needs no split."""
    least: Count = 8
    """Examples that an opener needs to be in the list."""

    @model_validator(mode="after")
    def _known(self) -> SplitterOptions:
        require_sets((*self.sets, self.dev), ())
        return self


class WholeOptions(HeadOptions, DrawnSentences):
    """What the step `wholeness` may be told; unknown keys and values out of range are refused."""

    proposals: Annotated[int, Field(ge=0)] = 0
    """Complex sentences of which the bundled splitter's broken proposals are taken."""
    each: Count = 4
    """Proposals of a sentence at most."""
    dev: Annotated[int, Field(ge=10)] = 2000
    """Examples, about, that are looked at and not learnt from."""


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
    extracts: Share = 0.0
    """Share of the sources of which some sentences in a row are taken as good texts, too."""
    negatives: Annotated[int, Field(ge=1, le=100)] = 5
    """For each good text; 5 in the paper."""
    outputs: dict[str, tuple[str, ...]] = Field(default_factory=lambda: {"quality": PAPER_KINDS}, min_length=1)
    """What is told, and the kinds of mutations that each output learns from."""
    binary: tuple[str, ...] = ()
    """Outputs that learn whether a text was mutated, 0 or 1, and not how much of it."""
    likelihood: tuple[str, ...] = ()
    """Outputs that tell a text without a source by how likely its words are, as the bundled masked model has it."""
    sentences: dict[str, Count] = Field(default_factory=dict)
    """Sets of plain text (training.masked_lm's), and how many sentences of each.

    Outputs of `likelihood` learn from them without a source; each word is wrong by the same small chance.
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
            ("binary", set(self.binary)),
            ("rated", set(self.rated.values())),
            ("likelihood", set(self.likelihood)),
        ):
            unknown = sorted(names - set(self.outputs))
            if unknown:
                raise ValueError(f"{place}: no output is named {', '.join(unknown)}")
        if self.sentences and not self.likelihood:
            raise ValueError("sentences: no output is in `likelihood`, so nothing learns from them")
        if self.likelihood and not (self.encoder.startswith(BUNDLED) and self.head == "mixed"):
            raise ValueError("likelihood: goes with a bundled encoder and head: mixed")
        if self.encoder.startswith(HF) and self.head != "cls":
            raise ValueError("an encoder of Hugging Face takes head: cls")
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds that any output learns from, in the order of `KINDS`."""
        return tuple(kind for kind in KINDS if any(kind in kinds for kinds in self.outputs.values()))
