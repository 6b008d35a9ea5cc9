"""What runs that train a network on a small encoder share: what they are made of, training, and what they leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from typing import Any

from training.disk import write_folder, write_text
from training.encoders.card import CardTexts, write_card
from training.encoders.options import EncoderOptions
from training.finetuning.identity import options_told
from training.finetuning.trainer import Batches, Judge, train
from training.recipe import Run
from training.sizes import require_small

__all__ = ["learn", "made_of", "write_outcome"]

# They change how fast it goes, how often something is written, or what is said of the model, not what is learnt. The
# encoder may move to another folder.
_FREE = {"device", "threads", "save_every", "keep", "log_every", "judge_every", "licence", "data", "max_mb", "encoder"}


def made_of(section: str, options: EncoderOptions, seed: int, *, without: Set[str] = frozenset()) -> dict[str, str]:
    """All that decides what comes out of a run, as `claim` is told it; the keys `without` are left out."""
    return options_told(section, options, free=_FREE | without) | {"seed": str(seed)}


def learn(network: Any, batches: Batches, options: EncoderOptions, *, seed: int, folder: Path, judge: Judge) -> int:
    """Train `network`, going on from the checkpoints in `folder`, and leave it with its best weights.

    Returns how many updates the run had. Raises what `train` raises.
    """
    from safetensors.torch import load_file

    best, state = train(network, batches, options, seed=seed, folder=folder, judge=judge)
    network.load_state_dict(load_file(best / "model.safetensors"))
    return int(state["global_step"])


def write_outcome(
    run: Run,
    section: str,
    options: EncoderOptions,
    figures: Mapping[str, float],
    texts: CardTexts,
    pack: Callable[[Path], None],
    *,
    parser: str = "",
) -> None:
    """Write figures.json, and the folder that `pack` fills with its card and checksums, all of it or nothing.

    The card names the `parser` whose trees the network has learnt to read, where there is one.
    Raises `BadModel` where that takes more than the `section` of the recipe allows, `CannotWrite`.
    """
    write_text(run.out / "figures.json", json.dumps(figures, indent=1) + "\n")

    def write(folder: Path) -> None:
        pack(folder)
        write_card(folder, run.recipe.name, options, figures, texts, parser=parser, language=run.recipe.language)
        size = sum(path.stat().st_size for path in folder.iterdir())
        require_small(size, options.max_mb, f"{section}.max_mb", what="The model")

    write_folder(run.out / "model", write)
