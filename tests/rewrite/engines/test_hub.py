"""Models from the hub: what is said, and how soon, where it cannot be reached or has no such model."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rerank.checkpoint import resolve
from rewrite.engines import ct2, hf
from rewrite.errors import MissingExtra, ModelNotFound

hub = pytest.importorskip("huggingface_hub", reason="needs huggingface_hub: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

NAME = "someone/tiny-model"


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub at an address where nothing listens, and nothing in its cache."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("make", [ct2.create, hf.create])
def test_a_hub_that_cannot_be_reached_is_told_soon_and_in_one_line(
    make: Any, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    with pytest.raises(ModelNotFound, match=NAME) as caught:
        _ = make(NAME, {}).info
    assert sum(slept) < 1
    assert "\n" not in str(caught.value)
    assert f"hf download {NAME}" in caught.value.hint
    assert capfd.readouterr() == ("", "")


def test_what_the_library_says_of_its_tries_is_not_shown_and_its_settings_stay(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from huggingface_hub.utils import logging as library

    def chatty(self: Any, name: str, timeout: float) -> Any:
        library.get_logger("huggingface_hub.utils").warning("Retrying in 1s")
        return SimpleNamespace(siblings=[SimpleNamespace(rfilename="config.json")])

    def broken(name: str, **options: Any) -> str:
        if not options.get("local_files_only"):
            library.get_logger("huggingface_hub.utils").warning("Retrying in 2s")
        raise OSError("the line is dead\nand more of it")

    monkeypatch.setattr(hub.HfApi, "model_info", chatty)
    monkeypatch.setattr(hub, "snapshot_download", broken)
    library.set_verbosity(logging.INFO)
    try:
        with pytest.raises(ModelNotFound, match=r"from the hub: the line is dead\. Without a network: "):
            resolve(NAME)
        assert library.get_verbosity() == logging.INFO
    finally:
        library.set_verbosity(logging.WARNING)
    assert capfd.readouterr() == ("", "")


def test_a_model_that_the_hub_does_not_have_is_told_from_a_missing_network(monkeypatch: pytest.MonkeyPatch) -> None:
    class _Absent(hub.errors.RepositoryNotFoundError):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            Exception.__init__(self, "401 Client Error. (Request ID: Root=1)")

    def absent(self: Any, name: str, timeout: float) -> Any:
        raise _Absent

    monkeypatch.setattr(hub.HfApi, "model_info", absent)
    with pytest.raises(ModelNotFound, match="no model of that name") as caught:
        resolve(NAME)
    assert "Check the name" in caught.value.hint


@pytest.mark.parametrize("missing", ["torch", "transformers"])
@pytest.mark.parametrize("make", [ct2.create, hf.create])
def test_a_missing_extra_is_told_before_anything_is_fetched(
    make: Any, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub.HfApi, "model_info", lambda *_, **__: pytest.fail("asked the hub"))
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtra, match=r"pip install 'rewrite-rerank\[hf\]'"):
        _ = make(NAME, {}).info
