"""Metrics that count words: by other people's libraries, and those that know nothing of quality.

ROUGE, BLEU and chrF, METEOR and BERTScore need their library, and raise `MissingExtra` where it is not installed. Any
metric must be compared with the others: length, copying, common words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

from rerank.masked.words import guess_language
from rewrite.errors import BadOption
from rewrite.judging.metric_words import LANGUAGES, checked_language, library, lower_words, stemmer
from rewrite.judging.row_metric import Judged, Row, RowMetric


def rouge_scorer(
    kinds: Sequence[str], words: Callable[[str], list[str]] | None = None, *, use_stemmer: bool = False
) -> Any:
    """The library's scorer of `kinds`, with its English words (runs of a–z and 0–9) or those that `words` splits.

    Its own words drop all other letters.
    """
    library("rouge_score", "ROUGE needs rouge-score.")
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score.tokenizers import DefaultTokenizer

    tokenizer = SimpleNamespace(tokenize=words) if words else DefaultTokenizer(use_stemmer)
    return RougeScorer(list(kinds), tokenizer=tokenizer)


class Rouge(RowMetric):
    """F1 of ROUGE-1, ROUGE-2 or ROUGE-L (Lin, 2004), in [0, 1], with its parts `P`, `R` and `F`.

    The best reference by F counts.

    English is split and stemmed by the library itself, other languages by our own words, Russian ones stemmed by
    Snowball. Of a name that begins with `source-` the source takes the place of the references.
    """

    def __init__(self, name: str, *, language: str | None = None) -> None:
        self.name = name
        self.needs_references = not name.startswith("source-")
        self._kind = name.removeprefix("source-")
        self._language = checked_language(language)
        self._scorers: dict[str, Any] = {"en": rouge_scorer([self._kind], use_stemmer=True)}

    def signature(self) -> str:
        return f"{self.name}:rouge-score-{version('rouge-score')}:stems:{self._language or 'guessed'}"

    def judged(self, row: Row) -> Judged:
        scorer = self._scorer(self._language or guess_language(row.text))
        targets = row.references if self.needs_references else (row.source,)
        scores = (scorer.score(target, row.text)[self._kind] for target in targets)
        best = max(scores, key=lambda score: float(score.fmeasure))
        parts = {"P": float(best.precision), "R": float(best.recall), "F": float(best.fmeasure)}
        return Judged(parts["F"], parts)

    def _scorer(self, language: str) -> Any:
        if language not in self._scorers:
            stem = stemmer(language).stem
            self._scorers[language] = rouge_scorer(
                [self._kind], lambda text: [stem(word) for word in lower_words(text, language)]
            )
        return self._scorers[language]


class Sacre(RowMetric):
    """BLEU (Papineni et al., 2002) or chrF (Popović, 2015) of a text against all its references, in [0, 1].

    As sacrebleu counts sentences, over 100. BLEU has the parts `precision-1` to `precision-4` and `brevity` (the
    penalty), smoothed and in [0, 1]; orders longer than the text do not count. chrF has no parts but itself. Neither
    looks at the language.
    """

    def __init__(self, name: str, *, language: str | None = None) -> None:
        module = library(f"sacrebleu.metrics.{name}", f"{name} needs sacrebleu.")
        checked_language(language)
        self.name = name
        self._metric: Any = module.CHRF() if name == "chrf" else module.BLEU(effective_order=True)

    def signature(self) -> str:
        settings = "13a,exp,effective-order" if self.name == "bleu" else "characters-6,words-0,beta-2"
        return f"{self.name}:sacrebleu-{version('sacrebleu')}:{settings}"

    def judged(self, row: Row) -> Judged:
        measured = self._metric.sentence_score(row.text, list(row.references))
        score = min(1.0, float(measured.score) / 100)
        if self.name == "chrf":
            return Judged(score, {"F": score})
        precisions = {f"precision-{n}": float(share) / 100 for n, share in enumerate(measured.precisions, 1)}
        return Judged(score, {**precisions, "brevity": float(measured.bp)})


class Meteor(RowMetric):
    """METEOR (Banerjee & Lavie, 2005) of a text against its best reference, in [0, 1]: words match, or their stems.

    nltk's third stage, synonyms of WordNet, is left out, since its data are no part of the package: figures are lower
    than with it.
    """

    name = "meteor"

    def __init__(self, *, language: str | None = None) -> None:
        self._meteor = library("nltk.translate.meteor_score", "METEOR needs nltk.").meteor_score
        self._language = checked_language(language)

    def signature(self) -> str:
        return f"meteor:nltk-{version('nltk')}:exact,stems:{self._language or 'guessed'}"

    def judged(self, row: Row) -> Judged:
        language = self._language or guess_language(row.text)
        references = [lower_words(reference, language) for reference in row.references]
        text = lower_words(row.text, language)
        # What nltk asks for synonyms, and gets none.
        unknown = SimpleNamespace(synsets=lambda word: [])
        score = float(self._meteor(references, text, stemmer=stemmer(language), wordnet=unknown))
        return Judged(score, {"F": score})


class BertScore(RowMetric):
    """max(0, F1) of BERTScore (Zhang et al., 2020) between each text and its nearest reference, in [0, 1].

    `model` is `hf:FOLDER` of an encoder, or `hf:NAME` of the hub. Neither idf weights nor a baseline are used. Raises
    `BadOption` without a model. That `bert-score` is missing is told at the first row.
    """

    name = "bertscore"

    def __init__(self, *, language: str | None = None, model: str | None = None) -> None:
        if model is None:
            raise BadOption("bertscore needs a model.", hint="Give one, as in --model hf:FOLDER.")
        from rerank.ndd.bertscore import BERTScore
        from rerank.scorer import Context
        from rewrite.compression.word_analysis import WordAnalyzer

        self._scorer = BERTScore(model=model, language=checked_language(language))
        self._context = Context(WordAnalyzer(language or "other"))

    def signature(self) -> str:
        return self._scorer.signature()

    def judged(self, row: Row) -> Judged:
        from rerank.types import Candidate

        text = [Candidate(row.text)]
        scores = (self._scorer.score(reference, text, self._context) for reference in row.references)
        score = max(float(values[0]) for values in scores)
        return Judged(score, {"F": score})


_RANGES = {"length": (0.0, math.inf), "brevity": (0.0, 1.0), "copied": (0.0, 1.0), "frequency": (0.0, 8.0)}


class Trivial(RowMetric):
    """One of four figures of a row, without parts.

    `length`: how many words the text has. `brevity`: 1 / (1 + that). `copied`: the share of the text's words that the
    source has too, each as often as there. `frequency`: how common the rarest word of the text is, on the Zipf scale of
    `wordfreq` from 0 (unknown) to 8; languages other than English and Russian count as English. The last two are 0 for
    a text without words.
    """

    needs_references = False

    def __init__(self, name: str, *, language: str | None = None) -> None:
        self.name = name
        self.range = _RANGES[name]
        self._language = checked_language(language)

    def signature(self) -> str:
        return f"{self.name}:{self._language or 'guessed'}"

    def judged(self, row: Row) -> Judged:
        language = self._language or guess_language(row.text)
        return Judged(self._figure(lower_words(row.text, language), row, language), {})

    def _figure(self, words: list[str], row: Row, language: str) -> float:
        if self.name == "length":
            return float(len(words))
        if self.name == "brevity":
            return 1 / (1 + len(words))
        if self.name == "copied":
            common = Counter(words) & Counter(lower_words(row.source, language))
            return common.total() / len(words) if words else 0.0
        from wordfreq import zipf_frequency

        known = language if language in LANGUAGES else "en"
        lettered = (word for word in words if any(map(str.isalpha, word)))
        return min((float(zipf_frequency(word, known)) for word in lettered), default=0.0)
