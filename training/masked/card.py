"""The card of a small masked language model, for people (README.md) and for programs (card.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from training.exporting.card import CARD_FILES, data_table, fenced, figure_table, libraries
from training.exporting.figures import Figure
from training.masked.options import MaskedExport
from training.recipe import Recipe

__all__ = ["MaskedAgreement", "masked_card", "write_masked_card"]

_LIMITS = (
    "It knows sentences of the kinds of text named above, without case; other kinds, and names, it guesses badly.",
    "What it finds likely is what it has read: it repeats what its texts say of people, and is no source of facts.",
)


@dataclass(frozen=True, slots=True)
class MaskedAgreement:
    """At `masks` held-out masks of `rows` texts, the checkpoint in 32 bits beside the packed model.

    `same` is the share with the same first word, `gap` the mean |log p − log p'| of the right word, in nats, and
    `hellinger` the mean Hellinger distance of the two distributions, in [0, 1].
    """

    rows: int
    masks: int
    same: float
    gap: float
    hellinger: float


def _figures(told: Mapping[str, Any]) -> list[Figure]:
    """What `figures.json` of the training says, beside what the frequency of tokens alone reaches."""
    command = "python -m training.masked_lm RECIPE --out FOLDER --data DIR"
    usual, one, plain = told["held_out"], told["held_out_one_word"], told["frequency_alone"]
    on = f"{usual['masks']:,} masks of held-out texts"
    alone = f"held-out texts, one word masked in each ({one['masks']:,} masks)"
    rows: tuple[tuple[str, str, float, dict[str, float]], ...] = (
        ("loss, nats a mask", on, usual["loss"], {"frequency alone": plain["loss"]}),
        ("first guess right", on, usual["accuracy"], {"frequency alone": plain["accuracy"]}),
        ("loss, nats a mask", alone, one["loss"], {}),
        ("first guess right", alone, one["accuracy"], {}),
    )
    return [
        Figure(name=name, on=where, value=value, baselines=baselines, command=command)
        for name, where, value, baselines in rows
    ]


def masked_card(
    recipe: Recipe,
    options: MaskedExport,
    recipe_text: str,
    told: Mapping[str, Any],
    found: MaskedAgreement,
    sizes: Mapping[str, int],
) -> dict[str, Any]:
    """All that the card says, as JSON has it. `told` is the training's `figures.json`, `sizes` bytes by file."""
    return {
        "name": recipe.name,
        "summary": options.summary,
        "language": recipe.language,
        "architecture": "bert",
        "parameters": told["parameters"],
        "weights": options.weights,
        "bytes": sum(sizes.values()),
        "files": dict(sorted(sizes.items())),
        "licence": options.licence,
        "data": [item.model_dump() for item in options.data],
        "texts": told["texts"],
        "steps": told["kept"],
        **({"earlier": told["earlier"]} if "earlier" in told else {}),
        "seed": recipe.seed,
        "figures": [figure.model_dump(mode="json") for figure in _figures(told)],
        "verified": {
            **{key: round(value, 6) for key, value in asdict(found).items()},
            "bounds": {"same": options.same, "gap": options.gap},
        },
        "limits": [*options.limits, *_LIMITS],
        "libraries": libraries(),
        "recipe": recipe_text,
    }


def write_masked_card(folder: Path, card: Mapping[str, Any]) -> None:
    """Write `card` to `folder`, as README.md with the hub's front matter and as card.json."""
    text, data = (folder / name for name in CARD_FILES)
    text.write_bytes(_readme(card).encode("utf-8"))
    data.write_bytes((json.dumps(card, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))


def _readme(card: Mapping[str, Any]) -> str:
    size = f"{card['parameters'] / 1e6:.1f} million parameters, {card['bytes'] / 1e6:.1f} MB"
    texts = card["texts"]
    parts = [
        f"---\n{_front_matter(card)}---",
        f"# {card['name']}",
        *([card["summary"]] if card["summary"] else []),
        f"A masked language model ({card['architecture']}, {size}), weights in {card['weights']}: the encoder for "
        "CTranslate2 (`model.bin`), the head for numpy (`head.npz`). `rerank.masked.bundled` runs it without torch.",
        f"## Data\n\n{data_table(card['data'])}\n\n{texts['train']:,} sentences; {texts['held_out']:,} more were held "
        "out.",
        f"## Figures\n\n{figure_table(card['figures'])}",
        f"## Conversion\n\n{_conversion(card['verified'])}",
        "## Limits\n\n" + "\n".join(f"- {line}" for line in card["limits"]),
        f"## Training\n\nSeed {card['seed']}, {card['steps']:,} steps from {_start(card)}. The recipe:\n\n"
        f"{fenced(card['recipe'])}",
        "Packed with " + ", ".join(f"{name} {found}" for name, found in card["libraries"].items()) + ".",
        "`sha256sum -c SHA256SUMS` checks the files; `card.json` says all this for programs.",
    ]
    return "\n\n".join(parts) + "\n"


def _start(card: Mapping[str, Any]) -> str:
    if "earlier" not in card:
        return "random weights"
    return f"the weights of {card['earlier']['name']} after {card['earlier']['steps']:,} steps (`masked.start`)"


def _front_matter(card: Mapping[str, Any]) -> str:
    names: Sequence[str] = [item["hub"] or item["name"] for item in card["data"]]
    data = {
        "language": [card["language"]],
        "license": card["licence"],
        "datasets": names,
        "library_name": "ctranslate2",
        "pipeline_tag": "fill-mask",
        "tags": ["bert", "ctranslate2", "rewrite-rerank"],
    }
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return text


def _conversion(found: Mapping[str, Any]) -> str:
    allowed = found["bounds"]
    return (
        f"Against the checkpoint in 32 bits, at {found['masks']:,} masks of {found['rows']:,} held-out texts: the "
        f"first word is the same at {found['same']:.1%} (bound: {allowed['same']:.0%}), log-probabilities of the right "
        f"word differ by {found['gap']:.4f} nats on average (bound: {allowed['gap']:g}), and the distributions by a "
        f"Hellinger distance of {found['hellinger']:.4f}."
    )
