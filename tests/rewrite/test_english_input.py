"""Odd English lines: what `rewrite split` and `rewrite simplify` leave alone, and why, and what they rewrite."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rerank.types import Candidate
from rewrite import SplitOptions, Splitter
from rewrite.generators.replay import Recorder
from rewrite.layout import no_english_sentence
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.rewrite.splitting.marking import analyzer

MILK = "Milk, two litres, and bread, which should be fresh"
ITEM = "an item of a list without a final stop"
RUSSIAN = "a quarter of its words or more are Cyrillic"
BRIDGE = "The bridge was built in 1909 by the town, and it was closed in 2004 by the state."
BUILT, CLOSED = "The bridge was built in 1909 by the town.", "It was closed in 2004 by the state."
LEFT_ALONE = [
    (" and ".join(["the river that runs through the old town was high"] * 46) + ".", "more than 200 words"),
    *((f"{mark} {MILK}", ITEM) for mark in ("-", "*", "•", "1.", "2)")),
    (
        "for i in range(10): print(i); x = i * 2  # and it is printed every time the loop runs, because it is useful",
        "code",
    ),
    ('x = load("abc", 3)  # and it loads the value of it, which is used later', "code"),
    ("var total = price * count + tax - rebate;", "code"),
    ("SELECT name, age FROM users WHERE age > 30 ORDER BY name, age", "code"),
    ("from os import path, sep and more of them", "code"),
    (
        "Встреча была attended by представители of the ministry, и они решили, "
        "that the project would be stopped next year.",
        RUSSIAN,
    ),
    ("Город стоит на реке, и в нём живут люди из разных стран.", RUSSIAN),
]
SPLIT = {
    f"{BRIDGE} Alan Shepard was born in Rome and he served as the Chief of the Astronaut Office.": (
        BUILT,
        CLOSED,
        "Alan Shepard was born in Rome.",
        "He served as the Chief of the Astronaut Office.",
    ),
    "Dr. J. F. Smith of St. Albans met the U.S. Army in Rome, and he left for Paris at 5 p.m. on Jan. 3.": (
        "Dr. J. F. Smith of St. Albans met the U.S. Army in Rome.",
        "He left for Paris at 5 p.m. on Jan. 3.",
    ),
    '"Yana Yana" (in Arabic يانا يانا) is a famous Arabic language song, and it was written by Sabah in 1981.': (
        '"Yana Yana" (in Arabic يانا يانا) is a famous Arabic language song.',
        "It was written by Sabah in 1981.",
    ),
    "Mikhail Gorbachev (Russian: Михаил Сергеевич Горбачёв) was born in Stavropol, and he led the country.": (
        "Mikhail Gorbachev (Russian: Михаил Сергеевич Горбачёв) was born in Stavropol.",
        "He led the country.",
    ),
    f"- {BRIDGE}": (f"- {BUILT}", CLOSED),
    f" 1. {BRIDGE}": (f"1. {BUILT}", CLOSED),
    "MAYOR JOHN SMITH OPENED THE NEW BRIDGE IN ROME IN 2004, AND HE SAID THAT IT WAS SAFE.": (
        "MAYOR JOHN SMITH OPENED THE NEW BRIDGE IN ROME IN 2004.",
        "HE SAID THAT IT WAS SAFE.",
    ),
    "The report is at https://example.org/a-b/c?d=1,2&e=f, and it was written by John Smith in 2004.": (
        "The report is at https://example.org/a-b/c?d=1,2&e=f.",
        "It was written by John Smith in 2004.",
    ),
    **{
        whole: (whole,)
        for whole in (
            "A long and winding road through the hills of northern Spain, with views of the sea and of the mountains.",
            '"The bridge," he said (and he meant the old one), "was built in 1909, and it was closed in 2004."',
        )
    },
}


@cache
def splitter() -> Splitter:
    return Splitter(SplitOptions(generator="splitter", lang="en"), analyzer=analyzer())


def simplified(tmp_path: Path, source: str, *texts: str) -> Pipeline:
    """A pipeline that chooses from `texts` for `source`, whatever they risk."""
    path = tmp_path / "drawn.jsonl"
    Recorder(str(path)).write(source, [Candidate(text, "ct2", -3.0, 12) for text in texts])
    eager = {"caution": 0.0, "similarity": 0.0, "likelihood": 0.0, "structure": 0.0}
    return Pipeline(Options(generator=f"replay:{path}", lang="en", weights=eager))


@pytest.mark.parametrize(("text", "reason"), LEFT_ALONE)
def test_what_is_left_alone_says_why(tmp_path: Path, text: str, reason: str) -> None:
    (splitting,) = splitter().run([text])
    assert (splitting.text, splitting.row()["kept"]) == (text, {text: reason})
    (simpler,) = simplified(tmp_path, text, "It is so.").run([text])
    assert (simpler.text, simpler.row()["skipped"]) == (text, reason)


@pytest.mark.parametrize("text", SPLIT)
def test_what_is_split(text: str) -> None:
    (splitting,) = splitter().run([text])
    assert splitting.lines == SPLIT[text]
    assert splitting.text.strip() == " ".join(splitting.lines)


@pytest.mark.parametrize("text", SPLIT)
def test_no_english_line_is_taken_for_anything_else(text: str) -> None:
    assert not no_english_sentence(text)
    assert splitter().task.language(text, SplitOptions()) == "en"


@pytest.mark.parametrize("mark", ["- ", "• ", "1. "])
def test_the_mark_of_a_list_stays_before_a_simplified_sentence(tmp_path: Path, mark: str) -> None:
    (simpler,) = simplified(tmp_path, BRIDGE, f"{BUILT} {CLOSED}").run([f"{mark}{BRIDGE}"])
    assert simpler.text == f"{mark}{BUILT} {CLOSED}"


@pytest.mark.parametrize(
    "text",
    [
        "Write to the author(s): see the address on page 3; the letter is short.",
        "The function f(x) = 2x + 3 is continuous, and y = 4 is a line.",
        "They import wine from France, and from Spain import taxes are low.",
        "E = mc is not the equation (see Table 2); it lacks a power.",
        "His film Кин-дза-дза and the novel Мастер и Маргарита are known all over the world, she said.",
        "It was late – and we went home without him",
    ],
)
def test_prose_with_signs_of_something_else_is_english(text: str) -> None:
    assert not no_english_sentence(text)
