"""Packs a trained low-rank adapter of the base for the package: numbers in int8, prompt, card, checksums.

    python -m training.adapter RUN --out rewrite/base/models/NAME

RUN is the folder of `python -m training.finetune` with a recipe whose section `finetune` has `lora` and whose section
`export` has licence, summary, data and limits for the card. Tells how far the int8 numbers are from the trained ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rerank.errors import BadInput
from rewrite.acceptance.verdict import ASKED
from rewrite.base.model_weights import LowRank, pack_low_rank, write_adapter
from rewrite.base.package import ADAPTER_FILE, DIGEST, PACKAGE, VERDICTS, VERSION
from rewrite.checksums import write_sums
from rewrite.prompting import load_prompt
from training.card import write_files
from training.command import command_line
from training.finetuning.saving import write_prompt
from training.recipe import Recipe, load_recipe

_PREFIX = "base_model.model."
_JUDGES = "It says what a reader may think of a rewrite, and may be wrong: it is a reason to choose, not a proof."
_CAUTION = (
    "A generator of candidates: it may change names, numbers or who did what. Choose among its candidates with a "
    "reranker that checks facts, and read what matters."
)


def packed_layers(folder: Path, levels: int = 127) -> tuple[dict[str, LowRank], float]:
    """The adapter in `folder` (adapter_model.safetensors of peft) by the weights it changes, and the largest relative
    error (Frobenius norm) of a layer in integers up to `levels`. Raises `BadInput` for a folder without one."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
        numbers = load_file(folder / "adapter_model.safetensors")
        factor = config["lora_alpha"] / config["r"]
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise BadInput(f"{folder}: there is no adapter of peft: {error}.", hint="Give the folder of a run.") from error
    layers, worst = {}, 0.0
    for name, a in numbers.items():
        if not name.endswith(".lora_A.weight"):
            continue
        stem = name.removesuffix(".lora_A.weight")
        b = numbers[f"{stem}.lora_B.weight"]
        layer = pack_low_rank(a, b, factor, levels=levels)
        exact = factor * b @ a
        lost = layer.added_to(np.zeros_like(exact)) - exact
        worst = max(worst, float(np.linalg.norm(lost) / max(float(np.linalg.norm(exact)), 1e-12)))
        layers[f"{stem.removeprefix(_PREFIX)}.weight"] = layer
    return layers, worst


def write_peft(layers: Mapping[str, LowRank], file: Path) -> None:
    """Write shipped layers as the weights of peft's adapter whose alpha is its rank, to go on training from.

    What one factor has more the other has less: the rows of A are as large as peft's are before they learn.
    """
    from safetensors.numpy import save_file

    numbers: dict[str, Any] = {}
    for name, layer in layers.items():
        stem, a = f"{_PREFIX}{name.removesuffix('.weight')}", layer.a.astype(np.float32)
        size = np.sqrt(np.square(a).mean(axis=1) * 3 * a.shape[1]) + np.finfo(np.float32).tiny
        numbers[f"{stem}.lora_A.weight"] = a / size[:, None]
        numbers[f"{stem}.lora_B.weight"] = layer.b * (layer.scales * size)
    save_file(numbers, file)


def _card(
    name: str, recipe: Recipe, layers: Mapping[str, LowRank], figures: Mapping[str, Any], *, levels: int
) -> dict[str, Any]:
    export = recipe.export
    finetune = recipe.finetune
    return {
        "name": name,
        "summary": export.summary if export else "",
        "language": recipe.language,
        "task": "verdict" if name in VERDICTS else "simplify",
        "architecture": "gemma3_text, low-rank adapter",
        "parameters": sum(layer.a.size + layer.b.size for layer in layers.values()),
        "weights": f"int8, whole numbers up to {levels}",
        "base": {"package": PACKAGE, "version": VERSION, "sha256": DIGEST, "licence": "Gemma Terms of Use"},
        "licence": (export.licence_name or export.licence) if export else "",
        "data": [source.model_dump(mode="json") for source in export.data] if export else [],
        "limits": list(export.limits) if export else [],
        "recipe": finetune.model_dump(mode="json", exclude_defaults=True) if finetune else {},
        "seed": recipe.seed,
        "figures": dict(figures),
        "caution": _JUDGES if name in VERDICTS else _CAUTION,
    }


def _paragraphs(card: Mapping[str, Any], recipe: str) -> list[str]:
    verdict = card["task"] == "verdict"
    asked = "the rewrite; then the end token where a reader would print it" if verdict else "the rewrite"
    digits = ASKED.text if verdict else "1615"
    return [
        "",
        f"A low-rank adapter ({card['parameters'] / 1e6:.1f} M numbers, int8) of Gemma 3 270M, made by this project's "
        f"recipe\n`{recipe}`. Gemma is provided under and subject to the Gemma Terms of Use found at "
        "ai.google.dev/gemma/terms;\na copy and the NOTICE lie beside this file's folder, or with it where it was "
        f"exported. {card['caution']}",
        "## What it learnt from",
        "\n".join(f"- {source['name']}: {source['licence']} ({source['used_for']})" for source in card["data"]),
        "## Limits",
        "\n".join(f"- {limit}" for limit in card["limits"]),
        "## Prompt",
        f"The source, a line with four control digits (`rewrite/controls.py`), {asked}:",
        f"    SOURCE\n    {digits}\n    REWRITE<eos>",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, pack, write."""
    parser = command_line("adapter", __doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--recipe", default="gemma-ru")
    parser.add_argument("--levels", type=int, default=127, help="largest integer; 31 makes a file of two thirds")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    recipe = load_recipe(options.recipe)
    if not 1 <= options.levels <= 127:
        parser.error(f"--levels got {options.levels}: a whole number from 1 to 127")
    layers, worst = packed_layers(options.run / "adapter", options.levels)
    figures = json.loads((options.run / "figures.json").read_text(encoding="utf-8"))
    options.out.mkdir(parents=True, exist_ok=True)
    write_adapter(options.out / ADAPTER_FILE, layers)
    write_prompt(load_prompt((recipe.finetune and recipe.finetune.prompt) or "gemma_ru"), options.out)
    card = _card(options.out.name, recipe, layers, figures, levels=options.levels)
    write_files(options.out, card, _paragraphs(card, recipe.name))
    write_sums(options.out)
    size = (options.out / ADAPTER_FILE).stat().st_size
    print(f"{options.out}: {len(layers)} weights, {size:,} bytes; integers are within {worst:.2%} of a layer's change")


if __name__ == "__main__":
    main()
