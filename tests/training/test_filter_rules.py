"""What drops a pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from rerank.analysis import Analyzer
from rerank.foreign import foreign
from rerank.rusim import COMPONENTS, component
from rerank.scorer import Context
from rerank.types import Candidate
from training.filtering.rules import Scoring, judge, make_rules, normal, thresholds
from training.filtering.thresholds import FilterOptions

GOOD = (
    "Архимандрит Дионисий торопил ополчение поспешить к Москве и направил князю Трубецкому просьбу объединиться.",
    "Архимандрит Дионисий торопил ополчение и просил князя Трубецкого объединиться.",
)


def options(**given: Any) -> FilterOptions:
    return FilterOptions(pairs="pairs.tsv", **given)  # type: ignore[arg-type]


def rule_of(source: str, target: str, *, language: str = "ru", **given: Any) -> str:
    (verdict,) = judge([(source, target)], make_rules(options(**given), language, None))
    return verdict.rule


@pytest.mark.parametrize(
    "text",
    [
        "Их называли Stadtpfeifer в Германии и Pifferi в Италии.",
        "В XVIII в.",
        "Город Мінськ стоит на реке Свислочь.",
        "Не шути так.",
        "Калинка, калинка, калинка моя,",
        "Ёлка.",
    ],
)
def test_russian_is_russian(text: str) -> None:
    assert foreign(text, "ru") == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The city was founded in 1703.", "no Cyrillic letters"),
        (".", "no Cyrillic letters"),
        ("1703", "no Cyrillic letters"),
        ("General Dynamics F-16 Fighting Falcon — истребитель США.", "14 of 44 letters are Cyrillic"),
        ("Він прийшов додому пізно ввечері.", "3 of 5 words have letters that the language lacks"),
        ("Алматы — Қазақстанның ең үлкен қаласы.", "4 of 5 words have letters that the language lacks"),
        ("Градът се намира в южната част на страната.", "it reads as Bulgarian"),
    ],
)
def test_what_is_not_russian_says_why(text: str, reason: str) -> None:
    assert foreign(text, "ru") == reason


def test_english_and_its_neighbours() -> None:
    for text in ("The Curaçao Café is open.", "Turkey's leader is Ahmet Davutoğlu.", "How can I change that?"):
        assert foreign(text, "en") == ""
    assert foreign("Der Hund läuft schnell nach Hause.", "en") == "it reads as German"
    assert foreign("Привет, мир", "en") == "no Latin letters"


@pytest.mark.parametrize(
    ("source", "target", "share"),
    [
        ("Ёлка растёт в лесу.", "елка растет в лесу", 1.0),
        ("а б в г", "а б в", 0.8571),
        ("а б в г", "г в б а", 0.25),
        ("!", "?", 1.0),
    ],
)
def test_the_share_of_words_in_common_in_order(source: str, target: str, share: float) -> None:
    given = options(copy_limit=share, language_check=False)
    (verdict,) = judge([(source, target)], make_rules(given, "ru", None))
    assert (verdict.rule, verdict.value) == ("copy", share)
    assert rule_of(source, target, copy_limit=min(1.0, share + 0.0001), language_check=False) == (
        "copy" if share == 1.0 else ""
    )


def test_near_copies_go_and_the_limit_is_the_users() -> None:
    source = "Мальчик медленно шёл по длинной улице домой к своей бабушке."
    other = "Мальчик медленно шёл по длинной улице домой к любимой бабушке."
    assert rule_of(source, source.upper().replace(".", "!")) == "copy"
    assert rule_of(source, other) == ""
    assert rule_of(source, other, copy_limit=0.9) == "copy"
    assert rule_of(source, source, copy_limit=None) == ""
    long = " ".join(f"слово{i}" for i in range(3000))
    assert rule_of(long, f"{long} ещё", max_words=None) == "copy"


def test_numbers_of_words_count_on_both_sides() -> None:
    assert rule_of("Один два три четыре.", "Один.", min_words=2) == "words"
    assert rule_of("Один два три четыре.", "Один два.", max_words=3) == "words"
    assert rule_of("Один два три четыре.", "Один два.", min_words=2, max_words=4) == ""


def test_either_side_in_another_language_drops_the_pair() -> None:
    assert rule_of("Город основан в 1703 году.", "The city was founded in 1703.") == "language"
    assert rule_of("The city was founded in 1703.", "Город основан в 1703 году.") == "language"
    assert rule_of("The city was founded in 1703.", "Город основан в 1703 году.", language_check=False) == ""
    assert rule_of("The city was founded in 1703.", "The city is from 1703.", language="en") == ""


def test_equal_texts_are_equal_after_normalising() -> None:
    assert normal("«Ёж» — зверь") == normal('"еж" -  ЗВЕРЬ') != normal("«Ёж» — зверь.")
    assert normal("И\u0306ога") == normal("Йога")


def test_the_default_thresholds_are_the_papers() -> None:
    paper = {"length": 0.55, "readability": 0.6, "similarity": 0.75, "entities": 0.65, "lexical": 0.65, "depth": 0.5}
    assert thresholds(options(encoder="laser:folder")) == paper
    assert thresholds(options()) == {**paper, "similarity": 0.3}
    assert thresholds(options(thresholds={"similarity": 0.75})) == paper


def test_a_threshold_that_every_text_reaches_is_no_rule(analyzer: Analyzer) -> None:
    assert Scoring(options(), analyzer=analyzer).used == ("length", "readability", "similarity", "entities", "lexical")
    strict = options(thresholds={"depth": 0.7, "length": 0, "readability": 0.5})
    assert Scoring(strict, analyzer=analyzer).used == ("similarity", "entities", "lexical", "depth")


def test_scores_in_batches_are_those_of_each_pair_alone(analyzer: Analyzer) -> None:
    pairs = [GOOD, ("Он спал.", "Он спал долго."), (GOOD[0], "Дионисий торопил ополчение."), (GOOD[1], "Так.")]
    scoring = Scoring(options(), analyzer=analyzer)
    own = Context(Analyzer(cache_size=2))
    for name in COMPONENTS:
        scorer = component(name, variant="paper")
        alone = [scorer.score(s, [Candidate(t)], own)[0] for s, t in pairs]
        assert scoring.values(name, pairs) == pytest.approx(alone, abs=1e-6)
        assert scoring.values(name, []) == []


class Letters:
    """An encoder that counts letters, and how often it was asked."""

    name = "letters"
    calls = 0

    def signature(self) -> str:
        return "letters"

    def encode(self, texts: Sequence[str]) -> Any:
        self.calls += 1
        return np.array([[text.count(letter) for letter in "аеиостр"] for text in texts], dtype=np.float32)


def test_another_encoder_is_asked_once_for_a_chunk(analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = Letters()
    monkeypatch.setattr("training.filtering.rules.create_encoder", lambda spec: letters)
    scoring = Scoring(options(encoder="laser:folder"), analyzer=analyzer)
    pairs = [GOOD, (GOOD[1], "Так."), GOOD[::-1]]
    found = scoring.values("similarity", pairs)
    assert letters.calls == 1
    scorer = component("similarity", variant="paper", encoder=Letters())
    assert found == [scorer.score(s, [Candidate(t)], Context(analyzer))[0] for s, t in pairs]
    assert scoring.values("similarity", []) == []


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        (GOOD[1], ""),
        (
            "Архимандрит Дионисий торопил ополчение поспешить к Москве и послал князю Трубецкому письмо и просьбу.",
            "length",
        ),
        ("Субстанциональная дистрибутивность диверсификационного перераспределения", "readability"),
        ("Кошка пьёт молоко и спит на тёплой печке.", "similarity"),
        ("Архимандрит торопил ополчение и просил князя объединиться.", "entities"),
        ("Архимандрит Дионисий торопил ополчение и просил князя Трубецкого кооперироваться вприпрыжку.", ""),
    ],
)
def test_each_score_drops_what_it_is_for(analyzer: Analyzer, target: str, rule: str) -> None:
    given = options()
    scoring = Scoring(given, analyzer=analyzer)
    (verdict,) = judge([(GOOD[0], target)], make_rules(given, "ru", scoring))
    assert verdict.rule == rule
    if rule:
        assert isinstance(verdict.value, float)
        assert verdict.value < scoring.thresholds[rule]


def test_a_pair_counts_for_the_first_rule_that_drops_it(analyzer: Analyzer) -> None:
    given = options(thresholds={"lexical": 1.0, "length": 1.0, "entities": 1.0})
    scoring = Scoring(given, analyzer=analyzer)
    verdicts = judge([GOOD, ("Тест.", "Test."), (GOOD[0], GOOD[0])], make_rules(given, "ru", scoring))
    assert [verdict.rule for verdict in verdicts] == ["length", "language", "copy"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"thresholds": {"length": 1.5}},
        {"thresholds": {"lenght": 0.5}},
        {"min_words": 5, "max_words": 4},
        {"max_malformed": -0.1},
        {"jobs": 0},
        {"pairs": []},
        {"pairs": [{"path": "a", "source": "x"}]},
        {"pairs": [{"path": "a", "source": 1, "target": 1}]},
    ],
)
def test_options_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        FilterOptions.model_validate({"pairs": "a", **wrong})
