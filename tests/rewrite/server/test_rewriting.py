"""What the server answers is what the pipeline says, however it is asked."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from rewrite import CompressOptions, Compressor, SplitOptions, Splitter
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result, SentenceResult
from rewrite.server import tasks
from rewrite.server.kinds import Kind
from rewrite.server.recall import Recall
from rewrite.server.schemas import Table
from rewrite.server.settings import Settings
from tests.rewrite.server.conftest import Running, faked, table

CAT = "Кошка, которую нашли дети, живущие в соседнем доме, спала на старом диване."
SCHOOL = "Правительство утвердило программу, предусматривающую строительство 15 школ в Москве."
TEXT = f"  {CAT} Да!\n{SCHOOL} {CAT}\n"
ENGLISH = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."


@pytest.fixture(scope="module")
def expected() -> Result:
    (result,) = Pipeline(Options(generator="edits", lang="ru", n=12)).run([TEXT])
    return result


def rejoined(result: Any) -> str:
    parts = (part for pair in zip(result["gaps"][1:], result["sentences"], strict=True) for part in reversed(pair))
    return result["gaps"][0] + "".join(part if isinstance(part, str) else part["text"] for part in parts)


def test_the_answer_is_the_pipelines(server: Running, expected: Result) -> None:
    result = server.rewritten(TEXT, lang="ru", options={"n": 12})
    assert result["text"] == rejoined(result) == expected.text
    assert result["signature"] == expected.signature
    assert result["weights"] == dict(expected.weights)
    assert result["score"] == pytest.approx(expected.best.score if expected.best else None)
    for shown, sentence in zip(result["sentences"], expected.sentences, strict=True):
        assert (shown["source"], shown["text"], shown["skipped"]) == (sentence.source, sentence.text, sentence.skipped)
        texts = [c["text"] for c in (shown["table"] or {"candidates": []})["candidates"]]
        assert [texts[row] for row in shown["order"]] == [c.text for c in sentence.choices if c.row >= 0]
        assert {
            c["text"]: c["blocked"] for c in (shown["table"] or {"candidates": []})["candidates"] if c["blocked"]
        } == (sentence.blocked)


def test_edits_make_the_text_of_the_source(server: Running) -> None:
    for sentence in server.rewritten(TEXT)["sentences"]:
        text = sentence["source"]
        for edit in reversed(sentence["edits"]):
            text = text[: edit["start"]] + edit["replacement"] + text[edit["end"] :]
        assert text == sentence["text"]


def test_reasons_are_in_the_language_of_the_page(server: Running) -> None:
    (russian,), (english,) = (server.rewritten(CAT, ui=ui)["sentences"] for ui in ("ru", "en"))
    assert "короче" in russian["why"]
    assert "shorter" in english["why"]


def test_several_texts_are_answered_in_order(server: Running) -> None:
    answer = server.post("/v1/rewrite", texts=[CAT, "", SCHOOL]).json()
    assert [result["source"] for result in answer["results"]] == [CAT, "", SCHOOL]
    assert answer["results"][1]["sentences"] == []
    assert answer["results"][0] == server.rewritten(CAT)


def test_a_stream_brings_the_same_sentence_by_sentence(server: Running) -> None:
    whole = server.rewritten(TEXT)
    with server.client.stream("POST", "/v1/rewrite", json={"text": TEXT, "stream": True}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = [line.removeprefix("data: ") for line in stream.iter_lines() if line]
    assert lines.pop() == "[DONE]"
    begun, *events = map(json.loads, lines)
    said = {name: whole[name] for name in ("gaps", "language", "weights", "threshold")}
    assert begun["results"] == [{**said, "sentences": [s["source"] for s in whole["sentences"]]}]
    last = events.pop()
    assert (last.pop("type"), last.pop("result")) == ("result", 0)
    assert last == {name: value for name, value in whole.items() if name != "sentences"}
    assert {(event["type"], event["result"]) for event in events} == {("sentence", 0)}
    assert {event["index"]: event["sentence"] for event in events} == dict(enumerate(whole["sentences"]))


def test_requests_that_differ_in_weights_alone_share_their_tables(server: Running) -> None:
    plain, other = (server.rewritten(CAT, weights=weights) for weights in ({}, {"similarity": 90}))
    assert plain["sentences"][0]["table"] == other["sentences"][0]["table"]
    assert plain["text"] != other["text"]
    (expected,) = Pipeline(Options(generator="edits", weights={"similarity": 90})).run([CAT])
    assert (other["text"], other["signature"]) == (expected.text, expected.signature)


def test_options_of_many_at_once_are_not_mixed_up(server: Running) -> None:
    asked = [{"n": n, "seed": seed, "keep": keep} for n in (3, 20) for seed in (0, 5) for keep in ([], ["старом"])]
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda options: server.rewritten(CAT, lang="ru", options=options), asked * 2))
    for options, result in zip(asked * 2, given, strict=True):
        (expected,) = Pipeline(Options(generator="edits", lang="ru", **options)).run([CAT])  # type: ignore[arg-type]
        assert (result["text"], result["signature"]) == (expected.text, expected.signature)


def test_components_on_request_are_measured(server: Running) -> None:
    sentence = server.rewritten(CAT, weights={"ndd": 2})["sentences"][0]
    assert "ndd" in sentence["table"]["components"]


def test_splitting_and_compressing(server: Running) -> None:
    split = server.rewritten(ENGLISH, task="split", options={"generator": "splitter", "sentences": 2})
    (splitting,) = Splitter(SplitOptions(sentences=2)).run([ENGLISH])
    assert (split["text"], split["signature"]) == (splitting.text, splitting.signature)
    assert split["grade"]["text"] < split["grade"]["source"]
    assert split["readability"]["text"]["words_per_sentence"] < split["readability"]["source"]["words_per_sentence"]
    short = server.rewritten(ENGLISH, task="compress", options={"ratio": 0.6})
    (compression,) = Compressor(CompressOptions(ratio=0.6)).run([ENGLISH])
    assert (short["text"], short["signature"]) == (compression.text, compression.signature)


def test_a_sentence_that_is_not_rewritten_says_why(server: Running) -> None:
    (skipped,) = server.rewritten("Да!")["sentences"]
    assert (skipped["text"], skipped["skipped"]) == ("Да!", "fewer than 4 words")
    answer = server.post("/v1/rewrite", texts=[CAT, "The cat slept on the old sofa all day."]).json()
    first, (strange,) = (result["sentences"] for result in answer["results"])
    assert ("for Russian" in strange["error"], first[0]["error"]) == (True, "")
    (russian,) = server.rewritten("Да!", ui="ru")["sentences"]
    assert russian["skipped"] == "меньше 4 слов"
    answer = server.post("/v1/rewrite", texts=[CAT, "The cat slept on the old sofa all day."], ui="ru").json()
    (strange,) = answer["results"][1]["sentences"]
    assert strange["error"] == strange["skipped"] == "Генератор edits пишет только по-русски."


def test_lines_are_rewritten_each_by_itself_and_wrapped_ones_together(server: Running) -> None:
    lines = [
        "Заголовок документа",
        "",
        "Комиссия, созданная в 2019 году для проверки складов и магазинов,",
        "произвела оценку ущерба.",
    ]
    result = server.rewritten("\r\n".join(lines))
    assert [s["source"] for s in result["sentences"]] == [lines[0], " ".join(lines[2:])]
    assert (result["gaps"], result["sentences"][0]["skipped"]) == (["", "\r\n\r\n", ""], "fewer than 4 words")
    assert result["text"].startswith("Заголовок документа\r\n\r\nКомиссия")
    assert "оценила ущерб" in result["text"]


def test_what_is_asked_again_is_known() -> None:
    with faked() as fake:
        first = fake.rewritten(f"{CAT} Собака спала.")
        again = fake.rewritten(f"Собака спала. {CAT}", weights={"similarity": 3}, ui="ru")
        assert [s["source"] for s in again["sentences"]] == [s["source"] for s in first["sentences"]][::-1]
        done = fake.workers[0].batches
        assert sorted(item for batch in done for item in batch) == sorted([CAT, "Собака спала."])
        fake.rewritten(CAT, options={"n": 5})
        assert done[-1] == [CAT]
        assert sum(map(len, done)) == 3


def test_what_is_known_is_bounded() -> None:
    recall = Recall()
    kinds = [Kind("rewrite", "simplify", "{}", "ru"), Kind("rewrite", "simplify", '{"n": 5}', "ru")]
    wide = table("Кошка").select([0, 1] * 500)
    for number in range(300):
        result = SentenceResult(f"Кошка {number}", table=wide, language="ru")
        recall.keep((kinds[0], result.source), (result, "fake"))
    assert recall[kinds[0], "Кошка 299"] is not None
    assert recall[kinds[0], "Кошка 0"] is recall[kinds[1], "Кошка 299"] is None
    for kind, sentence in ((kinds[0], "а" * 4_000), (Kind("rewrite", "simplify", "и" * 4_000, "ru"), "Кошка")):
        recall.keep((kind, sentence), (SentenceResult(sentence, language="ru"), "fake"))
        assert recall[kind, sentence] is None


def test_what_failed_is_tried_again() -> None:
    recall, key = Recall(), (Kind("rewrite", "simplify", "{}", "ru"), CAT)
    recall.keep(key, (SentenceResult(CAT, language="ru", error="The server says 500."), "fake"))
    assert recall[key] is None


def test_choosing_again_is_by_default_what_rewriting_chose(server: Running) -> None:
    texts = [CAT, "Комиссия, созданная в 2019 году, произвела оценку ущерба."]
    sentences = [server.rewritten(text)["sentences"][0] for text in texts]
    answer = server.post("/v1/reweight", tables=[sentence["table"] for sentence in sentences]).json()
    assert [choice["choice"] for choice in answer["choices"]] == [sentence["choice"] for sentence in sentences]
    assert answer["choices"][0]["signature"].startswith(f"table:{sentences[0]['table']['digest']}|weights:lexical=")
    for wrong, message in (
        ({"lang": "zz"}, "lang zz"),
        ({"task": "split"}, "The table has no"),
        ({"weights": {"ndd": 1}}, "The table has no ndd"),
        ({"control": 99}, "control is 99"),
    ):
        refused = server.post("/v1/reweight", tables=[sentences[0]["table"]], **wrong)
        assert (refused.status_code, message in refused.json()["error"]["message"]) == (422, True), refused.text


def test_what_is_cut_may_be_scored_as_a_compression(server: Running) -> None:
    scored = server.post(
        "/v1/score",
        task="compress",
        lang="en",
        source="The big dog, who was old, slept on the sofa.",
        candidates=["The dog slept on the sofa.", "The big cat slept on the sofa.", "The sofa slept on the dog."],
    ).json()
    blocked = [scored["table"]["candidates"][row]["blocked"] for row in scored["rows"]]
    assert blocked == ["", "not made by cutting", "not made by cutting"]
    assert scored["choice"] == scored["rows"][0]


def test_choosing_again_needs_no_model(server: Running) -> None:
    sentence = server.rewritten(CAT)["sentences"][0]
    weights = dict.fromkeys(sentence["table"]["components"], 0) | {"similarity": 9}
    (choice,) = server.post("/v1/reweight", tables=[sentence["table"]], weights=weights, ui="ru").json()["choices"]
    texts = [candidate["text"] for candidate in sentence["table"]["candidates"]]
    (expected,) = Pipeline(Options(generator="edits")).run([CAT])
    again = expected.reweight(weights).sentences[0]
    assert (CAT if choice["choice"] is None else texts[choice["choice"]]) == again.text
    assert [texts[row] for row in choice["order"]] == [c.text for c in again.choices if c.row >= 0]
    assert len(choice["scores"]) == len(texts)
    by_knob = server.post("/v1/reweight", tables=[sentence["table"]], control=10).json()["choices"][0]
    assert by_knob["choice"] is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": "Другое."}, r"tables\[0\]: the digest"),
        ({"values": [[1.0]]}, r"tables\[0\]: the digest"),
        ({"digest": ""}, r"tables\[0\]: the digest"),
        ({"threshold": float("nan")}, "tables.0.threshold"),
        ({"values": "none"}, "tables.0.values"),
    ],
)
def test_a_table_that_was_tampered_with_is_refused(server: Running, change: dict[str, Any], message: str) -> None:
    table = server.rewritten(CAT)["sentences"][0]["table"] | change
    body = json.dumps({"tables": [table]})
    answer = server.client.post("/v1/reweight", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422

    assert re.search(message, answer.json()["error"]["message"])


def test_shapes_and_numbers_of_a_table_are_checked(server: Running) -> None:
    given = server.rewritten(CAT)["sentences"][0]["table"]
    for change, message in (
        ({"values": [row[1:] for row in given["values"]]}, "tables[0].values[0]"),
        ({"values": given["values"][1:]}, "tables[0].values"),
        ({"source_values": [-1.0, *given["source_values"][1:]]}, "tables[0].source_values"),
    ):
        changed = Table.model_validate(given | change)
        forged = changed.model_copy(update={"digest": changed.computed_digest()})
        answer = server.post("/v1/reweight", tables=[forged.model_dump()])
        assert (answer.status_code, message in answer.json()["error"]["message"]) == (422, True)


def test_a_table_may_go_through_a_language_that_writes_1_for_1_0(server: Running) -> None:
    table = server.rewritten(CAT)["sentences"][0]["table"]
    table["values"] = [[int(v) if v == int(v) else v for v in row] for row in table["values"]]
    assert server.post("/v1/reweight", tables=[table]).status_code == 200


def test_what_there_is_to_ask_for(server: Running) -> None:
    tasks = {task["name"]: task for task in server.client.get("/v1/tasks").json()}
    assert list(tasks) == ["simplify", "split", "compress", "judge"]
    judge = tasks.pop("judge")
    assert judge["paths"] == ["/v1/judge"]
    assert "learned" in judge["options"]["properties"]["metric"]["description"]
    for task in tasks.values():
        assert task["components"]
        assert all(component["what"] for component in task["components"])
        # Nothing that names a path or an address.
        assert not {"record", "engine", "masked_model", "evaluator", "fluency"} & set(task["options"]["properties"])
    assert tasks["simplify"]["options"]["properties"]["generator"]["default"] == "edits"
    presets = server.client.get("/v1/presets").json()
    assert presets["knob"] == [[0.0, "accurate"], [5.0, "balanced"], [10.0, "simple"]]
    assert presets["simplify"]["ru"]["balanced"]["length"] == 8
    assert presets["simplify"]["en"] != presets["simplify"]["ru"]


def test_what_is_not_installed_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "is_installed", lambda: False)
    settings = Settings()
    assert [model.id for model in tasks.offered(settings)] == ["simplify-ru", "split-en", "compress-ru", "compress-en"]
    told = {task.name: task for task in tasks.tasks(settings)}
    assert (told["simplify"].languages, "rewrite-rerank[lm]" in told["simplify"].needs) == (["ru"], True)
    named = Settings(generators={"simplify": "ct2:MODEL"})
    assert "simplify-en" in [model.id for model in tasks.offered(named)]


def test_metrics_count_without_texts(server: Running) -> None:
    before = server.metric("rewrite_candidates_total")
    text = "Росстат, который в 2019 году посчитал доходы населения, сообщил о росте числа семей без сбережений на 12 %."
    number = server.rewritten(text, options={"strict": True})
    assert server.metric("rewrite_candidates_total") > before
    assert number
    told = server.client.get("/metrics").text
    assert 'rewrite_requests_total{route="/v1/rewrite",status="200"}' in told
    assert 'reason="dropped"' in told
    assert "Росстат" not in told
