"""A task of one's own, in two languages, and its verb: plain words for office phrases.

python examples/task.py "At this point in time 12 roads are closed." "Zum jetzigen Zeitpunkt sind 12 Straßen gesperrt."
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

import typer

from rerank.masked.words import guess_language
from rerank.types import Candidate
from rewrite.commands.flags import Explain, Format, Input, Output, OutputFormat, Processes, Texts, with_options
from rewrite.commands.rewriting import answer
from rewrite.compression.compressor import Ratio
from rewrite.compression.word_analysis import WordAnalyzer
from rewrite.generators import Sampling
from rewrite.layout import split
from rewrite.result import Result
from rewrite.task import Bench, Pool, Task
from rewrite.task_options import TaskOptions

# Another language is another entry.
PHRASES: dict[str, dict[str, str]] = {
    "en": {"in order to": "to", "at this point in time": "now", "due to the fact that": "because"},
    "de": {"zum jetzigen Zeitpunkt": "jetzt", "in Anbetracht der Tatsache, dass": "weil"},
}
_NUMBER = re.compile(r"\d+")


class PlainOptions(TaskOptions):
    """What may be asked of it: what any task may."""

    home: ClassVar[str] = f"{__name__}:PLAIN"
    plain_generators: ClassVar[tuple[str, ...]] = ("phrases",)
    generator: str = "phrases"


class PhraseGenerator:
    """One candidate: a sentence without the phrases of its language."""

    name = "phrases"

    def __init__(self, language: str) -> None:
        self._phrases = PHRASES[language]

    def describe(self) -> Mapping[str, object]:
        return {"phrases": len(self._phrases)}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        return [[Candidate(self._plain(source), generator=self.name)] for source in sources]

    def _plain(self, text: str) -> str:
        for phrase, plain in self._phrases.items():
            text = re.sub(re.escape(phrase), plain, text, flags=re.IGNORECASE)
        return text[:1].upper() + text[1:]


def changed_numbers(pools: Sequence[Pool]) -> list[list[str]]:
    """A guard: why each candidate may not be chosen, empty where it may."""

    def fault(source: str, text: str) -> str:
        return "" if _NUMBER.findall(source) == _NUMBER.findall(text) else "other numbers than its source"

    return [[fault(source, candidate.text) for candidate in candidates] for source, candidates in pools]


PLAIN = Task(
    result=Result,
    presets={"balanced": {"ratio": 1.0}},
    languages=tuple(PHRASES),
    language=lambda text, options: options.told_language or ("en" if guess_language(text) == "en" else "de"),
    layout=lambda text, language: split(text),
    skip=lambda sentence, language: "",
    scorers=lambda options, asked: (Ratio(),),
    bench=lambda options, language, analyzer: Bench(
        analyzer=WordAnalyzer("other"),
        makers={"phrases": lambda spec, analyzer, engines: PhraseGenerator(language)},
        facts=(changed_numbers,),
    ),
)


@with_options(model=PlainOptions)
def plain(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    processes: Processes = None,
    options: PlainOptions,
) -> None:
    """Put plain words for office phrases: a text a line in, one line out."""
    answer(options, texts, input, output, format, explain, processes)


if __name__ == "__main__":
    typer.run(plain)
