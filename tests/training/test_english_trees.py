"""A parser from nothing: it learns a small treebank, goes on after a stop, and its folder says what torch says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rerank.english.trees import Parse, TreeModel
from rerank.errors import ModelNotFound
from rewrite.errors import BadInput
from tests.training.heads import (
    Place,
    broken_copy,
    open_trees,
    without_torch,
    write_data,
    write_encoder,
)
from training.english_trees import english_trees, main
from training.finetuning.trainer import best_checkpoint
from training.heads.examples import read_examples
from training.masked.vocabulary import CLS, SEP
from training.parsing.examples import Example, TreeBatches, count_labels
from training.parsing.network import Batch, TreeNetwork

SENTENCE = "The cat saw a dog .".split()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("trees")
    found = Place(folder, write_encoder(folder / "encoder"), folder / "run")
    assert english_trees(open_trees(folder, found.run, found.encoder)) == found.model
    return found


def parse(folder: Path) -> Parse:
    (tree,) = TreeModel(folder, threads=1).trees([SENTENCE])
    assert tree is not None
    return tree


def test_it_learns_the_treebank(place: Place) -> None:
    figures = json.loads((place.run / "figures.json").read_text(encoding="utf-8"))
    assert figures["sentences"] == 40
    assert figures["dev relations"] == figures["dev pos"] == 1.0
    assert parse(place.model) == Parse(
        (1, 2, -1, 4, 2, 2),
        ("det", "nsubj", "root", "det", "obj", "punct"),
        ("DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT"),
        ({}, {"Number": "Sing"}, {"Tense": "Past", "VerbForm": "Fin"}, {}, {"Number": "Sing"}, {}),
    )


def test_documents_of_the_dev_part_are_not_learnt(place: Place) -> None:
    folder = place.run / "trees" / "examples"
    assert len(list(read_examples(Example, folder / "train.jsonl"))) == 40
    assert len(list(read_examples(Example, folder / "dev.jsonl"))) == 5


def test_heads_in_numpy_score_as_those_in_torch(place: Place) -> None:
    import numpy as np
    import torch
    from safetensors.torch import load_file

    examples = list(read_examples(Example, place.run / "trees" / "examples" / "train.jsonl"))
    labels = count_labels(examples, 2)
    network = TreeNetwork(place.encoder, labels, 0.0)
    best, _ = best_checkpoint(place.run / "trees" / "checkpoints")
    network.load_state_dict(load_file(best / "model.safetensors"))
    network.eval()
    model = TreeModel(place.model, threads=1)
    batches = TreeBatches(examples[:1], labels, model.pieces, tokens=512, seed=0)
    batch = Batch(**batches[0])
    with torch.no_grad():
        own, above = network.vectors(batch)
        wanted = network.arcs(own, above, batch)[0].numpy()
        hidden = network.encoder(input_ids=batch.pieces, attention_mask=batch.attention).last_hidden_state[0].numpy()
    words = examples[0].words
    lengths = [len(model.pieces(word)) for word in words]
    assert len(hidden) == sum(lengths) + len((CLS, SEP))
    vectors = model._heads.vectors(words, lengths, hidden)
    found = model._heads.arcs(*vectors)
    there = ~np.eye(len(words), len(words) + 1, 1, dtype=bool)
    np.testing.assert_allclose(found[there], wanted[there], rtol=0.02, atol=0.05)


@pytest.fixture(scope="module")
def taught(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("silver")
    held = folder / "held.txt"
    held.write_text("Alan Shepard was born in Rome .\n", encoding="utf-8")
    options = {"pairs": {"wikisplit-tune": 12}, "teachers": 2, "steps": 6, "again": 2}
    data = write_data(folder / "data")
    run = open_trees(folder, folder / "run", place.encoder, data, steps=6, silver=options, held_back=[str(held)])
    english_trees(run)
    return folder / "run"


def test_plain_sentences_get_the_trees_that_several_parsers_find_together(taught: Path) -> None:
    found = list(read_examples(Example, taught / "trees" / "silver" / "silver.jsonl"))
    figures = json.loads((taught / "figures.json").read_text(encoding="utf-8"))
    assert figures["silver sentences"] == len(found) > 12
    assert figures["sentences"] == 40
    first, second = (TreeModel(taught / "trees" / "teachers" / name / "model", threads=1) for name in "01")
    (tree,) = first.trees_with([second], [found[0].words])
    assert tree is not None
    assert (tree.heads, tree.relations, tree.pos) == (found[0].heads, found[0].relations, found[0].pos)
    assert first.signature() != second.signature()


def test_plain_sentences_that_measure_are_not_learnt(taught: Path) -> None:
    found = {" ".join(one.words) for one in read_examples(Example, taught / "trees" / "silver" / "silver.jsonl")}
    assert not any("Alan Shepard was born in Rome" in one for one in found)
    assert any("Shepard" in one for one in found)


def test_parsers_of_other_labels_do_not_parse_together(place: Place) -> None:
    with pytest.raises(ValueError, match="other labels"):
        TreeModel(place.model, threads=1).trees_with([TreeModel(threads=1)], [SENTENCE])


def test_one_parser_together_with_itself_finds_what_it_finds_alone(place: Place) -> None:
    model = TreeModel(place.model, threads=1)
    assert model.trees_with([model], [SENTENCE]) == model.trees([SENTENCE])


def test_heads_learn_faster_than_the_encoder(place: Place) -> None:
    import torch

    from training.finetuning.trainer import _parted

    encoder, head, norm = (torch.nn.Parameter(torch.zeros(1)) for _ in range(3))
    groups = [
        {"params": [encoder, head], "lr": 0.5, "weight_decay": 0.1},
        {"params": [norm], "lr": 0.5, "weight_decay": 0.0},
    ]
    found = _parted(groups, {id(encoder)}, 4.0)
    rates = {id(one): (group["lr"], group["weight_decay"]) for group in found for one in group["params"]}
    assert rates == {id(encoder): (0.5, 0.1), id(head): (2.0, 0.1), id(norm): (2.0, 0.0)}


def test_it_runs_where_there_is_no_torch(place: Place) -> None:
    code = (
        "from rerank.english.trees import TreeModel\n"
        f"print(TreeModel(Path({str(place.model)!r}), threads=1).trees([{SENTENCE!r}])[0].heads)"
    )
    assert without_torch(code).strip() == "(1, 2, -1, 4, 2, 2)"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("head.npz", None),
        ("head.npz", "no arrays"),
        ("labels.json", None),
        ("labels.json", '{"relations": ["det"], "pos": [], "features": []}'),
        ("labels.json", '{"relations": ["root"], "pos": [], "features": []}'),
        ("model.bin", None),
    ],
)
def test_a_missing_or_broken_file_is_named(place: Place, tmp_path: Path, name: str, content: str | None) -> None:
    copy = broken_copy(place.model, tmp_path / "copy", name, content)
    with pytest.raises(ModelNotFound) as refused:
        parse(copy)
    assert str(copy) in str(refused.value)
    assert "training.english_trees" in refused.value.hint


def test_a_treebank_that_is_not_there_is_named(place: Place, tmp_path: Path) -> None:
    run = open_trees(tmp_path, tmp_path / "run", place.encoder)
    (tmp_path / "one.conllu").unlink()
    with pytest.raises(BadInput, match=r"No treebank .*o\*\.conllu"):
        english_trees(run)


def test_a_recipe_without_the_section_is_refused(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.yaml").write_text("name: other\nlanguage: en\n", encoding="utf-8")
    assert main([str(tmp_path / "other.yaml"), "--out", str(tmp_path / "run")]) == 2
    assert "no section trees" in capsys.readouterr().err
