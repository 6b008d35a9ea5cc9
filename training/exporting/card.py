"""The card of a packed model: what it is, what it saw, what was measured; for people (README.md) and for programs."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rerank.errors import BadInput
from rewrite.declaration import complaints
from rewrite.version import version as own_version
from training.exporting.options import ExportOptions, PackedOptions
from training.recipe import Recipe

__all__ = [
    "CARD_FILES",
    "Figure",
    "base_of",
    "common_data",
    "data_table",
    "read_figures",
    "size_told",
    "write_card",
    "write_files",
    "write_packed",
]

_HINT = "A figure is {name, value, command}, with on, interval and baselines where there are any."
_FINETUNE = "python -m training.finetune RECIPE --out FOLDER"
_Number = Annotated[float, Field(allow_inf_nan=False)]


class Figure(BaseModel):
    """One measured figure: what it is, on which texts, the command that prints it, and baselines' on the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1)]
    value: _Number
    command: Annotated[str, Field(min_length=1)]
    on: str = ""
    interval: tuple[_Number, _Number] | None = None
    baselines: dict[str, _Number] = {}


def read_figures(path: Path) -> tuple[Figure, ...]:
    """The figures in a JSON file. Raises `BadInput` that names the file, and the figure that lacks something."""
    try:
        data: Any = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadInput(f"Cannot read the figures {str(path)!r}: {error.strerror or error}.", hint=_HINT) from error
    except ValueError as error:
        raise BadInput(f"{path}: not JSON in UTF-8: {error}.", hint=_HINT) from None
    rows = data.get("figures") if isinstance(data, dict) else None
    if rows is None and isinstance(data, dict) and "steps" in data:
        rows = _rows_of_training(data.get("dev"))
    if not isinstance(rows, list):
        raise BadInput(f"{path}: it has no list of `figures`.", hint=_HINT)
    return tuple(_figure(row, number, path) for number, row in enumerate(rows, 1))


def _rows_of_training(dev: Any) -> list[dict[str, Any]]:
    """What the step finetune measured on its dev set; nothing where it had none."""
    if not isinstance(dev, dict) or dev.get("best") is None:
        return []
    # It is the best of several, so it flatters the model.
    on = "dev, which the step whose weights were kept was chosen by"
    if dev.get("metric") != "sari":
        return [{"name": "loss, nats a token", "on": on, "value": dev["best"], "command": _FINETUNE}]
    how = f"{dev.get('sources')} sources of {on}; {dev.get('n')} candidates, preset {dev.get('preset')}"
    baselines = dev.get("baselines") or {}
    return [{"name": "SARI", "on": how, "value": dev["best"], "baselines": baselines, "command": _FINETUNE}]


def _figure(row: Any, number: int, path: Path) -> Figure:
    try:
        return Figure.model_validate(row)
    except ValidationError as error:
        name = row.get("name") if isinstance(row, dict) else None
        problems = complaints(Figure, error)
        raise BadInput(f"{path}, figure {number} ({name or 'without a name'}): {problems}.", hint=_HINT) from None


CARD_FILES = ("README.md", "card.json")
_LIBRARIES = ("ctranslate2", "torch", "transformers", "tokenizers")
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
_TAGS = {"simplify": "text-simplification", "split": "split-and-rephrase", "rephrase": "paraphrasing"}
_CAUTION = (
    "A generator of candidates: it may change names, numbers or who did what, and may write wrong grammar. Choose "
    "among its candidates with a reranker that checks facts, and read what matters."
)


def libraries() -> dict[str, str]:
    """Versions of what an exported model depends on."""
    own = {"python": platform.python_version(), "rewrite-rerank": own_version()}
    return own | {name: _version(name) for name in _LIBRARIES}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "unknown"


def common_data(
    recipe: Recipe,
    options: PackedOptions,
    sizes: Mapping[str, int],
    figures: Sequence[Figure],
    recipe_text: str,
) -> dict[str, Any]:
    """What cards of all packed models say, as JSON has it; `sizes` are the bytes of each file beside the card."""
    return {
        "name": recipe.name,
        "summary": options.summary,
        "language": recipe.language,
        "licence": options.licence,
        "bytes": sum(sizes.values()),
        "files": dict(sorted(sizes.items())),
        "data": [item.model_dump(mode="json") for item in options.data],
        "figures": [figure.model_dump(mode="json") for figure in figures],
        "limits": list(options.limits),
        "seed": recipe.seed,
        "libraries": libraries(),
        "recipe": recipe_text,
    }


def base_of(recipe: Recipe, options: ExportOptions) -> str | None:
    """What training began with: as the section `export` says, else the model's name on the hub; no path."""
    named = recipe.finetune.model if recipe.finetune is not None else None
    return options.base or (named if _is_on_hub(named) else None)


def _is_on_hub(base: str | None) -> bool:
    return base is not None and _HUB_NAME.fullmatch(base) is not None and not Path(base).is_dir()


def write_files(folder: Path, card: Mapping[str, Any], paragraphs: Iterable[str]) -> None:
    """Write `card` to `folder` as card.json, and `paragraphs` below its name and summary as README.md."""
    text, data = (folder / name for name in CARD_FILES)
    data.write_bytes((json.dumps(card, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
    front, *others = paragraphs
    parts = [front, f"# {card['name']}", card.get("summary", ""), *others]
    text.write_bytes(("\n\n".join(filter(None, parts)) + "\n").encode("utf-8"))


def write_packed(
    folder: Path,
    card: Mapping[str, Any],
    *,
    what: str,
    data_more: str,
    conversion: str,
    began: str,
    front: Mapping[str, Any],
) -> None:
    """The files of the card of a packed model, whose data `common_data` has made.

    `what` says what it is, `data_more` what stands below the table of its data, `conversion` how far it is from the
    checkpoint, `began` what training began with, and `front` is what the hub reads beside language, licence and data.
    """
    import yaml

    head = {"language": [card["language"]], "license": card["licence"]}
    head |= {"datasets": [item["hub"] or item["name"] for item in card["data"]], "library_name": "ctranslate2", **front}
    paragraphs = [
        f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---",
        what,
        f"## Data\n\n{data_table(card['data'])}",
        data_more,
        f"## Figures\n\n{figure_table(card['figures'])}",
        f"## Conversion\n\n{conversion}",
        "## Limits",
        "\n".join(f"- {line}" for line in card["limits"]),
        f"## Training\n\nSeed {card['seed']}{began} The recipe:\n\n{_fenced(card['recipe'])}",
        "Packed with " + ", ".join(f"{name} {release}" for name, release in card["libraries"].items()) + ".",
        "`sha256sum -c SHA256SUMS` checks the files; `card.json` says all this for programs.",
    ]
    write_files(folder, card, paragraphs)


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    """Write what `training.exporting.package` says of a generator to `folder`, its limits with a caution of ours."""
    front: dict[str, Any] = {"license_name": card["licence_name"]} if card["licence_name"] else {}
    # The hub makes a link of it.
    if _is_on_hub(card["base_model"]):
        front["base_model"] = card["base_model"]
    front["pipeline_tag"] = "text-generation" if card["kind"] == "causal" else "text2text-generation"
    front["tags"] = [*([_TAGS[card["task"]]] if card["task"] in _TAGS else []), "ctranslate2", "rewrite-rerank"]
    card = {**card, "limits": [*card["limits"], _CAUTION]}
    kind = {"seq2seq": "An encoder-decoder", "causal": "A causal language model"}[card["kind"]]
    write_packed(
        folder,
        card,
        what=(
            f"{kind} ({size_told(card)}) for CTranslate2, weights in {card['quantization']}.\n\n"
            "```sh\nrewrite simplify --generator ct2:FOLDER -i text.txt\n```\n\n"
            f"Asked by the prompt `{card['prompt']}` (`prompt.yaml`)."
        ),
        data_more="",
        conversion=_conversion(card),
        began=f". Training began with `{card['base_model']}`." if card["base_model"] else ".",
        front=front,
    )


def size_told(card: Mapping[str, Any]) -> str:
    """Architecture, parameters and bytes in words."""
    size = f"{card['parameters'] / 1e6:.1f} million parameters, {card['bytes'] / 1e6:.1f} MB"
    return f"{card['architecture']}, {size}"


def data_table(sets: Sequence[Mapping[str, Any]]) -> str:
    """The sets that a model saw, each with its licence, in Markdown."""
    rows = [(item["name"], item["used_for"], item["licence"], item["origin"]) for item in sets]
    return _table(("data set", "used for", "licence as stated at its origin", "origin"), rows)


def figure_table(figures: Sequence[Mapping[str, Any]]) -> str:
    """Figures beside those of baselines, with the command that prints each, in Markdown."""
    if not figures:
        return "None were measured for this card."
    others = list(dict.fromkeys(name for figure in figures for name in figure["baselines"]))
    rows = [
        (
            figure["name"],
            figure["on"],
            _value(figure),
            *(_number(figure["baselines"].get(name)) for name in others),
            f"`{figure['command']}`",
        )
        for figure in figures
    ]
    return _table(("figure", "on", "this model", *others, "command"), rows)


def _value(figure: Mapping[str, Any]) -> str:
    value = _number(figure["value"])
    return f"{value} ({' to '.join(map(_number, figure['interval']))})" if figure["interval"] else value


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _conversion(card: Mapping[str, Any]) -> str:
    verified, allowed = card["verified"], card["verified"]["bounds"]
    return (
        f"Against the checkpoint in 32 bits, on {verified['sentences']} sentences: {verified['same']} greedy texts are "
        f"the same (bound: {allowed['same']:.0%}), log-probabilities differ by {verified['gap']:g} nats a token on "
        f"average (bound: {allowed['gap']:g})."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _fenced(text: str) -> str:
    """A recipe as a block of Markdown."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}yaml\n{text.rstrip()}\n{fence}"
