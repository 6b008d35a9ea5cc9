"""What stays in the browser: through reloads, beside other tabs, and where nothing can be kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.rewrite.server.page.conftest import TEXT, rewrite, texts, until, wordy
from tests.rewrite.server.page.fixture_server import RECORDED, FixtureServer

pytestmark = pytest.mark.browser
RUSSIAN, ENGLISH = RECORDED["ru"], RECORDED["en"]
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage", "indexedDB"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""


def test_a_reload_in_the_middle_keeps_what_is_done_and_goes_on(page: Any, server: FixtureServer) -> None:
    server.delay = 0.1
    page.fill(TEXT, wordy(40))
    page.click("#go")
    until(page, "document.querySelectorAll('.row:not(.pending)').length >= 15")
    page.reload()
    page.wait_for_selector("#notice:visible")
    done = page.locator(".row:not(.pending)").count()
    assert done > 0
    assert f"Sentences left: {40 - done}." in page.inner_text("#notice")
    server.delay = 0
    page.get_by_role("button", name="Go on").click()
    until(page, "!document.querySelector('.row.pending')")
    asked = [body for path, body in server.requests if path == "/v1/rewrite"][-1]
    assert len(asked["texts"]) == 40 - done


def test_an_error_in_the_middle_can_be_gone_on_from(page: Any, server: FixtureServer) -> None:
    server.fail_after = 2
    page.fill(TEXT, RUSSIAN["source"])
    page.click("#go")
    page.wait_for_selector("#notice:visible")
    assert "took more than 300 s" in page.inner_text("#notice")
    server.fail_after = None
    page.get_by_role("button", name="Go on").click()
    until(page, "!document.querySelector('.row.pending')")
    assert texts(page) == [sentence["text"] for sentence in RUSSIAN["sentences"]]


def test_each_tab_has_its_own_text_and_all_choices_count(page: Any, server: FixtureServer) -> None:
    other = page.context.new_page()
    other.goto(server.address)
    for tab, result in ((page, ENGLISH), (other, RUSSIAN)):
        rewrite(tab, result["source"])
        tab.locator(".num").first.click()
        tab.locator(".prefer").nth(1).click()
    stands = texts(page)
    kept = page.evaluate("JSON.parse(localStorage['rewrite.choices'])")
    assert sorted(kept) == ["simplify/en", "simplify/ru"]
    page.reload()
    page.wait_for_selector(".row")
    assert page.input_value(TEXT) == ENGLISH["source"]
    assert texts(page) == stands
    # A new tab begins with what was used last.
    third = page.context.new_page()
    third.goto(server.address)
    until(third, "document.querySelectorAll('.row').length === 5")
    assert third.input_value(TEXT) == RUSSIAN["source"]


def test_where_storage_is_forbidden_the_page_works(visit: Callable[..., Any], server: FixtureServer) -> None:
    page = visit()
    page.context.add_init_script(FORBIDDEN)
    page.reload()
    until(page, "document.querySelectorAll('#tasks input').length > 1")
    page.locator(TEXT).press_sequentially("A")
    until(page, "document.querySelector('#status').textContent.includes('keeps nothing')")
    server.refusals = [(401, {"message": "no token"})]
    page.fill(TEXT, ENGLISH["source"])
    page.click("#go")
    page.fill("#notice input", "secret")
    page.click("#notice button")
    until(page, "document.querySelectorAll('.row:not(.pending)').length === 2")
    assert server.tokens[-1] == "Bearer secret"
    assert texts(page) == [sentence["text"] for sentence in ENGLISH["sentences"]]


def test_where_storage_is_full_the_text_of_the_tab_stays(page: Any) -> None:
    page.evaluate(
        """() => {
          for (let size = 1 << 20, i = 0; size; size >>= 1)
            try { for (;;) localStorage[`full${i++}`] = "x".repeat(size); } catch { /* full */ }
        }"""
    )
    rewrite(page, ENGLISH["source"])
    stands = texts(page)
    page.wait_for_timeout(400)
    page.reload()
    page.wait_for_selector(".row")
    assert page.input_value(TEXT) == ENGLISH["source"]
    assert texts(page) == stands


def test_a_result_of_an_older_page_does_no_harm(page: Any) -> None:
    page.evaluate(
        """() => new Promise((resolve) => {
          const clearing = indexedDB.deleteDatabase("rewrite");
          clearing.onsuccess = () => {
            const opening = indexedDB.open("rewrite", 1);
            opening.onupgradeneeded = () => opening.result.createObjectStore("runs");
            opening.onsuccess = () => {
              const transaction = opening.result.transaction("runs", "readwrite");
              const [store, old] = [transaction.objectStore("runs"), { id: 7, sentences: [{ served: {} }] }];
              for (const key of ["last", 7]) store.put(old, key);
              transaction.oncomplete = () => (opening.result.close(), resolve());
            };
          };
          sessionStorage["rewrite.hands"] = JSON.stringify({ id: 7, hands: [null] });
        })"""
    )
    page.reload()
    until(page, "document.querySelectorAll('#tasks input').length > 1")
    assert page.locator(".row").count() == 0
    rewrite(page, ENGLISH["source"])
    page.reload()
    until(page, "document.querySelectorAll('.row').length === 2")


def test_words_of_ones_own_stay_until_they_are_used(page: Any) -> None:
    rewrite(page, ENGLISH["source"])
    page.locator(".num").first.click()
    # Another alternative neither unfolds the field nor leaves an older sentence in it.
    page.locator(".take").nth(1).click()
    assert page.locator("details.own[open]").count() == 0
    assert page.input_value(".own textarea") == texts(page)[0]
    page.click(".own summary")
    page.fill(".own textarea", "Much was typed here.")
    page.keyboard.press("Escape")
    page.wait_for_timeout(400)
    page.reload()
    page.wait_for_selector(".row")
    page.locator(".num").first.click()
    assert page.input_value(".own textarea") == "Much was typed here."
    page.click("#edit-text")
    rewrite(page, ENGLISH["source"] + " It is late.")
    page.locator(".num").first.click()
    assert page.input_value(".own textarea") == "Much was typed here."
    page.locator("[data-key=own-use]").click()
    assert texts(page)[0] == "Much was typed here."


def test_the_example_can_be_undone(page: Any) -> None:
    page.locator(TEXT).press_sequentially("Words of my own.")
    page.click("#example")
    page.wait_for_selector("#edit-text:visible")
    page.wait_for_selector("#go:visible")
    page.click("#edit-text")
    page.keyboard.press("Control+z")
    assert page.input_value(TEXT) == "Words of my own."
