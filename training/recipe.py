"""A recipe: one YAML file that says how pairs become a model. Each step reads its own section.

    name: my-model
    language: ru
    seed: 0
    filter: {...}      # python -m training.filter RECIPE --out FOLDER
    finetune: {...}    # python -m training.finetune RECIPE --out FOLDER
    weights: {...}     # python -m training.weights RECIPE --out FOLDER
    export: {...}      # the card of an adapter: python -m training.adapter FOLDER --recipe RECIPE --out FOLDER
    masked: {...}      # python -m training.masked_lm RECIPE --out FOLDER
    splitter: {...}    # python -m training.splitter RECIPE --out FOLDER
    whole: {...}       # python -m training.wholeness RECIPE --out FOLDER
    parser: {...}      # python -m training.english_parser RECIPE --out FOLDER
    trees: {...}       # python -m training.english_trees RECIPE --out FOLDER
    evaluator: {...}   # python -m training.evaluator RECIPE --out FOLDER

`{data}` at the start of a path stands for the data folder (`--data`, or the variable REWRITE_DATA), `{out}` for the
folder of the run; any other path is taken from the folder that the command runs in.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from rerank.errors import BadInput, UnknownName
from rerank.weights import yaml_mapping
from rewrite.datasets import data_folder
from rewrite.declaration import Section, complaints
from rewrite.errors import BadOption
from training.card import ExportOptions
from training.filtering.thresholds import FilterOptions
from training.finetuning.learning import FinetuneOptions
from training.heads.options import EvaluatorOptions, MaskedOptions, SplitterOptions, TreesOptions, WholeOptions
from training.parsing.treebanks import ParserOptions
from training.weighting.weight_options import WeightOptions

_FOLDER = Path(__file__).resolve().parent / "recipes"
_Kind = TypeVar("_Kind", bound=Section)
_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
PAGES = {
    "filter": "docs/filter.md",
    "finetune": "docs/finetune.md",
    "export": "docs/base-model.md",
    "weights": "docs/tuning.md",
    "masked": "docs/masked-models.md",
    "splitter": "docs/split.md",
    "whole": "docs/split.md",
    "parser": "docs/english.md",
    "trees": "docs/english.md",
    "evaluator": "docs/evaluator.md",
}
"""Where the keys of each section are told."""


class Recipe(Section):
    """A whole recipe. A section that is missing is a step that is not taken."""

    name: str = Field(pattern=_NAME, description="Of the model that comes out of it.")
    language: Literal["ru", "en"] = Field(default="ru", description="Of sources and targets.")
    seed: int = Field(default=0, ge=0, lt=2**32, description="Of everything that is drawn.")
    filter: FilterOptions | None = None
    finetune: FinetuneOptions | None = None
    weights: WeightOptions | None = None
    export: ExportOptions | None = None
    masked: MaskedOptions | None = None
    splitter: SplitterOptions | None = None
    whole: WholeOptions | None = None
    parser: ParserOptions | None = None
    trees: TreesOptions | None = None
    evaluator: EvaluatorOptions | None = None


class Run:
    """A recipe with its folders: `out`, where the steps write, and `data`, looked for when a path asks for it."""

    def __init__(self, recipe: Recipe, out: Path, data: str | None = None) -> None:
        self.recipe = recipe
        self.out = out
        self._data = data

    def path(self, text: str) -> Path:
        """A path of the recipe. Raises `BadInput` where it needs a data folder and none is known."""
        if text.startswith("{out}"):
            return self.out / text.removeprefix("{out}").lstrip("/")
        if text.startswith("{data}"):
            return data_folder(self._data) / text.removeprefix("{data}").lstrip("/")
        return Path(text).expanduser()


def shipped_recipes(folder: Path = _FOLDER) -> tuple[str, ...]:
    """Names of the recipes in a folder, by default those in `training/recipes`, sorted."""
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


def recipe_file(name_or_path: str | Path, folder: Path = _FOLDER) -> Path:
    """Where the recipe lies that `load_recipe` reads; it need not be there."""
    return folder / f"{name_or_path}.yaml" if str(name_or_path) in shipped_recipes(folder) else Path(name_or_path)


def load_recipe(name_or_path: str | Path) -> Recipe:
    """A recipe of steps: see `read_recipe`."""
    return read_recipe(Recipe, name_or_path, _FOLDER, "docs/training.md")


def read_recipe(kind: type[_Kind], name_or_path: str | Path, folder: Path, page: str) -> _Kind:
    """A recipe of a `kind` from a YAML file, or one of `folder` by its name; its keys are told in `page`, or `PAGES`.

    Raises `BadOption` that names the file, the key, and the key that may have been meant, for a key or a value that no
    recipe takes; `UnknownName` for a name that is neither a file nor shipped; `BadInput` for a file that cannot be read
    as YAML, with its line.
    """
    path = recipe_file(name_or_path, folder)
    try:
        data = yaml_mapping(path.read_bytes(), str(path), hint=f"Its keys: {', '.join(kind.model_fields)}.")
    except OSError as error:
        raise _not_there(str(name_or_path), shipped_recipes(folder), error) from error
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        sections = (str(item["loc"][0]) if item["loc"] else "" for item in error.errors())
        pages = dict.fromkeys(PAGES.get(section, page) for section in sections)
        raise BadOption(f"{path}: {complaints(kind, error)}.", hint=f"See {' and '.join(pages)}.") from None


def _not_there(name: str, shipped: Sequence[str], error: OSError) -> BadInput | UnknownName:
    listed = f"Give a YAML file, or one of the shipped: {', '.join(shipped)}."
    if Path(name).name == name and not Path(name).suffix and not Path(name).exists():
        close = difflib.get_close_matches(name, shipped, n=1)
        return UnknownName(
            f"No file and no shipped recipe {name!r}.", hint=f"{f'Did you mean {close[0]}? ' if close else ''}{listed}"
        )
    return BadInput(f"Cannot read the recipe {name!r}: {error.strerror or error}.", hint=listed)
