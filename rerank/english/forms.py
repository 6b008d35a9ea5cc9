"""Forms of English words: their stem, past, third person, gerund and lemma of a verb, and forms that no rule makes."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from rerank.frequency import common_words
from rerank.wordlists import WordLists

_LISTS = WordLists(Path(__file__).with_name("irregular.txt"))
_VERBS = [row.split() for row in _LISTS.rows("verbs")]
_AS_COMMON = 100
"""How many times commoner another word must be for a lemmatiser to be wrong: *putting* is of *put*, not of *putt*."""
_SHORTEST = 2
"""Letters that tell nothing: *being* and *going* are not of *bee* and *goe*."""
_CLOSED = re.compile(r"(?:st|nt|ck|sh|ct|lt|mp|nd|rt|ss|ll|pt|ft)e$")
"""Ends that verbs seldom have, and words without the *e* often."""
_PREFIXED = re.compile(r"^(?:fore|for|mis|out|over|pre|re|under|un|up)(?=\w{2})")
# What looks like one of those with a prefix, and is another verb.
_REGULAR = frozenset({"relay", "relight"})
_SINGULAR_IN_S = _LISTS.words("singular in s")
# Verbs that double their last letter: those of one syllable, and those of several that are stressed on the last or are
# written so all the same.
_DOUBLING = re.compile(
    r"^(?:(?:[^aeiou]|qu)*[aeiou][bdgklmnprtvz]|(?:ad|com|e|o|per|re|sub|trans)mit|(?:con|de|in|pre|re|trans)fer"
    r"|(?:com|dis|ex|im|pro|re)pel|(?:con|pa)trol|(?:ab|ap|dis|en|ful|in)(?:hor|pal|til|rol|fil|stil)|(?:oc|in|re|con)cur"
    r"|deter|rebel|excel|acquit|outwit|begin|forget|forbid|retrofit|zigzag|regret|kidnap|worship|handicap|program|unplug|rebut"
    r"|format|inter|abet|allot|equip|gas|cancel|travel|label|model|signal|level|revel)$"
)


_VOWELS = frozenset("aeiouy")
_IN_S = ("ss", "us", "is")
_IN_ES = ("ses", "xes", "zes", "ches", "shes", "oes")


def _bases() -> dict[str, frozenset[str]]:
    bases_of: dict[str, set[str]] = {}
    for base, *forms in (*_VERBS, *(row.split() for row in _LISTS.rows("others"))):
        for form in forms:
            bases_of.setdefault(form, set()).add(base)
    return {form: frozenset(bases) for form, bases in bases_of.items()}


PASTS = MappingProxyType({base: past for base, past, *_ in _VERBS})
"""The past of verbs that have an irregular one, or an irregular participle beside a regular past (*show*)."""

PARTICIPLES = MappingProxyType({base: others[0] for base, _, *others in _VERBS if others})
"""The participles of verbs that have one beside their past."""

# Of adjectives two or more forms are listed.
_PLURALS = MappingProxyType({row[0]: row[1] for row in (r.split() for r in _LISTS.rows("others")) if len(row) == 2})

BASES = MappingProxyType(_bases())
"""What each form of a verb, noun or adjective may be a form of; *found* is one of *find*, and a word of its own."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """What the regular and irregular forms of a folded word have in common; no word itself."""
    bases = BASES.get(word)
    if bases:
        return _closed(min(bases))
    return _closed(_without_ending(word))


def _without_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(_IN_ES):
        return word[:-2]
    if word.endswith("s") and not word.endswith(_IN_S) and len(word) > 3:
        return word[:-1]
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) > 1 and _VOWELS.intersection(rest):
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word[:-2] if word.endswith("ly") and len(word) > 5 and not word.endswith("ply") else word


def _closed(word: str) -> str:
    """Without a silent *e*, and with *i* for *y*."""
    if len(word) > 2 and word.endswith("e"):
        word = word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") else word


def base(form: str, lemma: str) -> str:
    """The lemma of a verb's form: what a lemmatiser says, `lemma`, where spelling and frequency agree.

    Of what *-ing* and *-ed* may have been put to, the commonest word is taken: *placing* → *place* and not *plac*,
    *referring* → *refer*, *dying* → *die*.
    """
    if re.fullmatch(r"[dltv]ying", form):
        return f"{form[0]}ie"
    known = common_words("en")
    stems = _stems(form)
    if stems and form in (f"{lemma}ing", f"{lemma}ed") and not _DOUBLING.match(lemma):
        # *skied* → *ski*, though it is spelt as if of *sky*; but *fined* is not of *fin*
        stems.append(lemma)
    worth = {word: known[word] for word in stems if word in known}
    if not worth:
        # Neither is known: *entrusting* is hardly of *entruste*.
        return lemma[:-1] if _CLOSED.search(lemma) and lemma[:-1] in stems else lemma
    best = max(worth, key=lambda word: worth[word])
    return lemma if worth.get(lemma, 0.0) * _AS_COMMON >= worth[best] else best


def _stems(form: str) -> list[str]:
    """What regular spelling makes a form in *-ing* or *-ed* of; nothing for other forms, and for irregular ones."""
    stem = form[:-3] if form.endswith("ing") else form[:-2] if form.endswith("ed") else ""
    if len(stem) <= _SHORTEST or form in BASES or form.endswith("eed") or not re.search("[aeiouy]", stem):
        return []
    if stem.endswith("i"):
        return [f"{stem[:-1]}y"]
    stems = [f"{stem}e"]
    if not _DOUBLING.match(stem):
        stems.append(stem)
    if stem[-1] == stem[-2] and _DOUBLING.match(stem[:-1]):
        stems.append(stem[:-1])
    return stems


def is_plural(noun: str) -> bool:
    """Whether a noun that was taken for one thing is spelt as several, and is commoner without its *s*: *demos*."""
    if not re.search(r"[^aiusy]s$|[^e]as$|ys$", noun) or noun in _SINGULAR_IN_S:
        return False
    known = common_words("en")
    return known.get(noun[:-1], 0.0) > known.get(noun, 0.0)


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


def participle(lemma: str) -> str:
    """The past participle of a verb: *take* → *taken*, *admit* → *admitted*."""
    return {"be": "been"}.get(lemma) or PARTICIPLES.get(lemma) or past(lemma)


def plural(noun: str) -> str:
    """The plural of a noun: *bank* → *banks*, *city* → *cities*, *child* → *children*."""
    return _PLURALS.get(noun) or third_person(noun)


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


def ing(lemma: str) -> str:
    """The gerund of a verb: *make* → *making*, *lie* → *lying*, *admit* → *admitting*."""
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("ic"):
        return lemma + "king"
    if re.search(r"\w[^aeioy]e$", lemma):
        return lemma[:-1] + "ing"
    return lemma + (lemma[-1] if _DOUBLING.match(lemma) else "") + "ing"
