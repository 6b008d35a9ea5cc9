"""How far a compression and a reference agree: F1 over words, ROUGE with byte truncation, counts for BLEU.

ROUGE is computed by `rouge-score`, BLEU by `sacrebleu`, both of the extra `eval`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rewrite.errors import MissingExtra
from rewrite.evaluate.compression.words import Splitter, split

__all__ = ["BLEU_ORDERS", "Bleu", "Rouge", "truncated", "word_f1"]

BLEU_ORDERS = 4
_INSTALL = "Run: pip install 'rewrite-rerank[eval]'"
_ROUGE = ("rouge1", "rouge2", "rougeL")


def word_f1(output: Sequence[str], reference: Sequence[str]) -> float:
    """F1 of the words of two texts as multisets, in [0, 1]; 0 where one is empty.

    Filippova et al. (2015) compare the tokens kept. Multisets rather than places in the source: where a word occurs
    twice, a text does not tell which one was kept, and a reference need not be a part of the source at all.
    """
    common = (Counter(output) & Counter(reference)).total()
    return 2 * common / (len(output) + len(reference)) if common else 0.0


def truncated(output: str, reference: str) -> str:
    """`output` cut to the length of `reference` in bytes of UTF-8, as Kamigaito & Okumura (2020) do.

    A word that the cut goes through stays as its beginning, which hardly ever matches a word; a character that it goes
    through is gone.
    """
    return output.encode("utf-8")[: len(reference.encode("utf-8"))].decode("utf-8", errors="ignore")


def _cut(output: str, reference: str, splitter: Splitter) -> tuple[str, str]:
    """The reference and the output cut to its length, both with spaces between all words and marks.

    Otherwise more words would fit for who writes `today,` where the references have `today ,`.
    """
    spaced = " ".join(split(reference, splitter))
    return spaced, truncated(" ".join(split(output, splitter)), spaced)


class _Words:
    """What `rouge-score` calls a tokenizer, for scripts that its own one drops."""

    def __init__(self, splitter: Splitter) -> None:
        self._splitter = splitter

    def tokenize(self, text: str) -> list[str]:
        return [word for word in split(text, self._splitter) if any(map(str.isalnum, word))]


class Rouge:
    """ROUGE-1, ROUGE-2 and ROUGE-L of truncated outputs, texts spaced alike.

    English is split by `rouge-score` itself: runs of a–z and 0–9, lowercased, no stemming. Other languages are split
    by our own words, marks left out. `MissingExtra` where the library is not installed.
    """

    def __init__(self, language: str) -> None:
        try:
            from rouge_score import rouge_scorer, tokenizers
        except ImportError:
            raise MissingExtra("ROUGE needs rouge-score.", hint=_INSTALL) from None
        self._scorer: Callable[..., Any] = rouge_scorer.RougeScorer
        self._tokenizer: Any = tokenizers.DefaultTokenizer(use_stemmer=False) if language == "en" else None

    def scores(self, output: str, references: Sequence[str], splitter: Splitter) -> list[list[float]]:
        """For each reference the recalls of ROUGE-1, 2 and L, then their F-measures; all in [0, 1]."""
        scorer = self._scorer(list(_ROUGE), tokenizer=self._tokenizer or _Words(splitter))
        rows: dict[str, list[float]] = {}
        for reference in references:
            if reference not in rows:
                found = scorer.score(*_cut(output, reference, splitter))
                rows[reference] = [found[name].recall for name in _ROUGE] + [found[name].fmeasure for name in _ROUGE]
        return [rows[reference] for reference in references]


class Bleu:
    """BLEU by sacrebleu; Chinese by characters (`zh`), other languages by its default (`13a`)."""

    def __init__(self, language: str) -> None:
        try:
            from sacrebleu.metrics.bleu import BLEU
        except ImportError:
            raise MissingExtra("BLEU needs sacrebleu.", hint=_INSTALL) from None
        self.tokenizer = "zh" if language == "zh" else "13a"
        self._bleu: Any = BLEU(tokenize=self.tokenizer, effective_order=True)

    def counts(self, output: str, references: Sequence[str]) -> list[float]:
        """Length of the output, of the nearest reference, right n-grams by order, and all: 2 + 4 + 4 numbers.

        Several references count together, as BLEU defines it.
        """
        score = self._bleu.sentence_score(output, list(references))
        return [float(number) for number in (score.sys_len, score.ref_len, *score.counts, *score.totals)]

    def scores(self, totals: Sequence[float]) -> list[float]:
        """BLEU-1 to BLEU-4 in [0, 100] of summed `counts`: brevity penalty × geometric mean of the orders up to n."""
        sys_len, ref_len, *grams = (int(number) for number in totals)
        right, every = grams[:BLEU_ORDERS], grams[BLEU_ORDERS:]
        orders = range(1, BLEU_ORDERS + 1)
        return [
            float(
                self._bleu.compute_bleu(
                    right[:n], every[:n], sys_len, ref_len, smooth_method="exp", max_ngram_order=n
                ).score
            )
            for n in orders
        ]
