"""A parse as a graph: what hangs on what, what is left, and where cycles lead."""

from __future__ import annotations

from rerank.analysis import Token
from rerank.tree import Tree


def _tokens(*heads: int) -> list[Token]:
    return [Token(f"W{n}", 3 * n, 3 * n + 2, "NOUN", {}, head, f"rel:{n}") for n, head in enumerate(heads)]


def test_a_subtree_is_what_can_be_reached_downwards_in_the_order_of_the_text() -> None:
    tree = Tree(_tokens(2, 0, -1, 2, 3))
    assert tree.children == {0: [1], 1: [], 2: [0, 3], 3: [4], 4: []}
    assert tree.subtree(2) == [0, 1, 2, 3, 4]
    assert tree.subtree(0) == [0, 1]
    assert tree.beside(0) == {"rel"}
    assert tree.child_words(2, "rel:3") == {"w3"}


def test_heads_may_form_a_cycle_or_be_the_token_itself() -> None:
    tree = Tree(_tokens(1, 0, 2))
    assert tree.heads == [1, 0, -1]
    assert tree.subtree(0) == tree.subtree(1) == [0, 1]
    assert not tree.hangs(2)


def test_on_what_is_gone_and_on_no_token_nothing_hangs() -> None:
    tree = Tree(_tokens(-1, 0, 1), {3})
    assert tree.kept == [0, 2]
    assert tree.children == {0: [], 2: []}
    assert tree.children[1] == tree.children[-1] == []
    assert not tree.hangs(2)
    assert tree.neighbours([0]) == (None, 2)


def test_outside_the_text_there_is_no_word() -> None:
    tree = Tree(_tokens(-1, 0))
    assert [tree.word(number) for number in (-1, 0, 2)] == ["", "w0", ""]
