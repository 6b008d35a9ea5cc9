"""The benchmarks run, count what they say, and see a missed bar. No figure of speed is tested."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import commands
from benchmarks.measuring import Apart, Race, Work
from rerank.english import EnglishAnalyzer


def test_works_take_turns_there_and_back_and_ratios_are_taken_within_a_round(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seconds = {"one": iter([9.0, 1.0, 2.0, 4.0]), "other": iter([9.0, 0.5, 2.0, 4.0])}
    now, order = [0.0], []

    def work(name: str, units: float | None) -> Work:
        def turn() -> float:
            order.append(name)
            now[0] += next(seconds[name])
            return 100.0

        return Work(name, turn, units)

    race = Race.run("lines", [work("one", 100), work("other", None)], rounds=3, warm=1, clock=lambda: now[0])
    assert order == ["one", "other", "other", "one"] * 2
    assert race.rates == {"one": [100, 50, 25], "other": [200, 50, 25]}
    assert race.ratios("one", "other") == [0.5, 1, 1]
    race.print("a title", {"other": "a note"})
    assert not race.missed({("one", "other"): 0.9})
    assert race.missed({("one", "other"): 1.1})
    heading, one, other, *bars = capsys.readouterr().out.splitlines()
    assert heading.split() == ["a", "title", "lines/s", "ratio"]
    assert one.split() == ["one", "50.00", "1.00", "(1.00–1.00)"]
    assert other.split() == ["other", "50.00", "1.00", "(1.00–2.00)", "a", "note"]
    assert bars == ["one: 1.00 (0.50–1.00) × other, bar 0.9", "one: 1.00 (0.50–1.00) × other, bar 1.1, MISSED"]


def test_what_a_turn_is_given_is_made_while_the_clock_stands_still() -> None:
    clock = itertools.count()
    prepared = Work("prepared", lambda given: given, 1, prepare=lambda: next(clock))
    race = Race.run("lines", [prepared], rounds=2, clock=lambda: next(clock))
    assert race.answers == {"prepared": 3}
    assert race.rates == {"prepared": [1.0, 1.0]}


def _counter(step: int) -> Any:
    numbers = itertools.count(step, step)
    return lambda: next(numbers)


def _broken(step: int) -> Any:
    raise ValueError(step)


def test_rows_apart_keep_their_work_and_have_peaks_of_their_own() -> None:
    with Apart() as apart:
        works = [apart.work("ones", _counter, 1), apart.work("tens", _counter, 10)]
        race = Race.run("numbers", works, rounds=2)
        assert race.answers == {"ones": 2, "tens": 20}
        assert all(re.fullmatch(r"peak [\d,]+ MiB", peak) for peak in apart.peaks().values())


def test_a_row_that_breaks_ends_the_run() -> None:
    with Apart() as apart, pytest.raises(SystemExit, match="ended early"):
        Race.run("numbers", [apart.work("broken", _broken, 1)], rounds=1)


def ratios(said: str) -> list[float]:
    """The ratios of the two rows below the heading."""
    (heading,) = [n for n, line in enumerate(said.splitlines()) if line.endswith("ratio")]
    return [float(line.split()[-1]) for line in said.splitlines()[heading + 1 : heading + 3]]


def test_judging_is_timed_against_one_pair_after_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rsse").mkdir()
    rows = "".join(f'{n},"Завод {n}, построенный давно.",Завод {n} построен.\n' for n in range(9))
    (tmp_path / "rsse" / "dev_sents.csv").write_text(f",INPUT:source,OUTPUT:output\n{rows}", encoding="utf-8")
    arguments = ["judge", "--data", str(tmp_path), "--sentences", "8", "--rounds", "1"]
    # The bar is for a thousand pairs on two cores.
    monkeypatch.setattr(commands, "RATES", {"judge": 0.0})
    assert commands.main(arguments) == 0
    said = capsys.readouterr().out
    assert said.startswith("8 pairs")
    alone, together = ratios(said)
    assert alone == 1.0
    assert together > 0
    monkeypatch.setattr(commands, "RATES", {"judge": 1e9})
    assert commands.main(arguments) == 1


def test_splitting_is_timed_against_parsing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "wikisplit"
    folder.mkdir()
    source = "He left Rome and she sold the house ."
    (folder / "validation.tsv").write_text(f"{source}\tHe left Rome . <::::> She sold the house .\n" * 3, "utf-8")
    parsed: list[str] = []
    parse = EnglishAnalyzer._parse

    def counted(self: EnglishAnalyzer, texts: Sequence[str]) -> Any:
        parsed.extend(texts)
        return parse(self, texts)

    monkeypatch.setattr(EnglishAnalyzer, "_parse", counted)
    assert commands.main(["split", "--data", str(tmp_path), "--sentences", "2", "--rounds", "2"]) in (0, 1)
    said = capsys.readouterr().out
    assert said.startswith("2 sentences")
    assert "rewrite split, n = 10" in said
    # By both rows in both rounds: a row that remembers a sentence would be timed at nothing.
    assert parsed.count(source) == 4
