"""BERTScore (Zhang et al., 2020) through its authors' library, `bert-score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from rerank.checkpoint import quietly
from rerank.errors import BadModel, MissingExtra, RewriteError, TextTooLong, UnknownName
from rerank.masked.base import MaskedModel
from rerank.masked.hf import HFMaskedModel
from rerank.masked.registry import parse_masked_name
from rerank.ndd.scorers import MaskedScorer
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray


class BERTScore(MaskedScorer):
    """max(0, F1) of BERTScore between the source and each candidate, in [0, 1]; 1 for the same text.

    `model` is an `hf` name for `create_masked_model`; its checkpoint is vetted like any other before the library loads
    it. `layer` is the layer whose vectors count: without it the one that the library names for the model, else the
    last. Neither idf weights nor a baseline are used. Raises `MissingExtra` without the library, `UnknownName` for
    another model, `TextTooLong` for a text beyond the model's window, which the library would cut short.
    """

    name = "bertscore"

    def __init__(
        self, *, model: str = "hf", layer: int | None = None, language: str | None = None, device: str = "cpu"
    ) -> None:
        if parse_masked_name(model).scheme != "hf":
            raise UnknownName(f"BERTScore cannot use the model {model!r}.", hint="Give hf:NAME.")
        super().__init__(model=model, language=language)
        self._spec = model
        self._layer = layer
        self._library_device = device
        self._scorers: dict[MaskedModel, Any] = {}

    def signature(self) -> str:
        try:
            library = version("bert-score")
        except PackageNotFoundError:
            library = "unknown"
        layer = "default" if self._layer is None else self._layer
        return f"bertscore:{library}:{self._spec}:{layer}:{self._language or 'guessed'}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        texts = [candidate.text for candidate in candidates]
        values = np.zeros(len(texts))
        asked = [i for i, text in enumerate(texts) if text.strip() and source.strip() and text != source]
        if asked:
            values[asked] = self._f1(source, [texts[i] for i in asked])
        values[[text == source for text in texts]] = 1.0
        return np.clip(values, 0.0, 1.0)

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index: they are longer than the model's window."""
        errors = {index: self._too_long(text, self.language_of(text)) for index, text in enumerate(texts)}
        return {index: error for index, error in errors.items() if error is not None}

    def _f1(self, source: str, texts: Sequence[str]) -> FloatArray:
        language = self.language_of(source)
        for text in (source, *texts):
            if error := self._too_long(text, language):
                raise error
        with quietly():
            _, _, f1 = self._scorer(language).score(list(texts), [source] * len(texts))
        values: FloatArray = f1.double().numpy()
        return values

    def _too_long(self, text: str, language: str) -> TextTooLong | None:
        model = self.model_for(language)
        length = len(self._scorer(language)._tokenizer.encode(text, truncation=False))
        if length <= model.window:
            return None
        return TextTooLong(
            f"{text[:60]!r} … takes {length:,} tokens, the model {model.name} {model.window:,}.",
            hint="Split the text.",
        )

    def _scorer(self, language: str) -> Any:
        """The library's scorer with the model of `language`, loaded at the first text."""
        model = self.model_for(language)
        assert isinstance(model, HFMaskedModel)
        if model not in self._scorers:
            self._scorers[model] = self._create(model)
        return self._scorers[model]

    def _create(self, model: HFMaskedModel) -> Any:
        try:
            from bert_score import BERTScorer
            from bert_score.utils import model2layers
        except ImportError as error:
            raise MissingExtra(
                f"BERTScore needs {error.name or 'bert-score'}, which is not installed.",
                hint="Run: pip install 'rewrite-rerank[ndd]'",
            ) from None
        window = model.window  # loads, and so vets, the model
        folder = str(model.folder.resolve())
        if "t5" in folder:
            raise BadModel(
                f"{folder}: bert-score takes every path with 't5' in it for a T5.", hint="Give the folder another name."
            )
        last = int(model.layers)
        layer = model2layers.get(model.target, last) if self._layer is None else self._layer
        if not 0 < layer <= last:
            raise UnknownName(f"There is no layer {layer} in {model.name}.", hint=f"Give one from 1 to {last}.")
        with quietly():
            scorer = BERTScorer(model_type=folder, num_layers=layer, device=self._library_device)
        scorer._tokenizer.model_max_length = window
        return scorer
