"""Porter's stems, beside those of nltk, which rouge-score takes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.paraeval.porter import inflection_stem, porter_stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # From Porter's paper, by step.
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"),
        ("plastered", "plaster"), ("motoring", "motor"), ("sing", "sing"), ("conflated", "conflat"), ("sized", "size"),
        ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("relational", "relat"),
        ("generalizations", "gener"), ("hopefulness", "hope"), ("triplicate", "triplic"), ("revival", "reviv"),
        ("adoption", "adopt"), ("probate", "probat"), ("rate", "rate"), ("controll", "control"), ("roll", "roll"),
        # Where nltk differs from the paper.
        ("dies", "die"), ("died", "die"), ("dying", "die"), ("news", "news"), ("enjoy", "enjoy"), ("cry", "cri"),
        ("helpfully", "help"), ("geology", "geolog"), ("ally", "alli"), ("is", "is"), ("", ""),
    ],
)  # fmt: skip
def test_stems(word: str, stem: str) -> None:
    assert porter_stem(word) == stem


@pytest.mark.parametrize(
    "forms",
    [
        ("traveller", "travellers"), ("battery", "batteries"), ("observe", "observes", "observed", "observing"),
        ("stop", "stops", "stopped", "stopping"), ("agree", "agrees", "agreed", "agreeing"), ("die", "died", "dying"),
    ],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem_and_other_words_another(forms: tuple[str, ...]) -> None:
    stems = {inflection_stem(form) for form in forms}
    assert len(stems) == 1
    others = ["travel", "beats", "observation", "stoppage", "agreement", "death"]
    assert not stems & {inflection_stem(other) for other in others}


ENDINGS = """
    ed ing ies ied eed at bl iz ational izer alli ization iveness fulli logi ative icate ful ness al ement ment ion sion
    tion ous ive e ee ll y ey s ss 1
""".split()


@given(st.text("abceilnostuyz", max_size=7), st.lists(st.sampled_from(ENDINGS), max_size=3))
@settings(max_examples=400, deadline=None)
def test_stems_are_those_of_nltk(begin: str, endings: list[str]) -> None:
    porter = pytest.importorskip("nltk.stem.porter", reason="needs nltk")
    word = begin + "".join(endings)
    assert porter_stem(word) == porter.PorterStemmer().stem(word)
