"""Pairs for the bundled Russian generator: what is read, and which targets may be learnt from."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

from rerank.analysis import Analyzer
from rewrite.datasets import Pair
from training.ru_small_pairs import WRITTEN, sound, written_pairs

LONG, SHORT = "В 1928 году он родился в городе Орхус.", "Он родился в 1928 году."


def test_written_rewrites_find_their_sentence_by_file_and_line_and_empty_ones_are_none(tmp_path: Path) -> None:
    for name in ("wikineural_wiki_sents", "news_russia_today"):
        with lzma.open(tmp_path / f"{name}.txt.xz", "wt", encoding="utf-8") as file:
            file.write(f"Первая строка.\n{LONG}\n")
    row = {"id": "rt:1", "light": "", "plain": SHORT, "short": "Он родился."}
    path = tmp_path / "written.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(row).encode()))
    assert written_pairs(path, tmp_path) == [Pair(LONG, SHORT), Pair(LONG, "Он родился.")]


def test_the_rewrites_that_ship_with_the_recipe_are_rows_of_three_texts_each_named_once() -> None:
    rows = [json.loads(line) for line in gzip.decompress(WRITTEN.read_bytes()).decode().splitlines()]
    assert len({row["id"] for row in rows}) == len(rows) > 2_000
    assert all(set(row) == {"id", "light", "plain", "short"} and (row["light"] or row["plain"]) for row in rows)


def test_only_targets_that_keep_to_the_facts_and_are_well_formed_are_learnt_from(analyzer: Analyzer) -> None:
    source = "Писатель, который родился в 1928 году, закончил свой новый роман осенью прошлого года."
    good = "Писатель закончил свой новый роман осенью прошлого года."
    wrong_year = "Писатель родился в 1938 году и закончил свой новый роман."
    broken = "Писатель, закончил свой новый роман осенью прошлого года"
    longer = f"{good} {good}"
    pairs = [Pair(source, target) for target in (good, wrong_year, broken, source, longer, "")]
    assert sound(pairs, analyzer) == [Pair(source, good)]
