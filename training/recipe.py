"""A recipe: one YAML file that says how pairs become a model. Each step reads its own section.

    name: my-model
    language: ru
    seed: 0
    filter: {...}      # python -m training.filter RECIPE --out FOLDER
    finetune: {...}    # python -m training.finetune RECIPE --out FOLDER
    weights: {...}     # python -m training.weights RECIPE --out FOLDER
    export: {...}      # python -m training.export RECIPE --out FOLDER
    masked: {...}      # python -m training.masked_lm RECIPE --out FOLDER, then training.export_masked

`{data}` at the start of a path stands for the data folder (`--data`, or the variable REWRITE_DATA), `{out}` for the
folder of the run; any other path is taken from the folder that the command runs in.
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from rerank.errors import BadInput
from rewrite.datasets import data_folder
from training.exporting.options import ExportOptions
from training.filtering.options import FilterOptions
from training.finetuning.options import FinetuneOptions
from training.masked.options import MaskedOptions
from training.section import Section
from training.weighting.options import WeightOptions

__all__ = ["Recipe", "Run", "load_recipe", "recipe_file", "shipped_recipes"]

_FOLDER = Path(__file__).resolve().parent / "recipes"
_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"


class Recipe(Section):
    """A whole recipe. A section that is missing is a step that is not taken."""

    name: Annotated[str, Field(pattern=_NAME, description="Of the model that comes out of it.")]
    language: Annotated[Literal["ru", "en"], Field(description="Of sources and targets.")] = "ru"
    seed: Annotated[int, Field(ge=0, lt=2**32, description="Of everything that is drawn.")] = 0
    filter: FilterOptions | None = None
    finetune: FinetuneOptions | None = None
    weights: WeightOptions | None = None
    export: ExportOptions | None = None
    masked: MaskedOptions | None = None


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


def shipped_recipes() -> tuple[str, ...]:
    """Names of the recipes in `training/recipes`, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def recipe_file(name_or_path: str | Path) -> Path:
    """Where the recipe lies that `load_recipe` reads; it need not be there."""
    return _FOLDER / f"{name_or_path}.yaml" if str(name_or_path) in shipped_recipes() else Path(name_or_path)


def load_recipe(name_or_path: str | Path) -> Recipe:
    """A recipe from a YAML file, or a shipped one by its name.

    Raises `BadInput` that names the file and the key (or line), and the key that may have been meant.
    """
    import yaml

    path = recipe_file(name_or_path)
    try:
        data: Any = yaml.safe_load(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadInput(
            f"Cannot read the recipe {str(path)!r}: {error.strerror or error}.",
            hint=f"Give a YAML file, or one of the shipped: {', '.join(shipped_recipes())}.",
        ) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}, byte {error.start}: not UTF-8.", hint="Save it as UTF-8.") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise BadInput(f"{path}{place}: not YAML: {getattr(error, 'problem', error)}.") from error
    if not isinstance(data, dict):
        raise BadInput(f"{path}: expected a mapping.", hint=f"Its keys: {', '.join(Recipe.model_fields)}.")
    try:
        return Recipe.model_validate(data)
    except ValidationError as error:
        problems = [_explain(item) for item in error.errors(include_url=False)]
        raise BadInput(f"{path}: {'; '.join(problems)}.", hint="docs/training.md lists the keys.") from None


def _explain(item: Any) -> str:
    """One of pydantic's errors as `key: what is wrong`."""
    key = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        known = _keys(item["loc"][:-1])
        close = difflib.get_close_matches(str(item["loc"][-1]), known, n=1)
        return f"{key}: unknown key, " + (f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}")
    if item["type"] == "missing":
        return f"{key}: missing"
    if item["type"] == "value_error":
        return f"{key}: {item['ctx']['error']}".removeprefix(": ")
    return f"{key}: {item['msg'][:1].lower()}{item['msg'][1:]}, got {item['input']!r}"


def _keys(place: tuple[int | str, ...]) -> list[str]:
    """The keys that a section knows; none where the place is no section."""
    model: Any = Recipe
    for part in place:
        if isinstance(part, str) and part in getattr(model, "model_fields", {}):
            model = _section(model.model_fields[part].annotation)
    return list(getattr(model, "model_fields", {}))


def _section(annotation: Any) -> Any:
    """The section class in `annotation`, `X | None` or a list of X among them."""
    inside = [annotation, *getattr(annotation, "__args__", ())]
    return next((kind for kind in inside if isinstance(kind, type) and issubclass(kind, BaseModel)), annotation)
