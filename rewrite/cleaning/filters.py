"""Filters of texts that are no rewrite of the source, or that show what went wrong in writing them; chatty openers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from rerank.frequency import fold
from rewrite.cleaning.context import CLOSERS, Context, Filter, begins_like, language, script, words
from rewrite.cleaning.invention import invented_words
from rewrite.cleaning.repairs import DANGLING, LOST, SPECIAL, is_complete

_APOSTROPHE = re.compile(r"['’]")

# Each group holds what may stand for the same thing, in all its forms; a form may be in several.
_PRONOUNS: dict[str, tuple[str, ...]] = {
    "ru": (
        "он его него ему нему им ним нем",
        "она ее нее ей ней ею нею",
        "оно его него ему нему им ним нем",
        "они их них им ним ими ними",
        "я меня мне мной мною мой моя мое мои моего моей моему моим моих моими моем мою",
        "этот эта это эти этого этой этому этим этом этих этими эту "
        "данный данная данное данные данного данной данному данным данном данных данными данную",
        "тот та то те того той тому тем том тех теми ту",
        "такой такая такое такие такого такому таким таком таких такими такую "
        "подобный подобная подобное подобные подобного подобной подобному подобным подобном подобных подобными",
    ),
    "en": (
        "he him his himself",
        "she her hers herself",
        "it its itself",
        "they them their theirs themselves",
        "i me my mine",
        "this these such",
        "that those such",
    ),
}
# Forms that stand only after a preposition, or that are something else where they begin a sentence: «Том», «Данные».
_NEVER_FIRST = frozenset(
    "него нему ним нем нее ней нею них ними мной мною том этом таком данные данных данным данными".split()
)
_LINKS: dict[str, tuple[str, ...]] = {
    "ru": tuple(
        "также, кроме того, кроме этого, помимо того, помимо этого, более того, к тому же, при этом, после этого, "
        "благодаря этому, в связи с этим, в связи с чем, в этой связи, поэтому, именно поэтому, вот почему, потому, "
        "оттого, так что, итак, значит, следовательно, вследствие этого, вследствие чего, в результате этого, в "
        "результате чего, из-за этого, из-за чего, ввиду этого, в силу этого, по этой причине, таким образом, тем "
        "самым, тем не менее, несмотря на это, однако, впрочем, зато, ведь, притом, причем, вместе с тем, между "
        "тем, наряду с этим, сверх того".split(", ")
    ),
    "en": tuple(
        "also, in addition, additionally, moreover, furthermore, after that, because of this, for this reason, "
        "therefore, thus, hence, consequently, nevertheless".split(", ")
    ),
}
# A source may begin with these where its rewrite has another link. A rewrite may too: «Затем» for «Позднее».
_WEAK_LINKS: dict[str, tuple[str, ...]] = {
    "ru": ("но", "а", "и", "в результате", "в итоге", "затем", "потом", "тогда", "наконец", "в то же время", "далее"),
    "en": ("but", "and", "so", "however", "as a result", "then", "finally", "yet", "still"),
}
# «Те, кто…» and “Those who…” point forward.
_FORWARD = frozenset("кто что чей где куда когда как который которая которое которые who which that whose of".split())
_FORWARD_FROM = frozenset("тот та то те того той тому тем тех теми ту those that such".split())

# “It is said that…” points nowhere.
_EMPTY_IT = frozenset(
    """said known believed thought assumed claimed reported estimated expected planned possible impossible likely
    unlikely important necessary hard difficult easy common usual true clear""".split()
)


def continuation_of_the_source(text: str, context: Context) -> bool:
    """Rejects a text that begins with a pronoun, determiner or link («Он…», «Кроме того…») that the source has not."""
    tongue = language(context.source)
    if not tongue:
        return False
    start, source = _folded(text), _folded(context.source)
    opener = _link(start, tongue) or _pronoun(start, tongue)
    # A source that points back itself may do so by another word: «Она» for «Эта женщина».
    return bool(opener) and not (
        _link(source, tongue)
        or _begins(source, _WEAK_LINKS[tongue])
        or _pronoun(source, tongue)
        or _said(opener, source, tongue)
    )


def _folded(text: str) -> list[str]:
    """The words of `text`; of “it's” and “they're” the first part."""
    return [_APOSTROPHE.split(fold(word))[0] for word in words(text)]


def _link(start: Sequence[str], tongue: str) -> str:
    return _begins(start, _LINKS[tongue])


def _begins(start: Sequence[str], links: Sequence[str]) -> str:
    begin = f"{' '.join(start[:5])} "
    return next((link for link in links if begin.startswith(f"{link} ")), "")


def _pronoun(start: Sequence[str], tongue: str) -> str:
    if not start or start[0] in _NEVER_FIRST or (start[0] in _FORWARD_FROM and _FORWARD & set(start[1:4])):
        return ""
    if start[0] == "it" and _EMPTY_IT & set(start[2:4]):
        return ""
    return start[0] if _groups(start[0], tongue) else ""


def _said(opener: str, source: Sequence[str], tongue: str) -> bool:
    if opener in _LINKS[tongue]:
        return f" {opener} " in f" {' '.join(source)} "
    return any(group & set(source) for group in _groups(opener, tongue))


def _groups(word: str, tongue: str) -> list[frozenset[str]]:
    return [group for forms in _PRONOUNS[tongue] if word in (group := frozenset(forms.split()))]


_FINAL = re.compile(rf"[\s.!?…{CLOSERS}«„‘]+$")
_SPACE = re.compile(r"\s+")
_SAME = str.maketrans("«»„“”‘’'–—−", '""""""""---')


def empty(text: str, context: Context) -> bool:
    """Rejects a text of which nothing is left."""
    return not text.strip()


def no_letters(text: str, context: Context) -> bool:
    """Rejects a text without a letter."""
    return not any(map(str.isalpha, text))


def lost_characters(text: str, context: Context) -> bool:
    """Rejects a text in which the tokenizer lost a letter, so that a word is broken."""
    return LOST.search(text) is not None


def prompt_leakage(text: str, context: Context) -> bool:
    """Rejects a text with a piece of the prompt or a special token in it, more often than in the source."""
    pieces = (*SPECIAL.findall(text), *filter(_telling, context.markers))
    return any(text.count(piece) > context.source.count(piece) for piece in pieces)


def unfinished(text: str, context: Context) -> bool:
    """Rejects a text that breaks off: the model had no room, or it ends in a comma, colon, dash or open bracket."""
    if not context.finished and not is_complete(text):
        return True
    end = DANGLING.search(text)
    return end is not None and not context.source.rstrip().endswith(end.group().strip())


def copy_of_the_source(text: str, context: Context) -> bool:
    """Rejects the source itself, up to case, spacing, ё or е, the shape of quotes and dashes and the final mark."""
    return _bare(text) == _bare(context.source)


def much_longer(text: str, context: Context) -> bool:
    """Rejects a text of more than twice the words of the source and five."""
    return len(words(text)) > 2 * len(words(context.source)) + 5


def _telling(marker: str) -> bool:
    """Whether a piece of a prompt is more than punctuation that any text may have."""
    piece = marker.strip()
    return any(map(str.isalpha, piece)) or len(piece) >= 3


def _bare(text: str) -> str:
    return _SPACE.sub(" ", _FINAL.sub("", fold(text)).translate(_SAME)).strip()


_WORD = re.compile(r"[^\W\d_]+")
# Russians type Roman numerals with their own letters too: «ХХ», «ХIV».
_NUMERAL_LIKE = str.maketrans("хсмі", "xcmi")
# Raised letters and the sign of «микро» are letters to Unicode, but of no script.
_OF_NO_SCRIPT = frozenset({"MODIFIER", "MASCULINE", "FEMININE", "MICRO", "OHM", "KELVIN", "ANGSTROM"})


def another_script(text: str, context: Context) -> bool:
    """Rejects letters of a writing system that the source has none of; Latin words in Russian have their own rule."""
    known = {script(letter) for letter in context.source if letter.isalpha()} | _OF_NO_SCRIPT
    if language(context.source) == "ru":
        known.add("LATIN")
    return any(letter.isalpha() and script(letter) not in known for letter in text)


def new_latin_words(text: str, context: Context) -> bool:
    """Rejects a Latin word or Roman numeral that a Russian source does not have, whatever its case."""
    if language(context.source) != "ru":
        return False
    there = set(_plain_words(context.source))
    there |= {word.translate(_NUMERAL_LIKE) for word in there}
    return any(word not in there and _scripts(word) == {"LATIN"} for word in _plain_words(text))


def mixed_alphabets(text: str, context: Context) -> bool:
    """Rejects a word with both Latin and Cyrillic letters, unless the source has that very word."""
    there = set(_plain_words(context.source))
    return any(word not in there and {"LATIN", "CYRILLIC"} <= _scripts(word) for word in _plain_words(text))


def _plain_words(text: str) -> list[str]:
    """Runs of letters, in lower case and without accents."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return _WORD.findall(bare.lower())


def _scripts(word: str) -> set[str]:
    return {script(letter) for letter in word}


_SORRY = (
    r"(?:(?:извини(?:те)?|прости(?:те)?|прошу прощения|к сожалению|увы|but|но|sorry|i['’]?m(?: very)? sorry"
    r"|i am(?: very)? sorry|i apologi[sz]e|my apologies|unfortunately)[,.!:;]*\s+)*"
)
_MODEL = (
    r"(?:языковая модель|искусственный интеллект|ии|ассистент"
    r"|(?:an? )?(?:ai(?: assistant| language model)?|(?:large )?language model))"
)
_GIVE = r"(?:пришлите|предоставьте|укажите|введите)"
_DO = (
    r"(?:помо[чг]\w*|помогать|упро[сщ]\w+|перефраз\w+|переп\w+|переформул\w+|выполн\w+|ответ\w+|обработ\w+"
    r"|предостав\w+|сдела\w+|обсужда\w+|help|assist|simplif\w+|re-?write|rephrase|split|do that|comply|answer"
    r"|provide|process|fulfil\w*)"
)
_REFUSALS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_SORRY}(?:я )?не (?:могу|смогу|в состоянии|в силах) (?:вам )?(?:с этим )?{_DO}\b",
        rf"{_SORRY}(?:i )?(?:can['’]?t|cannot|can not|am unable to|won['’]?t|am not able to) {_DO}\b",
        rf"{_SORRY}(?:я как|я|как|as|i['’]?m|i am)(?: an?)? {_MODEL}(?:[,.!]|$| я\b| i\b)",
        rf"{_SORRY}(?:пожалуйста,? )?{_GIVE}(?: мне)?(?: \w+)? (?:текст|предложение)\b",
        rf"{_SORRY}(?:please )?(?:provide|send|give) (?:me )?(?:the|a) (?:text|sentence)\b",
    )
)


def refusal(text: str, context: Context) -> bool:
    """Rejects a model's refusal, or its request for the text («Извините, я не могу…», “As an AI…”)."""
    start = fold(text).lstrip('«"“ ')
    matches = (pattern.match(start) for pattern in _REFUSALS)
    return any(match is not None and not begins_like(context.source, match.group()) for match in matches)


_LONGEST = 8
_OFTEN = 3
_STOP = re.compile(r"[.!?…]")
_TOKEN = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
# Words that may stand twice in a row: «еле еле», “had had”, “that that”.
_MAY_DOUBLE = frozenset(
    """очень да нет ну вот так чуть еле едва давно долго много все что то далеко тихо ха хи ой ай ого
    had that very so no bye ha long far many more really never again there""".split()
)


def repeated_words(text: str, context: Context) -> bool:
    """Rejects a word or phrase twice in a row, or three words said three times, unless the source repeats them so."""
    return not (_doubled(text) <= _doubled(context.source) and _stuck(text) <= _stuck(context.source))


def _doubled(text: str) -> set[tuple[str, ...]]:
    """What stands twice in a row: a word or two, a longer phrase of the same sentence, or a whole sentence."""
    tokens, gaps = _read(text)
    found: set[tuple[str, ...]] = set()
    for size in range(1, min(_LONGEST, len(tokens) // 2) + 1):
        for start in _places(tokens, size):
            phrase = tuple(tokens[start : start + size])
            if not set(phrase) <= _MAY_DOUBLE and not all(map(_number, phrase)) and _in_a_row(gaps, start, size):
                found.add(phrase)
    return found


def _in_a_row(gaps: Sequence[str], start: int, size: int) -> bool:
    """Whether the repetition is one to the eye: «…Западных тюрок. Западные тюрки…» is how a sentence is split."""
    between = gaps[start + size]
    if _STOP.search(between):
        return all(_STOP.search(gaps[place]) for place in (start, start + 2 * size))
    return size > 2 or all(map(str.isspace, gaps[start + 1 : start + 2 * size]))


def _places(tokens: Sequence[str], size: int) -> Iterator[int]:
    """Where `size` tokens are followed by the same ones."""
    run = 0
    for place in range(len(tokens) - size):
        run = run + 1 if tokens[place] == tokens[place + size] else 0
        if run >= size:
            yield place - size + 1


def _stuck(text: str) -> set[tuple[str, ...]]:
    tokens, _ = _read(text)
    counts = Counter(zip(tokens, tokens[1:], tokens[2:], strict=False))
    return {words for words, count in counts.items() if count >= _OFTEN and not all(map(_number, words))}


def _read(text: str) -> tuple[list[str], list[str]]:
    """The folded words of `text`, and what stands before each and after the last; the ends of a text count as stops."""
    tokens, gaps, position = [], [], 0
    for match in _TOKEN.finditer(text):
        tokens.append(fold(match.group()))
        gaps.append(text[position : match.start()])
        position = match.end()
    gaps.append(f"{text[position:]}.")
    gaps[0] = f".{gaps[0]}"
    return tokens, gaps


def _number(word: str) -> bool:
    return not any(map(str.isalpha, word))


FILTERS: tuple[Filter, ...] = (
    empty,
    no_letters,
    lost_characters,
    prompt_leakage,
    refusal,
    unfinished,
    copy_of_the_source,
    another_script,
    new_latin_words,
    mixed_alphabets,
    repeated_words,
    continuation_of_the_source,
    much_longer,
    # Last, since it alone reads a dictionary.
    invented_words,
)
"""In the order in which they are asked."""
