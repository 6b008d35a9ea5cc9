"""Neighbouring Distribution Divergence of a source and many candidates, with as few forward rows as it takes.

    ndd = Ndd(model, divergence="kl", attention=Balanced(0.9), bias=0.98)
    source = ndd.read(words)                            # words: `rerank.masked.words.split(text)`
    cut = source.keep([0, 1, 4, 5])                     # the text without its words 2 and 3
    other = source.compare(words_of_another_text)       # aligned by the longest common subsequence
    masked = source.mask([2])                           # the text with a mask for its word 2
    ndd.distances([(source, [cut, other, masked])])     # [array of three]
    sums = [ndd.begin(source, cut) for cut in cuts]     # or step by step, for a search that decides by itself
    ndd.advance(sums, words=2)                          # sums[k].value ≤ NDD; sums[k].exact
    ndd.rows                                            # forward rows so far

A `SourceReading` keeps what the model expects at each of its words once that has been asked for, so its rows are
computed once for all candidates and all calls. Rows of all the candidates of all the sources of a call are sorted by
length and given to the model together. No term of the sum is below 0: a search that adds those of the words nearest to
an edit first may drop a candidate once its sum is over a limit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from rerank.errors import UnknownName
from rerank.masked.base import LogProbs, MaskedModel, Row, Word
from rerank.ndd.attention import Alignment, Attention, Mean, align, kept_words, position_bias
from rerank.ndd.reading import Masking, Reading, predicted, require_masking
from rerank.types import FloatArray

_Key = TypeVar("_Key")


Divergence = Callable[[LogProbs, LogProbs], FloatArray]
"""Takes natural-log probabilities of the initial and of the edited text, `[…, vocabulary]`; gives values ≥ 0, `[…]`."""


def hellinger(initial: LogProbs, edited: LogProbs) -> FloatArray:
    """The Hellinger distance, √(½ Σ (√q − √q′)²), in [0, 1] and symmetric (section 3 of the paper)."""
    gaps = np.exp(initial * 0.5) - np.exp(edited * 0.5)
    # Rounding must not carry it over its bound.
    return np.sqrt(np.minimum(_sum(gaps * gaps) / 2, 1.0))


def kullback_leibler(initial: LogProbs, edited: LogProbs) -> FloatArray:
    """KL(q′ ‖ q) = Σ q′ log(q′ / q), in [0, ∞): the initial text's q is the approximation (section 4.2)."""
    return _divergence(edited, initial)


def reverse_kullback_leibler(initial: LogProbs, edited: LogProbs) -> FloatArray:
    """KL(q ‖ q′) = Σ q log(q / q′), in [0, ∞): the paper's NDD* (Table 12)."""
    return _divergence(initial, edited)


def _divergence(true: LogProbs, approximation: LogProbs) -> FloatArray:
    # Of two distributions that are nearly equal, rounding makes it a little less than nothing.
    return np.maximum(_sum(np.exp(true) * (true - approximation)), 0.0)


def _sum(terms: LogProbs) -> FloatArray:
    total: FloatArray = terms.sum(axis=-1, dtype=np.float64)
    return total


_KNOWN: dict[str, Divergence] = {
    "hellinger": hellinger,
    "kl": kullback_leibler,
    "kl-reverse": reverse_kullback_leibler,
}


def divergence_of(name: str) -> Divergence:
    """The function called `name`: `hellinger`, `kl` (as printed) or `kl-reverse`. Raises `UnknownName`."""
    if name not in _KNOWN:
        raise UnknownName(f"Unknown divergence {name!r}.", hint=f"Known: {', '.join(_KNOWN)}.")
    return _KNOWN[name]


@dataclass(frozen=True, eq=False)
class Comparison:
    """A candidate as the model reads it, aligned with its source.

    Where the texts have no common word, what is left to compare are the tokens around both (section 3): then `bare` is
    true, and the alignment is that of these two; a word's index is one less than the alignment's. With `by_sentence`
    the model sees only the sentence in which a word stands, since one of the texts is longer than its window.
    """

    reading: Reading
    alignment: Alignment
    bare: bool = False
    by_sentence: bool = False


class SourceReading:
    """A source as the model reads it; made by `Ndd.read`. `known` is the number of distributions it keeps."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._expected: dict[tuple[bool, int], LogProbs] = {}

    @property
    def words(self) -> tuple[Word, ...]:
        return self.reading.words

    @property
    def known(self) -> int:
        return len(self._expected)

    def keep(self, kept: Sequence[int]) -> Comparison:
        """The comparison with what is left of the text, its words at the indices `kept`, rising.

        Raises `TextTooLong` as `compare` does.
        """
        return self._comparison(self.reading.kept(kept), kept_words(len(self.words), kept))

    def compare(self, words: Sequence[Word]) -> Comparison:
        """The comparison with another text by the longest common subsequence of words.

        Words are common if they are written alike and have the same sub-words. If one of the texts is longer than the
        model's window, the model sees both sentence by sentence; raises `TextTooLong` for a sentence that is too long.
        """
        reading = Reading.of(self.reading.model, words)
        return self._comparison(reading, align(self.reading.keys, reading.keys))

    def mask(self, places: Sequence[int]) -> Comparison:
        """The comparison with the same text whose words at the indices `places`, rising, are a mask each.

        Raises `TextTooLong` as `compare` does.
        """
        left_out = set(places)
        others = np.array([k for k in range(len(self.words)) if k not in left_out], dtype=np.int64)
        tokens = [(self.reading.model.mask,) if k in left_out else t for k, t in enumerate(self.reading.tokens)]
        size = len(self.words)
        return self._comparison(
            Reading(self.reading.model, self.words, tuple(tokens)), Alignment(others, others, (size, size))
        )

    def _comparison(self, reading: Reading, alignment: Alignment) -> Comparison:
        by_sentence = not (self.reading.fits and reading.fits)
        if by_sentence:
            _ = self.reading.sentences, reading.sentences  # raises now, not when half is done
        bare = not len(alignment) and not alignment.identical
        if bare:
            ends = [np.array([0, size + 1], dtype=np.int64) for size in alignment.sizes]
            alignment = Alignment(ends[0], ends[1], (alignment.sizes[0] + 2, alignment.sizes[1] + 2))
        return Comparison(reading, alignment, bare, by_sentence)


Asked = Sequence[tuple[SourceReading, Sequence[Comparison]]]
"""Sources, and for each what it is compared with."""


@dataclass(slots=True)
class _Term:
    """One summand: its weight, and the place in both texts."""

    weight: float
    place: int
    other_place: int


@dataclass(slots=True, eq=False)
class PartialSum:
    """The distance of one comparison as far as it is known: never more than the whole.

    Made by `Ndd.begin`, taken further by `Ndd.advance`: a search may drop it whenever the value suffices to decide.
    """

    source: SourceReading
    comparison: Comparison
    terms: list[_Term]
    value: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the value is the distance."""
        return not self.terms


class Ndd:
    """NDD(W, W′) = Σ a_w b_w F(q_w, q′_w) over the common words w (section 2.2 and appendix C of the paper).

    q_w is what `model` expects at the place of w in the source with w masked, q′_w in the candidate. `divergence` is F:
    `hellinger`, `kl` or `kl-reverse`; of a word of several sub-words, the mean over them.
    `attention` gives a_w; `bias` is ν of b_w = ν^index, in (0, 1]; `masking` is one of `rerank.ndd.reading.Masking`.
    Raises `UnknownName` for another divergence or masking, `BadWeights` for a bias out of range.
    """

    def __init__(
        self,
        model: MaskedModel,
        *,
        divergence: str = "hellinger",
        attention: Attention | None = None,
        bias: float = 1.0,
        masking: Masking = "word",
    ) -> None:
        require_masking(masking)
        self.model = model
        self.divergence = divergence
        self.attention = attention or Mean()
        self.bias = bias
        self.masking: Masking = masking
        self.rows = 0
        self._divergence = divergence_of(divergence)
        position_bias(kept_words(0, []), bias)

    def signature(self) -> str:
        """Settings and model: equal signatures mean equal distances."""
        settings = (self.divergence, self.attention.signature(), f"bias({self.bias:g})", f"masking({self.masking})")
        return f"ndd:{','.join(settings)}:{self.model.signature()}"

    def read(self, words: Sequence[Word]) -> SourceReading:
        """The text of these words, of which there may be none, as a source; no forward row yet."""
        return SourceReading(Reading.of(self.model, words))

    def weights(self, comparison: Comparison) -> FloatArray:
        """a_w b_w of each common word (of the two tokens around a text where there is none), shape `[common]`."""
        return self.attention(comparison.alignment) * position_bias(comparison.alignment, self.bias)

    def distances(self, asked: Asked) -> list[FloatArray]:
        """The distances of each source's comparisons, ≥ 0, 0 for an identical text. Shape `[comparisons]` each."""
        groups = [[self.begin(source, comparison) for comparison in comparisons] for source, comparisons in asked]
        self.advance([partial for group in groups for partial in group], words=None)
        return [np.array([partial.value for partial in group], dtype=np.float64) for group in groups]

    def advance(self, sums: Sequence[PartialSum], *, words: int | None = 2) -> None:
        """Adds to each of `sums` the terms of its next `words` words, at least 1 (`None`: of all), nearest first.

        Their rows are given to the model together, those of sources that are not known yet before.
        """
        chosen = [(partial, partial.terms.pop()) for partial in sums for _ in range(len(partial.terms))[:words]]
        if chosen:
            self._add(chosen)

    def _rows(self, partial: PartialSum, term: _Term) -> tuple[Row, ...]:
        return partial.comparison.reading.rows(
            term.other_place, self.masking, by_sentence=partial.comparison.by_sentence
        )

    def begin(self, source: SourceReading, comparison: Comparison) -> PartialSum:
        """The distance with no term added yet, and no forward row; exact for an identical text."""
        alignment = comparison.alignment
        if alignment.identical:
            return PartialSum(source, comparison, [])
        weights = self.weights(comparison)
        shift = int(comparison.bare)
        # The last is taken first: the nearest, for there the divergence is largest too, and of these the weightiest.
        order = np.lexsort((-np.arange(len(weights)), weights, -alignment.distance))
        terms = [
            _Term(float(weights[t]), int(alignment.source[t]) - shift, int(alignment.target[t]) - shift)
            for t in order.tolist()
            if weights[t] > 0
        ]
        return PartialSum(source, comparison, terms)

    def _add(self, chosen: Sequence[tuple[PartialSum, _Term]]) -> None:
        self._ask_sources(chosen)
        rows = [
            ((number, part), row) for number, pair in enumerate(chosen) for part, row in enumerate(self._rows(*pair))
        ]
        missing = Counter(number for (number, _), _ in rows)
        answers: defaultdict[int, dict[int, LogProbs]] = defaultdict(dict)
        for (number, part), answer in self._predicted(rows):
            answers[number][part] = answer
            missing[number] -= 1
            # A distribution takes much room: a term is added as soon as its last part is there.
            if not missing[number]:
                self._finish(*chosen[number], answers.pop(number))

    def _finish(self, partial: PartialSum, term: _Term, parts: dict[int, LogProbs]) -> None:
        initial = partial.source._expected[partial.comparison.by_sentence, term.place]
        edited = np.concatenate([parts[part] for part in sorted(parts)])
        partial.value += term.weight * float(self._divergence(initial, edited).mean())

    def _ask_sources(self, chosen: Sequence[tuple[PartialSum, _Term]]) -> None:
        """Has every source know what is expected at the places of these terms."""
        missing = {
            (partial.source, partial.comparison.by_sentence, term.place): None
            for partial, term in chosen
            if (partial.comparison.by_sentence, term.place) not in partial.source._expected
        }
        rows = [
            ((source, by_sentence, place, part), row)
            for source, by_sentence, place in missing
            for part, row in enumerate(source.reading.rows(place, self.masking, by_sentence=by_sentence))
        ]
        answers = dict(self._predicted(rows))
        parts: dict[tuple[SourceReading, bool, int], list[LogProbs]] = {}
        for (source, by_sentence, place, part), _ in rows:
            parts.setdefault((source, by_sentence, place), []).append(answers[source, by_sentence, place, part])
        for (source, by_sentence, place), source_parts in parts.items():
            source._expected[by_sentence, place] = np.concatenate(source_parts)

    def _predicted(self, rows: Sequence[tuple[_Key, Row]]) -> Iterator[tuple[_Key, LogProbs]]:
        self.rows += len({row for _, row in rows})
        return predicted(self.model, rows)
