"""`rewrite split --triples`, as a user runs it, with a model that has nothing to say, and its files."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import rewrite
from rewrite.errors import BadInput
from rewrite.splitting.model import BUNDLED
from rewrite.splitting.parsed_words import Words
from rewrite.splitting.split import Split
from rewrite.splitting.split_options import SplitOptions
from rewrite.splitting.splitter import Splitter
from rewrite.splitting.triples.triple import Triple, read_triples, triples_of

SENTENCE = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."
BORN = "Alan_Shepard | birthPlace | New_Hampshire"
TITLE = "Alan_Shepard | title | Chief of the Astronaut Office"
WRITTEN = "Alan Shepard was born in New Hampshire. Alan Shepard served as the Chief of the Astronaut Office."
PLAIN = "The bridge, which was built in 1909, was closed in 2004."


class Silent:
    """A splitter's model that proposes no split."""

    def __init__(self, folder: object = None) -> None:
        pass

    def signature(self) -> str:
        return "silent"

    def propose(self, sentences: Sequence[Words]) -> list[tuple[list[Split], float]]:
        return [([], -0.5) for _ in sentences]


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rewrite.splitting.splitter.SplitModel", Silent)


def _file(folder: Path, *lines: str) -> str:
    path = folder / "triples.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_lines_are_read_in_both_forms(tmp_path: Path) -> None:
    rows = [[*BORN.split(" | ")], [*TITLE.split(" | ")]]
    triples = read_triples(_file(tmp_path, f"{BORN}\t{TITLE}", "", json.dumps(rows), "[]"))
    both = (Triple(*rows[0]), Triple(*rows[1]))
    assert triples == [both, (), both, ()]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Alan_Shepard | birthPlace", r"triples\.txt, line 2: 'Alan_Shepard \| birthPlace' is no triple"),
        (f"{BORN}\ta | | b", r"line 2: 'a \| \| b' is no triple"),
        ('[["a", "b"]]', r"line 2: .*'a', 'b'.* is no triple"),
        ('[["a", "b", 3]]', r"line 2: .* is no triple"),
        ('[["a", "b"', r"line 2: .* is no JSON"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_triples(_file(tmp_path, BORN, line))


def test_python_values_become_triples() -> None:
    triple = Triple("a", "b", "c")
    assert triples_of([triple, "a | b | c", ("a", "b", "d")]) == (triple, Triple("a", "b", "d"))
    with pytest.raises(BadInput, match="no list of triples"):
        triples_of(BORN)


@pytest.mark.usefixtures("silent")
def test_texts_files_and_standard_input(
    tmp_path: Path,
    run_command: Callable[..., int],
    capfd: pytest.CaptureFixture[str],
) -> None:
    triples = _file(tmp_path, f"{BORN}\t{TITLE}", "")
    assert run_command("split", SENTENCE, PLAIN, "--triples", triples) == 0
    assert capfd.readouterr().out == f"{WRITTEN}\n{PLAIN}\n"
    lines = tmp_path / "in.txt"
    lines.write_text(f"{SENTENCE}\n{PLAIN}\n")
    assert run_command("split", "-i", str(lines), "--triples", triples, "--newline") == 0
    assert capfd.readouterr().out == WRITTEN.replace(". ", ".\n") + f"\n{PLAIN}\n"


@pytest.mark.usefixtures("silent")
def test_a_line_whose_triples_are_anothers_is_named_and_the_others_go_on(
    tmp_path: Path, run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "in.txt"
    lines.write_text(f"{PLAIN}\n{SENTENCE}\n")
    triples = _file(tmp_path, BORN, f"{BORN}\t{TITLE}")
    assert run_command("split", "-i", str(lines), "--triples", triples) == 3
    out, err = capfd.readouterr()
    assert out == f"{PLAIN}\n{WRITTEN}\n"
    assert "line 1" in err
    assert "The triples do not belong to the sentence: 'Alan Shepard', 'New Hampshire' are not in it." in err


@pytest.mark.usefixtures("silent")
def test_as_many_lines_of_triples_as_of_text(
    tmp_path: Path, run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    triples = _file(tmp_path, BORN, BORN, BORN)
    assert run_command("split", SENTENCE, PLAIN, "--triples", triples) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "triples.txt: 3 lines of triples for 2 lines of text." in err


def test_what_a_generator_fails_on_is_told_beside_the_templates(tmp_path: Path) -> None:
    (tmp_path / "pools.jsonl").write_text('{"source": "Another.", "candidates": []}\n', encoding="utf-8")
    splitter = Splitter(SplitOptions(generator=f"replay:{tmp_path / 'pools.jsonl'}"))
    (splitting,) = splitter.run([SENTENCE], [[BORN, TITLE]])
    assert "no candidates were recorded" in splitting.sentences[0].error
    assert splitting.sentences[0].table is not None


def test_rows_name_the_generator_and_what_each_sentence_says() -> None:
    (splitting,) = Splitter(model=Silent()).run([SENTENCE], [[BORN, TITLE]])  # type: ignore[arg-type]
    assert splitting.text == WRITTEN
    row = splitting.row()
    best = row["candidates"][0]
    assert best["generator"] == "templates"
    assert best["logprob"] == 0
    assert "templates@" in row["signature"]
    assert splitting.best is not None
    assert any("Alan_Shepard | birthPlace | New_Hampshire" in edit for edit in splitting.best.candidate.edits)


def test_as_many_sentences_as_asked_for() -> None:
    sentence = "Ada Bell was born in Cork, Ireland, in 1909, studied at Yale and died in Rome."
    triples = [
        "Ada_Bell | birthPlace | Cork",
        "Cork | country | Ireland",
        "Ada_Bell | birthYear | 1909",
        "Ada_Bell | almaMater | Yale",
        "Ada_Bell | deathPlace | Rome",
    ]
    for wanted in (4, 5):
        splitter = Splitter(SplitOptions(sentences=wanted), model=Silent())  # type: ignore[arg-type]
        assert len(splitter.run([sentence], [triples])[0].lines) == wanted


def test_one_triple_needs_no_split_and_control_characters_stop_all() -> None:
    splitter = Splitter(model=Silent())  # type: ignore[arg-type]
    (first, second) = splitter.run(
        ["Alan Shepard was born in New Hampshire in 1923.", f"{SENTENCE}\x01"], [[BORN], [BORN]]
    )
    assert first.lines == ("Alan Shepard was born in New Hampshire in 1923.",)
    assert second.sentences[0].skipped == "control characters"
    with pytest.raises(BadInput, match="1 line of triples for 2 lines of text"):
        splitter.run(["a", "b"], [[BORN]])


@pytest.mark.usefixtures("silent")
def test_the_function_of_the_package() -> None:
    assert rewrite.split(SENTENCE, triples=[BORN, TITLE]).text == WRITTEN
    with pytest.raises(BadInput, match="do not belong"):
        rewrite.split(PLAIN, triples=[BORN, TITLE])


@pytest.mark.usefixtures("silent")
def test_standard_input_that_is_shorter_than_the_triples(
    tmp_path: Path,
    run_command: Callable[..., int],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    chunks = [f"{SENTENCE}\n{PLAIN}".encode()]
    monkeypatch.setattr("rewrite.batch.read_lines", lambda *_: iter(chunks))
    triples = _file(tmp_path, f"{BORN}\t{TITLE}", "", BORN)
    assert run_command("split", "--triples", triples) == 1
    out, err = capfd.readouterr()
    assert out == f"{WRITTEN}\n{PLAIN}\n"
    assert "3 lines of triples for 2 lines of text" in err
    # More text than triples: what has triples is answered first.
    assert run_command("split", "--triples", _file(tmp_path, f"{BORN}\t{TITLE}")) == 1
    out, err = capfd.readouterr()
    assert out == f"{WRITTEN}\n"
    assert "1 line of triples for 2 lines of text" in err


@pytest.mark.skipif(not BUNDLED.is_dir(), reason="the splitter's model is not bundled in this checkout")
def test_templates_win_against_the_bundled_splitter() -> None:
    splitting = rewrite.split(SENTENCE, triples=[BORN, TITLE])
    assert splitting.text == WRITTEN
    assert {choice.candidate.generator for choice in splitting.choices} >= {"templates", "splitter"}


@pytest.mark.usefixtures("silent")
def test_a_line_that_fails_has_its_number_in_the_input(
    tmp_path: Path, run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "in.txt"
    lines.write_text(f"{SENTENCE}\nРыба плавает в воде, а птица летает.\n", encoding="utf-8")
    triples = _file(tmp_path, f"{BORN}\t{TITLE}", "")
    assert run_command("split", "--newline", "-i", str(lines), "--triples", triples) == 3
    assert "line 2: " in capfd.readouterr().err
