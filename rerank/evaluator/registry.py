"""Evaluators by what a user calls them."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Literal

from rerank.errors import UnknownName, install_again
from rerank.evaluator.base import Evaluator
from rerank.evaluator.hf import SETTINGS
from rerank.evaluator.packed import PackedEvaluator
from rerank.segmentation import sentences

__all__ = ["BUNDLED", "LONGEST_REWRITTEN", "Task", "create_evaluator", "is_bundled", "task_of"]

Task = Literal["rewrites", "summaries"]
_ROOT = Path(__file__).resolve().parents[1] / "models"
_REINSTALL = install_again("rerank/models")
BUNDLED = MappingProxyType(
    {name: _ROOT / f"evaluator-{name}" for name in ("rewrites-en", "rewrites-ru", "summaries-en")}
)
"""Folders of the evaluators in the package, by task and language."""
LONGEST_REWRITTEN = 4
"""Sentences of a source that is still rewritten: a text of a longer one is taken for its summary."""


def is_bundled(spec: str) -> bool:
    """Whether a name stands for evaluators in the package, and no folder of the user's."""
    return spec == "bundled" or spec.startswith("bundled:")


def task_of(source: str) -> Task:
    """What a text of this source probably is."""
    return "summaries" if len(list(sentences(source))) > LONGEST_REWRITTEN else "rewrites"


def create_evaluator(spec: str = "bundled", *, language: str = "en", task: Task = "rewrites") -> Evaluator:
    """The evaluator that `spec` names; its weights are not loaded before it is asked something.

    `bundled` is the one in the package for a task in a language, `bundled:rewrites-ru` one of `BUNDLED`; anything else
    is a folder that `python -m training.evaluator` has written. Raises `UnknownName` for a language or task that none
    in the package is for and for what is no folder, `ModelNotFound` for a folder with files missing or broken.
    """
    if is_bundled(spec):
        named = spec != "bundled"
        name = spec.partition(":")[2] if named else f"{task}-{language}"
        if name not in BUNDLED:
            known = ", ".join(f"bundled:{one}" for one in BUNDLED)
            languages = " and ".join(sorted({one.rpartition("-")[2] for one in BUNDLED}))
            spoken = f"languages other than {languages}" if language == "other" else f"the language {language!r}"
            raise UnknownName(
                f"No evaluator is called {spec!r}." if named else f"No evaluator is bundled for {task} in {spoken}.",
                hint=f"There are: {known}; or give a folder of your own (python -m training.evaluator).",
            )
        return PackedEvaluator(None, BUNDLED[name], reinstall=_REINSTALL)
    folder = Path(spec).expanduser()
    if not spec or not folder.is_dir():
        raise UnknownName(
            f"No evaluator {spec!r}.",
            hint=f"Give bundled, {', '.join(f'bundled:{one}' for one in BUNDLED)}, or a folder that "
            "`python -m training.evaluator` has written.",
        )
    if (folder / SETTINGS).is_file():
        from rerank.evaluator.hf import HfEvaluator

        return HfEvaluator(folder)
    return PackedEvaluator(folder, folder)
