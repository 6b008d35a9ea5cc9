"""What the scorers that ask a masked language model have in common: which model, in which language, which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rerank.errors import RewriteError, TextTooLong, UnknownName
from rerank.masked.base import LogProbs, MaskedModel
from rerank.masked.registry import create_masked_model, parse_masked_name
from rerank.masked.words import guess_language, split_words
from rerank.ndd.reading import Reading

__all__ = ["MaskedScorer", "context_vectors"]


class MaskedScorer:
    """A scorer with a masked language model: a `MaskedModel`, or the name of one for `create_masked_model`.

    `language` is one of `rerank.masked.words.LANGUAGES`; without it, that of each source is guessed from its script,
    and the model called `bundled` or `hf` is the one of that language. Models are loaded when they are first needed.
    Raises `UnknownName` for a name that stands for no model.
    """

    name: str
    range = (0.0, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(
        self, *, model: MaskedModel | str = "bundled", language: str | None = None, device: str = "cpu"
    ) -> None:
        self._model = model
        self._named = parse_masked_name(model) if isinstance(model, str) else None
        self._language = language
        self._device = device
        self._loaded: dict[str, MaskedModel] = {}

    def signature(self) -> str:
        return ":".join((self.name, *self._settings(), self._language or "guessed", self._model_signature()))

    def _model_signature(self) -> str:
        if not isinstance(self._model, str):
            return self._model.signature()
        # Which model a bare name stands for differs from text to text; those in the package go with its version.
        plain = self._named is None or self._named.is_in_package or not self._named.for_all_languages
        return self._model if plain else self.model_for("en").signature()

    def _settings(self) -> tuple[str, ...]:
        return ()

    def language_of(self, source: str) -> str:
        """The language in which `source` and its candidates are read."""
        return self._language or guess_language(source)

    def model_for(self, language: str) -> MaskedModel:
        """The model that scores texts of `language`."""
        if not isinstance(self._model, str):
            return self._model
        key = "" if self._named is not None and self._named.for_all_languages else language
        if key not in self._loaded:
            self._loaded[key] = create_masked_model(self._model, language=language, device=self._device)
        return self._loaded[key]

    def read(self, texts: Sequence[str], language: str) -> list[Reading]:
        """The texts as the model of `language` reads them. Raises `TextTooLong` for a sentence beyond its window."""
        model = self.model_for(language)
        readings = [Reading.of(model, split_words(text, language)) for text in texts]
        for reading in readings:
            _ = reading.fits or reading.sentences
        return readings

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index.

        A sentence in them is longer than the model's window, or their language was guessed and has no bundled model.
        """
        found = {index: self._unreadable(text) for index, text in enumerate(texts)}
        return {index: error for index, error in found.items() if error is not None}

    def _unreadable(self, text: str) -> RewriteError | None:
        try:
            self.read([text], self.language_of(text))
        except TextTooLong as error:
            return error
        except UnknownName as error:
            if self._language is not None:
                raise
            return error
        return None


def context_vectors(model: MaskedModel, readings: Sequence[Reading]) -> list[list[LogProbs]]:
    """The last layer's vectors of each text: one array `[tokens, size]`, or one per sentence of a text too long."""
    rows = [reading.contexts(by_sentence=not reading.fits) for reading in readings]
    found = iter(model.vectors([row for group in rows for row in group]))
    return [[next(found) for _ in group] for group in rows]
