"""The search for splits of one sentence: a real parse, with a model and a judge that are told where to cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rerank.types import FloatArray
from rewrite.forest import TreeAcceptance, Trees
from rewrite.generators.base import Sampling
from rewrite.splitting.acceptance import FEATURES
from rewrite.splitting.search import SplitGenerator, Wanted
from rewrite.splitting.wholeness import SentenceJudge
from tests.rewrite.splitting.marking import analyzer
from tests.rewrite.splitting.scripted import ScriptedModel

THREE = "Tom bought a car, but Anna sold the house, and Peter left the town."
CUTS = {"but": -0.5, "and": -1.0, "so": -9.0}
ONE = "Tom bought a car.\nBut Anna sold the house, and Peter left the town."
OTHER = "Tom bought a car, but Anna sold the house.\nPeter left the town."
ALL = "Tom bought a car.\nBut Anna sold the house.\nPeter left the town."


class Likely(TreeAcceptance):
    """Passes what the network finds likely: its chance is the split's probability."""

    def predict(self, features: FloatArray) -> FloatArray:
        chances: FloatArray = np.exp(features[:, FEATURES.index("logprob")])
        return chances


class AllWhole(SentenceJudge):
    """Takes every text for a whole sentence."""

    def probabilities(self, sentences: Sequence[str]) -> FloatArray:
        return np.ones(len(sentences))


def searching(wanted: Wanted, *, model: ScriptedModel | None = None) -> SplitGenerator:
    nothing = np.zeros((1, 1), dtype=np.int16)
    forest = Trees(nothing, np.zeros((1, 1), dtype=np.float32), nothing, nothing, np.zeros((1, 1)), 0.0, 0)
    likely = Likely(FEATURES, forest, (1.0, 0.0))
    return SplitGenerator(model or ScriptedModel(CUTS), analyzer(), wanted, whole=AllWhole(), acceptance=likely)


def texts_of(text: str, wanted: Wanted, *, n: int = 10) -> list[str]:
    (candidates,) = searching(wanted).generate([text], Sampling(n=n))
    return [candidate.text for candidate in candidates]


def test_two_sentences_where_nothing_is_said() -> None:
    assert texts_of(THREE, Wanted()) == [ONE, OTHER]


def test_what_fulfils_the_wish_is_first_then_what_is_surer() -> None:
    (candidates,) = searching(Wanted(3), model=ScriptedModel(CUTS, none=-2.5)).generate([THREE], Sampling(n=10))
    assert [candidate.text for candidate in candidates] == [ALL, ONE, OTHER]
    assert [candidate.logprob for candidate in candidates] == [-1.5, -0.5, -1.0]  # of both cuts together
    assert [candidate.risk for candidate in candidates] == pytest.approx([1.0, 0.5, 1.0])  # of the worst cut
    assert [candidate.tokens for candidate in candidates] == [2, 1, 1]
    assert {(candidate.generator, candidate.source_logprob) for candidate in candidates} == {("splitter", -2.5)}
    assert candidates[0].edits[:2] == ("cut at “but Anna …”", "cut at “Peter left …”")


def test_no_more_candidates_than_are_wanted() -> None:
    assert texts_of(THREE, Wanted(3), n=1) == [ALL]


def test_a_cut_that_hardly_ever_passes_is_no_candidate() -> None:
    texts = texts_of(f"{THREE[:-1]}, so Mary kept the dog.", Wanted(9))
    assert max(text.count("\n") for text in texts) == 2
    assert all("left the town, so Mary kept the dog." in text for text in texts)


@pytest.mark.parametrize(("longest", "sentences"), [(12, 2), (10, 2), (8, 3), (5, 3)])
def test_max_words_goes_on_while_a_sentence_is_longer(longest: int, sentences: int) -> None:
    best = texts_of(THREE, Wanted(max_words=longest))[0].split("\n")
    assert len(best) == sentences
    assert max(len(line.split()) for line in best) <= longest


def test_fewer_cuts_are_left_to_choose_from_where_nothing_is_said() -> None:
    text = ", ".join(f"{part.strip()} {'by the long river ' * 3}".strip() for part in THREE[:-1].split(","))
    assert {split.count("\n") for split in texts_of(f"{text}.", Wanted(), n=2)} == {1, 2}
    assert {split.count("\n") for split in texts_of(f"{text}.", Wanted(max_words=20), n=1)} == {2}


def test_max_words_that_no_cut_reaches_is_gone_towards() -> None:
    assert ALL in texts_of(THREE, Wanted(max_words=3))


def test_twenty_words_are_too_many_where_nothing_is_said() -> None:
    # 16 words to a clause, so two of them are too many.
    text = ", ".join(f"{part.strip()} {'by the long river ' * 3}".strip() for part in THREE[:-1].split(","))
    assert texts_of(f"{text}.", Wanted())[0].count("\n") == 2
    assert texts_of(f"{text}.", Wanted(2))[0].count("\n") == 1


def test_a_part_that_cannot_be_split_is_closed_and_the_next_one_tried() -> None:
    longest = "Anna sold the old house and the new car and the garden and the boat"
    model = ScriptedModel(CUTS)
    (candidates,) = searching(Wanted(3), model=model).generate(
        [f"{longest}, but Tom left the town, and Peter kept the dog."], Sampling(n=10)
    )
    assert candidates[0].text == f"{longest}.\nBut Tom left the town.\nPeter kept the dog."
    asked = [text for call in model.asked for text in call]
    assert asked.count(f"{longest}.") == 1
    assert asked.index(f"{longest}.") < asked.index("But Tom left the town, and Peter kept the dog.")


def test_a_sentence_without_a_cut_ends_the_search() -> None:
    model = ScriptedModel({})
    assert searching(Wanted(5), model=model).generate([THREE], Sampling(n=10)) == [[]]
    assert len(model.asked) <= 3


def test_sentences_found_together_are_those_found_alone() -> None:
    texts = [THREE, "Tom left the town, and Peter kept the dog.", "Mary sleeps.", THREE.replace("Tom", "Mary")]
    search = searching(Wanted(3))
    assert search.generate(texts, Sampling(n=10)) == [search.generate([text], Sampling(n=10))[0] for text in texts]
    assert search.generate([], Sampling(n=10)) == []


@pytest.mark.parametrize(
    ("wanted", "parts", "more"),
    [
        (Wanted(), ["one two"], True),
        (Wanted(), ["one", "two"], False),
        (Wanted(), ["one", "two " * 31], True),
        (Wanted(2), ["one", "two " * 31], False),
        (Wanted(3), ["one", "two"], True),
        (Wanted(1), ["one two three"], False),
        (Wanted(1, 2), ["one two three"], True),
        (Wanted(max_words=2), ["one two", "three four"], False),
    ],
)
def test_when_a_sentence_is_split_further(wanted: Wanted, parts: list[str], more: bool) -> None:
    assert wanted.more(parts) == more
