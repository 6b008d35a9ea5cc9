"""`rewrite split` with the bundled model: what a user types and gets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rewrite import SplitOptions, Splitter, split
from rewrite.engines.ct2 import CT2Engine
from rewrite.errors import BadInput, BadWeights
from rewrite.splitting.guard import check
from rewrite.splitting.model import BUNDLED, SplitModel
from tests.rewrite.splitting.marking import analyzer, words_in

SHEPARD = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."
BRIDGE = "The bridge, which was built in 1909, was closed in 2004, and it was torn down two years later."


@pytest.fixture(scope="module")
def splitter() -> Splitter:
    return splitting()


def splitting(**options: Any) -> Splitter:
    """A splitter that shares the parser of all tests."""
    return Splitter(SplitOptions(**options), analyzer=analyzer())


def lines(splitter: Splitter, text: str) -> tuple[str, ...]:
    return splitter.run([text])[0].lines


def test_the_issue_s_sentence_becomes_two(splitter: Splitter) -> None:
    assert lines(splitter, SHEPARD) == (
        "Alan Shepard was born in New Hampshire.",
        "He served as the Chief of the Astronaut Office.",
    )


def test_text_has_a_line_for_each_line(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("split", SHEPARD, "", "She likes tea.") == 0
    found = capfd.readouterr().out.split("\n")
    assert found == [
        "Alan Shepard was born in New Hampshire. He served as the Chief of the Astronaut Office.",
        "",
        "She likes tea.",
        "",
    ]


def test_newline_puts_sentences_on_lines(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("split", "--newline", SHEPARD) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2


def test_newline_goes_with_one_best(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("split", "--newline", "--best", "1", SHEPARD) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("options", "remarks"),
    [
        (["--max-words", "5"], ["2 of 4 lines have sentences of more than 5 words: nothing better passed"]),
        (["--sentences", "3"], ["1 of 4 lines has sentences that did not become 3: nothing better passed"]),
        (
            ["--sentences", "4", "--max-words", "7"],
            [
                "2 of 4 lines have sentences that did not become 4: nothing better passed",
                "1 of 4 lines has sentences of more than 7 words: nothing better passed",
            ],
        ),
        (["--max-words", "50"], []),
        (["--max-words", "5", "--format", "jsonl"], []),
        ([], []),
    ],
)
def test_a_length_that_was_missed_is_told_at_the_end(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str], options: list[str], remarks: list[str]
) -> None:
    # A short line is no sentence to split, and an empty one none at all.
    assert run_command("split", "--generator", "splitter", *options, BRIDGE, "She likes tea.", "", SHEPARD) == 0
    assert capfd.readouterr().err.splitlines() == [f"rewrite: {remark}" for remark in remarks]


def test_of_a_single_line_no_count_is_told(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("split", "--max-words", "5", BRIDGE) == 0
    assert capfd.readouterr().err == "rewrite: the line has sentences of more than 5 words: nothing better passed\n"


def test_rows_hold_sentences_candidates_and_what_was_kept(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("split", "--format", "jsonl", f"{SHEPARD} She likes tea.") == 0
    row = json.loads(capfd.readouterr().out)
    assert len(row["split"]) == 3
    assert row["text"] == " ".join(row["split"])
    assert list(row["kept"]) == ["She likes tea."]
    assert {"splits", "length", "likelihood", "caution"} <= set(row["sentences"][0]["candidates"][0]["components"])


def test_explain_tells_the_steps(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("split", "--explain", SHEPARD) == 0
    told = capfd.readouterr().err
    assert "dropped “and" in told
    assert "splits 1.00 (weight 2.5)" in told


@pytest.mark.parametrize(("wanted", "least"), [(1, 1), (2, 2), (3, 3)])
def test_sentences_sets_how_many(wanted: int, least: int) -> None:
    found = splitting(sentences=wanted).run([BRIDGE])[0]
    assert len(found.lines) == least


def test_max_words_goes_on_while_a_sentence_is_longer() -> None:
    (found,) = splitting(max_words=9).run([BRIDGE])
    assert len(found.lines) == 3
    assert all(len(line.split()) <= 9 for line in found.lines)


def test_weights_choose_and_may_change_afterwards(splitter: Splitter) -> None:
    (found,) = splitter.run([BRIDGE])
    assert len(found.lines) == 2
    assert found.reweight({"splits": 0, "length": 0, "caution": 50, "likelihood": 0}).lines != ()
    assert splitting(weights={"splits": 0.0, "length": 0.0}).run(["He sat on the old mat in the hall."])[0].lines == (
        "He sat on the old mat in the hall.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "The cat sat on the mat in the old kitchen of the house.",
        "No verb here, and none of it at all in these words",
        "Neither the mayor nor the council answered the letter.",
        "If you press the button and turn the key, the engine starts.",
        "Either he pays the fine or he goes to prison for a year.",
    ],
)
def test_what_needs_no_split_stays(splitter: Splitter, text: str) -> None:
    assert lines(splitter, text) == (text,)


def test_every_sentence_of_a_paragraph_is_handled(splitter: Splitter) -> None:
    found = lines(splitter, f"{SHEPARD} {BRIDGE}")
    assert len(found) == 4


@pytest.mark.parametrize("name", ["U.S.", "Dr. Smith", "No. 5", "St. Louis", "3.5 km", "J. K. Rowling"])
def test_abbreviations_are_not_cut(splitter: Splitter, name: str) -> None:
    text = f"The team from the town met {name} in the final, and it went home with the cup that year."
    assert sum(line.count(name) for line in lines(splitter, text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        'He said, "I came, and I saw it all, and I left again," and then he left the room for good.',
        "The law (which passed in 1999, and which was amended in 2004) is still in force, and it covers all towns.",
        "They called the plan “a bridge, and a road, and a wall” in the press, and nobody ever built any of it.",
    ],
)
def test_quotations_and_brackets_stay_whole(splitter: Splitter, text: str) -> None:
    for line in lines(splitter, text):
        assert line.count("(") == line.count(")")
        assert line.count("“") == line.count("”")
        assert line.count('"') % 2 == 0


def test_what_is_longer_than_the_window_is_split(splitter: Splitter) -> None:
    clause = "the river rose in the night and the people of the village left their houses in small boats"
    text = f"It rained, and {', and '.join([clause] * 8)}."
    (found,) = splitter.run([text])
    assert not found.sentences[0].error
    assert max(len(line.split()) for line in found.lines) <= 60
    assert not check(words_in(text), found.text)


def test_a_line_that_is_not_english_is_named_and_the_others_go_on(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    russian = "Город стоит на реке, и в нём живут люди из разных стран."
    assert run_command("split", russian, SHEPARD) == 3
    told = capfd.readouterr()
    assert told.out.splitlines()[0] == russian
    assert "English" in told.err
    with pytest.raises(BadInput, match="English"):
        split(russian)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sentences", "0"], "--sentences"),
        (["--max-words", "two"], "--max-words"),
        (["-w", "lenght=2"], "Did you mean 'length'"),
        (["--model", "nowhere"], "nowhere"),
        (["--newline", "--format", "jsonl"], "--newline"),
        (["--newline", "--best", "2"], "--newline counts for nothing with --best 2"),
        (["--preset", "simpel"], "simpel"),
    ],
)
def test_bad_options_are_told(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert run_command("split", *options, SHEPARD) in (1, 2)
    assert message in capfd.readouterr().err


def test_a_preset_of_one_s_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nweights: {splits: 0, length: 0, likelihood: 1, caution: 9}\n", encoding="utf-8")
    assert splitting(preset=str(path)).weights["caution"] == 9
    path.write_text("name: mine\nweights: {lexical: 1}\n", encoding="utf-8")
    with pytest.raises(BadWeights, match="lexical"):
        splitting(preset=str(path))


def test_fluency_is_measured_on_request() -> None:
    (found,) = splitting(weights={"fluency": 1.0}).run([SHEPARD])
    assert found.best is not None
    assert 0 < found.best.components["fluency"] < 1


def test_the_bundled_model_is_small_and_has_its_card() -> None:
    assert sum(path.stat().st_size for path in BUNDLED.iterdir()) < 30e6
    card = json.loads((BUNDLED / "card.json").read_text(encoding="utf-8"))
    assert all(item["licence"] for item in card["data"])
    assert SplitModel().signature().startswith("splitter:bundled@")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mary, who was born in Leeds, is a doctor.", ("Mary was born in Leeds.", "She is a doctor.")),
        (
            'He said, "I came, and I saw it all, and I left again," and then he left the room.',
            ('He said, "I came, and I saw it all, and I left again."', "And then he left the room."),
        ),
        (
            "She asked if he was coming, and he said that he was not.",
            ("She asked if he was coming.", "He said that he was not."),
        ),
    ],
)
def test_what_reading_found_stays_mended(text: str, sentences: tuple[str, ...]) -> None:
    assert lines(splitting(preset="simple"), text) == sentences


def test_a_thing_is_no_he(splitter: Splitter) -> None:
    text = "The museum, a former mill, opened in 1999, attracting 20,000 visitors a year."
    assert not any(line.startswith("He ") for line in lines(splitter, text))


def test_the_adapter_that_draws_and_the_one_that_judges_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def create(scheme: str, target: str, settings: Mapping[str, str]) -> CT2Engine:
        made.append(target)
        return CT2Engine(target)

    monkeypatch.setattr("rewrite.engines.registry.create_engine", create)
    assert splitting(generator="splitter-lm+gemma-en").generator_in("en").name == "splitter-lm+ct2"
    # What was drawn and what the splitter made are judged by the same.
    assert sorted(made) == ["gemma-en", "verdict-en"]
