"""Which pronouns may stand for a subject: *he*, *she*, *it* or *they*, as far as the parse and lists of words tell."""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from pathlib import Path

from rerank.errors import install_again
from rewrite.errors import BadModel
from rewrite.splitting.openers import NOUNS
from rewrite.splitting.parsed_words import PERSONAL, Words

_FILE = Path(__file__).resolve().parents[1] / "models" / "names_en.json.gz"
_PRONOUNS = {"he": ("he",), "she": ("she",), "person": ("he", "she"), "group": ("it",), "it": ("it",), "place": ("it",)}
_UNKNOWN = ("it", "he", "she")
_SINGULAR_VERBS = frozenset({"is", "was", "has"})
_PLURAL_VERBS = frozenset({"are", "were", "have"})


@lru_cache(maxsize=1)
def _tables() -> dict[str, frozenset[str]]:
    """First names by pronoun (`he`, `she`); nouns of a `person`, a `group` and things (`it`); names of a `place`."""
    try:
        table: dict[str, str] = json.loads(gzip.decompress(_FILE.read_bytes()))
        return {kind: frozenset(table[kind].split("\n")) for kind in _PRONOUNS}
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise BadModel(f"{_FILE}: it cannot be read: {error}.", hint=install_again("rewrite/models")) from error


def pronouns_of(words: Words, noun: int) -> tuple[str, ...]:
    """The personal pronouns that may stand for a subject, by its form, its first name, what its noun or place is."""
    word = words[noun]
    if word.lower in PERSONAL:
        return (word.lower,)
    if word.lower in ("these", "those") or _is_many(words, noun):
        return ("they",)
    if word.pos != "PROPN":
        return _by_table(word.lower, "person", "group", "it")
    # *New* of *New York* may be parsed as an adjective.
    parts = [c for c in words.children[noun] if words[c].rel in ("compound", "flat", "amod")]
    name = [words[n].lower for n in sorted((noun, *parts))]
    if any(words[c].lower == "the" for c in words.children[noun]):
        return ("it",)
    by_name = _by_table(name[0], "he", "she")
    return by_name if by_name != _UNKNOWN else _by_table(" ".join(name), "place")


def _by_table(text: str, *kinds: str) -> tuple[str, ...]:
    return next((_PRONOUNS[kind] for kind in kinds if text in _tables()[kind]), _UNKNOWN)


def _is_many(words: Words, noun: int) -> bool:
    """Whether a subject is more than one, by its own form, what is joined to it, or its verb."""
    verb = _verb_of(words, noun)
    is_joined = any(words[c].rel == "conj" and words[c].pos in NOUNS for c in words.children[noun])
    is_plural = words[noun].feature("Number") == "Plur"
    return (
        verb in _PLURAL_VERBS
        or (is_plural and words[noun].pos == "NOUN")
        or ((is_joined or is_plural) and verb not in _SINGULAR_VERBS)
    )


def _verb_of(words: Words, subject: int) -> str:
    """The finite verb of a subject: *are* of *The Nationals are a team*; empty without one."""
    head = words[subject].head
    if words[subject].rel != "nsubj" or head < subject:
        return ""
    near = [head, *(c for c in words.children[head] if words[c].rel in ("aux", "cop") and c > subject)]
    return words[min(near)].lower
