from __future__ import annotations

import random

import numpy as np
import pytest

from rewrite.errors import BadInput
from rewrite.evaluate.multi_bleu import References, bleu, corpus_bleu, mean_bleu, signature, split_words

WORDS = "The A.C. Cesena, ground's is (in) Italy . 3.5 km-long U.S. “Rome” and R&amp;B the IS a".split()


def _text(draw: random.Random, least: int = 1) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(least, 14)))


def _corpus(seed: int) -> tuple[list[str], list[list[str]]]:
    draw = random.Random(seed)
    outputs = [_text(draw) for _ in range(25)]
    return outputs, [[_text(draw) for _ in range(6)] + [output[: draw.randint(5, 40)]] for output in outputs]


@pytest.mark.parametrize("seed", range(5))
def test_bleu_is_sacrebleus(seed: int) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics.bleu")
    outputs, references = _corpus(seed)
    rows = np.array([References(own).statistics(output) for output, own in zip(outputs, references, strict=True)])
    corpus = sacrebleu.BLEU(force=True)
    streams = [list(stream) for stream in zip(*references, strict=True)]
    assert corpus_bleu(rows) == pytest.approx(corpus.corpus_score(outputs, streams).score, abs=1e-9)
    single = sacrebleu.BLEU(force=True, effective_order=True)
    scores = [single.sentence_score(o, own).score for o, own in zip(outputs, references, strict=True)]
    assert [bleu(row, effective_order=True) for row in rows] == pytest.approx(scores, abs=1e-9)
    assert mean_bleu(rows) == pytest.approx(sum(scores) / len(scores), abs=1e-9)


def test_short_empty_and_foreign_outputs_are_as_sacrebleu_has_them() -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics.bleu")
    references = ["Rome is in Italy .", "Italy has Rome"]
    for output in ("", "Rome", "Rome is", "entirely foreign words", "Italy has Rome", "Rome is in Italy and is old"):
        row = References(references).statistics(output)
        for effective in (False, True):
            expected = sacrebleu.BLEU(effective_order=effective).sentence_score(output, references).score
            assert bleu(row, effective_order=effective) == pytest.approx(expected, abs=1e-9)


def test_sources_may_have_different_numbers_of_references_and_sentences_easses_smoothing() -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics.bleu")
    outputs, references = _corpus(7)
    outputs += ["", "Rome"]
    references = [own[: 1 + place % 5] for place, own in enumerate([*references, ["Italy"], ["Rome is in Italy"]])]
    rows = np.array([References(own).statistics(output) for output, own in zip(outputs, references, strict=True)])
    # Streams of references, with None where a source has fewer.
    streams = [[own[k] if k < len(own) else None for own in references] for k in range(5)]
    assert corpus_bleu(rows) == pytest.approx(sacrebleu.BLEU().corpus_score(outputs, streams).score, abs=1e-9)
    # EASSE: corpus BLEU of each sentence on its own, floor smoothing, effective order.
    alone = sacrebleu.BLEU(smooth_method="floor", effective_order=True)
    for output, own, row in zip(outputs, references, rows, strict=True):
        expected = alone.corpus_score([output], [[one] for one in own]).score
        assert bleu(row, effective_order=True, smoothing="floor") == pytest.approx(expected, abs=1e-9)


def test_tokenised_and_plain_text_are_alike_and_case_counts() -> None:
    references = References(["Crace , born in 1986 , sang ( well ) . He left ."])
    plain = "Crace, born in 1986, sang (well). He left."
    assert bleu(references.statistics(plain)) == pytest.approx(100)
    assert bleu(references.statistics(plain.replace("Crace", "crace"))) < 100
    assert split_words("It's 1,000.") == ["It's", "1,000", "."]
    assert split_words("half-\n") == ["half-"]


def test_the_signature_is_sacrebleus_but_for_the_version() -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics.bleu")
    oracle = sacrebleu.BLEU()
    oracle.corpus_score(["a"], [["a"], ["b"]])
    assert signature([2, 2]) == str(oracle.get_signature()).partition("|version:")[0]
    assert signature([2, 1]).startswith("nrefs:var|case:mixed|")


def test_references_stream_in_any_order_and_repeat_for_nothing() -> None:
    outputs, references = _corpus(9)
    one = References(references[0])
    other = References(iter([*reversed(references[0]), *references[0]]))
    assert (one.statistics(outputs[0]) == other.statistics(outputs[0])).all()


def test_without_references_or_outputs_there_is_no_score() -> None:
    with pytest.raises(BadInput, match="at least one reference"):
        References(())
    with pytest.raises(BadInput, match="no outputs"):
        mean_bleu(np.zeros((0, 10)))
