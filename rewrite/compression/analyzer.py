"""Words without a parse, for languages that have no parser and for compression that needs none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rerank.analysis import Analysis, Analyzer, Sentence, Token
from rerank.masked.words import sentence_spans, split

__all__ = ["WordAnalyzer"]


class _Words(Analysis):
    """An analysis that has words and sentences alone."""

    __slots__ = ()

    def __init__(self, text: str, language: str) -> None:
        found = split(text, language)
        tokens = [Token(item.word.text, item.start, item.stop) for item in found]
        self.text = text
        self.layers = set()
        self.entities = ()
        self.sentences = []
        for first, stop in sentence_spans([item.word for item in found]):
            start, end = tokens[first].start, tokens[stop - 1].stop
            self.sentences.append(Sentence(start, end, text[start:end], tokens[first:stop]))


class WordAnalyzer(Analyzer):
    """Analyses of texts in one of `rerank.masked.words.LANGUAGES`, with no layer but words and sentences."""

    def __init__(self, language: str, *, cache_size: int = 4_000) -> None:
        super().__init__(cache_size=cache_size)
        self._language = language

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        """One `Analysis` per text, in order. Raises `ValueError` where a layer is asked for."""
        if wanted := tuple(layers):
            raise ValueError(f"no layers here, asked for: {', '.join(wanted)}")
        found = {text: self._cache.get(text) or _Words(text, self._language) for text in texts}
        self._remember(found)
        return [found[text] for text in texts]
