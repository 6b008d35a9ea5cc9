"""Who said something, after what was said: a remark beside it, as the guidelines of Universal Dependencies have it."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.analysis import Token

_SAID = frozenset(
    """
    said says say saying reported reports report announced announces wrote writes told tells added adds revealed reveals
    confirmed confirms stated states explained explains claimed claims noted notes warned warns recalled argued argues
    admitted admits insisted insists
    """.split()
)
_SUBJECTS = frozenset({"NOUN", "PRON", "PROPN"})
_IN_NOMINAL = _SUBJECTS | {"ADJ", "ADP", "DET", "NUM"}
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
    verbs = [n for n in range(max(0, end - _FEW), end) if tokens[n].pos == "VERB"]
    if len(verbs) != 1 or tokens[verbs[0]].text.lower() not in _SAID or _has_subject(tokens, verbs[0]):
        return
    verb = start = verbs[0]
    while start and tokens[start - 1].pos in _IN_NOMINAL:
        start -= 1
    if start in (0, verb) or tokens[start - 1].text != ",":
        return
    subjects, others = _tops(tokens, start, verb), _tops(tokens, verb + 1, end)
    if (
        len(subjects) != 1
        or tokens[subjects[0]].pos not in _SUBJECTS
        or any(t.pos == "PUNCT" for t in tokens[verb:end])
    ):
        return
    moved = [*subjects, *others]
    # Neither the verb nor anything before the comma may hang on what moves: it has a task there, or a cycle would come.
    held = [verb, *(n for n in range(start - 1) if tokens[n].pos != "PUNCT")]
    if any(tokens[n].head < 0 or any(is_under(tokens, place, n) for place in held) for n in moved):
        return
    for number in moved:
        tokens[number].head, tokens[number].rel = verb, "nsubj" if number < verb else "obl:unmarked"


def _tops(tokens: Sequence[Token], start: int, end: int) -> list[int]:
    """Tokens of a run whose heads are outside of it."""
    return [n for n in range(start, end) if not start <= tokens[n].head < end]


def _has_subject(tokens: Sequence[Token], verb: int) -> bool:
    return any(token.head == verb and token.rel.startswith("nsubj") for token in tokens)


def _is_said(tokens: Sequence[Token], number: int, verb: int) -> bool:
    """Whether it heads a clause that hangs on the verb, and not by a conjunction: *when he fell, police said …*."""
    hangs = tokens[number].head == verb and tokens[number].rel in {"ccomp", "parataxis", "advcl"}
    relations = {token.rel.split(":")[0] for token in tokens if token.head == number}
    return hangs and "nsubj" in relations and "mark" not in relations


def _opens(tokens: Sequence[Token], number: int) -> bool:
    """Whether all words up to the end of the clause belong to it."""
    inside = [is_under(tokens, n, number) for n in range(len(tokens))]
    last = max(n for n, belongs in enumerate(inside) if belongs)
    return all(belongs or tokens[n].pos == "PUNCT" for n, belongs in enumerate(inside[:last]))


def is_under(tokens: Sequence[Token], number: int, top: int) -> bool:
    """Whether a token is `top` or hangs on it at any remove."""
    for _ in tokens:  # heads may form a cycle
        if number == top:
            return True
        number = tokens[number].head
        if number < 0:
            return False
    return False
