"""What `--generator` says: `edits`, `ct2:PATH`, `openai:URL,URL#MODEL`, `replay:FILE`, or several joined by `+`.

What generators of each scheme are like is a table: all that is asked of one before it is made is asked there.

A bundled model may be named without its engine: `edits+gemma-ru` is `edits+ct2:gemma-ru`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from rerank.errors import UnknownName
from rewrite.base.package import ADAPTERS
from rewrite.engines.registry import ENGINES


@dataclass(frozen=True, kw_only=True)
class Scheme:
    """What the generators of one scheme are like.

    - `takes`: the options that they read and not every generator does.
    - `has_target`: whether a colon and a target follow the scheme.
    - `draws`: whether a language model draws the candidates.
    - `language`: the only one that they are for; empty where the target or the texts decide.
    - `judge`: the adapter of the base that they ask about what they make.
    - `english`: the adapter that draws for English texts where such a generator is named.
    - `gains`: whether what they call a log-probability can be compared among themselves alone.
    - `preset`: the weights of `rewrite simplify` where nobody has said any.
    """

    takes: frozenset[str] = frozenset()
    has_target: bool = False
    draws: bool = False
    language: str = ""
    judge: str = ""
    english: str = ""
    gains: bool = False
    preset: str = ""


_SAMPLING = frozenset({"temperature", "top_p", "top_k", "max_tokens"})
SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        **{name: Scheme(takes=_SAMPLING | {"prompt"}, has_target=True, draws=True) for name in ENGINES},
        "replay": Scheme(has_target=True),
        "edits": Scheme(takes=frozenset({"temperature"}), language="ru", gains=True),
        "edits-lm": Scheme(
            takes=frozenset({"temperature"}),
            language="ru",
            gains=True,
            judge="gemma-ru",
            english="gemma-en",
            preset="clear",
        ),
        "deletion": Scheme(language="ru"),
        "splitter": Scheme(takes=frozenset({"model"})),
        "splitter-lm": Scheme(takes=frozenset({"model"}), judge="verdict-en"),
        "cuts": Scheme(takes=frozenset({"ratio", "threshold", "method", "iterations", "longest", "syntax", "careful"})),
    }
)
# What generators of other packages do with `Sampling` is theirs to say; English is not asked of them.
_OTHER = Scheme(takes=_SAMPLING, language="ru")
GENERATOR_OPTIONS = frozenset().union(*(scheme.takes for scheme in SCHEMES.values()))
"""Options that some generators take and others do not."""
_TARGETED = tuple(name for name, scheme in SCHEMES.items() if scheme.has_target)


def scheme_of(name: str) -> Scheme:
    """What generators of this scheme are like, also those of other packages."""
    return SCHEMES.get(name, _OTHER)


@dataclass(frozen=True, slots=True)
class Spec:
    """One generator: the name of its scheme, and for a language model or a recording the target after the colon."""

    scheme: str
    target: str = ""

    def __str__(self) -> str:
        return f"{self.scheme}:{self.target}" if self.target else self.scheme

    @property
    def kind(self) -> Scheme:
        """What generators of its scheme are like."""
        return scheme_of(self.scheme)

    @property
    def is_adapter(self) -> bool:
        """Whether it is an adapter of the base, which the engine makes ready itself."""
        return self.scheme == "ct2" and self.target in ADAPTERS

    @property
    def language(self) -> str:
        """The only language that it is for; empty for one that may know any."""
        return ADAPTERS[self.target].language if self.is_adapter else self.kind.language

    @property
    def judge(self) -> Spec:
        """The adapter of the base that it asks."""
        return Spec("ct2", self.kind.judge)

    @property
    def engine(self) -> str:
        """What runs its language model, or the adapter of the base that it asks; empty where it has none."""
        return "ct2" if self.kind.judge else self.scheme if self.kind.draws else ""


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
    if scheme != "ct2" or not target:
        raise UnknownName(f"--fluency got {text!r}.", hint="Write ct2:MODEL.")
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
    server = "Start vllm serve MODEL and write openai:URL#MODEL. " if part.startswith("vllm:") else ""
    return UnknownName(f"Unknown generator {part!r}.", hint=f"{server}Known: {known}.")
