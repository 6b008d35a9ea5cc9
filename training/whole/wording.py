"""Sentences with a wrong word: verbs that do not agree, subjects and verbs that are missing, words said twice."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from rerank.english.forms import PASTS, base, past, third_person
from rewrite.splitting.parsed_words import Words
from training.whole.sentences import clauses, is_contiguous, lowered, render, subject_of, without_one

_SINGULAR_VERBS, _PLURAL_VERBS = "is was has does".split(), "are were have do".split()
_SWAPPED = dict(zip(_SINGULAR_VERBS + _PLURAL_VERBS, _PLURAL_VERBS + _SINGULAR_VERBS, strict=True))
_SINGULAR = frozenset("he she it this that".split())
_PLURAL = frozenset("they these those we you".split())
_CROWDS = frozenset(
    """
    team band group family police staff crew company couple number majority government club party pair trio duo
    audience public army navy committee council board rest half lot variety series species percent data media most
    all some any none more people class cast league side orchestra force
    """.split()
)
"""Nouns that one and several verbs go with: *the team is*, *the team are*."""
# Their past needs an object: *It held in May* was *It was held in May*, and *It opened in May* is said.
_TRANSITIVE = frozenset(
    """
    found locate situate name base bear know disguise favor favour build hold use appoint elect award describe
    establish create discover invent publish kill destroy capture rename nickname attach assign bury inspire influence
    own fund sponsor commission nominate
    """.split()
)
_MODALS = frozenset("will would can could may might must should did does do to".split())


def _agreeing(words: Words, clause: int) -> str:
    """`Sing` or `Plur` for the subject of a clause, empty where that is not plain."""
    subject = subject_of(words, clause)
    if subject < 0 or subject > clause:
        return ""
    word = words[subject]
    near = [words[c] for c in words.children[subject]]
    if any(w.rel in ("conj", "cc", "nummod", "appos") for w in near) or word.lower in _CROWDS or word.lemma in _CROWDS:
        return ""
    if word.lower in _SINGULAR:
        return "Sing"
    if word.lower in _PLURAL:
        return "Plur"
    if word.pos == "NOUN" and any(w.rel == "det" for w in near):
        return word.feature("Number") if not any(w.lower in ("no", "any", "some") for w in near) else ""
    return "Sing" if word.pos == "PROPN" and subject == 0 and not word.lower.endswith("s") and not near else ""


def _verb_of(words: Words, clause: int) -> int:
    """The finite verb of a clause, −1 without one."""
    near = [clause, *(c for c in words.children[clause] if words[c].rel.split(":")[0] in ("aux", "cop"))]
    return next(
        (n for n in sorted(near) if words[n].pos in ("VERB", "AUX") and words[n].feature("VerbForm") == "Fin"), -1
    )


def disagreeing(words: Words, rng: random.Random) -> str | None:
    """*It were*, *They gives*, *He have*."""
    changes: list[tuple[int, str]] = []
    for clause in clauses(words, range(words.end)):
        number, verb = _agreeing(words, clause), _verb_of(words, clause)
        if not number or verb < 0:
            continue
        form = words[verb].lower
        if form in _SWAPPED:
            if words[subject_of(words, clause)].lower == "you" and form in ("were", "have", "are", "do"):
                continue
            is_plural = form in _PLURAL_VERBS
            if is_plural == (number == "Plur"):
                changes.append((verb, _SWAPPED[form]))
        elif words[verb].pos == "VERB" and words[verb].feature("Tense") == "Pres":
            lemma = base(form, words[verb].lemma.lower())
            if number == "Sing" and form == third_person(lemma):
                changes.append((verb, lemma))
            elif number == "Plur" and form == lemma:
                changes.append((verb, third_person(lemma)))
        elif words[verb].pos == "VERB" and words[verb].feature("Tense") == "Past" and number == "Sing":
            lemma = base(form, words[verb].lemma.lower())
            if form == past(lemma) != lemma and rng.random() < 0.3:
                changes.append((verb, lemma))
    return _one_replaced(words, changes, rng)


def misnumbered(words: Words, rng: random.Random) -> str | None:
    """A pronoun of the wrong number in the subject's place: *The ship was sold* → *They was sold*."""
    clause = next(iter(clauses(words, range(words.end))), -1)
    subject, verb = (subject_of(words, clause), _verb_of(words, clause)) if clause >= 0 else (-1, -1)
    numbers = words.subtree(subject) if subject >= 0 else []
    if not numbers or verb <= numbers[-1] or not is_contiguous(numbers) or words[verb].feature("Tense") == "":
        return None
    form, lemma = words[verb].lower, base(words[verb].lower, words[verb].lemma.lower())
    is_present = words[verb].pos == "VERB" and words[verb].feature("Tense") == "Pres"
    if form in _SINGULAR_VERBS or (is_present and form == third_person(lemma)):
        other = rng.choice(("They", "They", "They", "These", "We"))
    elif form in _PLURAL_VERBS or (is_present and form == lemma):
        other = rng.choice(("It", "It", "He", "She", "This"))
    else:
        return None
    first = other if numbers[0] == 0 else other.lower()
    return render(words, [*range(numbers[0]), first, *range(numbers[-1] + 1, words.end)])


def misformed(words: Words, rng: random.Random) -> str | None:
    """A verb in a form that its place does not take: *He going to Rome*, *It was build*, *She can goes*."""
    changes: list[tuple[int, str]] = []
    for n in range(words.end):
        word = words[n]
        if word.pos not in ("VERB", "AUX") or not word.lower.isalpha():
            continue
        lemma, form = base(word.lower, word.lemma.lower()), word.feature("VerbForm")
        helpers = [words[c] for c in words.children[n] if words[c].rel.split(":")[0] == "aux" and c < n]
        if helpers and words[n - 1].lower in _MODALS and form == "Inf" and word.lower == lemma and lemma != "be":
            changes += (
                [(n, third_person(lemma)), (n, past(lemma))] if past(lemma) != lemma else [(n, third_person(lemma))]
            )
        elif helpers and form == "Part" and word.lower != lemma and helpers[-1].lemma in ("be", "have"):
            changes.append((n, lemma if word.lower != "come" else "comes"))
            if lemma in PASTS and PASTS[lemma] != word.lower and not word.lower.endswith("ing"):
                changes.append((n, past(lemma)))
        elif form == "Fin" and subject_of(words, n) >= 0 and not helpers and word.pos == "VERB":
            changes.append((n, _ing(lemma)))
        elif form == "Fin" and word.rel == "cop" and word.lower in ("is", "was", "are", "were"):
            changes.append((n, rng.choice(("being", "be", "been"))))
        elif form == "Fin" and word.rel.startswith("aux") and word.lower in ("is", "was", "are", "were"):
            changes.append((n, rng.choice(("being", "be", "been", "have"))))
    return _one_replaced(words, changes, rng)


def no_subject(words: Words, rng: random.Random) -> str | None:
    """*In appearance are like humans .*, *Was born in Rome .*"""
    spans = []
    for clause in clauses(words, range(words.end)):
        subject = subject_of(words, clause)
        numbers = words.subtree(subject)
        if subject < clause and is_contiguous(numbers) and numbers[-1] < clause:
            spans.append((numbers[0], numbers[-1] + 1))
    if not spans:
        return None
    start, stop = rng.choice(spans)
    left = [n for n in range(words.end) if not start <= n < stop]
    # *He left and she came* without *she* is a sentence.
    if start and words[start - 1].lower in ("and", "or", "but", ","):
        near = words[start - 1].lower != "," or clauses(words, range(start))
        if near:
            return None
    return render(words, left) if len(left) > 1 else None


def no_verb(words: Words, rng: random.Random) -> str | None:
    """*The compounds in water .*, *He born in Rome .*"""
    verbs = []
    for clause in clauses(words, range(words.end)):
        verb = _verb_of(words, clause)
        # *He had gone* without *had* is *he gone*; *he has played* without *has* is a sentence.
        after = words[verb + 1] if verb >= 0 and verb + 1 < words.end else None
        if verb < 0 or after is None:
            continue
        if words[verb].pos == "AUX" and verb != clause and words[clause].pos == "VERB":
            plain = words[clause].lower
            passive = words[verb].lemma == "be" and not any(
                words[c].rel.startswith("obj") for c in words.children[clause]
            )
            if not plain.endswith("ing") and not (passive and words[clause].feature("VerbForm") == "Part"):
                continue
        verbs.append([verb])
    return without_one(words, verbs, rng)


def no_auxiliary(words: Words, rng: random.Random) -> str | None:
    """A passive without its auxiliary: *It founded in 1895 .*, *The house sold by Tom .*"""
    auxiliaries = []
    for clause in clauses(words, range(words.end)):
        word, verb = words[clause], _verb_of(words, clause)
        if word.pos != "VERB" or word.feature("VerbForm") != "Part" or word.lower.endswith("ing"):
            continue
        near = words.children[clause]
        by = any(words[n].lower == "by" for c in near for n in words.children[c] if c > clause)
        if any(words[c].rel == "obj" for c in near) or not (by or word.lemma.lower() in _TRANSITIVE):
            continue
        if verb >= 0 and words[verb].lemma == "be" and verb != clause:
            auxiliaries.append(verb)
    return without_one(words, [[verb] for verb in auxiliaries], rng)


def doubled(words: Words, rng: random.Random) -> str | None:
    """*However however the sturgeon is larger .*, *She she left .*, *It was was found .*, *The book it was sold .*"""
    way = rng.random()
    if way < 0.2:
        for clause in clauses(words, range(words.end)):
            subject = subject_of(words, clause)
            numbers = words.subtree(subject)
            if subject < clause and numbers[-1] < clause and words[subject].pos in ("NOUN", "PROPN", "PRON"):
                pronoun = rng.choice(("it", "he", "they", "she", "this"))
                return render(words, [*range(numbers[-1] + 1), pronoun, *range(numbers[-1] + 1, words.end)])
    length = rng.choice((1, 1, 1, 2, 3))
    places = [
        n
        for n in range(words.end - length)
        if all(words[n + i].text.isalpha() and words[n + i].pos not in ("NUM", "PROPN") for i in range(length))
        and words[n].lower not in ("had", "that", "very", "so", "more", "again", "many", "bora", "ha")
        and words[n].lower != words[n + length].lower
    ]
    if not places:
        return None
    n = rng.choice(places[:3]) if rng.random() < 0.5 else rng.choice(places)
    again = [words[n + i].text if n + i else lowered(words) for i in range(length)]
    return render(words, [*range(n + length), *again, *range(n + length, words.end)])


def copula(words: Words, rng: random.Random) -> str | None:
    """A form of *be* before a finite verb: *It was starts at noon .*, *He is has a son .*"""
    verbs = []
    for clause in clauses(words, range(words.end)):
        verb = _verb_of(words, clause)
        if verb <= 0 or words[verb - 1].is_mark or words[verb - 1].pos == "ADV":
            continue
        form, lemma = words[verb].lower, base(words[verb].lower, words[verb].lemma.lower())
        has_object = any(words[c].rel.split(":")[0] in ("obj", "ccomp", "xcomp") for c in words.children[clause])
        if words[verb].pos == "AUX" or form == third_person(lemma) or has_object:
            verbs.append(verb)
    if not verbs:
        return None
    verb = rng.choice(verbs)
    extra = rng.choice([word for word in ("is", "was", "was", "were", "are") if word != words[verb].lower])
    return render(words, [*range(verb), extra, *range(verb, words.end)])


def no_article(words: Words, rng: random.Random) -> str | None:
    """*He was member of club .*: *a* and *an* left out."""
    articles = [[n] for n in range(words.end) if words[n].lower in ("a", "an") and _is_needed(words, n)]
    return without_one(words, articles, rng)


def _is_needed(words: Words, article: int) -> bool:
    """Whether the noun of an article is the main word or hangs on it: others may do without."""
    noun = words[article].head
    if article == 0 or noun < 0:
        return article == 0
    hangs = words.root in (noun, words[noun].head)
    return hangs and words[noun].pos == "NOUN" and words[article - 1].lower not in ("as", "of")


def _one_replaced(words: Words, changes: Sequence[tuple[int, str]], rng: random.Random) -> str | None:
    """The sentence with one of some words in another form; `None` where there is none of them."""
    if not changes:
        return None
    n, other = rng.choice(changes)
    return render(words, [*range(n), other, *range(n + 1, words.end)])


def _ing(lemma: str) -> str:
    if lemma == "be":
        return "being"
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")):
        return lemma[:-1] + "ing"
    doubles = re.fullmatch(r"(?:[^aeiou]|qu)*[aeiou][bdgklmnprt]", lemma) or past(lemma) == f"{lemma}{lemma[-1]}ed"
    return lemma + (lemma[-1] if doubles and not lemma.endswith(("w", "x", "y")) else "") + "ing"
