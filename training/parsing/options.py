"""The recipe of a parser: which treebanks it sees, under which licences, and how long it learns.

    name: en-open
    licence: CC BY-SA 4.0
    train:
      - files: "{data}/ud/en_gum/not-to-release/sources/GUM_news_*.conllu"
        licence: CC BY 2.5
    dev: "{data}/ud/en_gum/en_gum-ud-dev.conllu"

`{data}` at the start of a path stands for the data folder (`--data`, or the variable REWRITE_DATA).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from rerank.errors import BadInput
from training.heads.options import Name
from training.section import Section

__all__ = ["ParserRecipe", "Treebank", "load_parser_recipe", "shipped_parser_recipes"]

_FOLDER = Path(__file__).resolve().parent


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


class ParserRecipe(Section):
    """A whole recipe."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+([-_][a-z0-9]+)*$")]
    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")] = "1.0.0"
    summary: Name
    licence: Name
    """Of the pipeline that comes out of it."""
    train: Annotated[tuple[Treebank, ...], Field(min_length=1)]
    dev: Name
    """CoNLL-U: chooses among the states of the training."""
    test: str | None = None
    """CoNLL-U: measured once, at the end."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    minutes: Annotated[float, Field(gt=0)] = 10.0
    """Time for the training itself."""
    max_steps: Annotated[int, Field(gt=0)] = 20_000
    eval_every: Annotated[int, Field(gt=0)] = 200
    """Steps between two measurements on `dev`."""
    sentences_at_once: Annotated[int, Field(gt=0)] = 10
    """In a text: a parser learns where they end."""
    max_megabytes: Annotated[float, Field(gt=0)] = 10.0
    """A packed pipeline that is larger is refused."""

    @property
    def held(self) -> dict[str, str]:
        """The files that are not learnt from, by what they are for: `dev`, and `test` where there is one."""
        return {name: path for name, path in (("dev", self.dev), ("test", self.test)) if path}


def shipped_parser_recipes() -> tuple[str, ...]:
    """Names of the recipes in `training/parsing`, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def load_parser_recipe(name_or_path: str | Path) -> ParserRecipe:
    """A recipe from a YAML file, or a shipped one by its name. Raises `BadInput` that names the file and the key."""
    import yaml

    shipped = shipped_parser_recipes()
    path = _FOLDER / f"{name_or_path}.yaml" if str(name_or_path) in shipped else Path(name_or_path)
    try:
        data: Any = yaml.safe_load(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadInput(
            f"Cannot read the recipe {str(path)!r}: {error.strerror or error}.",
            hint=f"Give a YAML file, or one of the shipped: {', '.join(shipped)}.",
        ) from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadInput(f"{path}: not YAML in UTF-8: {str(error).splitlines()[0]}.") from error
    try:
        return ParserRecipe.model_validate(data)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_url=False)]
        raise BadInput(f"{path}: {'; '.join(problems)}.", hint="docs/english.md lists the keys.") from None
