"""The page of changes: everything that was said is on it, nothing is markup that was not, and a browser shows it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from rewrite.documents.changes_page import changes_page
from rewrite.documents.marks import carried
from rewrite.documents.revision import Revision
from rewrite.documents.segments import Segment
from tests.rewrite.server.page.conftest import browser  # noqa: F401

BEFORE = "Банк осуществляет выдачу <b>кредитов</b>."
AFTER = "Банк выдаёт <b>большие</b> кредиты & «займы»."
SHORT = "Да & нет."
SEGMENTS = [
    Segment(f"{BEFORE}  {SHORT}", language="ru"),
    Segment("This stands as it was."),
    Segment(""),
    Segment("<script>alert(1)</script>"),
]


def revisions() -> list[list[Revision]]:
    changes = carried(SEGMENTS[0], 0, len(BEFORE), AFTER, language="ru")
    assert changes
    runner_up = "Банк даёт <кредиты>."
    end = len(SEGMENTS[0].text)
    return [
        [
            Revision(0, len(BEFORE), "changed", "", changes, 0.734, runner_up),
            Revision(len(BEFORE) + 2, end, "passed", "fewer than 4 words"),
        ],
        [Revision(0, 22, "left", "no rewrite is better")],
        [],
        [Revision(0, len(SEGMENTS[3].text), "failed", 'the model "x" <died>')],
    ]


def page(ui: Any = "en", **options: Any) -> str:
    return changes_page("a </title><b>.docx", SEGMENTS, revisions(), ui=ui, **options)


def tree(source: str) -> Any:
    return pytest.importorskip("lxml.html", reason="lxml is not installed: pip install lxml").fromstring(source)


def shown(source: str, without: Sequence[str]) -> list[str]:
    """The text of each block without these elements, numbers of reasons and what is folded."""
    blocks = tree(source).xpath("//div[@class='block']")
    for block in blocks:
        for gone in block.xpath(
            " | ".join((".//a", ".//div", ".//span[@class='hidden']", *(f".//{x}" for x in without)))
        ):
            gone.drop_tree()
    return [block.text_content() for block in blocks]


def test_without_what_came_it_is_the_source_and_without_what_went_the_new_text() -> None:
    assert shown(page(), ["ins"]) == [segment.text for segment in SEGMENTS]
    assert shown(page(), ["del"]) == [f"{AFTER}  {SHORT}", *(segment.text for segment in SEGMENTS[1:])]


def test_each_change_says_its_new_text_its_score_and_the_runner_up() -> None:
    (why,) = tree(page()).xpath("//details/div")
    assert [item.text_content() for item in why.iter("dt", "dd")] == [
        "New text", AFTER, "Score", "0.73", "Runner-up", "Банк даёт <кредиты>.",
    ]  # fmt: skip


def test_what_was_not_changed_has_the_number_of_its_reason() -> None:
    reasons = {item.get("id"): item.text_content() for item in tree(page()).iter("li")}
    assert set(reasons.values()) == {
        "passed over (fewer than 4 words): 1",
        "left as it was (no rewrite is better): 1",
        'failed (the model "x" <died>): 1',
    }
    links = tree(page()).xpath("//span[starts-with(@class, 'same')]/a")
    assert [reasons[link.get("href")[1:]] for link in links] == [f"{link.get('title')}: 1" for link in links]
    assert "Changed 1 of 4 sentences" in page()


def test_it_speaks_russian() -> None:
    russian = page("ru")
    for words in (
        "Изменено предложений: 1 из 4",
        "пропущено (меньше 4 слов): 1",
        "оставлено как было (лучшего варианта нет): 1",
        "[удалено: ",
        "Второй вариант",
    ):
        assert words in russian
    assert '<html lang="ru">' in russian


def test_languages_are_told_to_screen_readers() -> None:
    of_blocks = [block.get("lang") for block in tree(page(language="en")).xpath("//div[@class='block']")]
    assert of_blocks == ["ru", "en", "en", "en"]
    assert tree(page()).xpath("//div[@class='block']")[1].get("lang") is None


def test_nothing_of_the_text_is_markup_and_no_script_may_run() -> None:
    source = page()
    assert not tree(source).xpath("//script | //b | //@style | //@onclick | //link | //img")
    (style,) = re.findall("<style>(.*?)</style>", source, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in source


def test_a_document_without_sentences_is_a_page() -> None:
    assert "Changed 0 of 0 sentences" in changes_page("empty", [], [])


@pytest.mark.browser
def test_a_browser_shows_it_in_light_dark_print_and_on_a_phone(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "page.html").write_text(page("ru"), encoding="utf-8")
    colours = {}
    for scheme, width in (("light", 1200), ("dark", 375)):
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 700})
        opened = context.new_page()
        messages: list[str] = []
        opened.on("console", lambda message, messages=messages: messages.append(message.text))
        opened.goto((tmp_path / "page.html").as_uri())
        assert not opened.locator(".why").is_visible()
        opened.locator("summary").focus()
        opened.keyboard.press("Enter")
        assert opened.locator(".why").is_visible()
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        colours[scheme] = opened.evaluate("getComputedStyle(document.querySelector('ins')).backgroundColor")
        opened.emulate_media(media="print")
        assert opened.locator("ins").first.is_visible()
        context.close()
        assert messages == []
    assert colours["light"] == "rgb(223, 243, 229)"
    assert colours["dark"] == "rgb(29, 58, 42)"
