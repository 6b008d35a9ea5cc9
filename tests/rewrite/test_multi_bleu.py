from __future__ import annotations

import random

import numpy as np
import pytest

from rewrite.errors import BadInput
from rewrite.evaluate.multi_bleu import BLEU, References, bleu, mean_bleu, signature, split_words

sacrebleu = pytest.importorskip("sacrebleu.metrics.bleu")

WORDS = "The A.C. Cesena, ground's is (in) Italy . 3.5 km-long U.S. “Rome” and R&amp;B the IS a".split()


def _text(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(1, 14)))


def test_bleu_is_sacrebleus_with_different_numbers_of_references_and_easses_smoothing() -> None:
    draw = random.Random(7)
    outputs = [*(_text(draw) for _ in range(25)), "", "Rome"]
    references = [[_text(draw) for _ in range(1 + place % 5)] for place in range(25)]
    references += [["Italy"], ["Rome is in Italy"]]
    rows = np.array([References(texts).statistics(output) for output, texts in zip(outputs, references, strict=True)])
    # Streams of references, with None where a source has fewer.
    streams = [[texts[k] if k < len(texts) else None for texts in references] for k in range(5)]
    assert BLEU.of(rows)["bleu"] == pytest.approx(sacrebleu.BLEU().corpus_score(outputs, streams).score, abs=1e-9)
    single = sacrebleu.BLEU(force=True, effective_order=True)
    scores = [single.sentence_score(o, texts).score for o, texts in zip(outputs, references, strict=True)]
    assert mean_bleu(rows) == pytest.approx(sum(scores) / len(scores), abs=1e-9)
    # EASSE: corpus BLEU of each sentence on its own, floor smoothing, effective order.
    alone = sacrebleu.BLEU(smooth_method="floor", effective_order=True)
    for output, texts, row in zip(outputs, references, rows, strict=True):
        expected = alone.corpus_score([output], [[reference] for reference in texts]).score
        assert bleu(row, effective_order=True, smoothing="floor") == pytest.approx(expected, abs=1e-9)


def test_tokenised_and_plain_text_are_alike_and_case_counts() -> None:
    references = References(["Crace , born in 1986 , sang ( well ) . He left ."])
    plain = "Crace, born in 1986, sang (well). He left."
    assert bleu(references.statistics(plain)) == pytest.approx(100)
    assert bleu(references.statistics(plain.replace("Crace", "crace"))) < 100
    tokenizer = sacrebleu.BLEU().tokenizer
    for text in ("It's 1,000.", "half-\n", *WORDS, " ".join(WORDS)):
        assert split_words(text) == tokenizer(text.rstrip()).split()


def test_the_signature_is_sacrebleus_but_for_the_version() -> None:
    oracle = sacrebleu.BLEU()
    oracle.corpus_score(["a"], [["a"], ["b"]])
    assert signature([2, 2]) == str(oracle.get_signature()).partition("|version:")[0]
    assert signature([2, 1]).startswith("nrefs:var|case:mixed|")


def test_without_references_or_outputs_there_is_no_score() -> None:
    with pytest.raises(BadInput, match="at least one reference"):
        References(())
    with pytest.raises(BadInput, match="no outputs"):
        mean_bleu(np.zeros((0, 10)))
