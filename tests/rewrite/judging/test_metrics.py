"""Metrics that are other people's, and trivial ones: by hand, and against the libraries themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.errors import BadInput, BadOption, MissingExtra, UnknownName
from rewrite.judging.registry import create_metric, known_metrics
from rewrite.judging.row_metric import Judged, Row, RowMetric

EN = Row("The cat sat on the mat by the door.", "The cats sat.", ("A cat sat on the mat.", "Dogs bark."))
RU = Row("Кошка сидела на большом окне.", "Кошки сидят на окне.", ("Кошка сидит у окна.",))
_HERE = ("rouge1", "rouge2", "rougeL", "bleu", "chrf", "meteor")


def judged(name: str, row: Row, language: str | None = None) -> Judged:
    (found,) = create_metric(name, language=language).score([row])
    return found


@pytest.mark.parametrize("name", [*_HERE, "source-rouge1", "length", "brevity", "copied", "frequency"])
def test_a_metric_keeps_its_contract(name: str) -> None:
    metric = create_metric(name)
    assert isinstance(metric, RowMetric)
    assert metric.name == name
    both, alone = metric.score([EN, RU]), metric.score([RU])
    assert both[1] == alone[0]
    low, high = metric.range
    assert all(low <= one.score <= high for one in both)
    assert metric.signature().startswith(f"{name}:")


def test_rouge_counts_stems_and_takes_the_best_reference() -> None:
    # the, cat(s), sat against a, cat, sat, on, the, mat: three of three, three of six.
    assert judged("rouge1", EN) == Judged(pytest.approx(2 / 3), pytest.approx({"P": 1, "R": 0.5, "F": 2 / 3}))
    # Of the bigrams "the cat", "cat sat" one is there, of five.
    assert judged("rouge2", EN).components == pytest.approx({"P": 1 / 2, "R": 1 / 5, "F": 2 / 7})
    # "cat sat" is the longest common subsequence, "the" stands elsewhere.
    assert judged("rougeL", EN).components == pytest.approx({"P": 2 / 3, "R": 2 / 6, "F": 4 / 9})


def test_rouge_sees_russian_words_by_their_stems() -> None:
    # кошк, окн of кошк сид на окн and кошк сид у окн; сидят and сидит are both сид.
    assert judged("rouge1", RU).components == pytest.approx({"P": 3 / 4, "R": 3 / 4, "F": 3 / 4})
    other = Row("", "Кошка, Москва!", ("Кошка и Москва.",))
    assert judged("rouge1", other, "other").components == pytest.approx({"P": 1, "R": 2 / 3, "F": 0.8})


def test_rouge_against_the_source_needs_no_reference() -> None:
    row = Row("The cat sat on the mat.", "The cats sat.")
    assert judged("source-rouge1", row).components == pytest.approx({"P": 1, "R": 1 / 2, "F": 2 / 3})


def test_rouge_of_english_is_the_librarys_own() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    for kind in ("rouge1", "rouge2", "rougeL"):
        found = RougeScorer([kind], use_stemmer=True).score(EN.references[0], EN.text)[kind]
        assert judged(kind, EN).components == {"P": found.precision, "R": found.recall, "F": found.fmeasure}


def test_bleu_and_chrf_are_sacrebleus_over_100() -> None:
    import sacrebleu

    for row in (EN, RU):
        references = list(row.references)
        bleu = sacrebleu.sentence_bleu(row.text, references)
        assert judged("bleu", row).score == pytest.approx(bleu.score / 100)
        assert judged("bleu", row).components["brevity"] == pytest.approx(bleu.bp)
        assert judged("chrf", row).score == pytest.approx(sacrebleu.sentence_chrf(row.text, references).score / 100)
    assert judged("bleu", Row("", "One two.", ("One two.",))).score == 1.0


def test_meteor_by_hand() -> None:
    # Against "A cat sat on the mat": the | cat sat match in two chunks, P = 1, R = 1/2:
    # F = P R / (0.9 P + 0.1 R), less 0.5 (2/3)^3 of it.
    fmean = 0.5 / (0.9 + 0.05)
    assert judged("meteor", EN).score == pytest.approx(fmean * (1 - 0.5 * (2 / 3) ** 3))
    # Stems only: окне and окна match, so do кошки and кошка, сидят and сидит; two chunks of three matches.
    assert judged("meteor", RU).score == pytest.approx(0.75 * (1 - 0.5 * (2 / 3) ** 3))
    # Without stems nothing but the same word matches, and one match is one chunk.
    assert judged("meteor", Row("", "кошки спят", ("кошка спят",)), "other").score == pytest.approx(0.5 * 0.5)


def test_trivial_figures_by_hand() -> None:
    row = Row("The old cat sat there.", "The cat, the cat.")
    assert judged("length", row).score == 4
    assert judged("brevity", row).score == 1 / 5
    assert judged("copied", row).score == 2 / 4
    assert judged("copied", Row("a", "…")).score == judged("frequency", Row("a", "12 …")).score == 0
    from wordfreq import zipf_frequency

    assert judged("frequency", row).score == zipf_frequency("cat", "en")
    assert judged("frequency", RU).score == min(zipf_frequency(w, "ru") for w in ("кошки", "сидят", "на", "окне"))


@pytest.mark.parametrize("name", _HERE)
def test_a_row_without_references_is_named(name: str) -> None:
    with pytest.raises(BadInput, match=f"Row 2: {name} needs references"):
        create_metric(name).score([EN, Row("a", "b")])


def test_names_languages_and_options_are_checked() -> None:
    with pytest.raises(UnknownName, match=r"'rouge9'.*rougeL"):
        create_metric("rouge9")
    for name in set(known_metrics()) & {*_HERE, "length"}:
        with pytest.raises(BadOption, match="No language 'fr'"):
            create_metric(name, language="fr")
    with pytest.raises(BadOption, match="The metric rouge1 takes no model"):
        create_metric("rouge1", model="hf:there")
    with pytest.raises(BadOption, match="bertscore needs a model"):
        create_metric("bertscore")


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("rouge1", "rouge_score"),
        ("bleu", "sacrebleu.metrics.bleu"),
        ("chrf", "sacrebleu.metrics.chrf"),
        ("meteor", "nltk.translate.meteor_score"),
    ],
)
def test_a_missing_library_is_one_line(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'rewrite-rerank\[eval\]'"):
        create_metric(name)


def test_bertscore_takes_the_nearest_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from rerank.ndd.bertscore import BERTScore

    monkeypatch.setattr(BERTScore, "score", lambda self, source, texts, context: np.array([len(source) / 100]))
    (found,) = create_metric("bertscore", model="hf:somewhere").score([Row("", "b", ("1234", "123456", "12"))])
    assert found == Judged(0.06, {"F": 0.06})


def test_bertscore_is_its_authors_own(tiny_masked_model: Callable[[str], Path]) -> None:
    library = pytest.importorskip("bert_score", reason="needs bert-score: pip install 'rewrite-rerank[ndd]'")
    folder = tiny_masked_model("bert")
    references = ("the cat sat", "a dog sat on it")
    row = Row("", "the dog sat", references)
    (found,) = create_metric("bertscore", language="en", model=f"hf:{folder}").score([row])
    scorer = library.BERTScorer(model_type=str(folder), num_layers=2)
    scorer._tokenizer.model_max_length = 160
    _, _, expected = scorer.score([row.text] * 2, list(references))
    assert found.score == pytest.approx(max(expected.tolist()), abs=1e-5)
    assert min(expected.tolist()) < found.score - 1e-3
