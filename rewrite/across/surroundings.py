"""What a pipeline does before its sentences are drawn for, and after they were chosen one by one: preferred terms, and
the sentences beside each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rerank.weights import Weights
from rewrite.across.neighbours import in_context
from rewrite.across.replacing import Wording, kept_terms, read_replacements, replacements, reworded
from rewrite.across.terms import read_terms
from rewrite.layout import Layout
from rewrite.result import SentenceResult
from rewrite.task_options import TaskOptions

_Outcomes = Mapping[tuple[str, str], SentenceResult]


def check_lists(options: TaskOptions) -> None:
    """Raise `BadInput` for a list of terms that cannot be read, before anything is loaded."""
    for path in options.glossary:
        read_terms(path)
    if options.replace is not None:
        read_replacements(options.replace)


@dataclass(frozen=True)
class Surroundings:
    """Of the pipeline are `options`, `analyzer_in` and `weights_in` a language."""

    options: TaskOptions
    analyzer_in: Callable[[str], Analyzer]
    weights_in: Callable[[str], Weights]

    def worded(self, sentences: Sequence[str], language: str, *, connected: bool = True) -> list[Wording]:
        """Sentences with preferred terms; `connected`, they follow each other."""
        path = self.options.replace
        if path is None:
            return [Wording(sentence) for sentence in sentences]
        following = (*sentences[1:], "") if connected else [""] * len(sentences)
        pairs = list(zip(sentences, following, strict=True)) if sentences else []
        kept = kept_terms(self.options.glossary, None, language, self.options.keep)
        return reworded(pairs, replacements(path, language), self.analyzer_in, kept)

    def seen(
        self,
        layouts: Iterable[Layout],
        languages: Iterable[str],
        wordings: Iterable[Sequence[Wording]],
        outcomes: _Outcomes,
        *,
        connected: bool,
    ) -> Iterator[tuple[SentenceResult, ...]]:
        """The sentences of each text, chosen with a view to their neighbours there, `connected` in other texts, too.

        `outcomes` are those of each wording by language and text.
        """
        texts = [
            [outcomes[language, w.text].of(source, w) for source, w in zip(layout.sentences, worded, strict=True)]
            for layout, language, worded in zip(layouts, languages, wordings, strict=True)
        ]
        groups = [[sentence for text in texts for sentence in text]] if connected else texts
        checked = (s for group in groups for s in in_context(group, self.options, self.analyzer_in, self.weights_in))
        yield from (tuple(next(checked) for _ in text) for text in texts)

    def pool(self, source: str, candidates: Sequence[Candidate], language: str) -> tuple[Wording, Sequence[Candidate]]:
        """A source and candidates from anywhere with preferred terms."""
        if self.options.replace is None:
            return Wording(source), candidates
        wording, *others = self.worded([source, *(c.text for c in candidates)], language, connected=False)
        return wording, [replace(c, text=other.text) for c, other in zip(candidates, others, strict=True)]
