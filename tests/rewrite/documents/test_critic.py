"""CriticMarkup: all accepted is what is written, all rejected is the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rewrite.documents.critic import critic_markup
from rewrite.documents.markdown import read_markdown
from rewrite.documents.passages import SourceDocument
from rewrite.documents.plain import read_plain
from rewrite.errors import BadInput
from tests.rewrite.documents.rewriting import replaced, revised, unchanged

ROOT = Path(__file__).resolve().parents[3]
_CHANGE = re.compile(r"\{--(.*?)--\}|\{\+\+(.*?)\+\+\}", re.DOTALL)


def _accepted(text: str) -> str:
    return _CHANGE.sub(lambda change: change[2] or "", text)


def _rejected(text: str) -> str:
    return _CHANGE.sub(lambda change: change[1] or "", text)


def _marked(document: SourceDocument, old: str, new: str) -> str:
    return critic_markup(document, replaced(document, old, new))


def test_what_went_and_what_came_stand_side_by_side() -> None:
    assert _marked(read_markdown("Это **старый** дом."), "старый", "ветхий") == "Это **{--старый--}{++ветхий++}** дом."
    assert _marked(read_markdown("Это очень старый дом."), "очень ", "") == "Это {--очень --}старый дом."
    assert _marked(read_plain("Старый дом.\n"), "дом", "большой дом") == "Старый {++большой ++}дом.\n"


def test_lines_that_are_filled_anew_are_no_changes() -> None:
    source = (
        "  Движение по мосту через реку было временно приостановлено, так как\n  начались работы по ремонту дорог,\n"
        "  дворов и тротуаров, о которых мы писали вчера утром и вечером.\n"
    )
    document = read_plain(source)
    assert b"\n  \xd1\x80\xd0\xb0\xd0\xb1" in document.written(replaced(document, "временно ", ""))
    assert _marked(document, "временно ", "") == source.replace("временно ", "{--временно --}")


def test_without_changes_it_is_the_source() -> None:
    document = read_markdown("Это *дом*.")
    assert critic_markup(document, unchanged(document)) == "Это *дом*."


@pytest.mark.parametrize(
    "path",
    [path for path in sorted((ROOT / "docs").glob("*.md")) if "{--" not in path.read_text(encoding="utf-8")],
    ids=lambda path: path.name,
)
def test_accepted_is_what_is_written_and_rejected_the_source(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for document in (read_markdown(text), read_plain(text)):
        changes = revised(document, 1)
        marked = critic_markup(document, changes)
        assert _accepted(marked).split() == document.written(changes).decode().split()
        assert _rejected(marked) == text


@pytest.mark.parametrize("sign", ["{++", "--}", "{>>", "{~~", "==}"])
def test_a_text_that_has_such_signs_is_refused(sign: str) -> None:
    with pytest.raises(BadInput, match=r"Line 2: .* is a sign of CriticMarkup"):
        critic_markup(read_markdown(f"Дом.\nСад {sign} лес."), [()])
