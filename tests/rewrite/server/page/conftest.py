"""The page in Debian's chromium, driven by playwright; left out where either is missing."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rewrite.server.page.fixture_server import FixtureServer

TEXT = "#text"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium: apt-get install chromium, or name one in CHROMIUM")
    with api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def started() -> Iterator[FixtureServer]:
    server = FixtureServer()
    yield server
    server.shutdown()


@pytest.fixture
def server(started: FixtureServer) -> FixtureServer:
    started.reset()
    return started


@pytest.fixture
def visit(browser: Any, server: FixtureServer) -> Iterator[Callable[..., Any]]:
    """Opens the page in a fresh profile. What the page throws, or its policy stops, fails the test."""
    contexts = []
    errors: list[str] = []

    def opened(address: str = server.address, **options: Any) -> Any:
        context = browser.new_context(**{"locale": "en-US", "viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if "Policy" in message.text else None)
        page.goto(address)
        until(page, "document.querySelectorAll('#tasks input').length > 1")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def page(visit: Callable[..., Any]) -> Any:
    return visit()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where screenshots go: REWRITE_SCREENSHOTS, so that they can be kept."""
    folder = Path(os.environ.get("REWRITE_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def until(page: Any, condition: str) -> None:
    """Waits for what is said in JavaScript. The page's policy forbids the `eval` of playwright's own way."""
    end = time.monotonic() + 10
    while not page.evaluate(f"Boolean({condition})"):
        assert time.monotonic() < end, condition
        time.sleep(0.02)


def rewrite(page: Any, text: str) -> None:
    """Pastes a text and waits for its rewrite."""
    page.fill(TEXT, text)
    page.click("#go")
    until(page, "document.querySelector('.row') && !document.querySelector('.row.pending')")
    page.wait_for_selector("#go:visible")


def texts(page: Any) -> list[str]:
    """The sentences as they stand, without what edits take away."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".out")].map((out) => {
          const copy = out.cloneNode(true);
          copy.querySelectorAll("del").forEach((del) => del.remove());
          return copy.textContent;
        })"""
    )


def wordy(n: int) -> str:
    """So many sentences of which the fixture server has nothing recorded."""
    words = "the old bridge over the quiet river was closed for repairs by the town council last spring"
    return " ".join(f"Number {i + 1} says that {words} {i}." for i in range(n))
