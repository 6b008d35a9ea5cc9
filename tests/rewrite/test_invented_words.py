"""The filter of invented words: what a weak model makes up goes, what people may well write stays."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from rewrite.cleaning import Context, clean
from rewrite.cleaning.filters import FILTERS
from rewrite.cleaning.invention import invented_words, is_word
from rewrite.datasets import load_rsse
from tests.paths import need_data
from tests.processor import at_most

_PART = re.compile(r"[^\W\d_]+")
BRIDGE = "Движение по мосту через Волгу было временно приостановлено из-за ощутимого износа."
NAMES = "Профессор Ёнкерс преподавал в Гондоре, где жили караханиды, и играл в Minecraft с Йэрэном."

INVENTED = ["ощутому", "сифилисный", "волшебникник", "аудительный", "успехным", "помогутёт", "церковому", "Машашно"]
ORDINARY = ["трёхэтажный", "ёлка", "елка", "аферой", "северо-западный", "кое-где", "интернет-магазин", "например"]
MADE = [
    "супергерой", "киберспортсмена", "двадцатипятилетнему", "двухголовый", "сельхозтехника", "незапланированный",
    "послематчевой", "задокументировать", "тактически", "номинировали", "хэштегом", "Хештег",
]  # fmt: skip
NOT_MADE = ["деполенты", "мостодела", "густодены", "заставя", "поготу", "непонга", "реская", "хорошиеся"]

# text, source
KEPT = [
    ("Ёнкерсе знали.", NAMES),
    ("Енкерсу и Йеренам нравилось.", NAMES),
    ("Там жил гондорец, а гондорские караханидки ушли.", NAMES),
    ("Он играл в «Майнкрафт».", NAMES),
    ("Ощутимый износ моста, 2-го и 10-тиэтажного.", BRIDGE),
    ("Мост закрыли ЦСКА, КБМС и ВУЗов без кВт и МэВ.", BRIDGE),
    ("Мост закрыл хим. завод и соц.сети.", BRIDGE),
    ("Мо\u0301ст че\u0301рез Во\u0301лгу закры\u0301ли.", BRIDGE),
    ("Англо-русский и чем-нибудь занятый мост.", BRIDGE),
    ("Мост в Нью-Йорке и Санкт-Петербурге.", BRIDGE),
    ("Мост Жанны д’Арк закрыли.", BRIDGE),
    ("Мост закрыли (bridge, Mост).", BRIDGE),
    ("Грамположительные бактерии.", "Бактерии бывают грам-положительными."),
    ("Манхэттэн рос.", "Бурно разрастался Манхеттен."),
    ("Рух мостом зупинили через ремонт дороги.", "Через ремонтні роботи рух мостом тимчасово призупинено."),
    ("Мостът е затворен сега.", "Във връзка с ремонта движението по моста временно е спряно."),
    ("Мост ощутому.", "The bridge has been closed."),
    ("The brigde is closd.", "The bridge has been closed."),
    ("Мост закрыл Ёнкеррот.", NAMES),
    ("", BRIDGE),
]  # fmt: skip

REJECTED = [
    ("Мост дал ощутому износ.", BRIDGE),
    ("Мост закрыли вгороде.", BRIDGE),
    ("Закрыли англо-руссаткий мост.", BRIDGE),
]


@pytest.mark.parametrize("word", [*INVENTED, *NOT_MADE])
def test_an_invented_word_is_none(word: str) -> None:
    assert not is_word(word)


@pytest.mark.parametrize("word", [*ORDINARY, *MADE])
def test_a_word_that_anybody_may_use_is_one(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize(("text", "source"), KEPT)
def test_words_of_the_source_in_other_forms_and_signs_are_kept(text: str, source: str) -> None:
    assert not invented_words(text, Context(source))


@pytest.mark.parametrize(("text", "source"), REJECTED)
def test_a_text_with_an_invented_word_is_rejected(text: str, source: str) -> None:
    assert invented_words(text, Context(source))
    assert clean(text, source).dropped == "invented words"


def test_a_form_of_a_common_word_of_the_source_has_to_be_right() -> None:
    assert invented_words("Поёт церковому хору.", Context("Церковный хор поёт."))
    assert not invented_words("Церковному хору.", Context("Церковный хор поёт."))


def test_a_misspelling_that_the_source_has_is_kept() -> None:
    assert not invented_words("Мост дал ощутому износ.", Context(f"{BRIDGE} Ощутому!"))


def test_cheaper_filters_are_asked_first() -> None:
    assert FILTERS[-1] is invented_words
    assert clean("Мост мост ощутому.", BRIDGE).dropped == "repeated words"


def test_the_dictionary_is_read_only_for_a_russian_word_that_is_new() -> None:
    code = (
        "import sys; from rewrite.cleaning import clean\n"
        "clean('The bridge is closd.', 'The bridge over the Volga has been closed.')\n"
        "clean('Мост через Волгу закрыт.', 'Большой мост через Волгу был закрыт.')\n"
        "assert 'pymorphy3' not in sys.modules\n"
        "assert clean('Мост ощутому.', 'Большой мост через Волгу был закрыт.').dropped == 'invented words'\n"
        "assert 'pymorphy3' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_thousands_of_samples_take_no_long_time() -> None:
    context = Context(NAMES)
    assert is_word("мост")
    with at_most(10):
        for number in range(2_000):
            invented_words(f"Мост закрыли, и {'а' * (number % 50)}люди {INVENTED[number % 8]} ждут парома.", context)


def test_references_are_rejected_for_their_misspellings_and_hardly_for_good_words() -> None:
    examples = load_rsse(need_data("rsse", "dev_sents.csv"))
    texts = [(text, Context(example.source)) for example in examples for text in example.references]
    rejected = [(text, context) for text, context in texts if invented_words(text, context)]
    assert len(rejected) / len(texts) < 0.06
    found = {word for text, context in rejected for word in _PART.findall(text) if invented_words(word, context)}
    assert {"хрисьианстве", "лабаратории", "становятсядебилами"} <= found
    assert not found & {"репосты", "тактически", "Караханидов", "Майнкрафт", "Нацгвардия", "Санкт", "нибудь"}
