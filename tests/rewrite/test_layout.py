"""Texts of several lines cut into sentences, and what stands between them."""

from __future__ import annotations

import time

import pytest

from rewrite.layout import by_lines, split
from rewrite.pipeline import Pipeline
from rewrite.request import Options


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Заголовок\n\nКошка спала. Она устала.\r\n", ["Заголовок", "Кошка спала.", "Она устала."]),
        ("Нужны:\n- паспорт;\n- справка о доходах\n", ["Нужны:", "паспорт;", "справка о доходах"]),
        ("— Да, — сказал он.\n  1. Кошка спала.", ["Да, — сказал он.", "Кошка спала."]),
        ("осуществляет полномочия в сфере контроля за бюджетом\nа) проводит проверки.", 2),
        ("- an item without a stop", ["- an item without a stop"]),
        ("- an item with one.", ["an item with one."]),
        ("необходимо предъявить документы следующих видов:\nпаспорт;\nсправку.", 3),
        ("Кошка\u2028собака", ["Кошка", "собака"]),
        ("\n \n", []),
    ],
)
def test_a_line_break_ends_a_sentence_and_stays(text: str, sentences: list[str] | int) -> None:
    layout = by_lines(text, split)
    assert (len(layout.sentences) if isinstance(sentences, int) else list(layout.sentences)) == sentences
    assert layout.join(layout.sentences) == text


@pytest.mark.parametrize("broken", ["\n", "\r\n", " \n"])
def test_a_wrapped_line_goes_on(broken: str) -> None:
    lines = [
        "Движение по мосту через реку было приостановлено до марта, так как",
        "начались работы по ремонту дорог, дворов и тротуаров, о которых",
        "мы писали.",
    ]
    layout = by_lines(f"{broken.join(lines)}\nКонец.", split)
    assert layout.sentences == (broken.strip("\r\n").join(f"{line} " for line in lines).strip(), "Конец.")


def test_pathological_lines_take_no_time() -> None:
    began = time.process_time()
    assert Pipeline(Options(generator="edits")).language_of("а" * 200_000) == "ru"
    assert by_lines("\n" * 200_000, split).sentences == ()
    assert time.process_time() - began < 5
