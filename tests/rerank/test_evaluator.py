"""The learned evaluator where it runs: rows of two texts, names of evaluators, components."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.errors import BadModel, ModelNotFound, UnknownName
from rerank.evaluator import Outputs, judged
from rerank.evaluator.packed import pooled
from rerank.evaluator.pair_rows import PairRow, plain, round_robin, row_of
from rerank.evaluator.registry import BUNDLED, Evaluators, EvaluatorScorer, Task, create_evaluator, task_of
from rerank.masked.packed import Settings
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

SETTINGS = Settings("x", "en", 12, mask=4, pad=0, unknown=1, prefix=(2,), suffix=(3,))


class Lengths:
    """An evaluator that tells the share of a text's length in that of both, and nothing of content."""

    name, language, outputs = "lengths", "en", ("quality", "grammar")

    def signature(self) -> str:
        return "lengths"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        shares = [len(text) / max(1, len(source) + len(text)) for source, text in pairs]
        return np.array([[share, 0.0] for share in shares]).reshape(len(pairs), 2)


def letters(text: str) -> list[int]:
    return [ord(letter) for letter in text]


@pytest.mark.parametrize(("first", "second", "room"), list(product(range(7), range(7), range(9))))
def test_texts_take_turns_until_there_is_no_room(first: int, second: int, room: int) -> None:
    given = [first, second]
    left, turn = [0, 0], 0
    while sum(left) < room and left != given:
        if left[turn] < given[turn]:
            left[turn] += 1
        turn = 1 - turn
    assert round_robin(first, second, room) == tuple(left)


def test_a_row_has_both_texts_with_their_segments() -> None:
    row = row_of("ab", "cb", letters, SETTINGS)
    assert row.tokens == (2, ord("a"), ord("b"), 3, ord("c"), ord("b"), 3)
    # What both have is of another kind.
    assert row.kinds == (0, 0, 1, 0, 3, 4, 3)
    assert row.is_text == (False,) * 4 + (True,) * 3


def test_what_stands_behind_the_same_token_is_of_a_kind_of_its_own() -> None:
    row = row_of("abcd", "acdb", letters, SETTINGS)
    # The first token has nothing before it; of the text d alone follows what it followed.
    assert row.kinds == (0, *(2, 1, 1, 2), 0, *(5, 4, 5, 4), 3)


def test_what_is_copied_from_behind_the_window_is_seen_as_copied() -> None:
    row = row_of("a" * 50 + "z", "z", letters, SETTINGS)
    assert ord("z") not in row.tokens[:-2]
    assert row.kinds[-2:] == (5, 3)


def test_a_long_pair_fills_the_window_and_no_more() -> None:
    row = row_of("a" * 50, "b" * 3, letters, SETTINGS)
    assert len(row.tokens) == SETTINGS.window
    assert (row.tokens.count(ord("a")), row.tokens.count(ord("b"))) == (6, 3)
    both = row_of("a" * 50, "b" * 50, letters, SETTINGS)
    assert (both.tokens.count(ord("a")), both.tokens.count(ord("b"))) == (5, 4)


def test_an_empty_source_leaves_its_marks() -> None:
    assert row_of(" ", "c", letters, SETTINGS) == PairRow((2, 3, ord("c"), 3), (0, 0, 3, 3))


def test_quotes_of_treebanks_are_quotes() -> None:
    assert plain("`` He '' -LRB- she -RRB-") == '" He " ( she )'


def test_the_head_reads_the_first_vector_and_the_means_of_both_texts() -> None:
    vectors = np.arange(12, dtype=np.float32).reshape(6, 2)
    found = pooled(vectors, PairRow((2, 9, 3, 9, 9, 3), (0, 1, 0, 3, 5, 3)))
    assert found.tolist() == [0, 1, 3, 4, 8, 9]


def test_what_goes_by_likelihood_is_told_sentence_by_sentence_of_a_text_alone() -> None:
    def judge(pairs: Sequence[tuple[str, str]]) -> FloatArray:
        return np.array([[len(text), len(text.split())] for _, text in pairs], dtype=np.float64)

    text = "He left St. Petersburg. She stayed at home. They met."
    outputs = Outputs({"outputs": ["quality", "grammar"], "likely": ["grammar"]})
    found = judged(judge, [(text, text), ("", text), ("He left.", text), ("", "He left.")], outputs, "en")
    # Four words, four and two.
    assert found.tolist() == [[53, 10 / 3], [53, 10 / 3], [53, 10], [8, 2]]
    russian = "В 1950 г. завод достроили. Он работает."
    assert judged(judge, [("", russian)], outputs, "ru").tolist() == [[len(russian), 7 / 2]]
    assert judged(judge, [("", "他来了。我们走了。")], outputs, "zh-CN").tolist() == [[9, 1]]
    assert judged(judge, [], outputs, "en").shape[0] == 0


def test_a_blank_text_is_worth_nothing() -> None:
    found = create_evaluator(language="ru").judge([("Он ушёл.", " "), ("", ""), ("Он ушёл.", "Он ушёл.")])
    assert (found[:2] == 0).all()
    assert (found[2] > 0.5).all()


def test_a_paragraph_that_reads_well_is_judged_as_its_sentences_are() -> None:
    evaluator = create_evaluator(language="ru")
    grammar = evaluator.outputs.index("grammar")
    sentences = [
        *("Вчера в Москве открылась новая станция метро.", "Она находится на юго-западе города."),
        *("Строительство заняло четыре года.", "Мэр поблагодарил строителей за работу.", "Жители района довольны."),
    ]
    alone = evaluator.judge([(one, one) for one in sentences])[:, grammar]
    paragraph = " ".join(sentences)
    (together,) = evaluator.judge([(paragraph, paragraph)])[:, grammar]
    assert together == pytest.approx(alone.mean(), abs=0.005)


@pytest.mark.parametrize(
    "told",
    [
        {"outputs": [], "likely": []},
        {"outputs": ["quality"], "likely": ["grammar"]},
        {"outputs": ["quality", "quality"], "likely": []},
    ],
)
def test_outputs_alone_are_among_the_outputs(told: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match="it names outputs"):
        Outputs(told)


@pytest.mark.parametrize("told", [{}, [], None, {"outputs": "quality", "likely": []}, {"outputs": ["a"]}])
def test_a_file_that_names_no_outputs_is_refused(told: object) -> None:
    with pytest.raises(ValueError, match="it does not name outputs"):
        Outputs(told)


def damage(folder: Path, **parts: Callable[[FloatArray], FloatArray]) -> None:
    """Change parts of the head in a folder, by names with _ for a point."""
    with np.load(folder / "head.npz") as found:
        arrays = dict(found)
    for name, change in parts.items():
        key = name.replace("_", ".")
        arrays[key] = change(arrays[key])
    np.savez(folder / "head.npz", **arrays)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"out_weight": lambda part: part[:, :9]}, "head.npz: it cannot be read: its parts do not belong together"),
        ({"out_weight": lambda part: part[:1], "out_bias": lambda part: part[:1]}, "or not to 3 outputs"),
        ({"out_bias": lambda part: part * np.nan}, "it holds what is no number"),
        ({"dense_weight": lambda part: part[:, :30]}, "it is for vectors of 10, not of 256"),
    ],
)
def test_a_head_that_does_not_fit_is_named(
    parts: dict[str, Callable[[FloatArray], FloatArray]], told: str, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(BUNDLED["summaries-en"], folder, copy_function=shutil.copyfile)
    damage(folder, **parts)
    with pytest.raises(ModelNotFound, match=told):
        create_evaluator(str(folder)).judge([("He left home.", "He left.")])


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("One sentence.", "rewrites"),
        ("It rained. " * 4, "rewrites"),
        ("It rained. " * 5, "summaries"),
        ("", "rewrites"),
    ],
)
def test_a_text_of_a_long_source_is_a_summary(text: str, task: str) -> None:
    assert task_of(text) == task


@pytest.mark.parametrize(
    ("spec", "language", "told"),
    [
        ("bundled", "zh", "bundled for rewrites in the language 'zh'"),
        ("bundled", "other", "bundled for rewrites in languages other than en and ru"),
        ("bundled:poems-en", "en", "No evaluator is called 'bundled:poems-en'"),
        ("bundled:", "en", "No evaluator is called 'bundled:'"),
        ("", "en", "No evaluator ''"),
        ("nowhere/at/all", "en", "No evaluator 'nowhere/at/all'"),
    ],
)
def test_an_unknown_evaluator_is_named_with_the_known_ones(spec: str, language: str, told: str) -> None:
    with pytest.raises(UnknownName, match=told) as refused:
        create_evaluator(spec, language=language)
    assert "bundled" in refused.value.hint


def test_components_are_the_columns_of_one_evaluator(analyzer: Analyzer) -> None:
    scorer = EvaluatorScorer("quality", model=Lengths())
    values = scorer.score("abcd", [Candidate("abcd"), Candidate("abcdabcdabcd"), Candidate("")], Context(analyzer))
    assert values.tolist() == [0.5, 0.75, 0.001]
    assert EvaluatorScorer("grammar", model=Lengths()).score("a", [Candidate("b")], Context(analyzer)) == [0.001]
    assert scorer.signature() == "quality:2:lengths"


def test_what_an_evaluator_was_not_taught_is_refused(analyzer: Analyzer) -> None:
    with pytest.raises(BadModel, match="does not tell content") as refused:
        EvaluatorScorer("content", model=Lengths()).score("a", [Candidate("b")], Context(analyzer))
    assert "quality, grammar" in refused.value.hint


def test_a_source_in_another_language_is_unfit_before_anything_is_scored() -> None:
    unfit = EvaluatorScorer("quality").unfit(["Он ушёл домой.", "彼は家に帰りました。", "He went home."])
    assert list(unfit) == [1]


def test_one_evaluator_is_loaded_for_all_components() -> None:
    shared = Evaluators()
    first, second = (
        EvaluatorScorer(name, evaluators=shared)._evaluators.of("Он ушёл домой.") for name in ("quality", "grammar")
    )
    assert first is second
    assert shared.of("He went home.") is not first


@pytest.mark.parametrize(
    ("language", "source", "task", "name"),
    [
        (None, "He went home.", "rewrites", "evaluator:evaluator-rewrites-en"),
        (None, "He went home.", "summaries", "evaluator:evaluator-summaries-en"),
        (None, "Он ушёл домой.", "rewrites", "evaluator:evaluator-rewrites-ru"),
        # There is none for summaries in Russian.
        (None, "Он ушёл домой.", "summaries", "evaluator:evaluator-rewrites-ru"),
        ("ru", "He went home.", "summaries", "evaluator:evaluator-rewrites-ru"),
    ],
)
def test_language_and_task_choose_the_evaluator(language: str | None, source: str, task: Task, name: str) -> None:
    chosen = Evaluators(language=language)
    assert chosen.of(source, task).name == name
    assert chosen.of(source, task) is chosen.of(source, task)
    assert chosen.bundled


def test_one_that_was_named_judges_everything() -> None:
    named = Evaluators("bundled:summaries-en")
    assert named.of("Он ушёл домой.") is named.of("He went home.", "summaries")
    assert (named.signature(), Evaluators(language="ru").signature()) == ("bundled:summaries-en:guessed", "bundled:ru")
    own = Lengths()
    assert Evaluators(own).of("彼は家に帰りました。") is own
    assert (Evaluators(own).signature(), Evaluators(own).bundled) == ("lengths", False)


@pytest.mark.parametrize(
    ("spec", "language"), [("nowhere", None), ("bundled:poems-en", None), ("bundled:", None), ("bundled", "de")]
)
def test_what_stands_for_none_is_told_before_any_source(spec: str, language: str | None) -> None:
    with pytest.raises(UnknownName):
        Evaluators(spec, language=language)


@pytest.mark.parametrize("task", ["rewrites", "summaries"])
@pytest.mark.parametrize(
    ("source", "guessed"),
    [
        ("彼は家に帰りました。", "none of English, Russian and Chinese"),
        ("Учора в Києві відкрили станцію.", "none of English, Russian and Chinese"),
        ("他昨天回家了。", "Chinese"),
    ],
)
def test_a_language_that_none_is_bundled_for_is_told_as_it_was_guessed(source: str, guessed: str, task: Task) -> None:
    with pytest.raises(UnknownName, match=f"guessed as {guessed}, and no evaluator is bundled") as refused:
        Evaluators().of(source, task)
    assert "bundled:rewrites-ru" in refused.value.hint


def test_the_one_that_was_chosen_has_a_name_if_it_is_bundled() -> None:
    chosen = Evaluators()
    assert chosen.called("He went home.", "summaries") == "bundled:summaries-en"
    # There is none for summaries in Russian.
    assert chosen.called("Он ушёл домой.", "summaries") == "bundled:rewrites-ru"
    assert Evaluators("bundled:summaries-en").called("Он ушёл домой.") == "bundled:summaries-en"
    assert Evaluators(Lengths()).called("He went home.") == ""
