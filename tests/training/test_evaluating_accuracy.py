"""Pairs of human rewrites and corrupted ones: how they are made, and who wins."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rerank.types import FloatArray
from rewrite.errors import BadInput
from training.evaluating.accuracy import BASELINES, accuracy, corrupted, main
from training.evaluating.examples import SETS, is_held_out, positives, rated
from training.negatives.sampling import Example, Positive

GOOD = [Positive(f"Анна купила в Осло дом {n} за рубли.", f"Анна купила дом {n} в Осло.") for n in range(10, 20)]


def test_each_good_text_is_paired_with_a_mutation_of_it() -> None:
    pairs = corrupted(GOOD, "numbers", language="ru", seed=0)
    assert [first.text for first, _ in pairs] == [one.text for one in GOOD]
    for first, second in pairs:
        assert (first.kind, second.kind) == ("", "numbers")
        assert first.source == second.source
        assert first.text != second.text


def test_texts_without_anything_to_change_are_left_out() -> None:
    plain = [Positive("Он ушёл домой.", "он ушёл домой"), Positive("Она пела.", "она долго пела")]
    assert corrupted(plain, "numbers", language="ru", seed=0) == []


def test_the_share_of_pairs_in_order_with_ties_as_halves() -> None:
    def judge(pairs: Sequence[tuple[str, str]]) -> FloatArray:
        return np.array([[len(text), 1.0] for _, text in pairs], dtype=np.float64)

    pairs = [(Example("s", "abc", 1.0), Example("s", text, 0.0, "x")) for text in ("ab", "abc", "abcd", "a")]
    assert accuracy(judge, pairs).tolist() == [2.5 / 4, 0.5]


def test_what_needs_no_model_is_measured_beside() -> None:
    found = {name: measure("Анна купила дом.", "Анна продала дом.") for name, measure in BASELINES.items()}
    assert found == {"copied": 0.75, "longer": 17.0, "shorter": -17.0}


def test_sets_for_learning_are_read_from_the_data_folder(tmp_path: Path) -> None:
    folder = tmp_path / "scitldr"
    folder.mkdir()
    rows = '{"source": ["A long paper.", "It ends."], "target": ["a b c d ", "too short", "e f g h"]}\n\n'
    (folder / "train.jsonl").write_text(rows, encoding="utf-8")
    found = positives("scitldr", tmp_path, Path, 5, 0)
    assert set(found) == {Positive("A long paper. It ends.", text) for text in ("a b c d", "e f g h")}
    assert len(positives("scitldr", tmp_path, Path, 1, 0)) == 1


def test_papers_get_their_capitals_back_and_lose_their_marks(tmp_path: Path) -> None:
    import lzma

    folder = tmp_path / "sumpubmed"
    folder.mkdir()
    row = (
        '{"line_text": "BACKGROUND\\nscrapie is rare  <cit> .\\nit was seen in <dig> sheep.", '
        '"abstract": "RESULTS\\nwe saw it. e.g. here."}\n'
    )
    (folder / "sumpubmed_2000.jsonl.xz").write_bytes(lzma.compress(row.encode()))
    (found,) = SETS["sumpubmed"](tmp_path)
    assert found.source == "Scrapie is rare. It was seen in 10 sheep."
    assert found.text == "We saw it. E.g. Here."


def test_a_fifth_of_the_sources_is_never_learnt_from(tmp_path: Path) -> None:
    (tmp_path / "rsse").mkdir()
    sources = [f"Завод номер {n} построили давно и надолго." for n in range(100)]
    rows = "".join(f"{n},{source},Завод {n} построили давно.\n" for n, source in enumerate(sources))
    (tmp_path / "rsse" / "dev_sents.csv").write_text(f",INPUT:source,OUTPUT:output\n{rows}", encoding="utf-8")
    learnt = {one.source for one in positives("rsse", tmp_path, Path, 1000, 0)}
    kept = {source for source in sources if is_held_out(source)}
    assert learnt == set(sources) - kept
    assert 10 < len(kept) < 30


@pytest.mark.parametrize("name", ["scitldr", "sumpubmed", "asset", "nowhere"])
def test_a_set_whose_file_is_missing_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=name):
        positives(name, tmp_path, lambda given: tmp_path / given, 5, 0)


def test_ratings_that_there_are_none_of_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no set is named 'rokola'"):
        rated("rokola", tmp_path)


@pytest.mark.parametrize("side", ["--set", "--kinds"])
def test_what_the_command_does_not_know_is_told(side: str, capsys: pytest.CaptureFixture[str]) -> None:
    if side == "--set":
        assert main([side, "nowhere"]) == 1
    else:
        with pytest.raises(SystemExit):
            main([side, "nowhere"])
    assert "nowhere" in capsys.readouterr().err


def test_without_any_rewrite_there_is_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.jsonl").write_text("\n", encoding="utf-8")
    assert main(["--set", str(tmp_path / "own.jsonl")]) == 1
    assert "own.jsonl: there are no rewrites." in capsys.readouterr().err


def test_the_table_is_of_a_file_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Lengths:
        """Longer texts are better."""

        name, outputs, languages = "lengths", ("quality",), []  # type: ignore[var-annotated]

        def signature(self) -> str:
            return self.name

        def judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
            return np.array([[len(text) / 60] for _, text in pairs])

    def create(spec: str, *, language: str, task: str) -> Lengths:
        Lengths.languages.append((spec, language, task))
        return Lengths()

    monkeypatch.setattr("training.evaluating.accuracy.create_evaluator", create)
    rows = [{"source": one.source, "text": one.text} for one in GOOD for _ in range(2)]
    own = tmp_path / "own.jsonl"
    own.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    arguments = ["--set", str(own), "--lang", "ru", "--kinds", "word-insertion", "numbers", "--rows", "8"]
    assert main([*arguments, "--model", "mine"]) == 0
    title, head, _, inserted, numbers, every, copies, human, broken = capsys.readouterr().out.splitlines()
    assert Lengths.languages == [("mine", "ru", "rewrites")]
    # A text that was written twice is one.
    assert title == f"lengths, {own}: 8 texts, seed 0"
    assert head.split() == ["pairs", "quality", *BASELINES]
    assert inserted.split()[:3] == ["word-insertion", "8", "0.000"]
    assert numbers.split()[:3] == ["numbers", "8", "0.500"]
    assert every.split()[:4] == ["all", "pairs", "16", "0.250"]
    # Sources are longer; of these rewrites every word is copied as well.
    assert copies.split() == ["source", "itself", "8", "0.000", "0.500", "0.000", "1.000"]
    long = {one.text for one in GOOD[:8] if len(one.text) > 30}
    assert human.split() == ["human", "over", "0.5", "8", f"{len(long) / 8:.3f}", *"–––"]
    assert broken.split()[:4] == ["corrupted", "over", "0.5", "16"]
    assert float(broken.split()[4]) > len(long) / 8
