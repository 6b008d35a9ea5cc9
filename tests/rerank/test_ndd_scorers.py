"""The scorers that ask a masked language model."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.errors import MissingExtra, TextTooLong, UnknownName
from rerank.masked.registry import create_masked_model
from rerank.masked.words import split_words
from rerank.ndd.bertscore import BERTScore
from rerank.ndd.scorers import CosineScorer, NddScorer, PerplexityScorer
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

ModelFolder = Callable[[str], Path]
AnyScorer = NddScorer | PerplexityScorer | CosineScorer | BERTScore

SOURCE = "I am walking in the cold rain."
TEXTS = ["I am walking in the hot rain.", "He was running .", SOURCE, "snow"]


@pytest.fixture(scope="module", params=["bert", "roberta"])
def folder(request: pytest.FixtureRequest, tiny_masked_model: ModelFolder) -> Path:
    return tiny_masked_model(request.param)


@pytest.fixture
def spec(tiny_masked_model: ModelFolder) -> str:
    return f"hf:{tiny_masked_model('bert')}"


@pytest.fixture
def context(analyzer: Analyzer) -> Context:
    return Context(analyzer)


def score(scorer: AnyScorer, context: Context, texts: list[str] = TEXTS, source: str = SOURCE) -> FloatArray:
    return scorer.score(source, [Candidate(text) for text in texts], context)


def test_ndd_is_the_distance_mapped_to_zero_to_one(spec: str, context: Context) -> None:
    bounded = NddScorer(model=spec)
    assert score(bounded, context) == pytest.approx(1 - bounded.distances(SOURCE, TEXTS))
    unbounded = NddScorer(model=spec, divergence="kl", attention="balanced")
    assert score(unbounded, context) == pytest.approx(np.exp(-unbounded.distances(SOURCE, TEXTS)))
    for values in (score(bounded, context), score(unbounded, context)):
        assert values[2] == 1.0
        assert (values[[0, 1, 3]] < 1).all()


def test_weights_are_shares_where_the_divergence_is_bounded(spec: str) -> None:
    mean = NddScorer(model=spec).distances(SOURCE, TEXTS)
    flat = NddScorer(model=spec, attention="exponential", mu=1.0).distances(SOURCE, TEXTS)
    assert flat == pytest.approx(mean, abs=1e-6)
    assert (NddScorer(model=spec, attention="balanced").distances(SOURCE, TEXTS) <= 1).all()


def test_perplexity_is_the_mean_of_each_sub_word_masked_alone(folder: Path, context: Context) -> None:
    model = create_masked_model(f"hf:{folder}")
    direct = transformers.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float64).eval()

    def perplexity(text: str) -> float:
        inner = [token for word in split_words(text, "en") for token in model.tokens(word)]
        row = [*model.prefix, *inner, *model.suffix]
        total = 0.0
        for place in range(len(model.prefix), len(row) - len(model.suffix)):
            masked = torch.tensor([[*row[:place], model.mask, *row[place + 1 :]]])
            with torch.no_grad():
                total -= float(direct(masked).logits[0, place].log_softmax(-1)[row[place]])
        return total / len(inner)

    scorer = PerplexityScorer(model=f"hf:{folder}")
    expected = [perplexity(text) for text in (SOURCE, *TEXTS)]
    assert scorer.perplexities([SOURCE, *TEXTS], "en") == pytest.approx(expected, abs=1e-5)
    gaps = scorer.differences(SOURCE, TEXTS)
    assert gaps == pytest.approx(np.array(expected[1:]) - expected[0], abs=1e-5)
    assert score(scorer, context) == pytest.approx(np.exp(-np.abs(gaps)))
    assert score(scorer, context)[2] == 1.0


def test_a_text_without_words_has_no_perplexity_and_is_far_from_all_but_another(spec: str, context: Context) -> None:
    scorer = PerplexityScorer(model=spec)
    assert math.isinf(scorer.perplexities([""], "en")[0])
    assert score(scorer, context, ["", SOURCE]).tolist() == [0.0, 1.0]
    assert score(scorer, context, ["", SOURCE], source="").tolist() == [1.0, 0.0]


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_the_cosine_is_that_of_the_last_layer(folder: Path, pooling: str, context: Context) -> None:
    model = create_masked_model(f"hf:{folder}")
    direct = transformers.AutoModel.from_pretrained(folder, dtype=torch.float64, add_pooling_layer=False).eval()

    def vector(text: str) -> torch.Tensor:
        inner = [token for word in split_words(text, "en") for token in model.tokens(word)]
        with torch.no_grad():
            found = direct(torch.tensor([[*model.prefix, *inner, *model.suffix]])).last_hidden_state[0]
        return found[0] if pooling == "cls" else found[1:-1].mean(0)

    expected = [float(torch.cosine_similarity(vector(SOURCE), vector(text), dim=0)) for text in TEXTS]
    scorer = CosineScorer(model=f"hf:{folder}", pooling=pooling)
    assert scorer.similarities(SOURCE, TEXTS) == pytest.approx(expected, abs=1e-5)
    assert score(scorer, context) == pytest.approx(np.maximum(expected, 0), abs=1e-5)
    assert score(scorer, context)[2] == 1.0


def test_bertscore_is_the_library_s_own(folder: Path, context: Context) -> None:
    library = pytest.importorskip("bert_score", reason="needs bert-score: pip install 'rewrite-rerank[ndd]'")
    if "t5" in str(folder):
        pytest.skip("bert-score takes such a folder for a T5")
    others = [text for text in TEXTS if text != SOURCE]
    for layer in (1, 2):
        own = library.BERTScorer(model_type=str(folder), num_layers=layer)
        own._tokenizer.model_max_length = 160
        expected = own.score(others, [SOURCE] * len(others))[2].tolist()
        values = score(BERTScore(model=f"hf:{folder}", layer=layer), context)
        assert values[[0, 1, 3]] == pytest.approx(expected, abs=1e-6)
        assert values[2] == 1.0
    with pytest.raises(UnknownName, match="no layer 3"):
        score(BERTScore(model=f"hf:{folder}", layer=3), context)


def test_bertscore_without_its_library_says_what_to_install(
    tiny_masked_model: ModelFolder, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "bert_score", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rewrite-rerank\[ndd\]'"):
        score(BERTScore(model=f"hf:{tiny_masked_model('bert')}"), context)
    with pytest.raises(UnknownName, match="'bundled'"):
        BERTScore(model="bundled")


def test_a_long_text_is_scored_by_its_sentences_and_a_long_sentence_is_named(spec: str, context: Context) -> None:
    long, changed = f"{SOURCE} " * 30, f"{SOURCE} " * 29 + TEXTS[0]
    for scorer in (
        NddScorer(model=spec),
        PerplexityScorer(model=spec),
        CosineScorer(model=spec),
    ):
        values = score(scorer, context, [long, changed], source=long)
        assert values[0] == 1.0
        assert 0 < values[1] < 1
        endless = "rain " * 200
        assert [*scorer.unfit([SOURCE, endless, long])] == [1]
        with pytest.raises(TextTooLong, match="'rain rain "):
            score(scorer, context, [endless])


def test_the_language_is_guessed_or_told(tiny_masked_model: ModelFolder) -> None:
    spec = f"hf:{tiny_masked_model('bert')}"
    assert [NddScorer(model=spec).language_of(text) for text in (SOURCE, "Дождь.", "下雨。")] == ["en", "ru", "zh"]
    told = NddScorer(model=spec, language="other")
    assert told.language_of(SOURCE) == "other"
    assert told.signature() != NddScorer(model=spec).signature()
    with pytest.raises(UnknownName, match=r"No masked language model for 'zh' is bundled.*hf:NAME"):
        NddScorer().distances("下雨。", ["雨。"])
    # Among others, such a text fails by itself, unless all are said to be in that language.
    assert "for 'zh' is bundled" in str(NddScorer().unfit(["下雨。"])[0])
    with pytest.raises(UnknownName, match="'zh'"):
        NddScorer(language="zh").unfit(["下雨。"])


def test_settings_that_nobody_knows_are_named() -> None:
    with pytest.raises(UnknownName, match=r"'max'.*cls, mean"):
        CosineScorer(pooling="max")
    with pytest.raises(UnknownName, match=r"'bert:x'.*Known: hf:NAME"):
        PerplexityScorer(model="bert:x")
