"""What every step that teaches a small network does: claim a folder, learn, measure, pack, write the card."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.checksums import write_sums
from rewrite.engines.allocator import keep_freed_memory
from rewrite.errors import BadInput
from training.card import DataSet, data_table, write_files
from training.disk import FolderLock, claim, options_told, write_folder, write_json
from training.finetuning.base import require_trainer
from training.finetuning.trainer import Judge, train
from training.heads.batches import LengthBatches
from training.heads.options import HeadOptions
from training.recipe import PAGES, Recipe, Run
from training.sizes import require_small

_NON_COMMERCIAL = re.compile(r"non-?commercial|\bNC\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CardTexts:
    """What a card says of every network of its kind: its task, what it is, what it does badly, what its figures are."""

    task: str
    what: str
    limits: str
    measured: str


def write_card(
    folder: Path, recipe: Recipe, options: Any, figures: Mapping[str, float], texts: CardTexts, *, parser: str
) -> None:
    """Write README.md, card.json and the checksums to the folder of a packed network.

    `options` are the section that it was made by, with its `licence` and `data`. `parser` is the signature of the
    parser whose trees the network reads, empty for one that reads none.
    """
    data = [item.model_dump(mode="json") for item in options.data]
    limits = [texts.limits, *filter(None, [non_commercial(options.data)])]
    card = {
        "name": recipe.name,
        "task": texts.task,
        "language": recipe.language,
        "licence": options.licence,
        "data": data,
        "figures": dict(figures),
        "limits": limits,
    } | ({"parser": parser} if parser else {})
    rows = "\n".join(f"| {key} | {round(value, 3):,} |" for key, value in figures.items())
    reads = f" It reads trees of {parser}." if parser else ""
    paragraphs = [
        "",
        texts.what,
        f"Licence: {options.licence}. {' '.join(limits)}{reads}",
        f"## What it has seen\n\n{data_table(data)}",
        f"## Figures\n\n{texts.measured}\n\n| | |\n| --- | --- |\n{rows}",
    ]
    write_files(folder, card, paragraphs)
    write_sums(folder)


def non_commercial(data: Sequence[DataSet]) -> str:
    """Which sets are for non-commercial use by what is said of their licences; empty where none is."""
    names = [item.name for item in data if _NON_COMMERCIAL.search(item.licence or "")]
    if not names:
        return ""
    return (
        f"Non-commercial, wholly or in part, by what their origins state: {'; '.join(names)}. Who needs a model that "
        "has not seen them takes them out of the recipe and trains it again."
    )


Figures = Mapping[str, float]
# They change how fast it goes, how often something is written, or what is said of the model, not what is learnt. The
# encoder may move to another folder.
_FREE = {"device", "threads", "save_every", "keep", "log_every", "judge_every", "licence", "data", "max_mb", "encoder"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a network is worth, and `pack`, which writes it to a folder."""

    figures: Figures
    pack: Callable[[Path], None]


def make_head(
    run: Run,
    section: str,
    learn: Callable[[Any, Run, Path], Outcome],
    texts: CardTexts,
    *,
    restart: bool,
    parser: str = "",
) -> Path:
    """Take a step: `learn` is given the recipe's `section`, the run and the folder that it works in.

    Returns the folder of the packed network, which has its card and checksums; figures.json is beside it. `parser` is
    the signature of the parser whose trees the network learns to read, where there is one. A run that was stopped goes
    on. Raises `BadInput` where the recipe has no such section, `BadOption` where the folder holds another run,
    `BadModel` where the packed network takes more than the section allows, `CannotWrite`, `MissingExtra`.
    """
    options = section_of(run, section)
    if isinstance(options, HeadOptions):
        require_trainer()
    made_of = options_told(section, options, free=_FREE) | {"seed": str(run.recipe.seed)}
    with FolderLock(run.out, f".{section}.lock"):
        claim(run.out / section, made_of | ({f"{section}.parser": parser} if parser else {}), restart=restart)
        outcome = learn(options, run, run.out / section)
        write_json(run.out / "figures.json", outcome.figures)

        def write(folder: Path) -> None:
            outcome.pack(folder)
            write_card(folder, run.recipe, options, outcome.figures, texts, parser=parser)
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            require_small(size, options.max_mb, f"{section}.max_mb", what="The model")

        write_folder(run.out / "model", write)
    return run.out / "model"


def section_of(run: Run, section: str) -> Any:
    """A section of the recipe. Raises `BadInput` where it has none."""
    options = getattr(run.recipe, section)
    if options is None:
        raise BadInput(f"The recipe {run.recipe.name!r} has no section {section}.", hint=f"See {PAGES[section]}.")
    return options


def make_once(folder: Path, write: Callable[[Path], object]) -> Path:
    """`folder`, which `write` fills where it is not there yet. Raises `CannotWrite`."""
    if not folder.is_dir():
        write_folder(folder, write)
    return folder


def teach(
    network: Callable[[], Any],
    learnt: LengthBatches,
    judge: DevJudge,
    options: HeadOptions,
    *,
    seed: int,
    folder: Path,
) -> tuple[Any, int]:
    """The network that `network` makes, after it has learnt, with the weights that `judge` found best; and its updates.

    It goes on from the checkpoints in `folder`. Raises what `train` raises.
    """
    import torch
    from safetensors.torch import load_file

    print(f"{len(learnt.examples):,} examples, {learnt.batches_in_epoch:,} batches an epoch", flush=True)
    torch.manual_seed(seed)
    made = network()
    # Tables of scores are large: given back and asked for at each step, they take time.
    keep_freed_memory()
    best, state = train(made, learnt, options, seed=seed, folder=folder, judge=judge)
    made.load_state_dict(load_file(best / "model.safetensors"))
    return made, int(state["global_step"])


class DevJudge(Judge):
    """Has dev examples measured and tells all figures; `loss` makes one of them, and the weights with the least win."""

    def __init__(
        self, measure: Callable[[Any], Figures], loss: Callable[[Figures], float], every: int, of: str = "dev"
    ) -> None:
        super().__init__(every)
        self._measure, self._loss, self._of = measure, loss, of

    def judge(self, model: Any, step: int) -> float:
        """See `Judge.judge`."""
        figures = self._measure(model)
        told = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"{self._of} at step {step:,}: {told}", flush=True)
        return self._loss(figures)
