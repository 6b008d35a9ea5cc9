"""The filter of words that a weak model makes up: «ощутому», «волшебникник».

A word is known where the dictionary has it, where it is regularly made from words there, or where it may be a form, a
derivative or a transliteration of a word of the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rerank.frequency import fold
from rerank.morphology import Morphology
from rewrite.cleaning.context import Context, language, words

_RUSSIAN = re.compile(r"[а-яё]+", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_STRESS = str.maketrans("", "", "\u0300\u0301")
_JOINT = re.compile(r"[-'’]")
# «ЦСКА», «ВУЗов», «кВт», «МэВ».
_ACRONYM = re.compile(r"[А-ЯЁ]{2,6}[а-яё]{0,3}|[а-яё]{1,2}[А-ЯЁ][а-яё]?|[А-ЯЁ][а-яё][А-ЯЁ]")
# Before a full stop after which the sentence goes on: «соц. сети».
_ABBREVIATION = re.compile(r"\b[А-ЯЁа-яё][а-яё]{2,4}(?=\.\s*[-а-яё\d,;)])")
_SHORTEST, _SHORTEST_LINK = 3, 4
# Of a source in another Slavic language about half of the words are in no Russian dictionary; in Russian, one in five.
_FOREIGN = 1 / 3


def invented_words(text: str, context: Context) -> bool:
    """Rejects a Russian word that neither the dictionary nor the source has, nor anything from which it could come."""
    if language(context.source) != "ru":
        return False
    source = context.source.translate(_STRESS)
    there = set(map(spelling, _own(source)))
    parts = _parts(_ABBREVIATION.sub("", text.translate(_STRESS)))
    new = [part for part in parts if spelling(part) not in there and not is_word(part)]
    return bool(new) and any(_unrelated(new, source))


def _own(source: str) -> set[str]:
    """The Russian words of `source`; those with a hyphen by their parts, and as they are written without it."""
    joined = (_JOINT.sub("", word) for word in words(source))
    return {fold(word) for word in (*_RUSSIAN.findall(source), *filter(_RUSSIAN.fullmatch, joined))}


def _parts(text: str) -> Iterator[str]:
    """The Russian words of `text` to look up; of one with a hyphen that is no word as a whole, its parts."""
    for word in words(text):
        parts = _JOINT.split(word)
        if any(map(str.isdigit, word)) or (len(parts) > 1 and is_word(word)):
            continue
        for place, part in enumerate(parts, start=1):
            # «англо-», «северо-»
            link = place < len(parts) and part[-1] in "ое" and len(part) >= _SHORTEST_LINK
            if len(part) >= _SHORTEST and not link and _RUSSIAN.fullmatch(part) and not _ACRONYM.fullmatch(part):
                yield part


def _unrelated(new: Sequence[str], source: str) -> Iterator[str]:
    """Those of the unknown words `new` that have no kin among the rare words and foreign names of the source.

    A common word of the source is no excuse: all of its forms are in the dictionary. None where the source has so many
    unknown words that it must be in another language.
    """
    own = _own(source)
    rare = {word for word in own if len(word) >= _SHORTEST and not is_word(word)}
    if len(rare) > _FOREIGN * len(own):
        return
    kin = set().union(*map(stems, rare))
    sounds = {sound(word) for word in _LATIN.findall(source)} - {""}
    for word in new:
        own_stems = stems(word)
        if own_stems.isdisjoint(kin) and sounds.isdisjoint(map(sound, own_stems)):
            yield word


_ENDINGS = frozenset(
    """а я о е у ю ы и й ой ей ий ый ая яя ое ее ые ие ую юю ом ем ым им ам ям ах ях ых их ов ев ого его ому ему ыми ими
    ами ями ою ею ия ию ии ией ием иям иях""".split()
) | {""}
_LONGEST_ENDING = max(map(len, _ENDINGS))
# From a name to its adjective or its people, and back: «Гондор», «гондорский», «гондорец».
_SUFFIXES = ("ск", "овск", "евск", "инск", "анск", "ийск", "н", "к", "ец", "ц", "овец", "овц", "ист", "изм", "ов", "ев")
_FLEETING = re.compile(r"[ео](?=[бвгджзклмнпрстфхцчшщ]$)")
_DOUBLE = re.compile(r"(.)\1+")
_VARIANTS = str.maketrans("э", "е", "ьъ")
_SHORTEST_STEM, _SHORTEST_ROOT, _SHORTEST_SOUND = 3, 4, 2
# Consonants by which one alphabet may write the other's, classed as in Soundex. Vowels, h, w and в say nothing.
_CLASSES = ("bfpбпф", "cgkqsxzгжзксхцчшщ", "dtдт", "lл", "mnмн", "rр")
_SOUNDS = {ord(letter): str(number) for number, letters in enumerate(_CLASSES) for letter in letters}
_SILENT = re.compile(r"\D")


def spelling(word: str) -> str:
    """`word` as all of its variants would be spelt: э as е, double letters single, no ь or ъ."""
    return _single(word).translate(_VARIANTS)


def stems(word: str) -> set[str]:
    """What is left of the `spelling` of a word without one of the endings it may have, and a suffix before that."""
    plain = spelling(word)
    cut = {plain[: len(plain) - size] for size in range(_LONGEST_ENDING + 1) if plain[len(plain) - size :] in _ENDINGS}
    cut |= {_FLEETING.sub("", stem) for stem in cut}
    roots = {stem.removesuffix(suffix) for stem in cut for suffix in _SUFFIXES if stem.endswith(suffix)}
    return {stem for stem in cut if len(stem) >= _SHORTEST_STEM} | {
        root for root in roots if len(root) >= _SHORTEST_ROOT
    }


def sound(word: str) -> str:
    """The consonants of a Latin or Russian word by classes, equal for «Майнкрафт» and “Minecraft”; empty where there
    are too few to tell words apart."""
    heard = _SILENT.sub("", _single(word).translate(_SOUNDS))
    return heard if len(heard) >= _SHORTEST_SOUND else ""


def _single(word: str) -> str:
    return _DOUBLE.sub(r"\1", fold(word))


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
