"""The deletion search on made-up objectives, the spans on real parses, the generator on real sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rerank.analysis import LAYERS, Analyzer
from rerank.errors import BadWeights
from rerank.rusim import components
from rerank.types import FloatArray
from rerank.weights import Weights
from rewrite.datasets import load_rsse
from rewrite.generators.base import Generator, Sampling
from rewrite.generators.deletion import DeletionGenerator, DeletionSearch, ProductObjective, Trial
from rewrite.generators.spans import adjacent_words
from rewrite.generators.spans_ru import LikelyCuts
from rewrite.generators.tidy import tidy
from tests.fakes import FakeScorer
from tests.paths import need_data
from tests.sari import corpus_sari


def shortest(trials: Sequence[Trial]) -> list[FloatArray]:
    """The fewer words, the better, unless *мир* goes."""
    return [np.array([-len(t.split()) - 100.0 * ("мир" not in t.lower()) for t in trial.texts]) for trial in trials]


def search(analyzer: Analyzer, **options: object) -> DeletionSearch:
    settings = {"analyzer": analyzer, "spans": adjacent_words, "objective": shortest, **options}
    return DeletionSearch(**settings)  # type: ignore[arg-type]


class TestSearch:
    def test_it_takes_the_best_span_again_and_again(self, analyzer: Analyzer) -> None:
        (path,) = search(analyzer).run(["Весь этот очень большой мир прекрасен."])
        assert path.text == "Мир."
        assert path.value == -1
        assert path.done

    def test_iterations_are_limited(self, analyzer: Analyzer) -> None:
        (path,) = search(analyzer, max_iterations=1).run(["Весь этот самый очень большой новый мир прекрасен сегодня."])
        assert len(path.edits) == 1
        assert len(path.text.split()) == 4
        assert "мир" in path.text

    def test_everything_seen_is_scored_once_and_sources_are_kept_apart(self, analyzer: Analyzer) -> None:
        sources = ["Этот мир прекрасен.", "Мир.", "", "Нет слов."]
        paths = search(analyzer).run(sources)
        assert [path.source for path in paths] == sources
        for path in paths:
            for text, step in path.seen.items():
                assert step.value == shortest([Trial(path.source, (text,))])[0][0]

    def test_the_objective_sees_one_batch_per_iteration(self, analyzer: Analyzer) -> None:
        calls: list[int] = []

        def counting(trials: Sequence[Trial]) -> list[FloatArray]:
            calls.append(len(trials))
            return shortest(trials)

        search(analyzer, objective=counting, max_iterations=1).run(
            ["Весь этот мир.", "Мир стар.", "Какой мир большой."]
        )
        assert calls == [3]


def cut_texts(analyzer: Analyzer, source: str) -> list[str]:
    spans = LikelyCuts(analyzer, least=0.6)(analyzer.analyze_one(source, LAYERS), frozenset())
    return [span.text for span in spans]


class TestSpans:
    @pytest.mark.parametrize(
        ("source", "kept"),
        [
            ("Врачи не приняли новое важное решение сегодня утром.", ["не", "решение", "Врачи"]),
            ("Он стал почти лучшим игроком нашей команды в этом году.", ["почти"]),
            ("Старый музей находится в центре большого города.", ["в центре большого города"]),
            ("Большая часть территории страны занята густым лесом.", ["территории", "территории страны"]),
            ("Если пойдёт сильный дождь, мы останемся дома с друзьями.", ["Если пойдёт сильный дождь ,"]),
            ("Он добился успеха, не прибегая к обману, за один год.", ["к обману", ", не"]),
            ("Один из первых жителей города построил здесь большой дом.", ["первых", "из первых жителей города"]),
            ("В доме живут Анна Петровна Иванова и её младший брат.", ["Петровна", "Иванова"]),
        ],
    )
    def test_what_the_statement_needs_is_not_offered(self, analyzer: Analyzer, source: str, kept: list[str]) -> None:
        offered = cut_texts(analyzer, source)
        assert not set(offered) & set(kept)

    def test_clauses_go_with_both_commas(self, analyzer: Analyzer) -> None:
        source = "Старый дом, построенный в прошлом веке, стоит на берегу реки."
        assert ", построенный в прошлом веке ," in cut_texts(analyzer, source)

    def test_brackets_go_whole(self, analyzer: Analyzer) -> None:
        assert "( старосты )" in cut_texts(analyzer, "Должность кмета (старосты) исполняет бывший учитель школы.")

    def test_spans_know_what_is_gone(self, analyzer: Analyzer) -> None:
        source = "В этом году старый дом, построенный на окраине, быстро продали новым жителям города."
        analysis = analyzer.analyze_one(source, LAYERS)
        cuts = LikelyCuts(analyzer, least=0.0)
        first = next(span for span in cuts(analysis, frozenset()) if "построенный" in span.text)
        rest = cuts(analysis, first.starts)
        assert rest
        assert all(span.starts.isdisjoint(first.starts) for span in rest)

    def test_at_least_four_words_stay(self, analyzer: Analyzer) -> None:
        assert cut_texts(analyzer, "Очень старый дом стоит.") == []

    def test_adjacent_words_bridge_what_is_gone(self, analyzer: Analyzer) -> None:
        analysis = analyzer.analyze_one("Один два три")
        gone = frozenset({analysis.tokens[1].start})
        assert {span.text for span in adjacent_words(analysis, gone, longest=2)} == {"Один", "три", "Один три"}


class TestTidy:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("дом ,  , стоит", "Дом, стоит."),
            (", дом стоит , .", "Дом стоит."),
            ("Дом ( ) стоит — .", "Дом стоит."),
            ("Дом ; , стоит", "Дом; стоит."),
            ("Он сказал : « , дом »", "Он сказал: «дом»."),
            ("В вселенной", "Во вселенной."),
            ("вместе со женой", "Вместе с женой."),
            ("Вызов f()", "Вызов f()."),
            ("", ""),
        ],
    )
    def test_mends(self, text: str, expected: str) -> None:
        assert tidy(text, like="Большой дом стоит.") == expected

    def test_keeps_what_the_source_did(self) -> None:
        assert tidy("дом  стоит", like="дом хорошо стоит") == "дом стоит"
        assert tidy("дом стоит", like="Хорошо дом стоит?") == "Дом стоит?"
        assert tidy("дом построен.", like="5 мая дом построен.") == "Дом построен."
        assert tidy("5 мая построен.", like="5 мая дом построен.") == "5 мая построен."


class TestGenerator:
    def test_candidates_come_from_the_whole_path(self, analyzer: Analyzer) -> None:
        source = "В начале лета муссон может дуть из Японского и Охотского морей, неся умеренный морской воздух."
        generator = DeletionGenerator(analyzer=analyzer)
        assert isinstance(generator, Generator)
        (found,) = generator.generate([source], Sampling(n=30))
        texts = [candidate.text for candidate in found]
        assert texts[0] == "Муссон может дуть из Японского и Охотского морей."
        assert "Муссон может дуть из Японского и Охотского морей, неся умеренный морской воздух." in texts
        assert source not in texts
        assert len(found[0].edits) == 2

    def test_the_first_candidate_beats_the_source_by_the_score_followed(self, analyzer: Analyzer) -> None:
        source = "Старый дом, построенный в прошлом веке, стоит на берегу реки и очень нравится детям."
        generator = DeletionGenerator(analyzer=analyzer, weights={"length": 1.0}, scorers=components())
        (found,) = generator.generate([source], Sampling(n=1))
        assert len(found[0].text) < len(source)

    def test_what_is_followed_is_the_product_of_what_has_a_weight(self, analyzer: Analyzer) -> None:
        a, b, idle = FakeScorer("a", {"x": 0.25}), FakeScorer("b", {"x": 0.5, "y": 0.0}), FakeScorer("c", {})
        trial = [Trial("s", ("x", "y"))]
        for weights, product in (({"a": 0.5, "b": 2.0}, [0.125, 0.0]), ({}, [1.0, 1.0])):
            (found,) = ProductObjective([a, b, idle], Weights(weights), analyzer=analyzer)(trial)
            assert found.tolist() == pytest.approx(product)
        assert idle.calls == []

    def test_an_unknown_weight_is_refused(self, analyzer: Analyzer) -> None:
        with pytest.raises(BadWeights, match="lenght"):
            DeletionGenerator(analyzer=analyzer, weights={"lenght": 1.0})

    @pytest.mark.parametrize(
        "source",
        [
            "Время считается истекшим, если флажок на часах игрока упал в этот момент.",
            "Отношения с соседями будут не просто сохранены, но и заметно улучшены в этом году.",
            "Трудности зимовки навели Вашингтона на мысли о несовершенстве устройства страны.",
        ],
    )
    def test_no_candidate_misleads_by_what_it_leaves_out(self, analyzer: Analyzer, source: str) -> None:
        (found,) = DeletionGenerator(analyzer=analyzer).generate([source], Sampling(n=50))
        needed = {"если", "улучшены", "мысли"}
        kept = [word for word in needed if word in source]
        assert all(word in candidate.text for candidate in found for word in kept)

    def test_sari_on_a_sample_of_rsse_dev(self, analyzer: Analyzer) -> None:
        examples = load_rsse(need_data("rsse", "dev_sents.csv"))[::5]
        sources = [example.source for example in examples]
        drawn = DeletionGenerator(analyzer=analyzer).generate(sources, Sampling(n=1))
        outputs = [texts[0].text if texts else source for texts, source in zip(drawn, sources, strict=True)]
        score = corpus_sari(sources, outputs, [example.references for example in examples])
        assert score["sari"] > 31.5
