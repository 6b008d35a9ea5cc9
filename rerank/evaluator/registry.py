"""Evaluators by what a user calls them, which of those in the package judges a text, and their outputs as scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import numpy as np

from rerank.analysis import sentences
from rerank.errors import BadModel, RewriteError, UnknownName, install_again
from rerank.evaluator import Evaluator
from rerank.evaluator.hf import SETTINGS
from rerank.evaluator.packed import PackedEvaluator
from rerank.masked.words import guess_language
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

Task = Literal["rewrites", "summaries"]
_ROOT = Path(__file__).resolve().parents[1] / "models"
_REINSTALL = install_again("rerank/models")
BUNDLED = MappingProxyType(
    {name: _ROOT / f"evaluator-{name}" for name in ("rewrites-en", "rewrites-ru", "summaries-en")}
)
"""Folders of the evaluators in the package, by task and language."""
LONGEST_REWRITTEN = 4
"""Sentences of a source that is still rewritten: a text of a longer one is taken for its summary."""
# What `guess_language` may say that none is bundled for.
_GUESSED = {"zh": "Chinese", "other": "none of English, Russian and Chinese"}


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
            known = ", ".join(f"bundled:{key}" for key in BUNDLED)
            languages = " and ".join(sorted({key.rpartition("-")[2] for key in BUNDLED}))
            spoken = f"languages other than {languages}" if language == "other" else f"the language {language!r}"
            raise UnknownName(
                f"No evaluator is called {spec!r}." if named else f"No evaluator is bundled for {task} in {spoken}.",
                hint=f"There are: {known}; or give a folder of your own (python -m training.evaluator).",
            )
        return PackedEvaluator(BUNDLED[name], reinstall=_REINSTALL)
    folder = Path(spec).expanduser()
    if not spec or not folder.is_dir():
        raise UnknownName(
            f"No evaluator {spec!r}.",
            hint=f"Give bundled, {', '.join(f'bundled:{key}' for key in BUNDLED)}, or a folder that "
            "`python -m training.evaluator` has written.",
        )
    if (folder / SETTINGS).is_file():
        from rerank.evaluator.hf import HfEvaluator

        return HfEvaluator(folder)
    return PackedEvaluator(folder)


class Evaluators:
    """The evaluator for each source, loaded when it is first asked for.

    `spec` is as in `create_evaluator`, or an evaluator itself. With `bundled` it is the one for `language`, or for that
    of the source without it, and for the task; for rewrites where none is bundled for summaries in that language. With
    anything else it is always the same one. What shares one of these shares its memory of judged texts. Raises
    `UnknownName` for a `spec` that stands for none and a `language` that none is bundled for, `ModelNotFound`.
    """

    def __init__(self, spec: str | Evaluator = "bundled", *, language: str | None = None) -> None:
        self.spec, self._language = spec, language
        self._loaded: dict[str, Evaluator] = {}
        if spec != "bundled" or language is not None:
            # It does not hang on the source, so a wrong name or language is told before the first one.
            self.of("")

    @property
    def bundled(self) -> bool:
        """Whether they are those in the package, which go with its version."""
        return isinstance(self.spec, str) and is_bundled(self.spec)

    def signature(self) -> str:
        """Name and checksum of a user's own; of those in the package, which may differ from text to text, the name."""
        return f"{self.spec}:{self._language or 'guessed'}" if self.bundled else self.of("").signature()

    def of(self, source: str, task: Task = "rewrites") -> Evaluator:
        """The evaluator for texts made of `source`.

        Raises `UnknownName` where none is bundled for the language of the source.
        """
        if not isinstance(self.spec, str):
            return self.spec
        language, task = self._choice(source, task)
        name = f"{task}-{language}"
        if name not in self._loaded:
            try:
                self._loaded[name] = create_evaluator(self.spec, language=language, task=task)
            except UnknownName as error:
                if self.spec != "bundled" or self._language is not None:
                    raise
                guessed = _GUESSED.get(language, repr(language))
                raise UnknownName(
                    f"The language of the source was guessed as {guessed}, and no evaluator is bundled for that.",
                    hint=error.hint,
                ) from None
        return self._loaded[name]

    def called(self, source: str, task: Task = "rewrites") -> str:
        """What would be given instead of `bundled` for the evaluator that `of` gives; empty for a user's own."""
        if not self.bundled:
            return ""
        language, task = self._choice(source, task)
        return f"bundled:{task}-{language}" if self.spec == "bundled" else str(self.spec)

    def _choice(self, source: str, task: Task) -> tuple[str, Task]:
        language = (self._language or guess_language(source)) if self.spec == "bundled" else ""
        return language, task if f"{task}-{language}" in BUNDLED else "rewrites"


_FLOOR = 1e-3


class EvaluatorScorer:
    """f(source, candidate) of a learned evaluator, in [0.001, 1], by its output `name`.

    `quality` learns from all mutations of good rewrites, `grammar` from those of words (a text that is its own source
    it tells by how likely the words of its sentences are), `content` from those that make a text say something else.
    `evaluators` may be shared; otherwise `model` and `language` are as in `Evaluators`.
    Raises `BadModel` for an evaluator that was not taught to tell this.
    """

    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(
        self,
        name: str = "quality",
        *,
        model: str | Evaluator = "bundled",
        language: str | None = None,
        evaluators: Evaluators | None = None,
    ) -> None:
        self.name = name
        self._evaluators = evaluators or Evaluators(model, language=language)

    def signature(self) -> str:
        return f"{self.name}:2:{self._evaluators.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        evaluator = self._evaluators.of(source)
        if self.name not in evaluator.outputs:
            raise BadModel(
                f"The evaluator {evaluator.name} does not tell {self.name}.",
                hint=f"It tells {', '.join(evaluator.outputs)}; outputs are named in the recipe it was trained by.",
            )
        column = evaluator.outputs.index(self.name)
        values = evaluator.judge([(source, candidate.text) for candidate in candidates])[:, column]
        return np.clip(values, _FLOOR, 1.0)

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index: their language was guessed and has no bundled evaluator."""
        return {index: error for index, text in enumerate(texts) if (error := self._unreadable(text)) is not None}

    def _unreadable(self, text: str) -> RewriteError | None:
        try:
            self._evaluators.of(text)
        except UnknownName as error:
            return error
        return None
