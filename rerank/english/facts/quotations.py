"""The rule for quotations: what stands between quotation marks stands in the source, in one piece."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rerank.english.facts.guard_words import Text
from rerank.guard import Facts, Violation

_QUOTED = re.compile(r'["“]([^"“”]+)["”]')
_WORD = re.compile(r"\w+")


def changed_quotations(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Quotations of a text whose words the source does not have side by side, in whatever case."""
    given = _spaced(source.text)
    for quotation in _QUOTED.findall(text.text):
        if _spaced(quotation) not in given:
            yield Violation("quotation", quotation, f"the source does not say “{quotation}”")


def _spaced(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "
