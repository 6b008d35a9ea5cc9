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


def hang_reports_on_what_was_said(tokens: Sequence[Token]) -> None:
    """Make the clause before a verb of saying the root of its sentence, and the verb its `parataxis`.

    Parsers differ in *He fell, police said*: for some *fell* hangs on *said*, for others *said* is a remark on *fell*.
    Changes `tokens` in place, and only where a whole clause stands before all else that the verb has.
    """
    for number, token in enumerate(tokens):
        if token.rel != "root" or token.text.lower() not in _SAID:
            continue
        said = next((n for n in range(number) if _is_said(tokens, n, number)), None)
        if said is not None and _opens(tokens, said):
            tokens[said].head, tokens[said].rel = token.head, "root"
            token.head, token.rel = said, "parataxis"


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
