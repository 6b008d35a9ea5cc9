"""Pairs for the English adapter: what was written is found at its places, and nothing that measures is learnt."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from rewrite.controls import Controls
from tests.paths import need_data
from training import adapter_pairs
from training.adapter_pairs import MEASURED_FROM, WRITTEN, asset, is_faithful, main, turk
from training.masked.corpora import HeldBack
from training.records import packed_rows
from training.splitting.pairs import measured


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes, of every eighth source that was written for and a few splits of each set."""
    data = need_data("asset").parent
    out = tmp_path_factory.mktemp("pairs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adapter_pairs, "packed_rows", lambda path: packed_rows(path)[::8])
        patch.setattr(adapter_pairs, "_SPLITS", dict.fromkeys(adapter_pairs._SPLITS, 40))
        main(["--lang", "en", "--data", str(data), "--out", str(out)])
    return out


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_there_are_pairs_of_every_style(made: Path) -> None:
    styles = Counter(Controls.read(row["controls"]).style for row in rows(made / "written.jsonl"))
    assert styles.keys() == {"light", "plain", "short", "split"}
    assert min(styles.values()) > 0.15 * styles.total()
    assert {Controls.read(row["controls"]).style for row in rows(made / "splits.jsonl")} == {"split"}
    split = [Controls.read(row["controls"]).sentences > 1 for row in rows(made / "splits.jsonl")]
    assert sum(split) > 0.9 * len(split)


def test_nothing_is_shared_with_what_is_measured(made: Path) -> None:
    data = need_data("asset").parent
    texts = [text for source, references in list(asset(data))[MEASURED_FROM:] for text in (source, *references)]
    held_back = HeldBack([*texts, *measured(data)])
    for path in made.glob("*.jsonl"):
        assert not [row for row in rows(path) if row["source"] in held_back]


def test_sources_for_judging_are_not_learnt(made: Path) -> None:
    judged = {row["source"] for row in rows(made / "dev.jsonl")}
    learnt = {
        row["source"] for name in ("written", "splits", "simplifications") for row in rows(made / f"{name}.jsonl")
    }
    assert judged
    assert not judged & learnt


def test_both_sets_of_simplifications_have_the_same_sources() -> None:
    data = need_data("asset").parent
    firsts = [source.split()[:3] for source, _ in asset(data)], [source.split()[:3] for source, _ in turk(data)]
    assert sum(map(list.__eq__, *firsts)) > 0.9 * len(firsts[0])


def test_what_was_written_says_where_its_source_is() -> None:
    for row in packed_rows(WRITTEN["written_en"]):
        assert ("id" in row) != ("source" in row)
        assert {"light", "plain", "short", "split"} & row.keys()


@pytest.mark.parametrize(
    ("target", "faithful"),
    [
        ("He sold the old house. He moved to Rome.", True),
        ("He sold the house. He moved to Rome.", True),
        ("He sold the old house in 1990. He moved to Rome to live with Anna.", False),
        ("He moved to Rome.", False),
    ],
)
def test_a_split_neither_adds_nor_drops_much(target: str, faithful: bool) -> None:
    assert is_faithful("He sold the old house and moved to Rome.", target) is faithful
