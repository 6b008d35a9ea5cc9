"""Masked language models by what a user calls them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rerank.errors import UnknownName
from rerank.masked.base import MaskedModel

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

_KNOWN = (
    "Known: hf:NAME (a folder, or a name on the hub such as roberta-base), hf, bundled, bundled:en, bundled:ru, "
    "bundled:FOLDER (one that python -m training.masked_lm has written)."
)


@dataclass(frozen=True, slots=True)
class MaskedName:
    """What a user calls a masked language model: `scheme` is `hf` or `bundled`, `target` what follows the colon.

    Without a target it stands for another model in each language.
    """

    scheme: str
    target: str = ""

    @property
    def for_all_languages(self) -> bool:
        """Whether it is the same model whatever the language."""
        return bool(self.target)

    @property
    def is_in_package(self) -> bool:
        """Whether the model's files go with the version of the package."""
        return self.scheme == "bundled" and self.target in ("", *BUNDLED)


def parse_masked_name(spec: str) -> MaskedName:
    """`hf`, `hf:NAME`, `bundled`, `bundled:LANGUAGE` or `bundled:FOLDER`; nothing is loaded.

    Raises `UnknownName` for anything else, and for a `bundled:` with neither a known language nor a folder that is
    there.
    """
    scheme, colon, target = spec.partition(":")
    if scheme not in ("hf", "bundled") or (colon and not target):
        hint = f"If that is a folder, write hf:{spec} or bundled:{spec}." if spec and Path(spec).is_dir() else _KNOWN
        raise UnknownName(f"Unknown masked language model {spec!r}.", hint=hint)
    if scheme == "bundled" and target not in ("", *BUNDLED) and not Path(target).expanduser().is_dir():
        raise UnknownName(
            f"No masked language model for {target!r} is bundled, and there is no such folder.", hint=_KNOWN
        )
    return MaskedName(scheme, target)


def create_masked_model(spec: str = "bundled", *, language: str = "en", device: str = "cpu") -> MaskedModel:
    """The model that `spec` names; its weights are not loaded before it is asked something.

    `hf:NAME` is any masked language model of Hugging Face, by folder or hub name; `hf` the one that `DEFAULT_MODELS`
    has for `language`; `bundled:en` and `bundled:ru` are small ones in the package, `bundled` the one of `language`,
    `bundled:FOLDER` one of the same format. `device` is for `hf`. Raises `UnknownName` for anything else,
    or a language without a bundled model, and `ModelNotFound` for a bundled model that is not whole.
    """
    name = parse_masked_name(spec)
    if name.scheme == "bundled":
        return _bundled(name.target or language, spec)
    from rerank.masked.hf import HFMaskedModel

    return HFMaskedModel(name.target or _default(language), device=device)


def _default(language: str) -> str:
    if language not in DEFAULT_MODELS:
        raise UnknownName(f"Unknown language {language!r}.", hint=f"Known: {', '.join(DEFAULT_MODELS)}.")
    return DEFAULT_MODELS[language]


def _bundled(target: str, spec: str) -> MaskedModel:
    from rerank.masked.bundled import BundledMaskedModel, load

    if spec == "bundled" or target in BUNDLED:
        return load(target)
    return BundledMaskedModel(Path(target).expanduser(), name=spec)
