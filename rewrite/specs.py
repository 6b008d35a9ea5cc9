"""What `--generator` says: `edits`, `ct2:PATH`, `openai:URL,URL#MODEL`, `replay:FILE`, or several joined by `+`.

A bundled model may be named without its engine: `edits+gemma-ru` is `edits+ct2:gemma-ru`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rerank.errors import UnknownName
from rewrite.base.package import ADAPTERS
from rewrite.engines.registry import ENGINES

MASKED_COMPONENTS = ("ndd", "ndd_cosine", "ppl", "cosine", "bertscore")
"""Components that ask a masked language model."""
EVALUATED_COMPONENTS = ("quality", "grammar", "content")
"""Components that ask a learned evaluator."""

EDITS = ("edits", "edits-lm")
"""Generators that edit the parse; the second asks the adapter of the base where a sentence may be cut in two."""
SPLITTERS = ("splitter", "splitter-lm")
"""Generators that split English sentences; of the second the adapter of the base judges the splits."""

_TARGETED = (*ENGINES, "replay")
# Engines that can be asked how probable a given text is.
_SCORING = ("ct2", "hf")


@dataclass(frozen=True, slots=True)
class Spec:
    """One generator: its scheme, and for a language model or a recording the target after the colon."""

    scheme: str
    target: str = ""

    def __str__(self) -> str:
        return f"{self.scheme}:{self.target}" if self.target else self.scheme

    @property
    def is_language_model(self) -> bool:
        return self.scheme in ENGINES

    @property
    def is_adapter(self) -> bool:
        """Whether it is an adapter of the base, which the engine makes ready itself."""
        return self.scheme == "ct2" and self.target in ADAPTERS

    @property
    def language(self) -> str:
        """The language of an adapter of the base; empty for what is none."""
        return ADAPTERS[self.target].language if self.is_adapter else ""

    @property
    def needs_base(self) -> bool:
        """Whether it runs an adapter of the base, to draw from it or to ask it."""
        return self.is_adapter or self.scheme in ("edits-lm", "splitter-lm")


def parse_specs(text: str, plain: Iterable[str]) -> tuple[Spec, ...]:
    """The generators in `text`; `plain` are the names that take no target.

    A `+` joins only where a known name follows it, for paths and addresses may hold one. Raises `UnknownName`.
    """
    return _parsed(text, tuple(plain))


@lru_cache(maxsize=32)
def _parsed(text: str, names: tuple[str, ...]) -> tuple[Spec, ...]:
    ahead = "|".join([*(f"{re.escape(n)}(?=\\+|$)" for n in names), *(f"{n}:" for n in _TARGETED)])
    specs = []
    for part in re.split(rf"\+(?={ahead})", _spelled_out(text)):
        scheme, colon, target = part.partition(":")
        if colon and scheme in _TARGETED and target:
            specs.append(Spec(scheme, target))
        elif part in names:
            specs.append(Spec(part))
        else:
            raise _unknown(part, names)
    return tuple(specs)


def parse_model(text: str) -> Spec:
    """One language model that gives probabilities, as for `--fluency`. Raises `UnknownName`."""
    scheme, _, target = text.partition(":")
    if scheme not in _SCORING or not target:
        raise UnknownName(
            f"--fluency got {text!r}.", hint=f"Write {' or '.join(f'{name}:MODEL' for name in _SCORING)}."
        )
    return Spec(scheme, target)


def _spelled_out(text: str) -> str:
    """`edits+gemma-ru` as `edits+ct2:gemma-ru`."""
    return re.sub(rf"(^|\+)({'|'.join(ADAPTERS)})(?=\+|$)", r"\1ct2:\2", text)


def _unknown(part: str, names: tuple[str, ...]) -> UnknownName:
    known = ", ".join([*names, *ADAPTERS, *(f"{scheme}:…" for scheme in _TARGETED)])
    if part.rstrip(":") in _TARGETED:
        return UnknownName(
            f"Generator {part!r} names no target.", hint=f"Write {part.rstrip(':')}:TARGET. Known: {known}."
        )
    return UnknownName(f"Unknown generator {part!r}.", hint=f"Known: {known}.")
