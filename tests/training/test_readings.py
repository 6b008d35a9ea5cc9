"""What readers said of outputs, and how it is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from training import readings
from training.readings import Group, Output, difference, figures, main, read
from training.records import packed_rows
from training.text_acceptance import JUDGED_TEXTS

FRESH = [Path(readings.__file__).with_name(f"fresh_readings{end}.jsonl.gz") for end in ("", "_2", "_3", "_4", "_5")]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "fresh",
            [
                "round 1, edits, balanced: of 100 sentences 75 changed, 77% / 76% of these without a fault",
                "round 3, edits-lm, clear: of 100 sentences 67 changed, 79% / 79% of these without a fault, "
                "42% / 43% simpler as well; of all 86% / 86% without a fault, 94% / 94% well formed",
            ],
        ),
        (
            "splits",
            [
                "all, rules, balanced: of 600 sentences 328 changed, 59% of these without a fault",
                "all, balanced: of 600 sentences 268 changed, 71% of these without a fault",
                "all, simple: of 600 sentences 363 changed, 56% of these without a fault",
            ],
        ),
        (
            "split-rules",
            [
                "drawn, all | without what went: 10 differ; 10 changed, 4 of these without a fault | 6 changed, 4 of",
                "drawn, all | without pronouns by lists: 22 differ; 22 changed, 11 of these without a fault | 17",
            ],
        ),
    ],
)
def test_what_the_pages_quote_is_printed(name: str, lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main([name])
    printed = capsys.readouterr().out
    assert [line for line in lines if line not in printed] == []


@pytest.mark.parametrize(
    ("path", "systems"),
    [
        (FRESH[0], ["edits+gemma-ru, balanced", "edits, balanced", "edits, simple"]),
        (FRESH[1], ["edits, balanced", "edits-lm, clear"]),
        (FRESH[2], ["edits, balanced", "edits-lm, clear"]),
        (FRESH[3], ["edits-lm, simple with brevity=6"]),
        (FRESH[4], ["edits-lm, simple"]),
    ],
)
def test_every_system_has_one_output_for_each_sentence_and_every_text_two_verdicts(
    path: Path, systems: list[str]
) -> None:
    rows = packed_rows(path)
    assert len(rows) == 100
    for row in rows:
        assert sorted(system for text in row["texts"] for system in text["systems"]) == systems
        assert all(len(text["faults"]) == 2 and set("".join(text["faults"])) <= set("wfpn") for text in row["texts"])


OUTPUTS = [
    Output("1", "x y", ("one", "two"), ("", "n")),
    Output("2", "x y", ("one",), ("wf", "")),
    Output("3", "x z", ("two",), ("p", "p")),
]


def test_a_sentence_that_was_left_alone_is_faultless_and_no_simpler() -> None:
    assert figures(Group("g", 4, OUTPUTS), "one") == (
        "g, one: of 4 sentences 2 changed, 50% / 100% of these without a fault, 50% / 50% simpler as well; of all "
        "75% / 100% without a fault, 75% / 100% well formed, "
        "75% / 100% well formed or as the source, 75% / 100% factual, 100% / 100% main point, "
        "50% / 25% simpler"
    )


def test_systems_are_compared_where_their_outputs_differ() -> None:
    told = difference(Group("g", 4, OUTPUTS), "one", "two")
    assert told == (
        "g, one | two: 2 differ; 1 changed, 0, 1 of these without a fault | 1 changed, 0, 0 of these without a fault"
    )


def test_an_output_that_is_the_source_is_none_and_a_split_has_one_reader_or_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        {"source": "a", "texts": [{"text": "a", "systems": ["s"], "faults": ["w", "w"]}]},
        {"place": "b:1", "splits": [{"text": "x\ny", "systems": ["s"], "faults": "wf"}]},
        {"place": "b:2", "text": "x", "systems": ["s"], "faults": ["", "n"]},
    ]
    monkeypatch.setattr(readings, "packed_rows", lambda path: rows)
    assert [outputs for _, outputs in read(tmp_path)] == [
        [],
        [Output("b:1", "x\ny", ("s",), ("wf",))],
        [Output("b:2", "x", ("s",), ("", "n"))],
    ]


def test_every_verdict_on_a_draw_names_known_faults() -> None:
    texts = [text for row in packed_rows(JUDGED_TEXTS["ru"]) for text in row["texts"] if text["faults"] is not None]
    assert len(texts) > 2000
    assert {letter for text in texts for letter in text["faults"]} == set("wfpn")


def test_the_readings_of_english_are_those_that_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    main(["english"])
    lines = capsys.readouterr().out.splitlines()
    page = Path("docs/simplify-english.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `balanced` | "))
    changed, simpler, well_formed, factual = [cell.split(" %")[0].strip() for cell in row.split("|")[2:6]]
    as_source = row[row.index("(") + 1 : row.index(")")]
    told = next(line for line in lines if line.startswith("judge simplicity, balanced: "))
    assert f"of 150 sentences {150 * int(changed) // 100} changed" in told
    for name, cell in (
        ("simpler as well", simpler),
        ("well formed", well_formed),
        ("well formed or as the source", as_source),
        ("factual", factual),
    ):
        one, other = cell.split(", ")
        assert f"{one}% / {other}% {name}" in told


def test_the_readings_of_forests_are_those_that_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    main(["edit-forests"])
    told = capsys.readouterr().out
    page = Path("docs/quality.md").read_text(encoding="utf-8")
    for preset in ("clear", "balanced", "accurate"):
        row = next(line for line in page.splitlines() if line.startswith(f"| `{preset}` | "))
        changed, *cells, count, worse, better = (cell.strip(" %") for cell in row.split("|")[2:10])
        for judge, number, passed, simpler in zip(
            ("networks", "forests"), changed.split(", "), cells[:2], cells[2:], strict=True
        ):
            shares = [cell.replace(", ", "% / ") for cell in (passed, simpler)]
            line = f"{judge}; {preset}: of 300 sentences {number} changed, {shares[0]}% of these without a fault"
            assert f"{line}, {shares[1]}% simpler as well" in told
        both = (cell.replace(": ", " changed, ") + " of these without a fault" for cell in (worse, better))
        assert f"networks; {preset} | forests; {preset}: {count} differ; {' | '.join(both)}\n" in told


def test_the_readings_of_both_judges_of_splits_are_those_that_the_page_shows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["split-judges"])
    lines = capsys.readouterr().out.splitlines()
    page = Path("docs/split.md").read_text(encoding="utf-8").splitlines()
    shown = {
        "splitter-lm, balanced": "| `splitter-lm`, `balanced`",
        "splitter, balanced": "| `splitter`, `balanced`",
        "splitter-lm, accurate": "| `splitter-lm`, `accurate`",
        "splitter, accurate": "| `splitter`, `accurate`",
        "splitter-lm, splits=4.5": "| `splitter-lm`, `-w splits=4.5`",
        "splitter, splits=4.5": "| `splitter`, `-w splits=4.5`",
    }
    for system, begins in shown.items():
        cells = [cell.strip(" %") for cell in next(row for row in page if row.startswith(begins)).split("|")[2:5]]
        split, passed, whole = cells[0], *(cell.replace(", ", "% / ") for cell in cells[1:])
        told = next(line for line in lines if line.startswith(f"all, {system}: of 660 sentences {split} changed, "))
        assert f" {passed}% of these without a fault" in told
        assert f"of all {whole}% without a fault" in told
