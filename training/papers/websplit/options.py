"""Recipes of the systems: which one, its network, and how long it learns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from rerank.errors import BadInput
from rewrite.datasets import read_text
from rewrite.declaration import complaints
from rewrite.splitting.options import SplitOptions
from training.section import Section

_FOLDER = Path(__file__).resolve().parent / "recipes"
System = Literal[
    "seq2seq", "multiseq2seq", "split-seq2seq", "split-multiseq2seq", "split-templates", "hybridsimpl", "edit"
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


class SystemRecipe(Section):
    """A whole recipe."""

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
            description="A run of `train` with one encoder, whose network and vocabulary this begins with; for the "
            "system edit a run of `training.splitter`, whose model it takes."
        ),
    ] = None
    longest: Annotated[int, Field(gt=0, description="Tokens; longer examples are left out.")] = 200
    batch_tokens: Annotated[int, Field(gt=0, description="Of sources and targets, padding counted.")] = 2_048
    optimizer: Annotated[Literal["adam", "sgd"], Field(description="sgd is the paper's.")] = "adam"
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    warmup: Annotated[int, Field(ge=0, description="Steps.")] = 100
    smoothing: Annotated[float, Field(ge=0, lt=1, description="Of the labels.")] = 0.1
    precision: Literal["bf16", "fp32"] = "bf16"
    edit: Annotated[
        SplitOptions, Field(description="Options of `rewrite split`, as in Python, for the system edit.")
    ] = SplitOptions()
    minutes: Annotated[float, Field(gt=0, description="Time to learn; the learning rate falls to nothing over it.")]
    dev_every: Annotated[float, Field(gt=0, description="Minutes between two looks at dev, and checkpoints.")] = 2.0
    beam: Annotated[int, Field(gt=0)] = 4


def shipped_system_recipes() -> tuple[str, ...]:
    """Names of the recipes in `training/papers/websplit/recipes`, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def load_system_recipe(name_or_path: str | Path) -> SystemRecipe:
    """A recipe from a YAML file, or a shipped one by its name. Raises `BadInput` that names the file and the key."""
    import yaml

    shipped = shipped_system_recipes()
    path = _FOLDER / f"{name_or_path}.yaml" if str(name_or_path) in shipped else Path(name_or_path)
    if not path.is_file():
        hint = f"Give a YAML file, or one of the shipped: {', '.join(shipped)}."
        raise BadInput(f"There is no recipe {str(path)!r}.", hint=hint)
    try:
        data: Any = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        raise BadInput(f"{path}: not YAML: {str(error).splitlines()[0]}.") from error
    try:
        return SystemRecipe.model_validate(data)
    except ValidationError as error:
        raise BadInput(f"{path}: {complaints(SystemRecipe, error)}.", hint="docs/websplit.md lists the keys.") from None
