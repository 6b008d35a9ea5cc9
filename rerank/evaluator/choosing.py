"""Which evaluator judges a text: by the language of its source and what the text is, each loaded once."""

from __future__ import annotations

from rerank.errors import UnknownName
from rerank.evaluator.base import Evaluator
from rerank.evaluator.registry import BUNDLED, Task, create_evaluator, is_bundled
from rerank.masked.words import guess_language

__all__ = ["Evaluators"]

_GUESSED = {"zh": "Chinese", "other": "none of English, Russian and Chinese"}
"""What `guess_language` may say that none is bundled for."""


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
