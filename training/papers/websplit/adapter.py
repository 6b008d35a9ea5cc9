"""The pretrained base with an adapter that learnt from WebSplit: two rows of Table 3 that the paper has not.

Plain it reads the complex sentence; for partition-and-generate (section 5.4) the sentence and a partition of its
triples, and writes the texts of all parts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rewrite.base import package
from rewrite.base.model_weights import read_gguf
from rewrite.base.model_writing import Adapted, write_for_ct2
from rewrite.base.vocabulary import kept_ids
from rewrite.controls import Controls, measured
from rewrite.engines.base import Drawn
from rewrite.engines.ct2 import CT2Engine
from rewrite.errors import BadOption, RewriteError
from rewrite.generators.base import Sampling
from rewrite.layout import count_words
from rewrite.prompting import load_prompt
from rewrite.splitting.triples.template_book import Partitioner
from rewrite.splitting.triples.triple import Triple
from training.adapter import packed_layers
from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.examples import with_triples
from training.papers.websplit.recipe import SystemRecipe

System = Callable[[Sequence[tuple[str, Sequence[Triple]]]], list[str]]
"""What writes a text for each of some complex sentences, given with their triples."""
_PROMPT = "gemma_en"
# As most pairs of training have it: as long as controls can say, in words as common as the source's.
_LENGTH, _COMMON = 11, 4
_FEWEST, _MOST = 2, 4


def pairs(
    benchmark: WebSplit, sentences: Sequence[ComplexSentence], *, seed: int, with_parts: bool
) -> Iterator[dict[str, str]]:
    """What the adapter learns from, rows for `training.finetune`: one rephrasing of each sentence, drawn by `seed`.

    Its source is the sentence alone, or the sentence `with_parts` of its triples.
    """
    for sentence in sentences:
        (drawn,) = benchmark.sample(sentence, 1, seed)
        parts = [benchmark.parts[number].triples for number in drawn.parts] if with_parts else []
        controls = measured(sentence.text, drawn.text, "split", language="en")
        yield {"source": with_triples(sentence.text, parts), "target": drawn.text, "controls": controls.text}


def adapter_of(recipe: SystemRecipe) -> Path:
    """Where the adapter of the recipe's `start` is. Raises `BadOption` where that is no run that taught one."""
    adapter = Path(recipe.start or "") / "adapter"
    if recipe.start is None or not adapter.is_dir():
        raise BadOption(
            f"The system {recipe.system} writes with an adapter; {recipe.start!r} is no run that taught one.",
            hint="Name one with --start: python -m training.finetune websplit-en --out RUN makes it.",
        )
    return adapter


def write_model(adapter: Path, folder: Path) -> None:
    """Write the base with an adapter to `folder`, which is new, as those of the package are.

    Smoothed for int8 as they are: a converted copy of the run's merged model, which is not, has 68.6 BLEU in the place
    of 73.0 with triples, on the same 200 sentences of dev.

    Raises `BadInput`, `BadModel` for an adapter of another base, and `MissingExtra`.
    """
    package.require_installed()
    layers, _ = packed_layers(adapter)
    with package.assembled(folder) as path:
        model = Adapted(read_gguf(path), kept_ids("en"), layers)
        model.require_fitting()
        write_for_ct2(model, folder)


def adapter_system(folder: Path, recipe: SystemRecipe, partitioner: Partitioner | None) -> System:
    """What writes with the model in `folder`: by the likeliest partition of the triples, or without any plain."""
    engine, prompt = CT2Engine(str(folder)), load_prompt(_PROMPT)
    greedy = Sampling(n=1, temperature=0, max_tokens=2.0, stop=prompt.stop)

    def write(given: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]:
        inputs = []
        for text, triples in given:
            parts = partitioner.split(triples) if partitioner is not None else []
            wanted = len(parts) or round(count_words(text) / recipe.words_a_sentence)
            sentences = min(max(wanted, _FEWEST), _MOST)
            controls = Controls("split", _LENGTH, sentences, _COMMON)
            inputs.append(prompt.render(with_triples(text, parts), controls.text))
        return [_text(outcome) for outcome in engine.sample(inputs, greedy)]

    return write


def _text(outcome: Drawn) -> str:
    if isinstance(outcome, RewriteError):
        raise outcome
    return " ".join(outcome[0].text.split())
