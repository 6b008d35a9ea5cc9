"""Figures of compressions: against the libraries, against figures made by hand, and known ones on real sets."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rewrite.datasets import Example
from rewrite.errors import BadInput, MissingExtra
from rewrite.evaluate.compression_corpora import SETS
from rewrite.evaluate.compression_scoring import WORDS, CompressionScoring, split, truncated, word_f1
from rewrite.evaluate.harness import HarnessReport, evaluate
from rewrite.evaluate.multi_bleu import References, bleu
from rewrite.evaluate.resampling import Bootstrap
from rewrite.evaluate.sets import EvaluationSet, load_set
from tests.paths import need_data

rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs rouge-score: the extra eval")
sacrebleu = pytest.importorskip("sacrebleu", reason="needs sacrebleu: the extra eval")


def _run(data: EvaluationSet, systems: dict[str, list[str]] | None = None, samples: int = 100) -> HarnessReport:
    return evaluate(data, CompressionScoring, systems, bootstrap=Bootstrap(samples))


def _scoring(language: str) -> CompressionScoring:
    return CompressionScoring(EvaluationSet("toy", (), language))


@pytest.mark.parametrize(
    ("output", "reference", "f1"),
    [
        ("the cat sat", "the cat sat", 1.0),
        ("the cat", "the cat sat down", 2 * 1.0 * 0.5 / 1.5),
        ("the the cat", "the cat", 2 * (2 / 3) * 1 / (2 / 3 + 1)),
        ("the cat", "the the the the", 2 * 0.5 * 0.25 / 0.75),
        ("cat the", "the cat", 1.0),
        ("a dog", "the cat", 0.0),
        ("", "the cat", 0.0),
        ("", "", 0.0),
    ],
)
def test_f1_is_of_words_with_their_number(output: str, reference: str, f1: float) -> None:
    assert word_f1(output.split(), reference.split()) == pytest.approx(f1)


def test_truncation_counts_bytes() -> None:
    assert truncated("the cats sat", "my cats") == "the cat"
    # Two bytes a letter, so that a cut at seven bytes goes through one.
    assert truncated("кошка спала", "кот") == "кош"
    assert truncated("кошка спала", "кот!") == "кош"
    # Three bytes a character, of which the cut leaves one or two.
    assert truncated("推荐活动", "推荐") == "推荐"
    assert truncated("推荐活动", "推ab") == "推"
    assert truncated("short", "a longer reference") == "short"


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        ("The storm is moving towards the coast, slowly.", "The storm moves to the coast."),
        ("Police said on Friday that two men were hurt", "Two men hurt, police said"),
        ("Two", "Two men hurt, police said"),
        ("", "Two men hurt"),
    ],
)
def test_rouge_is_that_of_the_library_on_the_cut_output(output: str, reference: str) -> None:
    oracle = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"])
    cut = output.encode()[: len(reference.encode())].decode()
    scores = oracle.score(reference, cut)
    recalls = [scores[name].recall for name in ("rouge1", "rouge2", "rougeL")]
    f_measures = [scores[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")]
    assert _scoring("en").rouge(output, [reference, "x", reference])[::2] == [[*recalls, *f_measures]] * 2


def test_rouge_reads_scripts_that_the_library_drops() -> None:
    # Of 5 words 4 are found, 2 pairs of 4; the longest common subsequence has 4 words.
    (scores,) = _scoring("ru").rouge("Кошка долго спала в доме", ["Кошка спала в тёплом доме."])
    assert scores[:3] == pytest.approx([4 / 5, 1 / 4, 4 / 5])
    (scores,) = _scoring("zh").rouge("推荐点活动", ["推荐活动呗"])
    assert scores[:3] == pytest.approx([4 / 5, 2 / 4, 4 / 5])


@pytest.mark.parametrize(
    ("language", "outputs", "references"),
    [
        ("zh", ["我们去北京了吗", "推荐活动", "查一下5G流量"], [["我们去北京"], ["推荐点活动"], ["查5G流量"]]),
        ("en", ["Two men were hurt .", "He left ."], [["Two men hurt .", "Men were hurt ."], ["He", "He has left ."]]),
    ],
)
def test_bleu_is_that_of_the_library(language: str, outputs: list[str], references: list[list[str]]) -> None:
    tokenizer = "zh" if language == "zh" else "13a"
    golds = [References(texts, tokenizer=tokenizer) for texts in references]
    totals = np.sum([gold.statistics(output) for gold, output in zip(golds, outputs, strict=True)], axis=0)
    streams = list(map(list, zip(*references, strict=True)))
    for order in range(1, 5):
        library = sacrebleu.BLEU(tokenize=tokenizer, max_ngram_order=order)
        assert bleu(totals, order=order) == pytest.approx(library.corpus_score(outputs, streams).score)


def _toy(*references: str) -> EvaluationSet:
    long = Example("A B C D E F G H I J", references or ("A B C D",))
    return EvaluationSet("toy", (long, Example("K L", ("K",) * max(1, len(references)))))


def _figures(report: HarnessReport, system: str) -> dict[str, float]:
    (row,) = (row for row in report.rows if row.system == system)
    return dict(row.figures)


def test_f1_is_a_mean_over_sources_and_the_ratio_one_of_sums() -> None:
    figures = _figures(_run(_toy(), {"mine": ["A B", "K L"]}), "mine")
    assert figures["f1"] == pytest.approx(100 * (2 * 2 / 6 + 2 * 1 / 3) / 2)
    assert figures["cr"] == pytest.approx(4 / 12)
    assert figures["delta_c"] == pytest.approx(4 / 12 - 5 / 12)
    assert figures["cr_characters"] == pytest.approx(4 / 12)
    assert figures["rouge1"] == pytest.approx(100 * (0.5 + 1) / 2)
    assert "bleu4" not in figures


def test_several_references_are_averaged() -> None:
    data = _toy("A B C D", "A J")
    outputs = {"mine": ["A B C D", "K"]}
    mean = _figures(_run(data, outputs), "mine")
    assert mean["f1"] == pytest.approx(100 * ((1 + 2 / 6) / 2 + 1) / 2)
    # Both references are K L's gold; the first source's have three words on average.
    assert mean["delta_c"] == pytest.approx(5 / 12 - 4 / 12)


def test_baselines_match_each_system_or_else_the_gold() -> None:
    data = _toy()
    rows = _run(data).rows
    assert [(row.system, row.kind, row.matches) for row in rows] == [
        ("unedited", "baseline", ""),
        ("drop head", "baseline", "gold"),
        ("drop tail", "baseline", "gold"),
        ("random drop", "baseline", "gold"),
    ]
    assert [row.figures["delta_c"] for row in rows[1:]] == pytest.approx([0, 0, 0])
    report = _run(data, {"long": ["A B C D E F G H I", "K L"], "short": ["I J", "L"]})
    assert _figures(report, "drop tail as long")["cr"] == _figures(report, "long")["cr"] == pytest.approx(11 / 12)
    assert _figures(report, "drop head as short")["cr"] == _figures(report, "short")["cr"] == pytest.approx(3 / 12)
    assert _figures(report, "drop head as short")["f1"] == 0


@pytest.mark.parametrize("outputs", [["", ""], ["A B C D E F G H I J A B C", "K L K L"]])
def test_empty_and_longer_outputs_have_baselines_too(outputs: list[str]) -> None:
    report = _run(_toy(), {"mine": outputs})
    assert 0 < _figures(report, "drop tail")["cr"] <= 1
    assert _figures(report, "mine")["cr"] == sum(len(output.split()) for output in outputs) / 12


def test_differences_are_paired() -> None:
    data = EvaluationSet("toy", tuple(Example(f"a {i} b c", (f"a {i}",)) for i in range(40)))
    outputs = [f"a {i}" if i % 2 else f"{i} b" for i in range(40)]
    report = _run(data, {"mine": outputs, "same": outputs})
    by_name = {
        (difference.system, difference.baseline, difference.figure): difference for difference in report.differences
    }
    difference = by_name["mine", "drop tail as mine", "f1"]
    assert difference.value == pytest.approx(-25)
    assert -37 < difference.interval.low < difference.value < difference.interval.high < -13
    assert {baseline for system, baseline, _ in by_name if system == "same"} == {
        "unedited",
        *(f"{name} as same" for name in ("drop head", "drop tail", "random drop")),
    }
    # Each pair of systems stands once.
    twins = by_name["mine", "same", "f1"]
    assert (twins.value, twins.interval.low, twins.interval.high) == (0, 0, 0)


def test_an_output_too_many_is_refused() -> None:
    with pytest.raises(BadInput, match="mine gives 3 outputs for 2 sources"):
        _run(_toy(), {"mine": ["A", "K", ""]})
    with pytest.raises(BadInput, match="nothing to evaluate"):
        _run(EvaluationSet("toy", ()))
    with pytest.raises(BadInput, match="has no words"):
        _run(EvaluationSet("toy", (Example(" ", ("a",)),)))


@pytest.mark.parametrize(("module", "metric"), [("rouge_score", "ROUGE"), ("sacrebleu.metrics.bleu", "BLEU")])
def test_a_missing_library_is_named(module: str, metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"{metric} needs .* pip install 'rewrite-rerank\[eval\]'"):
        _scoring("zh")


# Figures of the baselines at the gold rate, made with the command in docs/evaluation.md; random drop follows NumPy's
# generator, so it is held less tightly.
_KNOWN = {
    "broadcast": {
        "unedited": (85.3, 77.5, 65.1, 76.8, 1.0),
        "drop head": (76.2, 66.4, 53.9, 65.6, 0.724),
        "drop tail": (71.3, 71.5, 58.6, 70.7, 0.724),
        "random drop": (74.2, 68.0, 41.9, 67.2, 0.724),
    },
    "newsroom": {
        "unedited": (62.5, 58.7, 45.4, 57.9, 1.0),
        "drop head": (41.2, 37.5, 27.5, 36.5, 0.454),
        "drop tail": (54.9, 54.7, 42.3, 54.2, 0.454),
        "random drop": (47.3, 46.0, 17.6, 44.9, 0.454),
    },
}


@pytest.mark.parametrize("name", ["broadcast", "newsroom"])
def test_baselines_have_their_known_figures(name: str) -> None:
    data = load_set(SETS, name, need_data("sentcomp").parent)
    report = _run(data)
    assert report.text().split("\n")[0].endswith(f", gold CR {_KNOWN[name]['drop head'][-1]:.3f}")
    for row in report.rows:
        *scores, ratio = _KNOWN[name][row.system]
        measured = [row.figures[figure] for figure in ("f1", "rouge1", "rouge2", "rougeL")]
        assert measured == pytest.approx(scores, abs=1.0 if row.system == "random drop" else 0.051)
        assert row.figures["cr"] == pytest.approx(ratio, abs=5e-4)
        interval = row.measured.interval("f1")
        assert interval.low < row.figures["f1"] < interval.high
    # Every reference of broadcast is a part of its source, so that this F1 is known from lengths alone.
    if name == "broadcast":
        lengths = [
            (len(split(e.source, WORDS)), [len(split(reference, WORDS)) for reference in e.references])
            for e in data.examples
        ]
        expected = np.mean(
            [np.mean([2 * kept / (kept + source) for kept in references]) for source, references in lengths]
        )
        assert report.rows[0].figures["f1"] == pytest.approx(100 * expected, abs=0.1)


def test_gold_outputs_are_perfect() -> None:
    data = load_set(SETS, "zh", need_data("som_ncscm_zh"), part="dev", limit=40)
    gold = [example.references[0] for example in data.examples]
    figures = _figures(_run(data, {"gold": gold}, samples=20), "gold")
    assert [figures[name] for name in ("f1", "rouge1", "rougeL", "bleu1", "bleu4")] == pytest.approx([100] * 5)
    assert figures["delta_c"] == pytest.approx(0)


def test_chinese_is_counted_by_characters() -> None:
    data = EvaluationSet("toy", (Example("给我推荐5G活动", ("推荐活动",)),), "zh")
    assert CompressionScoring(data).source_words == [7]
    assert "|unit:characters|" in _run(data).signature


def _rows(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    rows: list[dict[str, object]] = [
        {"id": "1", "text": "He said the storm hit Tyre .", "summaries": ["the storm hit Tyre .", "storm hit Tyre ."]},
        {"id": "2", "text": "Good morning , Jennifer .", "summaries": ["Good morning .", "Good morning , Jennifer ."]},
    ]
    (tmp_path / "sentcomp").mkdir()
    _rows(tmp_path / "sentcomp" / "broadcast.jsonl", rows)
    (tmp_path / "mine.txt").write_text("the storm hit Tyre .\nGood morning .\n", encoding="utf-8")
    return tmp_path


def test_the_command_prints_systems_beside_baselines(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = str(small / "mine.txt")
    assert run_command("evaluate", "compression", "--set", "broadcast", "--data", str(small), outputs) == 0
    out, err = capsys.readouterr()
    assert out.startswith("broadcast: 2 sources, 4 references, gold CR 0.708")
    names = [line.split("  ")[0] for line in out.splitlines()[4:9]]
    assert names == ["unedited", "drop head", "drop tail", "random drop", "mine"]
    assert "mine − drop tail" in out
    assert "scoring mine" in err
    assert "rouge-score:" in out.splitlines()[-1]


def test_the_command_prints_json_rows(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--set", "broadcast", "--data", str(small), f"a={small / 'mine.txt'}", "--format", "jsonl"]
    assert run_command("evaluate", "compression", *arguments) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (mine,) = (row for row in rows if row["kind"] == "system")
    assert mine["system"] == "a"
    assert mine["cr"] == pytest.approx(8 / 12)
    assert mine["f1"] == pytest.approx(100 * ((1 + 8 / 9) / 2 + (1 + 6 / 8) / 2) / 2)
    assert mine["intervals"]["f1"][0] <= mine["f1"] <= mine["intervals"]["f1"][1]
    assert "bleu4" not in mine
    assert {row["kind"] for row in rows} == {"baseline", "system", "difference"}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--set", "duc"], 2, "No set 'duc'"),
        (["--set", "broadcast", "unedited=mine.txt"], 2, "The name 'unedited'"),
        (["--set", "broadcast", "mine.txt", "mine.txt"], 2, "The name 'mine'"),
        (["--set", "broadcast", "none.txt"], 1, "none.txt"),
        (["--set", "broadcast", "--limit", "1", "mine.txt"], 1, "holds 2 outputs, the set has 1 sources"),
    ],
)
def test_the_command_refuses_in_one_line(
    small: Path,
    arguments: list[str],
    code: int,
    message: str,
    run_command: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(small)
    assert run_command("evaluate", "compression", "--data", str(small), *arguments) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rewrite: ")
    assert message in line
