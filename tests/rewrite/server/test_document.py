"""A text with its edits as a Word file: all changes accepted it is the rewrite, all rejected the source."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest

from rewrite.server.settings import Limits
from tests.rewrite.documents import libreoffice
from tests.rewrite.documents.word_files import W
from tests.rewrite.server.conftest import Running, faked

Edits = list[tuple[int, int, str]]
CASES: dict[str, tuple[str, Edits]] = {
    "as it stands": ("Школу открыли.\n", []),
    "lines": (
        "Один. Два\n\n😀 три  четыре\n",
        [(12, 13, "🎉🎉"), (0, 4, "Раз"), (10, 10, "Вот:"), (16, 18, " "), (9, 9, "!\n")],
    ),
    "at the edges": ("Один\nДва\n\nТри", [(0, 4, "Раз"), (5, 5, "Ах, "), (8, 8, "!"), (9, 9, "Вот."), (10, 10, "И ")]),
    "whole paragraphs": ("Один два.\nДва.\nТри.\nЧетыре", [(0, 4, "Раз"), (4, 9, ""), (10, 14, "Двое."), (15, 19, "")]),
    "side by side": ("Вид на море", [(0, 3, "Взгляд"), (3, 3, " мой"), (3, 6, "")]),
    "signs of XML": ('a < b & "c"\tи <w:p/>\t]]>', [(2, 3, "> & <w:t>"), (11, 12, " \t "), (21, 24, "]]]>")]),
    "no letters": ("12\n13", [(0, 2, "14"), (5, 5, "!")]),
    "breaks of all kinds": ("а\r\nб\rв\u2028г", [(0, 1, "А\r\nА"), (3, 4, "")]),
    "what XML cannot hold": ("пере\x02нос\x1f", [(8, 8, "\x00")]),
}


@pytest.fixture(scope="module")
def fake() -> Iterator[Running]:
    with faked(limits=Limits(characters=1_000, body=20_000)) as running:
        yield running


def asked(fake: Running, text: str, edits: Edits) -> Any:
    return fake.post("/v1/document", text=text, edits=[{"start": a, "end": b, "replacement": t} for a, b, t in edits])


def accepted(text: str, edits: Edits) -> str:
    for start, stop, new in sorted(edits, reverse=True):
        text = text[:start] + " ".join(new.splitlines() + [""] * new.endswith("\n")) + text[stop:]
    return text


def shown(text: str) -> list[str]:
    """The lines of a text as XML holds them."""
    plain = text.translate(dict.fromkeys((0x00, 0x02, 0x1F), "\ufffd"))
    return re.split("\r\n|[\r\n\u2028]", plain)


def settled(data: bytes, taken: bool) -> list[str]:
    """The text of each paragraph with all changes accepted, or rejected."""
    gone = f"{{{W}}}{'del' if taken else 'ins'}"
    texts = []
    for paragraph in docx.Document(io.BytesIO(data)).element.body:
        nodes = (node for child in paragraph if child.tag != gone for node in child.iter() if not len(node))
        texts.append("".join("\t" if node.tag == f"{{{W}}}tab" else node.text or "" for node in nodes))
    return texts


@pytest.mark.parametrize("name", CASES)
def test_accepted_it_is_the_rewrite_and_rejected_the_source(fake: Running, name: str) -> None:
    text, edits = CASES[name]
    answer = asked(fake, text, edits)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].endswith("wordprocessingml.document")
    assert "rewrite.docx" in answer.headers["Content-Disposition"]
    assert settled(answer.content, taken=True) == shown(accepted(text, edits))
    assert settled(answer.content, taken=False) == shown(text)


def test_each_change_says_who_made_it_and_has_a_number_of_its_own(fake: Running) -> None:
    data = asked(fake, "Один. Два.\nТри.", [(0, 4, "Раз"), (6, 9, ""), (14, 14, "!"), (11, 14, "Три")]).content
    changes = list(docx.Document(io.BytesIO(data)).element.body.iter(f"{{{W}}}ins", f"{{{W}}}del"))
    assert [change.tag.rpartition("}")[2] for change in changes] == ["del", "ins", "del", "ins"]
    assert {change.get(f"{{{W}}}author") for change in changes} == {"rewrite"}
    assert len({change.get(f"{{{W}}}id") for change in changes}) == 4


@libreoffice.needed
def test_libreoffice_accepts_the_rewrite_and_rejects_the_source(fake: Running, tmp_path: Path) -> None:
    files = {name: asked(fake, *CASES[name]).content for name in CASES}
    texts = libreoffice.texts(files, tmp_path)
    for name, (text, edits) in CASES.items():
        taken, left = ("\n".join([*shown(each), ""]) for each in (accepted(text, edits), text))
        assert texts[name] == (taken, left), name


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([(0, 9, "")], "An edit is of characters 0 to 9 of a text that has 8"),
        ([(3, 2, "")], "An edit is of characters 3 to 2"),
        ([(0, 2, "б"), (1, 3, "в")], "The edit of characters 1 to 3 overlaps the one before"),
        ([(2, 6, "")], "The edit of characters 2 to 6 goes over the end of a line"),
        ([(4, 4, "!")], "The edit of characters 4 to 4 goes over the end of a line"),
    ],
)
def test_edits_that_cannot_be_are_refused(fake: Running, edits: Edits, told: str) -> None:
    answer = asked(fake, "Раз\r\nДва", edits)
    assert (answer.status_code, answer.json()["error"]["type"]) == (422, "BadInput")
    assert told in answer.json()["error"]["message"]


def test_malformed_requests_and_too_much_are_refused(fake: Running) -> None:
    edit = {"start": 0, "end": 1, "replacement": "б"}
    for wrong in ({"start": -1}, {"end": "x"}, {"replacement": None}, {"why": ""}):
        answer = fake.post("/v1/document", text="а", edits=[{**edit, **wrong}])
        assert answer.status_code == 422, wrong
        assert "edits.0" in answer.json()["error"]["message"]
    assert fake.post("/v1/document", edits=[edit]).json()["error"]["message"] == "text is missing."
    for text, edits in (("а" * 1_001, []), ("а", [(0, 1, "б" * 1_001)])):
        answer = asked(fake, text, edits)
        assert (answer.status_code, answer.json()["error"]["type"]) == (413, "TooMuch")
    assert asked(fake, "", [(0, 0, "")] * 1_000).status_code == 413


def test_nothing_but_python_is_needed() -> None:
    code = "import sys; sys.modules['lxml'] = None; from rewrite.server import document_api as d; d.write_docx('а', [])"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_openapi_says_that_it_is_a_word_file(fake: Running) -> None:
    answers = fake.client.get("/openapi.json").json()["paths"]["/v1/document"]["post"]["responses"]
    assert [kind.rpartition(".")[2] for kind in answers["200"]["content"]] == ["document"]
    assert answers["422"]["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorResponse")
