"""Each rule fires on what it is for, stays silent on good sentences, and finds planted breakages."""

from __future__ import annotations

import lzma
from collections import Counter

import pytest

from rerank.analysis import Analyzer
from rerank.morphology import Morphology
from rerank.wellformed.russian import LAYERS, LOSS_RULES, TEXT_RULES, WellFormedness
from rewrite.datasets import load_rsse
from tests.paths import need_data
from tests.rerank.breakage import BREAKAGES, break_sentences, detection, read_conllu

RULES = [rule.__name__ for rule in (*TEXT_RULES, *LOSS_RULES)]


@pytest.fixture(scope="module")
def morphology() -> Morphology:
    return Morphology()


@pytest.fixture(scope="module")
def checker(morphology: Morphology) -> WellFormedness:
    return WellFormedness(morphology)


def _rules(checker: WellFormedness, analyzer: Analyzer, source: str, candidate: str) -> set[str]:
    first, second = analyzer.analyze([source, candidate], LAYERS)
    return {problem.kind for problem in checker.check(first, second)}


_HOUSE = "Старый дом, построенный в 1900 году, стоит на берегу реки и принадлежит городу."
_MINISTER = "Министр заявил, что страна не может принять новых беженцев из-за нехватки жилья."

_BROKEN = [
    ("balanced_pairs", "Фильм «Солярис» (1972) снял Тарковский.", "Фильм «Солярис (1972) снял Тарковский."),
    ("balanced_pairs", "Фильм «Солярис» (1972) снял Тарковский.", "Фильм «Солярис» 1972) снял Тарковский."),
    ("balanced_pairs", 'Завод "Прогресс" закрыт.', 'Завод "Прогресс закрыт.'),
    ("doubled_punctuation", _HOUSE, "Старый дом, , стоит на берегу реки."),
    ("doubled_punctuation", _HOUSE, "Старый дом стоит на берегу реки,."),
    ("doubled_punctuation", _HOUSE, "Старый дом () стоит на берегу реки."),
    ("doubled_punctuation", _HOUSE, ", стоит на берегу реки."),
    ("final_punctuation", _HOUSE, "Старый дом стоит на берегу реки"),
    ("capital_start", _HOUSE, "старый дом стоит на берегу реки."),
    ("capital_start", _HOUSE, ""),
    ("repeated_words", _HOUSE, "Старый дом стоит на на берегу реки."),
    ("repeated_words", _HOUSE, "Старый дом стоит на берегу на берегу реки."),
    ("dangling_conjunction", _HOUSE, "Старый дом стоит на берегу реки и."),
    ("dangling_preposition", _HOUSE, "Старый дом стоит на и принадлежит городу."),
    ("dangling_preposition", _HOUSE, "Старый дом стоит на."),
    ("preposition_case", _HOUSE, "Старый дом, построенный в 1900 году, принадлежит из городу."),
    ("bare_locative", _HOUSE, "Старый дом, построенный в 1900 году, принадлежит городе."),
    ("relative_clause", "Дом, который построил отец, давно сгорел.", "Этот большой старый дом который построил отец."),
    ("relative_clause", "Дом, который построил отец, давно сгорел.", "Давно сгорел дом, который отец."),
    ("correlative_pairs", "Он не только поёт, но и пишет песни.", "Он не только поёт."),
    ("correlative_pairs", "Это видят как дети, так и взрослые.", "Это видят как дети."),
    ("correlative_pairs", "Нет ни хлеба, ни воды, ни соли.", "Нет ни хлеба."),
    ("subject_verb", "Компания продала завод в прошлом году.", "Компания продали завод."),
    ("subject_verb", "Мария продала завод в прошлом году.", "Мария продал завод."),
    ("adjective_noun", _HOUSE, "Старая дом стоит на берегу реки."),
    ("adjective_noun", _HOUSE, "Дом стоит на высокого берегу."),
    ("predicate_present", _HOUSE, "Старый дом на берегу реки."),
    ("torn_phrase", "Дом, который построил отец, давно сгорел.", "Дом, который построил отец."),
    ("lost_complement", "Москва является столицей России.", "Москва является."),
    ("modal_infinitive", _MINISTER, "Министр заявил, что страна не может."),
    ("lost_comma", _HOUSE, "Старый дом построенный в 1900 году стоит на берегу реки."),
    ("orphaned_modifier", _HOUSE, "Старый стоит на берегу реки и принадлежит городу."),
    ("orphaned_genitive", "Рост населения замедлил развитие страны.", "Населения замедлил развитие страны."),
    ("orphaned_preposition", "Лодка медленно плывёт к берегу моря.", "Лодка медленно плывёт к моря."),
    ("lost_preposition", _HOUSE, "Старый дом, построенный в 1900 году, стоит берегу реки и принадлежит городу."),
    ("half_coordination", "Отец и мать уехали в город.", "Отец и уехали в город."),
    ("lost_complement", "Учёные изучают древние рукописи в архивах.", "Учёные изучают в архивах."),
    ("lost_clause", _MINISTER, "Министр заявил."),
    ("lost_subject", "Вчера вечером поезд прибыл на станцию.", "Вчера вечером прибыл на станцию."),
    ("lost_conjunction", _MINISTER, "Министр заявил, что из-за нехватки жилья."),
    ("torn_phrase", "Старый завод был полностью разрушен во время войны.", "Старый завод был во время войны."),
    ("lost_comma", _HOUSE, "Старый дом, построенный в 1900 году стоит на берегу реки и принадлежит городу."),
    ("clause_commas", _HOUSE, "Старый дом построенный в 1900 году, стоит на берегу реки и принадлежит городу."),
]


@pytest.mark.parametrize(("rule", "source", "candidate"), _BROKEN)
def test_rule_fires(checker: WellFormedness, analyzer: Analyzer, rule: str, source: str, candidate: str) -> None:
    assert rule in _rules(checker, analyzer, source, candidate)


def test_every_rule_has_an_example() -> None:
    assert {rule for rule, _, _ in _BROKEN} == set(RULES)
    assert len(set(RULES)) == len(TEXT_RULES) + len(LOSS_RULES)


@pytest.mark.parametrize(
    ("source", "candidate"),
    [
        (_HOUSE, "Старый дом стоит на берегу реки."),
        (_HOUSE, "Старый дом, построенный в 1900 году, стоит на берегу реки."),
        (_HOUSE, "Дом построен в 1900 году. Он стоит на берегу реки и принадлежит городу."),
        (_MINISTER, "Министр заявил, что страна не может принять новых беженцев."),
        (_MINISTER, "Страна не может принять беженцев."),
        ("Пушкин, великий русский поэт, родился в Москве.", "Пушкин — великий русский поэт."),
        ("Отец и мать уехали в большой город на юге.", "Отец уехал в большой город."),
        ("Он не только поёт, но и пишет песни.", "Он поёт и пишет песни."),
        ("Ему нельзя было идти в лес одному.", "Ему нельзя было идти."),
        ("В комнате не было света, и дети спали.", "В комнате нет света."),
        ("Фильм «Солярис» (1972) снял Тарковский.", "Тарковский снял фильм «Солярис»."),
        ("Есть три вида: а) простой; б) сложный; в) смешанный.", "Есть три вида: а) простой; б) сложный."),
        ("Команда заняла второе место в группе «А» в 1995 году.", "Команда заняла второе место в группе «А»."),
        ("До и после войны, в XX в. город рос.", "До и после войны город рос."),
    ],
)
def test_good_rewrites_pass(checker: WellFormedness, analyzer: Analyzer, source: str, candidate: str) -> None:
    assert _rules(checker, analyzer, source, candidate) == set()


def test_what_the_source_does_is_excused(checker: WellFormedness, analyzer: Analyzer) -> None:
    assert "repeated_words" not in _rules(checker, analyzer, "Он жил в в доме отца.", "Он жил в в доме.")


def test_problems_are_told_in_the_order_of_the_rules(checker: WellFormedness, analyzer: Analyzer) -> None:
    source, broken, fine = analyzer.analyze([_HOUSE, "Старый стоит на и принадлежит , городу", _HOUSE], LAYERS)
    problems = checker.check(source, broken)
    assert checker.check_all(source, [broken, fine]) == [problems, []]
    kinds = [problem.kind for problem in problems]
    assert kinds == sorted(kinds, key=RULES.index)
    assert len(set(kinds)) > 2
    assert all(problem.message for problem in problems)


@pytest.mark.parametrize("text", ["", " ", ".", "😀😀", "— …", "((((", "a\u0000b", "и", "слово " * 500])
def test_no_text_breaks_a_rule(checker: WellFormedness, analyzer: Analyzer, text: str) -> None:
    source, candidate = analyzer.analyze([_HOUSE, text], LAYERS)
    for pair in ((source, candidate), (candidate, source), (candidate, candidate)):
        checker.check(*pair)


def test_few_false_alarms_on_well_formed_text(checker: WellFormedness, analyzer: Analyzer) -> None:
    rsse = [example.source for example in load_rsse(need_data("rsse", "dev_sents.csv"))[:200]]
    pud = [gold.text for gold in read_conllu(next(need_data("ud", "ru_pud").glob("*.conllu")))[:200]]
    for texts in (rsse, pud):
        flagged = [a.text for a in analyzer.analyze(texts, LAYERS) if checker.check(a, a)]
        assert len(flagged) <= 0.03 * len(texts), flagged


def test_few_false_alarms_on_news(checker: WellFormedness, analyzer: Analyzer) -> None:
    with lzma.open(need_data("ru_mono", "nerel_wikinews.txt.xz"), "rt", encoding="utf-8") as lines:
        paragraphs = [line.strip() for line in lines]
    texts = [p for p in paragraphs if 6 <= len(p.split()) <= 40 and p.endswith(".")][:150]
    flagged = [a.text for a in analyzer.analyze(texts, LAYERS) if checker.check(a, a)]
    assert len(flagged) <= 0.03 * len(texts), flagged


def test_planted_breakages_are_found(checker: WellFormedness, analyzer: Analyzer, morphology: Morphology) -> None:
    sentences = read_conllu(next(need_data("ud", "ru_pud").glob("*.conllu")))
    broken = break_sentences(sentences, limit=25, seed=1, morphology=morphology)
    results = detection(checker, analyzer, broken)
    total = Counter(one.kind for one, _ in results)
    found = Counter(one.kind for one, rules in results if rules)
    assert set(total) == set(BREAKAGES)
    assert sum(found.values()) >= 0.7 * sum(total.values()), found
    for kind in ("word said twice", "half a pair of brackets or quotes", "comma after a clause"):
        assert found[kind] >= 0.9 * total[kind], kind
    for kind in ("second member", "participle of an auxiliary", "comma before который", "complement of a preposition"):
        assert found[kind] >= 0.7 * total[kind], kind
