"""The metric `learned`: the evaluator of `rerank.evaluator`, without references, and the facts that a text changes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rerank.errors import BadInput, UnknownName
from rerank.evaluator import Evaluator
from rerank.evaluator.registry import BUNDLED, Evaluators, Task, task_of
from rerank.guard import Guard, Violation
from rerank.masked.words import guess_language
from rerank.opposites import opposed
from rerank.types import FloatArray
from rewrite.errors import BadOption
from rewrite.judging.metric_words import is_blank
from rewrite.judging.row_metric import Judged, Row, RowMetric
from rewrite.version import version

if TYPE_CHECKING:
    from rerank.facts.guard_words import Lexicon

GUARDED = ("en", "ru")
"""Languages with a fact guard."""

INTACT = 0.3
"""How likely a text is right though its guard finds a changed fact: its share of false alarms among the texts by people
that it stops (34 of 100 Russian ones, docs/facts.md)."""

_OF_SUMMARIES = frozenset({"number", "date", "entity"})
_OF_REWRITES = frozenset({*_OF_SUMMARIES, "unit", "latin", "quotation", "negation"})
"""Of the Russian guard's kinds not *modality* and *quantity*: what a generator may not do, a person often does well."""

_LEAST = 2
"""*One* and *первый* are often no numbers."""


def findings(row: Row, language: str, task: Task) -> tuple[Violation, ...]:
    """What the text of a row in one of the languages of `GUARDED` changes about its source, opposites among it.

    Of a summary only values and names: what a long source denies and asserts in places that lie apart says little.
    """
    kinds = _OF_SUMMARIES if task == "summaries" else _OF_REWRITES
    violations = (violation for violation in _guard(language).check(row.source, row.text) if violation.kind in kinds)
    return (*violations, *(() if task == "summaries" else opposed(row.source, row.text)))


@lru_cache(maxsize=2)
def _guard(language: str) -> Guard[Any]:
    # Dictionaries take longer to load than most metrics need.
    if language == "en":
        from rerank.english.facts import EnglishFactGuard

        return EnglishFactGuard()
    from rerank.analysis import Analyzer
    from rerank.facts import FactGuard

    return FactGuard(Analyzer())


class _Number(NamedTuple):
    text: str
    value: float


def as_in_source(row: Row, language: str) -> str:
    """The text of a row in English or Russian with each number in the source's form, where it gives the same one."""
    forms: dict[float, str] = {}
    for number in _numbers(row.source, language):
        forms.setdefault(number.value, number.text)
    text = row.text
    for number in _numbers(row.text, language):
        match = _pattern(number.text).search(text)
        form = forms.get(number.value)
        if form and match and form != number.text:
            text = text[: match.start()] + _with_capital_of(form, match[0]) + text[match.end() :]
    return text


def _pattern(words: str) -> re.Pattern[str]:
    spaced = r"\s+".join(map(re.escape, words.split()))
    return re.compile(rf"(?<!\w){spaced}(?!\w)")


def _with_capital_of(form: str, other: str) -> str:
    return form[:1].upper() + form[1:] if other[:1].isupper() and not other.isupper() else form


def _numbers(text: str, language: str) -> Iterator[_Number]:
    numbers = _english(text) if language == "en" else _russian(text)
    return (number for number in numbers if number.value >= _LEAST)


def _english(text: str) -> Iterator[_Number]:
    from rerank.english.facts.guard_words import text_of
    from rerank.english.facts.numbers import numbers_of

    for number in numbers_of(text_of(text)):
        # Of *18th* the end is no part of its text.
        if len(number.values) == 1 and not (number.soft or number.is_rank):
            (value,) = number.values
            yield _Number(number.text, float(value))


def _russian(text: str) -> Iterator[_Number]:
    from rerank.facts.guard_words import compound_numeral
    from rerank.facts.numbers import find_numbers

    words = _lexicon().words(text)
    for number in find_numbers(words):
        first = words[number.start]
        # *Двухэтажный*, *20-летний* and *вдвоём* are more than their numbers.
        more = compound_numeral(first.low) is not None or "-" in first.low or "ADVB" in first.pos
        if not (number.code or number.decade or more):
            yield _Number(number.text, number.value)


@lru_cache(maxsize=1)
def _lexicon() -> Lexicon:
    from rerank.facts.guard_words import Lexicon

    return Lexicon()


_MAIN = "quality"
_NAMED = "bundled:"
_SPOKEN = {"en": "English", "ru": "Russian", "zh": "Chinese"}
"""What `guess_language` tells apart."""
_INSTEAD = (
    "Give --model FOLDER of an evaluator of your own, or --metric of those that need no model: without references "
    "source-rouge1, source-rouge2, length, brevity, copied, frequency, with them rouge1, rouge2, rougeL, bleu, chrf, "
    "meteor."
)
_GUESSED = (
    f"There are {', '.join(f'bundled:{name}' for name in BUNDLED)}. Give --lang where it was guessed wrong, "
    "--model FOLDER of an evaluator of your own, or another --metric."
)


class _Guarded(NamedTuple):
    """What is to be judged of a row: place, documents and text, by whom, and which facts the guard found changed.

    `changed` is `None` where no guard was asked.
    """

    place: int
    documents: tuple[str, ...]
    text: str
    by: str
    changed: tuple[Violation, ...] | None


class Learned(RowMetric):
    """f(d, s) of an evaluator taught by negative sampling, in [0, 1]; its outputs are the components.

    `model` is as in `rerank.evaluator.registry.create_evaluator`. With `bundled` a text of a source of five sentences
    or more, or of several documents, is judged as a summary, another as a rewrite; as a rewrite, too, where there is no
    evaluator of summaries for the language. The score is `quality`, or the first output of an evaluator without it. Of
    a source longer than the evaluator's window the beginning is read, and of the rest which of the text's words it has.
    The score of a row of several documents is Σᵢ f(dᵢ, s), as in section 3.1 of the paper, so as much as there are
    documents. `Judged.by` tells which of the bundled ones judged a row: their scores are not on one scale.

    With `facts` an English or Russian text of one document is read with its numbers in the form that the source has
    them, and has one component more, `facts`, which the score is multiplied by: 1, or `rewrite.judging.learned.INTACT`
    where the fact guard finds that it changes a number, a date or a name, of a rewrite also more
    (`rewrite.judging.learned.findings`); what it finds is in `Judged.changed`. Raises
    `UnknownName` for a name that stands for no evaluator, and for a `language` that none is bundled for, `BadOption`
    for a bundled one that is named beside another `language`, `ModelNotFound` for a folder with files missing.
    """

    name = "learned"
    needs_references = False

    def __init__(self, *, language: str | None = None, model: str = "bundled", facts: bool = True) -> None:
        self._facts = facts
        try:
            self._evaluators = Evaluators(model, language=language)
        except UnknownName as error:
            # A name is told with those that there are; nothing that is bundled would do for a language.
            raise UnknownName(error.message, hint=_INSTEAD) if model == "bundled" else error from None

        # A bundled one that is named judges whatever it is given, and says something of any language.
        self._of = model.rpartition("-")[2] if model.startswith(_NAMED) else ""
        if self._of and language not in (None, self._of):
            message = f"{model} judges texts in {_SPOKEN[self._of]}, and --lang is {language}."
            raise BadOption(message, hint="Leave one of them out.")
        self._guessed = language is None
        self._spoken = language or self._of

    def signature(self) -> str:
        # The rules of the guards, as the bundled evaluators, go with the package.
        release = f":rewrite-rerank-{version()}" if self._evaluators.bundled or self._facts else ""
        facts = f":facts-{self._spoken or 'guessed'}" if self._facts else ""
        return f"learned:2:{self._evaluators.signature()}{facts}{release}"

    def results(self, rows: Sequence[Row]) -> list[Judged | BadInput]:
        """As of every metric; an error for a blank source or text, and for a language that no evaluator knows."""
        results: dict[int, Judged | BadInput] = {}
        by_evaluator: defaultdict[Evaluator, list[_Guarded]] = defaultdict(list)
        for place, row in enumerate(rows):
            choice = self._guarded(place, row)
            if isinstance(choice, BadInput):
                results[place] = choice
            else:
                by_evaluator[choice[0]].append(choice[1])
        for evaluator, group in by_evaluator.items():
            pairs = [(document, guarded.text) for guarded in group for document in guarded.documents]
            values = iter(evaluator.judge(pairs))
            for guarded in group:
                parts = [_judged(evaluator, next(values), guarded) for _ in guarded.documents]
                results[guarded.place] = parts[0] if len(parts) == 1 else summed(parts)
        return [results[place] for place in range(len(rows))]

    def reasons(self, rows: Sequence[Row]) -> list[str]:
        """Of each row what the outputs say, who says it, and what facts are changed. Raises as `score` does."""
        return [_reason(judgement) for judgement in self.score(rows)]

    def _guarded(self, place: int, row: Row) -> tuple[Evaluator, _Guarded] | BadInput:
        """Who judges a row, and what the guard of its language says of it, where it has one and facts count."""
        try:
            evaluator, by = self._for_row(row)
        except BadInput as error:
            return error
        documents = row.documents or (row.source,)
        language = self._spoken or guess_language(row.source)
        if not self._facts or row.documents[1:] or language not in GUARDED:
            return evaluator, _Guarded(place, documents, row.text, by, None)
        changed = findings(row, language, task_of(row.source))
        # That five is 5 is a fact, too, and none that the evaluator knows.
        return evaluator, _Guarded(place, documents, as_in_source(row, language), by, changed)

    def _for_row(self, row: Row) -> tuple[Evaluator, str]:
        """One evaluator for all documents of a row, and its name: what different ones say cannot be added."""
        if row.fault:
            raise row.fault
        for place, document in enumerate(row.documents, 1):
            if is_blank(document):
                raise BadInput(f"The document {place} of the source is empty.", hint="Leave it out, or give its text.")
        guessed = guess_language(row.source) if self._of and self._guessed else ""
        if guessed in _SPOKEN and guessed != self._of:
            judge = f"{self._evaluators.spec} judges texts in {_SPOKEN[self._of]}"
            raise BadInput(
                f"The source looks {_SPOKEN[guessed]}, and {judge}.",
                hint="Leave --model out, or give --lang where that is wrong.",
            )
        task: Task = "summaries" if len(row.documents) > 1 else task_of(row.source)
        try:
            return self._evaluators.of(row.source, task), self._evaluators.called(row.source, task)
        except UnknownName as error:
            raise BadInput(error.message, hint=_GUESSED) from error


def summed(judgements: Sequence[Judged]) -> Judged:
    """The sum of what one evaluator says of a text for several documents, of the components as well."""
    names = judgements[0].components if judgements else ()
    return Judged(
        sum(judgement.score for judgement in judgements),
        {name: sum(judgement.components[name] for judgement in judgements) for name in names},
        by=judgements[0].by if judgements else "",
    )


def _judged(evaluator: Evaluator, values: FloatArray, row: _Guarded) -> Judged:
    """What the evaluator says; of a row with a guard times the component `facts`, `INTACT` where it changes a fact.

    That is the chance that neither the evaluator nor the guard has found a fault that is one, if they err independently
    of each other.
    """
    components = dict(zip(evaluator.outputs, map(float, values), strict=True))
    score = components.get(_MAIN, next(iter(components.values())))
    if row.changed is None:
        return Judged(score, components, row.by)
    intact = INTACT if row.changed else 1.0
    return Judged(score * intact, {**components, "facts": intact}, row.by, row.changed)


def _reason(judgement: Judged) -> str:
    outputs = ", ".join(f"{name} {value:.3f}" for name, value in judgement.components.items())
    lines = [f"{judgement.score:.3f}: {outputs}{f', by {judgement.by}' if judgement.by else ''}"]
    lines += [f"  {fact.kind} {fact.text!r}: {fact.message}" for fact in judgement.changed or ()]
    return "\n".join(lines)
