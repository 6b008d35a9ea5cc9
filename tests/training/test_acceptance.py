"""The recipe of the acceptance model: what is read, and that it tells good edits from bad."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from tests.paths import need_data
from training import acceptance
from training.acceptance import JUDGEMENTS, chance, read_judgements, train_acceptance
from training.edit_model import word_projection

LINES = gzip.decompress(JUDGEMENTS.read_bytes()).decode().splitlines()


def test_every_judgement_is_a_place_its_edits_and_its_faults() -> None:
    rows = [json.loads(line) for line in LINES]
    assert len(rows) > 20_000
    assert {tuple(row) for row in rows} == {("corpus", "line", "edits", "faults")}
    assert {row["corpus"] for row in rows} == {"wiki", "rt", "ng"}
    assert all(set(row["faults"]) <= set("wfpn") and row["edits"] for row in rows)


def test_a_model_of_the_judgements_on_one_news_site(
    analyzer: Analyzer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is in the dev extra")
    metrics = pytest.importorskip("sklearn.metrics")
    data = need_data("ru_mono", "news_russia_today.txt.xz").parents[1]
    some = tmp_path / "some.jsonl.gz"
    some.write_bytes(gzip.compress("\n".join([line for line in LINES if '"rt"' in line][:1500]).encode()))
    monkeypatch.setattr(acceptance, "JUDGEMENTS", some)
    projection = word_projection(analyzer.navec)
    judged = read_judgements(analyzer, data, projection)
    assert len(judged) > 500
    train = [j for j in judged if j.source % 3]
    test = [j for j in judged if not j.source % 3]
    model = train_acceptance(train, projection)
    found = [chance(model, one) for one in test]
    assert metrics.roc_auc_score([j.passed for j in test], found) > 0.6
    assert 0.5 < np.mean([j.passed for j in judged]) < 0.8
