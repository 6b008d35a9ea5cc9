"""The rule for quotations: what stands between quotation marks stands in the source, in one piece."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rerank.english.facts.guard_words import Text
from rerank.guard import Facts, Violation

# A mark behind a digit is one of inches.
_QUOTED = re.compile(r'(?<!\d)"(?!\s)([^"“”]+)(?<!\s)"|“([^“”]+)”')
# What was left out within a quotation, or put in, is marked there; a sentence may go.
_PARTS = re.compile(r"…|\[[^\]]*\]|[.!?]+\s")
_LETTERS = re.compile(r"[^\W_]+")


def changed_quotations(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Quotations of a text whose words the source does not have side by side, in whatever spelling."""
    given = _letters(source.text)
    for match in _QUOTED.finditer(text.text):
        quotation = match[1] or match[2]
        if any(_letters(part) not in given for part in _PARTS.split(quotation)):
            yield Violation("quotation", quotation, f"the source does not say “{quotation}”")


def _letters(text: str) -> str:
    """Letters and digits alone, without accents: US is U.S., Heartbreak is Heart-Break."""
    return "".join(_LETTERS.findall(unicodedata.normalize("NFKD", text.lower().replace("\u00ad", ""))))
