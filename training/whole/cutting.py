"""Sentences cut where they must not be: parts without a subject or a verb, with their end or their middle missing.

And such parts behind openers that they do not fit: *It Arnold Stang as a clerk .*, *However in the second half .*
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from rewrite.splitting.parsed_words import Words
from training.whole.sentences import clauses, is_contiguous, lowered, render, subject_of

_RELATIVISERS = frozenset("which who whom whose where when that".split())
_HANGING = frozenset({"DET", "ADP", "AUX", "CCONJ", "SCONJ"})
_BEFORE_HEAD = frozenset({"det", "case", "aux", "cop", "mark", "cc", "nmod:poss"})
_CORE = frozenset(
    {"nsubj", "obj", "iobj", "det", "case", "cop", "aux", "mark", "xcomp", "ccomp", "obl", "nmod", "acl", "expl"}
)
_ALONE = (
    "So that|While|Because|Although|When|Where|Whereas|Until|Since|If|As|After which|During which|From where|In which"
    "|After|Before|Even though|Such that|Whose|That|With|For which|Despite"
).split("|")
_CONJUNCTIONS = frozenset({"and", "or", "but", "nor", "so", "yet"})

_PRONOUNS = ("It", "He", "She", "They", "This", "These", "There", "The", "We")
_COPULAS = ("It is", "It was", "He was", "He is", "She was", "They were", "They are", "This is", "This was", "There is")
_ADVERBS = tuple("However ,|However|Then|In addition ,|Instead ,|Therefore ,|Thus|Also|Later|But|So".split("|"))
_WITH_ADVERB = ("He also", "It also", "She then", "He then", "They also", "He later", "It has", "He had", "They have")
_BEGIN_CLAUSES = frozenset("which who whom whose where when that because although while".split())
_OF = frozenset("of with for in from by".split())
_PERSONAL = frozenset("he she it they we i you".split())
# What *it is* or *this was* goes well with: a noun phrase, a participle, an adjective, a phrase with a preposition.
_AFTER_PRONOUN = frozenset({"PROPN", "DET", "PRON", "ADP", "NOUN", "NUM", "SCONJ", "CCONJ"})


def _cut_places(words: Words) -> dict[str, list[int]]:
    """Where right parts may begin, by what begins there."""
    places: dict[str, list[int]] = {}
    for n in range(2, words.end - 1):
        word, before = words[n], words[n - 1]
        if word.is_mark:
            continue
        kinds = ["any"]
        if before.text in (",", ";", ":", "--", "–", "—", "-"):
            kinds.append("comma")
        if before.lower in _CONJUNCTIONS:
            kinds.append("conjunction")
        if word.pos == "ADP":
            kinds.append("preposition")
        if word.lower in _RELATIVISERS or (word.pos == "ADP" and words[n + 1].lower in _RELATIVISERS):
            kinds.append("relative")
        if word.pos == "VERB" and word.feature("VerbForm") in ("Part", "Ger"):
            kinds.append("participle")
        if word.pos in ("VERB", "AUX") and word.feature("VerbForm") == "Fin":
            kinds.append("verb")
        if word.pos in ("DET", "PROPN") and before.pos != word.pos and before.pos not in ("ADP", "ADJ", "DET"):
            kinds.append("noun")
        for kind in kinds:
            places.setdefault(kind, []).append(n)
    return places


def _right_items(words: Words, rng: random.Random) -> list[int] | None:
    """The words of a right part that is no sentence, without a conjunction in front."""
    places = _cut_places(words)
    if not places:
        return None
    start = rng.choice(places[rng.choice(sorted(places))])
    numbers = list(range(start, words.end))
    if len(numbers) > 12 and rng.random() < 0.35:
        # A part may end at a later comma.
        commas = [n for n in numbers[4:] if words[n].text == ","]
        numbers = list(range(start, rng.choice(commas))) if commas else numbers
    while numbers and (words[numbers[0]].lower in _CONJUNCTIONS or words[numbers[0]].is_mark):
        numbers.pop(0)
    if len(numbers) < 2 or clauses(words, numbers):
        return None
    return numbers


def right_part(words: Words, rng: random.Random) -> str | None:
    """*He was a chemist and a professor at Yale* → *A professor at Yale .*"""
    numbers = _right_items(words, rng)
    if numbers is None:
        return None
    conjunction = words[numbers[0] - 1]
    front = [conjunction.text] if conjunction.lower in _CONJUNCTIONS and rng.random() < 0.15 else []
    return render(words, [*front, *numbers])


def left_part(words: Words, rng: random.Random) -> str | None:
    """A beginning that holds no clause, or that ends where a phrase has only begun: *He was a member of the .*"""
    places = list(range(3, words.end - 1))
    rng.shuffle(places)
    for end in places[:8]:
        last, numbers = words[end - 1], range(end)
        hangs = last.pos in _HANGING and last.rel in _BEFORE_HEAD and last.head >= end
        if last.lower in ("to", "which", "who", "whose") and last.head >= end:
            hangs = True
        if last.is_mark and not words[end - 2].is_mark:
            hangs = False
        if hangs or (not clauses(words, numbers) and rng.random() < 0.5):
            return render(words, list(numbers))
    return None


def dangling(words: Words, rng: random.Random) -> str | None:
    """A sentence that ends behind the subject of its next clause: *It was found in Rome , and the gate .*"""
    ends = []
    for n in range(len(words)):
        subject = subject_of(words, n)
        if words[n].rel not in ("conj", "advcl", "acl:relcl", "ccomp", "parataxis") or subject < 3:
            continue
        numbers = words.subtree(subject)
        if subject < n and is_contiguous(numbers) and numbers[-1] < n and numbers[-1] + 1 < words.end:
            ends.append(numbers[-1] + 1)
    if not ends:
        return None
    end = rng.choice(ends)
    return render(words, list(range(end)))


def subordinate(words: Words, rng: random.Random) -> str | None:
    """A clause that hangs on another, alone: one of the sentence, or all of it behind *so that*, *which*, …"""
    if rng.random() < 0.5:
        spans = list(_clauses_inside(words))
        if spans:
            return render(words, rng.choice(spans))
    everything = list(range(words.end))
    subject = next((subject_of(words, n) for n in clauses(words, everything)), -1)
    numbers = words.subtree(subject) if subject >= 0 else []
    if numbers and numbers[0] == 0 and is_contiguous(numbers) and rng.random() < 0.4:
        front = ["Who" if words[subject].pos == "PROPN" and rng.random() < 0.5 else "Which"]
        return render(words, [*front, *everything[numbers[-1] + 1 :]])
    if not words[0].text[:1].isupper() or words[0].rel in ("mark", "cc"):
        return None
    return render(words, [*rng.choice(_ALONE).split(), lowered(words), *everything[1:]])


def _clauses_inside(words: Words) -> Iterator[list[int]]:
    for n in range(len(words)):
        if words[n].rel not in ("advcl", "acl:relcl", "ccomp", "acl", "xcomp"):
            continue
        numbers = words.subtree(n)
        numbers = numbers[1:] if words[numbers[0]].is_mark else numbers
        if len(numbers) > 2 and is_contiguous(numbers) and numbers[0] > 0 and not clauses(words, numbers):
            yield numbers


def torn(words: Words, rng: random.Random) -> str | None:
    """A sentence without some words in its middle whose dependents are left: *She regretted for as they had to go .*"""
    way: Callable[[Words, random.Random], Sequence[int] | None] = rng.choice((_run, _run, _object, _noun, _case))
    gone = way(words, rng)
    return render(words, [n for n in range(words.end) if n not in gone]) if gone else None


def _run(words: Words, rng: random.Random) -> Sequence[int] | None:
    for _ in range(6):
        length = rng.choice((1, 1, 2, 2, 3, 4, 5))
        if words.end - length < 4:
            continue
        start = rng.randrange(1, words.end - length)
        gone = range(start, start + length)
        left = [
            n
            for n in range(words.end)
            if n not in gone and words[n].head in gone and words[n].rel.split(":")[0] in _CORE
        ]
        # Verbs and nouns that have lost their head but not their words show that something is missing.
        if any(words[words[n].head].pos in ("VERB", "NOUN", "AUX", "ADJ") for n in left):
            return gone
    return None


def _object(words: Words, rng: random.Random) -> Sequence[int] | None:
    """What a preposition stands before."""
    cases = [n for n in range(1, words.end - 1) if words[n].rel == "case" and words[n].head > n]
    if not cases:
        return None
    case = rng.choice(cases)
    end = words[case].head + 1
    return range(case + 1, end) if end - case < 8 else None


def _noun(words: Words, rng: random.Random) -> Sequence[int] | None:
    """A noun whose article stays."""
    nouns = [
        n
        for n in range(1, words.end)
        if words[n].pos == "NOUN" and any(words[c].rel == "det" and c == n - 1 for c in words.children[n])
    ]
    return [rng.choice(nouns)] if nouns else None


def _case(words: Words, rng: random.Random) -> Sequence[int] | None:
    """A preposition."""
    cases = [
        n
        for n in range(1, words.end - 1)
        if words[n].rel == "case" and words[n].lower in ("of", "to", "with", "by", "from", "in", "at")
    ]
    return [rng.choice(cases)] if cases else None


def misfit(words: Words, rng: random.Random) -> str | None:
    """A right part behind an opener that does not make a sentence of it."""
    numbers = _right_items(words, rng)
    if numbers is None:
        return None
    first = words[numbers[0]]
    form = first.feature("VerbForm") if first.pos in ("VERB", "AUX") else ""
    fits = [*_ADVERBS] if first.pos not in ("PRON",) else []
    # *They were* may go with what was tagged as a past and is a participle.
    if (form == "Fin" and first.feature("Tense") == "Pres") or (
        first.lower in _BEGIN_CLAUSES and first.lower != "that"
    ):
        fits += _COPULAS
    if first.lower in _BEGIN_CLAUSES:
        fits += [*_PRONOUNS, *_WITH_ADVERB]
    elif form in ("Part", "Ger") and first.lower.endswith("ing"):
        fits += [*_PRONOUNS, *_WITH_ADVERB[:-3]]
    elif not form and (first.pos in _AFTER_PRONOUN or first.pos == "ADJ"):
        # *The* and *this* may go with a noun, which lacks a verb all the same: nothing of a clause is in the part.
        fits += [*_PRONOUNS, *_WITH_ADVERB[:-3]]
        if first.pos in ("ADP", "SCONJ", "CCONJ"):
            fits += ["The", "It has", "He had"]
    if form == "Fin":
        fits.append("The")
    if not fits:
        return None
    opener = rng.choice(fits)
    if opener in _ADVERBS and form == "" and rng.random() < 0.3:
        return None
    return render(words, [*opener.split(), *numbers])


def misfit_whole(words: Words, rng: random.Random) -> str | None:
    """A whole sentence behind an opener that brings a subject or a verb too many: *It was he left .*"""
    everything = list(range(words.end))
    if not clauses(words, everything) or words[0].pos in ("ADP", "SCONJ", "ADV", "VERB") or words[0].is_mark:
        return None
    opener = rng.choice((*_PRONOUNS[:6], "The", *_COPULAS, *_WITH_ADVERB))
    if opener == "The" and words[0].lower not in _PERSONAL and words[0].pos != "DET":
        return None
    return render(words, [*opener.split(), lowered(words), *everything[1:]])


def of_which(words: Words, rng: random.Random) -> str | None:
    """A clause about part of what stood before it: *Some of whom died .*, *It was all of whom left .*"""
    for n in range(4, words.end - 2):
        if words[n].lower not in ("which", "whom") or words[n - 1].lower not in _OF:
            continue
        start = next((k + 1 for k in range(n - 2, max(n - 7, 0), -1) if words[k].text == ","), -1)
        if start < 0:
            continue
        front = rng.choice(((), (), *(opener.split() for opener in (*_COPULAS, "They", "The"))))
        return render(words, [*front, *range(start, words.end)])
    return None
