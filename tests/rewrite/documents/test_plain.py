"""Plain text: wrapped paragraphs are one, all that is no word stays."""

from __future__ import annotations

import lzma
import random
import sysconfig
import textwrap
from itertools import islice
from pathlib import Path

import pytest

from rewrite import Options, Pipeline
from rewrite.documents.plain import read_plain
from rewrite.documents.revision import revisions
from rewrite.documents.segments import changed
from tests.paths import need_data
from tests.rewrite.documents.rewriting import replaced, revised, unchanged

WRAPPED = """\
Учёные рассказали о животных, живущих на левом берегу реки, и о том, как
они вынуждены были уйти из этих мест. Потом начался большой ремонт моста,
и звери ушли совсем.
"""
VERSE = "Мороз и солнце; день чудесный!\nЕщё ты дремлешь, друг прелестный —\nПора, красавица, проснись:\n"


def _texts(text: str) -> list[str]:
    return [segment.text for segment in read_plain(text).segments]


def _rewritten(text: str, old: str, new: str) -> str:
    document = read_plain(text)
    return document.written(replaced(document, old, new)).decode()


def test_wrapped_lines_are_one_paragraph() -> None:
    assert _texts(WRAPPED + "\n" + WRAPPED) == [WRAPPED.strip().replace("\n", " ")] * 2


def test_indents_and_signs_of_lists_part_paragraphs() -> None:
    text = (
        "    Абзац с красной строки, который так велик, что ему не хватает одной\n"
        "строки и нужна вторая.\n"
        "    Второй абзац.\n"
        "— Привет, — сказал он.\n"
        "1. Первый пункт списка, который так велик, что ему не хватает одной\n"
        "   строки.\n"
        "1.2.3. Второй пункт.\nа) третий пункт\n§ 5. Параграф\n"
    )
    assert _texts(text) == [
        "Абзац с красной строки, который так велик, что ему не хватает одной строки и нужна вторая.",
        "Второй абзац.",
        "— Привет, — сказал он.",
        "Первый пункт списка, который так велик, что ему не хватает одной строки.",
        "Второй пункт.",
        "третий пункт",
        "Параграф",
    ]


@pytest.mark.parametrize(
    "text",
    [
        VERSE,
        "Имя        Город      Год\nИван       Москва     1990\n",
        "| Иван | Москва |\n| Пётр | Тула |\n",
        "x = foo()\nif x == 1:\n    return bar(x);\n",
        "Глава первая ........ 12\n",
        "Он приехал в\nдом и лёг.\n",
    ],
)
def test_lines_that_are_no_paragraph_are_not_joined(text: str) -> None:
    assert not any("\n" in text[p.start : p.stop] for p in read_plain(text).passages)
    assert read_plain(text).written(revised(read_plain(text), 1, share=1)).count(b"\n") == text.count("\n")


def test_a_part_of_a_sentence_is_no_segment() -> None:
    assert _texts("Он приехал в\nдом и лёг.\n") == []
    assert _texts(VERSE) == ["Мороз и солнце; день чудесный!"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_changed_paragraph_is_wrapped_as_it_was(end: str) -> None:
    before = (">   " + WRAPPED.replace("\n", "\n>   ")[:-4]).replace("\n", end)
    after = _rewritten(before, "вынуждены были уйти", "ушли")
    assert after.splitlines() == [
        ">   Учёные рассказали о животных, живущих на левом берегу реки, и о том, как",
        ">   они ушли из этих мест. Потом начался большой ремонт моста, и звери ушли",
        ">   совсем.",
    ]
    assert after.count(end) == 3


def test_lines_before_and_behind_a_change_stay() -> None:
    before = WRAPPED.replace("этих мест", "этих  мест ") + "\nВторой абзац.\n"
    after = _rewritten(before, "звери", "лисы")
    assert after == before.replace("звери", "лисы")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\tСлово и\tещё одно\t \n", "\tДело и\tещё одно\t \n"),
        ("имя\tСлово дня.\t\r\n1\tСлово\t", "имя\tДело дня.\t\r\n1\tДело\t"),
        ("\ufeff— Слово дня.  \n– Слово.\n- Слово", "\ufeff— Дело дня.  \n– Дело.\n- Дело"),
        ("1.2.3. Слово дня.\n(а) Слово\n", "1.2.3. Дело дня.\n(а) Дело\n"),
        ("Слово  и   слово.", "Слово  и   слово."),
    ],
)
def test_tabs_signs_and_ends_survive(before: str, after: str) -> None:
    assert _rewritten(before, "Слово", "Дело") == after


@pytest.mark.parametrize(
    ("torn", "joined"), [("ре-\nмонт", "ремонт"), ("из-\nза", "из-за"), ("во-\nпервых", "во-первых")]
)
def test_words_torn_at_the_end_of_a_line_are_joined(torn: str, joined: str) -> None:
    text = f"Весь год на левом берегу нашей реки шёл большой {torn} моста через реку, и все мы ждали.\n"
    assert _texts(text) == [text.strip().replace(torn, joined)]
    assert joined in _rewritten(text, "Весь год", "Зимой")
    document = read_plain(text)
    assert document.written(unchanged(document)) == text.encode()


def test_a_torn_word_that_nobody_knows_stays() -> None:
    assert _texts("Весь год на левом берегу реки шёл большой глок-\nкуздр моста через реку, и мы ждали.\n") == []


def test_what_would_be_read_as_something_else_keeps_its_source() -> None:
    document = read_plain("Слово дня здесь.\n\nСлово ночи.\n")
    assert document.written(replaced(document, "дня", "\t")).decode() == "Слово дня здесь.\n\nСлово ночи.\n"
    assert list(document.refused) == [0]


@pytest.mark.parametrize("name", ["news_ng.txt.xz", "factrueval_news.txt.xz", "news_lenta_sample.txt.xz"])
def test_wrapped_articles_are_read_as_they_were(name: str) -> None:
    with lzma.open(need_data("ru_mono", name), "rt", encoding="utf-8") as file:
        lines = list(islice((" ".join(line.split()) for line in file if 200 < len(line) < 900), 60))
    chance = random.Random(name)
    refused = altered = read = 0
    for start in range(0, len(lines), 6):
        width, indent = chance.choice((60, 72, 80)), chance.choice(("", "    "))
        texts = lines[start : start + 6]
        text = "\n\n".join(textwrap.fill(line, width, initial_indent=indent) for line in texts) + "\n"
        document = read_plain(text)
        assert document.written(unchanged(document)) == text.encode()
        changes = revised(document, start)
        again = read_plain(document.written(changes))
        assert again.structure() == document.structure()
        refused += len(document.refused)
        altered += sum(map(bool, changes))
        read += len({segment.text for segment in document.segments} & set(texts))
    assert read >= 0.95 * len(lines)
    assert refused <= 0.05 * altered


def test_files_of_packages_keep_their_structure() -> None:
    installed = Path(sysconfig.get_paths()["purelib"])
    files = [path for path in sorted(installed.glob("*.dist-info/**/*")) if path.name.startswith(("LICENSE", "README"))]
    for seed, path in enumerate(files[:60]):
        data = path.read_bytes()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        document = read_plain(data)
        assert document.written(unchanged(document)) == data, path
        changes = revised(document, seed)
        again = read_plain(document.written(changes))
        assert again.structure() == document.structure(), path
        expected = [
            segment.text if i in document.refused else changed(segment, changes[i])[0]
            for i, segment in enumerate(document.segments)
        ]
        assert [segment.text for segment in again.segments] == expected, (path, len(text))


def test_a_wrapped_paragraph_is_rewritten_as_one() -> None:
    text = (
        "В связи с проведением ремонтных работ, которые начались в понедельник,\n"
        "движение по мосту было временно приостановлено.\n"
    )
    document = read_plain(text)
    made = revisions(
        document.segments, Pipeline(Options(generator="edits", lang="ru")).run([s.text for s in document.segments])
    )
    after = document.written([[c for revision in own for c in revision.changes] for own in made]).decode()
    assert after != text
    assert max(map(len, after.splitlines())) <= 70
    assert after.endswith(".\n")
