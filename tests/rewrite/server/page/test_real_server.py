"""The page of `rewrite serve` itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rerank.weights import PRESETS
from tests.rewrite.server.conftest import Running
from tests.rewrite.server.conftest import started as serving
from tests.rewrite.server.page.conftest import rewrite, texts, until
from tests.rewrite.server.test_document import settled

pytestmark = pytest.mark.browser
TEXT = (
    "Правительство утвердило программу, предусматривающую строительство 15 школ в Москве. Да!\n\n"
    "Кошка, которую нашли дети, живущие в соседнем доме, спала на старом диване."
)


@pytest.fixture(scope="module")
def real() -> Iterator[Running]:
    with serving("--load", "simplify-ru") as running:
        running.wait()
        yield running


def test_the_page_shows_what_the_server_says(real: Running, visit: Any) -> None:
    page = visit(real.url)
    assert page.locator("#tasks input").count() == 3
    rewrite(page, TEXT)
    result = real.rewritten(TEXT)
    assert texts(page) == [sentence["text"] for sentence in result["sentences"]]
    until(page, "document.querySelector('#ease').textContent.includes('→')")
    figures = result["readability"]["text"]
    assert f"→ {figures['words_per_sentence']:.1f}" in page.text_content("#ease")
    # The knob chooses as POST /v1/reweight does.
    tables = [s["table"] for s in result["sentences"] if s["table"]]
    for at in ("0", "10"):
        page.locator("#knob").press({"0": "Home", "10": "End"}[at])
        answer = real.post("/v1/reweight", tables=tables, task="simplify", lang="ru", control=float(at)).json()
        rows = [choice["choice"] for choice in answer["choices"]]
        chosen = [
            t["source"] if row is None else t["candidates"][row]["text"] for t, row in zip(tables, rows, strict=True)
        ]
        assert [text for text in texts(page) if text != "Да!"] == chosen
    # Protected words count for what is put together by hand.
    page.click("#edit-text")
    page.click("#more > summary")
    page.fill("#keep", "кошка")
    page.click("#edit-text")
    page.locator(".num").nth(2).click()
    page.click(".own summary")
    page.fill(".own textarea", "Дети спали на старом диване.")
    page.locator("[data-key=own-use]").click()
    page.wait_for_selector(".flag.bad")
    assert "which is to be kept" in page.inner_text(".flag.bad")


def test_the_word_file_is_the_page_accepted_and_the_source_rejected(real: Running, visit: Any) -> None:
    page = visit(real.url)
    rewrite(page, f"😀\n{TEXT}\n\tПоследнее предложение здесь.\n")
    page.locator("[data-edit]").first.click()
    for number, words in ((3, "Кошка спала.\nНа диване."), (4, "Всё.")):
        page.locator(".num").nth(number).click()
        page.click(".own summary")
        page.fill(".own textarea", words)
        page.locator("[data-key=own-use]").click()
    files = {}
    for kind in ("txt", "docx"):
        page.click("#download > summary")
        with page.expect_download() as download:
            page.click(f"[data-as={kind}]")
        assert download.value.suggested_filename == f"rewrite.{kind}"
        files[kind] = Path(download.value.path()).read_bytes()
    stands = files["txt"].decode().removesuffix("\n")
    assert "Кошка спала. На диване.\n\tВсё.\n" in stands
    assert settled(files["docx"], taken=True) == stands.split("\n")
    assert settled(files["docx"], taken=False) == page.input_value("#text").split("\n")


def test_preferences_teach_weights(real: Running, visit: Any) -> None:
    page = visit(real.url)
    words = ("школ", "домов", "дорог", "мостов", "больниц", "заводов", "вокзалов", "стадионов", "парков", "портов")
    rewrite(page, " ".join(TEXT.split(" Да!")[0].replace("школ", word) for word in words))
    page.click("#weights > summary")
    for i in range(len(words)):
        page.locator(".num").nth(i).click()
        page.locator(".prefer").nth(1).click()
    page.click("#learn")
    page.wait_for_selector("#learnt table")
    assert page.locator("#learnt tr").count() > 5
    page.click("#learnt button")
    assert page.inner_text("#knob-value") == "Preset: own weights"
    assert {*PRESETS["balanced"], "simplicity"} >= set(
        page.evaluate("[...document.querySelectorAll('#sliders input')].map((i) => i.id.slice(2))")
    )
