"""BERTScore (Zhang et al., 2020) through its authors' library, `bert-score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from rerank.checkpoint import quietly
from rerank.errors import BadModel, MissingExtra, RewriteError, TextTooLong, UnknownName
from rerank.masked.hf import HFMaskedModel
from rerank.masked.registry import create_masked_model, parse_masked_name
from rerank.masked.words import guess_language
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["BERTScore"]


class BERTScore:
    """max(0, F1) of BERTScore between the source and each candidate, in [0, 1]; 1 for the same text.

    `model` is an `hf` name for `create_masked_model`; its checkpoint is vetted like any other before the library loads
    it. `layer` is the layer whose vectors count: without it the one that the library names for the model, else the
    last. Neither idf weights nor a baseline are used. Raises `MissingExtra` without the library, `UnknownName` for
    another model, `TextTooLong` for a text beyond the model's window, which the library would cut short.
    """

    name = "bertscore"
    range = (0.0, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(
        self, *, model: str = "hf", layer: int | None = None, language: str | None = None, device: str = "cpu"
    ) -> None:
        named = parse_masked_name(model)
        if named.scheme != "hf":
            raise UnknownName(f"BERTScore cannot use the model {model!r}.", hint="Give hf:NAME.")
        self._model = model
        self._per_language = not named.for_all_languages
        self._layer = layer
        self._language = language
        self._device = device
        self._loaded: dict[str, _Library] = {}

    def signature(self) -> str:
        try:
            library = version("bert-score")
        except PackageNotFoundError:
            library = "unknown"
        layer = "default" if self._layer is None else self._layer
        return f"bertscore:{library}:{self._model}:{layer}:{self._language or 'guessed'}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        texts = [candidate.text for candidate in candidates]
        values = np.zeros(len(texts))
        asked = [i for i, text in enumerate(texts) if text.strip() and source.strip() and text != source]
        if asked:
            values[asked] = self._library(source).f1(source, [texts[i] for i in asked])
        values[[text == source for text in texts]] = 1.0
        return np.clip(values, 0.0, 1.0)

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index: they are longer than the model's window."""
        found = {index: self._library(text).too_long(text) for index, text in enumerate(texts)}
        return {index: error for index, error in found.items() if error is not None}

    def _library(self, text: str) -> _Library:
        language = self._language or guess_language(text)
        key = language if self._per_language else ""
        if key not in self._loaded:
            self._loaded[key] = _Library(self._model, self._layer, language, self._device)
        return self._loaded[key]


class _Library:
    """The library's scorer with one model, loaded at the first text."""

    def __init__(self, spec: str, layer: int | None, language: str, device: str) -> None:
        model = create_masked_model(spec, language=language)
        assert isinstance(model, HFMaskedModel)
        self._model = model
        self._layer = layer
        self._device = device

    def f1(self, source: str, texts: Sequence[str]) -> FloatArray:
        errors = [error for error in map(self.too_long, (source, *texts)) if error is not None]
        if errors:
            raise errors[0]
        with quietly():
            _, _, found = self._scorer.score(list(texts), [source] * len(texts))
        values: FloatArray = found.double().numpy()
        return values

    def too_long(self, text: str) -> TextTooLong | None:
        length = len(self._scorer._tokenizer.encode(text, truncation=False))
        if length <= self._model.window:
            return None
        return TextTooLong(
            f"{text[:60]!r} … takes {length:,} tokens, the model {self._model.name} {self._model.window:,}.",
            hint="Split the text.",
        )

    @cached_property
    def _scorer(self) -> Any:
        try:
            from bert_score import BERTScorer
            from bert_score.utils import model2layers
        except ImportError as error:
            raise MissingExtra(
                f"BERTScore needs {error.name or 'bert-score'}, which is not installed.",
                hint="Run: pip install 'rewrite-rerank[ndd]'",
            ) from None
        window = self._model.window  # loads, and so vets, the model
        folder = str(self._model.folder.resolve())
        if "t5" in folder:
            raise BadModel(
                f"{folder}: bert-score takes every path with 't5' in it for a T5.", hint="Give the folder another name."
            )
        last = int(self._model.layers)
        layer = model2layers.get(self._model.target, last) if self._layer is None else self._layer
        if not 0 < layer <= last:
            raise UnknownName(f"There is no layer {layer} in {self._model.name}.", hint=f"Give one from 1 to {last}.")
        with quietly():
            scorer = BERTScorer(model_type=folder, num_layers=layer, device=self._device)
        scorer._tokenizer.model_max_length = window
        return scorer
