"""What is marked of the tokens of a source and a text in one row."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rerank.evaluator.pair_rows import KINDS, TEXT, row_of

SETTINGS: Any = SimpleNamespace(window=40, prefix=(1,), suffix=(2,))


def tokens(text: str) -> list[int]:
    return [ord(word) for word in text.split()]


def marks(source: str, text: str) -> tuple[str, str]:
    row = row_of(source, text, tokens, SETTINGS)
    of_text = [kind for kind, own in zip(row.kinds, row.is_text, strict=True) if own]
    of_source = row.kinds[1 : len(row.kinds) - len(of_text) - 1]
    return "".join(map(str, of_source)), "".join(str(kind - TEXT) for kind in of_text[:-1])


@pytest.mark.parametrize(
    ("source", "text", "of_source", "of_text"),
    [
        # New, copied, and copied behind the same one; the first stands behind the beginning.
        ("a b c", "a b d", "220", "220"),
        ("a b c", "c b a", "211", "211"),
        # Said again: three more, but as often as the source says it.
        ("a b c", "a b a b", "220", "2215"),
        ("a b a b", "a b a b a b", "2222", "222255"),
        ("", "a b a b", "", "0003"),
        ("a b", "d e d e d e", "00", "000333"),
        ("a b", "", "00", ""),
    ],
)
def test_what_is_copied_new_moved_and_said_again_is_marked(
    source: str, text: str, of_source: str, of_text: str
) -> None:
    assert marks(source, text) == (of_source, of_text)


def test_all_kinds_are_below_their_number() -> None:
    row = row_of("a b", "a b a b c d c d", tokens, SETTINGS)
    assert max(row.kinds) == KINDS - 1
    assert min(row.kinds) == 0
