"""Words of compressions, and the baselines that drop them."""

from __future__ import annotations

import pytest

from rewrite.evaluate.compression_corpora import SETS
from rewrite.evaluate.compression_scoring import (
    BASELINES,
    CHARACTERS,
    WORDS,
    baseline_outputs,
    budgets_at,
    kept_text,
    split,
)
from rewrite.evaluate.sets import load_set
from tests.paths import need_data


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("They've left , haven't they ?", ["they", "'ve", "left", ",", "have", "n't", "they", "?"]),
        ("they 've seen broken cease-fires .", ["they", "'ve", "seen", "broken", "cease-fires", "."]),
        ("The U.S. paid $5,000 (IBM’s).", ["the", "u.s.", "paid", "$", "5,000", "(", "ibm", "’s", ")", "."]),
        ("Wait... — «Маяк», за́мок 1990-х.", ["wait", "...", "—", "«", "маяк", "»", ",", "за́мок", "1990-х", "."]),
        ("", []),
    ],
)
def test_text_is_split_as_treebanks_split_it(text: str, words: list[str]) -> None:
    assert split(text, WORDS) == words


def test_a_word_is_split_alike_whatever_stands_beside_it() -> None:
    words = "He didn't say “Mr. Smith's U.S.-based firm”, did he?".split()
    alone = [part for word in words for part in split(word, WORDS)]
    assert split(" ".join(words), WORDS) == alone


def test_chinese_is_split_by_character_and_latin_by_run() -> None:
    assert split("给我推荐5G活动 3.5元", CHARACTERS) == ["给", "我", "推", "荐", "5g", "活", "动", "3.5", "元"]


def test_kept_words_stand_as_they_stood() -> None:
    source = "In Maine, he (Don) didn't say."
    spans = WORDS.spans(source)
    assert kept_text(source, spans, " ") == source
    assert kept_text(source, [spans[0], spans[2], spans[3], *spans[7:9]], " ") == "In , he didn't"


def test_one_rate_for_all_is_met_to_half_a_word() -> None:
    lengths = [7, 1, 12, 30, 3, 3, 25, 9]
    for rate in (0.1, 0.33, 0.5, 0.72, 1.0):
        budgets = budgets_at(lengths, rate)
        assert all(1 <= budget <= length for budget, length in zip(budgets, lengths, strict=True))
        assert abs(sum(budgets) - rate * sum(lengths)) <= 0.5


def test_what_short_sentences_keep_too_much_is_taken_off_later_ones() -> None:
    budgets = budgets_at([1, 1, 1, 1, 20], 0.5)
    assert budgets == [1, 1, 1, 1, 8]


def test_the_baselines_drop_what_their_names_say() -> None:
    source = "one two three four five"
    outputs = {name: baseline_outputs(name, [source], WORDS, [2])[0] for name in BASELINES}
    assert outputs["drop head"] == "four five"
    assert outputs["drop tail"] == "one two"
    kept = outputs["random drop"].split()
    assert len(kept) == 2
    assert sorted(kept, key=source.split().index) == kept


def test_random_drop_is_settled_by_its_seed() -> None:
    source = " ".join(map(str, range(50)))
    first, again, other = (
        baseline_outputs("random drop", [source] * 3, WORDS, [20] * 3, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert len(set(first)) == 3


@pytest.mark.parametrize("name", ["broadcast", "newsroom"])
@pytest.mark.parametrize("rate", [0.4, 0.73])
def test_baselines_have_exactly_their_rate_on_real_text(name: str, rate: float) -> None:
    data = load_set(SETS, name, need_data("sentcomp").parent)
    sources = [example.source for example in data.examples]
    budgets = budgets_at([len(WORDS.spans(source)) for source in sources], rate)
    for baseline in BASELINES:
        outputs = baseline_outputs(baseline, sources, WORDS, budgets)
        assert [len(WORDS.spans(output)) for output in outputs] == budgets
