"""Who said something, after what was said: a remark beside it, as the guidelines of Universal Dependencies have it."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.analysis import Token

__all__ = ["hang_reports_on_what_was_said"]

_SAID = frozenset(
    """
    said says say saying reported reports report announced announces wrote writes told tells added adds revealed reveals
    confirmed confirms stated states explained explains claimed claims noted notes warned warns recalled argued argues
    admitted admits insisted insists
    """.split()
)  # fmt: skip


_NOMINAL = frozenset({"ADJ", "ADP", "DET", "NOUN", "NUM", "PRON", "PROPN"})
_FEW = 6


def hang_reports_on_what_was_said(tokens: Sequence[Token]) -> None:
    """Make the clause before a verb of saying the root of its sentence, and the verb its `parataxis`.

    Parsers differ in *He fell, police said*: for some *fell* hangs on *said*, for others *said* is a remark on *fell*.
    Before that, who said it and when get their verb back: *… in Rome, police said Sunday* is often read as *in Rome,
    police*. Changes `tokens` in place, and only where a whole clause stands before all else that the verb has.
    """
    _gather_last_remark(tokens)
    for number, token in enumerate(tokens):
        if token.rel != "root" or token.text.lower() not in _SAID:
            continue
        said = next((n for n in range(number) if _is_said(tokens, n, number)), None)
        if said is not None and _opens(tokens, said):
            tokens[said].head, tokens[said].rel = token.head, "root"
            token.head, token.rel = said, "parataxis"


def _gather_last_remark(tokens: Sequence[Token]) -> None:
    """Hang on a verb of saying the nominal between a comma and it, and the few words from it to the end."""
    end = len(tokens)
    while end and tokens[end - 1].pos == "PUNCT":
        end -= 1
    verbs = [n for n in range(max(0, end - _FEW), end) if tokens[n].text.lower() in _SAID]
    if not verbs or any(token.pos in {"VERB", "AUX", "PUNCT"} for token in tokens[verbs[0] + 1 : end]):
        return
    verb = start = verbs[0]
    while start and tokens[start - 1].pos in _NOMINAL:
        start -= 1
    if start in (0, verb) or tokens[start - 1].text != "," or any(t.head == verb and _is_subject(t) for t in tokens):
        return
    if any(start <= t.head < verb and t.pos != "PUNCT" for t in (*tokens[:start], tokens[verb])):
        return  # what stands before the comma hangs on it: the nominal has a task there
    for number in (*range(start, verb), *range(verb + 1, end)):
        low, high = (start, verb) if number < verb else (verb, end)
        if not low <= tokens[number].head < high:
            tokens[number].head = verb
            tokens[number].rel = "nsubj" if number < verb else "obl:unmarked"


def _is_subject(token: Token) -> bool:
    return token.rel.startswith("nsubj")


def _is_said(tokens: Sequence[Token], number: int, verb: int) -> bool:
    """Whether it heads a clause that hangs on the verb, and not by a conjunction: *when he fell, police said …*."""
    told = tokens[number].head == verb and tokens[number].rel in {"ccomp", "parataxis", "advcl"}
    own = {token.rel.split(":")[0] for token in tokens if token.head == number}
    return told and "nsubj" in own and "mark" not in own


def _opens(tokens: Sequence[Token], number: int) -> bool:
    """Whether all words up to the end of the clause belong to it."""
    inside = [_is_under(tokens, n, number) for n in range(len(tokens))]
    last = max(n for n, found in enumerate(inside) if found)
    return all(found or tokens[n].pos == "PUNCT" for n, found in enumerate(inside[:last]))


def _is_under(tokens: Sequence[Token], number: int, top: int) -> bool:
    for _ in tokens:  # heads may form a cycle
        if number == top:
            return True
        number = tokens[number].head
        if number < 0:
            return False
    return False
