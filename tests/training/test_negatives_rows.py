"""`python -m training.negatives` on rows that need a word, and texts whose marks hold words apart."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable

import pytest

from training.negatives.__main__ import main
from training.negatives.forms import exchange_neighbours
from training.negatives.pieces import Piece, Unit, cut, delete, reorder, replace_pieces
from training.negatives.sampling import Outcome, Positive, examples

GOOD = [{"source": f"document {n}", "text": f"Anna sold house {n} in Rome. It was old."} for n in range(4)]
# Every mark here stands between two words without a space on one side at least.
MARKED = "He left Rome (Six men stayed); they paid $5 for the well—known book/film. Anna said: «Six». It ended 4:0."
MARKED_RU = "Он уехал (шесть человек остались); заплатил №5 за хорошо—известную книгу/фильм. Она сказала: «Шесть»."


@pytest.fixture
def negatives(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """The command over some rows; gives the exit status, standard output and standard error."""

    def run(rows: list[dict[str, str]], *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(json.dumps(row) + "\n" for row in rows)))
        status = main(list(arguments))
        return (status, *capsys.readouterr())

    return run


@pytest.mark.parametrize("unseen", [" ", "\u200b", "\u00ad\u00ad", "\u2060\ufeff"])
@pytest.mark.parametrize("key", ["source", "text"])
def test_a_row_that_shows_nothing_is_named_and_left_out(
    key: str, unseen: str, negatives: Callable[..., tuple[int, str, str]]
) -> None:
    wanted = negatives(GOOD)
    status, out, err = negatives([*GOOD[:2], {**GOOD[2], key: unseen}, *GOOD[2:]])
    assert (status, out) == wanted[:2]
    assert err.splitlines() == [f"negatives: line 3 is left out: its {key} shows nothing", *wanted[2].splitlines()]


@pytest.mark.parametrize("rows", [[], [{"source": "a", "text": "\u200b"}]])
def test_an_input_without_a_text_is_told(
    rows: list[dict[str, str]], negatives: Callable[..., tuple[int, str, str]]
) -> None:
    status, out, err = negatives(rows)
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == (
        'negatives: No good text came on standard input. Write a row a line: {"source": "…", "text": "…"}.'
    )


def test_a_kind_that_makes_nothing_is_told(negatives: Callable[..., tuple[int, str, str]]) -> None:
    status, out, err = negatives(GOOD, "--kinds", "thesaurus", "word-deletion", "--lang", "en")
    assert status == 0
    assert err.splitlines() == ["negatives: thesaurus made nothing: tried on 4 texts, it changed none"]
    assert {json.loads(line)["kind"] for line in out.splitlines()} == {"", "word-deletion"}
    assert negatives(GOOD, "--kinds", "word-deletion", "--lang", "en")[2] == ""


def test_a_kind_that_changes_one_text_of_many_is_not_told() -> None:
    outcome = Outcome()
    texts = ["It was old.", "He came in 1950.", "She was late.", "They left."]
    list(examples([Positive("source", text) for text in texts], ["numbers"], outcome=outcome))
    assert (outcome.tried["numbers"], outcome.changed["numbers"], outcome.barren) == (4, 1, {})


@pytest.mark.parametrize("text", [MARKED, MARKED_RU])
@pytest.mark.parametrize("unit", ["word", "sentence"])
def test_words_are_not_glued_where_a_mark_was(text: str, unit: Unit) -> None:
    drawn = [piece.text for piece in cut("zebra Oslo 7", "word").pieces]
    known = {*re.findall(r"\w+", text), *drawn}
    known |= {word[:1].upper() + word[1:] for word in known}
    for mutate in (delete, replace_pieces, reorder, exchange_neighbours):
        for seed in range(60):
            rng = random.Random(seed)
            mutated = mutate(cut(text, unit), rng.random(), rng, lambda rng: Piece(rng.choice(drawn), " ", 1))
            if mutated is not None:
                assert set(re.findall(r"\w+", mutated.text)) <= known


@pytest.mark.parametrize(
    ("text", "put", "wanted"),
    [
        ("Rome (Six men", [0, 2, 3], "Rome Six men"),
        ("a well—known book/film", [0, 1, 3, 4, 6], "a well known book film"),
        # What is glued in the text itself stays so, and so do marks.
        ("They don't cannot", [0, 2, 3, 4], "Theyn't cannot"),
        ("Rome (Six) men", [0, 3, 4], "Rome) men"),
        ("他来了。", [0, 2, 3], "他了。"),
        ("これは本です", [0, 2, 3], "こは本"),
    ],
)
def test_a_space_comes_where_letters_would_meet_and_nowhere_else(text: str, put: list[int], wanted: str) -> None:
    pieces = cut(text, "word")
    assert pieces.of([pieces.pieces[n] for n in put]).text == wanted
    assert pieces.of(pieces.pieces) == pieces
