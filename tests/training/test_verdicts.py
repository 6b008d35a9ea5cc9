"""The base learns whether a reader would print a rewrite, from what readers said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from training import verdicts
from training.finetuning.learning import Learning, LoraOptions
from training.finetuning.saving import adapted, load_adapter
from training.finetuning.trainer import losses, train
from training.places import Places
from training.verdicts import (
    Judged,
    Source,
    VerdictBatches,
    is_held,
    judged_texts,
    logprobs,
    loss_of_verdicts,
    measure,
    spelt,
)

SENTENCE = "He left, and she stayed."
HELD, UNHELD = "Sentence 10.", "Sentence 0."
VERDICTS = [1, 40, 41, 42]
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def read(monkeypatch: pytest.MonkeyPatch, rows: Rows, data: Path = Path()) -> dict[str, list[Judged]]:
    """What is read from files with these rows, by their names, and others that are empty."""
    monkeypatch.setattr(verdicts, "packed_rows", lambda path: rows.get(path.name.removesuffix(".jsonl.gz"), []))
    return judged_texts(Places(data))


def text(words: str, faults: str | list[str] | None, **more: str) -> dict[str, Any]:
    return {"text": words, "faults": faults, **more}


def shares(*, passed: float = 0, form: float = 0, fact: float = 0, point: float = 0) -> Any:
    return pytest.approx(np.array([passed, form, fact, point]))


def test_a_text_that_was_judged_in_several_files_has_all_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    splits = [text("He left .\nShe stayed .", ["", "w"])]
    draws = [text("He left. She stayed.", "f"), text("He went.", "")]
    rows = {
        "split_judgements": [{"source": "He left , and she stayed .", "splits": splits}],
        "text_judgements_en": [{"source": SENTENCE, "texts": draws}],
        "english_readings": [{"source": SENTENCE, "text": "He left. She stayed.", "faults": ["", ""]}],
    }
    ((source, (twice, once)),) = read(monkeypatch, rows).items()
    assert source == SENTENCE
    assert (twice.text, once.text) == ("He left. She stayed.", "He went.")
    assert twice.shares == shares(passed=3 / 5, form=1 / 5, fact=1 / 5)
    # What ever measured does not teach.
    assert (twice.file, once.file) == ("english_readings", "text_judgements_en")


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["", "n"], {"passed": 1}),
        (["wfp"], {"form": 1 / 3, "fact": 1 / 3, "point": 1 / 3}),
        (["a", "p", "ap"], {"point": 1}),
        (["wn", ""], {"form": 1 / 2, "passed": 1 / 2}),
        (["f", "wf", "", ""], {"passed": 1 / 2, "fact": 3 / 8, "form": 1 / 8}),
    ],
    ids=["no simpler", "several faults", "not all kept", "a fault and no simpler", "several readers"],
)
def test_each_answer_counts_once_whatever_it_names(
    answers: list[str], expected: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {"split_readings": [{"source": SENTENCE, "splits": [text("He left.", answers)]}]}
    ((judged,),) = read(monkeypatch, rows).values()
    assert judged.shares == shares(**expected)


def test_what_a_reader_made_of_a_faulty_text_passes_and_what_none_read_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [
        text("He left.", "p", repair="He left , she stayed ."),
        text("He stayed.", None, guard="a name was changed"),
        text(SENTENCE, ""),
    ]
    ((faulty, repaired),) = read(
        monkeypatch, {"text_judgements_en_hot": [{"source": SENTENCE, "texts": texts}]}
    ).values()
    assert (faulty.text, repaired.text) == ("He left.", "He left, she stayed.")
    assert faulty.shares == shares(point=1)
    assert repaired.shares == shares(passed=1)


def test_sentences_are_found_by_their_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wikisplit").mkdir()
    (tmp_path / "wikisplit" / "validation.tsv").write_text(
        "He left , and she stayed .\tHe left . <::::> She stayed .\n"
    )
    rows = {
        "split_judgements_2": [{"place": "wikisplit-validation:0", "splits": [text("He left.\nShe did not.", ["f"])]}]
    }
    assert set(read(monkeypatch, rows, tmp_path)) == {SENTENCE}


def test_the_same_six_sentences_in_a_hundred_measure() -> None:
    held = [number for number in range(5_000) if is_held(f"Sentence {number}.")]
    assert len(held) / 5_000 == pytest.approx(0.06, abs=0.01)
    # If others did, the shipped model would be measured on what it has learnt from.
    assert held[:7] == [10, 13, 30, 34, 38, 44, 82]


class Tokenizer:
    """A token for each word: ten, and how long it is."""

    bos_token_id, eos_token_id = 2, 1

    def __call__(self, line: str, *, add_special_tokens: bool) -> dict[str, list[int]]:
        assert not add_special_tokens
        return {"input_ids": [10 + len(word) for word in line.split()]}


def judged(words: str, file: str = "text_judgements_en") -> Judged:
    return Judged(words, np.array([1.0, 0, 0, 0]), file)


def test_a_text_is_read_after_its_sentence_and_the_control_digits() -> None:
    base: Any = SimpleNamespace(tokenizer=Tokenizer())
    ((source,), measured) = spelt(base, {UNHELD: [judged("Any words here.")]})
    assert source.tokens == (2, 18, 12, 14)
    ((tokens, read_text),) = source.texts
    assert (tokens, read_text.text) == ((13, 15, 15, 1), "Any words here.")
    assert source.size == 8
    assert measured == []


def test_what_is_too_long_is_left_out_and_many_texts_of_a_sentence_are_parted() -> None:
    base: Any = SimpleNamespace(tokenizer=Tokenizer())
    many = [judged(f"Text {number}") for number in range(9)]
    learnt, measured = spelt(
        base,
        {
            UNHELD: [*many, judged("long " * 200)],
            HELD: many,
            "Measured elsewhere.": [judged("Mine."), judged("Theirs.", "english_readings")],
            "much " * 200: many,
            "Alone.": [judged("long " * 200)],
        },
    )
    assert [[one.text for _, one in source.texts] for source in learnt] == [
        [f"Text {number}" for number in range(8)],
        ["Text 8"],
    ]
    assert len({source.tokens for source in learnt}) == 1
    assert [len(source.texts) for source in measured] == [9, 2]


@pytest.fixture
def model() -> Any:
    torch = pytest.importorskip("torch", reason="learning needs the [train] extra")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("peft")
    torch.manual_seed(0)
    config = transformers.Gemma3TextConfig(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16, sliding_window=64, pad_token_id=0, bos_token_id=2, eos_token_id=1,
        initializer_range=0.3,
    )  # fmt: skip
    return transformers.AutoModelForCausalLM.from_config(config)


@pytest.fixture
def taught(model: Any) -> Any:
    options = LoraOptions(rank=4, alpha=4, dropout=0.0, targets=("o_proj", "up_proj", "down_proj"))
    return adapted(model, options, kind="causal", seed=0)


def two_of(start: Sequence[int]) -> Source:
    """A sentence with a text that passes, of tokens 20 on, and one that is not factual, of 30 on."""
    passed = Judged("good", np.array([1.0, 0, 0, 0]), "text_judgements_en")
    faulty = Judged("bad", np.array([0, 0, 1.0, 0]), "text_judgements_en")
    return Source((2, *start), (((20, 21, 1), passed), ((30, 31, 32, 1), faulty)))


def test_the_log_probabilities_of_verdicts_are_those_of_each_text_alone(taught: Any) -> None:
    import torch

    batches = VerdictBatches([two_of([10, 11, 12]), two_of([13])], 0, tokens=100, seed=0)
    taught.eval()
    alone = []
    for place in batches.indices(0):
        source = batches.examples[place]
        for tokens, _ in source.texts:
            # Read up to the end token, which the verdict stands in the place of.
            logits = taught(torch.tensor([[*source.tokens, *tokens[:-1]]])).logits[0, -1].log_softmax(-1)
            alone.append(logits[VERDICTS].tolist())
    found = logprobs(taught, batches[0], VERDICTS).detach()
    assert found.numpy() == pytest.approx(np.array(alone), abs=1e-3)
    shares = np.array([text.shares for text in batches.texts(0)])
    loss = loss_of_verdicts(taught, batches[0], None, verdicts=VERDICTS).item()
    assert loss == pytest.approx(float(-(shares * np.array(alone)).sum(1).mean()), abs=1e-3)


def test_what_readers_passed_is_told_from_what_they_did_not(taught: Any, tmp_path: Path) -> None:
    sources = [two_of([10 + number % 7, 17 + number % 3]) for number in range(80)]
    learnt = VerdictBatches(sources, 0, tokens=1, seed=0, accumulate=2)
    options = Learning(
        learning_rate=0.02, accumulate=2, weight_decay=0.0, precision="fp32", device="cpu", threads=1, log_every=2
    )
    loss = partial(loss_of_verdicts, verdicts=VERDICTS)
    best, state = train(taught, learnt, options, seed=0, folder=tmp_path, loss=loss)
    progress = losses(state)
    assert [row["step"] for row in progress] == list(range(2, 41, 2))
    assert progress[-1]["loss"] < 0.5 * progress[0]["loss"]
    other = VerdictBatches([two_of([18, 12, 11])], 0, tokens=100, seed=0)
    assert measure(taught, other, VERDICTS) == {"text_judgements_en": {"texts": 2, "auc": 1.0}}
    (passed, faulty) = logprobs(taught, other[0], VERDICTS).exp().tolist()
    assert passed[0] == max(passed)
    assert faulty[2] == max(faulty)
    # A checkpoint is the adapter alone, which a run that is over is read from.
    load_adapter(taught, best)
    assert train(taught, learnt, options, seed=0, folder=tmp_path, loss=loss)[0] == best


@pytest.mark.parametrize(("first", "layers"), [(0, {"0", "1"}), (1, {"1"})])
def test_layers_below_the_first_get_no_adapter(model: Any, first: int, layers: set[str]) -> None:
    options = LoraOptions(rank=4, targets=("q_proj", "up_proj"), first_layer=first)
    taught = adapted(model, options, kind="causal", seed=0)
    names = [name for name, weights in taught.named_parameters() if weights.requires_grad]
    assert {name.split(".layers.")[1].split(".")[0] for name in names} == layers
