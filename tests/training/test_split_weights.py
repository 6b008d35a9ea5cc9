"""What judgements of splits tell of weights: the file that is there, and a regression whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'rewrite-rerank[train]'")

from rewrite.splitting.rules import RISKS
from tests.paths import need_data
from training.split_weights import Judgement, Table, folded_auc, read_judgements, report, shares, tabulate


def test_the_judgements_are_of_rows_that_nothing_is_measured_on() -> None:
    judged = read_judgements()
    assert len(judged) > 280
    assert all(3501 <= one.row <= 4000 for one in judged)
    assert all("\n" in one.split and len(one.faults) == 2 for one in judged)
    assert {letter for one in judged for faults in one.faults for letter in faults} == set("wfa")


def test_shares_are_of_splits_without_a_fault() -> None:
    judged = [Judgement(1, "A\nB", ("", "w")), Judgement(2, "A\nB", ("fa", "a"))]
    assert shares(judged) == (
        "well formed 75.0%, factual 75.0%, all kept 50.0%, without a fault 25.0%, readers agree on well formed 50.0%"
    )


@pytest.fixture
def table() -> Table:
    """Two hundred answers, where one rule alone tells what has a fault, and all else is noise."""
    rng = np.random.default_rng(0)
    names = ("length", "likelihood", "consensus", "wholeness", *RISKS)
    features = rng.normal(size=(200, 4))
    broken = np.zeros((200, len(RISKS)))
    rule = names.index("torn") - 4
    broken[:, rule] = rng.random(200) < 0.5
    good = (broken[:, rule] == 0) ^ (rng.random(200) < 0.1)
    return Table(names, np.hstack([features, broken]), good, np.arange(200) // 2, rng.normal(size=200))


def test_a_rule_that_tells_of_faults_has_a_risk(table: Table) -> None:
    assert folded_auc(table) > 0.8
    lines = report(table, 100, [Judgement(1, "A\nB", ("", ""))] * 100).splitlines()
    risks = {line.split()[0]: float(line.split()[2]) for line in lines if " risk " in line}
    assert set(risks) == {"torn"}
    assert risks["torn"] > 2
    weights = [abs(float(line.split()[2])) for line in lines if " weight " in line]
    assert len(weights) == 4
    assert max(weights) < 1


def test_judged_splits_are_found_among_what_is_proposed() -> None:
    lines = need_data("wikisplit", "validation.tsv").read_text(encoding="utf-8").split("\n")
    judged = read_judgements()[:12]
    data, known = tabulate(judged, {one.row: lines[one.row - 1].split("\t")[0] for one in judged})
    assert known >= 4
    assert len(data.good) == 2 * known
    assert data.features.shape == (2 * known, len(data.names))
    # Logarithms of components in [0, 1], and rules that are broken or not.
    assert (data.features[:, :4] <= 1e-9).all()
    assert set(np.unique(data.features[:, 4:])) <= {0.0, 1.0}
