"""Repairs: what the model's machinery leaves, what stands before and around the rewrite, spaces, the end."""

from __future__ import annotations

import re
import unicodedata

from rerank.analysis import sentences
from rerank.frequency import fold
from rewrite.cleaning.context import BREAKS, CLOSERS, Context, Rule, begins_like, language, words
from rewrite.layout import LIST_MARK

_END = re.compile(r"</s>|<\|(?:endoftext|im_end|eot_id|end_of_text|end)\|>|<(?:eos|end_of_turn)>|\[EOS\]")
_LEFT_OVER = re.compile(
    r"""</?s> | <(?:pad|bos|eos|cls|sep|mask)> | \[(?:PAD|CLS|SEP|MASK|BOS|EOS)\] | <extra_id_\d{1,3}>
      | <\|(?:begin_of_text|endoftext|end_of_text|end|eot_id|im_end|startoftext)\|> | <end_of_turn>
      | ^\s*(?:<\|im_start\|>|<start_of_turn>|<\|start_header_id\|>)(?:assistant|model)?(?:<\|end_header_id\|>)?""",
    re.VERBOSE,
)
SPECIAL = re.compile(
    r"</?s>|<(?:pad|unk|bos|eos|cls|sep|mask)>|<\|\w{1,40}\|>|<(?:start|end)_of_turn>|<extra_id_\d{1,3}>"
    r"|\[(?:PAD|UNK|CLS|SEP|MASK|BOS|EOS|/?INST)\]|<</?SYS>>|</?think>"
)
"""A special token of some model family, wherever it stands."""

LOST = re.compile(r"(?:<unk>|\[UNK\]|\ufffd|\u2047)+")
"""What stands for a character that the tokenizer could not write; sentencepiece decodes it to U+2047."""

_REASONING = re.compile(r"</think>\s*")
_MARKS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<!`)``(?!`)|''", '"'),
        (r"[▁Ġ]", " "),
        (r"@@(?:\s+|$)", ""),
        (r"\s?@([-,.])@\s?", r"\1"),
        (r"-LRB-", "("),
        (r"-RRB-", ")"),
    )
)


def stop_string(text: str, context: Context) -> str:
    """Cuts at the first stop string."""
    places = [place for stop in context.stop if stop and (place := text.find(stop)) >= 0]
    return text[: min(places)].rstrip(" ") if places else text


def reasoning(text: str, context: Context) -> str:
    """Leaves out what the model thought aloud before its answer, up to `</think>`."""
    if "</think>" in context.source:
        return text
    return _REASONING.split(text)[-1]


def end_token(text: str, context: Context) -> str:
    """Cuts at the token by which a model ends its text, wherever something stands before it."""
    for match in _END.finditer(text):
        if match.group() not in context.source and _LEFT_OVER.sub("", text[: match.start()]).strip():
            return text[: match.start()].rstrip(" ")
    return text


def special_tokens(text: str, context: Context) -> str:
    """Removes padding, begin and end tokens that the tokenizer left in the text."""
    return _LEFT_OVER.sub(lambda match: match.group() if match.group() in context.source else "", text)


def unknown_characters(text: str, context: Context) -> str:
    """Removes `<unk>` and U+FFFD at the edge of a word; inside one a letter is lost, which a filter sees to."""

    def left(match: re.Match[str]) -> str:
        inside = text[: match.start()][-1:].isalnum() and text[match.end() :][:1].isalnum()
        return match.group() if inside else ""

    return LOST.sub(left, text)


def tokenizer_marks(text: str, context: Context) -> str:
    """Undoes how tokenizers write quotation marks, brackets, spaces and joints: two backticks, `-LRB-`, `@@`."""
    for pattern, replacement in _MARKS:
        if pattern.search(context.source) is None:
            text = pattern.sub(replacement, text)
    return text


def invisible_characters(text: str, context: Context) -> str:
    """Removes zero-width, control and private-use characters that the source does not have."""
    return "".join(c for c in text if c in context.source or not _invisible(c))


def composed_letters(text: str, context: Context) -> str:
    """Joins a letter and the accent after it into one character (NFC), as the source has them."""
    return unicodedata.normalize("NFC", text) if unicodedata.is_normalized("NFC", context.source) else text


def _invisible(character: str) -> bool:
    if character in "\ufffe\uffff":
        return True
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"} and not character.isspace()


_YES = r"(?:конечно|разумеется|безусловно|хорошо|отлично|да|sure(?: thing)?|certainly|of course|absolutely|ok(?:ay)?)"
_OPENED = rf"(?:{_YES}[!,.]\s*)?"
_MADE = (
    r"(?:упрощ[её]н(?:но|н\w+)|упрощение|перефраз\w+|переформулир\w+"
    r"|simplified|simplification|simpler|re-?written|re-?write|rephrased|reworded|paraphrased?)"
)
_MAY, _MAKE = r"(?:можно|(?:can|could|would) be)", r"(?:упростить|перефразировать|переписать|переформулировать)"
_WORK = rf"(?:{_MADE}|вариант|верси|предложени|текст|ответ|version|sentence|text|answer|option)"
_SAID = r"[^:.!?\n]"
_OVER = rf"[^\S{BREAKS}]*[:{BREAKS}]\s*"
_PREAMBLES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_OPENED}(?:вот|ниже|here(?:['’]s| is| are)|below is)\b{_SAID}{{0,60}}{_WORK}{_SAID}{{0,60}}:\s*(?=\S)",
        rf"{_OPENED}(?:(?:the|a|более)\s)?{_MADE}(?:[^\S{BREAKS}]+\w+){{0,3}}{_OVER}(?=\S)",
        rf"(?:исходн\w+|original)\b[^{BREAKS}]*[{BREAKS}]\s*(?=\W*(?:the\s|a\s|более\s)?{_MADE})",
        rf"{_SAID}{{0,60}}{_MAY}\s(?:{_MAKE}|{_MADE}){_SAID}{{0,40}}:\s*(?=\S)",
        rf"{_YES}!\s+(?=\S)",
    )
)
_FIRST_LINE = re.compile(rf"[^{BREAKS}]{{1,100}}:[^\S{BREAKS}]*[{BREAKS}]\s*(?=\S)")
_STEM = re.compile(r"упро[щс]|перефраз|переформул|simpl|re-?wr|rephras|reword|paraphras", re.IGNORECASE)
_PLAIN = r"(?:более\s)?(?:прост|нов|коротк|кратк|итогов)(?:ой|ый|ий|ое|ая)|simple|new|short|final|plain"
_NAMES = (
    r"ответ|вариант|версия|предложение|текст|результат|вывод"
    r"|answer|option|version|sentence|text|result|output|response|assistant"
)
_LABEL = re.compile(rf"(?:(?:{_PLAIN})\s)?(?:{_NAMES})(?:\s\d{{1,2}})?{_OVER}(?=\S)", re.IGNORECASE)


def preamble(text: str, context: Context) -> str:
    """Removes what a chat model says before the rewrite, such as “Here is a simpler version:”."""
    start = text.lstrip()
    for pattern in _PREAMBLES:
        match = pattern.match(start)
        if match is not None and not _owed_to(context.source, match.group()):
            return start[match.end() :]
    line = _FIRST_LINE.match(start)
    return text if line is None or _stems(line.group()) & _stems(context.source) else start[line.end() :]


def label(text: str, context: Context) -> str:
    """Removes a label such as `Ответ:` or `Answer:` from the start."""
    start = text.lstrip()
    match = _LABEL.match(start)
    return text if match is None or begins_like(context.source, match.group()) else start[match.end() :]


def list_mark(text: str, context: Context) -> str:
    """Removes a bullet or number from the start, unless the source begins with one."""
    match = LIST_MARK.match(text)
    return text if match is None or LIST_MARK.match(context.source.lstrip()) else text[match.end() :]


def _owed_to(source: str, start: str) -> bool:
    """Whether `start` comes from the source, which begins so or speaks of simplifying too."""
    stem = _STEM.search(start)
    return begins_like(source, start) or (stem is not None and stem.group().lower() in source.lower())


def _stems(text: str) -> set[str]:
    """The beginnings of the longer words: a line that shares none with the source is not about what it is about."""
    return {fold(word)[:5] for word in words(text) if len(word) >= 5}


_MARKDOWN = tuple(
    re.compile(pattern)
    for pattern in (
        r"^()```\w*\s+",
        r"^()`{1,3}(?=\S)(?!`)",
        r"()(?<!`)`{1,3}\s*$",
        r"(?:\*\*|__)(?=\S)([^*_\n]+)(?<=\S)(?:\*\*|__)",
        r"(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])",
        r"^()(?:\#{1,6}|>)\s+(?=\S)",
    )
)
_LINE = re.compile(rf"(?<=\S)[^\S{BREAKS}]*[{BREAKS}]")
_BREAK = re.compile(rf"[{BREAKS}]")
_PAIRS = {"«": "»", "“": "”", "„": "“", '"': '"', "'": "'", "‘": "’"}
_QUOTED = re.compile(r"([«“„\"'‘])(.*\S)([»”“\"'’])([.!?…]*)", re.DOTALL)
_MARKED = re.compile(rf"[.!?…][{CLOSERS}]*$")


def markdown(text: str, context: Context) -> str:
    """Removes Markdown that the source does not use: bold and italics, headings, code marks, quotation."""
    for pattern in _MARKDOWN:
        if pattern.search(context.source) is None:
            text = pattern.sub(r"\1", text)
    return text


def line_break(text: str, context: Context) -> str:
    """Ends the rewrite at its first line break, unless the source has line breaks too."""
    match = None if _BREAK.search(context.source.strip()) else _LINE.search(text)
    return text if match is None else text[: match.start()]


def wrapping_quotes(text: str, context: Context) -> str:
    """Removes quotation marks around the whole text, unless the source is quoted so or has the text as a quotation."""
    if _wrapped(context.source.strip()):
        return text
    match = _wrapped(text)
    if match is None:
        return text
    opening, inside, closing, mark = match.groups()
    if f"{opening}{inside}{closing}" in context.source:
        return text
    return inside.strip() if _MARKED.search(inside) else inside.strip() + mark


def _wrapped(text: str) -> re.Match[str] | None:
    """The parts of `text` where one pair of quotation marks holds all of it: not so in «Заря» beat «Искра»."""
    match = _QUOTED.fullmatch(text)
    if match is None or _PAIRS[match[1]] != match[3]:
        return None
    opening, inside, closing = match[1], match[2], match[3]
    if opening == closing:
        first = inside.find(opening)
        # A mark that opens after a space is a quotation inside the quotation; one that closes ends the first.
        return match if first < 0 or inside[:first].endswith((" ", "(")) else None
    depth = 1
    for character in inside:
        depth += (character == opening) - (character == closing)
        if depth == 0:
            return None
    return match if depth == 1 else None


# A single no-break space between two words was set on purpose: «5 000», «г. Орёл».
_LOOSE = re.compile(r"[^\S\u00a0\u202f ]+|\s{2,}")
_STRAY = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<=\S)\s+(?=[,;](?:\s|$))", ""),
        (r"(?<=\w)\s+,(?=[^\W\d_])", ", "),
        (rf"(?<=[^\s.])\s+(?=[.!?][{CLOSERS}]*(?:\s|$))", ""),
        (r"(?<=[^\s\d])\s+(?=:(?:\s|$))", ""),
        (r"(?<=[(\[«„])\s+", ""),
        (r"(?<=\S)\s+(?=[)\]»”])", ""),
        (r'(?:(?<=\s)|^)"\s+([^"]*?\S)\s+"(?=[\s,.!?;:)]|$)', r'"\1"'),
    )
)
_CLITIC = re.compile(r"(?<=[A-Za-z])\s+(?=(?:n['’]t|['’](?:s|re|ve|ll|d|m))(?![\w'’]))")
_LETTERS = re.compile(r"[^\W\d_]+")
_ALNUM = re.compile(r"[^\W_]")
# What may stand before the capital of a sentence.
_BEFORE = " \u00a0«„“”\"'‘([—–-….¿¡"


def whitespace(text: str, context: Context) -> str:
    """Turns line breaks and runs of space into one space."""
    return _LOOSE.sub(" ", text).strip()


def stray_spaces(text: str, context: Context) -> str:
    """Removes spaces before punctuation and just inside quotes and brackets, where the source has none."""
    for pattern, replacement in _STRAY:
        if pattern.search(context.source) is None:
            text = pattern.sub(replacement, text)
    if language(context.source) == "en" and _CLITIC.search(context.source) is None:
        text = _CLITIC.sub("", text)
    return text


def first_capital(text: str, context: Context) -> str:
    """Begins the text with a capital where the source does, or begins with a figure and ends as a sentence."""
    first, source = _ALNUM.search(text), _ALNUM.search(context.source)
    if first is None or source is None or not (source.group().isupper() or _figured(source.group(), context.source)):
        return text
    start = first.start()
    word = _LETTERS.match(text, start)
    capital = text[start].upper()
    if word is None or text[:start].strip(_BEFORE) or not word.group().islower() or len(capital) != 1:
        return text
    return text[:start] + capital + text[start + 1 :]


def _figured(first: str, source: str) -> bool:
    return first.isdigit() and source.rstrip()[-1:] in ".!?…"


_MARK = re.compile(rf"([.!?…]{{1,3}})[{CLOSERS}\s]*$")
# A full stop after so short a word may belong to it («г.», «ул.», “Mr.”), so a cut there need not be an end.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(«\"])(?:[^\W\d_]{1,2}|тыс|млн|млрд|руб|коп|стр|проф|акад|Mrs|Prof|Gen|etc|vol|vs)\.$", re.IGNORECASE
)
DANGLING = re.compile(r"(?:[,:;(«„\[]|(?:^|\s)[—–-])$")


def unfinished_end(text: str, context: Context) -> str:
    """Cuts a text that the model had no room to finish back to its last complete sentence."""
    if context.finished or is_complete(text):
        return text
    whole = [stop for _, stop, sentence in sentences(text) if is_complete(sentence)] if text.strip() else []
    return text[: whole[-1]] if whole else text


def final_mark(text: str, context: Context) -> str:
    """Adds the mark by which the source ends where a finished text ends in none."""
    mark = _MARK.search(context.source)
    if mark is None or not context.finished or _MARK.search(text) or DANGLING.search(text):
        return text
    return text + mark[1] if any(map(str.isalnum, text)) else text


def is_complete(text: str) -> bool:
    return _MARK.search(text) is not None and _ABBREVIATION.search(text) is None


REPAIRS: tuple[Rule, ...] = (
    stop_string,
    reasoning,
    end_token,
    special_tokens,
    unknown_characters,
    markdown,
    tokenizer_marks,
    invisible_characters,
    composed_letters,
    preamble,
    label,
    line_break,
    whitespace,
    list_mark,
    wrapping_quotes,
    stray_spaces,
    first_capital,
    unfinished_end,
    final_mark,
)
"""In the order in which they are tried."""
# Where one of these cuts, the model had come to its end, wherever it was stopped afterwards.
ENDS: frozenset[Rule] = frozenset({stop_string, end_token, line_break})
