"""What `rewrite.simplify`, `split` and `compress` take by keyword, for editors and type checkers.

Written by `python -m tests.keywords` from the options that it repeats; a test compares them.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class SimplifyKeywords(TypedDict, total=False):
    """The fields of `Options`."""

    best: int | None
    diverse: bool
    preset: str | None
    weights: dict[str, float]
    generator: str
    lang: str | None
    keep: tuple[str, ...]
    glossary: tuple[str, ...]
    replace: str | None
    record: str | None
    n: int
    control: float | None
    prompt: str | None
    temperature: float | None
    top_p: float
    top_k: int
    max_tokens: int | float
    engine: dict[str, str]
    sentences: int | None
    max_words: int | None
    fluency: str | None
    masked_model: str | None
    evaluator: str | None
    seed: int
    variant: Literal["paper", "released"]
    strict: bool


class SplitKeywords(TypedDict, total=False):
    """The fields of `SplitOptions`."""

    best: int | None
    diverse: bool
    preset: str | None
    weights: dict[str, float]
    generator: str
    lang: str | None
    keep: tuple[str, ...]
    glossary: tuple[str, ...]
    replace: str | None
    record: str | None
    n: int
    control: float | None
    prompt: str | None
    temperature: float | None
    top_p: float
    top_k: int
    max_tokens: int | float
    engine: dict[str, str]
    sentences: int | None
    max_words: int | None
    fluency: str | None
    masked_model: str | None
    evaluator: str | None
    seed: int
    model: str


class CompressKeywords(TypedDict, total=False):
    """The fields of `CompressOptions`."""

    best: int | None
    diverse: bool
    preset: str | None
    weights: dict[str, float]
    generator: str
    lang: str | None
    keep: tuple[str, ...]
    glossary: tuple[str, ...]
    replace: str | None
    record: str | None
    ratio: float | None
    threshold: float | None
    iterations: int
    longest: int | None
    method: Literal["fast-ndd", "ndd", "ppl", "cosine", "bertscore"]
    syntax: bool | None
    masked_model: str
    device: str
    keep_entities: bool
    cut_negation: bool
    careful: bool
    overlap: Literal["share", "lower", "higher"]
    compare: Literal["current", "initial"]
    bias: float
