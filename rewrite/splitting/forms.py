"""Finite forms of English verbs: the past and the third person of a lemma."""

from __future__ import annotations

import re

from rewrite.splitting.irregular import PASTS

__all__ = ["base", "past", "third_person"]

_PREFIXED = re.compile(r"^(?:fore|for|mis|out|over|pre|re|under|un|up)(?=\w{2})")
# What looks like one of those with a prefix, and is another verb.
_REGULAR = frozenset({"relay", "relight"})
# Verbs that double their last letter: those of one syllable, and those of several that are stressed on the last or are
# written so all the same.
_DOUBLING = re.compile(
    r"^(?:(?:[^aeiou]|qu)*[aeiou][bdgklmnprtvz]|(?:ad|com|e|o|per|re|sub|trans)mit|(?:con|de|in|pre|re|trans)fer"
    r"|(?:com|dis|ex|im|pro|re)pel|(?:con|pa)trol|(?:ab|ap|dis|en|ful|in)(?:hor|pal|til|rol|fil|stil)|(?:oc|in|re|con)cur"
    r"|deter|rebel|excel|acquit|outwit|retrofit|zigzag|regret|kidnap|worship|handicap|program|unplug|rebut"
    r"|format|inter|abet|allot|equip|gas|cancel|travel|label|model|signal|level|revel)$"
)


def base(form: str, lemma: str) -> str:
    """The lemma of a verb's form, with what lemmatisers get wrong set right: *consiste* → *consist*, *lye* → *lie*."""
    if re.fullmatch(r"[a-z]ying", form):
        return f"{form[0]}ie"
    return lemma[:-1] if re.search(r"[eiou]ste$", lemma) else lemma


def past(lemma: str) -> str:
    """The past of a verb: *make* → *made*, *admit* → *admitted*, *carry* → *carried*. Of *be* it is *was*."""
    if lemma == "be":
        return "was"
    known = _irregular(lemma)
    if known:
        return known
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("ic"):
        return lemma + "ked"
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if _DOUBLING.match(lemma) else "") + "ed"


def _irregular(lemma: str) -> str:
    """The past of an irregular verb, or of one with a prefix: *overrun* → *overran*; empty for others."""
    if lemma in PASTS:
        return PASTS[lemma]
    prefix = _PREFIXED.match(lemma)
    base = PASTS.get(lemma[prefix.end() :]) if prefix and lemma not in _REGULAR else None
    return f"{prefix.group()}{base}" if prefix and base else ""


def third_person(lemma: str) -> str:
    """The third person of a verb in the present: *make* → *makes*, *carry* → *carries*, *go* → *goes*."""
    if lemma in ("be", "have"):
        return "is" if lemma == "be" else "has"
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ies"
    if lemma in ("quiz", "gas"):
        return lemma + lemma[-1] + "es"
    if re.search(r"(?:s|x|z|ch|sh|[^aeiou]o)$", lemma):
        return lemma + "es"
    return lemma + "s"
