"""The stock clients of other APIs, and curl, against a running server."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest

from tests.readme_blocks import ROOT

cohere = pytest.importorskip("cohere")
httpx = pytest.importorskip("httpx")
language_tool_python = pytest.importorskip("language_tool_python")
openai = pytest.importorskip("openai")

SOURCE = "Комиссия, созданная в 2019 году, произвела оценку ущерба."
OTHER = (
    "В связи с тем, что сотрудники осуществляли проверку документации, "
    "выдача справок была приостановлена до понедельника."
)
TEXT = f"{OTHER} 😀 {SOURCE}\n"
KEPT = "Комиссия, которая была создана в 2019 году, оценила ущерб."
CHANGED = "Комиссия, созданная в 2018 году, оценила ущерб."


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    command = [sys.executable, "-m", "rewrite", "serve", "--port", "0", "--load", "simplify-ru"]
    command += ["--generator", "simplify=edits"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            told = process.stderr.readline()
            assert "http://" in told, told + process.stderr.read()
            yield told.split()[1]
        finally:
            process.terminate()
            process.stderr.read()


def _messages(text: str = TEXT) -> list[dict[str, str]]:
    return [{"role": "system", "content": "Simplify."}, {"role": "user", "content": text}]


def _post(url: str, **body: Any) -> Any:
    return httpx.post(url, timeout=120, **body)


@pytest.fixture(scope="module")
def chat(server: str) -> Any:
    return openai.OpenAI(base_url=f"{server}/v1", api_key="none", max_retries=0)


def test_openai_lists_models(chat: Any) -> None:
    assert [model.id for model in chat.models.list()][:2] == ["simplify-ru", "simplify-en"]
    assert chat.models.retrieve("simplify-ru").id == "simplify-ru"
    with pytest.raises(openai.NotFoundError, match="Known: simplify-ru"):
        chat.models.retrieve("gpt-4")


def test_openai_gets_the_n_best(chat: Any) -> None:
    answer = chat.chat.completions.create(model="simplify-ru", messages=_messages(), n=3, seed=1, temperature=0.7)
    texts = [choice.message.content for choice in answer.choices]
    assert len(set(texts)) == 3
    assert all(text.endswith("\n") and "😀" in text and "2019" in text for text in texts)
    assert [choice.index for choice in answer.choices] == [0, 1, 2]
    assert {choice.finish_reason for choice in answer.choices} == {"stop"}
    usage = answer.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens > usage.completion_tokens > 30
    assert "seed:1" in answer.signature


def test_openai_streams_what_it_gets_at_once(chat: Any) -> None:
    whole = chat.chat.completions.create(model="simplify-ru", messages=_messages(), n=2)
    parts = chat.chat.completions.create(
        model="simplify-ru", messages=_messages(), n=2, stream=True, stream_options={"include_usage": True}
    )
    texts, reasons = ["", ""], []
    usage: Any = None
    for part in parts:
        usage = part.usage or usage
        for choice in part.choices:
            texts[choice.index] += choice.delta.content or ""
            reasons += [choice.finish_reason] if choice.finish_reason else []
    assert texts == [choice.message.content for choice in whole.choices]
    assert reasons == ["stop", "stop"]
    assert usage.total_tokens == whole.usage.total_tokens


def test_openai_sets_weights_and_presets(chat: Any) -> None:
    def best(**extra: Any) -> str:
        answer = chat.chat.completions.create(model="simplify-ru", messages=_messages(SOURCE), extra_body=extra)
        return str(answer.choices[0].message.content)

    assert best() == KEPT
    assert best(weights={"caution": 60}) != KEPT
    assert best(preset="simple") == best(control=10) != best(weights={"similarity": 40})
    assert "оценку" in best(options={"keep": ["оценку"]})


@pytest.mark.parametrize(
    ("kind", "message", "given"),
    [
        ("NotFoundError", "'gpt-4' does not exist. Known: simplify-ru", {"model": "gpt-4"}),
        ("BadRequestError", "Unknown weight 'speed'. .*Known: ", {"extra_body": {"weights": {"speed": 1}}}),
        ("BadRequestError", "Weight caution=-1.0 is out", {"extra_body": {"weights": {"caution": -1}}}),
        ("BadRequestError", "Unknown preset", {"extra_body": {"preset": "best"}}),
        ("BadRequestError", "generator", {"extra_body": {"options": {"generator": "replay:/etc/passwd"}}}),
        ("BadRequestError", "no message of the user", {"messages": [{"role": "assistant", "content": "x"}]}),
        ("BadRequestError", "parts of a message", {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}),
        ("BadRequestError", "n is 0: ", {"n": 0}),
        ("BadRequestError", "'wieghts': did you mean weights", {"extra_body": {"wieghts": {"caution": 1}}}),
        ("BadRequestError", "seed", {"seed": -1}),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_openai_reads_what_is_wrong(chat: Any, kind: str, message: str, given: dict[str, Any], stream: bool) -> None:
    with pytest.raises(getattr(openai, kind), match=message) as caught:
        chat.chat.completions.create(**{"model": "simplify-ru", "messages": _messages(), "stream": stream, **given})
    assert caught.value.type == "invalid_request_error"


def test_the_lines_of_the_document_work(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    readme, page = (_lines(path, server) for path in ("README.md", "docs/clients.md"))
    exec(next(block for block in readme["python"] if "openai" in block), {})
    rewrite, ranks, corrected = capsys.readouterr().out.splitlines()
    assert rewrite == corrected == KEPT
    assert re.findall(r"index=(\d)", ranks) == ["1", "0"]
    (block,) = page["python"]
    exec(block, {})
    assert len(ast.literal_eval(capsys.readouterr().out)) == 2
    (asked,) = _run(readme["sh"])
    assert asked["results"][0]["text"] == KEPT
    (checked,) = _run(page["sh"])
    assert checked["matches"][0]["rule"]["id"] == "REWRITE_REPLACE"


def _lines(path: str, server: str) -> dict[str, list[str]]:
    """The blocks of a document by language, for this server."""
    document = (ROOT / path).read_text(encoding="utf-8").replace("http://127.0.0.1:8008", server)
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", document, flags=re.MULTILINE | re.DOTALL)
    return {language: [text for name, text in blocks if name == language] for language, _ in blocks}


def _run(blocks: list[str]) -> list[Any]:
    """What the lines with curl among them print."""
    commands = [line for block in blocks for line in block.splitlines() if line.startswith("curl ")]
    told = (subprocess.run(["bash", "-c", command], capture_output=True, text=True) for command in commands)
    return [json.loads(answer.stdout) for answer in told]


@pytest.mark.parametrize("client", ["Client", "ClientV2"])
def test_cohere_ranks_candidates(server: str, client: str) -> None:
    known = getattr(cohere, client)(base_url=server, api_key="none")
    answer = known.rerank(model="simplify-ru", query=SOURCE, documents=[CHANGED, KEPT, SOURCE])
    first, second, last = answer.results
    assert last.index == 0
    assert last.relevance_score == 0
    assert 1 >= first.relevance_score >= second.relevance_score > 0
    assert answer.meta.billed_units.search_units == 1
    assert [
        r.index for r in known.rerank(model="simplify-ru", query=SOURCE, documents=[CHANGED, KEPT], top_n=1).results
    ] == [1]
    with pytest.raises(cohere.errors.NotFoundError) as missing:
        known.rerank(model="rerank-v3.5", query=SOURCE, documents=[KEPT])
    assert "Known: simplify-ru" in missing.value.body["message"]
    with pytest.raises(cohere.errors.BadRequestError) as empty:
        known.rerank(model="simplify-ru", query=SOURCE, documents=[])
    assert "documents" in empty.value.body["message"]


def test_cohere_gets_documents_back(server: str) -> None:
    answer = cohere.Client(base_url=server, api_key="none").rerank(
        model="simplify-ru", query=SOURCE, documents=[{"text": CHANGED}, {"text": KEPT}], return_documents=True, top_n=1
    )
    assert [result.document.text for result in answer.results] == [KEPT]


def test_rerank_as_jina_asks_for_it(server: str) -> None:
    answer = _post(f"{server}/rerank", json={"query": SOURCE, "documents": [CHANGED, KEPT], "preset": "simple"}).json()
    assert [result["index"] for result in answer["results"]] == [1, 0]
    assert answer["usage"]["total_tokens"] > 20
    refused = _post(f"{server}/rerank", json={"query": SOURCE, "documents": [7]})
    assert (refused.status_code, "documents" in refused.json()["detail"]) == (400, True)


def test_score_and_preferences(server: str) -> None:
    scored = _post(f"{server}/v1/score", json={"source": SOURCE, "candidates": [CHANGED, KEPT]}).json()
    table = scored["table"]
    assert [bool(candidate["blocked"]) for candidate in table["candidates"]] == [
        row == scored["rows"][0] for row in (0, 1)
    ]
    choice = {"table": table, "preferred": scored["rows"][1], "over": [None]}
    learnt = _post(f"{server}/v1/preferences", json={"choices": [choice] * 10, "lang": "ru"}).json()
    assert learnt["choices"] == 10
    assert learnt["weights"].keys() == set(table["components"])
    assert learnt["agreement"]["after"] >= learnt["agreement"]["before"]
    for wrong, message in (
        ({"choices": [choice] * 9}, "There are 9 choices"),
        ({"choices": [choice] * 10, "start": {"speed": 1}}, "Unknown weight 'speed'"),
        ({"choices": [*[choice] * 10, {**choice, "over": [9]}]}, "choices[10]: there is no row 9"),
        ({"choices": [*[choice] * 10, {**choice, "over": [0] * 30_000}]}, "choices.10.over is [0"),
        ({"choices": [choice] * 1_001}, "choices is ["),
        (
            {"choices": [*[choice] * 10, {**choice, "table": {**table, "threshold": 3}}]},
            "choices[10].table: the digest",
        ),
    ):
        refused = _post(f"{server}/v1/preferences", json=wrong)
        assert refused.status_code == 422
        assert message in refused.json()["error"]["message"]


def test_language_tool_python_shows_and_corrects(server: str) -> None:
    tool = language_tool_python.LanguageTool("ru-RU", remote_server=server)
    matches = tool.check(TEXT)
    marked = [TEXT[match.offset : match.offset + match.error_length] for match in matches]
    assert marked[0] == "В связи с тем"
    assert marked[-1] == "произвела оценку ущерба"
    assert matches[-1].replacements[0] == "оценила ущерб"
    assert len(matches[-1].replacements) > 1
    assert {(match.category, match.rule_issue_type) for match in matches} == {("STYLE", "style")}
    assert tool.correct(SOURCE) == KEPT
    tool.disabled_rules = {"REWRITE_REPLACE"}
    assert "произвела оценку" in tool.correct(SOURCE)
    auto = language_tool_python.LanguageTool("auto", remote_server=server)
    # English has no generator here, and add-ons ask of whatever is typed.
    assert auto.check("") == auto.check("The committee, which was created in 2019, met.") == []
    with pytest.raises(ValueError, match="unsupported language"):
        language_tool_python.LanguageTool("de-DE", remote_server=server)
    tool.enabled_rules_only = True
    with pytest.raises(language_tool_python.exceptions.LanguageToolError, match="Error: "):
        tool.check(SOURCE)


def _curl(*arguments: str) -> str:
    return subprocess.run(["curl", "-sS", *arguments], capture_output=True, text=True, check=True).stdout


def test_libreoffice_checks_a_paragraph(server: str) -> None:
    # All but RFC 3986's unreserved characters are percent-encoded; the base URL ends in /v2.
    body = f"text={urllib.parse.quote(TEXT, safe='')}&language=ru-RU"
    answer = json.loads(_curl("--fail", "-d", body, f"{server}/v2/check"))
    match = answer["matches"][-1]
    # What LibreOffice reads of a match: these, and nothing else; strings there are UTF-16.
    data, start = TEXT.encode("utf-16-le"), 2 * match["offset"]
    assert data[start : start + 2 * match["length"]].decode("utf-16-le") == "произвела оценку ущерба"
    assert match["message"]
    assert match["shortMessage"]
    assert match["replacements"][0]["value"] == "оценила ущерб"
    assert match["rule"]["category"]["id"] == "STYLE"


def test_a_browser_add_on_checks_what_is_typed(server: str) -> None:
    data = {"annotation": [{"markup": "<p>"}, {"text": SOURCE}, {"markup": "</p>"}]}
    form = {"data": json.dumps(data), "language": "auto", "preferredVariants": "en-GB,de-DE", "level": "picky"}
    form |= {"enableHiddenRules": "true", "disabledRules": "WHITESPACE_RULE", "useragent": "webextension-firefox-ng"}
    answer = _post(f"{server}/v2/check", data={**form, "mode": "allButTextLevelOnly"}).json()
    assert [match["offset"] for match in answer["matches"]] == [
        3 + SOURCE.index("созданная"),
        3 + SOURCE.index("произвела"),
    ]
    assert answer["language"]["code"] == "ru-RU"
    assert answer["signature"].startswith("rewrite")
    whole = _post(f"{server}/v2/check", data={**form, "mode": "textLevelOnly"}).json()
    assert (whole["matches"], whole["language"]["code"]) == ([], "ru-RU")


def test_curl_checks_a_text_as_it_is_typed(server: str) -> None:
    for arguments in (
        ("-d", f"text={SOURCE}&language=ru"),
        ("-G", "--data-urlencode", f"text={SOURCE}", "-d", "language=ru"),
    ):
        matches = json.loads(_curl(*arguments, f"{server}/v2/check"))["matches"]
        assert [match["replacements"][0]["value"] for match in matches] == ["которая была создана", "оценила ущерб"]
    languages = json.loads(_curl(f"{server}/v2/languages"))
    assert {"name": "Russian", "code": "ru", "longCode": "ru-RU"} in languages


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"text=a&language=de-DE", "'de-DE' is not a language code known here. Supported: auto, en, ru, en-US"),
        (b"text=a", "language: "),
        (b"language=ru", "text or data"),
        (b"text=%ff&language=ru", "not UTF-8"),
        (b"text=\xff&language=ru", "not UTF-8"),
        (b"data={&language=ru", "data: "),
    ],
)
def test_languagetool_says_what_is_wrong_in_plain_text(server: str, body: bytes, message: str) -> None:
    answer = _post(f"{server}/v2/check", content=body)
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.startswith("Error: ")
    assert message in answer.text
