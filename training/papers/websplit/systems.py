"""A trained system of Table 3 writing for complex sentences of the benchmark."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from rerank.errors import BadInput, ModelNotFound
from rewrite.datasets import read_text
from rewrite.splitting.options import SplitOptions
from rewrite.splitting.splitter import Splitter as PlainSplitter
from rewrite.splitting.triples.generate import Generator
from rewrite.splitting.triples.templates import load_templates
from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.faithful import most_faithful
from training.papers.websplit.linear import linearise
from training.papers.websplit.networks import Network, load_network
from training.papers.websplit.options import SystemRecipe
from training.papers.websplit.splitter import Splitter
from training.papers.websplit.templates import TEMPLATES
from training.papers.websplit.triples import Triple

__all__ = ["System", "load_system", "write_texts"]


class System(Protocol):
    """What writes a text for each of some complex sentences, given with their triples."""

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]: ...


class _Whole:
    """SEQ2SEQ and MULTISEQ2SEQ: one text from the sentence, and its triples for the second encoder."""

    def __init__(self, network: Network, beam: int) -> None:
        self._network = network
        self._beam = beam

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]:
        inputs = [(text, linearise(triples))[: self._network.sources] for text, triples in sentences]
        return self._network.decode(inputs, beam=self._beam)


class _Split:
    """SPLIT-SEQ2SEQ and SPLIT-MULTISEQ2SEQ: the most probable partition, then a text for each part (Eqn. 7)."""

    def __init__(self, splitter: Splitter, network: Network, beam: int, choose: bool) -> None:
        self._splitter = splitter
        self._network = network
        self._beam = beam
        self._choose = most_faithful if choose else None

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]:
        partitions = [self._splitter.split(triples) for _, triples in sentences]
        inputs = [
            (text, linearise(part))[-self._network.sources :]
            for (text, _), parts in zip(sentences, partitions, strict=True)
            for part in parts
        ]
        written = iter(self._network.decode(inputs, beam=self._beam, choose=self._choose))
        return [" ".join(itertools.islice(written, len(parts))) for parts in partitions]


class _Templates:
    """SPLIT-TEMPLATES: a probable partition whose parts have templates, and the best of these."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]:
        return [" ".join(self._generator.drafts(text, triples, n=1)[0].sentences) for text, triples in sentences]


class _Edit:
    """The splitter of `rewrite split`, from the sentence alone: it cuts, and repeats words that are there."""

    def __init__(self, options: SplitOptions) -> None:
        self._splitter = PlainSplitter(options)

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]:
        return [found.text for found in self._splitter.run([text for text, _ in sentences])]


def load_system(folder: Path) -> tuple[SystemRecipe, System]:
    """The system that `train` has written to a folder. Raises `ModelNotFound`."""
    if not (folder / "recipe.json").is_file():
        raise ModelNotFound(f"{str(folder)!r} holds no system.", hint="Run: python -m training.papers.websplit train")
    try:
        recipe = SystemRecipe.model_validate_json(read_text(folder / "recipe.json"))
    except ValidationError as error:
        raise BadInput(f"{folder / 'recipe.json'}: {error.errors()[0]['msg']}.", hint="Train it again.") from None
    if recipe.system == "hybridsimpl":
        from training.papers.websplit.hybrid import load_hybrid

        return recipe, load_hybrid(folder)
    if recipe.system == "split-templates":
        return recipe, _Templates(Generator(load_templates(folder / TEMPLATES)))
    if recipe.system == "edit":
        model = {} if recipe.start is None else {"model": str(Path(recipe.start) / "model")}
        return recipe, _Edit(recipe.edit.model_copy(update=model))
    network = load_network(folder / "model")
    if recipe.system.startswith("split-"):
        return recipe, _Split(
            Splitter.from_json(read_text(folder / "splitter.json")), network, recipe.beam, recipe.choose
        )
    return recipe, _Whole(network, recipe.beam)


def write_texts(
    system: System,
    benchmark: WebSplit,
    sentences: Sequence[ComplexSentence],
    told: Callable[[int], None] = lambda done: None,
) -> list[str]:
    """The system's texts for complex sentences, a few hundred at a time; `told` is given how many are done."""
    texts: list[str] = []
    for start in range(0, len(sentences), 256):
        group = sentences[start : start + 256]
        texts += system([(s.text, benchmark.parts[s.readings[0].meaning].triples) for s in group])
        told(len(texts))
    return texts
