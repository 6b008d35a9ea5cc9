"""The pairs of the sensitivity tests, what they are measured with, and the curve by overlap."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analysis
from rerank.english.analyzer import EnglishAnalyzer, EnglishToken
from rerank.masked.bundled import load
from rerank.masked.words import split_words
from rerank.ndd.distance import Ndd, hellinger
from rewrite.datasets import RatedPair
from rewrite.errors import BadInput
from tests.english import parsed
from tests.training.papers.probing import CountingModel, write_wordnet
from training.papers.probes.__main__ import main
from training.papers.probes.overlap import (
    METRICS,
    Metrics,
    curve,
    overlap_ratio,
    pearson,
    pearson_interval,
    stsb_file,
)
from training.papers.probes.sensitivity import (
    EditTest,
    TaggedWord,
    Vocabulary,
    edited_pairs,
    lemma,
    overlapping,
    part_of_speech,
    sensitivity,
    synonym_antonym,
    term,
)
from training.papers.probes.wordnet import WordNet
from training.records import drawn

PAST, PRESENT = "Tense=Past VerbForm=Fin", "Tense=Pres VerbForm=Fin"
LEMMAS = {"walked": "walk", "walks": "walk", "strolled": "stroll", "rode": "ride", "rides": "ride", "dogs": "dog"}


def sentence(*words: str) -> Analysis:
    """An analysis of words given as `form/POS/features`, with lemmas from `LEMMAS` or the forms."""
    rows = []
    for number, word in enumerate(words, 1):
        form, pos, *features = word.split("/")
        rows.append(f"{form} {pos} {0 if number == 1 else 1} dep {' '.join(features)}")
    analysis = parsed("\n".join(rows))
    for token in analysis.tokens:
        assert isinstance(token, EnglishToken)
        token.lemma = LEMMAS.get(token.text.lower(), token.text.lower())
    return analysis


PAST_OF = PAST.replace(" ", "/")
PRESENT_OF = PRESENT.replace(" ", "/")
SENTENCES = [
    sentence("The/DET", "cold/ADJ", "dog/NOUN/Number=Sing", f"walked/VERB/{PAST_OF}", "./PUNCT"),
    sentence("A/DET", "hot/ADJ", "dogs/NOUN/Number=Plur", f"strolled/VERB/{PAST_OF}"),
    sentence("A/DET", "chilly/ADJ", "cat/NOUN/Number=Sing", f"rides/VERB/{PRESENT_OF}"),
    sentence("The/DET", "warm/ADJ", "cats/NOUN/Number=Plur", f"rode/VERB/{PAST_OF}"),
    sentence("A/DET", "man/NOUN/Number=Sing", f"walks/VERB/{PRESENT_OF}"),
]


def vocabulary() -> Vocabulary:
    return Vocabulary(SENTENCES)


def texts_of(test: EditTest, place: int, seeds: Sequence[int] = range(20)) -> tuple[set[str], set[str]]:
    """All positive and all negative texts that the seeds lead to from one sentence."""
    found: tuple[set[str], set[str]] = (set(), set())
    for seed in seeds:
        for pair in edited_pairs([SENTENCES[place]], test, seed=seed):
            assert pair.source == SENTENCES[place].text
            found[0 if pair.positive else 1].add(pair.text)
    return found


def test_synonyms_and_antonyms_of_the_files(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path))
    assert wordnet.synonyms("cold", "ADJ") == {"chilly"}
    assert wordnet.antonyms("cold", "ADJ") == {"hot"}
    assert wordnet.antonyms("hot", "ADJ") == {"cold"}
    assert wordnet.antonyms("chilly", "ADJ") == frozenset()  # it is cold's antonym, not its synonym's
    assert wordnet.synonyms("hot", "ADJ") == {"warm"}  # its marker "(p)" is no part of the word
    assert wordnet.synonyms("tepid", "ADJ") == frozenset()  # "luke_warm" is two words
    assert wordnet.synonyms("walk", "VERB") == frozenset()  # that sense has no antonym
    assert wordnet.synonyms("cold", "NOUN") == wordnet.synonyms("cold", "PRON") == frozenset()


def test_wordnet_that_is_missing_or_broken(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"data\.noun.*wordnet-base.*--wordnet"):
        WordNet(tmp_path)
    folder = write_wordnet(tmp_path)
    with (folder / "data.adj").open("a") as file:
        file.write("broken a x\n")
    with pytest.raises(BadInput, match=r"data\.adj, line 5: not a synset"):
        WordNet(folder)
    (folder / "data.adj").write_text("00000001 00 a 01 cold 0 001 ! 00000099 a 0101 | none\n")
    with pytest.raises(BadInput, match=r"adj 00000001: an antonym that is in no synset: adj 00000099"):
        WordNet(folder)


def test_synonym_and_antonym_replace_the_same_word(tmp_path: Path) -> None:
    test = synonym_antonym(vocabulary(), WordNet(write_wordnet(tmp_path)))
    assert texts_of(test, 0) == ({"The chilly dog walked ."}, {"The hot dog walked ."})
    assert texts_of(test, 2) == (set(), set())  # chilly has no antonym of its own
    assert texts_of(test, 4) == (set(), set())


def test_parts_of_speech() -> None:
    only_verb = EditTest(lambda w, rng: part_of_speech(vocabulary()).replacements(w, rng) if w.pos == "VERB" else None)
    positive, negative = texts_of(only_verb, 4, range(60))
    assert positive == {f"A man {verb}" for verb in ("walked", "strolled", "rides", "rode")}
    assert {"A man dog", "A man the", "A man cold"} <= negative
    assert not any(text.split()[2] in ("walked", "strolled", "rides", "rode", "walks") for text in negative)


def test_terms_of_all_verbs() -> None:
    positive, negative = texts_of(term(vocabulary()), 0)
    assert positive == {"The cold dog strolled .", "The cold dog rode ."}
    assert negative == {"The cold dog rides ."}  # walks is the same verb


def test_lemmas_and_the_form_that_goes_with_them() -> None:
    positive, negative = texts_of(lemma(vocabulary()), 4)
    assert positive == {"A man walked"}
    assert negative == {"A man strolled", "A man rode"}  # in the past, as walked is
    assert texts_of(lemma(vocabulary()), 2)[0] == {"A chilly cat rode"}


def test_words_are_drawn_by_frequency() -> None:
    many = Vocabulary([sentence("old/ADJ")] * 90 + [sentence("new/ADJ")] * 10 + [sentence("cold/ADJ")])
    cold, rng = TaggedWord("cold", "ADJ", "cold"), random.Random(0)
    drawn_words = [many.draw(rng, cold, "pos", accepts=lambda w: True) for _ in range(500)]
    forms = [word.form for word in drawn_words if word is not None]
    assert len(forms) == 500
    assert "cold" not in forms
    assert 430 <= forms.count("old") <= 470
    assert many.draw(rng, cold, "pos", accepts=lambda w: w.form == "cold") is None


def test_a_fifth_of_the_words_and_capitals_stay() -> None:
    swap = EditTest(lambda w, rng: (TaggedWord("x", "X", "x"), TaggedWord("y", "X", "y")))
    words = [f"w{'abcdefghijk'[n]}/NOUN" for n in range(10)]
    long = sentence("Top/NOUN", *words[1:], "./PUNCT")
    positive, negative = edited_pairs([long], swap, seed=3)
    changed = [(a, b) for a, b in zip(long.text.split(), positive.text.split(), strict=True) if a != b]
    assert len(changed) == 2
    assert negative.text == positive.text.replace("x", "y").replace("X", "Y")
    all_of_them = EditTest(swap.replacements, share=1.0)
    assert next(iter(edited_pairs([long], all_of_them, seed=0))).text == "X x x x x x x x x x ."


def test_metrics_by_hand() -> None:
    metrics = Metrics(CountingModel(), spec="counting")
    assert not metrics.has_bertscore
    found = metrics.similarities([("a b", "a c"), ("a b", "a b")], "x")
    assert list(found) == list(METRICS)
    # At a, with it masked, each text has one known word: b in one, c in the other; each is expected twice as much as
    # any other of the 64. So the distributions differ in two places.
    high, low = 2 / 65, 1 / 65
    hellinger = np.sqrt(0.5 * 2 * (np.sqrt(high) - np.sqrt(low)) ** 2)
    assert found["NDD"] == pytest.approx([-hellinger, 0.0], abs=1e-6)
    assert found["S_C"] == pytest.approx([0.5, 1.0])  # counts (1, 1, 0) and (1, 0, 1)
    assert found["ΔPPL"] == pytest.approx([0.0, 0.0], abs=1e-6)
    assert found["NDD + S_C"][0] == pytest.approx(-hellinger - 0.0025 * 0.5, abs=1e-6)
    assert found["S_C + NDD"][0] == pytest.approx(0.5 - 0.0025 * hellinger, abs=1e-6)
    assert np.isnan(found["BERTScore"]).all()


def test_ndd_is_a_mean_over_the_common_words_and_not_their_sum() -> None:
    pair = ("The old man sold his house .", "The young man sold his boat .")
    model = load("en")
    ndd = Ndd(model, divergence="hellinger")
    texts = [list(split_words(text, "en")) for text in pair]
    source = ndd.read(texts[0])
    comparison = source.compare(texts[1])
    common = len(comparison.alignment)
    assert common == 5
    each = []
    for i, j in zip(comparison.alignment.source, comparison.alignment.target, strict=True):
        rows = [source.reading.rows(int(i), "word")[0], comparison.reading.rows(int(j), "word")[0]]
        each.append(float(np.mean(hellinger(*model.predict(rows)))))
    found = Metrics(model).similarities([pair], "test")["NDD"][0]
    assert found == pytest.approx(-sum(each) / common, abs=1e-5)


def test_perplexity_difference_counts_repeated_words() -> None:
    metrics = Metrics(CountingModel())
    (value,) = metrics.similarities([("a b", "a a")], "x")["ΔPPL"]
    # In "a a" each a is expected with 2 of 65, in "a b" each word with 1 of 65.
    assert value == pytest.approx(-np.log(2.0), abs=1e-5)


def test_pearson() -> None:
    assert pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])) == pytest.approx(100.0)
    assert pearson(np.array([1.0, 2.0, 4.0]), np.array([1.0, 0.0, 0.0])) == pytest.approx(-75.5929, abs=1e-3)
    assert np.isnan(pearson(np.array([1.0, 1.0]), np.array([1.0, 2.0])))
    assert np.isnan(pearson(np.array([1.0]), np.array([1.0])))


def test_overlap_ratio_is_of_the_shorter_text() -> None:
    ndd = Ndd(CountingModel())
    assert overlap_ratio(ndd, "a b c d e", "a c x") == pytest.approx(2 / 3)
    assert overlap_ratio(ndd, "a b", "c d") == 0.0
    assert overlap_ratio(ndd, "a b", "x a y b") == 1.0
    close, far = RatedPair("a b c d e", "a b c d x", 4.0), RatedPair("a b c d e", "a b c y x", 4.0)
    assert overlapping([close, far], CountingModel()) == [close]


@pytest.mark.paper
def test_table_one() -> None:
    pairs = [("a b", "a b"), ("a b", "a c"), ("c d", "c d"), ("c d", "c e"), ("a " * 70, "a b")]
    labels = np.array([1.0, 0.0, 1.0, 0.0, 1.0])
    table, intervals, counts = sensitivity({"POS": (pairs, labels)}, Metrics(CountingModel()))
    rows = {row[0]: row[1:] for row in table.rows}
    assert table.head == ["metric", "POS"]
    assert rows["NDD"] == pytest.approx([100.0])
    assert intervals.head == ["metric", "POS from", "POS to"]
    assert next(row for row in intervals.rows if row[0] == "NDD")[1:] == pytest.approx([100.0, 100.0])
    assert counts.rows == [["POS", 4, 1]]


@pytest.mark.paper
def test_an_interval_draws_whole_sentences() -> None:
    generator = np.random.default_rng(3)
    labels = np.tile([1.0, 0.0], 200)
    values = labels + generator.normal(0, 1, 400)
    own = [str(place // 2) for place in range(400)]
    low, high = pearson_interval(values, labels, own, samples=400, seed=1)
    assert low < pearson(values, labels) < high
    # Of one correlation over 400 independent pairs the usual interval is about as wide.
    assert 10 < high - low < 20
    # Copies of a pair tell no more than that pair.
    copied = pearson_interval(np.tile(values, 9), np.tile(labels, 9), own * 9, samples=400, seed=1)
    assert copied == pytest.approx((low, high))
    assert pearson_interval(values, labels, own, samples=400, seed=1) == (low, high)
    assert np.isnan(pearson_interval(values, labels, ["one"] * 400, samples=10, seed=1)).all()


def test_curve_by_hand() -> None:
    ratios = np.array([0.0, 0.5, 0.8, 1.0, 1.0])
    scores = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    values = {"NDD": np.array([5.0, -2.0, -3.0, 4.0, 5.0]), "BERTScore": np.full(5, np.nan)}
    table = curve(ratios, values, scores)
    assert table.head == ("r", "pairs", "NDD")
    assert [row[1] for row in table.rows] == [5, 4, 4, 4, 4, 4, 3, 3, 3, 2, 2, 2]
    assert table.rows[0][2] == pytest.approx(float(np.corrcoef(values["NDD"], scores)[0, 1]) * 100)
    assert table.rows[-1][2] == pytest.approx(100.0)  # the last two


def test_the_file_of_stsb_is_found_in_a_folder_or_named(tmp_path: Path) -> None:
    path = tmp_path / "stsb-en-dev.csv"
    path.touch()
    assert stsb_file(str(tmp_path), "dev") == stsb_file(str(path), "test") == path
    with pytest.raises(BadInput, match=r"no stsb-en-test\.csv"):
        stsb_file(str(tmp_path), "test")


def test_a_draw_keeps_the_order_and_goes_with_the_seed() -> None:
    assert drawn(range(5), None, 0) == drawn(range(5), 9, 0) == [0, 1, 2, 3, 4]
    some = drawn(range(100), 10, 1)
    assert some == sorted(some) == drawn(range(100), 10, 1)
    assert len(set(some)) == 10
    assert some != drawn(range(100), 10, 2)


@pytest.mark.paper
def test_the_whole_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "stsb.csv"
    texts = [analysis.text for analysis in SENTENCES]
    rows = zip(texts, [*texts[1:], texts[0]], "51342", strict=True)
    data.write_text("".join(f"{a},{b},{score}\n" for a, b, score in rows), encoding="utf-8")
    by_text = {analysis.text: analysis for analysis in SENTENCES}
    monkeypatch.setattr(EnglishAnalyzer, "analyze", lambda self, texts, layers=(): [by_text[text] for text in texts])
    monkeypatch.setattr(EnglishAnalyzer, "signature", "by hand")
    monkeypatch.setattr("training.papers.probes.sensitivity.create_masked_model", lambda *_, **__: CountingModel())
    wordnet = write_wordnet(tmp_path / "wordnet")
    arguments = ["sensitivity", "--data", str(data), "--wordnet", str(wordnet)]
    assert main([*arguments, "--test", "term", "--test", "syn-ant"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[1].split() == ["metric", "Term", "Syn-Ant"]
    assert "tagger:by hand" in shown
    assert main([*arguments[:3], "--wordnet", str(tmp_path)]) == 1
    assert "wordnet-base" in capsys.readouterr().err
    assert main(["sensitivity", "--data", str(tmp_path / "nowhere")]) == 1


def test_missing_data_and_models_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    checks: list[tuple[list[str], int, Callable[[str], bool]]] = [
        (["examples", "--masked-model", "bart"], 2, lambda told: "Unknown masked language model 'bart'" in told),
        (["examples", "--masked-model", str(tmp_path)], 2, lambda told: f"write hf:{tmp_path} or bundled:" in told),
        (["overlap", "--data", str(tmp_path)], 1, lambda told: "stsb-en-dev.csv" in told),
    ]
    for arguments, status, is_told in checks:
        assert main(arguments) == status
        assert is_told(capsys.readouterr().err)
