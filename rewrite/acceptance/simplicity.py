"""How likely a reader is to call a rewrite simpler than its source, as learnt from readers' verdicts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from rerank.frequency import fold, shared_wordfreq
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.verdict import LineAcceptance
from rewrite.layout import Layout, split

SIMPLICITY_FEATURES = ("length", "sentences", "new", "lost", "common")
"""Words of the rewrite by those of the source; sentences more than there; how many of its words are not in the source;
the share of the source's words that it lacks; how much commoner its words are, mean log10 of their frequencies."""
_SOURCE = 0.5
_FLOOR = 1e-6
_RAREST = -9.0
_LEAST_LETTERS = 3
# How a word is written is no change of it: can't and cannot, it's and it, U.S. and US.
_NOT = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not"}
_DENIED = re.compile(rf"\b(?:{'|'.join(_NOT)})\b|n't\b")
_SHORTENED = re.compile(r"(?<=\w)'(?:s|re|ve|ll|d|m)\b")
_STOPPED = re.compile(r"(?<!\w)(\w)\.(?=\w\.)|(?<=\.\w)\.")
_WORD = re.compile(r"\w+")
_MODELS = Path(__file__).parent.parent / "models"


def simplicity_features(source: str, texts: Sequence[str], language: str) -> FloatArray:
    """`SIMPLICITY_FEATURES` of rewrites of one source, shape `[len(texts), len(SIMPLICITY_FEATURES)]`."""
    given, *drawn = words_of = list(map(_words, (source, *texts)))
    before, *sentences = (len(layout_in(text, language).sentences) for text in (source, *texts))
    usual, *common = _commonness(words_of, language)
    known = set(given)
    rows = [
        (
            len(words) / max(len(given), 1),
            count - before,
            len(set(words) - known),
            len(known - set(words)) / max(len(known), 1),
            commonness - usual,
        )
        for words, count, commonness in zip(drawn, sentences, common, strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, len(SIMPLICITY_FEATURES))


def _words(text: str) -> list[str]:
    whole = _DENIED.sub(lambda match: _NOT.get(match[0], " not"), fold(text.replace("’", "'")))
    return _WORD.findall(_STOPPED.sub(r"\1", _SHORTENED.sub("", whole)))


def layout_in(text: str, language: str) -> Layout:
    """The sentences of `text` as its language is cut: English by rules of its own for abbreviations and lists."""
    if language == "en":
        from rewrite.splitting.splitter import sentences_in

        return sentences_in(text)
    return split(text)


def _commonness(texts: Sequence[Sequence[str]], language: str) -> list[float]:
    """Of each text the mean log10 of the frequencies of its words of three letters or more; 0 where it has none."""
    counted = [[word for word in words if len(word) >= _LEAST_LETTERS and word.isalpha()] for words in texts]
    frequencies = shared_wordfreq(language).lookup({word for words in counted for word in words})
    logs = {word: math.log10(frequency) if frequency else _RAREST for word, frequency in frequencies.items()}
    return [sum(logs[word] for word in words) / len(words) if words else 0.0 for words in counted]


class Simplicity:
    """The chance that a reader calls a text simpler than its source. Range [1e-6, 1]; 0.5 for the source itself.

    A logistic regression through `SIMPLICITY_FEATURES`: what it asks is whether enough was done, not whether it was
    done well, which is `caution`'s part.
    """

    name = "simplicity"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        """That of Russian texts."""
        return self.signature_in("ru")

    def signature_in(self, language: str) -> str:
        """With the list of frequencies; see `rerank.scorer.signature_in`."""
        return f"simplicity:1:{shared_wordfreq(language).signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        language = context.analyzer.language
        texts = [candidate.text for candidate in candidates]
        values = _bundled(language).predict(simplicity_features(source, texts, language)).clip(_FLOOR, 1.0)
        values[[text == source for text in texts]] = _SOURCE
        return values


@cache
def _bundled(language: str) -> LineAcceptance:
    return LineAcceptance.load(_MODELS / f"simpler_{language}.json", SIMPLICITY_FEATURES)
