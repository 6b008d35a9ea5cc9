"""Adapters, of which one may go over another, and what they add to weights."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from rewrite.base import package
from rewrite.base.model_weights import LowRank, both, pack_low_rank, read_adapter, write_adapter
from rewrite.base.package import ADAPTER_FILE, ADAPTERS, KNOWN, VERDICTS
from rewrite.errors import BadModel

OUTPUTS, INPUTS = 6, 5


def layer(seed: int, *, rank: int) -> LowRank:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(rank, INPUTS)), rng.normal(size=(OUTPUTS, rank))
    return pack_low_rank(a.astype(np.float32), b.astype(np.float32), 0.5)


def test_two_adapters_together_are_one_added_after_the_other(tmp_path: Path) -> None:
    below, above = layer(0, rank=2), layer(1, rank=3)
    joined = both({"lower": below, "shared": below}, {"shared": above, "upper": above})
    weight = np.random.default_rng(2).normal(size=(OUTPUTS, INPUTS)).astype(np.float32)
    np.testing.assert_allclose(
        joined["shared"].added_to(weight), above.added_to(below.added_to(weight)), rtol=1e-5, atol=1e-5
    )
    # Of what one alone changes nothing else comes.
    assert set(joined) == {"lower", "shared", "upper"}
    assert joined["lower"] is below
    assert joined["upper"] is above
    write_adapter(tmp_path / "adapter.npz", joined)
    again = read_adapter(tmp_path / "adapter.npz")["shared"]
    np.testing.assert_array_equal(again.added_to(weight), joined["shared"].added_to(weight))


def test_the_adapter_of_verdicts_is_over_the_one_that_writes() -> None:
    verdicts = VERDICTS["verdict-en"]
    writes, alone = ADAPTERS[verdicts.over].read(), read_adapter(verdicts.folder / ADAPTER_FILE)
    layers = verdicts.read()
    assert verdicts.over == "gemma-en"
    assert layers.keys() == writes.keys() | alone.keys()
    assert alone
    name = max(alone)
    zero = np.zeros((alone[name].b.shape[0], alone[name].a.shape[1]), np.float32)
    np.testing.assert_allclose(
        layers[name].added_to(zero), writes[name].added_to(zero) + alone[name].added_to(zero), atol=1e-4
    )
    # The lower half of the layers is that of the model which writes.
    untouched = layers.keys() - alone.keys()
    assert {int(name.split(".")[2]) for name in untouched} == set(range(9))
    assert all(np.array_equal(layers[name].a, writes[name].a) for name in untouched)


def test_what_an_adapter_is_over_decides_what_is_made_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts, writes = KNOWN["verdict-en"], KNOWN["gemma-en"]
    assert {path.parent for path in verdicts.files} == {verdicts.folder, writes.folder}
    assert {path.parent for path in writes.files} == {writes.folder}
    for adapter in (verdicts, writes):
        shutil.copytree(adapter.folder, tmp_path / adapter.name)
    monkeypatch.setattr(package, "_ROOT", tmp_path)
    assert verdicts.read()
    with (tmp_path / writes.name / ADAPTER_FILE).open("ab") as file:
        file.write(b" ")
    with pytest.raises(BadModel, match=ADAPTER_FILE):
        verdicts.read()
