"""The guards give their reasons in English: on the Russian page they read in Russian."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[4]
GUARDS = ("rerank/facts", "rerank/english/facts", "rerank/wellformed", "rerank/opposites", "rewrite/splitting/guard.py")
ENGLISH = re.compile(r"[a-z]{2,}")


def written(node: ast.expr | None) -> list[str]:
    """The texts that an expression may be, *икс* where something is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return [text.replace("{}", "икс")]
        case ast.JoinedStr(values=parts):
            filled = (
                "'икс'" if isinstance(p, ast.FormattedValue) and p.conversion == ord("r") else "икс" for p in parts
            )
            return [
                "".join(str(p.value) if isinstance(p, ast.Constant) else x for p, x in zip(parts, filled, strict=True))
            ]
        case ast.IfExp(body=body, orelse=other):
            return written(body) + written(other)
    return []


def reasons() -> Iterator[str]:
    """What the guards' sources give as a reason: of a violation, beside the words of a fault, or from a helper."""
    for place in GUARDS:
        for path in [*(ROOT / place).rglob("*.py")] or [ROOT / place]:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Name(id="Violation"), args=[_, _, message]):
                        yield from written(message)
                    case ast.Yield(value=ast.Tuple(elts=[_, message])):
                        yield from (text for text in written(message) if " " in text)
                    case (
                        ast.Return(value=message) | ast.Assign(targets=[ast.Name(id="message" | "lost")], value=message)
                    ):
                        yield from (text for text in written(message) if " " in text)


def test_every_reason_of_the_guards_reads_in_russian(page: Any) -> None:
    given = sorted(set(reasons()))
    assert len(given) > 80
    given += ["drops 'икс', which is to be kept", "2 sentences, not 3", "a sentence of 20 words, more than 15"]
    given += [
        "fewer than 3 words",
        "more than 100 words",
        "no Cyrillic letters",
        "It does not look like Russian or English.",
    ]
    said = page.evaluate(
        """async (given) => {
          const { reason, setUi } = await import("/static/messages.js");
          setUi("ru");
          return given.map(reason);
        }""",
        given,
    )
    assert [text for text in zip(given, said, strict=True) if ENGLISH.search(text[1])] == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("the source says «практически», the candidate does not", "пропало: «практически»"),
        ("the source says under семи, the candidate exactly", "было и стало: меньше семи → ровно"),
        ("the unit of 5 is dropped; 'about' is gone", "пропало: 5; пропало: «about»"),
        ("the comma between these words is gone", "не хватает запятой"),
        ("something that nobody has foreseen", "something that nobody has foreseen"),
    ],
)
def test_a_reason_names_the_words_concerned(page: Any, given: str, said: str) -> None:
    module = "async (text) => { const m = await import('/static/messages.js'); m.setUi('ru'); return m.reason(text); }"
    assert page.evaluate(module, given) == said
