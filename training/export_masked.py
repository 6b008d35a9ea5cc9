"""Pack a small masked language model: encoder, head, tokenizer, card and checksums in one folder.

    python -m training.export_masked RECIPE --out FOLDER [--data DIR]

What `python -m training.masked_lm` has left in FOLDER is packed as the recipe's section `masked.export` says and
written to FOLDER/export/NAME, or nothing is. `rerank.masked.bundled.BundledMaskedModel` runs such a folder without
torch; those of the package lie in rerank/models. Two exports of one model are the same, byte by byte.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from rerank.masked.base import MaskedModel, Row
from rerank.masked.bundled import BundledMaskedModel
from rewrite.checksums import SUMS, has_sums, write_sums
from rewrite.engines.cache import build_anew
from rewrite.engines.checkpoint import libraries, quietly
from rewrite.errors import BadModel, CannotWrite
from rewrite.version import version as own_version
from training.card import CARD_FILES, data_table, table, write_files
from training.command import open_run, run_to_the_end, step_parser
from training.disk import cannot_write
from training.heads.step import section_of
from training.masked.batches import MaskedBatches
from training.masked.options import MaskedExport
from training.masked.packing import pack
from training.masked_lm import held_out_batches
from training.recipe import Recipe, Run, recipe_file
from training.sizes import MEGABYTE, require_small

Say = Callable[[str], None]
_ROWS = 500
_LIBRARIES = ("ctranslate2", "torch", "transformers", "tokenizers")
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


def export_masked(run: Run, recipe_text: str, say: Say) -> tuple[Path, MaskedAgreement]:
    """Pack the run's model into `{out}/export/NAME`; returns the folder and how well it agrees with the checkpoint.

    An earlier export there is replaced, and only by a whole one. Raises `BadInput` where there is no trained model,
    `BadModel` where the packed one is too large or says other things, `CannotWrite`, `MissingExtra`.
    """
    options: MaskedExport | None = section_of(run, "masked").export
    if options is None:
        raise BadInput(
            f"The recipe {run.recipe.name!r} has no section masked.export.", hint="It needs licence and data at least."
        )
    libraries()
    told = _figures(run)
    agreements: list[MaskedAgreement] = []
    target = run.out / "export" / run.recipe.name
    _pack_into(target, lambda folder: agreements.append(_build(run, options, recipe_text, told, folder, say)))
    return target, agreements[0]


def _pack_into(target: Path, build: Callable[[Path], None]) -> None:
    """Have `build` fill `target`: all of it, or what was there stays. Raises `CannotWrite`, also for another folder."""
    if target.exists() and not (target.is_dir() and (has_sums(target) or not any(target.iterdir()))):
        raise CannotWrite(f"{target} is there and is no export.", hint="Move it away, or choose another --out.")
    try:
        build_anew(target, build)
    except OSError as error:
        raise cannot_write(target, error, kept="nothing of it was kept") from error


def _figures(run: Run) -> dict[str, Any]:
    path = run.out / "figures.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"No trained model: {path} cannot be read.", hint=f"Run: python -m training.masked_lm … --out {run.out}"
        ) from error
    return found


def _build(
    run: Run, options: MaskedExport, recipe_text: str, told: dict[str, Any], folder: Path, say: Say
) -> MaskedAgreement:
    checkpoint, name = run.out / "model", run.recipe.name
    say(f"Packing {checkpoint} ({options.weights}) …")
    pack(checkpoint, folder, name=name, language=run.recipe.language, weights=options.weights)
    rows, targets = _masked_rows(held_out_batches(section_of(run, "masked"), run))
    say(f"Comparing it with the checkpoint on {len(rows)} held-out texts …")
    agreement = _measure_agreement(checkpoint, BundledMaskedModel(folder), rows, targets)
    _require_agreement(agreement, options)
    _write_card(folder, _card(run.recipe, options, recipe_text, told, agreement, folder))
    write_sums(folder)
    require_small(
        _size(folder),
        options.max_mb,
        "masked.export.max_mb",
        what="The export",
        hint="Nothing was written. Take a smaller vocabulary or model, or raise max_mb.",
    )
    return agreement


def _masked_rows(batches: MaskedBatches) -> tuple[list[Row], list[NDArray[Any]]]:
    """Rows of held-out texts with their masks, at most 500, and the tokens that stood at each row's masks."""
    rows: list[Row] = []
    targets: list[NDArray[Any]] = []
    for number in range(batches.batches_in_epoch):
        batch = batches.arrays(number)
        tokens, width = batch["input_ids"], batch["input_ids"].shape[1]
        lengths = batch["attention_mask"].sum(axis=1) if "attention_mask" in batch else np.full(len(tokens), width)
        owners, places = np.divmod(batch["places"], width)
        for i, length in enumerate(lengths.tolist()):
            own = owners == i
            rows.append(Row(tuple(tokens[i, :length].tolist()), tuple(places[own].tolist())))
            targets.append(batch["targets"][own])
        if len(rows) >= _ROWS:
            break
    return rows[:_ROWS], targets[:_ROWS]


def _measure_agreement(
    checkpoint: Path, packed: MaskedModel, rows: Sequence[Row], targets: Sequence[NDArray[Any]]
) -> MaskedAgreement:
    """Ask both models for every mask."""
    import torch
    import transformers

    with quietly():
        model: Any = transformers.BertForMaskedLM.from_pretrained(str(checkpoint), local_files_only=True)
    model.eval()
    same, gap, distance, masks = 0, 0.0, 0.0, 0
    for row, right, mine in zip(rows, targets, packed.predict(rows), strict=True):
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([row.tokens])).logits[0, list(row.positions)]
        theirs = torch.log_softmax(logits.float(), dim=-1).numpy()
        each = np.arange(len(right))
        same += int((theirs.argmax(axis=1) == mine.argmax(axis=1)).sum())
        gap += float(np.abs(theirs[each, right] - mine[each, right]).sum())
        overlap = np.exp(0.5 * (theirs.astype(np.float64) + mine)).sum(axis=1)
        distance += float(np.sqrt(np.clip(1.0 - overlap, 0.0, None)).sum())
        masks += len(right)
    return MaskedAgreement(len(rows), masks, same / max(masks, 1), gap / max(masks, 1), distance / max(masks, 1))


def _require_agreement(found: MaskedAgreement, options: MaskedExport) -> None:
    """Raise `BadModel` with all figures where the models are further apart than the recipe allows."""
    if found.same >= options.same and found.gap <= options.gap:
        return
    raise BadModel(
        f"The packed model says other things than the checkpoint: at {found.same:.1%} of {found.masks:,} masks its "
        f"first word is the same (at least {options.same:.0%} wanted), log-probabilities differ by {found.gap:.4f} "
        f"nats (at most {options.gap:g}).",
        hint="Train longer, take weights: float32, or wider bounds in masked.export.",
    )


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.name != SUMS)


def _measured(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What `figures.json` of the training says, beside what the frequency of tokens alone reaches."""
    command = "python -m training.masked_lm RECIPE --out FOLDER --data DIR"
    usual, single, plain = told["held_out"], told["held_out_one_word"], told["frequency_alone"]
    on = f"{usual['masks']:,} masks of held-out texts"
    alone = f"held-out texts, one word masked in each ({single['masks']:,} masks)"
    names = {"loss": "loss, nats a mask", "accuracy": "first guess right"}
    rows = [(names[key], on, usual[key], {"frequency alone": plain[key]}) for key in names]
    rows += [(names[key], alone, single[key], {}) for key in names]
    return [
        {"name": name, "value": value, "command": command, "on": where, "interval": None, "baselines": baselines}
        for name, where, value, baselines in rows
    ]


def _card(
    recipe: Recipe,
    options: MaskedExport,
    recipe_text: str,
    told: Mapping[str, Any],
    agreement: MaskedAgreement,
    folder: Path,
) -> dict[str, Any]:
    """All that the card says, as JSON has it. `told` is the training's `figures.json`; `folder` holds the model."""
    files = {path.name: path.stat().st_size for path in folder.iterdir() if path.name not in (*CARD_FILES, SUMS)}
    return {
        "name": recipe.name,
        "summary": options.summary,
        "language": recipe.language,
        "licence": options.licence,
        "bytes": sum(files.values()),
        "files": dict(sorted(files.items())),
        "data": [item.model_dump(mode="json") for item in options.data],
        "figures": _measured(told),
        "limits": [*options.limits, *_LIMITS],
        "seed": recipe.seed,
        "libraries": {"python": platform.python_version(), "rewrite-rerank": own_version()}
        | {name: version(name) for name in _LIBRARIES},
        "recipe": recipe_text,
        "architecture": "bert",
        "parameters": told["parameters"],
        "weights": options.weights,
        "texts": told["texts"],
        "steps": told["kept"],
        **({"earlier": told["earlier"]} if "earlier" in told else {}),
        "verified": {
            **{key: round(value, 6) for key, value in asdict(agreement).items()},
            "bounds": {"same": options.same, "gap": options.gap},
        },
    }


def _write_card(folder: Path, card: Mapping[str, Any]) -> None:
    import yaml

    verified, texts, earlier = card["verified"], card["texts"], card.get("earlier")
    start = "random weights"
    if earlier:
        start = f"the weights of {earlier['name']} after {earlier['steps']:,} steps (`masked.start`)"
    front = {
        "language": [card["language"]],
        "license": card["licence"],
        "datasets": [item["hub"] or item["name"] for item in card["data"]],
        "library_name": "ctranslate2",
        "pipeline_tag": "fill-mask",
        "tags": ["bert", "ctranslate2", "rewrite-rerank"],
    }
    size = f"bert, {card['parameters'] / 1e6:.1f} million parameters, {card['bytes'] / 1e6:.1f} MB"
    paragraphs = [
        f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True)}---",
        f"A masked language model ({size}), weights in {card['weights']}: the encoder for CTranslate2 "
        "(`model.bin`), the head for numpy (`head.npz`). `rerank.masked.bundled` runs it without torch.",
        f"## Data\n\n{data_table(card['data'])}",
        f"{texts['train']:,} sentences; {texts['held_out']:,} more were held out.",
        f"## Figures\n\n{_figure_table(card['figures'])}",
        f"## Conversion\n\nAgainst the checkpoint in 32 bits, at {verified['masks']:,} masks of {verified['rows']:,} "
        f"held-out texts: the first word is the same at {verified['same']:.1%} (bound: "
        f"{verified['bounds']['same']:.0%}), log-probabilities of the right word differ by {verified['gap']:.4f} nats "
        f"on average (bound: {verified['bounds']['gap']:g}), and the distributions by a Hellinger distance of "
        f"{verified['hellinger']:.4f}.",
        "## Limits",
        "\n".join(f"- {line}" for line in card["limits"]),
        f"## Training\n\nSeed {card['seed']}, {card['steps']:,} steps from {start}. The recipe:\n\n"
        f"{_fenced(card['recipe'])}",
        "Packed with " + ", ".join(f"{name} {release}" for name, release in card["libraries"].items()) + ".",
        "`sha256sum -c SHA256SUMS` checks the files; `card.json` says all this for programs.",
    ]
    write_files(folder, card, paragraphs)


def _figure_table(figures: Sequence[Mapping[str, Any]]) -> str:
    """Figures beside those of baselines, with the command that prints each, in Markdown."""
    others = list(dict.fromkeys(name for figure in figures for name in figure["baselines"]))
    rows = [
        (
            figure["name"],
            figure["on"],
            f"{figure['value']:.6g}",
            *(f"{figure['baselines'][name]:.6g}" if name in figure["baselines"] else "" for name in others),
            f"`{figure['command']}`",
        )
        for figure in figures
    ]
    return table(("figure", "on", "this model", *others, "command"), rows)


def _fenced(text: str) -> str:
    """A recipe as a block of Markdown."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}yaml\n{text.rstrip()}\n{fence}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and export; returns the exit status."""
    given = step_parser("export_masked", __doc__).parse_args(arguments)

    def work() -> None:
        run = open_run(given)
        text = recipe_file(given.recipe).read_text(encoding="utf-8")
        folder, found = export_masked(
            run, text, lambda line: print(f"export_masked: {line}", file=sys.stderr, flush=True)
        )
        size = sum(path.stat().st_size for path in folder.iterdir() if path.name != SUMS) / MEGABYTE
        print(f"{folder}: {size:.1f} MB")
        print(
            f"at {found.same:.1%} of {found.masks:,} masks the checkpoint's first word, {found.gap:.4f} nats between "
            f"log-probabilities of the right word, Hellinger distance {found.hellinger:.4f}"
        )

    return run_to_the_end("export_masked", work, stopped="stopped, nothing was written")


if __name__ == "__main__":
    sys.exit(main())
