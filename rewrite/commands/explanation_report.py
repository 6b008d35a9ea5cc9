"""`--explain`: one result in words and, on a terminal, in colour."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from rerank.explain import Explanation
from rewrite.compression.compressor import CompressedSentence
from rewrite.result import Result, SentenceResult

_REASONS = 5
_PIECES = re.compile(r"\w+|[^\w\s]|\s+")


def report(result: Result) -> str:
    """The explanation of every sentence of `result`; with terminal codes where standard error shows colours.

    Of a compression it is what was cut, in which round and at what distance.
    """
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    colour = console.color_system is not None
    with console.capture() as capture:
        for sentence, explanation in zip(result.sentences, result.explain(), strict=True):
            if explanation is None:
                reason = sentence.skipped.removesuffix(".")
                said = word_diff(sentence.source, sentence.text, colour=colour).append(_terms(sentence))
                console.print(said.append(f"\n  Passed through: {reason}.", style="dim"))
            elif isinstance(sentence, CompressedSentence):
                console.print(_compressed(sentence, colour=colour))
            else:
                console.print(_sentence(sentence, explanation, result.grade, colour=colour))
    return capture.get()


def _compressed(sentence: CompressedSentence, *, colour: bool) -> Text:
    text = word_diff(sentence.source, sentence.text, colour=colour).append(_terms(sentence))
    text.append(f"\n  {sentence.kept} of {sentence.words} words are left ({sentence.ratio:.2f}).")
    for removal in sentence.removals:
        text.append(f"\n  round {removal.round}: ", style="cyan").append(f"{removal.distance:.3f}  {removal.text}")
    return text


def _sentence(
    sentence: SentenceResult, explanation: Explanation, grade: Callable[[str], float] | None, *, colour: bool
) -> Text:
    text = word_diff(sentence.source, sentence.text, colour=colour).append(_terms(sentence))
    for edit in dict.fromkeys(sentence.choices[0].candidate.edits):
        text.append("\n  edit: ", style="cyan").append(edit)
    if grade:
        grades = f"{grade(sentence.source):.1f} → {grade(sentence.text):.1f} (Flesch–Kincaid)"
        text.append("\n  grade: ", style="cyan").append(grades)
    for line in explanation.lines():
        text.append(f"\n  {line}", style="" if line.startswith(("Score", "The source")) else "dim" if colour else "")
    return text.append(_blocked(sentence)).append(_cleaning(sentence))


def word_diff(before: str, after: str, *, colour: bool) -> Text:
    """`before` → `after` by words: what went is red and struck out, what came is green; else `[-…-]` and `{+…+}`."""
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    text = Text()
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            text.append("".join(old[a:b]))
            continue
        if gone := "".join(old[a:b]):
            text.append(gone if colour else f"[-{gone}-]", style="red strike")
        if come := "".join(new[c:d]):
            text.append(come if colour else f"{{+{come}+}}", style="green")
    return text


def _terms(sentence: SentenceResult) -> Text:
    """The terms that were replaced, as edits, and those that stand as they were, with the reason."""
    text = Text()
    for edit in sentence.wording.made if sentence.wording else ():
        text.append("\n  edit: ", style="cyan").append(edit)
    for left in sentence.wording.left if sentence.wording else ():
        text.append("\n  not replaced: ", style="cyan").append(left)
    return text


def _cleaning(sentence: SentenceResult) -> str:
    """What became of a language model's samples before they were scored."""
    lines = []
    if sentence.dropped:
        reasons = ", ".join(f"{reason} (×{n})" if n > 1 else reason for reason, n in sentence.dropped.items())
        lines.append(f"\n  Dropped {sum(sentence.dropped.values())} of {sentence.drawn} samples: {reasons}.")
    if sentence.cleaned:
        rules = ", ".join(f"{rule} (×{n})" if n > 1 else rule for rule, n in sentence.cleaned.items())
        lines.append(f"\n  Cleaned: {rules}.")
    return "".join(lines)


def _blocked(sentence: SentenceResult) -> str:
    reasons = Counter(reason for reasons in sentence.blocked.values() for reason in reasons.split("; "))
    if not reasons:
        return ""
    drawn = len(sentence.table.candidates) if sentence.table is not None else 0
    listed = ", ".join(f"{reason} (×{n})" if n > 1 else reason for reason, n in reasons.most_common(_REASONS))
    more = f" and {len(reasons) - _REASONS} other reasons" if len(reasons) > _REASONS else ""
    return f"\n  Blocked {len(sentence.blocked)} of {drawn} candidates: {listed}{more}."
