"""Changes as CriticMarkup: `{--what went--}{++what came++}` in the text of a Markdown or plain text file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from rewrite.documents.passages import Pair, SourceDocument
from rewrite.documents.segments import Change
from rewrite.errors import BadInput

_SIGNS = re.compile(r"\{(?:\+\+|--|~~|==|>>)|(?:\+\+|--|~~|==|<<)\}")


def critic_markup(document: SourceDocument, changes: Sequence[Sequence[Change]]) -> str:
    """The text with its changes: with all rejected it is the source, with all accepted what `written` gives, but that
    its lines are not filled anew: who reads the changes looks for words.

    A text that has signs of CriticMarkup already is refused, since its own would be taken for changes.
    """
    if sign := _SIGNS.search(document.source):
        line = document.source.count("\n", 0, sign.start()) + 1
        raise BadInput(
            f"Line {line}: {sign[0]!r} is a sign of CriticMarkup, so changes could not be told from it.",
            hint="Accept or reject what is marked in the file first, or leave out --changes.",
        )
    return "".join(map(_marked, _merged(document.pairs(changes))))


def _merged(pairs: Sequence[Pair]) -> list[Pair]:
    """Neighbouring changes, and neighbouring texts without, as one."""
    merged: list[Pair] = []
    kept = ((old, old) if old.isspace() and new.isspace() else (old, new) for old, new in pairs if old or new)
    for _, group in groupby(kept, key=lambda pair: pair[0] == pair[1]):
        old, new = zip(*group, strict=True)
        merged.append(("".join(old), "".join(new)))
    return merged


def _marked(pair: Pair) -> str:
    old, new = pair
    if old == new:
        return old
    return (f"{{--{old}--}}" if old else "") + (f"{{++{new}++}}" if new else "")
