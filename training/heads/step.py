"""What every step that teaches a small network does: claim a folder, learn, measure, pack, write the card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.engines.allocator import keep_freed_memory
from rewrite.errors import BadOption
from training.card import CardTexts, write_card
from training.disk import claim, folder_lock, options_told, write_folder, write_json
from training.finetuning.base import require_trainer
from training.finetuning.learning import Learning
from training.finetuning.trainer import Figures, Judge, train
from training.heads.batches import LengthBatches
from training.recipe import PAGES, Run

# They change how fast it goes, how often something is written, or what is said of the model, not what is learnt. The
# encoder may move to another folder.
_FREE = {"device", "threads", "save_every", "keep", "log_every", "judge_every", "licence", "data", "encoder"}


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
    on. Raises `BadOption` where the recipe has no such section or the folder holds another run, `CannotWrite`,
    `MissingExtra`.
    """
    options = section_of(run, section)
    if isinstance(options, Learning):
        require_trainer()
    made_of = options_told(section, options, free=_FREE) | {"seed": str(run.recipe.seed)}
    with folder_lock(run.out, f".{section}.lock"):
        claim(run.out / section, made_of | ({f"{section}.parser": parser} if parser else {}), restart=restart)
        outcome = learn(options, run, run.out / section)
        write_json(run.out / "figures.json", outcome.figures)

        def write(folder: Path) -> None:
            outcome.pack(folder)
            write_card(
                folder,
                outcome.figures,
                texts,
                name=run.recipe.name,
                language=run.recipe.language,
                licence=options.licence,
                data=options.data,
                parser=parser,
            )

        write_folder(run.out / "model", write)
    return run.out / "model"


def section_of(run: Run, section: str) -> Any:
    """A section of the recipe. Raises `BadOption` where it has none."""
    options = getattr(run.recipe, section)
    if options is None:
        raise BadOption(f"The recipe {run.recipe.name!r} has no section {section}.", hint=f"See {PAGES[section]}.")
    return options


def teach(
    network: Callable[[], Any],
    learnt: LengthBatches,
    judge: Judge,
    options: Learning,
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
