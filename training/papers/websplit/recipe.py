"""Recipes of the systems: which one, its network, and how long it learns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from rewrite.declaration import Section
from training.finetuning.learning import Learning
from training.recipe import read_recipe

RECIPES = Path(__file__).resolve().parent / "recipes"
System = Literal[
    "seq2seq",
    "multiseq2seq",
    "split-seq2seq",
    "split-multiseq2seq",
    "split-templates",
    "hybridsimpl",
    "adapter",
    "split-adapter",
]


class NetworkOptions(Section):
    """The encoder-decoder."""

    kind: Annotated[
        Literal["transformer", "lstm"], Field(description="Today's form, or the paper's: LSTM with local-p attention.")
    ] = "transformer"
    width: Annotated[int, Field(gt=0, description="A transformer takes a multiple of 64 of 320 or more.")] = 320
    encoder_layers: Annotated[int, Field(gt=0)] = 2
    decoder_layers: Annotated[int, Field(gt=0, description="A transformer takes 2 or more.")] = 2
    dropout: Annotated[float, Field(ge=0, lt=1, description="Of the LSTM; the transformer has none.")] = 0.0


class SystemRecipe(Learning):
    """A whole recipe; how a network learns is as in the section `finetune` of other recipes."""

    system: System
    protocol: Literal["paper", "leak-free"] = "paper"
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    rephrasings: Annotated[int, Field(gt=0, description="Drawn for each complex sentence, at most.")] = 12
    partitions: Annotated[
        Literal["items", "pairs"],
        Field(description="What the learning to split counts: rephrasings, or ⟨M_C, M_1…M_n⟩."),
    ] = "items"
    vocabulary: Annotated[int, Field(ge=300, description="Of the byte-level BPE of the training side.")] = 5_000
    network: NetworkOptions = NetworkOptions()
    start: Annotated[
        str | None,
        Field(
            description="A run of `train` with one encoder, whose network and vocabulary this begins with; of an "
            "adapter, the run of `training.finetune` that it writes with."
        ),
    ] = None
    words_a_sentence: Annotated[
        float, Field(gt=0, description="Of the system adapter: it is asked for two to four sentences of so many words.")
    ] = 9
    longest: Annotated[int, Field(gt=0, description="Tokens; longer examples are left out.")] = 200
    batch_tokens: Annotated[int, Field(gt=0, description="Of sources and targets, padding counted.")] = 2_048
    steps: Annotated[int, Field(gt=0, description="Updates of the weights.")] = 1_000
    judge_every: Annotated[int, Field(gt=0, description="Steps from one look at dev to the next.")] = 100
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    warmup: Annotated[float, Field(ge=0, description="Steps.")] = 100
    beta2: Annotated[float, Field(ge=0, lt=1)] = 0.98
    optimizer: Annotated[Literal["adam", "sgd"], Field(description="sgd is the paper's.")] = "adam"
    smoothing: Annotated[float, Field(ge=0, lt=1, description="Of the labels.")] = 0.1
    beam: Annotated[int, Field(gt=0, description="Of a transformer; an LSTM writes the likeliest token.")] = 4

    @property
    def is_adapter(self) -> bool:
        """Whether it writes with an adapter of the pretrained base."""
        return self.system in ("adapter", "split-adapter")

    @property
    def optim(self) -> str:
        return "sgd" if self.optimizer == "sgd" else super().optim


def load_system_recipe(name_or_path: str | Path) -> SystemRecipe:
    """A recipe from a YAML file, or one of `RECIPES` by its name; see `training.recipe.read_recipe`."""
    return read_recipe(SystemRecipe, name_or_path, RECIPES, "docs/websplit.md")
