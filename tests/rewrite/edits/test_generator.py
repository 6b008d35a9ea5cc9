"""What the candidates of the generator have in common, on real sentences and on odd ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rewrite.generators.base import Sampling
from rewrite.generators.edits import consistent, protect
from rewrite.generators.edits.generator import EditsGenerator
from tests.rewrite.edits.conftest import Bench
from tests.rewrite.edits.test_lexicon import PLAIN, VALUED

SOURCES = [
    "Положение стало угрожающим для царевича, когда Филипп женился в седьмой раз на знатной македонянке Клеопатре.",
    "Оливковое масло, которое получают из плодов, также используется в мыловарении (в качестве лампового масла).",
    "Роман «Война и мир» (1869), написанный Львом Толстым, является одним из самых известных романов в мире.",
    "Город был основан в XVIII веке. Население, проживающее в нём, занято в сельском хозяйстве.",
    "Опасаясь сильной бури, капитан вернулся в порт, а его команда покинула корабль.",
    "В 1990 году, по словам очевидцев, завод осуществил поставку наиболее крупной партии машин за рубеж.",
    "Дождь.",
]
PAIRS = (("(", ")"), ("«", "»"), ("[", "]"))


def unbalanced(text: str) -> bool:
    return any(text.count(opening) != text.count(closing) for opening, closing in PAIRS) or text.count('"') % 2 == 1


@pytest.fixture(scope="module")
def drawn(bench: Bench) -> list[list[Candidate]]:
    return bench.generator.generate(SOURCES, Sampling(n=20, seed=5))


def test_at_most_n_distinct_candidates_and_never_the_source(drawn: list[list[Candidate]]) -> None:
    assert len(drawn) == len(SOURCES)
    for source, candidates in zip(SOURCES, drawn, strict=True):
        texts = [c.text for c in candidates]
        assert len(set(texts)) == len(texts) <= 20
        assert source not in texts
    assert all(len(candidates) >= 2 for candidates in drawn[:-1])


def test_brackets_and_quotes_stay_in_pairs(drawn: list[list[Candidate]]) -> None:
    for source, candidates in zip(SOURCES, drawn, strict=True):
        assert unbalanced(source) or not [c.text for c in candidates if unbalanced(c.text)]


def test_no_torn_marks_or_spaces(drawn: list[list[Candidate]]) -> None:
    for candidate in (c for candidates in drawn for c in candidates):
        text = candidate.text
        assert text == " ".join(text.split())
        assert not any(torn in text for torn in (" ,", " .", ",,", ",.", "( ", "()", "«»"))
        assert text[0] in "«(" or not text[0].islower()
        assert text.endswith((".", "!", "?", "…", "»"))


def test_every_candidate_says_what_was_done_and_what_speaks_against_it(drawn: list[list[Candidate]]) -> None:
    for candidate in (c for candidates in drawn for c in candidates):
        assert candidate.edits
        assert candidate.generator == "edits"
        assert candidate.seed == 5
        assert candidate.risk >= 0
        assert candidate.logprob is not None
        assert candidate.count >= 1


def test_what_gains_most_for_its_risk_comes_first(drawn: list[list[Candidate]]) -> None:
    def worth(candidate: Candidate, price: float) -> float:
        return (candidate.logprob or 0.0) / (candidate.tokens or 1) - price * candidate.risk

    for candidates in filter(None, drawn):
        # By turns the best at a middle, a low and a high price of risk.
        assert worth(candidates[0], 0.4) == max(worth(c, 0.4) for c in candidates)
        assert max(worth(c, 0.05) for c in candidates[:2]) == max(worth(c, 0.05) for c in candidates)
        assert max(worth(c, 1.0) for c in candidates[:3]) == max(worth(c, 1.0) for c in candidates)


def test_the_draw_depends_on_the_text_and_the_seed_alone(drawn: list[list[Candidate]], bench: Bench) -> None:
    assert bench.generator.generate(SOURCES[2:3], Sampling(n=20, seed=5))[0] == drawn[2]
    assert bench.generator.generate(SOURCES[::-1], Sampling(n=20, seed=5))[::-1] == drawn
    others = bench.generator.generate(SOURCES, Sampling(n=20, seed=6))
    assert [{c.text for c in pool} for pool in others] != [{c.text for c in pool} for pool in drawn]


def test_a_fresh_generator_draws_the_same(drawn: list[list[Candidate]], analyzer: Analyzer) -> None:
    assert EditsGenerator(analyzer=analyzer).generate(SOURCES[:1], Sampling(n=20, seed=5))[0] == drawn[0]


def test_names_and_numbers_come_from_the_source(drawn: list[list[Candidate]]) -> None:
    for source, candidates in zip(SOURCES, drawn, strict=True):
        known = source.replace("XVIII", "18")
        for candidate in candidates:
            numbers = [w.strip(".,()") for w in candidate.text.split() if any(c.isdigit() for c in w)]
            assert all(number in known for number in numbers)


def test_options_never_cut_the_root(bench: Bench) -> None:
    for source in SOURCES[:3]:
        options = bench.options(source)
        assert options.tree.root not in options.cuts
        assert options.keep.shape == (len(options.tree),)


_WORDS = st.sampled_from(
    "дом который построили ( ) « » , . — и не в на большой писатель является XIX 5 , г. век занял, однако".split()
)


@settings(max_examples=25, deadline=None)
@given(st.lists(_WORDS, min_size=1, max_size=14))
def test_odd_texts_do_no_harm(bench: Bench, words: list[str]) -> None:
    source = " ".join(words)
    (candidates,) = bench.generator.generate([source], Sampling(n=4))
    texts = [c.text for c in candidates]
    assert len(set(texts)) == len(texts) <= 4
    assert source not in texts
    assert all(text.strip() for text in texts)


def test_the_page_on_the_generator_names_every_rule_and_flag() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "edits.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)", page))
    rules = [*protect.RULES, *consistent.RULES]
    assert {rule.__name__ for rule in rules} - named == set()
    assert (PLAIN | VALUED) - named == set()
