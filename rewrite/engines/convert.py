"""Hugging Face model → CTranslate2 model, once, in the user's cache.

The conversion itself is CTranslate2's own; here are the few things that it does not see to: a vocabulary of another
size than the tokenizer's, configurations that lack a field, files that the converted model needs beside it.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rerank.checkpoint import check_complete, first_line, load_tokenizer, quietly, weight_files
from rerank.hub import is_full
from rewrite.engines.cache import build_once, cache_root, fingerprint, mark_used, place, remove_unused, writing_to
from rewrite.engines.model_folder import context_length, model_info, token_ids
from rewrite.errors import BadModel, MissingExtra, RewriteError

CARD = "rewrite.json"
ORIGIN = "origin.txt"
# Raise this where the same model would be converted otherwise than before.
_RECIPE = 5
_UNUSED = "<unused_{}>"
# A logit far below any other, and still a number in 16 bits.
_IMPOSSIBLE = -6e4
# Beside the weights, what a conversion depends on: settings, and the vocabularies of all kinds of tokenizers.
_CONVERTED = (
    *("config.json", "generation_config.json", "*.index.json"),
    *("tokenizer*", "special_tokens_map.json", "added_tokens.json", "*vocab*", "*merges*"),
    *("*.model", "*.spm", "*.tiktoken", "*.codes", "dict.txt"),
)
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


def converted(folder: Path, *, quantization: str, allow_pickle: bool = False) -> Path:
    """The cache's CTranslate2 copy of the Hugging Face model in `folder`, converted now if it is not there yet.

    Only a change of what is converted (weights, config, tokenizer) brings a new copy. Older ones of the same folder are
    then removed, a week after they were last used.
    """
    key, resolved = _key(folder, allow_pickle), folder.resolve()
    stem = f"{resolved.name}-{place(resolved)}-"
    target = cache_root() / "ct2" / f"{stem}{quantization}-{key}"
    if not target.is_dir():
        _require_convertible(folder)
        print(f"Converting {resolved.name} for CTranslate2 ({quantization}), this once …", file=sys.stderr)

    def build(scratch: Path) -> None:
        convert(folder, scratch, quantization=quantization, allow_pickle=allow_pickle)
        (scratch / ORIGIN).write_text(str(resolved), encoding="utf-8")

    remove_unused(target.parent, stem, keep=f"-{key}")
    build_once(target, build)
    mark_used(target)
    return target


def origin(copy: Path) -> str:
    """The folder that a copy in the cache was made of; empty where that is not written in it."""
    with contextlib.suppress(OSError, ValueError):
        return (copy / ORIGIN).read_text(encoding="utf-8")
    return ""


def _key(folder: Path, allow_pickle: bool) -> str:
    import ctranslate2

    weights = {path.name for path in weight_files(folder, allow_pickle=allow_pickle)}
    return fingerprint(
        folder,
        (ctranslate2.__version__, _RECIPE),
        lambda name: name in weights or any(fnmatchcase(name, pattern) for pattern in _CONVERTED),
    )


def convert(folder: Path, output: Path, *, quantization: str, allow_pickle: bool = False) -> None:
    """Write the model in `folder` to `output`, an empty folder, with its tokenizer and its `Card`.

    Raises `MissingExtra` without transformers and torch, `BadModel` for one that CTranslate2 cannot take.
    """
    model_type = _require_convertible(folder)
    with quietly(), writing_to(output.parent):
        try:
            converter = _make_converter(folder, allow_pickle)
            converter.convert(str(output), quantization=quantization, force=True)
            _save_beside(folder, converter, output)
        except RewriteError:
            raise
        except Exception as error:
            if is_full(error):
                raise
            # Whatever else the libraries stumble over is the model's fault, not the user's text's.
            raise _unconvertible(folder, model_type, error) from error


def require_converter(name: str) -> None:
    """Raise `MissingExtra` where what it takes to convert the model `name` is not installed."""
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        raise MissingExtra(
            f"{name} must be converted once, which needs transformers and torch.",
            hint="Run: pip install 'rewrite-rerank[hf]' (or give the folder of a converted model).",
        ) from None


def _require_convertible(folder: Path) -> str:
    """The model's type; raises what speaks against its conversion at first sight."""
    require_converter(str(folder))
    return model_info(folder, str(folder)).model_type


def _unconvertible(folder: Path, model_type: str, error: Exception) -> BadModel:
    reason = first_line(error)
    if reason.startswith("No conversion is registered"):
        return BadModel(
            f"{folder}: CTranslate2 takes no models of type {model_type!r}.", hint=f"Run it by hf:{folder}."
        )
    return BadModel(
        f"{folder}: it cannot be converted: {reason}.", hint="Correct its config.json, or download the model again."
    )


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
                ignore_mismatched_sizes=True,  # `check_complete` says it better
                **options,
            )
            check_complete(folder, model, report)
            self.config, self.generation = model.config, getattr(model, "generation_config", None)
            _complete(self.config)
            return model

        def load_tokenizer(self, tokenizer_class: Any, name: str, **options: Any) -> Any:
            self.tokenizer = load_tokenizer(folder)
            return _FittedTokenizer(self.tokenizer, self.config.vocab_size)

        def _load(self) -> Any:
            spec = super()._load()
            if self.config.model_type == "pegasus":
                spec.config.decoder_start_token = _decoder_start(folder, self.config, self.generation, self.tokenizer)
            _rule_out(spec.decoder.projection, _unused(self.config, self.tokenizer))
            return spec

    return Converter(str(folder))


def _complete(config: Any) -> None:
    """Make the config say what CTranslate2 looks for in it."""
    if config.model_type == "bart" and not hasattr(config, "normalize_before"):
        config.normalize_before = False
    if config.model_type == "pegasus":
        config.normalize_before, config.normalize_embedding = True, False
    # Transformers 5 ties the embeddings of every T5 and says elsewhere whether its logits are scaled. Unseen, that
    # leaves greedy decoding right and makes every sample wrong.
    if hasattr(config, "scale_decoder_outputs"):
        config.tie_word_embeddings = config.scale_decoder_outputs


def _decoder_start(folder: Path, config: Any, generation: Any, tokenizer: Any) -> str:
    """What the decoder of a Pegasus begins with: padding in the released ones, for CTranslate2 in all of them."""
    start = token_ids(str(folder), "decoder_start_token_id", generation, config)
    if not start:
        raise BadModel(f"{folder}: its config has no decoder_start_token_id.")
    return str(tokenizer.convert_ids_to_tokens(start[0]))


def _rule_out(projection: Any, entries: Sequence[int]) -> None:
    """Make `entries` of the vocabulary as good as impossible, for a text that is scored as for one that is drawn."""
    import numpy as np

    size = projection.weight.shape[0]
    inside = [i for i in entries if i < size]
    if inside:
        bias = np.zeros(size, np.float32)
        if projection.has_bias():
            bias += projection.bias.detach().float().numpy()
        bias[inside] = _IMPOSSIBLE
        projection.bias = bias


def _unused(config: Any, tokenizer: Any) -> list[int]:
    """Entries of the vocabulary that stand for no token."""
    known = set(tokenizer.get_vocab().values())
    return [i for i in range(config.vocab_size) if i not in known]


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


def _save_beside(folder: Path, converter: Any, output: Path) -> None:
    """What the engine needs to know beside the weights: the tokenizer, the prompt, the card."""
    backend = getattr(converter.tokenizer, "backend_tokenizer", None)
    if backend is not None:
        backend.save(str(output / "tokenizer.json"))
    for name in _KEPT:
        if (folder / name).is_file():
            shutil.copyfile(folder / name, output / name)
    card = _card(str(folder), converter.config, converter.generation, converter.tokenizer)
    (output / CARD).write_text(json.dumps(asdict(card), ensure_ascii=False, indent=1), encoding="utf-8")


def _card(model: str, config: Any, generation: Any, tokenizer: Any) -> Card:
    known = set(tokenizer.get_vocab().values())
    forced = token_ids(model, "forced_bos_token_id", generation, config) if config.is_encoder_decoder else []
    ends = token_ids(model, "eos_token_id", generation, config)
    return Card(
        kind="seq2seq" if config.is_encoder_decoder else "causal",
        model_type=config.model_type,
        context=context_length(config, tokenizer),
        begin=tokenizer.bos_token or "",
        end=tuple(tokenizer.convert_ids_to_tokens(i) for i in ends if i in known),
        forced_start=tuple(tokenizer.convert_ids_to_tokens(i) for i in forced),
        suppress=tuple(_UNUSED.format(i) for i in _unused(config, tokenizer)),
    )
