"""The recipe of the small language model: what it may see, where the loss counts, copying, going on after a stop."""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rerank.errors import BadInput
from rewrite.datasets import Pair
from rewrite.errors import BadOption
from training import valency
from training.sft import Mixture, Trainer, batches, learning_rate, main
from training.sft_data import Corpus, HeldBack, paraphrase_pairs, synthetic_pairs, task
from training.sft_model import MARK, SPECIAL, Encoded, encode, train_tokenizer
from training.sft_model import new_model as full_model

SOURCE = "Город расположен на правом берегу реки Оки, в десяти километрах к югу от Москвы."
SENTENCES = [
    SOURCE,
    "Писатель закончил свой новый роман, который он писал восемь лет, осенью прошлого года.",
    "Отряд быстро вошёл в старый город, стоящий на берегу широкой реки (притока Оки), и остался там.",
    "В центре города в прошлом году был построен новый красивый музей.",
]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    pytest.importorskip("tokenizers", reason="tokenizers comes with the hf extra")
    return train_tokenizer(SENTENCES * 5, 500)


@pytest.fixture
def corpus() -> Corpus:
    pairs = {"ruadapt": [Pair(SENTENCES[0], "Город стоит на реке Оке.")], "synthetic": [], "paraphraser": []}
    return Corpus(SENTENCES, pairs, held_out=[])


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def new_model(vocabulary: int) -> Any:
    pytest.importorskip("torch", reason="torch comes with the hf extra")
    pytest.importorskip("transformers", reason="transformers comes with the hf extra")
    import torch

    torch.manual_seed(0)
    return full_model(vocabulary, layers=2, width=64)


# -- What may be seen -------------------------------------------------------------------------------------------------


def test_what_is_held_back_is_found_whatever_its_case_and_punctuation() -> None:
    held_back = HeldBack([SOURCE, "Ёлка зелёная!"])
    assert "«город расположен, на правом берегу реки оки — в десяти километрах к югу от москвы»" in held_back
    assert "елка зеленая" in held_back
    assert "Ёлка" not in held_back


def test_eight_words_in_a_row_are_too_many_and_seven_are_not() -> None:
    held_back = HeldBack([SOURCE])
    words = SOURCE.replace(",", "").rstrip(".").split()
    assert " ".join(["Вчера", *words[2:10], "нашли"]) in held_back
    assert " ".join(["Вчера", *words[2:9], "нашли"]) not in held_back


def test_paraphrases_go_from_the_longer_to_the_shorter(tmp_path: Path) -> None:
    rows = [("Короткий текст.", "Очень длинный текст.", 1), ("Ровно пять.", "Ровно семь.", 0), ("Дом.", "Сад.", 1)]
    values = '<value name="text_1">{}</value><value name="text_2">{}</value><value name="class">{}</value>'
    body = "".join(f"<paraphrase>{values.format(*row)}</paraphrase>" for row in rows)
    path = tmp_path / "paraphrases.xml"
    path.write_text(f"<?xml version='1.0' encoding='UTF8'?><data><corpus>{body}</corpus></data>", encoding="utf-8")
    assert paraphrase_pairs(path) == [Pair("Очень длинный текст.", "Короткий текст.")]


def test_stored_rewrites_are_read_again_and_those_that_change_nothing_left_out(tmp_path: Path) -> None:
    path = tmp_path / "synthetic.jsonl"
    write_rows(path, [(SOURCE, "Город стоит."), (SOURCE, SOURCE)])
    assert synthetic_pairs(path, [], minutes=0, seed=0) == [Pair(SOURCE, "Город стоит.")]


def test_rewrites_are_made_by_both_presets_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "synthetic.jsonl"
    sources = ["В связи с ремонтом движение по мосту было временно приостановлено.", "Кошка спит."]
    made = synthetic_pairs(path, sources, minutes=1, seed=0)
    assert [pair.source for pair in made] == sources[:1]
    assert made[0].target != made[0].source
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
    assert synthetic_pairs(path, [], minutes=0, seed=0) == made


def test_a_task_takes_its_target_from_the_sentence_alone() -> None:
    rng = random.Random(0)
    made = [task(SENTENCES[2], SENTENCES[3], rng) for _ in range(200)]
    for pair, learnt_as_text in made:
        assert words(pair.target) <= words(pair.source)
        assert learnt_as_text == (pair.source == SENTENCES[2])
    copies = sum(pair.source == pair.target for pair, _ in made)
    shorter = sum(len(pair.target) < len(SENTENCES[2]) for pair, _ in made)
    assert 90 < copies < 150
    assert 20 < shorter < 60
    assert "Отряд быстро вошёл в старый город, стоящий на берегу широкой реки, и остался там." in {
        pair.target for pair, _ in made
    }


# -- Tokens and the loss ----------------------------------------------------------------------------------------------


def test_a_pair_counts_from_the_first_token_of_its_target(tokenizer: Any) -> None:
    (made,) = encode(tokenizer, [Pair(SOURCE, "Город на реке.")])
    mark = tokenizer.token_to_id(MARK)
    assert made.ids[0] == tokenizer.token_to_id("<s>")
    assert made.ids.count(mark) == 1
    assert made.ids[made.start - 1] == mark
    assert tokenizer.decode(made.ids[made.start : -1]).strip() == "Город на реке."
    assert made.ids[-1] == tokenizer.token_to_id("</s>")


def test_text_is_the_same_tokens_before_and_after_the_mark(tokenizer: Any) -> None:
    (made,) = encode(tokenizer, [Pair(SOURCE, SOURCE)], whole=True)
    middle = made.ids.index(tokenizer.token_to_id(MARK))
    assert made.ids[1:middle] == made.ids[middle + 1 : -1]
    assert made.start == 1


def test_the_prompt_is_the_beginning_of_what_is_learnt(tokenizer: Any) -> None:
    (made,) = encode(tokenizer, [Pair(SOURCE, "Город.")])
    assert tokenizer.encode(f"<s>{SOURCE} {MARK}").ids == made.ids[: made.start]


def test_a_pair_that_does_not_fit_is_left_out(tokenizer: Any) -> None:
    assert encode(tokenizer, [Pair(SOURCE * 20, "Город."), Pair(SOURCE, "Город.")]) == encode(
        tokenizer, [Pair(SOURCE, "Город.")]
    )


def test_special_tokens_have_their_places(tokenizer: Any) -> None:
    assert [tokenizer.token_to_id(token) for token in SPECIAL] == [0, 1, 2, 3]


def test_the_loss_is_that_of_the_target_alone(tokenizer: Any) -> None:
    model = new_model(tokenizer.get_vocab_size())
    import torch

    from training.sft import _loss

    examples = encode(tokenizer, [Pair(SOURCE, "Город на реке."), Pair("Город.", "Город.")])
    total, count = _loss(model, examples)
    assert count == sum(len(e.ids) - e.start for e in examples)
    expected = 0.0
    for example in examples:
        with torch.no_grad():
            scores = model(torch.tensor([example.ids])).logits[0].log_softmax(-1)
        expected -= sum(float(scores[i - 1, example.ids[i]]) for i in range(example.start, len(example.ids)))
    assert float(total.detach()) == pytest.approx(expected, rel=0.02)


def test_batches_hold_every_example_once_within_the_limit() -> None:
    rng = random.Random(0)
    examples = [Encoded([i] * rng.randint(5, 60), 1) for i in range(100)]
    found = batches(examples, 200, rng)
    assert sorted(e.ids[0] for batch in found for e in batch) == list(range(100))
    assert all(max(len(e.ids) for e in batch) * len(batch) <= 200 for batch in found)


# -- Training ---------------------------------------------------------------------------------------------------------


def test_a_new_model_already_copies() -> None:
    model = new_model(500)
    import torch

    ids = random.Random(0).sample(range(4, 500), 30)
    with torch.no_grad():
        best = model(torch.tensor([[0, *ids, 3, *ids]])).logits[0].argmax(-1)
    copied = best[len(ids) + 2 : -1].tolist()
    assert sum(a == b for a, b in zip(copied, ids[1:], strict=True)) > 0.8 * len(ids)


def test_the_learning_rate_rises_stays_and_falls() -> None:
    rates = [learning_rate(progress / 100, 1.0) for progress in range(101)]
    assert rates[0] < 0.02
    assert rates[3] == rates[50] == 1.0
    assert rates[60:] == sorted(rates[60:], reverse=True)
    assert rates[-1] == pytest.approx(0.05)


def test_pairs_come_once_the_time_for_copies_is_over(tokenizer: Any, corpus: Corpus) -> None:
    mixture = Mixture(corpus, tokenizer, seed=0, size=50)
    (pair,) = encode(tokenizer, corpus.pairs["ruadapt"])
    assert pair not in mixture.draw(0, 0.3)
    assert mixture.draw(0, 0.5).count(pair) == 40
    assert mixture.draw(0, 0.3) == mixture.draw(0, 0.3) != mixture.draw(1, 0.3)


@pytest.fixture
def stepwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock by which each pool takes one second."""
    ticks: Iterator[int] = iter(range(1000))
    monkeypatch.setattr("training.sft.time", SimpleNamespace(monotonic=lambda: next(ticks)))


def trainer(tokenizer: Any, corpus: Corpus, folder: Path, *, seconds: float) -> Trainer:
    return Trainer(
        model=new_model(tokenizer.get_vocab_size()),
        tokenizer=tokenizer,
        draw=Mixture(corpus, tokenizer, seed=0, size=20).draw,
        held_out={"pairs": encode(tokenizer, corpus.pairs["ruadapt"])},
        folder=folder,
        seconds=seconds,
    )


@pytest.mark.usefixtures("stepwise")
def test_a_stopped_run_goes_on_as_if_it_had_not_stopped(tokenizer: Any, corpus: Corpus, tmp_path: Path) -> None:
    whole = trainer(tokenizer, corpus, tmp_path / "whole", seconds=6)
    whole.run()
    first = trainer(tokenizer, corpus, tmp_path / "parts", seconds=6)
    first.every = 1.0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first, "report", stop_at(first, pool=3))
        with pytest.raises(KeyboardInterrupt):
            first.run()
    second = trainer(tokenizer, corpus, tmp_path / "parts", seconds=6)
    second.load()
    assert (second.pool, second.spent) == (3, 3.0)
    second.run()
    assert (second.pool, second.tokens) == (whole.pool, whole.tokens) == (6, whole.tokens)
    for name, weights in whole.model.state_dict().items():
        assert weights.allclose(second.model.state_dict()[name], atol=1e-5), name


def stop_at(stopped: Trainer, *, pool: int) -> Any:
    def report() -> str:
        if stopped.pool == pool:
            raise KeyboardInterrupt
        return ""

    return report


def test_without_a_checkpoint_there_is_nothing_to_resume(tokenizer: Any, corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No checkpoint"):
        trainer(tokenizer, corpus, tmp_path, seconds=1).load()


@pytest.mark.parametrize(("option", "value"), [("--minutes", "0"), ("--layers", "1"), ("--width", "60")])
def test_what_cannot_be_trained_is_refused(tmp_path: Path, option: str, value: str) -> None:
    with pytest.raises(BadOption, match=f"{option} is {value}"):
        main(["--data", str(tmp_path), "--out", str(tmp_path), option, value])


# -- All of it --------------------------------------------------------------------------------------------------------


def write_rows(path: Path, rows: list[tuple[str, str]]) -> None:
    lines = (json.dumps({"source": source, "target": target}, ensure_ascii=False) for source, target in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_data(folder: Path) -> None:
    """A data folder in small: every file that the recipe reads."""
    for name in ("rsse", "ru_mono", "ruadapt", "paraphraser_ru"):
        (folder / name).mkdir(parents=True)
    (folder / "rsse" / "dev_sents.csv").write_text(f'INPUT:source,OUTPUT:output\n"{SENTENCES[3]}",Музей.\n', "utf-8")
    for name in valency.FILES:
        with lzma.open(folder / "ru_mono" / f"{name}.txt.xz", "wt", encoding="utf-8") as file:
            file.write("\n".join(SENTENCES))
    adapted = f'source,cos_sim,target,level\n"{SENTENCES[1]}",0.9,Писатель закончил роман.,A\n'
    (folder / "ruadapt" / "a_sent.csv").write_text(adapted, "utf-8")
    (folder / "paraphraser_ru" / "paraphrases.xml").write_text("<data/>", "utf-8")


def test_a_run_of_a_second_gives_a_model_that_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers comes with the hf extra")
    pytest.importorskip("torch", reason="torch comes with the hf extra")
    data, out = tmp_path / "data", tmp_path / "model"
    write_data(data)
    out.mkdir()
    numbered = [(f"{i} человек вошли в старый город у реки.", f"{i} человек вошли в город.") for i in range(40)]
    write_rows(out / "synthetic.jsonl", [*numbered, (SENTENCES[3], "Музей построен.")])
    options = ["--data", str(data), "--out", str(out), "--width", "64", "--layers", "2", "--vocabulary", "400"]
    main([*options, "--minutes", "0.01", "--threads", "1"])
    main([*options, "--minutes", "0.02", "--threads", "1", "--resume"])
    printed = capsys.readouterr().out
    assert "sentences: 3, 21 left out" in printed
    assert "synthetic: 38 pairs, 2 held out, 1 left out" in printed
    assert "held-out loss: pairs" in printed
    assert "prompt.yaml" in {path.name for path in out.iterdir()}
    loaded = transformers.AutoTokenizer.from_pretrained(out)
    assert loaded(f"<s>{SOURCE} {MARK}").input_ids[-1] == SPECIAL.index(MARK)
    model = transformers.AutoModelForCausalLM.from_pretrained(out)
    assert model.config.eos_token_id == loaded.eos_token_id == 1
