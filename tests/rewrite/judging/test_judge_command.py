"""`rewrite judge`, as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.errors import BadInput
from rewrite.judging.row_metric import Row
from rewrite.judging.row_parsing import parse_row

LINES = [
    "The cat sat on the mat.\tA cat sat.\tThe cat sat.",
    "",
    "source\t \tThere.",
    "source\tNothing to compare with.",
    '{"source": "Кошка сидела.", "text": "Кошки сидят.", "references": ["Кошка сидит.", " "], "score": 7}',
]


@pytest.fixture
def given(tmp_path: Path) -> Path:
    path = tmp_path / "rows.tsv"
    path.write_text("\r\n".join(LINES) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def judge(tmp_path: Path, run_command: Callable[..., int]) -> Callable[..., int]:
    """`rewrite judge ARGUMENTS…` over a text; gives the exit code."""

    def run(text: str, *arguments: str) -> int:
        (tmp_path / "in.txt").write_text(text, encoding="utf-8")
        return run_command("judge", "-i", str(tmp_path / "in.txt"), *arguments)

    return run


def test_every_line_is_answered_in_order(
    given: Path, run_command: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run_command("judge", "-i", str(given), "--metric", "rouge1") == 3
    out, err = capfdbinary.readouterr()
    # cat and sat of three words each; the same stems in the last.
    assert out.decode().split("\n") == ["0.666667", "", "", "", "1.000000", ""]
    assert err.decode().splitlines() == [
        "rewrite: line 3: ' ': The text is empty.",
        "rewrite: line 4: 'Nothing to compare with.': rouge1 needs references, there are none.",
        "rouge1: 0.8333, the mean of 2 rows",
    ]


def test_rows_tell_components_and_errors(given: Path, tmp_path: Path, run_command: Callable[..., int]) -> None:
    path = tmp_path / "out.jsonl"
    assert run_command("judge", "-i", str(given), "-o", str(path), "--metric", "rouge2", "--format", "jsonl") == 3
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(LINES)
    assert (rows[0]["score"], rows[0]["components"]) == (0.5, {"P": 0.5, "R": 0.5, "F": 0.5})
    assert rows[0]["signature"].startswith("rouge2:")
    assert rows[1] == {"source": "", "text": "", "score": None, "components": {}}
    assert [row.get("error", "") for row in rows[2:]] == [
        "The text is empty.",
        "rouge2 needs references, there are none.",
        "",
    ]
    assert (rows[4]["text"], rows[4]["score"]) == ("Кошки сидят.", 1.0)


def test_a_text_longer_than_its_source_and_no_reference_are_fine(
    judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert judge("cat\tThe cat sat on the mat.\n", "--metric", "copied") == 0
    out, err = capfdbinary.readouterr()
    assert (out, err) == (b"0.166667\n", b"")


def test_a_row_that_fails_does_not_take_its_neighbours_along(
    judge: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from rewrite.judging.libraries import Trivial
    from rewrite.judging.row_metric import Judged

    def judged(self: Trivial, row: Row) -> Judged:
        if row.text == "bad":
            raise BadInput("too long.")
        return Judged(1.0, {})

    monkeypatch.setattr(Trivial, "judged", judged)
    assert judge("a\tgood\na\tbad\na\tgood\n", "--metric", "length") == 3
    out, err = capfdbinary.readouterr()
    assert out == b"1.000000\n\n1.000000\n"
    assert err.decode().splitlines()[0] == "rewrite: line 2: 'bad': too long."


@pytest.mark.parametrize(
    ("text", "arguments", "code", "message"),
    [
        ("no tab\n", ["--metric", "length"], 1, "Line 1: no tab in 'no tab'."),
        ("a\tb\n{no}\n", ["--metric", "length"], 1, "Line 2, column 2: not JSON"),
        ('{"sentence": "a"}\n', ["--metric", "length"], 1, "Line 1: an object with neither source nor text: "),
        ("{}\n", ["--metric", "length"], 1, "Line 1: an object with neither source nor text: '{}'. Write source<TAB>"),
        ('{"source": 5, "text": "b"}\n', ["--metric", "length"], 1, "Line 1: source: it should be a text, or a list"),
        ('{"source": ["a", 5], "text": "b"}\n', ["--metric", "length"], 1, "Line 1: source: it should be a text, or a"),
        ('{"source": ["a", null], "text": "b"}\n', ["--metric", "length"], 1, "Line 1: source: it should be a text"),
        ("[" * 100_000 + "\n", ["--metric", "length"], 1, "Line 1: no tab in"),
        ('{"x": ' + "[" * 100_000 + "\n", ["--metric", "length"], 1, "Line 1: lists or objects within one another"),
        (f'{{"x": {"1" * 6000}}}\n', ["--metric", "length"], 1, "Line 1: a number with too many digits."),
        ('{"source": "a", "text": 5}\n', ["--metric", "length"], 1, "Line 1: text: Input should be a valid string."),
        ('{"source": "a", "text": "b", "references": [1]}\n', ["--metric", "bleu"], 1, "Line 1: references.0: "),
        ('{"source": "a", "text": "\\ud800"}\n', ["--metric", "length"], 1, "Line 1: half a surrogate pair"),
        ("a\tb\n", ["--metric", "rouge"], 2, "Unknown metric 'rouge'. Known: bertscore, bleu"),
        ("a\tb\n", ["--metric", "length", "--lang", "xx"], 2, "No language 'xx'. Give en, ru or other."),
        ("a\tb\n", ["--metric", "length", "--model", "x"], 2, "The metric length takes no model."),
        ("a\tb\n", ["--metric", "bertscore"], 2, "bertscore needs a model."),
    ],
)
def test_bad_input_is_one_line(
    text: str,
    arguments: list[str],
    code: int,
    message: str,
    judge: Callable[..., int],
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert judge(text, *arguments) == code
    (line,) = capfdbinary.readouterr().err.decode().splitlines()
    assert line.startswith("rewrite: ")
    assert message in line


@pytest.mark.parametrize(
    ("row", "metric", "message"),
    [
        (
            '{"source": "a", "text": "b", "refs": ["b"]}',
            "bleu",
            "bleu needs references, there are none. Unknown keys: refs.",
        ),
        ('{"sorce": "a", "text": "b", "id": 1}', "length", "The source is empty. Unknown keys: sorce, id."),
        ('{"source": "a", "text": "", "references": [], "id": 1}', "length", "The text is empty."),
        ('{"source": "a", "text": "b"}', "bleu", "bleu needs references, there are none."),
    ],
)
def test_keys_that_may_be_misspelt_are_named_where_one_is_missing(
    row: str, metric: str, message: str, judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert judge(f"{row}\n", "--metric", metric) == 3
    assert capfdbinary.readouterr().err.decode().rstrip().endswith(f": {message}")


@pytest.mark.parametrize("missing", ["", '"source": null, ', '"source": "", ', '"source": [], '])
def test_a_row_without_a_source_is_in_error_and_the_others_are_judged(
    missing: str, judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = f'{{{missing}"text": "one two"}}\na\tone\n'
    assert judge(text, "--metric", "length") == 3
    out, err = capfdbinary.readouterr()
    assert (out, err.decode()) == (b"\n1.000000\n", "rewrite: line 1: 'one two': The source is empty.\n")
    assert judge(text, "--metric", "length", "--format", "jsonl") == 3
    first, second = map(json.loads, capfdbinary.readouterr().out.decode().splitlines())
    assert (first["text"], first["score"], first["error"]) == ("one two", None, "The source is empty.")
    assert second["score"] == 1


@pytest.mark.parametrize("missing", ["", ', "text": null', ', "text": ""'])
def test_a_row_without_a_text_is_in_error_and_the_others_are_judged(
    missing: str, judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert judge(f'{{"source": "a"{missing}}}\na\tone\n', "--metric", "length") == 3
    out, err = capfdbinary.readouterr()
    assert (out, err.decode()) == (b"\n1.000000\n", "rewrite: line 1: '': The text is empty.\n")


def test_lines_before_a_bad_one_are_answered(
    judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert judge("a\tone two\na\tone\nno tab\n", "--metric", "length") == 1
    out, err = capfdbinary.readouterr()
    assert out == b"2.000000\n1.000000\n"
    assert b"Line 3" in err


def test_rows_of_other_commands_are_read() -> None:
    assert parse_row('{"source": "a", "text": "b", "references": "c", "signature": "x"}', 1) == Row("a", "b", ("c",))
    assert parse_row('{"source": "a", "text": "b", "references": null}', 1) == Row("a", "b")
    assert parse_row("a\tb\t \tc", 1) == Row("a", "b", ("c",))
    assert parse_row("  ", 1) is None


def test_what_judge_writes_is_judged_the_same_again(
    judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    asked = ("--metric", "rouge1", "--format", "jsonl")
    assert judge("The cat sat.\tA cat sat.\tThe cat sat.\n\nDogs bark.\tA dog barks.\tDogs.\n", *asked) == 0
    first = capfdbinary.readouterr().out.decode()
    assert [json.loads(line).get("references") for line in first.splitlines()] == [["The cat sat."], None, ["Dogs."]]
    assert judge(first, *asked) == 0
    assert capfdbinary.readouterr().out.decode() == first


def test_rows_of_several_documents_are_judged_the_same_again(
    judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    given = {"source": ["The old mill was closed.", "It was built in 1950."], "text": "The mill of 1950 was closed."}
    assert judge(json.dumps(given) + "\n", "--format", "jsonl") == 0
    first = capfdbinary.readouterr().out.decode()
    assert json.loads(first)["source"] == given["source"]
    assert judge(first, "--format", "jsonl") == 0
    assert capfdbinary.readouterr().out.decode() == first


LONG = "The old bridge was closed in May. It was built in 1909. Nobody knew why. The mayor said so. Cars go round it."


def test_rows_and_the_summary_tell_that_two_evaluators_judged(
    judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = f"{LONG}\tThe bridge was closed.\nThe old mill burnt.\tThe mill burnt.\nThe mill fell.\tIt fell.\n"
    assert judge(text, "--format", "jsonl") == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
    assert [row["signature"].partition("|by:")[2] for row in rows] == [
        "bundled:summaries-en",
        "bundled:rewrites-en",
        "bundled:rewrites-en",
    ]
    assert judge(text) == 0
    mean, told = capfdbinary.readouterr().err.decode().splitlines()
    assert mean.endswith("the mean of 3 rows")
    assert told == (
        "learned: rows were judged by different evaluators, whose scores do not compare: 2 by bundled:rewrites-en, "
        "1 by bundled:summaries-en; with --model bundled:NAME one judges all"
    )
    # No evaluator knows both languages.
    assert judge(f"{text}Мост закрыли.\tМост закрыт.\n") == 0
    assert "bundled:NAME" not in capfdbinary.readouterr().err.decode()
    assert judge(text, "--model", "bundled:rewrites-en") == 0
    (mean,) = capfdbinary.readouterr().err.decode().splitlines()
    assert mean.endswith("the mean of 3 rows")


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u2060", "\u00ad\u00ad", "\x07", " \u200b\u3164 "])
def test_what_shows_nothing_is_empty(
    unseen: str, judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert judge(f"a b\t{unseen}\n{unseen}x\ta\nx{unseen}\ta\n", "--metric", "length") == 3
    out, err = capfdbinary.readouterr()
    assert out == b"\n1.000000\n1.000000\n"
    assert "The text is empty." in err.decode()
    assert judge(json.dumps({"source": unseen, "text": "a"}) + "\n", "--metric", "length") == 3
    assert "The source is empty." in capfdbinary.readouterr().err.decode()
    assert parse_row(f"a\tb\t{unseen}\tc", 1) == Row("a", "b", ("c",))


def test_other_is_refused_with_what_there_is_instead(
    judge: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert judge("Der Turm\tTurm\n", "--lang", "other") == 2
    told = capfdbinary.readouterr().err.decode()
    assert "No evaluator is bundled for rewrites in languages other than en and ru." in told
    assert "Give --model FOLDER of an evaluator of your own, or --metric of those that need no model" in told
    assert judge("Der Turm\tTurm\n", "--lang", "other", "--metric", "copied") == 0
