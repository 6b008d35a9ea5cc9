"""What an editor does on the page: paste, slide, reject an edit, take an alternative, prefer, save, come back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rerank.weights import ENGLISH_PRESETS, PRESETS, load_preset
from tests.rewrite.server.page.conftest import TEXT, rewrite, texts, until, wordy
from tests.rewrite.server.page.fixture_server import RECORDED, FixtureServer

pytestmark = pytest.mark.browser
RUSSIAN, ENGLISH = RECORDED["ru"], RECORDED["en"]


def chosen(result: dict[str, Any], weights: dict[str, float]) -> list[str]:
    """What stands under weights, as Python chooses."""
    from rerank.select import select
    from rerank.weights import Weights
    from tests.rewrite.server.page.recorded_tables import score_table

    stands = []
    for sentence in result["sentences"]:
        table = score_table(sentence["table"])
        index = select(table, Weights(weights), threshold=sentence["table"]["threshold"]).index
        stands.append(sentence["source"] if index is None else table.candidates[index].text)
    return stands


def slide(page: Any, selector: str, value: float) -> None:
    page.locator(selector).evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def saved(page: Any, act: Callable[[], Any]) -> str:
    with page.expect_download() as download:
        act()
    return Path(download.value.path()).read_text(encoding="utf-8")


def test_pasted_text_is_rewritten_sentence_by_sentence(page: Any, server: FixtureServer) -> None:
    page.click("#more > summary")
    page.fill("#keep", "Росстат, форс-мажор\n форс-мажор;\n")
    rewrite(page, RUSSIAN["source"])
    assert texts(page) == [sentence["text"] for sentence in RUSSIAN["sentences"]]
    asked = server.requests[0][1]
    assert asked["text"] == RUSSIAN["source"]
    assert asked["stream"] is True
    assert asked["options"] == {"keep": ["Росстат", "форс-мажор"]}
    # Edits are coloured, and told without colour.
    first = page.locator(".row").first
    assert first.locator("del").first.inner_text().strip() in RUSSIAN["source"]
    assert "replaced by" in first.locator("[data-edit]").first.get_attribute("aria-label")
    # The new paragraph of the text is one of the rewrite.
    assert page.locator(".row.para").count() == 1
    until(page, "document.querySelector('#ease').textContent.includes('→')")
    assert "Sentences changed: 4 of 5" in page.inner_text("#status")


def test_the_knob_and_the_sliders_choose_without_a_request(page: Any, server: FixtureServer) -> None:
    rewrite(page, RUSSIAN["source"])
    page.wait_for_timeout(600)  # readability is asked for once things are quiet
    before = len(server.requests)
    seen = set()
    for at, preset in ((0, "accurate"), (10, "simple"), (5, "balanced")):
        slide(page, "#knob", at)
        assert texts(page) == chosen(RUSSIAN, dict(PRESETS[preset]))
        seen.add(tuple(texts(page)))
    assert len(seen) > 1
    page.click("#weights > summary")
    slide(page, "#w-length", 0)
    slide(page, "#w-similarity", 9.5)
    weights = {**PRESETS["balanced"], "length": 0.0, "similarity": 9.5}
    assert texts(page) == chosen(RUSSIAN, weights)
    assert {path for path, _ in server.requests[before:]} <= {"/v1/readability"}
    page.select_option("#preset", "saccurate")
    assert texts(page) == chosen(RUSSIAN, dict(PRESETS["accurate"]))
    page.select_option("#preset", "-")
    assert texts(page) == [sentence["text"] for sentence in RUSSIAN["sentences"]]


def test_an_edit_is_rejected_taken_again_and_checked(page: Any, server: FixtureServer) -> None:
    rewrite(page, ENGLISH["source"])
    row = page.locator(".row").nth(1)
    edit = row.locator("[data-edit]").first
    whole = texts(page)[1]
    edit.click()
    until(page, "document.querySelectorAll('.flag')[0]?.textContent === 'yours'")
    assert edit.get_attribute("aria-pressed") == "false"
    asked = next(body for path, body in server.requests if path == "/v1/score")
    assert asked["candidates"] == [texts(page)[1]]
    assert asked["source"] == ENGLISH["sentences"][1]["source"]
    assert texts(page)[1] not in (whole, asked["source"])
    # What is put together by hand stays, whatever the weights say.
    slide(page, "#knob", 10)
    assert texts(page)[1] == asked["candidates"][0]
    edit.click()
    assert row.locator(".flag").count() == 0
    # What a preset does not name keeps the weight that the server gave it.
    assert texts(page) == chosen(ENGLISH, {**ENGLISH["weights"], **ENGLISH_PRESETS["simple"]})


def test_the_guard_says_why_words_of_ones_own_would_not_pass(page: Any) -> None:
    rewrite(page, ENGLISH["source"])
    page.locator(".num").first.click()
    page.click(".own summary")
    page.fill(".own textarea", "The committee was <b>dissolved</b>.")
    page.locator("[data-key=own-use]").click()
    page.wait_for_selector(".flag.bad")
    assert "2004 is dropped" in page.inner_text(".flag.bad")
    assert texts(page)[0] == "The committee was <b>dissolved</b>."
    page.locator("[data-key=auto]").click()
    assert texts(page)[0] == ENGLISH["sentences"][0]["text"]


def test_a_sentence_unfolds_into_alternatives_reasons_and_what_was_blocked(page: Any) -> None:
    rewrite(page, RUSSIAN["source"])
    page.locator(".row").first.locator(".out").click(position={"x": 3, "y": 3})
    panel = page.locator(".panel")
    table = RUSSIAN["sentences"][0]["table"]
    stopped = [c for c in table["candidates"] if c["blocked"]]
    assert panel.locator(".alts li").count() == len(table["candidates"]) - len(stopped) + 1
    assert panel.locator(".why li").count() >= 1
    panel.locator(".blocked summary").click()
    assert "the number 13 is not in the source" in panel.locator(".blocked").inner_text()
    assert panel.locator(".point").count() == len(table["candidates"]) + 1
    # Pointing at an alternative shows its components, a click takes it.
    second = panel.locator(".take").nth(1)
    second.hover()
    assert second.locator(".alt").inner_text()[:10] in panel.locator("caption").inner_text()
    second.click()
    assert panel.locator(".take").nth(1).get_attribute("aria-pressed") == "true"
    assert "You chose it." in panel.locator(".why").inner_text()
    taken = texts(page)[0]
    assert taken in [c["text"] for c in table["candidates"]]
    assert taken != RUSSIAN["sentences"][0]["text"]


def test_a_point_of_the_plot_is_taken_and_a_blocked_one_is_not(page: Any) -> None:
    rewrite(page, RUSSIAN["source"])
    page.locator(".num").first.click()
    stopped = page.locator(".point.no").first
    before = texts(page)[0]
    stopped.dispatch_event("click")
    assert texts(page)[0] == before
    free = page.locator(".point.front:not(.chosen):not(.source)").first
    wanted = int(free.get_attribute("data-key").removeprefix("point-"))
    free.dispatch_event("click")
    assert texts(page)[0] == RUSSIAN["sentences"][0]["table"]["candidates"][wanted]["text"]


def test_ten_preferences_teach_weights_that_are_kept_and_downloaded(
    page: Any, server: FixtureServer, tmp_path: Path
) -> None:
    rewrite(page, wordy(11))
    page.click("#weights > summary")
    assert page.locator("#learn").is_disabled()
    for i in range(10):
        page.locator(".num").nth(i).click()
        page.locator(".prefer").nth(1).click()
        assert page.locator(".alts .prefer[aria-pressed=true]").count() == 1
    page.click("#learn")
    page.wait_for_selector("#learnt table")
    asked = next(body for path, body in server.requests if path == "/v1/preferences")
    assert len(asked["choices"]) == 10
    assert all(choice["over"] and choice["preferred"] not in choice["over"] for choice in asked["choices"])
    assert "9 of your 10 choices (before: 4)" in page.inner_text("#learnt")
    page.click("#learnt button")
    assert page.inner_text("label[for=w-length] ~ output") == "9.25"
    page.fill("#preset-name", "mine: ours")
    page.click("#preset-save")
    assert page.input_value("#preset") == "omine: ours"
    file = saved(page, lambda: page.click("#preset-download"))
    page.reload()
    until(page, "document.querySelector('#preset').value === 'omine: ours'")
    (tmp_path / "mine.yaml").write_text(file, encoding="utf-8")
    name, weights = load_preset(tmp_path / "mine.yaml")
    assert (name, weights["length"]) == ("mine: ours", 9.25)


def test_nothing_is_lost_on_reload(page: Any) -> None:
    page.click("#more > summary")
    page.fill("#keep", "works")
    rewrite(page, ENGLISH["source"])
    page.locator(".row").nth(1).locator("[data-edit]").first.click()
    stands = texts(page)
    page.reload()
    page.wait_for_selector(".row")
    assert texts(page) == stands
    page.click("#edit-text")
    page.fill(TEXT, "A text that nobody has sent.")
    page.reload()
    page.wait_for_selector(f"{TEXT}:visible")
    assert page.input_value(TEXT) == "A text that nobody has sent."
    assert page.input_value("#keep") == "works"


def test_what_was_chosen_by_hand_is_kept_when_the_text_is_rewritten_again(page: Any) -> None:
    rewrite(page, ENGLISH["source"])
    page.locator(".num").first.click()
    page.locator(".take").nth(2).click()
    taken = texts(page)[0]
    page.click("#edit-text")
    # What has been rewritten stands beside the text that is edited.
    assert page.locator(".row").first.bounding_box()["y"] < page.locator(TEXT).bounding_box()["y"] + 300
    assert page.inner_text("#edit-text") == "Back to the sentences"
    rewrite(page, ENGLISH["source"] + " It is late.")
    assert texts(page)[0] == taken
    assert len(texts(page)) == 3


def test_downloads_hold_the_text_as_it_stands(page: Any) -> None:
    rewrite(page, ENGLISH["source"])
    page.locator(".row").nth(1).locator("[data-edit]").first.click()
    stands = texts(page)
    files = {}
    for kind in ("txt", "md", "jsonl"):
        page.click("#download > summary")
        files[kind] = saved(page, lambda kind=kind: page.click(f"[data-as={kind}]"))
    assert files["txt"] == " ".join(stands) + "\n"
    assert files["md"].startswith(" ".join(stands) + "\n\n## Changes\n\n- ")
    assert "~~requested~~ **asked**" in files["md"]
    rows = [json.loads(line) for line in files["jsonl"].splitlines()]
    assert [row["text"] for row in rows] == stands
    assert [row["chosen"] for row in rows] == ["weights", "hand"]
    assert rows[0]["components"].keys() == rows[0]["weights"].keys()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#copy")
    assert page.evaluate("navigator.clipboard.readText()") == " ".join(stands)
    page.evaluate("navigator.clipboard.writeText('')")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')); }")
    page.click("#copy")
    assert page.evaluate("navigator.clipboard.readText()") == " ".join(stands)
    assert page.evaluate("document.activeElement.id") == "copy"


def test_what_the_server_says_of_a_word_file_is_told_and_it_can_be_asked_again(
    visit: Any, server: FixtureServer
) -> None:
    page = visit(locale="ru-RU")
    rewrite(page, ENGLISH["source"])
    page.locator(".row").nth(1).locator("[data-edit]").first.click()
    page.wait_for_timeout(600)  # readability is asked for once things are quiet
    server.refusals = [(413, {"message": "The text has 9 characters.", "type": "TooMuch"}), (429, {"message": "later"})]
    for told in ("Текст слишком велик для этого сервера.\n\nThe text has 9 characters.", "Попробуйте через 7 с."):
        page.click("#download > summary")
        page.get_by_role("button", name="Word с правками (.docx)").click()
        page.wait_for_selector("#notice:visible")
        assert told in page.inner_text("#notice")
    # The server of these tests sends what it was asked.
    sent = json.loads(saved(page, lambda: page.get_by_role("button", name="Ещё раз").click()))
    assert not page.is_visible("#notice")
    assert sent["text"] == ENGLISH["source"]
    stands = sent["text"]
    for edit in reversed(sent["edits"]):
        stands = stands[: edit["start"]] + edit["replacement"] + stands[edit["end"] :]
    assert stands == " ".join(texts(page))


def test_the_interface_speaks_the_browsers_language_and_remembers_another(visit: Any) -> None:
    page = visit(locale="ru-RU")
    assert page.inner_text("#go") == "Переписать"
    rewrite(page, RUSSIAN["source"])
    page.locator(".num").first.click()
    page.locator(".blocked summary").click()
    assert "в исходном нет: 13" in page.inner_text(".blocked")
    page.locator("#ui input[value=en]").check(force=True)
    assert page.inner_text("#h-source") == "Your text"
    page.reload()
    until(page, "document.documentElement.lang === 'en'")


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (422, {"message": "Unknown weight 'x'.", "hint": "Known: length, <b>.", "known": []}, "Known: length, <b>."),
        (422, {"message": "Unknown option 'x'.", "hint": "", "known": ["n", "seed"]}, "n, seed"),
        (413, {"message": "The text is too long."}, "The text is too long."),
        (429, {"message": ""}, "Try again in 7 s."),
        (503, {"message": "No model.", "hint": 'pip install "rewrite-rerank[lm]"'}, 'pip install "rewrite-rerank[lm]"'),
        (500, {}, "Something went wrong (500)."),
    ],
)
def test_refusals_say_what_to_do(page: Any, server: FixtureServer, status: int, error: Any, said: str) -> None:
    server.refusals = [(status, error)]
    page.fill(TEXT, "A text.")
    page.click("#go")
    page.wait_for_selector("#notice:visible")
    assert said in page.inner_text("#notice")
    assert page.is_enabled("#go")


def test_a_token_is_asked_for_and_sent(page: Any, server: FixtureServer) -> None:
    server.refusals = [(401, {"message": "no token"})]
    page.fill(TEXT, ENGLISH["source"])
    page.click("#go")
    page.fill("#notice input", "secret")
    page.click("#notice button")
    until(page, "document.querySelectorAll('.row:not(.pending)').length === 2")
    assert server.tokens[-1] == "Bearer secret"
    assert "secret" not in page.evaluate("JSON.stringify(localStorage)")


def test_options_are_those_that_the_task_declares(page: Any, server: FixtureServer) -> None:
    page.click("#more > summary")
    page.get_by_label("Candidates a sentence").fill("12")
    page.get_by_label("Keep every number").check()
    rewrite(page, ENGLISH["source"])
    assert server.requests[0][1]["options"] == {"n": 12, "strict": True}
    page.locator("#tasks input[value=compress]").check(force=True)
    assert "rewrite-rerank[lm]" in page.locator("#tasks label:has([value=split])").get_attribute("title")
    page.click("#edit-text")
    page.get_by_label("Share of words to keep").fill("0.4")
    rewrite(page, ENGLISH["source"])
    asked = [body for path, body in server.requests if path == "/v1/rewrite"][-1]
    assert (asked["task"], asked["options"]) == ("compress", {"ratio": 0.4})


def test_every_message_is_there_in_both_languages() -> None:
    from tests.rewrite.server.page.fixture_server import WEB

    messages = (WEB / "messages.js").read_text(encoding="utf-8")
    known = set(re.findall(r'(?:^|[ {])"?([\w.]+)"?: \[\s*"', messages, flags=re.M))
    sources = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.[jh]*"))
    used = set(re.findall(r'\bt\("([\w.]+)"', sources)) | set(re.findall(r'data-(?:t|label|hint)="(\w+)"', sources))
    assert used <= known
