"""Mends what deletions leave behind: spaces, stray marks, the capital, the final stop, *a* for *an*, *в* for *во*."""

from __future__ import annotations

import re

# Words whose first sound their first letter does not tell.
_VOWEL = re.compile(r"[aeio]|u|h(?:our|onest|onor|onour|eir)")
_CONSONANT = re.compile(
    r"eu|ewe|one(?!r)|once|u(?:ni(?![nmd])|nan|s[aeu]|surp|biq|fo\b|kr|ran|rin|ter|ti|top|gand|rug)"
)
_EITHER = re.compile(r"herb|history|historic")
_EIGHT = re.compile(r"8|1[18](?:\b|,\d{3}\b)")
# Letters whose names begin with a vowel; words of capitals that begin with one of the latter may be read as words.
_NAMED_VOWEL, _NAMED_EITHER = frozenset("AEIO"), frozenset("FHLMNRSX")

_WORD = r"""[\"'“‘($€£¥]?(\w[\w'’-]*)"""
_ARTICLE = re.compile(rf"(?:\b(an?)|^(An?))(?=\s+{_WORD})")


def article_before(word: str) -> str | None:
    """`a` or `an`, as the first sound of `word` asks; `None` where it cannot be told, as of *FIFA* and *FBI*."""
    if word[:1].isdigit():
        return "an" if _EIGHT.match(word) else "a"
    if len(word) > 1 and (word.isupper() or word[1] in "-‑"):
        if word[0].upper() in _NAMED_EITHER:
            return None if word[1].isalnum() else "an"
        return "an" if word[0].upper() in _NAMED_VOWEL else "a"
    lower = word.lower()
    if not lower or not lower[0].isascii() or _EITHER.match(lower):
        return None
    return "an" if _VOWEL.match(lower) and not _CONSONANT.match(lower) else "a"


def with_fitting_articles(text: str, *, like: str) -> str:
    """`text` with *a* and *an* as the words after them ask; what stands so in `like`, its source, stays as it is."""

    def fitting(match: re.Match[str]) -> str:
        article, word = match[1] or match[2], match[3]
        wanted = article_before(word)
        written = rf"\b{article}\s+[\"'“‘($€£¥]?{re.escape(word)}(?!\w)"
        if wanted in (None, article.lower()) or re.search(written, like, re.IGNORECASE):
            return article
        return "An" if match[2] and wanted == "an" else "A" if match[2] else str(wanted)

    return _ARTICLE.sub(fitting, text)


# Only *во, со, ко, об*, and *о* before a vowel, are looked at: the forms that a change of the next word makes wrong.
_PREPOSITION = re.compile(
    r"\b([Вв]о|[Сс]о|[Кк]о|[Оо]б|[Вв](?= (?:[вф][^аеёиоуыэюя]|[ВФ][бвгджзйклмнпрстфхцчшщ]))|[Оо](?= [аэиоуАЭИОУ])"
    r"|[Сс](?= (?:[сзшж][^аеёиоуыэюя]|[СЗШЖ][бвгджзйклмнпрстфхцчшщ])))\s+(\w+)"
)
_V_CLUSTER = re.compile(r"[вф][^аеёиоуыэюяй\W]|мн[ео]|вс|много$|двор|дне|сне|рту|льд|имя|избеж|исполн")
_S_CLUSTER = re.compile(r"[сзшж][^аеёиоуыэюя\W]|щ|мн[ео]|вс|вт|дн|льд|рт|лб|счет")
_K_WORDS = re.compile(r"мн[ео]|вс|дн|вт|льд|рту|лбу|сну")


def with_fitting_prepositions(text: str, *, like: str) -> str:
    """`text` with *в*, *с*, *к* and *о* as the words after them ask; what stands so in `like`, its source, stays."""
    return _PREPOSITION.sub(lambda match: _preposition(match, like), text)


def _preposition(match: re.Match[str], like: str) -> str:
    word, following = match.group(1), match.group(2)
    if following[0].isdigit() or re.search(rf"\b{word} {following}\b", like, re.IGNORECASE):
        return match.group(0)
    short = word[0]
    clusters = {"в": _V_CLUSTER, "с": _S_CLUSTER, "к": _K_WORDS}
    if short.lower() == "о":
        form = short + ("б" if following[0].lower() in "аэиоу" else "")
    else:
        form = short + ("о" if clusters[short.lower()].match(following.lower()) else "")
    return match.group(0) if form == word else f"{form} {following}"


# «5 000», «г. Орёл»: a single one of these between two words was set on purpose.
NO_BREAK = ("\u00a0", "\u202f")
_LOOSE = r"[^\S\u00a0\u202f]+|\s{2,}"

# Which marks open and which close a quotation: “ does either, depending on the language.
_OPENING = {"ru": "«„", "en": "«“‘", "other": "«„“‘¿¡"}
_CLOSING = {"ru": "»“", "en": "»”", "other": "»”"}
_Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(language: str) -> _Rules:
    opening, closing = _OPENING[language], _CLOSING[language]
    ending = rf")\]{closing},.;:!?…"
    return _compiled(
        (_LOOSE, " "),
        (rf"([(\[{opening}])\s+", r"\1"),
        (rf"\s+([{ending}])", r"\1"),
        (r"(?<!\w)\(\s*[,;:–—-]*\s*\)|«»|„“|“”|\[\]", ""),
        # Only the place tells which of two straight marks opens: after a space, unlike that of inches.
        (r'(?<![^\s(\[])"\s*([^"]*[^\s"])\s*"(?=[\s,.;:!?)\]]|$)', r'"\1"'),
        (rf"([({opening}])[,;:]\s*", r"\1"),
        (rf"[,;:]+(?=[){closing}])", ""),
        (r",(?:\s*,)+", ","),
        (r"(?:,\s*)?([;:])(?:\s*[,;:])+", r"\1"),
        (r"[—–-]\s+[—–](?=\s)", "—"),
        (r"[,;:]+(?=\s*[.!?…](?:\s|$))", ""),
        (r"\s[—–-](?=\s*[,.!?…;])", ""),
        (r"(?<=[.!?…])\s+[,;:—–-]+\s+", " "),
        (rf"^(?:[\s,;:.!?…){closing}—–]|-(?!\d))+(?=\S)", ""),
        (r"[\s,;:—–-]+$", ""),
        (rf"\s+([{ending}])", r"\1"),
        # The stop of an abbreviation and that of the sentence: *at 10 a.m..*
        (r"(?<=\w\.)\.(?!\.)", ""),
        (_LOOSE, " "),
    )


def _compiled(*rules: tuple[str, str]) -> _Rules:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_RULES: dict[str, _Rules] = {
    "ru": _rules("ru"),
    "en": _rules("en"),
    "other": _rules("other"),
    "zh": _compiled(
        # A cut leaves several spaces in a row: the whole run is between two Latin words, or goes.
        (r"(?<![!-~\s])\s+|\s+(?![!-~\s])|\s+(?=[,.;:!?)])", ""),
        (r"\s+", " "),
        (r"（[，、；：\s]*）|「」|『』|“”|《》", ""),
        (r"([（「『“《])[，、；：]+", r"\1"),
        (r"[，、；：]+(?=[）」』”》])", ""),
        (r"[，、；：]+(?=[。！？；：])", ""),
        (r"，[，、]+|、[，、]*，", "，"),
        (r"、、+", "、"),
        (r"([；：])[，、；：]+", r"\1"),
        (r"(?<=[。！？])[，、；：]+", ""),
        (r"^[，、；：。！？）」』”》]+(?=.)", ""),
        (r"[，、；：]+$", ""),
    ),
}
_FINAL = re.compile(r"[.!?…。！？][»\")”」』）]*$")
_ADDRESS = re.compile(r"https?:|www\.")
_FIRST = re.compile(r"[^\W_]")


def tidy(text: str, *, like: str, language: str = "ru") -> str:
    """`text` with single spaces, no doubled or dangling punctuation, and the capital and final stop that `like` has.

    `language` is one of `rerank.masked.words.LANGUAGES`. Chinese text is left without spaces but between Latin words,
    and a Russian preposition or an English article takes the form that its new neighbour asks for.
    """
    for pattern, replacement in _RULES[language]:
        text = pattern.sub(replacement, text)
    text = text.strip()
    if language == "en":
        text = with_fitting_articles(text, like=like)
    elif language == "ru":
        text = with_fitting_prepositions(text, like=like)
    first = _FIRST.search(like)
    start = _FIRST.search(text)
    address = start is not None and _ADDRESS.match(text, start.start())
    # What begins with a figure begins a sentence as a capital does.
    opens = first is not None and (first.group().isupper() or first.group().isdigit())
    if opens and start and start.start() <= 2 and not address:
        text = text[: start.start()] + start.group().upper() + text[start.start() + 1 :]
    final = _FINAL.search(like.rstrip())
    if text and final and not _FINAL.search(text):
        text += final.group()[0]
    return text
