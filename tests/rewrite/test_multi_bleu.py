from __future__ import annotations

import random

import numpy as np
import pytest

from rewrite.errors import BadInput
from rewrite.evaluate.multi_bleu import References, Tokenize, bleu, corpus_bleu, mean_bleu

WORDS = "The A.C. Cesena, ground's is (in) Italy . 3.5 km-long U.S. “Rome” and R&amp;B the IS a".split()


def _text(draw: random.Random, least: int = 1) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(least, 14)))


def _corpus(seed: int) -> tuple[list[str], list[list[str]]]:
    draw = random.Random(seed)
    outputs = [_text(draw) for _ in range(25)]
    return outputs, [[_text(draw) for _ in range(6)] + [output[: draw.randint(5, 40)]] for output in outputs]


@pytest.mark.parametrize("tokenize", ["13a", "none"])
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_bleu_is_sacrebleus(tokenize: Tokenize, lowercase: bool, seed: int) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics.bleu")
    outputs, references = _corpus(seed)
    rows = np.array(
        [
            References(own, tokenize=tokenize, lowercase=lowercase).statistics(output)
            for output, own in zip(outputs, references, strict=True)
        ]
    )
    corpus = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    streams = [list(stream) for stream in zip(*references, strict=True)]
    assert corpus_bleu(rows) == pytest.approx(corpus.corpus_score(outputs, streams).score, abs=1e-9)
    single = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase, force=True, effective_order=True)
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


def test_references_stream_in_any_order_and_repeat_for_nothing() -> None:
    outputs, references = _corpus(9)
    one = References(references[0])
    other = References()
    for reference in [*reversed(references[0]), *references[0]]:
        other.add(reference)
    assert (one.statistics(outputs[0]) == other.statistics(outputs[0])).all()


def test_without_references_or_outputs_there_is_no_score() -> None:
    with pytest.raises(BadInput, match="at least one reference"):
        References().statistics("Rome")
    with pytest.raises(BadInput, match="no outputs"):
        mean_bleu(np.zeros((0, 10)))
