"""What a model is called → a folder that is safe to load; everything that may be wrong with it is named."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rerank.checkpoint import resolve
from rewrite.engines.base import ModelInput
from rewrite.engines.hf import create
from rewrite.engines.model_folder import model_info
from rewrite.errors import BadModel, MissingExtra, ModelNotFound
from rewrite.generators.base import Sampling

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
hub = pytest.importorskip("huggingface_hub", reason="needs huggingface_hub: pip install 'rewrite-rerank[hf]'")

ModelFolder = Callable[[str], Path]
NAME = "someone/tiny-model"
REVISION = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def copy(tiny_model: ModelFolder, tmp_path: Path) -> Path:
    """A GPT-2 to damage."""
    return shutil.copytree(tiny_model("gpt2"), tmp_path / "model")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the hub library, and no network."""
    from huggingface_hub import constants

    folder = tmp_path / "hub"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return folder


@pytest.fixture
def pickled(copy: Path) -> Path:
    """The same model with its weights in a pickle."""
    from safetensors.torch import load_file

    torch.save(load_file(copy / "model.safetensors"), copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    return copy


def put_in_cache(cache: Path, folder: Path, *, without: str = "") -> Path:
    repository = cache / f"models--{NAME.replace('/', '--')}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(REVISION, encoding="utf-8")
    snapshot = shutil.copytree(folder, repository / "snapshots" / REVISION)
    if without:
        (snapshot / without).unlink()
    return snapshot


def put_on_hub(monkeypatch: pytest.MonkeyPatch, files: list[str]) -> None:
    listed = SimpleNamespace(siblings=[SimpleNamespace(rfilename=file) for file in files])
    monkeypatch.setattr(hub.HfApi, "model_info", lambda self, name, timeout: listed)


def greedy(folder: Path | str, **options: str) -> str:
    engine = create(str(folder), {"threads": "1", "device": "cpu", **options})
    (drawn,) = engine.sample([ModelInput("Кот спал.", "Кот спал.")], Sampling(n=1, temperature=0, max_tokens=8))
    assert isinstance(drawn, list)
    return drawn[0].text


def change_config(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({name: v for name, v in (data | changes).items() if v is not None}), encoding="utf-8")


def shard(folder: Path) -> list[Path]:
    """Split the weights in two files with an index."""
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(weights)
    parts = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, own in parts.items():
        save_file({name: weights[name] for name in own}, folder / file, metadata={"format": "pt"})
    index = {"metadata": {}, "weight_map": {name: file for file, own in parts.items() for name in own}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    return [folder / file for file in parts]


def test_a_folder_is_itself_also_from_home(tiny_model: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny_model("gpt2")
    assert resolve(str(folder)) == folder
    monkeypatch.setenv("HOME", str(folder.parent))
    assert resolve("~/gpt2") == folder


@pytest.mark.parametrize(
    ("name", "kind", "model_type", "chat"),
    [
        ("gpt2", "causal", "gpt2", False),
        ("chat", "causal", "llama", True),
        ("t5", "seq2seq", "t5", False),
        ("bart", "seq2seq", "bart", False),
        ("marian", "seq2seq", "marian", False),
    ],
)
def test_kind_and_type_are_read_from_the_config(
    name: str, kind: str, model_type: str, chat: bool, tiny_model: ModelFolder
) -> None:
    info = model_info(tiny_model(name), "as/written")
    assert (info.name, info.folder) == ("as/written", tiny_model(name))
    assert (info.kind, info.model_type, info.chat) == (kind, model_type, chat)


@pytest.mark.parametrize("target", ["./no/such/folder", "/no/such", "a/b/c", ""])
def test_what_can_be_no_hub_name_is_a_missing_folder(target: str, cache: Path) -> None:
    with pytest.raises(ModelNotFound, match="There is no folder"):
        resolve(target)


def test_a_name_that_is_nowhere_says_what_to_do_without_a_network(cache: Path) -> None:
    with pytest.raises(ModelNotFound, match=NAME) as caught:
        resolve(NAME)
    assert f"hf download {NAME} --local-dir" in caught.value.hint


def test_a_model_in_the_hub_s_cache_needs_no_network(cache: Path, tiny_model: ModelFolder) -> None:
    snapshot = put_in_cache(cache, tiny_model("gpt2"))
    assert resolve(NAME) == snapshot
    assert greedy(NAME) == greedy(tiny_model("gpt2"))


def test_an_incomplete_model_in_the_cache_is_named_if_there_is_no_network(cache: Path, tiny_model: ModelFolder) -> None:
    put_in_cache(cache, tiny_model("gpt2"), without="model.safetensors")
    with pytest.raises((BadModel, ModelNotFound), match=r"model\.safetensors|hub"):
        resolve(NAME)


def test_only_the_files_that_are_needed_are_fetched(
    cache: Path, tiny_model: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub.utils import filter_repo_objects

    files = [path.name for path in tiny_model("gpt2").iterdir()]
    others = ["pytorch_model.bin", "tf_model.h5", "modeling_own.py", "onnx/config.json", "model.fp16.safetensors"]
    fetched: list[str] = []

    def download(name: str, *, local_files_only: bool = False, **patterns: Any) -> str:
        if local_files_only:
            raise hub.errors.LocalEntryNotFoundError("not in the cache")
        assert name == NAME
        fetched.extend(filter_repo_objects([*files, *others], **patterns))
        return str(tiny_model("gpt2"))

    put_on_hub(monkeypatch, [*files, *others])
    monkeypatch.setattr(hub, "snapshot_download", download)
    assert resolve(NAME) == tiny_model("gpt2")
    assert sorted(fetched) == sorted(files)


def test_a_hub_model_in_a_pickle_is_refused_before_it_is_fetched(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_hub(monkeypatch, ["config.json", "pytorch_model.bin"])
    with pytest.raises(BadModel, match="pickle") as caught:
        resolve(NAME)
    assert "-e allow_pickle=true" in caught.value.hint


def test_a_file_is_no_model(copy: Path) -> None:
    with pytest.raises(BadModel, match="is a file") as caught:
        resolve(str(copy / "model.safetensors"))
    assert "folder" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, r"no config\.json"),
        ('{"model_type": "gpt2"', r"config\.json.*JSON"),
        ("[1]", r"config\.json.*object"),
        ("{}", r"config\.json.*model_type"),
        ('{"model_type": 5}', r"config\.json.*model_type"),
        (b"\xff\xfe", r"config\.json.*JSON"),
    ],
)
def test_a_config_that_cannot_be_read_is_named(copy: Path, text: str | bytes | None, said: str) -> None:
    path = copy / "config.json"
    path.unlink()
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadModel, match=said):
        resolve(str(copy))


def test_without_weights_there_is_no_model(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    (copy / "training_args.bin").write_bytes(b"settings, no weights")
    with pytest.raises(BadModel, match="no weights"):
        resolve(str(copy))
    with pytest.raises(BadModel, match="no weights"):
        resolve(str(copy), allow_pickle=True)


def cut_short(data: bytes) -> bytes:
    return data[:-100]


def half_a_header(data: bytes) -> bytes:
    return data[:30]


def other_header(data: bytes) -> bytes:
    return data[:8] + b"x" + data[9:]


def a_pointer(data: bytes) -> bytes:
    return b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"


def nothing(data: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [cut_short, half_a_header, other_header, a_pointer, nothing])
def test_broken_weights_are_named(copy: Path, damage: Callable[[bytes], bytes]) -> None:
    path = copy / "model.safetensors"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BadModel, match=r"model\.safetensors: no whole safetensors file"):
        resolve(str(copy))


def test_weights_in_several_files_are_loaded_and_a_missing_one_is_named(copy: Path, tiny_model: ModelFolder) -> None:
    parts = shard(copy)
    assert greedy(copy) == greedy(tiny_model("gpt2"))
    parts[1].write_bytes(parts[1].read_bytes()[:-4])
    with pytest.raises(BadModel, match=parts[1].name):
        resolve(str(copy))
    parts[1].unlink()
    with pytest.raises(BadModel, match=f"{parts[1].name}: the file is missing"):
        resolve(str(copy))
    (copy / "model.safetensors.index.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadModel, match="weight_map"):
        resolve(str(copy))


def test_a_pickle_is_refused_unless_asked_for(pickled: Path, tiny_model: ModelFolder) -> None:
    with pytest.raises(BadModel, match="pickle") as caught:
        greedy(pickled)
    assert "-e allow_pickle=true" in caught.value.hint
    assert greedy(pickled, allow_pickle="true") == greedy(tiny_model("gpt2"))


def test_a_pickle_beside_safe_weights_is_not_touched(copy: Path, tiny_model: ModelFolder) -> None:
    (copy / "pytorch_model.bin").write_bytes(b"whatever")
    assert greedy(copy) == greedy(copy, allow_pickle="true") == greedy(tiny_model("gpt2"))


def test_other_pickles_are_not_read_even_if_asked_for(pickled: Path) -> None:
    (pickled / "pytorch_model.bin").rename(pickled / "model.ckpt")
    with pytest.raises(BadModel, match="pickle"):
        resolve(str(pickled))
    with pytest.raises(BadModel, match=r"only pytorch_model\.bin"):
        resolve(str(pickled), allow_pickle=True)


class _Touch:
    """What a pickle made by an attacker does when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("inside_torch_file", [True, False])
def test_code_in_a_pickle_is_not_run_even_if_pickles_are_allowed(
    pickled: Path, tmp_path: Path, inside_torch_file: bool
) -> None:
    mark, weights = tmp_path / "mark", pickled / "pytorch_model.bin"
    if inside_torch_file:
        torch.save({"transformer.wte.weight": _Touch(mark)}, weights)
    else:
        weights.write_bytes(pickle.dumps(_Touch(mark)))
    with pytest.raises(BadModel, match="cannot be loaded"):
        greedy(pickled, allow_pickle="true")
    assert not mark.exists()


def test_a_model_with_code_of_its_own_is_refused_and_the_code_is_not_run(copy: Path, tmp_path: Path) -> None:
    (copy / "own.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')", encoding="utf-8")
    change_config(copy, model_type="gpt2_own", auto_map={"AutoConfig": "own.C", "AutoModelForCausalLM": "own.M"})
    with pytest.raises(BadModel, match=r"'gpt2_own'.*never run"):
        greedy(copy)
    assert not (tmp_path / "mark").exists()


def test_code_beside_a_model_that_transformers_knows_is_left_aside(
    copy: Path, tmp_path: Path, tiny_model: ModelFolder
) -> None:
    (copy / "own.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')", encoding="utf-8")
    change_config(copy, auto_map={"AutoConfig": "own.C", "AutoModelForCausalLM": "own.M"})
    assert greedy(copy) == greedy(tiny_model("gpt2"))
    assert not (tmp_path / "mark").exists()


def test_an_unknown_type_is_named(copy: Path) -> None:
    change_config(copy, model_type="gpt9")
    with pytest.raises(BadModel, match="'gpt9'") as caught:
        model_info(copy, "copy")
    assert "pip install -U transformers" in caught.value.hint


def test_an_encoder_generates_no_text(copy: Path) -> None:
    change_config(copy, model_type="bert", architectures=["BertForMaskedLM"])
    with pytest.raises(BadModel, match="BertForMaskedLM generates no text"):
        model_info(copy, "copy")


def test_weights_of_another_shape_or_architecture_are_refused(copy: Path) -> None:
    change_config(copy, n_layer=3)
    with pytest.raises(BadModel, match=r"weights lack transformer\.h\.2"):
        greedy(copy)
    change_config(copy, n_layer=2, n_embd=64)
    with pytest.raises(BadModel, match=r"config\.json: it asks for other sizes than the weights have"):
        greedy(copy)


def test_a_broken_tokenizer_is_named(copy: Path) -> None:
    (copy / "tokenizer.json").write_text('{"version"', encoding="utf-8")
    with pytest.raises(BadModel, match=r"tokenizer\.json: it cannot be read as JSON"):
        greedy(copy)
    (copy / "tokenizer.json").unlink()
    # Old releases of transformers say then that a library is missing.
    with pytest.raises((BadModel, MissingExtra), match="tokenizer cannot be loaded"):
        greedy(copy)


def test_loading_says_nothing_and_leaves_the_library_s_messages_as_they_were(
    tiny_model: ModelFolder, capfd: pytest.CaptureFixture[str]
) -> None:
    from transformers.utils import logging

    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    tiny_model("gpt2")
    capfd.readouterr()
    greedy(tiny_model("gpt2"))
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before
    assert capfd.readouterr() == ("", "")


def test_without_the_hub_library_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match="huggingface_hub") as caught:
        resolve(NAME)
    assert "pip install 'rewrite-rerank[hf]'" in caught.value.hint
