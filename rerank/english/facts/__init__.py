"""The English guard: words, numbers and names are looked up in tables."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.facts.dates import changed_dates
from rerank.english.facts.denials import flipped_negation
from rerank.english.facts.guard_words import Text, text_of
from rerank.english.facts.limits import changed_limits
from rerank.english.facts.measures import changed_units
from rerank.english.facts.names import changed_names
from rerank.english.facts.number_rules import changed_numbers
from rerank.english.facts.quotations import changed_quotations
from rerank.guard import Facts, Guard, Violation

__all__ = ["KINDS", "EnglishFactGuard"]

#: Kinds of facts that are guarded, of those of `rerank.guard`.
KINDS = ("number", "date", "unit", "entity", "negation", "quotation")


class EnglishFactGuard(Guard[Facts[Text]]):
    """Finds facts that an English candidate introduces or alters: see `KINDS`.

    Leaving facts out is allowed, unless `strict`: then a number, date or name that goes is told, too. Nothing is tagged
    or parsed: a text is cut into words, which are looked up in tables and in the list of `wordfreq`. A change that may
    as well be the same in other words is passed over, so that human rewrites are seldom blocked. With `limits` words
    that bound or weaken a statement are guarded too (*may*, *only*, *up to*, *unless*): `modality`, `quantity`. `check`
    raises `ModelNotFound` where the list of `wordfreq` is missing.
    """

    def __init__(self, *, limits: bool = False, strict: bool = False, cache_size: int = 1_000) -> None:
        rules = [changed_numbers, changed_dates, changed_units, changed_names, flipped_negation, changed_quotations]
        rules += [changed_limits] if limits else []
        rules += [_dropped] if strict else []
        super().__init__(lambda text: Facts(text, text_of(text)), rules, cache_size=cache_size)


def _dropped(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Numbers, dates and names that the source would bring in, were the text the source."""
    for rule in (changed_numbers, changed_dates, changed_names):
        for added in rule(text, source):
            yield Violation(added.kind, added.text, f"{added.text} is dropped")
