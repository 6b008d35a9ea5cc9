"""Which Russian words there are: those of the dictionary, and those that are regularly made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rerank.frequency import fold
from rerank.morphology import Morphology

__all__ = ["is_word"]

_NOMINAL = frozenset({"NOUN", "ADJF", "ADJS", "ADVB", "COMP", "PRTF", "PRTS"})
_DESCRIBING = _NOMINAL - {"NOUN", "COMP"}
_VERBAL = frozenset({"VERB", "INFN", "GRND", "PRTF", "PRTS"})
# First parts that go with nearly any noun or adjective: «киберспорт», «экстрасенсорный».
_FIRST_PARTS = frozenset(
    """авиа авто агит агро аква анти арт архи астро аудио аэро бензо био вело вибро видео вице внутри высоко газо гастро
    ген гео гидро гипер гипо глав гос гум дип евро зам зоо иммуно инвест инно инфо интер йодо квази кибер кино контр
    космо крипто лже лимфо макро мало мат мега мед медиа меж метео микро мин мини моно мото мульт мульти нано нарко нац
    нач нейро нефте низко обер обл обще около онко орто палео пан пара пневмо поли полит полу порно пост пресс пром
    прото противо псевдо психо радио развед разно ретро рос само сверх сельхоз соц спец спорт средне стерео суб супер
    теле тепло термо тех топ транс турбо ультра физ фин фито фото хоз экзо эко экс экстра электро эндо энерго
    этно""".split()
)
_COMMON_NUMERALS = ("одно", "двух", "трех", "четырех", "пяти", "много")
_NUMERALS = frozenset(
    """одно дву двух трех четырех пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати четырнадцати
    пятнадцати шестнадцати семнадцати восемнадцати девятнадцати двадцати тридцати сорока пятидесяти шестидесяти
    семидесяти восьмидесяти девяносто сто двухсот трехсот четырехсот пятисот много""".split()
)
_BEFORE_ADJECTIVES = frozenset({"без", "вне", "меж", "не", "под", "после", "пред", "при", "про"})
_BEFORE_VERBS = frozenset({"до", "за", "на", "недо", "пере", "по"})
# Which the dictionary has only joined to something by a hyphen.
_BOUND = frozenset({"клукс", "нибудь", "нью", "санкт"})
# Roots of words of today that the dictionary has not got.
_MISSING = "|".join(
    """активизм аятолл биткоин битлов блокчейн бобслеист брексит вайфа вейп визуализир волонтерств геймпле
    глобализм гуглит дистанцир имплант имплементац иноагент капучино каршеринг к[еэ]шб[еэ]к ковид коворкинг
    конфликтолог коуч латте майнер максимизир моджахед мониторит морпех номинир озвучк олигархат отстыков
    паблик пиарит портирова пристыков радикализ растиражир реконструктор рекрутир репост смузи сноуборд
    спонсир стендап талибск твитн телеграм тикток токен триатлон турков увековечив уикенд фанатск фейсбук
    физлиц фл[еэ]шб[еэ]к футуролог харассмент хейт х[еэ]штег хусит цензурир цифровиз шаурм экстрадир юниорк
    ютуб""".split()
)
_TODAY = re.compile(f"(?:{_MISSING})[а-я]{{0,7}}")
_ADJECTIVES = ("ый", "ий", "ой")
_QUALITIES = ("ость", "ости", "остью", "остей", "остям", "остями", "остях")
# Shorter rests are words by chance: «до|рога», «за|ставя».
_REST, _COMPOUND_REST, _VERB_REST = 4, 6, 7


def is_word(word: str) -> bool:
    """Whether `word`, a run of Russian letters in any case, is in the dictionary or regularly made from a word there.

    Loads the dictionary at the first call.
    """
    lower, folded = word.lower(), fold(word)
    return _known(lower) or _known(folded) or any(_readings(folded))


def _readings(word: str) -> Iterator[bool]:
    """Whether each of the ways to be a word without standing in the dictionary is that of `word`."""
    yield word in _BOUND or word in _FIRST_PARTS or word in _NUMERALS
    yield _TODAY.fullmatch(word) is not None
    yield word.endswith("ски") and _known(f"{word}й")
    yield any(_adjective(word.removesuffix(ending)) for ending in _QUALITIES if word.endswith(ending))
    for place in range(2, len(word) - _REST + 1):
        yield _joined(word[:place], word[place:])


def _joined(first: str, rest: str) -> bool:
    """Whether a word of these two parts needs no dictionary: «киберспорт», «несъёмный», «задокументировать»."""
    if first in _NUMERALS and any(_known(other + rest) for other in _COMMON_NUMERALS):
        return True
    if first in _FIRST_PARTS or first in _NUMERALS:
        return _is(rest, _NOMINAL)
    if first in _BEFORE_ADJECTIVES:
        return len(rest) > _REST and _is(rest, _DESCRIBING)
    if first in _BEFORE_VERBS:
        return len(rest) >= _VERB_REST and _is(rest, _VERBAL)
    return first[-1] in "ое" and len(rest) >= _COMPOUND_REST and _adjective(first[:-1]) and _is(rest, _NOMINAL)


def _adjective(stem: str) -> bool:
    return len(stem) > 2 and any(_is(stem + ending, _DESCRIBING) for ending in _ADJECTIVES)


def _is(word: str, parts_of_speech: frozenset[str]) -> bool:
    return _known(word) and any(parse.pos in parts_of_speech for parse in _morphology().parse(word))


def _known(word: str) -> bool:
    return _morphology().known(word)


@lru_cache(maxsize=1)
def _morphology() -> Morphology:
    """Kept for the process, since a rule is a function and has nowhere to keep it."""
    return Morphology(cache_size=2_000)
