"""What was written for the adapter: found at its places, apart from what is scored, with controls that fit."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from rewrite.controls import STYLES, Controls
from rewrite.datasets import load_rsse
from tests.paths import need_data
from training import adapter_pairs
from training.adapter_pairs import WRITTEN, main
from training.masked.corpora import HeldBack
from training.places import Places
from training.records import packed_rows


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes of every sixth source."""
    data = need_data("ru_mono").parent
    need_data("parallel_enru")
    need_data("rsse")
    out = tmp_path_factory.mktemp("pairs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adapter_pairs, "packed_rows", lambda path: packed_rows(path)[::6])
        main(["--lang", "ru", "--data", str(data), "--out", str(out)])
    return out


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_there_are_pairs_of_every_style_a_quarter_of_them_splits(made: Path) -> None:
    rows = _rows(made / "written_ru_2.jsonl")
    styles = Counter(Controls.read(row["controls"]).style for row in rows)
    assert styles.keys() == set(STYLES) - {"terse"}
    assert styles["split"] >= len(rows) / 4
    assert len({row["source"] for row in rows}) >= 1_400


def test_nothing_is_shared_with_what_is_scored(made: Path) -> None:
    examples = load_rsse(need_data("rsse", "dev_sents.csv"))
    held = HeldBack(text for example in examples for text in (example.source, *example.references))
    for path in made.iterdir():
        rows = _rows(path)
        assert not any(row["source"] in held or row["target"] in held for row in rows)


def test_no_source_is_both_learnt_and_judged(made: Path) -> None:
    judged = {row["source"] for row in _rows(made / "dev.jsonl")}
    learnt = {row["source"] for name in WRITTEN if name != "written_en" for row in _rows(made / f"{name}.jsonl")}
    assert judged
    assert not judged & learnt


def test_a_split_has_more_than_one_sentence(made: Path) -> None:
    controls = [Controls.read(row["controls"]) for row in _rows(made / "written_ru_2.jsonl")]
    splits = [found for found in controls if found.style == "split"]
    assert sum(found.sentences > 1 for found in splits) >= 0.98 * len(splits)


def test_two_writers_of_one_source_make_one_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "Осуществляется приём документов, необходимых для поступления."
    rows = [
        {"id": "x:1", "source": source, "plain": "Принимают документы."},
        {"id": "x:1", "source": source, "light": "Идёт приём документов."},
    ]
    path = tmp_path / "written.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    (groups,) = [adapter_pairs._usable(adapter_pairs.written_rows(path, Places(tmp_path)), HeldBack([]), "ru")]
    assert [[row["target"] for row in group] for group in groups] == [
        ["Принимают документы.", "Идёт приём документов."]
    ]
