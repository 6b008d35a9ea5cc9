"""What is said to people in Russian."""

from __future__ import annotations

import re

import pytest

from rewrite.layout import skip_reason
from rewrite.server.phrases import skip_phrase
from rewrite.simplification import SIMPLIFY
from rewrite.splitting.splitter import SPLIT
from rewrite.task import Task


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Это\x01было давно и прошло.", "ru"),
        ("It was long ago.", "ru"),
        ("12 (7)", "en"),
        ("Да!", "ru"),
        ("слово " * 201, "ru"),
        ("слово " * 600, "ru"),
        ("if (a == b) { return this.value(); }", "en"),
        ("- an item of some list", "en"),
        ("It was said in кириллица здесь тоже есть.", "en"),
    ],
)
def test_every_reason_to_pass_a_sentence_over_is_said_in_russian(sentence: str, language: str) -> None:
    reason = skip_reason(sentence, language)
    assert reason
    assert skip_phrase("en", reason) == reason
    assert not re.search("[a-z]", skip_phrase("ru", reason))


@pytest.mark.parametrize("task", [SIMPLIFY, SPLIT])
def test_another_language_is_said_in_russian(task: Task) -> None:
    assert not re.search("[a-z]", skip_phrase("ru", task.strange("de")))
