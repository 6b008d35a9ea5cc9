"""Masked language models by what a user calls them."""

from __future__ import annotations

from types import MappingProxyType

from rerank.errors import UnknownName
from rerank.masked.base import MaskedModel

__all__ = ["BUNDLED", "DEFAULT_MODELS", "create_masked_model", "require_masked_name"]

BUNDLED = ("en", "ru")
"""Languages that have a small model in the package."""

DEFAULT_MODELS = MappingProxyType(
    {
        "en": "bert-base-cased",
        "ru": "blinoff/roberta-base-russian-v0",
        "zh": "google-bert/bert-base-chinese",
        "other": "google-bert/bert-base-multilingual-cased",
    }
)
"""Names on the hub that `hf` stands for, by language (`rerank.masked.words.LANGUAGES`). For English it is the paper's
model for compression; its similarity tests are with `roberta-base`."""

_KNOWN = "Known: hf:NAME (a folder, or a name on the hub such as roberta-base), hf, bundled, bundled:en, bundled:ru."


def require_masked_name(spec: str) -> None:
    """Raises `UnknownName` for what `create_masked_model` could not take for any language; nothing is loaded."""
    scheme, colon, target = spec.partition(":")
    if scheme not in ("hf", "bundled") or (colon and not target):
        raise UnknownName(f"Unknown masked language model {spec!r}.", hint=_KNOWN)


def create_masked_model(
    spec: str = "bundled", *, language: str = "en", device: str = "cpu", dtype: str = "float32"
) -> MaskedModel:
    """The model that `spec` names; nothing is loaded before it is asked something.

    `hf:NAME` is any masked language model of Hugging Face, by folder or hub name; `hf` the one that `DEFAULT_MODELS`
    has for `language`; `bundled:en` and `bundled:ru` are small ones in the package, `bundled` the one of `language`.
    `device` and `dtype` are for `hf`. Raises `UnknownName` for anything else, or a language without a bundled model.
    """
    require_masked_name(spec)
    scheme, _, target = spec.partition(":")
    if scheme == "bundled":
        return _bundled(target or language, spec)
    from rerank.masked.hf import HFMaskedModel

    return HFMaskedModel(target or _default(language), device=device, dtype=dtype)


def _default(language: str) -> str:
    if language not in DEFAULT_MODELS:
        raise UnknownName(f"Unknown language {language!r}.", hint=f"Known: {', '.join(DEFAULT_MODELS)}.")
    return DEFAULT_MODELS[language]


def _bundled(language: str, spec: str) -> MaskedModel:
    if language not in BUNDLED:
        raise UnknownName(
            f"No masked language model for {language!r} is bundled (asked for as {spec!r}).",
            hint="Give hf:NAME, the folder or hub name of one that knows the language.",
        )
    from importlib import import_module

    model: MaskedModel = import_module("rerank.masked.bundled").load(language)
    return model
