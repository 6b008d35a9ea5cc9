"""BLEU from the n-grams of each source's references, counted once however many references there are.

All that BLEU asks of several references is, for each n-gram, the most often that one of them has it, and the lengths.
Tokens, n-grams and the score are sacrebleu's, of the extra `eval`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rewrite.errors import BadInput, MissingExtra

__all__ = ["COUNTS", "Bleu", "BleuReferences"]

_ORDERS = 4
COUNTS = 2 + 2 * _ORDERS
"""How many numbers the counts of an output are."""


class BleuReferences:
    """The references of one source; `lengths` without repetitions."""

    __slots__ = ("lengths", "maxima")

    def __init__(self, counted: Iterable[tuple[Counter[tuple[str, ...]], int]]) -> None:
        self.maxima: dict[tuple[str, ...], int] = {}
        lengths = set()
        for grams, length in counted:
            lengths.add(length)
            for gram, count in grams.items():
                if count > self.maxima.get(gram, 0):
                    self.maxima[gram] = count
        if not lengths:
            raise BadInput("BLEU needs at least one reference.", hint="Leave the source out or give it a reference.")
        self.lengths = tuple(sorted(lengths))


class Bleu:
    """BLEU-4 of sacrebleu: cased, tokens of 13a. `MissingExtra` where it is not installed.

    13a parts marks from words and leaves parted ones alone, so that a tokenised set and an output that is not agree.
    """

    def __init__(self) -> None:
        try:
            from sacrebleu.metrics.bleu import BLEU
            from sacrebleu.metrics.helpers import extract_all_word_ngrams
        except ImportError:
            raise MissingExtra("BLEU needs sacrebleu.", hint="Run: pip install 'rewrite-rerank[eval]'") from None
        self._bleu: Any = BLEU(tokenize="13a")
        self._ngrams: Any = extract_all_word_ngrams

    def tokens(self, text: str) -> list[str]:
        """The tokens of `text`."""
        tokenised: str = self._bleu.tokenizer(text.rstrip())
        return tokenised.split()

    def references(self, texts: Iterable[str]) -> BleuReferences:
        """What `counts` needs of a source's references."""
        return BleuReferences(self._counted(text) for text in texts)

    def _counted(self, text: str) -> tuple[Counter[tuple[str, ...]], int]:
        counted: tuple[Counter[tuple[str, ...]], int] = self._ngrams(" ".join(self.tokens(text)), 1, _ORDERS)
        return counted

    def counts(self, output: str, references: BleuReferences) -> list[int]:
        """Length of the output, of the nearest reference (of two, the shorter), right n-grams by order, and all."""
        grams, length = self._counted(output)
        nearest = min(references.lengths, key=lambda own: (abs(own - length), own))
        right, every = [0] * _ORDERS, [0] * _ORDERS
        for gram, count in grams.items():
            every[len(gram) - 1] += count
            right[len(gram) - 1] += min(count, references.maxima.get(gram, 0))
        return [length, nearest, *right, *every]

    def corpus(self, totals: Sequence[float]) -> float:
        """BLEU in [0, 100] of summed counts, as sacrebleu has it by default (`smooth:exp`)."""
        return self._score(totals, "exp", effective_order=False)

    def sentence(self, counts: Sequence[float]) -> float:
        """BLEU in [0, 100] of one output, for a mean over sentences.

        As in EASSE: n-grams longer than the output are left out, and no right n-gram counts as a tenth of one.
        """
        return self._score(counts, "floor", effective_order=True)

    def _score(self, totals: Sequence[float], smoothing: str, *, effective_order: bool) -> float:
        length, nearest, *grams = (int(number) for number in totals)
        score = self._bleu.compute_bleu(
            grams[:_ORDERS],
            grams[_ORDERS:],
            length,
            nearest,
            smooth_method=smoothing,
            effective_order=effective_order,
            max_ngram_order=_ORDERS,
        )
        return float(score.score)

    def signature(self, references: Iterable[int]) -> str:
        """sacrebleu's own, given how many references the sources have: `nrefs:1|case:mixed|…`."""
        numbers = set(references)
        self._bleu.num_refs = numbers.pop() if len(numbers) == 1 else -1
        return str(self._bleu.get_signature())
