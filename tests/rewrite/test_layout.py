"""Texts of several lines cut into sentences, and what stands between them."""

from __future__ import annotations

import gzip
import lzma
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rerank.weights import Weights
from rewrite.commands.lines import text_line
from rewrite.compression import word_analysis
from rewrite.compression.compressor import COMPRESS
from rewrite.layout import Layout, by_lines, looks_wrapped, skip_reason, split, untouchable
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result, SentenceResult
from rewrite.splitting.splitter import SPLIT, sentences_in
from tests.paths import need_data

CUTS = [split, sentences_in, lambda line: COMPRESS.layout(line, "ru")]
SKIPS = [skip_reason, SPLIT.skip, word_analysis.skip_reason]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Заголовок\n\nКошка спала. Она устала.\r\n", ["Заголовок", "Кошка спала.", "Она устала."]),
        ("Нужны:\n- паспорт;\n- справка о доходах\n", ["Нужны:", "паспорт;", "справка о доходах"]),
        ("— Да, — сказал он.\n  1. Кошка спала.", ["— Да, — сказал он.", "Кошка спала."]),
        ("-- Да, -- сказал он.\n-- Кошка спала.", ["-- Да, -- сказал он.", "Кошка спала."]),
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


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("\tКошка спала.\tОна устала.  ", ["Кошка спала.", "Она устала."]),
        ("| Кошка спала | 12 | Она устала |", ["Кошка спала", "12", "Она устала"]),
        ("|Кошка спала|12|Она устала|", ["Кошка спала", "12", "Она устала"]),
        ("Кошка спала | Она устала", ["Кошка спала", "Она устала"]),
        ("Подписал:          Кошкин   ", ["Подписал:", "Кошкин"]),
        ("- Кошка спала.", ["Кошка спала."]),
        ("  – 1.2.3. Кошка  спала.", ["Кошка  спала."]),
        ("1.2. Кошка спала.", ["Кошка спала."]),
        ("1.2.3 Кошка спала.", ["Кошка спала."]),
        ("§ 5. Кошка спала.", ["Кошка спала."]),
        ("(1) Кошка спала.", ["Кошка спала."]),
        ("IV. Кошка спала.", ["Кошка спала."]),
        ("## Кошка спала.", ["Кошка спала."]),
        ("— Да. — Пойдём.", ["Да.", "Пойдём."]),
        ("— Да, — сказал он. — Пойдём.", ["— Да, — сказал он.", "Пойдём."]),
        ("— Кошка, — сказал он, — спала.", ["— Кошка, — сказал он, — спала."]),
        ("— проведение работ;", ["проведение работ;"]),
        ("2.5 кошки спали.", ["2.5 кошки спали."]),
        ("Кошка,\tкоторая спала, устала.", ["Кошка,\tкоторая спала, устала."]),
        ("Кошка \\| собака", ["Кошка \\| собака"]),
    ],
)
def test_signs_of_a_list_and_borders_of_cells_are_no_words(
    line: str, sentences: list[str], cut: Callable[[str], Layout]
) -> None:
    layout = by_lines(line, cut)
    assert list(layout.sentences) == sentences
    assert layout.join(layout.sentences) == line


@given(st.text(st.sampled_from("аБ.!,;— -\t\n|1)§\u00a0\r\\")))
def test_nothing_is_lost_between_sentences(text: str) -> None:
    for cut in (split, sentences_in):
        layout = by_lines(text, cut)
        assert layout.join(layout.sentences) == text


def test_what_tells_who_speaks_stands_as_it_is() -> None:
    reasons = {skip("— Кошка, — тихо сказал он нам, — давно спала.", "ru") for skip in SKIPS}
    assert reasons == {"direct speech with words of its teller"}
    assert {skip("Кошка,\tкоторая спала на старом диване, устала.", "ru") for skip in SKIPS} == {"a tab inside"}


def test_tags_of_html_are_no_words() -> None:
    for text in (
        "Кошка, которая спала на <b>старом</b> диване, устала.",
        'The cat that slept on the <a href="sofa.html">old sofa</a> was tired.',
        "Кошка спала на диване.<BR/>",
    ):
        assert {skip(text, language) for skip in SKIPS for language in ("ru", "en")} >= {"tags of HTML"}, text
        assert untouchable(text) == "tags of HTML"
    for text in ("Если a<b и c>d, кошка спит на диване.", "The <unk> cat slept on a sofa, as a <br wrote."):
        assert not untouchable(text)


def test_wrapped_paragraphs_are_told_from_lines_that_stand_alone() -> None:
    paragraph = "Движение по мосту через реку было приостановлено, так как начались работы, о которых мы писали ранее. "
    for width in (40, 72, 100):
        wrapped = [line for _ in range(5) for line in [*textwrap.wrap(paragraph * 4, width), ""]]
        assert looks_wrapped(wrapped)
    assert not looks_wrapped([paragraph.strip()] * 50)
    assert not looks_wrapped([f"{paragraph.lower()}." for _ in range(50)])
    assert not looks_wrapped([paragraph.lower().rstrip(" .")[: 40 + 7 * i] for i in range(9)])
    assert not looks_wrapped(["кошка", "собака", "корова"] * 50)
    assert not looks_wrapped([])


@pytest.mark.parametrize(
    "corpus", ["asset/asset.*", "bisect/valid.*", "desse_minwiki/MinWiki/*", "desse_minwiki/ACL2021/*"]
)
def test_corpora_of_a_sentence_a_line_are_not_wrapped(corpus: str) -> None:
    folder, _, files = corpus.rpartition("/")
    for path in need_data(folder).glob(files):
        with path.open(encoding="utf-8") as text:
            lines = list(islice(text, 2_000))
        assert not looks_wrapped(lines), path
        assert not looks_wrapped(line.lower().rstrip(" .!?…\n") for line in lines), path


def test_of_all_data_only_books_and_licences_are_wrapped() -> None:
    openers: dict[str, Any] = {".xz": lzma.open, ".gz": gzip.open}
    for path in need_data(".").rglob("*"):
        if path.is_file() and not {".tar", ".zip"} & set(path.suffixes) and "textsbygrade" not in path.parts:
            with openers.get(path.suffix, open)(path, "rb") as file:
                head = [line.decode("utf-8", "replace") for line in islice(file, 500)]
            assert not looks_wrapped(head) or path.stem == "LICENSE", path


def test_pathological_lines_take_no_time() -> None:
    began = time.process_time()
    for line in (" " * 100_000, "\t" * 100_000, "| " * 50_000, "1." * 50_000, "- " * 50_000, "— а, " * 20_000):
        by_lines(line, lambda cell: Layout((cell,), ("", "")))
    assert Pipeline(Options(generator="edits")).language_of("а" * 200_000) == "ru"
    assert by_lines("\n" * 200_000, split).sentences == ()
    assert time.process_time() - began < 5


def test_of_several_rewrites_none_loses_its_spacing() -> None:
    layout = Layout(("Кошка спала.", "Она устала."), ("  ", "\t", "  "))
    sentences = tuple(SentenceResult(sentence) for sentence in layout.sentences)
    result = Result("", sentences, layout, Weights({}), Options(best=2), "")
    assert text_line(result) == ""
    whole = replace(result, source=layout.join(layout.sentences))
    assert text_line(whole) == "  Кошка спала.\\tОна устала.  "
    assert result.lines == ("Кошка спала.\tОна устала.",)
