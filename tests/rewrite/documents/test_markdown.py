"""Markdown: words change where they stand, and nothing else."""

from __future__ import annotations

import builtins
import lzma
import random
import sysconfig
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from rewrite import Options, Pipeline
from rewrite.documents.markdown import _parser, read_markdown
from rewrite.documents.revision import revisions
from rewrite.documents.segments import Change, changed
from rewrite.errors import BadInput, MissingExtra
from tests.paths import need_data
from tests.rewrite.documents.rewriting import replaced, revised, unchanged

ROOT = Path(__file__).resolve().parents[3]
FULL = """\
---
title: Дом
---
# Дом *и сад* {#house}

Дом `дом()` стоит **у *самой* реки**, и [дом](http://a.b "дом") виден
из ![дом](house.png) окна[^1] <b>вечером</b> &mdash; \\*дом\\* https://дом.рф/дом.

> Дом за
> рекой  
> на горе

    дом кода

- [x] Дом построен
- Дом **продан**
  ~~вчера~~ за $дом_1$

| Дом | Цена |
|-----|-----:|
| Дом \\| сад | 12 |

<div>дом</div>

[дом]: http://a.b
[^1]: Дом в сноске.
"""


def _rewritten(text: str, old: str, new: str) -> str:
    document = read_markdown(text)
    return document.written(replaced(document, old, new)).decode()


def test_segments_are_what_a_reader_reads() -> None:
    assert [segment.text for segment in read_markdown(FULL).segments] == [
        "Дом и сад {#house}",
        "Дом дом() стоит у самой реки, и дом виден из окна вечером — *дом* https://дом.рф/дом.",
        "Дом за рекой на горе",
        "Дом построен",
        "Дом продан вчера за $дом_1$",
        "Дом",
        "Цена",
        "Дом | сад",
        "Дом в сноске.",
    ]


def test_marks_stand_on_their_words() -> None:
    segment = read_markdown(FULL).segments[1]
    on = [(segment.text[mark.start : mark.stop], mark.fixed) for mark in segment.marks]
    assert on == [
        ("дом()", True),
        ("у самой реки", False),
        ("самой", False),
        ("дом", False),
        ("", False),
        ("", False),
        ("вечером", False),
        ("https://дом.рф/дом", True),
    ]


def test_only_words_change() -> None:
    changed_text = _rewritten(FULL, "Дом", "Замок")
    assert changed_text == FULL.replace("Дом", "Замок").replace("title: Замок", "title: Дом")


@pytest.mark.parametrize("text", [FULL, FULL.replace("\n", "\r\n"), "\ufeff" + FULL, FULL[:-1], "", "\n", "* \n\n---"])
def test_without_changes_every_byte_stays(text: str) -> None:
    document = read_markdown(text.encode())
    assert document.written(unchanged(document)) == text.encode()


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("Он **очень важен** для нас.", "очень важен", "важен", "Он **важен** для нас."),
        ("Первая строка\nтекста здесь.", "Первая", "Вторая", "Вторая строка\nтекста здесь."),
        ("Цена слова здесь.", "слова", "5*6*7", "Цена 5\\*6\\*7 здесь."),
        ("Цена слова здесь.", "слова", "<b>", "Цена \\<b> здесь."),
        ("Цена слова здесь.", "слова", "a&lt;b", "Цена a\\&lt;b здесь."),
        ("Первое слово здесь.", "Первое", "1990.", "1990\\. слово здесь."),
        ("Первое слово здесь.", "Первое", "#", "\\# слово здесь."),
        ("Первое\nслово здесь.", "слово", "+", "Первое\n\\+ здесь."),
        ("| Слово и |\n|--|\n| да |", "Слово", "а|б", "| а\\|б и |\n|--|\n| да |"),
        ("Слово `a|b` и *два* слова.", "Слово", "Речь", "Речь `a|b` и *два* слова."),
        ("Слово&nbsp;и ещё.", "ещё", "дом", "Слово&nbsp;и дом."),
        ("Есть слово[^1], да.\n\n[^1]: Вот.", "слово", "имя", "Есть имя[^1], да.\n\n[^1]: Вот."),
    ],
)
def test_new_text_is_escaped_where_it_would_be_markup(text: str, old: str, new: str, expected: str) -> None:
    assert _rewritten(text, old, new) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[слово]\n\n[слово]: http://a.b",
        "Это `слово` и <code>слово</code>, <kbd>слово</kbd>, $слово$.",
        "~~~\nслово\n~~~",
        "<p>\nслово\n</p>",
        "::: note\nслово и дело\n:::",
        "Ключ {слово: 1} и {{ слово }}.".replace("{слово: 1}", "{:слово}"),
    ],
)
def test_what_is_no_word_is_never_touched(text: str) -> None:
    assert _rewritten(text, "слово", "дело") == text


def test_what_would_be_read_as_something_else_keeps_its_source() -> None:
    document = read_markdown("Он *очень* рад.\n\nОна тоже рада.")
    # Without its space the sign of emphasis would stand inside a word.
    cut, kept = document.segments[0].text.index(" рад"), document.segments[1].text.index("тоже")
    changes = [[Change(cut, cut + 1, "_", (cut,))], [Change(kept, kept + 4, "так же", (kept,) * 6)]]
    text = document.written(changes).decode()
    assert read_markdown(text).structure() == document.structure()
    assert text.endswith("Она так же рада.")
    emptied = read_markdown("# Дом\n\nСад.")
    assert emptied.written([[Change(0, 3, "", ())], []]) == b"# " + "Дом\n\nСад.".encode()
    assert list(emptied.refused) == [0]


def test_a_structure_is_all_but_words() -> None:
    assert read_markdown("Он *рад*.").structure() == read_markdown("Она *рада* и весела.").structure()
    for other in ("Он **рад**.", "# Он *рад*.", "- Он *рад*.", "Он *рад*. `a`", "Он рад."):
        assert read_markdown("Он *рад*.").structure() != read_markdown(other).structure()
    assert read_markdown("[а](b)").structure() != read_markdown("[а](c)").structure()


def test_other_encodings_are_told() -> None:
    with pytest.raises(BadInput, match=r"Byte 1: 0xc4 is not valid UTF-8"):
        read_markdown("Дом".encode("cp1251"))


def test_a_missing_parser_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    _parser.cache_clear()
    real = builtins.__import__

    def absent(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> object:
        if name.startswith("mdit_py_plugins"):
            raise ModuleNotFoundError(name=name)
        return real(name, globals, locals, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(MissingExtra) as told:
        read_markdown("Дом.")
    assert "rewrite-rerank[documents]" in str(told.value.hint)


def test_files_of_packages_and_of_this_project_keep_their_structure() -> None:
    installed = Path(sysconfig.get_paths()["purelib"]).rglob("*.md")
    files = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), *sorted(installed)]
    refused = altered = 0
    for seed, path in enumerate(files):
        text = path.read_bytes()
        document = read_markdown(text)
        assert document.written(unchanged(document)) == text, path
        changes = revised(document, seed)
        again = read_markdown(document.written(changes))
        assert again.structure() == document.structure(), path
        for i, own in enumerate(changes):
            expected = document.segments[i].text if i in document.refused else changed(document.segments[i], own)[0]
            assert again.segments[i].text == expected, path
        refused += len(document.refused)
        altered += sum(map(bool, changes))
    assert len(files) > 50
    assert refused <= 0.01 * altered


@cache
def _texts(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        fitting = (line.strip() for line in file if 150 < len(line) < 500 and not set("*_[]<`~\\#") & set(line))
        return list(islice(fitting, 50))


def _article(name: str, seed: int, marked: float = 0.12, lines: int = 8) -> str:
    """A Russian article with headings, lists, quotes and wrapped paragraphs, marks on words of it."""
    texts = _texts(need_data("ru_mono", name))
    chance = random.Random(seed)
    forms = ("**{}**", "*{}*", "[{}](http://a.b/c)", "{}[^1]", "<b>{}</b>", "~~{}~~", "{} ![](a.png)")

    def with_marks(text: str) -> str:
        return " ".join(
            chance.choice(forms).format(word) if word.isalpha() and chance.random() < marked else word
            for word in text.split()
        )

    parts = ["# " + with_marks(" ".join(texts[seed].split()[:6]))]
    for text in texts[seed : seed + lines]:
        shown = with_marks(text)
        wrapped = textwrap.fill(shown, 72)
        parts.append(chance.choice((shown, wrapped, f"- {shown}", "> " + wrapped.replace("\n", "\n> "), "# " + shown)))
    return "\n\n".join(parts) + "\n\n[^1]: Сноска.\n"


NAMES = ("news_ng.txt.xz", "factrueval_news.txt.xz", "fiction_classics.txt.xz", "rusentrel_analytics.txt.xz")


@pytest.mark.parametrize("name", NAMES)
def test_russian_articles_keep_their_structure(name: str) -> None:
    for seed in range(10):
        text = _article(name, seed)
        document = read_markdown(text)
        assert document.written(unchanged(document)) == text.encode()
        again = read_markdown(document.written(revised(document, seed, share=0.9)))
        assert again.structure() == document.structure()


def test_rewrites_keep_the_marks() -> None:
    document = read_markdown(_article("news_ng.txt.xz", 3, marked=0.04, lines=5))
    made = revisions(
        document.segments, Pipeline(Options(generator="edits", lang="ru")).run([s.text for s in document.segments])
    )
    changes = [[change for revision in own for change in revision.changes] for own in made]
    again = read_markdown(document.written(changes))
    states = [revision.state for own in made for revision in own]
    assert again.structure() == document.structure()
    assert not document.refused
    assert states.count("changed") > states.count("marks")
