"""What a task is: all in which simplifying, splitting and compressing differ, as data. `rewrite.pipeline` runs them.

A new task, or a task in a new language, is a new `Task` in a module of its own, which its options name (`home`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from rerank.analysis import Analyzer
from rerank.guard import Violation
from rerank.scorer import Scorer
from rerank.types import Candidate
from rerank.weights import Weights, load_preset
from rewrite.generators import Maker
from rewrite.layout import Layout, by_lines, length_fault, one_line
from rewrite.result import Result
from rewrite.task_options import LANGUAGE_NAMES, TaskOptions

Pool = tuple[str, Sequence[Candidate]]
"""A source and its candidates."""
Guard = Callable[[Sequence[Pool]], list[list[str]]]
"""Why each candidate of each pool may not be chosen, in words; empty where it may."""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What a task works with in one language.

    `analyzer` reads texts for scorers. `makers` make the task's own generators, by the names that options give them.
    Candidates that a guard of `facts` gives a reason for are blocked everywhere, those of `form` where one is chosen.
    `layers` of analysis are what the guards need. `n` is how many candidates are drawn where nobody has said so;
    without it the task's own default. `grade` is the school grade of a text, where there is one for the language.
    """

    analyzer: Analyzer
    facts: tuple[Guard, ...]
    form: tuple[Guard, ...] = ()
    makers: Mapping[str, Maker] = field(default_factory=dict)
    layers: tuple[str, ...] = ()
    n: int | None = None
    grade: Callable[[str], float] | None = None


@dataclass(frozen=True, kw_only=True)
class Task:
    """A way to rewrite texts.

    - `language(text, options)` says what a text is in, in every verb. With `languages`, texts in others are passed
      through with an error; without, the task works in all.
    - `layout(line, language)` cuts a line into the sentences that are rewritten each by itself (`sentences` a text of
      several), `skip(sentence, language)` says why one is passed through, and `text` puts a candidate into the form
      that scorers expect.
    - `scorers(options, asked)` are what a run measures, `asked` the components that are given a weight by name;
      `on_request` are measured only then.
    - `presets` are the task's weights by name, `presets_in` those for some of its languages, under the same names;
      thresholds are the options' own (`TaskOptions.source_share`).
    - `bench(options, language, analyzer)` is what it works with; an analyser that is given replaces its own.
    - `asks` is what language models are asked to do: simplify, split or rephrase.
    - `samples` are a source and a rewrite by language, on which models are loaded that forked processes share.
    """

    result: type[Result]
    presets: Mapping[str, Mapping[str, float]]
    presets_in: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    language: Callable[[str, Any], str]
    layout: Callable[[str, str], Layout]
    skip: Callable[[str, str], str]
    text: Callable[[str], str] = one_line
    scorers: Callable[[Any, frozenset[str]], tuple[Scorer, ...]]
    on_request: tuple[str, ...] = ()
    bench: Callable[[Any, str, Analyzer | None], Bench]
    asks: str = "simplify"
    samples: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def sentences(self, text: str, language: str) -> Layout:
        """The sentences of a text, whose lines are cut each by itself, and what stands between them."""
        return by_lines(text, lambda line: self.layout(line, language))

    def strange(self, language: str) -> str:
        """Why the task has nothing for texts in `language`; empty where it has."""
        names = " or ".join(LANGUAGE_NAMES.get(name, name) for name in self.languages)
        return f"It does not look like {names}." if self.languages and language not in self.languages else ""


def task_of(options: TaskOptions) -> Task:
    """The task whose options these are."""
    module, _, name = options.home.partition(":")
    task: Task = getattr(import_module(module), name)
    return task


def preset_of(name: str, presets: Mapping[str, Mapping[str, float]]) -> str | Weights:
    """A preset's name as it is, or the weights of a preset file."""
    is_file = name not in presets and (os.sep in name or name.endswith((".yaml", ".yml")) or os.path.exists(name))
    return load_preset(name)[1] if is_file else name


def objections(pools: Sequence[Pool], guards: Iterable[Guard]) -> list[tuple[str, ...]]:
    """For each candidate of each pool the first reason that a guard gives; empty where none does."""
    reasons = [[""] * len(candidates) for _, candidates in pools]
    for guard in guards:
        for pool_reasons, found in zip(reasons, guard(pools), strict=True):
            pool_reasons[:] = [before or after for before, after in zip(pool_reasons, found, strict=True)]
    return [tuple(pool_reasons) for pool_reasons in reasons]


def facts_guard(check_all: Callable[[str, Sequence[str]], Sequence[Sequence[Violation]]]) -> Guard:
    """The guard of a `check_all` of facts: what a candidate changes of its source."""

    def guard(pools: Sequence[Pool]) -> list[list[str]]:
        checked = (check_all(source, [c.text for c in candidates]) for source, candidates in pools)
        return [["; ".join(v.message for v in violations) for violations in group] for group in checked]

    return guard


def length_guard(lengths: Mapping[str, int | None]) -> Guard:
    """The guard of `--sentences` and `--max-words`: what of them a candidate misses."""
    return lambda pools: [[length_fault(c.text, **lengths) for c in candidates] for _, candidates in pools]


def keeping(options: TaskOptions, language: str) -> tuple[Guard, ...]:
    """The guards of `--keep` and `--replace`: what a candidate loses of the words and terms that its source has."""
    from rewrite.across.replacing import kept_terms, replacements

    guards: list[Guard] = [_keeping_words(options.keep, language)] if options.keep else []
    if (terms := kept_terms(options.glossary, options.replace, language)) is not None:
        losses = terms.losses
        guards.append(lambda pools: [losses(source, [c.text for c in pool]) for source, pool in pools])
    if options.replace is not None:
        preferred = replacements(options.replace, language)
        guards.append(lambda pools: [[preferred.fault(source, c.text) for c in pool] for source, pool in pools])
    return tuple(guards)


def _keeping_words(words: Sequence[str], language: str) -> Guard:
    """A candidate must have those of `words` that its source has, in whatever case."""
    from rewrite.compression.protection import places_of

    def missing(present: Sequence[str], text: str) -> str:
        lost = [word for word in present if not places_of(word, text, language)]
        return "; ".join(f"drops {word!r}, which is to be kept" for word in lost)

    def guard(pools: Sequence[Pool]) -> list[list[str]]:
        present = ([word for word in words if places_of(word, source, language)] for source, _ in pools)
        return [
            [missing(kept, candidate.text) for candidate in candidates]
            for kept, (_, candidates) in zip(present, pools, strict=True)
        ]

    return guard
