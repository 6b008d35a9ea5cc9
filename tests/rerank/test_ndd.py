"""What NDD asks a model for, what it costs, and how its values hang together; test_ndd_values has the values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rerank.errors import BadWeights, TextTooLong, UnknownName
from rerank.masked.base import LogProbs, MaskedModel, Row, Word
from rerank.masked.registry import create_masked_model
from rerank.masked.words import split_words
from rerank.ndd.attention import Adjacent, Attention, Balanced, Exponential, Mean
from rerank.ndd.distance import Comparison, Ndd, SourceReading
from rerank.ndd.reading import Masking
from tests.rerank.random_pairs import random_pairs

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

ModelFolder = Callable[[str], Path]
Words = list[Word]

ATTENTIONS: dict[str, Attention] = {"mean": Mean(), "exponential": Exponential(0.8), "balanced": Balanced(0.8)}
MASKINGS: tuple[Masking, ...] = ("word", "piece", "one")


def words(text: str) -> Words:
    return list(split_words(text, "en"))


RAIN = words("I am walking in the cold rain .")


class Counting:
    """A masked model that keeps the rows it was given."""

    def __init__(self, model: MaskedModel) -> None:
        self._model = model
        self.rows: list[Row] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)

    def predict(self, rows: list[Row]) -> list[LogProbs]:
        self.rows += rows
        return self._model.predict(rows)


@pytest.fixture(scope="module")
def model(tiny_masked_model: ModelFolder) -> MaskedModel:
    return create_masked_model(f"hf:{tiny_masked_model('roberta')}")


@pytest.fixture
def counting(tiny_masked_model: ModelFolder) -> Counting:
    return Counting(create_masked_model(f"hf:{tiny_masked_model('bert')}"))


def compared(ndd: Ndd, source: Words, texts: list[Words]) -> tuple[SourceReading, list[Comparison]]:
    reading = ndd.read(source)
    return reading, [reading.compare(text) for text in texts]


def distances(ndd: Ndd, source: Words, *texts: Words) -> list[float]:
    values: list[float] = ndd.distances([compared(ndd, source, list(texts))])[0].tolist()
    return values


def cuts(source: SourceReading, longest: int = 4) -> list[Comparison]:
    """The source without each of its spans."""
    size = len(source.words)
    spans = [(i, j) for i in range(size) for j in range(i + 1, min(size, i + longest) + 1) if j - i < size]
    return [source.keep([*range(i), *range(j, size)]) for i, j in spans]


def rows_of(source: SourceReading, counting: Counting) -> list[Row]:
    """The rows that asked about a word of the source in the source."""
    (whole,) = source.reading.contexts()
    return [
        row
        for row in counting.rows
        if len(row.tokens) == len(whole)
        and all(a == b or place in row.positions for place, (a, b) in enumerate(zip(row.tokens, whole, strict=True)))
    ]


class Spelled(Counting):
    """Gives some words sub-words of its own."""

    def tokens(self, word: Word) -> tuple[int, ...]:
        return {"undo": (21, 22), "untie": (21, 23)}.get(word.text, (30 + ord(word.text[0]) % 30,))


@pytest.mark.parametrize("masking", MASKINGS)
def test_words_that_share_a_sub_word_have_their_own_distributions(counting: Counting, masking: Masking) -> None:
    # Without *untie* and with a mask for the second half of *undo*, it is what is without *undo* and so masked.
    ndd = Ndd(Spelled(counting), divergence="kl", masking=masking)  # type: ignore[arg-type]
    source = ndd.read([Word(word) for word in ("xylophones", "undo", "untie", "yours")])
    spans = [source.keep([0, 1, 3]), source.keep([0, 2, 3])]
    (together,) = ndd.distances([(source, spans)])
    alone = [float(ndd.distances([(ndd.read(list(source.words)), [one])])[0][0]) for one in spans]
    assert together == pytest.approx(alone, abs=1e-6)


def test_a_search_may_add_terms_step_by_step_and_stop_where_it_likes(counting: Counting) -> None:
    ndd = Ndd(counting, divergence="kl", attention=Balanced())
    source = ndd.read(RAIN)
    spans = cuts(source)
    sums = [ndd.begin(source, span) for span in spans]
    assert ndd.rows == 0
    (full,) = Ndd(counting, divergence="kl", attention=Balanced()).distances([(ndd.read(RAIN), spans)])
    before = [0.0] * len(sums)
    for _ in range(len(RAIN)):
        ndd.advance([one for one in sums if not one.exact], words=1)
        assert all(now.value >= then for now, then in zip(sums, before, strict=True))
        before = [one.value for one in sums]
    assert all(one.exact for one in sums)
    assert before == pytest.approx(full, abs=1e-5)


def test_every_row_of_the_source_is_computed_once(counting: Counting) -> None:
    ndd = Ndd(counting)
    source, candidates = compared(
        ndd, RAIN, [words("I am walking in the rain ."), words("He was walking in cold rain .")]
    )
    ndd.distances([(source, candidates)])
    ndd.distances([(source, candidates[::-1])])
    assert len(rows_of(source, counting)) == source.known == 8
    assert ndd.rows == len(counting.rows) == 8 + 2 * (7 + 5)


def test_candidates_of_many_sources_have_the_values_they_have_alone(model: MaskedModel) -> None:
    ndd = Ndd(model, divergence="kl", attention=Exponential())
    pairs = random_pairs(8)
    together = ndd.distances([compared(ndd, source, [target, source]) for source, target in pairs])
    alone = [distances(ndd, source, target) for source, target in pairs]
    assert [value[0] for value in together] == pytest.approx([value[0] for value in alone], abs=1e-5)
    assert [value[1] for value in together] == [0.0] * len(pairs)


@pytest.mark.parametrize("text", ["", "Rain", "I am walking in the cold rain ."])
def test_an_identical_text_is_at_no_distance_and_costs_no_row(counting: Counting, text: str) -> None:
    ndd = Ndd(counting)
    assert distances(ndd, words(text), words(text)) == [0.0]
    assert counting.rows == []


def test_hellinger_is_symmetric_and_the_divergences_are_each_other_s_reverse(model: MaskedModel) -> None:
    for source, target in random_pairs(4):
        for attention in ATTENTIONS.values():
            hellinger = Ndd(model, attention=attention)
            assert distances(hellinger, source, target) == pytest.approx(distances(hellinger, target, source), abs=1e-5)
            forth, back = (Ndd(model, divergence=name, attention=attention) for name in ("kl", "kl-reverse"))
            assert distances(forth, source, target) == pytest.approx(distances(back, target, source), abs=1e-5)


def test_the_mean_of_hellinger_distances_is_bounded_and_grows_with_the_edit(model: MaskedModel) -> None:
    values = distances(Ndd(model), RAIN, words("Drizzling nothingness"), words("I am walking in the cold snow ."), [])
    assert all(0 < value <= 1 for value in values)


def test_a_text_of_one_word_is_compared(model: MaskedModel) -> None:
    ndd = Ndd(model)
    values = distances(ndd, words("Rain"), words("Cold rain"), words("Rain ."), words("Snow"))
    assert all(0 < value <= 1 for value in values)


def test_without_common_words_the_tokens_around_the_texts_are_compared(counting: Counting) -> None:
    ndd = Ndd(counting, divergence="kl", attention=Exponential(0.9), bias=0.5)
    source, (other,) = compared(ndd, words("cold rain"), [words("hot snow now")])
    assert other.bare
    assert ndd.weights(other) == pytest.approx([0.9, 0.9 * 0.5**3])
    (found,) = ndd.distances([(source, [other])])
    assert found[0] > 0
    assert sorted(row.positions for row in rows_of(source, counting)) == [(0,), (len(counting.rows[0].tokens) - 1,)]
    assert len(counting.rows) == 4
    assert not compared(ndd, words("cold rain"), [words("cold snow")])[1][0].bare
    assert distances(ndd, words("cold rain"), [])[0] > 0
    assert distances(ndd, [], words("cold rain"))[0] > 0


def test_words_that_the_vocabulary_lacks_differ_although_their_tokens_are_equal(counting: Counting) -> None:
    ndd = Ndd(counting)
    one, other = Word("日"), Word("本")
    assert counting.tokens(one) == counting.tokens(other)  # type: ignore[operator]
    source, (same, different) = compared(ndd, [*RAIN, one], [[*RAIN[1:], one], [*RAIN[1:], other]])
    assert len(same.alignment) == 8
    assert len(different.alignment) == 7
    assert np.isfinite(ndd.distances([(source, [same, different])])[0]).all()


def test_fast_ndd_asks_for_the_two_words_beside_the_edit_alone(counting: Counting) -> None:
    fast = Ndd(counting, divergence="kl", attention=Adjacent(Balanced()))
    whole = Ndd(counting, divergence="kl", attention=Balanced())
    source = fast.read(RAIN)
    kept = [0, 1, 2, 6, 7]
    (value,) = fast.distances([(source, [source.keep(kept)])])[0]
    assert fast.rows == 4
    again = whole.read(RAIN)
    (more,) = whole.distances([(again, [again.keep(kept)])])[0]
    assert 0 < value < more


def test_a_masked_word_is_compared_by_all_the_others(counting: Counting) -> None:
    ndd = Ndd(counting)
    source = ndd.read(RAIN)
    masked = source.mask([2])
    assert masked.alignment.source.tolist() == [0, 1, 3, 4, 5, 6, 7]
    assert masked.reading.tokens[2] == (counting.mask,)
    assert 0 < ndd.distances([(source, [masked])])[0][0] < 1


def test_a_text_longer_than_the_window_is_read_sentence_by_sentence(counting: Counting) -> None:
    ndd = Ndd(counting)
    long = words("I am walking in the cold rain . " * 10 + "He was running in the cold rain . " * 10)
    source = ndd.read(long)
    assert not source.reading.fits
    last = [*long[:-8], *words("He was running in the hot rain .")]
    first = [*words("I am walking in the hot rain ."), *long[8:]]
    (values,) = ndd.distances([(source, [source.compare(last), source.compare(first)])])
    assert (values > 0).all()
    # The other sentences expect what they did: the mean is over all the words.
    (alone,) = ndd.distances([compared(ndd, long[-8:], [last[-8:]])])
    assert values[0] == pytest.approx(alone[0] * 7 / 159, abs=1e-6)
    # A source that fits is read so too, if the candidate does not.
    (short,) = ndd.distances([compared(ndd, long[:8], [long])])
    assert short[0] == pytest.approx(0.0, abs=1e-6)


def test_a_sentence_longer_than_the_window_is_refused_before_any_row(counting: Counting) -> None:
    ndd = Ndd(counting)
    source = ndd.read(RAIN)
    with pytest.raises(TextTooLong, match=r"'walking walking .* has \d{3} tokens, the model hf:.* takes 160"):
        source.compare(words("walking " * 200))
    assert counting.rows == []


def test_settings_out_of_range_are_named(model: MaskedModel) -> None:
    with pytest.raises(UnknownName, match=r"'euclid'.*hellinger, kl, kl-reverse"):
        Ndd(model, divergence="euclid")
    with pytest.raises(UnknownName, match=r"'half'.*word, piece, one"):
        Ndd(model, masking="half")  # type: ignore[arg-type]
    with pytest.raises(BadWeights, match=r"nu is 0\."):
        Ndd(model, bias=0.0)
    with pytest.raises(BadWeights, match=r"mu is 1\.5\."):
        Balanced(1.5)


def test_the_signature_tells_every_setting(model: MaskedModel) -> None:
    variants = [
        Ndd(model),
        Ndd(model, divergence="kl"),
        Ndd(model, attention=Exponential(0.9)),
        Ndd(model, attention=Exponential(0.8)),
        Ndd(model, attention=Adjacent(Balanced())),
        Ndd(model, bias=0.9),
        Ndd(model, masking="piece"),
    ]
    assert len({ndd.signature() for ndd in variants}) == len(variants)
    assert Ndd(model).signature() == variants[0].signature()
