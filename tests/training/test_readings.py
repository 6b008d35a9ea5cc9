"""What readers said of outputs, and how it is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.readings import FRESH, edits_passed, fresh_shares, main, rule_pairs, split_figures
from training.records import packed_rows
from training.text_acceptance import JUDGED_TEXTS


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "edits",
            [
                "readers 1 and 2: agree on 0.96, kappa 0.91",
                "the model as a judge of each reader: AUC 0.798, 0.735, 0.722",
            ],
        ),
        (
            "fresh",
            [
                "edits, balanced: unchanged 25% / 25%, well formed 94% / 93%",
                "readers agree on 210 texts: well formed 98%",
                "edits-lm, clear: of the sentences of more than 25 words 10 of 40 were cut",
                "edits-lm, clear: of the sentences of more than 25 words 17 of 40 were cut",
                "edits-lm, clear: unchanged 25% / 25%, well formed 91% / 91%",
            ],
        ),
        (
            "splits",
            [
                "rules, balanced (all): 328 of 600 split, 192 (59%) without a fault; 77% of all outputs have none",
                "\nbalanced (all): 268 of 600 split, 190 (71%) without a fault; 87% of all outputs have none",
            ],
        ),
        (
            "split-rules",
            [
                "drawn, without what went: 10 differ, split 10 with it, 6 without; no fault 4 with it, 4 without",
                "drawn, without pronouns by lists: 22 differ, split 22 with it, 17 without; no fault 11 with it, 10",
            ],
        ),
    ],
)
def test_what_the_pages_quote_is_printed(name: str, lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    if name == "edits":
        pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'rewrite-rerank[train]'")
    main([name])
    printed = capsys.readouterr().out
    assert [line for line in lines if line not in printed] == []


def test_every_edit_has_a_chance_and_three_verdicts() -> None:
    for kind in ("cut", "change"):
        chances, passed = edits_passed(kind)
        assert chances.shape == (160,)
        assert passed.shape == (160, 3)
        assert ((chances > 0) & (chances < 1)).all()


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


def test_shares_count_an_unchanged_source_as_faultless_and_no_simpler() -> None:
    rows = [
        {"source": "а", "texts": [{"text": "а", "systems": ["s"], "faults": ["w", "w"]}]},
        {"source": "б", "texts": [{"text": "в", "systems": ["s"], "faults": ["", "wf"]}]},
    ]
    first = {"unchanged": 0.5, "well formed": 1, "factual": 1, "main point": 1, "simpler": 0.5, "faultless": 1}
    assert fresh_shares(rows, "s", 0) == first
    assert fresh_shares(rows, "s", 1) == first | {"well formed": 0.5, "factual": 0.5, "faultless": 0.5}


def test_a_split_counts_for_each_system_that_made_it() -> None:
    rows = [
        {"place": "a:1", "splits": [{"text": "x\ny", "systems": ["one", "two"], "faults": ""}]},
        {"place": "a:2", "splits": [{"text": "x\ny", "systems": ["one"], "faults": "wf"}]},
        {"place": "b:1", "splits": []},
    ]
    assert split_figures(rows, "one") == (3, 2, 1)
    assert split_figures(rows, "two") == (3, 1, 1)


def test_rules_are_compared_where_they_split_differently() -> None:
    rows = [
        {"splits": [{"text": "x\ny", "systems": ["all", "without a"], "faults": ""}]},
        {"splits": [{"text": "x\ny", "systems": ["all"], "faults": "w"}]},
        {
            "splits": [
                {"text": "x\ny", "systems": ["all"], "faults": ""},
                {"text": "x\nz", "systems": ["without a"], "faults": "f"},
            ]
        },
    ]
    assert rule_pairs(rows, "without a") == [("w", None), ("", "f")]


def test_every_verdict_on_a_draw_names_known_faults() -> None:
    texts = [text for row in packed_rows(JUDGED_TEXTS["ru"]) for text in row["texts"] if text["faults"] is not None]
    assert len(texts) > 2000
    assert {letter for text in texts for letter in text["faults"]} == set("wfpn")


def test_the_readings_of_english_are_those_that_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    main(["english"])
    lines = capsys.readouterr().out.splitlines()
    page = Path("docs/simplify-english.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `balanced` | "))
    changed, faultless, well_formed, factual = [cell.strip(" %") for cell in row.split("|")[2:6]]
    told = next(line for line in lines if line.startswith("judge verdict-en, balanced: "))
    assert f"changed {changed}%" in told
    for name, cell in (("faultless", faultless), ("well formed", well_formed), ("factual", factual)):
        one, other = cell.split(", ")
        assert f"{name} {one}% / {other}%" in told


def test_the_readings_of_forests_are_those_that_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    main(["edit-forests"])
    told = capsys.readouterr().out
    page = Path("docs/quality.md").read_text(encoding="utf-8")
    for preset in ("clear", "balanced", "accurate"):
        row = next(line for line in page.splitlines() if line.startswith(f"| `{preset}` | "))
        changed, *cells, count, worse, better = (cell.strip() for cell in row.split("|")[2:10])
        assert f"{preset}: changed {changed}\n" in told
        for judge, passed, simpler, some in (("networks", *cells[::2], worse), ("forests", *cells[1::2], better)):
            assert f"{judge}, {preset}: of 300 in all no fault {passed}, simpler as well {simpler}\n" in told
            assert f"{judge}, {preset}: of {count} that differ no fault {some}, " in told


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
        shares = f"{passed}% of these without a fault; of all outputs {whole}%"
        assert f"{system} (all): of 660 sentences {split} split, {shares}" in lines
