"""From a checkpoint to a folder that runs by itself: model, tokenizer, prompt, card and checksums, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rerank.errors import BadInput
from rewrite.checksums import SUMS, has_sums, write_sums
from rewrite.engines.base import ModelInfo
from rewrite.engines.cache import build_anew
from rewrite.engines.checkpoint import libraries, model_info, resolve, weight_files
from rewrite.engines.convert import convert
from rewrite.errors import BadOption, CannotWrite
from rewrite.prompting import Prompt, load_prompt, require_fit
from rewrite.prompting.files import prompt_file
from training.disk import cannot_write
from training.exporting.agreement import SENTENCES, Agreement, bounds, measure, require
from training.exporting.card import CARD_FILES, Figure, base_of, common_data, read_figures, write_card
from training.exporting.options import ExportOptions
from training.recipe import Run
from training.sizes import parameters_in, require_small

__all__ = ["Exported", "export", "pack_into", "sizes"]

_PROMPT = "prompt.yaml"


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: the folder, the bytes of all its files, and how well it agrees with the checkpoint."""

    folder: Path
    size: int
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is known, and known to be usable, before the first file is written."""

    run: Run
    options: ExportOptions
    recipe_text: str
    info: ModelInfo
    checkpoint: Path
    prompt_file: Path
    prompt: Prompt
    figures: tuple[Figure, ...]
    sentences: tuple[str, ...]


def export(run: Run, recipe_text: str, say: Callable[[str], None]) -> Exported:
    """Pack the model of a recipe as its section `export` says, into `{out}/export/NAME`; `say` is told how it goes.

    An earlier export there is replaced, and only by a whole one. Raises `BadInput`, `BadModel`, `BadOption`,
    `CannotWrite` and `MissingExtra`.
    """
    plan = _plan(run, recipe_text, say)
    agreements: list[Agreement] = []
    target = pack_into(run, lambda folder: agreements.append(_build(plan, folder, say)))
    return Exported(folder=target, size=_size(target), agreement=agreements[0])


def pack_into(run: Run, build: Callable[[Path], None]) -> Path:
    """The folder of the run's export, which `build` fills: all of it, or what was there stays. Raises `CannotWrite`."""
    _require_free(run)
    target = _target_of(run)
    try:
        build_anew(target, build)
    except (CannotWrite, OSError) as error:
        # What `convert` raises for a full disk has the library's own error behind it.
        reason = error.__cause__ if isinstance(error.__cause__, Exception) else error
        raise cannot_write(target, reason, kept="nothing of it was kept") from error
    return target


def _target_of(run: Run) -> Path:
    """The folder that the packed model of a run is written to."""
    return run.out / "export" / run.recipe.name


def _require_free(run: Run) -> None:
    """Raise `CannotWrite` where the export would take the place of what is no export."""
    target = _target_of(run)
    if target.exists() and not (target.is_dir() and (has_sums(target) or not any(target.iterdir()))):
        raise CannotWrite(f"{target} is there and is no export.", hint="Move it away, or choose another --out.")


def _plan(run: Run, recipe_text: str, say: Callable[[str], None]) -> _Plan:
    options = run.recipe.export
    if options is None:
        raise BadOption(
            f"The recipe {run.recipe.name!r} has no section 'export'.", hint="It needs licence and data at least."
        )
    libraries()
    checkpoint = run.path(options.model)
    if not checkpoint.is_dir():
        raise BadInput(
            f"No trained model: there is no folder {str(checkpoint)!r}.",
            hint="Run the step finetune first, or name the folder in export.model.",
        )
    resolve(str(checkpoint))
    info = model_info(checkpoint, str(checkpoint))
    place = _prompt_file(options, run, checkpoint)
    prompt = load_prompt(str(place))
    require_fit(prompt, info)
    return _Plan(
        run=run,
        options=options,
        recipe_text=recipe_text,
        info=info,
        checkpoint=checkpoint,
        prompt_file=place,
        prompt=prompt,
        figures=_figures(options, run, say),
        sentences=options.verify.sentences or SENTENCES[run.recipe.language],
    )


def _prompt_file(options: ExportOptions, run: Run, checkpoint: Path) -> Path:
    if options.prompt is not None:
        return prompt_file(options.prompt) or run.path(options.prompt)
    own = checkpoint / _PROMPT
    if not own.is_file():
        raise BadOption(
            f"{checkpoint}: no {_PROMPT}, and export.prompt names none.",
            hint="Name the prompt that the model was trained with (rewrite prompts lists the shipped ones).",
        )
    return own


def _figures(options: ExportOptions, run: Run, say: Callable[[str], None]) -> tuple[Figure, ...]:
    if options.figures is not None:
        return read_figures(run.path(options.figures))
    usual = run.out / "figures.json"
    if usual.is_file():
        return read_figures(usual)
    say(f"No figures: {usual} is not there, and export.figures names no file. The card will say so.")
    return ()


def _build(plan: _Plan, folder: Path, say: Callable[[str], None]) -> Agreement:
    options = plan.options
    say(f"Converting {plan.checkpoint} ({options.quantization}) …")
    convert(plan.checkpoint, folder, quantization=options.quantization)
    shutil.copyfile(plan.prompt_file, folder / _PROMPT)
    _require_small(folder, options.max_mb)
    say(f"Comparing it with the checkpoint on {len(plan.sentences)} sentences …")
    agreement = measure(plan.checkpoint, folder, plan.prompt, plan.sentences)
    allowed = bounds(options.verify, options.quantization)
    require(agreement, allowed)
    card = common_data(plan.run.recipe, options, sizes(folder), plan.figures, plan.recipe_text) | {
        "task": plan.prompt.task,
        "kind": plan.info.kind,
        "architecture": plan.info.model_type,
        "parameters": parameters_in(weight_files(plan.checkpoint)),
        "quantization": options.quantization,
        "licence_name": options.licence_name,
        "base_model": base_of(plan.run.recipe, options),
        "prompt": plan.prompt.name,
        # Without the digits that differ between processors.
        "verified": {**asdict(agreement), "gap": round(agreement.gap, 4), "bounds": asdict(allowed)},
    }
    write_card(folder, card)
    write_sums(folder)
    _require_small(folder, options.max_mb)
    return agreement


def _require_small(folder: Path, max_mb: float | None) -> None:
    if max_mb is not None:
        hint = "Nothing was written. Take a smaller model or a coarser quantization, or raise max_mb."
        require_small(_size(folder), max_mb, "export.max_mb", what="The export", hint=hint)


def sizes(folder: Path) -> dict[str, int]:
    """Bytes of the files in the folder of an export, but for its card and sums, which tell of them."""
    left_out = {*CARD_FILES, SUMS}
    return {path.name: path.stat().st_size for path in _files(folder) if path.name not in left_out}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in _files(folder))


def _files(folder: Path) -> Sequence[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
