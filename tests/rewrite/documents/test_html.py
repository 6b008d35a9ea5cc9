"""HTML pages: what is read as text, what stands on it, and that nothing but words ever changes."""

from __future__ import annotations

import csv
import html
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rewrite.documents.html import HtmlDocument, read_html
from rewrite.documents.marks import carried
from rewrite.documents.revision import revisions
from rewrite.documents.segments import Change, Segment, changed
from rewrite.errors import BadInput, MissingExtra
from rewrite.layout import split
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.paths import need_data

pytest.importorskip("lxml", reason="lxml is not installed: pip install 'rewrite-rerank[documents]'")

SENTENCE = "Сотрудники <b>нового</b> отдела начали проверку документов."
PAGE = f'<html lang="ru"><head><title>Отчёт</title></head><body><p>{SENTENCE}</p></body></html>'


def read(source: str) -> HtmlDocument:
    return read_html(source.encode())


def texts(source: str) -> list[str]:
    return [segment.text for segment in read(source).segments]


def rewritten(source: str, *texts_after: str | None, language: str = "ru") -> str:
    """The page with other texts for its segments, `None` for what stays."""
    document = read(source)
    pairs = zip(document.segments, texts_after, strict=True)
    changes = [() if text is None else whole(segment, text, language) for segment, text in pairs]
    written = document.written(changes)
    assert document.refused == []
    assert read_html(written).structure() == document.structure()
    return written.decode()


def whole(segment: Segment, text: str, language: str = "ru") -> tuple[Change, ...]:
    changes = carried(segment, 0, len(segment.text), text, language=language)
    assert changes is not None
    return changes


def other_words(sentence: str, chance: random.Random) -> str:
    """The sentence without a word, with another one, or with two that have changed places."""
    words = sentence.split(" ")
    for _ in range(chance.choice((1, 1, 2)) if len(words) > 3 else 0):
        i = chance.randrange(1, len(words) - 1)
        put: tuple[list[str], ...] = ([words[i - 1]], [words[i - 1], "a < b &amp; дом"], [words[i], words[i - 1]])
        words[i - 1 : i + 1] = chance.choice(put)
    return " ".join(words)


def shaken(document: HtmlDocument, chance: random.Random, most: int = 40) -> list[list[Change]]:
    """Changes to `most` sentences at random, of those whose marks can be kept."""
    changes: list[list[Change]] = []
    for segment in document.segments:
        place, mine = 0, list[Change]()
        layout = split(segment.text)
        for gap, sentence in zip(layout.gaps, layout.sentences, strict=False):
            place += len(gap)
            text = other_words(sentence, chance) if most > 0 and len(segment.text) < 50_000 else sentence
            if text != sentence:
                most -= 1
                mine += carried(segment, place, place + len(sentence), text, language="ru") or ()
            place += len(sentence)
        changes.append(mine)
    return changes


def check(data: bytes, chance: random.Random, most: int = 40) -> tuple[int, int]:
    """Shakes a page and compares; how many segments were changed, and how many of them were refused."""
    document = read_html(data)
    assert document.written([()] * len(document.segments)) == data
    changes = shaken(document, chance, most)
    again = read_html(document.written(changes))
    assert again.structure() == document.structure()
    assert [folded(segment.text) for segment in again.segments] == [
        folded(segment.text if number in document.refused else changed(segment, mine)[0])
        for number, (segment, mine) in enumerate(zip(document.segments, changes, strict=True))
    ]
    return sum(map(bool, changes)), len(document.refused)


def folded(text: str) -> str:
    return " ".join(filter(None, text.replace("\t", " ").replace("\n", " ").split(" ")))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Начало <b>ремонта</b>, которые начались", ["Начало ремонта, которые начались"]),
        ("<p>Один\n   <i> два</i> <!-- нет --> три<p>Четыре", ["Один два три", "Четыре"]),
        ("<UL><LI>Один<LI>Два</UL>", ["Один", "Два"]),
        ("<table><tr><td>12,5<td>Слово<tr><th>№ 7", ["Слово"]),
        ("Строка<br>Другая<hr/>Третья", ["Строка", "Другая", "Третья"]),
        ("<title>А &amp; <b>Б</title>", ["А & <b>Б"]),
        ("<p>A &lt;b&gt; &#1041;&nbsp;AT&T &copy 5 < 6 <3", ["A <b> Б\xa0AT&T © 5 < 6 <3"]),
        ("<script>x = '</p><p>Нет'</script>Да<style>p{}</style>", ["Да"]),
        ("<pre>Нет <b>и</b></pre><textarea>Нет <p></textarea><template><p>Нет</template>Да", ["Да"]),
        ("Да <svg><text>Нет</text><g/></svg>и <del>нет <p>нет</del>ещё", ["Да и ещё"]),
        ("<code>Нет</code><p><samp>Нет</samp> <kbd>Нет</kbd>", []),
        ("<p translate=no>Нет<p>Да<div class='a notranslate'>Нет <p>нет</div>Да", ["Да", "Да"]),
        (
            "<li translate=no>Нет<li>Да<dl><dt translate=no>Нет<dd>Да<table><tr><td translate=no>Нет<tr><td>Да",
            ["Да"] * 3,
        ),
        ("<![CDATA[ <p>Нет ]]>Да<!--[if IE]><p>Нет<![endif]--><![if !IE]>Да<![endif]><?php echo '>Нет' ?>", ["ДаДа"]),
        ("<!--> Да <!-- Нет --!> и <p title='Нет > Нет' alt=Нет>Да<a href=\"Нет", ["Да и", "Да"]),
        ('<p>Слово<sup><a href="#n1">[1]</a></sup>, дело<a href="a.html#n"><sup>2</sup></a>.', ["Слово, дело."]),
        ("<xmp><p>Нет</xmp><noembed>Нет</noembed><p>Да<plaintext><p>Нет", ["Да"]),
        ("<!-- одни комментарии", []),
        ("", []),
    ],
)
def test_text_is_read_as_a_browser_shows_it(source: str, expected: list[str]) -> None:
    assert texts(source) == expected
    assert read(source).written([()] * len(expected)) == source.encode()
    read(source).structure()


def test_marks_are_inline_elements_fixed_ones_and_points_between_letters() -> None:
    (segment,) = read(
        "<p>Я <b>знал <i>x</i></b>, <code>f</code>, H<sub>2</sub>O,<img> <a name=n></a>и <span lang=en>the Bank"
        "</span> и <b>раз<i>ных</b> дел</i>.<img>"
    ).segments
    assert segment.text == "Я знал x, f, H2O, и the Bank и разных дел."
    assert [(segment.text[m.start : m.stop], m.fixed) for m in segment.marks if m.start < m.stop] == [
        ("x", False),
        ("знал x", False),
        ("f", True),
        ("2", True),
        ("the Bank", True),
        ("разных", False),
        ("ных дел", False),
    ]
    assert [m.start for m in segment.marks if m.start == m.stop] == [17, 18]


def test_languages_are_those_of_the_attributes() -> None:
    page = read(
        "<html lang=ru-RU><p>Да<p lang=EN_gb>Yes<p>Да<div xml:lang=de><p>Ja</div><p><span lang=en>Most of it</span> а"
    )
    assert [segment.language for segment in page.segments] == ["ru", "en", "ru", "de", "en"]


def test_words_change_between_the_same_tags() -> None:
    source = (
        "<p>Выдача&nbsp;справок\n  <b>была <i>приостановлена</i></b> отделом &laquo;Юг&raquo; &amp; "
        "<a href='?a&amp;b'>банком</a>."
    )
    after = "Выдача\xa0справок была временно остановлена отделом «Юг» & большим банком."
    assert rewritten(source, after) == (
        "<p>Выдача&nbsp;справок\n  <b>была <i>временно остановлена</i></b> отделом &laquo;Юг&raquo; &amp; "
        "большим <a href='?a&amp;b'>банком</a>."
    )


def test_new_words_are_escaped_and_those_that_the_encoding_lacks_are_references() -> None:
    data = f'<meta charset="windows-1251"><p>{SENTENCE}'.encode("cp1251")
    document = read_html(data)
    changes = whole(document.segments[0], "Сотрудники нового отдела <начали> «ω & Ко» документов.")
    assert (
        document.written([changes])
        .decode("cp1251")
        .endswith("Сотрудники <b>нового</b> отдела &lt;начали&gt; «&#969; &amp; Ко» документов.")
    )


@pytest.mark.parametrize(
    ("encoding", "head", "mark"),
    [
        ("utf-8", "", b""),
        ("utf-8", "", b"\xef\xbb\xbf"),
        ("utf-16-le", "", b"\xff\xfe"),
        ("utf-16-be", "", b"\xfe\xff"),
        ("utf-16-le", "", b""),
        ("cp1251", "<META http-equiv=Content-Type content='text/html; charset=windows-1251'>", b""),
        ("koi8-r", "<!-- <meta charset=utf-8> --><meta charset='KOI8-R'>", b""),
        ("cp1251", '<?xml version="1.0" encoding="windows-1251"?>', b""),
        ("utf-8", "<meta charset=utf-16>", b""),
    ],
)
def test_encodings_come_back_byte_for_byte(encoding: str, head: str, mark: bytes) -> None:
    data = mark + f"{head if encoding != 'utf-16-le' else '<p>'}\r\n{PAGE}\r\n".encode(encoding)
    document = read_html(data)
    assert document.segments[1].text == "Сотрудники нового отдела начали проверку документов."
    assert document.written([(), ()]) == data
    written = document.written([(), whole(document.segments[1], "Сотрудники нового отдела проверяют документы.")])
    old, new = (text.encode(encoding) for text in ("начали проверку документов", "проверяют документы"))
    assert written == data.replace(old, new)


def test_bytes_that_windows_1252_lacks_are_those_of_the_encoding_that_the_page_names() -> None:
    data = b"<meta charset=iso-8859-1><p>A caf\xe9 \x81 and so on"
    assert read_html(data).written([()]) == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<p>\n\xff\xf0", "names no encoding and is not UTF-8: line 2, byte 1. Name it"),
        (b"<meta charset=utf-8><p>\xff", "says that it is utf-8, but line 1, byte 24, is not. Correct"),
        (b"<meta charset=klingon><p>x", "its encoding is 'klingon', which is none that is known"),
        (b"<meta charset=zlib><p>x", "its encoding is 'zlib'"),
        (b"<meta charset=unicode_escape><p>\\u0041", "would not come back byte for byte"),
        (b"\xff\xfe<", "utf-16-le, but line 1, byte 1, is not"),
    ],
)
def test_bytes_in_no_encoding_are_refused_with_their_place(data: bytes, message: str) -> None:
    with pytest.raises(BadInput) as error:
        read_html(data)
    assert message in str(error.value)


def test_without_lxml_pages_are_written_and_a_line_says_how_to_compare_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    assert read(PAGE).written([(), ()]) == PAGE.encode()
    with pytest.raises(MissingExtra, match=r"lxml is needed\. Run: pip install 'rewrite-rerank\[documents\]'"):
        read(PAGE).structure()


BROKEN = [
    "<p>Один два три четыре <b>пять шесть<p>семь восемь</b> девять десять одиннадцать двенадцать",
    "<b><p>Один два <i>три</b> четыре пять</i> шесть семь</p></b></i></div></html> восемь девять десять одиннадцать",
    "<a href=1>Один два три <a href=2>четыре пять шесть</a> семь</a> восемь девять <a name=x/>десять одиннадцать",
    "<table>Один два три четыре пять<tr>шесть семь восемь девять<td>десять <b>один два три четыре",
    "<div><span>Один два три<div>четыре пять шесть семь</div>восемь</span> девять десять одиннадцать двенадцать</div>",
    "<p>Один <code>два три<p>четыре пять шесть семь восемь</code> девять десять одиннадцать двенадцать",
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script src="a"/><title/><p>Один<a id="x"/> два '
    "три четыре <i/>пять шесть <![CDATA[семь]]> восемь",
    "<p>Один &lt;два&gt; R&D &notin; три &amp четыре &#x; &bogus; пять &#0; &nGt; шесть семь < восемь <девять",
    "<svg><p>Один два три четыре</svg></p>пять <svg/>шесть семь восемь девять<select><option>раз два три четыре",
    "<p>\n\n Один   два<br\n>три <wbr>четыре &#32; &#10;пять <!-- --> <i> </i> шесть семь<img src=a> восемь \n",
]


@pytest.mark.parametrize("source", BROKEN)
def test_broken_pages_keep_their_structure_whatever_their_words_become(source: str) -> None:
    for seed in range(20):
        check(source.encode(), random.Random(seed))


def real_pages() -> Iterator[Path]:
    folders = (Path(sys.prefix), Path("/usr/share/doc"), Path("/usr/lib/libreoffice"), Path(random.__file__).parent)
    pages = [page for folder in folders for page in sorted(folder.rglob("*.htm*")) if page.is_file()]
    return iter([page for page in pages if 500 < page.stat().st_size < 100_000][:40])


def test_real_pages_keep_their_structure() -> None:
    pages = edited = refused = 0
    for page in real_pages():
        data = page.read_bytes()
        try:
            of_page = check(data, random.Random(0))
        except BadInput:
            continue
        pages, edited, refused = pages + 1, edited + of_page[0], refused + of_page[1]
    if not pages:
        pytest.skip("there are no HTML pages on this machine")
    assert refused <= 0.01 * edited


def russian_page(lines: Sequence[str], chance: random.Random) -> str:
    """A page of `lines` in which words at random are in tags of their own."""

    def marked(word: str) -> str:
        name = chance.choice(("b", "i", "em", "strong", "a href='#x'", "span class=y"))
        return f"<{name}>{word}</{name.split(' ', maxsplit=1)[0]}>" if chance.random() < 0.08 else word

    body = "\n".join(
        f"<p>{chance.choice((' ', chr(10))).join(map(marked, html.escape(line).split()))}</p>" for line in lines
    )
    return f"<!DOCTYPE html><html lang=ru><title>Страница</title>\n{body}\n"


def test_a_pipeline_simplifies_russian_pages_and_what_it_changes_keeps_its_marks() -> None:
    with need_data("rsse", "dev_sents.csv").open(encoding="utf-8", newline="") as file:
        sources = sorted({row["INPUT:source"] for row in csv.DictReader(file)})
    chance = random.Random(3)
    document = read(russian_page(chance.sample(sources, 40), chance))
    made = revisions(document.segments, Pipeline(Options(generator="edits")).run([s.text for s in document.segments]))
    changes = [[change for revision in mine for change in revision.changes] for mine in made]
    with_marks = [mine for segment, mine in zip(document.segments, changes, strict=True) if mine and segment.marks]
    assert len(with_marks) > 10
    written = document.written(changes)
    assert document.refused == []
    assert read_html(written).structure() == document.structure()
    assert {revision.changes for mine in made for revision in mine if revision.state == "marks"} == {()}


def test_marks_that_would_be_lost_are_refused_and_the_rest_is_written() -> None:
    document = read(f"<p>{SENTENCE}<p>{SENTENCE}")
    segment = document.segments[0]
    lost = [Change(11, 18, "", ())]
    written = document.written([lost, whole(segment, "Сотрудники нового отдела проверяют документы.")])
    assert document.refused == [0]
    assert written.decode() == f"<p>{SENTENCE}<p>Сотрудники <b>нового</b> отдела проверяют документы."


@pytest.mark.parametrize(
    "other",
    [
        PAGE.replace("<b>", "<i>").replace("</b>", "</i>"),
        PAGE.replace('"ru"', '"en"'),
        PAGE.replace("<p>", "<p><!-- -->"),
        PAGE.replace("</title>", "</title><script>a</script>"),
        PAGE.replace("<b>нового</b> отдела", "<b>нового отдела<b>"),
    ],
)
def test_structure_is_everything_but_words(other: str) -> None:
    assert read(PAGE).structure() == read(PAGE.replace("нового", "старого")).structure()
    assert read(PAGE).structure() != read(other).structure()


@pytest.mark.parametrize(
    "source",
    [
        f"<p>{SENTENCE}</p>\n" * 10_000,
        "<div>" * 10_000 + SENTENCE + "</div>" * 10_000,
        "<b>" * 10_000 + f"<p>{SENTENCE}" * 1_000,
        "<p>" + "<b>" * 10_000 + SENTENCE + "</b>" * 10_000,
        "<tr><td>Слово <td><b><code>за словом" * 8_000,
        "<!-- " * 200_000,
        "<a x='" * 200_000,
        "&amp" * 50_000,
    ],
)
def test_large_deep_and_unending_pages_take_no_long(source: str) -> None:
    begin = time.process_time()
    document = read(source)
    changes = [()] * len(document.segments)
    assert document.written(changes) == source.encode()
    document.structure()
    assert time.process_time() - begin < 20


def test_a_paragraph_of_hundreds_of_marks_takes_no_long() -> None:
    begin = time.process_time()
    edited, refused = check(f"<p>{f'{SENTENCE}<img> ' * 400}".encode(), random.Random(0), most=400)
    assert (edited, refused) == (1, 0)
    assert time.process_time() - begin < 20
