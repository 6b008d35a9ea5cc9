"""The systems of Table 3: what they learn from, what they write, and how they choose."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from rewrite.base import package
from rewrite.engines.base import Drawn, ModelInput
from rewrite.engines.ct2 import CT2Engine
from rewrite.errors import BadInput, BadOption, ModelNotFound
from rewrite.generators.base import Sampling
from rewrite.splitting.triples.template_book import Partitioner
from rewrite.splitting.triples.triple import Triple, parse_triple, skeleton
from tests.processor import needs_vnni
from tests.training.papers.websplit.small import BORN, CLUB, SEAT, SMALL, small
from training.papers.websplit.__main__ import main
from training.papers.websplit.benchmark import load_benchmark, load_sentences
from training.papers.websplit.examples import Example, examples, learn_splitter, linearise, train_tokenizer
from training.papers.websplit.figures import measure, table
from training.papers.websplit.networks import new_model
from training.papers.websplit.recipe import RECIPES, load_system_recipe
from training.recipe import shipped_recipes

COMPLEX = SMALL[0][1][0]


def _triples(*texts: str) -> list[Triple]:
    return [parse_triple(text) for text in texts]


def test_a_skeleton_is_the_shape_alone() -> None:
    assert skeleton(_triples(CLUB, SEAT, BORN)) == "0-1 1-2 0-3"
    assert skeleton(_triples("x | p | y", "y | q | z", "x | r | w")) == "0-1 1-2 0-3"
    assert skeleton(_triples(CLUB, BORN)) == "0-1 0-2"


def test_the_splitter_counts_rephrasings_or_each_partition_of_a_meaning_once(tmp_path: Path) -> None:
    benchmark, sentences = small(tmp_path)
    by_items = learn_splitter(benchmark, sentences.values())
    assert by_items.counts == {
        "0-1 1-2 0-3": {(0, 1, 2): 6, (0, 0, 1): 3, (0, 0, 0): 1},
        "0-1 1-2": {(0, 1): 2},
    }
    splitter = learn_splitter(benchmark, sentences.values(), counted="pairs")
    assert splitter.counts == {
        "0-1 1-2 0-3": {(0, 1, 2): 1, (0, 0, 1): 1, (0, 0, 0): 1},
        "0-1 1-2": {(0, 1): 1},
    }
    ranked = splitter.candidates(_triples("a | p | b", "b | q | c", "a | r | d"))
    assert [probability for _, probability in ranked] == [0.5, 0.5]
    assert [len(blocks) for blocks, _ in ranked] == [2, 3]
    assert Partitioner.of_plain(splitter.plain()) == splitter


def test_a_shape_never_seen_is_split_into_single_triples() -> None:
    triples = _triples(CLUB, SEAT, BORN)
    assert Partitioner({}).split(triples) == tuple((triple,) for triple in triples)


def test_triples_stand_in_a_line_as_words() -> None:
    assert linearise(_triples(CLUB, BORN)) == "Ada Bell | club | A.C. Cork || Ada Bell | birth place | Cork"


def test_examples_are_what_table_2_says(tmp_path: Path) -> None:
    benchmark, found = small(tmp_path)
    sentences = list(found.values())
    whole = examples("seq2seq", benchmark, sentences, k=99, seed=0)
    assert len(whole) == 12
    assert {one.sources for one in whole} == {(text,) for text in found}
    multi = examples("multiseq2seq", benchmark, sentences, k=99, seed=0)
    assert {one.target for one in multi} == {one.target for one in whole}
    assert all(len(one.sources) == 2 and " || " in one.sources[1] for one in multi)
    parts = examples("split-seq2seq", benchmark, sentences, k=1, seed=0)
    # All texts of all five parts, of three of them each once.
    assert len(parts) == len(set(parts)) == 2 + 2 + 1 + 3 + 1
    pairs = examples("split-multiseq2seq", benchmark, [found[COMPLEX]], k=99, seed=0)
    assert {one.sources[0] for one in pairs} == {COMPLEX}
    assert len(examples("split-multiseq2seq", benchmark, [found[COMPLEX]], k=4, seed=0)) == 4


def test_source_and_references_are_measured_as_they_must_be(benchmark_folder: Path) -> None:
    folder = benchmark_folder
    benchmark = load_benchmark(folder)
    sentences = load_sentences(folder, "paper", "train")
    outputs = {
        "source": [s.text for s in sentences],
        "split-seq2seq": [list(benchmark.rephrasings(s))[1].text for s in sentences],
    }
    found = measure(outputs, benchmark, sentences)
    assert found["split-seq2seq"].bleu == pytest.approx(100)
    assert found["split-seq2seq"].mean_bleu == pytest.approx(100)
    assert found["split-seq2seq"].exact == 1.0
    assert found["split-seq2seq"].sentences == 2.0
    assert found["source"].sentences == 1.0
    assert found["source"].exact == 0.0
    assert 0 < found["source"].bleu < 70
    printed = table(found).splitlines()
    assert printed[2].startswith("SOURCE")
    assert "100.00" in printed[3]
    with pytest.raises(BadInput, match=r"lame gives 0 outputs"):
        measure({"lame": []}, benchmark, sentences)


@pytest.mark.paper
@pytest.mark.parametrize(
    ("system", "kind"),
    [
        ("split-seq2seq", "transformer"),
        ("multiseq2seq", "transformer"),
        pytest.param("split-multiseq2seq", "lstm", marks=needs_vnni),
    ],
)
def test_a_system_learns_writes_and_is_measured(
    benchmark_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str, kind: str
) -> None:
    pytest.importorskip("torch", reason="training needs the [train] extra")
    pytest.importorskip("transformers", reason="training needs the [train] extra")
    folder, run = benchmark_folder, tmp_path / "mine"
    sizes = "width: 16, encoder_layers: 1, decoder_layers: 1" if kind == "lstm" else "width: 320, encoder_layers: 1"
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        f"system: {system}\nnetwork: {{kind: {kind}, {sizes}}}\nvocabulary: 300\nsteps: 3\nbatch_tokens: 256\n"
        "longest: 120\nbeam: 2\n"
    )
    assert main(["train", str(recipe), "--benchmark", str(folder), "--out", str(run)]) == 0
    figures = json.loads((run / "figures.json").read_text())
    assert figures["steps"] == 3
    # All steps are taken: the same call learns nothing more.
    assert main(["train", str(recipe), "--benchmark", str(folder), "--out", str(run)]) == 0
    assert json.loads((run / "figures.json").read_text()) == figures
    # Of another recipe it is another run.
    assert main(["train", str(recipe), "--benchmark", str(folder), "--out", str(run), "--steps", "4"]) == 2
    assert json.loads((run / "figures.json").read_text()) == figures
    for command in ("decode", "evaluate"):
        assert main([command, str(run), "--benchmark", str(folder), "--side", "train", "--limit", "2"]) == 0
    written = (run / "outputs-paper-train.jsonl").read_text(encoding="utf-8").splitlines()
    assert [list(json.loads(line)) for line in written] == [["source", "text"]] * 2
    assert "MINE" in capsys.readouterr().out


@pytest.mark.paper
def test_a_network_of_one_source_converts_and_writes_the_same(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    ctranslate2 = pytest.importorskip("ctranslate2")
    from rewrite.engines.convert import convert
    from training.papers.websplit.networks import load_network, new_network, save_network
    from training.papers.websplit.recipe import NetworkOptions

    benchmark, found = small(tmp_path)
    told = examples("split-seq2seq", benchmark, list(found.values()), k=1, seed=0)
    network = new_network(train_tokenizer(told, 400), NetworkOptions(encoder_layers=1), sources=1, seed=0)
    save_network(network, tmp_path / "model")
    again = load_network(tmp_path / "model")
    inputs = [example.sources for example in told]
    plain = network.decode(inputs, beam=1, longest=12)
    assert again.decode(inputs, beam=1, longest=12) == plain
    (tmp_path / "ct2").mkdir()
    convert(tmp_path / "model", tmp_path / "ct2", quantization="float32")
    translator = ctranslate2.Translator(str(tmp_path / "ct2"))
    tokens = [network.tokenizer.encode(source).tokens for (source,) in inputs]
    results = translator.translate_batch(tokens, beam_size=1, max_decoding_length=12)
    ids = [[network.tokenizer.token_to_id(token) for token in result.hypotheses[0]] for result in results]
    assert [network.tokenizer.decode(row).strip() for row in ids] == plain


@pytest.mark.paper
def test_an_adapter_learns_pairs_and_writes_by_the_partition(
    benchmark_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["pairs", "--benchmark", str(benchmark_folder), "--out", str(tmp_path), "--protocol", "paper"]) == 0
    assert (tmp_path / "start" / "adapter_model.safetensors").is_file()
    plain, triples = (
        [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        for name in ("plain", "triples")
    )
    assert [row["source"].split(" // ")[0] for row in triples] == [row["source"] for row in plain]
    text, *parts = triples[0]["source"].split(" // ")
    assert text.startswith(parts[0].split(" | ")[0])
    # Two sentences, and the stop of A.C. Cork, which counts as one here as in use.
    assert {row["controls"][2] for row in triples} == {"3"}
    system = tmp_path / "system"
    given = ["--benchmark", str(benchmark_folder), "--out", str(system), "--protocol", "paper"]
    assert main(["train", "split-adapter", *given]) == 2
    assert "websplit-en" in capsys.readouterr().err
    assert not system.exists()
    if not package.is_installed():
        pytest.skip("the base is in the [lm] extra")
    # A run that has not learnt yet: its adapter is where it begins.
    (tmp_path / "start").rename(tmp_path / "adapter")
    (tmp_path / "adapter" / "adapter_config.json").write_text('{"lora_alpha": 32, "r": 32}')
    asked: list[ModelInput] = []
    sample = CT2Engine.sample

    def recorded(self: CT2Engine, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        asked.extend(inputs)
        return sample(self, inputs, sampling)

    monkeypatch.setattr(CT2Engine, "sample", recorded)
    for name, parts in (("adapter", 1), ("split-adapter", 3)):
        asked.clear()
        assert main(["train", name, *given, "--start", str(tmp_path), "--restart"]) == 0
        assert (
            main(["decode", str(system), "--benchmark", str(benchmark_folder), "--side", "train", "--limit", "2"]) == 0
        )
        written = (system / "outputs-paper-train.jsonl").read_text(encoding="utf-8").splitlines()
        assert [list(json.loads(line)) for line in written] == [["source", "text"]] * 2
        # The sentence, each triple a part of its own, and digits that ask for two sentences.
        texts = [model_input.text.splitlines() for model_input in asked]
        assert [len(read.split(" // ")) for read, _ in texts] == [parts] * 2
        assert [digits for _, digits in texts] == ["3924"] * 2


def test_shipped_recipes_load_and_bad_ones_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {"seq2seq", "multiseq2seq", "split-seq2seq", "split-multiseq2seq"} <= set(shipped_recipes(RECIPES))
    for name in shipped_recipes(RECIPES):
        load_system_recipe(name)
    bad = tmp_path / "bad.yaml"
    bad.write_text("system: seq3seq\nspeed: 2\n")
    with pytest.raises(BadOption, match=r"bad\.yaml: .*system.*speed"):
        load_system_recipe(bad)
    assert main(["train", str(tmp_path / "none.yaml"), "--benchmark", str(tmp_path), "--out", str(tmp_path)]) == 1
    assert "one of the shipped" in capsys.readouterr().err


def test_a_folder_without_a_system_is_named(tmp_path: Path) -> None:
    from training.papers.websplit.systems import load_system

    with pytest.raises(ModelNotFound, match="holds no system"):
        load_system(tmp_path)


@pytest.mark.paper
def test_two_encoders_begin_as_one_that_was_trained(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from training.papers.websplit.networks import begin_with, new_network
    from training.papers.websplit.recipe import NetworkOptions

    benchmark, found = small(tmp_path)
    told = examples("multiseq2seq", benchmark, list(found.values()), k=1, seed=0)
    tokenizer, options = train_tokenizer(told, 300), NetworkOptions(encoder_layers=1)
    first = new_network(tokenizer, options, sources=1, seed=1)
    both = new_network(tokenizer, options, sources=2, seed=2)
    begin_with(both, first)
    for name, weights in first.module.base.get_encoder().named_parameters():
        assert torch.equal(both.module.second.get_parameter(name), weights)
    lstm = new_network(tokenizer, NetworkOptions(kind="lstm", width=8), sources=1, seed=1)
    with pytest.raises(BadOption, match="another kind"):
        begin_with(both, lstm)


def test_a_text_comes_back_from_its_tokens() -> None:
    tokenizer = train_tokenizer([Example(("Шёл дождь весь день.",), "Кот спал на окне.")] * 5, 400)
    ids = tokenizer.encode("Дождь шёл 17 дней.").ids
    assert (ids[0], ids[-1]) == (0, 1)
    assert tokenizer.decode(ids).strip() == "Дождь шёл 17 дней."
    assert len(tokenizer.encode("дождь").ids) == 3, "a word is one token, at the start as well"


@pytest.mark.paper
def test_an_untrained_model_copies_most_of_what_it_reads() -> None:
    torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
    pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
    torch.manual_seed(0)
    model = new_model(2_000, width=320, encoder=2, decoder=2)
    rng = random.Random(0)
    ids = torch.tensor([[0, *(rng.randrange(4, 2_000) for _ in range(30)), 1] for _ in range(8)])
    with torch.no_grad():
        said = model(input_ids=ids, decoder_input_ids=ids[:, :-1]).logits.argmax(-1)
    assert (said == ids[:, 1:]).float().mean() > 0.6
