"""Rules on characters: punctuation, brackets, quotes, capitals, repetitions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rerank.wellformed.view import Fault, View

_OPENING = {"(": ")", "[": "]", "{": "}", "«": "»", "„": "“"}
_ITEM = re.compile(r"(?:^|[\s;:,.])(?:\d{1,3}|[a-zа-яё]|[ivx]+)$", re.IGNORECASE)
_DOUBLED = re.compile(
    r"""[,;:]\s*[,;:.!?…](?!\.\.)      # a comma and its like before another mark
      | [(«\[]\s*[,;:.!?)»\]](?<!\(\?)(?<!\(!)  # a bracket or quote that opens onto a mark, or holds nothing
      | ,\s*[)\]»]                      # a comma before a closing bracket
      | [—–]\s*[.,;:!?)](?!\d)          # a dash that leads nowhere
      | (?:^|\s)-\s*[.,;:!?)](?!\d)
      | [—–]\s+[—–](?=\s)
      | (?<![.!?…])\.\.(?!\.)           # two full stops are neither one nor an ellipsis
      | (?<=\w)\s+[,.;:!?](?=\s|$)      # a mark cut off from its word
    """,
    re.VERBOSE,
)
_START = re.compile(r"^\s*([,;:!?)\]}»”%]|\.(?!\.\.)|[—–-]\s*[,;:.)])")
_END = re.compile(r"[.!?…][\"”“»)\]]*\s*$|[\"”»)]\s*$")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_MAY_REPEAT = frozenset({"очень", "да", "нет", "чуть", "еле", "что", "все", "так", "долго", "ну", "ха", "много", "вот"})


def balanced_pairs(candidate: View, source: View) -> Iterator[Fault]:
    """Brackets and quotes open and close in order; straight quotes come in pairs."""
    text = candidate.text
    stack: list[str] = []
    for place, character in enumerate(text):
        if character in _OPENING:
            stack.append(character)
        elif stack and character == _OPENING[stack[-1]]:
            stack.pop()
        elif character in ")]}»" and not (character == ")" and _ITEM.search(text[:place])):
            yield character, f"{character} closes what was never opened"
    # A quote inside a quote is closed once in printed Russian: «Фирма «Заря».
    if len(stack) > 1 and set(stack) == {"«"} and text.count("»"):
        stack.pop()
    for character in stack:
        yield character, f"{character} is never closed"
    if text.count('"') % 2:
        yield '"', "a quotation mark without its pair"


def doubled_punctuation(candidate: View, source: View) -> Iterator[Fault]:
    """No mark follows another that excludes it, opens onto one, or stands where a sentence cannot have it."""
    for match in _DOUBLED.finditer(candidate.text):
        yield match.group().strip(), "punctuation marks that cannot stand together"
    start = _START.match(candidate.text)
    if start:
        yield start.group().strip(), "a sentence cannot begin with this mark"
    end = candidate.text.rstrip(' "»”').rstrip()[-1:]
    if end and end in ",;—–-(«":
        yield end, "a sentence cannot end in this mark"


def final_punctuation(candidate: View, source: View) -> Iterator[Fault]:
    """A sentence ends in a stop, unless the source (a heading, a list item) ends in none."""
    if _END.search(source.text) and not _END.search(candidate.text):
        yield candidate.text[-15:], "no full stop, question or exclamation mark at the end"


def capital_start(candidate: View, source: View) -> Iterator[Fault]:
    """A text begins with a capital or a digit, unless the source begins with that very word."""
    first = _WORD.search(candidate.text)
    if first is None:
        yield candidate.text[:15], "no word at all"
        return
    word = first.group()
    if not word[0].islower() or any(letter.isupper() for letter in word):
        return
    same = _WORD.search(source.text)
    if same is None or same.group() != word:
        yield word, "a sentence begins with a capital letter"


def repeated_words(candidate: View, source: View) -> Iterator[Fault]:
    """No word or pair of words is said twice in a row, unless the source repeats it too."""
    repeated = {source.lower[i] for i in range(1, len(source)) if _repeats(source, i)}
    for index in range(1, len(candidate)):
        word = candidate.lower[index]
        if _repeats(candidate, index) and word not in repeated and word not in _MAY_REPEAT:
            yield candidate.quote(index - 1, index), "the word is repeated"
    for index in range(3, len(candidate)):
        first, second = candidate.lower[index - 3 : index - 1], candidate.lower[index - 1 : index + 1]
        if first == second and first[0] != first[1] and all(word.isalpha() for word in first):
            yield candidate.quote(index - 3, index), "the words are repeated"


def _repeats(view: View, index: int) -> bool:
    word = view.lower[index]
    return word.isalpha() and word == view.lower[index - 1] and view.tokens[index].text[0].islower()


SURFACE_RULES = (balanced_pairs, doubled_punctuation, final_punctuation, capital_start, repeated_words)
