"""BLEU and chrF of single texts by `sacrebleu`, METEOR by `nltk`."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from rewrite.judging.types import Judged, Metric, Row
from rewrite.judging.words import checked_language, library, lower_words, row_language, stemmer

__all__ = ["Meteor", "Sacre"]


class Sacre(Metric):
    """BLEU (Papineni et al., 2002) or chrF (Popović, 2015) of a text against all its references, in [0, 1].

    As sacrebleu counts sentences, over 100. BLEU has the parts `precision-1` to `precision-4` and `brevity` (the
    penalty), smoothed and in [0, 1]; orders longer than the text do not count. chrF has no parts but itself. Neither
    looks at the language. `MissingExtra` where the library is not installed.
    """

    def __init__(self, name: str, *, language: str | None = None) -> None:
        module = library(f"sacrebleu.metrics.{name}", f"{name} needs sacrebleu.")
        checked_language(language)
        self.name = name
        self._metric: Any = module.BLEU(effective_order=True) if name == "bleu" else module.CHRF()

    def signature(self) -> str:
        settings = "13a,exp,effective-order" if self.name == "bleu" else "characters-6,words-0,beta-2"
        return f"{self.name}:sacrebleu-{version('sacrebleu')}:{settings}"

    def judged(self, row: Row) -> Judged:
        found = self._metric.sentence_score(row.text, list(row.references))
        score = min(1.0, float(found.score) / 100)
        if self.name != "bleu":
            return Judged(score, {"F": score})
        precisions = {f"precision-{n}": float(share) / 100 for n, share in enumerate(found.precisions, 1)}
        return Judged(score, {**precisions, "brevity": float(found.bp)})


class Meteor(Metric):
    """METEOR (Banerjee & Lavie, 2005) of a text against its best reference, in [0, 1]: words match, or their stems.

    nltk's third stage, synonyms of WordNet, is left out, since its data are no part of the package: figures are lower
    than with it. `MissingExtra` where nltk is not installed.
    """

    name = "meteor"

    def __init__(self, *, language: str | None = None) -> None:
        self._meteor = library("nltk.translate.meteor_score", "METEOR needs nltk.").meteor_score
        self._language = checked_language(language)
        self._stemmers: dict[str, Any] = {}

    def signature(self) -> str:
        return f"meteor:nltk-{version('nltk')}:exact,stems:{self._language or 'guessed'}"

    def judged(self, row: Row) -> Judged:
        language = row_language(row, self._language)
        if language not in self._stemmers:
            self._stemmers[language] = stemmer(language) or _NoStems()
        references = [lower_words(reference, language) for reference in row.references]
        text = lower_words(row.text, language)
        score = float(self._meteor(references, text, stemmer=self._stemmers[language], wordnet=_NoSynonyms()))
        return Judged(score, {"F": score})


class _NoSynonyms:
    """What nltk asks for synonyms, and gets none."""

    def synsets(self, word: str) -> list[Any]:
        return []


class _NoStems:
    """For languages without stems: every word is its own."""

    def stem(self, word: str) -> str:
        return word
