"""What training may not see, and the Russian pairs that it takes."""

from __future__ import annotations

from pathlib import Path

from rewrite.datasets import Pair
from training.adapter_pairs import paraphrase_pairs
from training.masked.corpora import HeldBack

SOURCE = "Город расположен на правом берегу реки Оки, в десяти километрах к югу от Москвы."


def test_what_is_held_back_is_found_whatever_its_case_and_punctuation() -> None:
    held_back = HeldBack([SOURCE, "Ёлка зелёная!"])
    assert "«город расположен, на правом берегу реки оки — в десяти километрах к югу от москвы»" in held_back
    assert "елка зеленая" in held_back
    assert "Ёлка" not in held_back


def test_eight_words_in_a_row_are_too_many_and_seven_are_not() -> None:
    held_back = HeldBack([SOURCE])
    words = SOURCE.replace(",", "").rstrip(".").split()
    assert " ".join(["Вчера", *words[2:10], "нашли"]) in held_back
    assert " ".join(["Вчера", *words[2:9], "нашли"]) not in held_back


def test_paraphrases_go_from_the_longer_to_the_shorter(tmp_path: Path) -> None:
    rows = [("Короткий текст.", "Очень длинный текст.", 1), ("Ровно пять.", "Ровно семь.", 0), ("Дом.", "Сад.", 1)]
    values = '<value name="text_1">{}</value><value name="text_2">{}</value><value name="class">{}</value>'
    body = "".join(f"<paraphrase>{values.format(*row)}</paraphrase>" for row in rows)
    path = tmp_path / "paraphrases.xml"
    path.write_text(f"<?xml version='1.0' encoding='UTF8'?><data><corpus>{body}</corpus></data>", encoding="utf-8")
    assert paraphrase_pairs(path) == [Pair("Очень длинный текст.", "Короткий текст.")]
