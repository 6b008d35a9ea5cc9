"""Matches of LanguageTool's form from results: offsets, words beside empty edits, alternatives, rules, markup."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite.errors import BadInput
from rewrite.server.edits import find_edits
from rewrite.server.languagetool import CheckForm, _asked_rules, _Document, _document, _matches
from rewrite.server.schemas import Ease, Readability, RewriteResult, Sentence, Table, TableCandidate

_EASE = Readability(source=Ease(words_per_sentence=1, rare_words=0), text=Ease(words_per_sentence=1, rare_words=0))


def _sentence(source: str, *texts: str, worse: int = 0) -> Sentence:
    """Candidates, best first; `worse` of them, at the end, score below the source."""
    values = [[0.9 - i / 100] for i in range(len(texts) - worse)] + [[0.1]] * worse
    candidates = [TableCandidate(text=text) for text in texts]
    table = Table(
        source=source, components=["c"], candidates=candidates, values=values, source_values=[0.5], threshold=1
    )
    edits = find_edits(source, texts[0], "en", "en")
    return Sentence(source=source, text=texts[0], choice=0, edits=edits, table=table)


def _result(gaps: list[str], *sentences: Sentence) -> RewriteResult:
    source = gaps[0] + "".join(s.source + gap for s, gap in zip(sentences, gaps[1:], strict=True))
    text = gaps[0] + "".join(s.text + gap for s, gap in zip(sentences, gaps[1:], strict=True))
    return RewriteResult(
        source=source, text=text, language="en", signature="", score=None, weights={"c": 1}, threshold=1, gaps=gaps,
        grade=None, readability=_EASE, sentences=list(sentences),
    )  # fmt: skip


def _found(result: RewriteResult, **form: str) -> list[dict[str, Any]]:
    fields = form or {"text": result.source}
    return list(_matches(result, _document(CheckForm.model_validate({"language": "en", **fields})), "en"))


def _utf16(text: str, match: dict[str, Any]) -> str:
    """What a match marks, as a program reads it whose strings are UTF-16."""
    data, start = text.encode("utf-16-le"), 2 * match["offset"]
    return data[start : start + 2 * match["length"]].decode("utf-16-le")


def _shown(result: RewriteResult) -> list[tuple[str, list[str]]]:
    return [(_utf16(result.source, m), [r["value"] for r in m["replacements"]]) for m in _found(result)]


def test_offsets_count_utf_16_units() -> None:
    result = _result(
        ["😀 ", " 😀😀\n", ""], _sentence("We utilize it.", "We use it."), _sentence("I do 𝒞.", "I did 𝒞.")
    )
    first, second = _found(result)
    assert (first["offset"], first["length"]) == (6, 7)
    assert (second["offset"], _utf16(result.source, second)) == (25, "do")
    assert first["context"] == {"text": "😀 We utilize it. 😀😀 I do 𝒞.", "offset": 6, "length": 7}
    assert first["rule"]["id"] == "REWRITE_REPLACE"
    assert first["rule"]["category"]["id"] == "STYLE"
    assert first["sentence"] == "We utilize it."


def test_context_is_cut_around_the_match() -> None:
    match = _found(_result(["", ""], _sentence(f"{'a ' * 50}utilize{' b' * 50}", f"{'a ' * 50}use{' b' * 50}")))[0]
    text, offset = match["context"]["text"], match["context"]["offset"]
    assert text.startswith("...a a")
    assert text.endswith(" b...")
    assert text[offset : offset + match["context"]["length"]] == "utilize"


@pytest.mark.parametrize(
    ("source", "text", "shown"),
    [
        ("He said that he would.", "He said he would.", ("that he", "he")),
        ("The cat, which I saw, ran.", "The cat ran.", ("cat, which I saw,", "cat")),
        ("He ran yesterday.", "He ran.", ("ran yesterday", "ran")),
        ("He would.", "Perhaps he would.", ("He", "Perhaps he")),
        ("He said he would.", "He said that he would.", ("he", "that he")),
    ],
)
def test_no_match_is_empty_or_leaves_nothing(source: str, text: str, shown: tuple[str, str]) -> None:
    assert _shown(_result(["", ""], _sentence(source, text))) == [(shown[0], [shown[1]])]


_WORDS = st.lists(st.sampled_from(["a", "bb", "ccc", "😀", "e", ",", "f."]), max_size=9).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(_WORDS, _WORDS)
def test_matches_taken_together_give_the_rewrite(source: str, text: str) -> None:
    result = _result(["", ""], _sentence(source, text))
    matches, data = _found(result), source.encode("utf-16-le")
    for match in reversed(matches):
        start = 2 * match["offset"]
        assert match["length"] > 0
        value = match["replacements"][0]["value"]
        data = data[:start] + value.encode("utf-16-le") + data[start + 2 * match["length"] :]
    if source.strip() and text.strip():
        assert data.decode("utf-16-le") == text


def test_alternatives_are_what_better_rewrites_have_there() -> None:
    texts = ("We use many tools.", "We apply numerous tools.", "We take up some means.", "We utilise numerous tools.")
    result = _result(["", ""], _sentence("We utilize numerous tools.", *texts, worse=1))
    assert _shown(result) == [("utilize numerous", ["use many", "apply numerous"])]


def test_markup_is_not_read_but_counted() -> None:
    annotation = [
        {"markup": "<p>"},
        {"text": "We "},
        {"markup": "<b>"},
        {"text": "utilize"},
        {"markup": "</b>"},
        {"markup": "<br>", "interpretAs": " "},
        {"text": "it."},
    ]
    result = _result(["", ""], _sentence("We utilize it.", "We use it."))
    data = json.dumps({"annotation": annotation})
    assert _document(CheckForm(language="en", data=data)).plain == result.source
    match = _found(result, data=data)[0]
    whole = "<p>We <b>utilize</b><br>it."
    assert whole[match["offset"] :][: match["length"]] == "utilize"
    assert match["context"]["text"] == whole


@pytest.mark.parametrize("name", ["text", "data"])
def test_line_ends_of_windows_are_read_as_one_character_and_counted_as_two(name: str) -> None:
    whole = "😀\r\n\r\nWe utilize\r\nit, and I do it.\r\n"
    sentence = _sentence("We utilize\nit, and I do it.", "We use it, and I did it.")
    annotation = [{"text": whole[:12]}, {"markup": "<br>\r\n", "interpretAs": "\r\n"}, {"text": whole[12:]}]
    form = {"text": whole} if name == "text" else {"data": json.dumps({"annotation": annotation})}
    assert _document(CheckForm.model_validate({"language": "en", **form})).plain.replace("\n", "") == whole.replace(
        "\r\n", ""
    )
    if name == "text":
        matches = _found(_result(["😀\n\n", "\n"], sentence), **form)
        assert [_utf16(whole, match) for match in matches] == ["utilize\r\n", "do"]


def test_messages_say_what_to_do() -> None:
    sentences = [
        _sentence("He ran to us yesterday.", "He ran to us."),
        _sentence("He would go.", "Perhaps he would go."),
        _sentence("He ran, and we saw it.", "He ran. We saw it."),
        _sentence("He utilized several walks, which begin in May.", "He used a walk."),
    ]
    result = _result(["", *[" "] * 3, ""], *sentences)
    assert [match["message"] for match in _found(result)] == [
        "Leave out “yesterday”",
        "Add “Perhaps”",
        "Begin a new sentence here",
        "Simpler words: “used a walk”; this leaves out “which begin in May”",
    ]
    russian = [
        match["message"]
        for match in _matches(result, _document(CheckForm.model_validate({"language": "en", "text": "x" * 200})), "ru")
    ]
    assert russian[0] == "Можно убрать: «yesterday»"
    assert [edit.why for edit in sentences[0].edits] == ["left out: “yesterday”"]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": "a", "data": "{}"},
        {"data": "{"},
        {"data": "{}"},
        {"data": '{"text": "a", "annotation": []}'},
        {"data": '{"annotation": [{"text": "a", "markup": "b"}]}'},
        {"data": '{"annotation": [{}]}'},
        {"data": '{"annotation": 7}'},
    ],
)
def test_a_form_without_one_text_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        _document(CheckForm.model_validate({"language": "en", **fields}))


def test_rules_are_chosen_as_languagetool_does() -> None:
    def rules(**fields: str) -> set[str]:
        return _asked_rules(CheckForm.model_validate({"language": "en", "text": "a", **fields}))

    everything = {f"REWRITE_{kind}" for kind in ("REPLACE", "DELETE", "INSERT", "SPLIT", "ORDER")}
    assert rules(enabledRules="WHITESPACE_RULE", disabledRules="EN_QUOTES") == everything
    assert rules(disabledRules="REWRITE_SPLIT,REWRITE_ORDER") == everything - {"REWRITE_SPLIT", "REWRITE_ORDER"}
    assert rules(enabledOnly="true", enabledRules="REWRITE_DELETE,X") == {"REWRITE_DELETE"}
    assert rules(enabledOnly="true", enabledCategories="STYLE") == everything
    assert rules(disabledCategories="STYLE,TYPOS", enabledRules="REWRITE_DELETE") == {"REWRITE_DELETE"}
    assert rules(disabledCategories="TYPOS") == everything
    with pytest.raises(BadInput, match="enabledOnly"):
        rules(enabledOnly="true")


def test_an_empty_document_has_no_places() -> None:
    assert _Document.of([]) == _Document("", "", [], [])
