"""Vectors and taggers read by us are those that navec and slovnet read themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rerank.loading import Models

natasha = pytest.importorskip("natasha")
FOLDER = Path(natasha.__file__).parent / "data"
WORDS = "Филипп женился в седьмой раз на знатной македонянке Клеопатре , абвгд 1812 BBC .".split()


@pytest.fixture(scope="module")
def models() -> Models:
    return Models(FOLDER)


@pytest.fixture(scope="module")
def theirs() -> Any:
    from navec import Navec

    return Navec.load(FOLDER / "emb" / "navec_news_v1_1B_250K_300d_100q.tar")


def test_vectors_words_and_counts_are_those_of_navec(models: Models, theirs: Any) -> None:
    ours = models.navec
    assert ours.meta.id == theirs.meta.id
    assert ours.vocab.words == theirs.vocab.words
    assert ours.vocab.word_ids == theirs.vocab.word_ids
    assert list(ours.vocab.counts) == theirs.vocab.counts
    for word in ("филипп", "раз", "<unk>", "и"):
        assert np.array_equal(ours[word], theirs[word])
    assert "абвгд" not in ours
    assert np.array_equal(ours.pq.indexes, theirs.pq.indexes)


def test_what_only_sim_needs_is_left_out(models: Models) -> None:
    assert not {"norm", "ab"} & set(vars(models.navec.pq))


@pytest.mark.parametrize(("name", "kind"), [("morph", "Morph"), ("syntax", "Syntax"), ("ner", "NER")])
def test_a_tagger_is_the_one_that_slovnet_loads(name: str, kind: str, models: Models, theirs: Any) -> None:
    import slovnet

    path = FOLDER / "model" / f"slovnet_{name}_news_v1.tar"
    own = getattr(slovnet, kind).load(path).navec(theirs)
    ours = getattr(models, name)()
    assert type(ours) is type(own)
    assert ours.batch_size == own.batch_size
    assert ours.infer.encoder.batch_size == own.infer.encoder.batch_size
    for vocabulary in ("words_vocab", "shapes_vocab"):
        a, b = (getattr(tagger.infer.encoder, vocabulary) for tagger in (ours, own))
        assert (a.items, a.item_ids, a.unk_id, a.pad_id) == (b.items, b.item_ids, b.unk_id, b.pad_id)
    assert vars(ours.infer.decoder).keys() == vars(own.infer.decoder).keys()
    text = " ".join(WORDS) if name == "ner" else WORDS
    assert ours(text) == own(text)


def test_the_words_are_numbered_once(models: Models) -> None:
    numbers = models.navec.vocab.word_ids
    assert all(t.infer.encoder.words_vocab.item_ids is numbers for t in (models.morph(), models.syntax(), models.ner()))
