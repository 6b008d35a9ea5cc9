"""Pairs of split sentences as they are read, examples as they are kept, and batches as they are drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rerank.errors import BadInput
from rewrite.splitting.network import features_of
from tests.rewrite.splitting.marking import words_in
from training.heads.examples import read_examples, write_examples
from training.masked.corpora import HeldBack
from training.splitting.examples import Example, SplitBatches, count_openers, make_examples
from training.splitting.pairs import SETS, Pair, measured, read_set

ROW = "He left , and she stayed .\tHe left . <::::> She stayed ."


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


class TestPairs:
    def test_wikisplit(self, tmp_path: Path) -> None:
        write(tmp_path / "wikisplit/tune.tsv", f"{ROW}\nOne .\tOne .\n\t\n")
        assert list(read_set("wikisplit-tune", tmp_path)) == [
            Pair("He left , and she stayed .", ("He left .", "She stayed ."), "wikisplit-tune:1"),
            Pair("One .", ("One .",), "wikisplit-tune:2"),
        ]

    def test_the_validation_part_is_read_for_training_development_and_measurement_and_no_row_twice(
        self, tmp_path: Path
    ) -> None:
        rows = [f"row {number} .\trow {number} .\n" for number in range(1, 5001)]
        write(tmp_path / "wikisplit/validation.tsv", "".join(rows))
        parts = [
            [pair.complex for pair in read_set("wikisplit-validation", tmp_path)],
            [pair.complex for pair in read_set("wikisplit-dev", tmp_path)],
            list(dict.fromkeys(measured(tmp_path))),
        ]
        assert [len(part) for part in parts] == [3500, 500, 1000]
        assert [text for part in parts for text in part] == [f"row {number} ." for number in range(1, 5001)]

    def test_bisect_minwiki_and_desse(self, tmp_path: Path) -> None:
        write(tmp_path / "bisect/valid.src", "He left and she stayed.\n")
        write(tmp_path / "bisect/valid.dst", "He left. <SEP> She stayed.\n")
        for folder, stem, simple in (
            ("MinWiki", "matchvp_train", "He left . She stayed ..\n"),
            ("ACL2021", "train", "He left at 5 p.m. today. She stayed.\n"),
        ):
            write(tmp_path / f"desse_minwiki/{folder}/{stem}.complex", "He left and she stayed.\n")
            write(tmp_path / f"desse_minwiki/{folder}/{stem}.simple", simple)
        found = {name: next(read_set(name, tmp_path)).simple for name in ("bisect", "minwiki", "desse")}
        assert found == {
            "bisect": ("He left.", "She stayed."),
            "minwiki": ("He left .", "She stayed ."),
            "desse": ("He left at 5 p.m. today.", "She stayed."),
        }

    def test_a_row_without_a_tab_is_named(self, tmp_path: Path) -> None:
        path = write(tmp_path / "wikisplit/tune.tsv", f"{ROW}\nno tab\n")
        with pytest.raises(BadInput, match=f"{path}, line 2: no tab"):
            list(read_set("wikisplit-tune", tmp_path))

    def test_files_of_unlike_length_are_named(self, tmp_path: Path) -> None:
        write(tmp_path / "bisect/valid.src", "One.\nTwo.\n")
        write(tmp_path / "bisect/valid.dst", "One.\n")
        with pytest.raises(BadInput, match=r"valid\.dst has 1 lines, .*valid\.src has 2"):
            list(read_set("bisect", tmp_path))

    @pytest.mark.parametrize("name", SETS)
    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(BadInput, match=str(tmp_path)):
            list(read_set(name, tmp_path))

    def test_a_file_that_is_no_text_is_named(self, tmp_path: Path) -> None:
        write(tmp_path / "wikisplit/tune.tsv", "").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(BadInput, match=r"tune\.tsv is text in UTF-16LE, not in UTF-8"):
            list(read_set("wikisplit-tune", tmp_path))

    def test_an_unknown_set_is_told_with_the_known_ones(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="No set of split sentences is named 'wikisplt'") as refused:
            list(read_set("wikisplt", tmp_path))
        assert "wikisplit-tune" in refused.value.hint


def pieces(text: str) -> tuple[int, ...]:
    return tuple(5 + ord(letter) % 90 for letter in text[:2])


ROWS = (
    "Tom Smith was born in Rome and wrote a book .\tTom Smith was born in Rome . <::::> He wrote a book .",
    "Anna Brown lives in Oslo , but she left it .\tAnna Brown lives in Oslo . <::::> She left it .",
    "Peter sold the old house in the north of Rome in May .\tPeter sold the old house in the north of Rome in May .",
)


def made(data: Path, *held_back: str, whole: float = 0.0) -> list[Example]:
    write(data / "wikisplit/tune.tsv", "".join(f"{row}\n" for row in ROWS))
    sets, shares = ["wikisplit-tune"], {"wikisplit-tune": whole}
    return list(make_examples(sets, data, HeldBack(held_back), pieces, seed=0, whole=shares))


class TestExamples:
    def test_a_split_pair_says_where_and_an_unsplit_one_that_it_needs_none(self, tmp_path: Path) -> None:
        found = made(tmp_path)
        assert [one.origin for one in found] == [f"wikisplit-tune:{number}" for number in (1, 2, 3)]
        assert [(one.start, one.dropped, one.opener) for one in found] == [(6, 1, ("he",)), (5, 2, ()), (0, 0, None)]
        assert found[0].stop == found[0].features.end == 10

    def test_simple_sentences_stand_as_examples_of_what_needs_no_split(self, tmp_path: Path) -> None:
        every = made(tmp_path, whole=1.0)
        assert Counter(one.origin for one in every if not one.start) == {
            "wikisplit-tune:1": 2,
            "wikisplit-tune:2": 2,
            "wikisplit-tune:3": 1,
        }

    @pytest.mark.parametrize(
        ("held_back", "left"),
        [
            ("Tom Smith was born in Rome.", {2, 3}),  # a simple sentence, without its spaces
            ("she left it", {1, 3}),
            ("They sold the old house in the north of Rome, too.", {1, 2}),  # eight words in a row
            ("the old house in the north of Paris", {1, 2, 3}),
        ],
    )
    def test_what_is_held_back_is_left_out_with_its_pair(self, tmp_path: Path, held_back: str, left: set[int]) -> None:
        assert {one.origin for one in made(tmp_path, held_back)} == {f"wikisplit-tune:{number}" for number in left}

    def test_they_are_read_as_they_were_written_and_counted(self, tmp_path: Path) -> None:
        found = made(tmp_path, whole=1.0)
        counts = write_examples(found, tmp_path / "a.jsonl", lambda one: "split" if one.start else "whole")
        assert counts == {"split": 2, "whole": 5}
        assert list(read_examples(Example, tmp_path / "a.jsonl")) == found

    def test_a_noun_is_never_learnt_as_dropped(self, tmp_path: Path) -> None:
        row = (
            "Tom Smith was born in Rome , friends wrote a book .\tTom Smith was born in Rome . <::::> He wrote a book ."
        )
        write(tmp_path / "wikisplit/tune.tsv", f"{row}\n")
        found = make_examples(["wikisplit-tune"], tmp_path, HeldBack([]), pieces, seed=0, whole={})
        assert list(found) == []


def example(length: int, opener: tuple[str, ...] | None = ("he",), origin: str = "a:1") -> Example:
    features = features_of(words_in("a " * length), lambda text: (5,))
    return Example(features, 1, length, 0, opener, -1, origin)


class TestOpeners:
    def test_frequent_ones_of_closed_words_are_counted_the_most_frequent_first(self) -> None:
        openers = [("he",)] * 3 + [()] * 5 + [("<full>", "is")] * 2 + [("this", "<past>")] + [None] * 9
        found = count_openers([example(4, opener) for opener in openers], 2)
        assert found == [(), ("he",), ("<full>", "is")]

    @pytest.mark.parametrize(
        "opener", [("tom",), ("he", "married"), ("in", "1990"), ("<full>", "and", "<full>"), ("not",), ("never",)]
    )
    def test_none_brings_in_what_the_source_does_not_say(self, opener: tuple[str, ...]) -> None:
        assert count_openers([example(4, opener)] * 9, 1) == []


class TestBatches:
    LENGTHS = (3, 4, 5, 5, 6, 8, 8, 9, 12, 15, 20, 30)

    def batches(self, *, tokens: int = 64, seed: int = 0, updates: int = 60) -> SplitBatches:
        examples = [example(length, origin=f"a:{n}") for n, length in enumerate(self.LENGTHS)]
        return SplitBatches(examples, [(), ("he",)], ["a"], tokens=tokens, seed=seed, updates=updates)

    def lengths(self, batches: SplitBatches, number: int) -> list[int]:
        pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
        return sorted(int(count) for count in batches[number]["words"].sum(1))

    def test_each_example_is_seen_once_an_epoch(self) -> None:
        batches = self.batches()
        first = [n for k in range(batches.batches_in_epoch) for n in self.lengths(batches, k)]
        assert sorted(first) == sorted(self.LENGTHS)

    @pytest.mark.parametrize("tokens", [16, 40, 64, 4096])
    def test_no_batch_is_larger_than_asked_but_for_one_long_sentence(self, tokens: int) -> None:
        pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
        batches = self.batches(tokens=tokens)
        for number in range(2 * batches.batches_in_epoch):
            size, longest = batches[number]["pieces"].shape
            assert size * longest <= tokens or size == 1

    def test_the_seed_gives_the_batches_and_epochs_differ(self) -> None:
        one, same, other = self.batches(), self.batches(), self.batches(seed=1)
        count = one.batches_in_epoch
        drawn = [[self.lengths(batches, k) for k in range(count)] for batches in (one, same, other)]
        assert drawn[0] == drawn[1] != drawn[2]
        assert drawn[0] != [self.lengths(one, k) for k in range(count, 2 * count)]
        # Asked for out of order, as a run that goes on does.
        assert self.lengths(self.batches(), count + 1) == self.lengths(one, count + 1)

    def test_what_is_wanted_of_the_network(self) -> None:
        pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
        known, unknown = example(6), example(6, ("tom",))
        whole = Example(known.features, 0, 0, 0, None, -1, "b:1")
        batch = SplitBatches([known, unknown, whole], [(), ("he",)], ["a", "b"], tokens=999, seed=0)[0]
        wanted = {
            (int(start), int(opener), int(style))
            for start, opener, style in zip(batch["start"], batch["opener"], batch["style"], strict=True)
        }
        assert wanted == {(1, 1, 0), (1, -1, 0), (0, -1, 1)}
