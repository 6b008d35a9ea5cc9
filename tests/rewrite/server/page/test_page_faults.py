"""What goes wrong, and what holds for all: lost connections, hostile text, keyboard, screen readers, phones, speed."""

from __future__ import annotations

import os
import re
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from tests.rewrite.server.page.conftest import TEXT, rewrite, texts, until, wordy
from tests.rewrite.server.page.fixture_server import RECORDED, WEB, FixtureServer

pytestmark = pytest.mark.browser
RUSSIAN, ENGLISH = RECORDED["ru"], RECORDED["en"]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
HOSTILE = (
    '<img src=x onerror="window.hacked=1"> The <script>window.hacked=2</script> works &amp; $& {name} "quote" end.'
)


def test_a_long_text_comes_in_with_progress_and_can_be_cancelled_and_gone_on_with(
    page: Any, server: FixtureServer
) -> None:
    server.delay = 0.1
    page.fill(TEXT, wordy(30))
    button = page.locator("#go").bounding_box()
    page.click("#go")
    until(page, "document.querySelectorAll('.row:not(.pending)').length >= 2")
    # The second click of a double one does not cancel what the first has started.
    assert page.locator("#cancel").bounding_box()["x"] >= button["x"] + button["width"]
    assert page.evaluate("document.querySelector('#progress').max") == 30
    assert re.fullmatch(r"\d+ of 30", page.inner_text("#status"))
    # What is there can be used while the rest comes.
    page.locator(".num").first.click()
    assert page.locator(".take").count() > 1
    page.click("#cancel")
    page.wait_for_selector("#notice:visible")
    assert "Cancelled" in page.inner_text("#notice")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    box = page.locator("#notice").bounding_box()
    assert 0 <= box["y"] <= 900 - box["height"]
    done = page.locator(".row:not(.pending)").count()
    assert 2 <= done < 30
    time.sleep(0.5)
    assert server.gone == 1
    server.delay = 0
    page.get_by_role("button", name="Go on").click()
    until(page, "!document.querySelector('.row.pending')")
    asked = server.requests[-1][1] if server.requests[-1][0] == "/v1/rewrite" else server.requests[-2][1]
    assert len(asked["texts"]) == 30 - done


def test_a_lost_connection_says_so_and_goes_on_where_it_was(page: Any, server: FixtureServer) -> None:
    server.cut_after = 2
    page.fill(TEXT, RUSSIAN["source"])
    page.click("#go")
    page.wait_for_selector("#notice:visible")
    assert "connection is lost" in page.inner_text("#notice")
    assert "Sentences left: 3." in page.inner_text("#notice")
    assert texts(page)[:2] == [sentence["text"] for sentence in RUSSIAN["sentences"][:2]]
    # What came can be weighed already.
    assert page.is_enabled("#knob")
    server.cut_after = None
    page.get_by_role("button", name="Go on").click()
    until(page, "!document.querySelector('.row.pending')")
    assert texts(page) == [sentence["text"] for sentence in RUSSIAN["sentences"]]
    rewrites = [body for path, body in server.requests if path == "/v1/rewrite"]
    assert rewrites[1]["texts"] == [sentence["source"] for sentence in RUSSIAN["sentences"][2:]]
    assert rewrites[1]["lang"] == "ru"
    assert page.is_hidden("#notice")


def test_no_server_is_said_and_the_text_stays(visit: Any, server: FixtureServer) -> None:
    page = visit()
    page.context.set_offline(True)
    page.fill(TEXT, ENGLISH["source"])
    page.click("#go")
    page.wait_for_selector("#notice:visible")
    assert "does not answer" in page.inner_text("#notice")
    assert page.input_value(TEXT) == ENGLISH["source"]
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    until(page, "document.querySelectorAll('.row:not(.pending)').length === 2")


def test_hostile_text_is_text_everywhere(page: Any, server: FixtureServer) -> None:
    page.click("#more > summary")
    page.fill("#keep", HOSTILE)
    rewrite(page, HOSTILE)
    page.locator(".num").first.click()
    page.click(".own summary")
    page.fill(".own textarea", HOSTILE + HOSTILE)
    page.locator("[data-key=own-use]").click()
    page.locator(".take").first.click()
    page.locator(".prefer").first.click()
    page.click("#weights > summary")
    page.fill("#preset-name", HOSTILE[:60])
    page.click("#preset-save")
    server.refusals = [(422, {"message": HOSTILE, "hint": HOSTILE, "known": [HOSTILE]})]
    page.click("#go")
    page.wait_for_selector("#notice:visible")
    page.reload()
    page.wait_for_selector(".row")
    assert page.evaluate("[window.hacked, document.querySelectorAll('main img, main script').length]") == [None, 0]
    assert HOSTILE.split(". ")[0] in " ".join(page.locator(".src").all_text_contents())


def test_the_sources_put_no_text_in_as_html_and_ask_no_other_host() -> None:
    for path in WEB.iterdir():
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", source), (
            path
        )
        assert not re.search(r"(?:https?:)?//(?!www\.w3\.org/)[\w-]+\.\w", source), path
        assert len(source.splitlines()) <= 400, path
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in WEB.iterdir()) <= 1800


def test_all_is_done_by_keyboard(page: Any, server: FixtureServer) -> None:
    press = page.keyboard.press

    def tab_to(selector: str, key: str = "Tab") -> None:
        for _ in range(60):
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            press(key)
        raise AssertionError(f"Tab does not reach {selector}")

    tab_to(TEXT)
    page.keyboard.insert_text(ENGLISH["source"])
    press("Control+Enter")
    until(page, "document.querySelectorAll('.row:not(.pending)').length === 2")
    tab_to("#knob")
    press("End")
    assert "10.0" in page.inner_text("#knob-value")
    tab_to(".num")
    press("ArrowDown")
    press("Enter")
    assert page.locator(".row").nth(1).locator(".panel").is_visible()
    tab_to("[data-key^=take]")
    press("Tab")
    press("Tab")
    press("Enter")
    assert page.evaluate("document.activeElement.dataset.key").startswith("take-")
    taken = texts(page)[1]
    assert page.locator(".row").nth(1).locator(".flag.hand").is_visible()
    tab_to(".point")
    press("Home")
    first = page.evaluate("document.activeElement.dataset.key")
    press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.key") != first
    press("Home")
    press("Enter")
    assert page.evaluate("document.activeElement.dataset.key") == first
    press("Escape")
    assert page.locator(".panel").count() == 0
    assert page.evaluate("document.activeElement.matches('.num')")
    tab_to("[data-edit]")
    before = texts(page)[1]
    press("Space")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "false"
    assert texts(page)[1] not in (before, taken)
    press("Space")
    assert texts(page)[1] == before


def test_the_focus_stays_where_something_has_gone(page: Any, server: FixtureServer) -> None:
    focused = "document.activeElement.id || document.activeElement.dataset.key || document.activeElement.tagName"

    def act(selector: str, to: str, key: str = "Enter") -> None:
        page.locator(selector).focus()
        page.keyboard.press(key)
        until(page, f"({focused}) === '{to}'")

    page.locator("#tasks input[value=simplify]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "split"
    page.keyboard.press("ArrowLeft")
    rewrite(page, ENGLISH["source"])
    page.locator(".num").first.click()
    page.locator(".prefer").nth(1).click()
    act("[data-key=auto]", "close")
    page.click("#weights > summary")
    page.fill("#preset-name", "mine")
    page.click("#preset-save")
    act("#preset-remove", "preset")
    act("#forget", "SUMMARY")
    page.click("#download > summary")
    act("[data-as=md]", "SUMMARY", "Escape")
    server.refusals = [(422, {"message": "no"})]
    page.click("#go")
    page.wait_for_selector("#notice:visible")
    act("#notice button", "go")
    server.cut_after, server.delay = 1, 0.2
    page.keyboard.press("Enter")
    page.wait_for_selector("#progress:visible")
    page.wait_for_selector("#notice:visible")
    act("#notice button >> nth=0", "progress")


def test_progress_is_seen_and_only_what_matters_is_spoken(page: Any, server: FixtureServer) -> None:
    page.evaluate(
        """() => {
          const spoken = (window.spoken = []);
          new MutationObserver((changes) => {
            const live = new Set(changes.map(({ target }) => target.closest("[role=status], output")));
            live.forEach((region) => region && region.ariaLive !== "off" && spoken.push(region.textContent));
          }).observe(document.body, { childList: true, subtree: true, characterData: true });
        }"""
    )
    server.delay = 0.01
    rewrite(page, wordy(20))
    assert page.evaluate("window.spoken") == ["Sentences changed: 20 of 20"]
    page.locator("#knob").press("End")
    assert not [said for said in page.evaluate("window.spoken") if "10.0" in said]
    # Why the guard would not let words pass is beside the sentence, and spoken.
    page.locator(".num").first.click()
    page.click(".own summary")
    page.fill(".own textarea", "The bridge was closed.")
    page.locator("[data-key=own-use]").click()
    page.wait_for_selector(".flag.bad")
    assert "The guard would not let this pass" in page.evaluate("window.spoken.at(-1)")


def test_everything_that_takes_the_focus_has_a_role_and_a_name(page: Any) -> None:
    rewrite(page, RUSSIAN["source"])
    page.locator(".num").first.click()
    page.click("#weights > summary")
    page.locator(".row").nth(1).locator("[data-edit]").first.click()
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
        and any(p["name"] == "focusable" and p["value"]["value"] for p in node.get("properties", []))
    ]
    assert len(named) > 60
    bare = [(role, name) for role, name in named if not name.strip() and role not in ("RootWebArea", "scrollable")]
    assert bare == []
    assert {role for role, _ in named} >= {"button", "slider", "option", "radio", "combobox"}
    # Words that an alternative takes away are no part of its name.
    candidates = [c["text"] for c in RUSSIAN["sentences"][0]["table"]["candidates"] if not c["blocked"]]
    assert sorted(
        page.locator(".take").evaluate_all("all => all.map((e) => e.ariaLabel.split('; score ')[0])")
    ) == sorted([*candidates, "As in the source"])
    tree = page.locator("body").aria_snapshot()
    for part in (
        "- banner", "- main", '- heading "Rewrite" [level=1]', '- region "Your text"', '- list "Sentences"',
        'region "Sentence 1: alternatives"', '- listbox "Meaning and simplicity of the alternatives"', "- status",
        '- radiogroup "Task"', '- slider "From closer to the source to simpler"', "[pressed]", "[expanded]",
    ):  # fmt: skip
        assert part in tree, part


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(visit: Any, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    rewrite(page, RUSSIAN["source"])
    page.locator(".num").first.click()
    page.click("#weights > summary")
    faint = page.evaluate(
        """() => {
          const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const luminance = (colors) => {
            colors.forEach((color) => ((canvas.fillStyle = color), canvas.fillRect(0, 0, 1, 1)));
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
              .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const behind = (el) => (el ? [...behind(el.parentElement), getComputedStyle(el).backgroundColor] : []);
          const faint = new Set();
          for (const el of document.querySelectorAll("main *, header *")) {
            const hasText = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            const isExempt = el.closest(":disabled, :has(> :disabled), .idle, svg, .hidden");
            if (!hasText || !el.checkVisibility() || isExempt) continue;
            const back = behind(el);
            const [a, b] = [luminance(back), luminance([...back, getComputedStyle(el).color])].sort((x, y) => y - x);
            const contrast = (a + 0.05) / (b + 0.05);
            if (contrast < 4.5) faint.add(`${el.tagName}.${el.className} ${contrast.toFixed(2)}`);
          }
          return [...faint];
        }"""
    )
    assert faint == []


def test_a_phone_of_360_pixels_needs_no_sideways_scrolling(visit: Any) -> None:
    for locale, result in (("ru-RU", RUSSIAN), ("en-US", ENGLISH)):
        page = visit(locale=locale, **PHONE)
        wide = "document.documentElement.scrollWidth"
        assert page.evaluate(wide) <= 360
        rewrite(page, result["source"])
        assert page.evaluate(wide) <= 360
        page.locator(".num").first.tap()
        page.locator("#weights > summary").tap()
        page.locator("#download > summary").tap()
        page.locator("[data-edit]").first.tap()
        page.wait_for_timeout(700)
        assert page.evaluate(wide) <= 360
        # Rows cut off what is too wide for them, so nothing may be.
        cut = "[...document.querySelectorAll('main *')].filter((el) => el.getBoundingClientRect().right > 360)"
        assert page.evaluate(f"{cut}.map((el) => `${{el.tagName}}.${{el.className}}#${{el.id}}`)") == []
        menu = page.locator("#download > div").bounding_box()
        assert menu["x"] >= 0
        assert menu["x"] + menu["width"] <= 360
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate(wide) <= 320
        assert page.evaluate(f"{cut.replace('360', '320')}.filter((el) => el.checkVisibility()).length") == 0


def test_a_slider_moves_a_page_of_200_sentences_in_50_ms(page: Any, server: FixtureServer, capsys: Any) -> None:
    server.candidates = 30
    rewrite(page, wordy(200))
    assert page.locator(".row").count() == 200
    page.locator(".num").nth(1).click()
    assert page.locator(".alts li").count() == 31
    page.click("#weights > summary")
    moves = """async (watched) => {
      const shown = () => watched && [...document.querySelectorAll(".out")].map((out) => out.outerHTML);
      const times = [], moved = [];
      let before = shown();
      for (let move = 0; move < 24; move++) {
        const input = document.querySelector(["#knob", "#w-length", "#w-similarity"][move % 3]);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const start = performance.now();
        input.value = ((move * 7) % 15) + 0.5;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        document.body.getBoundingClientRect(); // styles and layout are part of the update
        times.push(performance.now() - start);
        const after = shown();
        if (watched) moved.push(after.filter((text, i) => text !== before[i]).length);
        before = after;
      }
      return [times, moved];
    }"""
    _, moved = page.evaluate(moves, True)
    # Others use the machine, too: of three rounds the best one says what the page needs.
    times = min((page.evaluate(moves, False)[0] for _ in range(3)), key=statistics.median)
    middle, worst = statistics.median(times), max(times)
    with capsys.disabled():
        print(f"\nslider: median {middle:.1f} ms, worst {worst:.1f} ms; {min(moved)} to {max(moved)} sentences change")
    assert max(moved) > 50
    if middle >= 50 and os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip("others keep the machine busy: no time can be told")
    assert middle < 50


def test_the_page_paints_within_a_second_without_any_model(visit: Any, server: FixtureServer) -> None:
    page = visit()
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert painted < 1000
    assert [path for path, _ in server.requests] == []


def test_screenshots_of_the_three_states(visit: Any, pictures: Path) -> None:
    wide = {"viewport": {"width": 1280, "height": 900}}
    for name, options, result in (
        ("light", {"color_scheme": "light", "locale": "ru-RU", **wide}, RUSSIAN),
        ("dark", {"color_scheme": "dark", **wide}, ENGLISH),
        ("phone", {"color_scheme": "light", "locale": "ru-RU", **PHONE}, RUSSIAN),
        ("phone-dark", {"color_scheme": "dark", **PHONE}, ENGLISH),
    ):
        page = visit(**options)
        page.screenshot(path=pictures / f"{name}-1-empty.png")
        rewrite(page, result["source"])
        page.wait_for_timeout(700)
        page.screenshot(path=pictures / f"{name}-2-rewritten.png")
        page.locator("[data-edit]").nth(1).click()
        page.locator(".num").first.click()
        # What is out of sight is not drawn, so all of it is brought into sight.
        page.set_viewport_size({**options["viewport"], "height": 2600 if "phone" in name else 1400})
        page.wait_for_timeout(300)
        page.screenshot(path=pictures / f"{name}-3-sentence.png")
    assert len(list(pictures.glob("*.png"))) >= 12
