"""Training with spaCy: from a seed, within a time, and on from where a stopped run was.

spaCy keeps the weights of a run but not the state of its optimiser: a run that goes on has the weights and the count of
steps of the one before, and an optimiser that starts anew. A run that is not stopped is the same each time.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rewrite.errors import BadInput
from training.disk import write_folder, write_text
from training.parsing.options import ParserRecipe
from training.sizes import duration

__all__ = ["Progress", "train"]

_CONFIG = Path(__file__).resolve().parent / "pipeline.cfg"
_LOGGER = "rewrite_rerank.progress.v1"
_LAST, _BEST = "model-last", "model-best"
Say = Callable[[str], None]


class _TimeIsUp(Exception):
    """Ends spaCy's loop, which then writes its last state."""


@dataclass(slots=True)
class Progress:
    """How far a training is: steps and seconds over all its runs, and the best score on dev."""

    key: str
    steps: int = 0
    seconds: float = 0.0
    best: float = -1.0
    done: bool = False


def train(recipe: ParserRecipe, corpus: Path, out: Path, *, say: Say) -> Progress:
    """Fill `out` with `best`, the best pipeline that was found; what is in `out` already is gone on with.

    `corpus` holds `train.spacy` and `dev.spacy`. A folder of another recipe or corpus is begun anew. `say` is given a
    line after each measurement. Ctrl-C leaves the last state behind.
    """
    progress = _read(out / "progress.json", _key(recipe, corpus))
    best = out / "best"
    if progress.done and best.is_dir():
        say(f"trained already: {progress.steps} steps, {duration(progress.seconds)}")
        return progress
    if not progress.steps:
        shutil.rmtree(out, ignore_errors=True)
    before = out / "before"
    if (out / "run" / _LAST).is_dir():
        # spaCy empties the folder that it trains into.
        shutil.rmtree(before, ignore_errors=True)
        (out / "run").rename(before)
    if before.is_dir():
        say(f"going on from step {progress.steps}")
    _run(recipe, corpus, out, progress, before / _LAST, say)
    progress.done = True
    _keep(progress, out)
    return progress


def _key(recipe: ParserRecipe, corpus: Path) -> str:
    """What two runs must have in common for one to go on with the other."""
    digest = hashlib.sha256(recipe.model_dump_json().encode("utf-8"))
    for name in ("train.spacy", "dev.spacy"):
        digest.update((corpus / name).read_bytes())
    return digest.hexdigest()


def _read(path: Path, key: str) -> Progress:
    try:
        found = Progress(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Progress(key)
    return found if found.key == key else Progress(key)


def _keep(progress: Progress, out: Path) -> None:
    write_text(out / "progress.json", json.dumps(asdict(progress)))


def _run(recipe: ParserRecipe, corpus: Path, out: Path, progress: Progress, started: Path, say: Say) -> None:
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as spacy_train
    from spacy.util import load_config, registry

    left = recipe.minutes * 60 - progress.seconds
    if left <= 0 or progress.steps >= recipe.max_steps:
        return
    watch = _Watch(recipe, out, progress, left, say)
    registry.loggers.register(_LOGGER, func=lambda: watch.start)
    overrides = {
        "system.seed": recipe.seed,
        "corpora.train.path": str(corpus / "train.spacy"),
        "corpora.dev.path": str(corpus / "dev.spacy"),
        "training.max_steps": recipe.max_steps - progress.steps,
        "training.eval_frequency": recipe.eval_every,
    }
    (out / "run").mkdir(parents=True, exist_ok=True)
    try:
        nlp = init_nlp(load_config(_CONFIG, overrides=overrides))
        if started.is_dir():
            nlp.from_disk(started, exclude=["tokenizer"], overrides=overrides)
        with suppress(_TimeIsUp):
            spacy_train(nlp, out / "run", stdout=io.StringIO())
    except ValueError as error:
        raise BadInput(
            f"spaCy cannot train on these treebanks: {str(error).splitlines()[0]}",
            hint="It wants some hundred sentences, with relations that come up at least 30 times.",
        ) from error
    say(f"trained: {progress.steps} steps, {duration(progress.seconds)}")


class _Watch:
    """spaCy's logger: tells how it goes, writes it down, keeps the best state, and stops when the time is up."""

    def __init__(self, recipe: ParserRecipe, out: Path, progress: Progress, left: float, say: Say) -> None:
        self._recipe = recipe
        self._out = out
        self._progress = progress
        self._deadline = time.monotonic() + left
        self._say = say
        self._before = (progress.steps, progress.seconds)
        self._began = time.monotonic()

    def start(self, nlp: Any, stdout: Any, stderr: Any) -> tuple[Callable[[Any], None], Callable[[], None]]:
        """What spaCy asks of a logger: a function for each step, and one for the end."""
        self._began = time.monotonic()
        return self._step, lambda: None

    def _step(self, info: dict[str, Any] | None) -> None:
        if info is not None:
            self._measured(info)
        if time.monotonic() > self._deadline:
            raise _TimeIsUp

    def _measured(self, info: dict[str, Any]) -> None:
        progress = self._progress
        progress.steps = self._before[0] + info["step"]
        progress.seconds = self._before[1] + time.monotonic() - self._began
        better = info["score"] > progress.best
        if better:
            progress.best = info["score"]
            source = self._out / "run" / _BEST
            write_folder(self._out / "best", lambda folder: shutil.copytree(source, folder, dirs_exist_ok=True))
        scores = info["other_scores"]
        shown = ", ".join(
            f"{name} {100 * (scores.get(key) or 0):.1f}"
            for name, key in (
                ("UAS", "dep_uas"),
                ("LAS", "dep_las"),
                ("tags", "pos_acc"),
                ("lemmas", "lemma_acc"),
                ("sentences", "sents_f"),
                ("names", "ents_f"),
            )
        )
        mark = ", best so far" if better else ""
        self._say(f"step {progress.steps}, {duration(progress.seconds)}: {shown}{mark}")
        if info["step"]:
            _keep(progress, self._out)
