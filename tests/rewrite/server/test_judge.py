"""`POST /v1/judge` says what `rewrite judge` says."""

from __future__ import annotations

from typing import Any

import pytest

from rewrite.judging.registry import JudgeOptions
from rewrite.judging.row_metric import Judged
from rewrite.judging.row_parsing import row_of
from tests.rewrite.server.conftest import Running

SOURCE = "Завод построили в 1950 году, и он работает до сих пор."
GOOD, CHANGED = "Завод построили в 1950 году. Он работает до сих пор.", "Завод построили в 1850 году."
BRIDGE = {"source": "The old bridge, built in 1909, was closed.", "text": "The old bridge was closed."}


def judged(server: Running, *rows: Any, **options: Any) -> Any:
    answer = server.post("/v1/judge", rows=rows, **options)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_rows_get_what_the_command_gives(server: Running) -> None:
    answer = judged(server, *({"source": SOURCE, "text": text} for text in (GOOD, CHANGED)))
    good, changed = answer["results"]
    metric = JudgeOptions().create()
    own = metric.results([row_of(SOURCE, GOOD, ()), row_of(SOURCE, CHANGED, ())])
    for told, outcome in zip((good, changed), own, strict=True):
        assert isinstance(outcome, Judged)
        assert told["score"] == pytest.approx(outcome.score, abs=1e-6)
        assert told["components"] == pytest.approx(outcome.components, abs=1e-6)
        assert told["signature"] == outcome.signature(metric.signature())
    assert (good["changed"], changed["changed"][0]["message"]) == ([], "the year 1850 is not in the source")
    assert changed["score"] < good["score"]
    assert answer["mean"] == pytest.approx((good["score"] + changed["score"]) / 2)


def test_a_row_that_cannot_be_judged_says_why_beside_the_others(server: Running) -> None:
    answer = judged(server, {"source": SOURCE, "text": " "}, BRIDGE, metric="copied")
    empty, bridge = answer["results"]
    assert (empty["score"], empty["error"]) == (None, "The text is empty.")
    assert answer["mean"] == bridge["score"] > 0.9


def test_references_several_documents_and_results_as_they_came(server: Running) -> None:
    row = {**BRIDGE, "source": [BRIDGE["source"], "It was old."], "references": ["The bridge was closed.", ""]}
    (result,) = judged(server, row, metric="rougeL")["results"]
    assert result["score"] == pytest.approx(8 / 9)
    (result,) = judged(server, BRIDGE, metric="rougeL")["results"]
    assert result["error"] == "rougeL needs references, there are none."
    assert judged(server, server.rewritten(SOURCE), facts=False)["results"][0]["changed"] is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"rows": []}, "rows is []"),
        ({"rows": [{"source": SOURCE}]}, "rows.0.text is missing"),
        ({"rows": [{"source": [], "text": "a"}]}, "rows.0.source"),
        ({"rows": [BRIDGE], "metric": "taste"}, "Unknown metric 'taste'."),
        ({"rows": [BRIDGE], "metric": "bertscore"}, "Unknown metric 'bertscore'."),
        ({"rows": [BRIDGE], "metric": "bleu", "facts": True}, "The metric bleu takes no facts."),
        ({"rows": [BRIDGE], "model": "/etc"}, "model is '/etc': folders are not to be had over HTTP."),
        ({"rows": [BRIDGE], "model": "bundled:none"}, "No evaluator is called 'bundled:none'."),
        ({"rows": [BRIDGE], "lang": "de"}, "No evaluator is bundled for rewrites in the language 'de'."),
    ],
)
def test_what_is_wrong_is_named(server: Running, body: dict[str, Any], message: str) -> None:
    answer = server.client.post("/v1/judge", json=body)
    assert (answer.status_code, message in answer.json()["error"]["message"]) == (422, True), answer.text
