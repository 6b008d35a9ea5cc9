"""From what a user calls a model to a folder that is safe to load: found, whole, weights only, no code of its own."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rerank import hub
from rerank.errors import BadModel, CannotWrite, MissingExtra, PickledWeights
from rerank.hub import is_full

_INSTALL = "Run: pip install 'rewrite-rerank[hf]'"
_CONFIG = "config.json"
_BLOCK = 1 << 20
_SETTINGS = ("generation_config.json", "tokenizer_config.json")
_SAFE = ("model", ".safetensors")
_PICKLE = ("pytorch_model", ".bin")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
# What is fetched from a hub: settings, vocabularies and a prompt, but neither code nor copies for other libraries.
_FILES = ("*.json", "*.txt", "*.model", "*.spm", "*.jinja", "*.tiktoken", "prompt.yaml")
_CONVERTED = ("model.bin", "SHA256SUMS", "README.md")
_VOCABULARIES = ("*vocab*", "*.model", "*.spm", "*.tiktoken")
_TOKENIZER_HINT = (
    "Download the tokenizer's files again; if they are newer than the library: pip install -U transformers."
)


def libraries() -> tuple[Any, Any]:
    """The modules torch and transformers. Raises `MissingExtra` where one of them is not installed."""
    try:
        import torch
        import transformers
    except ImportError as error:
        missing = error.name or "torch or transformers"
        raise MissingExtra(f"The engine hf needs {missing}, which is not installed.", hint=_INSTALL) from None
    return torch, transformers


def resolve(target: str, *, allow_pickle: bool = False, before_fetch: Callable[[], object] = bool) -> Path:
    """The folder of the Hugging Face model `target`: a local folder, or a name on the hub, fetched if need be.

    A name is looked up in the hub library's own cache first, so that a model once fetched needs no network. Of a
    model only weights, settings and vocabularies are fetched; weights in a pickle file only with `allow_pickle`.
    `before_fetch` is called before anything is fetched, and may raise what speaks against it.
    Raises `ModelNotFound`, `BadModel` for a folder that is incomplete, broken or unsafe (`PickledWeights` where that is
    all there is against it), `MissingExtra`.
    """
    folder = Path(target).expanduser()
    if folder.is_file():
        raise BadModel(f"{target!r} is a file.", hint="Give the folder that holds the model with its config.json.")
    if not target or not folder.is_dir():
        return _from_hub(target, allow_pickle, before_fetch)
    return _require_whole(folder, allow_pickle)


def is_converted(folder: Path) -> bool:
    """Whether `folder` holds a CTranslate2 model."""
    return (folder / "model.bin").is_file() and (folder / "config.json").is_file()


def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of `folder`, by transformers. Raises `BadModel`, `MissingExtra`."""
    _, transformers = libraries()
    tokenizer_file = folder / "tokenizer.json"
    if tokenizer_file.is_file():
        _read_json(tokenizer_file)  # some releases of transformers take a broken one for a missing library
    with quietly(), _blamed(folder, "its tokenizer cannot be loaded", _TOKENIZER_HINT, _tokenizer_fault):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    # Without any file of one, transformers makes one that knows no text.
    if not any(tokenizer(text, add_special_tokens=False)["input_ids"] for text in ("a", "а")):
        raise BadModel(
            f"{folder}: it has no tokenizer.", hint="Copy tokenizer.json, or what the model has instead, there."
        )
    return tokenizer


def load_weights(
    folder: Path, *, loader: str, dtype: Any, allow_pickle: bool = False, unused: tuple[str, ...] = ()
) -> Any:
    """The model of `folder` as a `torch` module in evaluation mode, on the processor, its numbers of type `dtype`.

    `loader` is the class of transformers that makes it, such as `AutoModelForMaskedLM`; parts whose names begin as one
    of `unused` are not asked for anything, and need no weights. Raises `BadModel` where a file is broken or the weights
    are not those of the architecture, `MissingExtra`.
    """
    _, transformers = libraries()
    with quietly(), _blamed(folder, "the model cannot be loaded", f"Correct {_CONFIG}, or download the model again."):
        model, report = getattr(transformers, loader).from_pretrained(
            str(folder),
            dtype=dtype,
            use_safetensors=not allow_pickle or bool(_weight_files(folder, *_SAFE)),
            weights_only=True,
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # `check_complete` says it better
        )
    absent = [name for name in report["missing_keys"] if not name.startswith(unused)]
    check_complete(folder, model, {**report, "missing_keys": absent})
    return model.eval()


def padded(rows: Sequence[Sequence[int]], filler: int, device: Any) -> tuple[Any, Any]:
    """Rows of tokens as one tensor, `[rows, longest]`, filled up on the right, with its mask."""
    torch, _ = libraries()
    width = max(map(len, rows))
    tokens = [[*row, *[filler] * (width - len(row))] for row in rows]
    mask = [[1] * len(row) + [0] * (width - len(row)) for row in rows]
    return torch.tensor(tokens, device=device), torch.tensor(mask, device=device)


def check_complete(folder: Path, model: Any, report: Mapping[str, Any]) -> None:
    """Raise `BadModel` where the `report` of a loaded model says that weights were not in its files, or of other sizes.

    transformers fills such gaps with random numbers, and the model would write gibberish.
    """
    other = sorted(report.get("mismatched_keys") or [])
    if other:
        name, stored, asked = other[0]
        raise BadModel(
            f"{folder / _CONFIG}: it asks for other sizes than the weights have: {name} is {_sizes(stored)} there, "
            f"not {_sizes(asked)}.",
            hint="Correct it, or download the model again.",
        )
    absent = sorted(set(report["missing_keys"]) & {name for name, _ in model.named_parameters()})
    if absent:
        raise BadModel(
            f"{folder}: the weights lack {', '.join(absent[:3])}{' and others' if len(absent) > 3 else ''}.",
            hint="They are of another architecture than config.json says, or of a model without its output layer.",
        )


def _sizes(shape: Sequence[int]) -> str:
    return " × ".join(map(str, shape))


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without the messages and progress bars of transformers, which would stand amid those of the command line."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


@contextlib.contextmanager
def _blamed(
    folder: Path, what: str, hint: str, diagnose: Callable[[Path], tuple[Path, str] | None] = lambda _: None
) -> Iterator[None]:
    """Whatever transformers stumbles over while it loads is the model's fault; a library that it misses is not.

    `diagnose` may tell which file is at fault, and why; else it is what transformers says.
    """
    try:
        yield
    except Exception as error:  # of every kind: the libraries do not say which
        fault = diagnose(folder)
        place, reason = fault or (folder, first_line(error))
        if isinstance(error, ImportError) and fault is None:
            raise MissingExtra(f"{place}: {what}: {reason}.", hint=_INSTALL) from None
        raise BadModel(f"{place}: {what}: {reason}.", hint=hint) from error


def _tokenizer_fault(folder: Path) -> tuple[Path, str] | None:
    tokenizer_file = folder / "tokenizer.json"
    if tokenizer_file.is_file():
        from tokenizers import Tokenizer

        try:
            Tokenizer.from_file(str(tokenizer_file))
        except Exception as error:  # the library raises bare exceptions
            return tokenizer_file, first_line(error)
        return None
    vocabularies = (path for pattern in _VOCABULARIES for path in folder.glob(pattern))
    return None if any(vocabularies) else (folder, "there is no tokenizer.json")


def _from_hub(name: str, allow_pickle: bool, before_fetch: Callable[[], object]) -> Path:
    hub.require_name(name)
    cached = hub.cached(name, [*_FILES, "model*.safetensors", *(["pytorch_model*.bin"] if allow_pickle else [])])
    fault: BadModel | None = None
    try:
        if cached is not None:
            return _require_whole(cached, allow_pickle)
    except BadModel as error:
        fault = error
    before_fetch()
    try:
        wanted = _wanted(hub.list_files(name), allow_pickle)
        if wanted is None:
            raise _refused(name)
        return _require_whole(hub.download(name, wanted), allow_pickle)
    except BadModel:
        raise
    except Exception as error:  # no network, no such name, no permission: the library has a score of classes for them
        if is_full(error):
            raise CannotWrite(
                f"No space left to fetch {name}: {first_line(error)}.",
                hint="Free some space, or have HF_HOME name a folder elsewhere.",
            ) from error
        # What is wrong with the copy that is here says more than that no other can be had.
        raise fault or hub.unavailable(name, error, first_line(error)) from error


def _wanted(files: Sequence[str], allow_pickle: bool) -> list[str] | None:
    """Patterns of the files to fetch of all those on the hub; `None` if the weights are there in pickles alone."""
    weights = [file for file in files if re.fullmatch(r"model[^/]*\.safetensors", file)]
    pickles = [file for file in files if re.fullmatch(r"pytorch_model[^/]*\.bin", file)]
    if not weights and {"model.bin", "config.json"} <= set(files):
        return [*_FILES, *_CONVERTED]
    if pickles and not weights and not allow_pickle:
        return None
    return [*_FILES, *(weights or pickles)]


def _require_whole(folder: Path, allow_pickle: bool) -> Path:
    """The folder, if it has a readable config and whole weights of a kind that is allowed; else raises `BadModel`."""
    if is_converted(folder) and not weight_files(folder):
        return folder
    read_config(folder)
    for name in _SETTINGS:
        if (folder / name).is_file():
            _read_json(folder / name)
    weights = weight_files(folder, allow_pickle=allow_pickle)
    for path in weights:
        if path.suffix == _SAFE[1]:
            _require_safetensors(path)
    if weights:
        return folder
    pickles = (path for pattern in _PICKLES for path in folder.glob(pattern))
    if any(path.is_file() and path.name != "training_args.bin" for path in pickles):
        if allow_pickle:
            raise BadModel(f"{folder}: of pickle files only {''.join(_PICKLE)} is read, and there is none.")
        raise _refused(str(folder))
    raise BadModel(f"{folder}: no weights: there is no {''.join(_SAFE)}.", hint="Download the model again, whole.")


def _refused(name: str) -> PickledWeights:
    return PickledWeights(
        f"{name}: its weights are in a pickle file, which can run code of its maker's when it is loaded.",
        hint="If you trust its maker, ask for it with -e allow_pickle=true; else look for a copy in safetensors.",
    )


def weight_files(folder: Path, *, allow_pickle: bool = False) -> list[Path]:
    """The files that the model's weights are read from: safetensors, or if allowed a pickle where there are none."""
    return _weight_files(folder, *_SAFE) or (_weight_files(folder, *_PICKLE) if allow_pickle else [])


def _weight_files(folder: Path, stem: str, suffix: str) -> list[Path]:
    """The one file of the weights, or all that their index names; none if there is neither."""
    single = folder / f"{stem}{suffix}"
    index = folder / f"{stem}{suffix}.index.json"
    if single.is_file():
        return [single]
    if not index.is_file():
        return []
    shards = _read_json(index).get("weight_map")
    if not isinstance(shards, dict) or not shards:
        raise BadModel(f"{index}: it has no weight_map.", hint="Download the model again.")
    # Only names: a path could lead out of the folder.
    paths = [folder / Path(str(shard)).name for shard in sorted(set(shards.values()))]
    for path in paths:
        if not path.is_file():
            raise BadModel(f"{path}: the file is missing, but {index.name} names it.", hint="Download it again.")
    return paths


def digest_of(paths: Iterable[Path]) -> str:
    """The SHA-256 of all that files hold, one after the other, in hexadecimal digits."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()


def _require_safetensors(path: Path) -> None:
    """Raises `BadModel` unless the file is as long as its own header says, which the library looks at."""
    try:
        import safetensors
    except ImportError:
        raise MissingExtra("Weights need safetensors, which is not installed.", hint=_INSTALL) from None
    try:
        safetensors.safe_open(path, framework="np")
    except (OSError, safetensors.SafetensorError) as error:
        raise BadModel(f"{path}: no whole safetensors file: {first_line(error)}.", hint="Download it again.") from None


def read_config(folder: Path) -> dict[str, Any]:
    """What `config.json` says. Raises `BadModel` where there is none, or one without the type of the model."""
    path = folder / _CONFIG
    if not path.is_file():
        raise BadModel(f"{folder}: no {_CONFIG}.", hint="Give the folder of a Hugging Face model.")
    config = _read_json(path)
    if not isinstance(config.get("model_type"), str):
        raise BadModel(f"{path}: it has no model_type.", hint="Give the folder of a Hugging Face model.")
    return config


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadModel(f"{path}: it cannot be read as JSON: {error}.", hint="Download it again.") from None
    if not isinstance(data, dict):
        raise BadModel(f"{path}: it is no JSON object.", hint="Download it again.")
    return data


def require_known(folder: Path, model_type: str, *, own_code: bool) -> None:
    """Raise `BadModel` unless transformers knows `model_type`; with `own_code` the model brings its own, never run."""
    _, transformers = libraries()
    if model_type in transformers.CONFIG_MAPPING:
        return
    if own_code:
        raise BadModel(
            f"{folder}: a model of type {model_type!r} needs code that comes with it, which is never run.",
            hint="Choose a model that transformers knows by itself.",
        )
    raise BadModel(
        f"{folder}: transformers {transformers.__version__} knows no models of type {model_type!r}.",
        hint="Run: pip install -U transformers",
    )


def first_line(error: BaseException) -> str:
    """What an error says, on one line and without the mark at its end."""
    if isinstance(error, KeyError):
        return f"{error} is missing"
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".:! ")
