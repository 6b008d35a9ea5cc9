"""Hugging Face model → CTranslate2 model, once, in the user's cache.

The conversion itself is CTranslate2's own; here are the few things that it does not see to: a vocabulary of another
size than the tokenizer's, configurations that lack a field, files that the converted model needs beside it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rewrite.engines.cache import build_once, cache_root, fingerprint
from rewrite.engines.checkpoint import check_complete, load_tokenizer, quietly
from rewrite.engines.positions import context_length
from rewrite.errors import BadModel, MissingExtra, RewriteError

__all__ = ["CARD", "Card", "convert", "converted", "is_converted", "read_card", "vocabulary_size"]

CARD = "rewrite.json"
# Raise this where the same model would be converted otherwise than before.
_RECIPE = 3
_UNUSED = "<unused_{}>"
_KEPT = ("prompt.yaml", "tokenizer_config.json", "chat_template.jinja", "source.spm", "target.spm")


@dataclass(frozen=True, slots=True)
class Card:
    """What a converted model no longer says of itself.

    `context` is the number of positions (`None` where nothing tells), `suppress` lists vocabulary entries that
    stand for no token, `forced_start` are tokens that the decoder must begin with.
    """

    kind: str
    model_type: str = ""
    context: int | None = None
    begin: str = ""
    end: tuple[str, ...] = ()
    forced_start: tuple[str, ...] = ()
    suppress: tuple[str, ...] = ()


def is_converted(folder: Path) -> bool:
    """Whether `folder` holds a CTranslate2 model."""
    return (folder / "model.bin").is_file() and (folder / "config.json").is_file()


def converted(folder: Path, *, quantization: str, allow_pickle: bool = False) -> Path:
    """The cache's CTranslate2 copy of the Hugging Face model in `folder`, converted now if it is not there yet."""
    import ctranslate2

    key = fingerprint(folder, (quantization, ctranslate2.__version__, _RECIPE))
    target = cache_root() / "ct2" / f"{folder.name}-{quantization}-{key}"
    if not target.is_dir():
        print(f"Converting {folder.name} for CTranslate2 ({quantization}), this once …", file=sys.stderr)
    return build_once(
        target, lambda scratch: convert(folder, scratch, quantization=quantization, allow_pickle=allow_pickle)
    )


def convert(folder: Path, output: Path, *, quantization: str, allow_pickle: bool = False) -> None:
    """Write the model in `folder` to `output`, an empty folder, with its tokenizer and its `Card`.

    Raises `MissingExtra` without transformers and torch, `BadModel` for one that CTranslate2 cannot take.
    """
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        raise MissingExtra(
            f"{folder.name} must be converted once, which needs transformers and torch.",
            hint="Run: pip install 'rewrite-rerank[hf]' (or give the folder of a converted model).",
        ) from None
    with _quiet(), quietly():
        try:
            converter = _make_converter(folder, allow_pickle)
            converter.convert(str(output), quantization=quantization, force=True)
            _save_tokenizer(converter.tokenizer, output)
        except RewriteError:
            raise
        except Exception as error:  # whatever the libraries stumble over is the model's fault, not the user's text's
            raise BadModel(f"{folder}: cannot be converted: {str(error).strip() or type(error).__name__}") from error
    for name in _KEPT:
        if (folder / name).is_file():
            shutil.copy(folder / name, output / name)
    card = _card(converter.config, converter.generation, converter.tokenizer)
    (output / CARD).write_text(json.dumps(asdict(card), ensure_ascii=False, indent=1), encoding="utf-8")


def read_card(folder: Path) -> Card:
    """The card of a converted model; for one converted elsewhere, what its files tell."""
    try:
        if (folder / CARD).is_file():
            data = json.loads((folder / CARD).read_text(encoding="utf-8"))
            fields: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
            return Card(**fields)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        seq2seq = "decoder_start_token" in config
        ends = tuple(token for token in [config.get("eos_token")] if token)
        return Card(kind="seq2seq" if seq2seq else "causal", begin=config.get("bos_token") or "", end=ends)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadModel(f"{folder}: {CARD} or config.json cannot be read: {error}.") from None


def vocabulary_size(folder: Path) -> int:
    """Entries of a converted model's vocabulary, the decoder's where there are two."""
    for name in ("target_vocabulary", "shared_vocabulary", "vocabulary"):
        with contextlib.suppress(FileNotFoundError):
            return len(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))
        with contextlib.suppress(FileNotFoundError):
            return len((folder / f"{name}.txt").read_text(encoding="utf-8").split("\n"))
    raise BadModel(f"{folder}: no vocabulary.", hint="Convert the model again.")


def _make_converter(folder: Path, allow_pickle: bool) -> Any:
    from ctranslate2.converters.transformers import TransformersConverter

    class Converter(TransformersConverter):  # type: ignore[misc]
        config: Any
        generation: Any
        tokenizer: Any

        def load_model(self, model_class: Any, name: str, **options: Any) -> Any:
            # Nothing else is read from a pickle: a safetensors file holds numbers only.
            model, report = model_class.from_pretrained(
                name,
                use_safetensors=None if allow_pickle else True,
                local_files_only=True,
                output_loading_info=True,
                **options,
            )
            check_complete(folder, model, report)
            self.config, self.generation = model.config, getattr(model, "generation_config", None)
            _complete(self.config)
            return model

        def load_tokenizer(self, tokenizer_class: Any, name: str, **options: Any) -> Any:
            self.tokenizer = load_tokenizer(folder)
            return _FittedTokenizer(self.tokenizer, self.config.vocab_size)

    return Converter(str(folder))


def _complete(config: Any) -> None:
    """Make the config say what CTranslate2 looks for in it."""
    if config.model_type == "bart" and not hasattr(config, "normalize_before"):
        config.normalize_before = False
    # Transformers 5 ties the embeddings of every T5 and says elsewhere whether its logits are scaled. Unseen, that
    # leaves greedy decoding right and makes every sample wrong.
    if hasattr(config, "scale_decoder_outputs"):
        config.tie_word_embeddings = config.scale_decoder_outputs


class _FittedTokenizer:
    """A tokenizer as the converter wants it.

    Its vocabulary has exactly the size of the model's (longer is cut, shorter is filled up), and no special token is
    missing: CTranslate2 loads no model whose config leaves one open, though it needs none of them to draw.
    """

    def __init__(self, tokenizer: Any, size: int) -> None:
        self._tokenizer = tokenizer
        self._size = size

    def get_vocab(self) -> dict[str, int]:
        vocabulary = {token: i for token, i in self._tokenizer.get_vocab().items() if i < self._size}
        taken = set(vocabulary.values())
        return vocabulary | {_UNUSED.format(i): i for i in range(self._size) if i not in taken}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._tokenizer, name)
        if value is None and name in ("bos_token", "eos_token", "unk_token"):
            others = (getattr(self._tokenizer, f"{kind}_token", None) for kind in ("eos", "bos", "unk", "pad"))
            return next((token for token in others if token), min(self.get_vocab(), key=self.get_vocab().__getitem__))
        return value


def _save_tokenizer(tokenizer: Any, output: Path) -> None:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        backend.save(str(output / "tokenizer.json"))


def _card(config: Any, generation: Any, tokenizer: Any) -> Card:
    known = set(tokenizer.get_vocab().values())
    forced = _first(generation, config, name="forced_bos_token_id") if config.is_encoder_decoder else None
    ends = _first(generation, config, name="eos_token_id")
    end_ids = ends if isinstance(ends, list) else [ends]
    return Card(
        kind="seq2seq" if config.is_encoder_decoder else "causal",
        model_type=config.model_type,
        context=context_length(config, tokenizer),
        begin=tokenizer.bos_token or "",
        end=tuple(tokenizer.convert_ids_to_tokens(i) for i in end_ids if i is not None and i in known),
        forced_start=() if forced is None else (tokenizer.convert_ids_to_tokens(forced),),
        suppress=tuple(_UNUSED.format(i) for i in range(config.vocab_size) if i not in known),
    )


def _first(*places: Any, name: str) -> Any:
    return next((value for place in places if (value := getattr(place, name, None)) is not None), None)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the libraries' progress bars, which would stand in the middle of ours."""
    before = os.environ.get("HF_HUB_DISABLE_PROGRESS_BARS")
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    from transformers.utils import logging

    was_enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_enabled:
            logging.enable_progress_bar()
        if before is None:
            del os.environ["HF_HUB_DISABLE_PROGRESS_BARS"]
        else:
            os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = before
