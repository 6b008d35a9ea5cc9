"""Figures of compressions beside baselines of the same rate, in the layout of the NDD paper's Tables 3 to 6.

F1 and ROUGE are means over sources, compression ratios are quotients of sums over the corpus: the NDD paper's figures
for the unedited Chinese set (F1 81.7 beside a ratio of 0.68) fit nothing else, since the mean of 2c / (1 + c) cannot
lie above its value at the mean of c.

Of several references figures are the mean, as if each annotator were a set of its own. Baselines need no model: how
many words a sentence keeps is settled by one rate for the set; which words, is the baseline. Every sentence keeps one
at least. In Chinese, words are characters, and BLEU is counted.

A word never depends on the words around it: deleting its neighbours must not change how it is split, or a deletion
would seem to change what was kept. Text that is tokenised already comes out the same but for abbreviations, whose stop
stands alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.datasets import Example
from rewrite.errors import BadInput
from rewrite.evaluate.harness import Entry, OutputScoring, SystemRow, text_table
from rewrite.evaluate.multi_bleu import Bleu, References, bleu_class
from rewrite.evaluate.sari import ORDERS
from rewrite.evaluate.sets import EvaluationSet
from rewrite.judging.libraries import rouge_scorer

_LETTERS = r"[\w\u0300-\u036f]"
_CLITIC = r"['’](?:s|m|d|re|ve|ll)(?!\w)"
# In order: 've and n't, U.S. and a.m., the do of don't, words with - ' . , and the like inside, marks (--, ...).
_WORD = re.compile(
    rf"{_CLITIC}|n['’]t(?!\w)|(?:[^\W\d_]\.){{2,}}|{_LETTERS}+?(?=n['’]t(?!\w))"
    rf"|{_LETTERS}+(?:(?!{_CLITIC})[-'’.,:/&@_+]{_LETTERS}+)*|([^\w\s])\1*",
    re.IGNORECASE,
)
# Runs of Latin letters and digits are one, everything else a character each.
_CHARACTER = re.compile(r"[A-Za-z0-9]+(?:[-.,:/][A-Za-z0-9]+)*|\S")


@dataclass(frozen=True, slots=True)
class Splitter:
    """Words are the matches of `pattern`; `gap` is what parts two words whose neighbours were dropped."""

    pattern: re.Pattern[str]
    gap: str

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each word, in order, in characters."""
        return [match.span() for match in self.pattern.finditer(text)]


WORDS = Splitter(_WORD, " ")
CHARACTERS = Splitter(_CHARACTER, "")


def split(text: str, splitter: Splitter) -> list[str]:
    """The words of `text`, their case folded: a capital put at the start of a compression changes no word."""
    return [text[start:end].casefold() for start, end in splitter.spans(text)]


def kept_text(text: str, kept: list[tuple[int, int]], gap: str) -> str:
    """The words at `kept` (in order) as a text: neighbours stand as they stood, `gap` fills where words are missing."""
    parts: list[str] = []
    last = None
    for start, end in kept:
        if last is not None:
            between = text[last:start]
            parts.append(gap if between.strip() else between)
        parts.append(text[start:end])
        last = end
    return "".join(parts)


# Words in the sentence, words to keep, generator: the places kept, in order.
_Choice = Callable[[int, int, np.random.Generator], Sequence[int]]

BASELINES: dict[str, _Choice] = {
    "drop head": lambda words, kept, rng: range(words - kept, words),
    "drop tail": lambda words, kept, rng: range(kept),
    "random drop": lambda words, kept, rng: sorted(rng.choice(words, size=kept, replace=False).tolist()),
}

UNEDITED, GOLD = "unedited", "gold"
BASELINE_NAMES: tuple[str, ...] = (UNEDITED, *BASELINES)

_ROUGE = ("rouge1", "rouge2", "rougeL")
_MEANS = ("f1", *_ROUGE, *(f"{name}_f" for name in _ROUGE))
_RATIOS = ("cr", "delta_c", "cr_characters", "delta_c_characters")
_BLEU = Bleu(*range(1, ORDERS + 1))
_NO_BLEU = "no"

# Columns of the statistics: 1, the means' summands, (output, source, gold) in words and in characters, BLEU counts.
_LENGTHS = slice(1 + len(_MEANS), 7 + len(_MEANS))
_COUNTS = slice(_LENGTHS.stop, None)

_LEGEND = """F1: words kept, mean over sources; R1, R2, RL: ROUGE recall of outputs cut to the bytes of the gold; CR:
words of the outputs over words of the sources, in brackets that less the gold ratio; chars: the same by characters;
95 %: bootstrap interval over sources"""


class _Gold:
    """One source and its references, counted once; lengths are in words and in characters."""

    def __init__(self, name: str, example: Example, splitter: Splitter, tokenizer: str) -> None:
        self.references = example.references
        self.words = [split(reference, splitter) for reference in example.references]
        self.source = _lengths(example.source, len(splitter.spans(example.source)))
        lengths = [_lengths(*pair) for pair in zip(example.references, map(len, self.words), strict=True)]
        if not all(self.source) or not all(map(all, lengths)):
            raise BadInput(f"An example of {name} has no words: {example.source[:60]!r}.")
        self.kept: list[float] = np.mean(lengths, axis=0).tolist()
        self.bleu = References(example.references, tokenizer=tokenizer) if tokenizer != _NO_BLEU else None


class CompressionScoring(OutputScoring):
    """A set prepared once; the gold length of several references is their mean. `MissingExtra` without rouge-score."""

    FIGURES = (*_MEANS, *_RATIOS, *_BLEU.FIGURES)
    COMPARED = ("f1", "rougeL")

    def __init__(self, data: EvaluationSet) -> None:
        super().__init__(data)
        self.splitter, self._tokenizer = WORDS, _NO_BLEU
        if data.language == "zh":
            self.splitter, self._tokenizer = CHARACTERS, "zh"
            bleu_class()  # where it is missing, that is told before anything is scored
        self._golds = [_Gold(data.name, example, self.splitter, self._tokenizer) for example in data.examples]
        spoken = None if data.language == "en" else partial(_spoken, splitter=self.splitter)
        self._rouge: Any = rouge_scorer(_ROUGE, spoken)

    @property
    def source_words(self) -> list[int]:
        """Words in each source."""
        return [gold.source[0] for gold in self._golds]

    @property
    def gold_words(self) -> list[float]:
        """Words in the references of each source, their mean."""
        return [gold.kept[0] for gold in self._golds]

    def entries(self, systems: Mapping[str, Sequence[str]], seed: int) -> Iterator[Entry]:
        sources = [example.source for example in self.data.examples]
        yield Entry(UNEDITED, "baseline", partial(self.statistics, sources), "")
        kept: dict[str, Sequence[float]] = {system: self._kept_words(outputs) for system, outputs in systems.items()}
        for target, counts in (kept or {GOLD: self.gold_words}).items():
            # A system that adds words, or that returns nothing at all, still has baselines.
            rate = min(1.0, max(sum(counts), 1) / sum(self.source_words))
            budgets = budgets_at(self.source_words, rate)
            for name in BASELINES:
                label = name if len(kept) < 2 else f"{name} as {target}"
                outputs = baseline_outputs(name, sources, self.splitter, budgets, seed=seed)
                yield Entry(label, "baseline", partial(self.statistics, outputs), target)
            if target in systems:
                yield Entry(target, "system", partial(self.statistics, systems[target]), "")

    def _kept_words(self, outputs: Sequence[str]) -> list[int]:
        return [len(self.splitter.spans(output)) for output in outputs]

    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """What `figures` needs of one output for each source, a row each."""
        return np.array([self._row(*pair) for pair in zip(self._golds, outputs, strict=True)])

    def _row(self, gold: _Gold, output: str) -> list[float]:
        words = split(output, self.splitter)
        f1 = [word_f1(words, reference) for reference in gold.words]
        means = np.column_stack([f1, self.rouge(output, gold.references)]).mean(axis=0)
        lengths = zip(_lengths(output, len(words)), gold.source, gold.kept, strict=True)
        counts = gold.bleu.statistics(output) if gold.bleu else ()
        return [1.0, *means.tolist(), *(value for triple in lengths for value in triple), *counts]

    def rouge(self, output: str, references: Sequence[str]) -> list[list[float]]:
        """For each reference the recalls of ROUGE-1, 2 and L, then their F-measures; all in [0, 1], without stemming.

        Both texts have spaces between all words and marks, or more words would fit for who writes `today,` where the
        references have `today ,`. Languages other than English are split by our own words, marks left out.
        """
        rows: dict[str, list[float]] = {}
        spaced = " ".join(split(output, self.splitter))
        for reference in dict.fromkeys(references):
            target = " ".join(split(reference, self.splitter))
            scores = self._rouge.score(target, truncated(spaced, target))
            rows[reference] = [scores[name].recall for name in _ROUGE] + [scores[name].fmeasure for name in _ROUGE]
        return [rows[reference] for reference in references]

    def figures(self, totals: FloatArray) -> FloatArray:
        """F1, ROUGE and BLEU in [0, 100]; `cr` is output over source and `delta_c` that less gold over source."""
        means = 100 * totals[:, 1 : _LENGTHS.start] / totals[:, :1]
        output, source, gold = np.moveaxis(totals[:, _LENGTHS].reshape(-1, 2, 3), -1, 0)
        ratio = output / source
        ratios = np.stack([ratio, ratio - gold / source], axis=-1).reshape(-1, len(_RATIOS))
        orders = np.full((len(totals), ORDERS), np.nan)
        if self._tokenizer != _NO_BLEU:
            orders = _BLEU.figures(totals[:, _COUNTS])
        figures: FloatArray = np.hstack([means, ratios, orders])
        return figures

    def settings(self, bootstrap: Mapping[str, object]) -> Mapping[str, object]:
        return {
            "unit": "characters" if self.splitter is CHARACTERS else "words",
            "references": "mean",
            "rouge": "recall,truncated-by-bytes",
            "baselines": "corpus",
            **bootstrap,
            "bleu": self._tokenizer,
            "rouge-score": version("rouge-score"),
            **({"sacrebleu": version("sacrebleu")} if self._tokenizer != _NO_BLEU else {}),
        }

    def title(self) -> str:
        return f"{super().title()}, gold CR {sum(self.gold_words) / sum(self.source_words):.3f}"

    def table(self, rows: Sequence[SystemRow]) -> str:
        counted = self._tokenizer != _NO_BLEU
        head = ["system", "F1", *(["B1", "B2", "B3", "B4"] if counted else []), "R1", "R2", "RL", "CR (ΔC)"]
        head += ["chars (ΔC)", "F1 95 %", "RL 95 %"]
        return f"{text_table(head, [_measured(row, counted) for row in rows])}\n\n{_LEGEND}"


def budgets_at(lengths: Sequence[int], rate: float) -> list[int]:
    """Words to keep of sentences with `lengths` words (each at least 1), at one `rate` in (0, 1] for all.

    What rounding adds to one sentence is taken off the next, so that the sum is `rate` of all words to half a word
    (more where the last sentences are so short that keeping a word of each is too much).
    """
    budgets: list[int] = []
    words = kept = 0
    for length in lengths:
        words += length
        budgets.append(min(length, max(1, round(rate * words) - kept)))
        kept += budgets[-1]
    return budgets


def baseline_outputs(
    name: str, sources: Sequence[str], splitter: Splitter, budgets: Sequence[int], *, seed: int = 0
) -> list[str]:
    """The outputs of the baseline `name` of `BASELINES`; `seed` settles what random drop draws."""
    choose = BASELINES[name]
    rng = np.random.default_rng(seed)
    outputs = []
    for source, budget in zip(sources, budgets, strict=True):
        spans = splitter.spans(source)
        kept = choose(len(spans), budget, rng) if spans else ()
        outputs.append(kept_text(source, [spans[place] for place in kept], splitter.gap))
    return outputs


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


def _spoken(text: str, splitter: Splitter) -> list[str]:
    return [word for word in split(text, splitter) if any(map(str.isalnum, word))]


def _lengths(text: str, words: int) -> tuple[int, int]:
    """Words, and characters without spaces: tokenised and plain text count alike."""
    return words, sum(not character.isspace() for character in text)


def _measured(row: SystemRow, bleu: bool) -> list[str]:
    figures = row.figures
    return [
        row.system,
        *(f"{figures[name]:.1f}" for name in ("f1", *(_BLEU.FIGURES if bleu else ()), *_ROUGE)),
        _rate(figures["cr"], figures["delta_c"]),
        _rate(figures["cr_characters"], figures["delta_c_characters"]),
        *(row.measured.interval(name).text(1) for name in ("f1", "rougeL")),
    ]


def _rate(ratio: float, delta: float) -> str:
    return f"{ratio:.2f} ({delta:+.2f})"
