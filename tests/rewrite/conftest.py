"""A hub, and a packed model, for the tests of `rewrite models`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rewrite.hub import Hub

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    hub = pytest.importorskip("huggingface_hub", reason="needs huggingface_hub: pip install 'rewrite-rerank[hf]'")
    from huggingface_hub import constants

    there = Hub(tmp_path / "hub")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(there.cache))
    monkeypatch.setattr(hub.HfApi, "model_info", lambda api, name, timeout: there.model_info(api, name, timeout))
    monkeypatch.setattr(hub, "snapshot_download", there.snapshot_download)
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path / "cache"))
    return there


@pytest.fixture(scope="session")
def packed(tiny_model: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model packed with a card and checksums; never write to it."""
    from rewrite.checksums import write_sums
    from rewrite.engines.convert import convert

    folder = tmp_path_factory.mktemp("packed") / "model"
    folder.mkdir()
    convert(tiny_model("pegasus"), folder, quantization="int8")
    shutil.copyfile(ROOT / "prompts" / "seq2seq_plain.yaml", folder / "prompt.yaml")
    card = {"language": "ru", "task": "simplify", "parameters": 12_345_678, "licence": "mit"}
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    (folder / "README.md").write_text("---\nlanguage: [ru]\n---\n", encoding="utf-8")
    write_sums(folder)
    return folder
