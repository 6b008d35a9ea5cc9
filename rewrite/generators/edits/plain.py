"""Plainer constructions in the same place: *имеющий* → *который имеет*, *X является Y* → *X — это Y*,
*мост был построен* → *мост построили*, centuries.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wordlists import denials
from rewrite.generators.edits.clause_grammar import (
    LISTS,
    SUBJECTS,
    agrees,
    finite,
    gender_of,
    governor,
    short,
    subjectless,
)
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency

_STATES = LISTS.words("states")
# Their object is in the genitive: *достигли ряда соглашений*.
_GENITIVE = frozenset({"достичь", "достигнуть", "избежать"})
_NEGATIONS = denials("ru", "particle")
_AUXILIARIES = ("aux:pass", "cop", "aux")
_WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}
_NEAR = 8
_ROMAN = {"I": 1, "V": 5, "X": 10}
_NUMERAL_JOINTS = frozenset({"и", "или", "—", "–", "-", ","})
_REACH = 4


def constructions(tree: RepairedTree, inflector: Inflector, valency: RussianValency) -> Iterator[Edit]:
    """Every plainer construction that this sentence offers."""
    yield from active_voice(tree, inflector)
    yield from roman_centuries(tree, valency)
    for i in range(len(tree)):
        if tree.rels[i] == "acl" and tree.tokens[i].feats.get("VerbForm") == "Part":
            yield from _relative_clause(tree, i, inflector)
        if valency.lemma(tree.tokens[i]) == "являться":
            yield from _copula(tree, i, inflector)


def _relative_clause(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """A participial clause after its noun as a relative clause: *выпускающий …* → *который выпускает …*.

    *Музей хранит проект, который создан …* is no plainer: participles of the passive stay.
    """
    head, words = tree.heads[i], tree.words(i)
    token, noun = tree.tokens[i], tree.tokens[head]
    if words[0] != i or i <= head or len(words) < 2 or tree.tokens[i - 1].text != ",":
        return
    if noun.pos not in ("NOUN", "PROPN") or tree.rels[head] == "conj" or not inflector.agrees(token, noun):
        return
    gender = gender_of(tree, head)
    if any(tree.tokens[j].pos in ("NOUN", "PROPN") and gender_of(tree, j) == gender for j in range(head + 1, i)):
        # «Народ, говорящий на языке, исповедующий ислам»: «который» would go with the nearer noun.
        return
    verb = None if inflector.has(token, "pssv") else inflector.finite(token, gender)
    listed = any(tree.rels[c] in ("conj", "cc") for c in tree.children[i])
    if verb is None or gender is None or listed or _another_which(tree, head, words[-1]):
        return
    text = f"{_WHICH[gender]} {verb}"
    yield Edit("clause", f"{token.text} → {text}", changes=((i, text),), touched=frozenset({i}))


def _another_which(tree: RepairedTree, head: int, last: int) -> bool:
    """Whether another *который* is near the noun or the clause."""
    near = range(max(0, head - _NEAR), min(len(tree), last + _NEAR + 1))
    return any(tree.word(j).startswith("котор") for j in near)


def _copula(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*X является Y* → *X — Y*: the predicate goes from the instrumental to the nominative."""
    token = tree.tokens[i]
    if token.feats.get("Tense") != "Pres" or token.feats.get("VerbForm") != "Fin" or i in (0, len(tree) - 1):
        return
    if tree.child(i, "advmod", "aux", "mark") is not None or tree.rels[i] not in ("root", "conj", "parataxis"):
        return
    subject = tree.child(i, *SUBJECTS)
    predicates = [
        c
        for c in tree.children[i]
        if tree.tokens[c].feats.get("Case") == "Ins" and tree.tokens[c].pos == "NOUN" and tree.child(c, "case") is None
    ]
    if subject is None or len(predicates) != 1 or tree.tokens[subject].pos not in ("NOUN", "PROPN"):
        return
    predicate = predicates[0]
    left, right = sorted((subject, predicate))
    # Only *X является Y* with nothing else around the verb: the dash must stand between the two.
    if not left < i < right or max(tree.words(left)) != i - 1 or min(tree.words(right)) != i + 1:
        return
    changes = inflector.recase_phrase(tree, predicate, "Ins", "Nom")
    if changes is None:
        return
    # «Это» suits things; of people the dash alone is said.
    dash = "—" if tree.tokens[subject].feats.get("Animacy") == "Anim" else "— это"
    changes[i] = dash
    touched = frozenset(changes) | {subject}
    yield Edit("copula", f"{token.text} → {dash}", changes=tuple(sorted(changes.items())), touched=touched)


def roman_centuries(tree: RepairedTree, valency: RussianValency) -> Iterator[Edit]:
    """Roman numerals of all the centuries of the sentence as digits: *в XVIII и XIX веках* → *18 и 19*."""
    numerals: set[int] = set()
    for i, token in enumerate(tree.tokens[:-1]):
        if _is_roman(token.text) and valency.lemma(tree.tokens[i + 1]) == "век":
            numerals |= {i, *(j for j in range(max(0, i - _REACH), i) if _shares_noun(tree, j))}
    if not numerals:
        return
    changes = tuple((j, str(_value(tree.tokens[j].text))) for j in sorted(numerals))
    label = ", ".join(f"{tree.tokens[j].text} → {number}" for j, number in changes)
    yield Edit("word", label, changes=changes, touched=frozenset(numerals))


def _shares_noun(tree: RepairedTree, j: int) -> bool:
    """A numeral before *и* or a dash and not after a name: *Пётр I и XVIII век*."""
    named = j > 1 and tree.tokens[j - 1].text[:1].isupper()
    return _is_roman(tree.tokens[j].text) and tree.word(j + 1) in _NUMERAL_JOINTS and not named


def _is_roman(text: str) -> bool:
    return bool(text) and set(text) <= set(_ROMAN)


def _value(roman: str) -> int:
    values = [_ROMAN[c] for c in roman]
    return sum(-v if v < max(values[k + 1 :], default=0) else v for k, v in enumerate(values))


def active_voice(tree: RepairedTree, inflector: Inflector) -> Iterator[Edit]:
    """Passive predicates of the past whose doer is not named, with the subject put into the accusative."""
    for i, token in enumerate(tree.tokens):
        auxiliary = tree.child(i, *_AUXILIARIES)
        if auxiliary is None or not short(tree, i) or tree.tokens[auxiliary].feats.get("Tense") != "Past":
            continue
        subjects = [c for c in tree.children[i] if tree.rels[c] in SUBJECTS]
        # «Теория была разработана Ньютоном»: a name that the tagger takes for a nominative is the doer.
        if len(subjects) != 1 or _agent(tree, i, inflector) or not _plain_subject(tree, subjects[0]):
            continue
        joined = (c for c in tree.children[i] if tree.rels[c] in ("conj", "cc"))
        if _negated(tree, i) or any(tree.tokens[c].feats.get("VerbForm") == "Part" for c in joined):
            continue
        # «Лагерь создали в 1941 году и находился в лесу»: the subject is needed later on.
        if not agrees(tree, i, subjects[0]) or any(_needs_subject(tree, i, j) for j in range(i + 1, len(tree))):
            continue
        verb = inflector.active_plural(token)
        changes = inflector.recase_phrase(tree, subjects[0], "Nom", "Acc")
        if verb is not None and changes is not None and inflector.lemma(token) not in _STATES | _GENITIVE:
            changes |= {i: verb, auxiliary: ""}
            label = f"{tree.tokens[auxiliary].text} {token.text} → {verb}"
            yield Edit("voice", label, changes=tuple(sorted(changes.items())), touched=frozenset(changes))


def _agent(tree: RepairedTree, i: int, inflector: Inflector) -> bool:
    """Somebody or something in the instrumental, with no preposition, anywhere in the clause may be the doer."""
    return any(
        _instrumental(tree, j, inflector)
        for j, _ in enumerate(tree.tokens)
        if j != i and (_beside(tree, i, j) or (j in tree.subtree(i) and governor(tree, j) == i))
    )


def _beside(tree: RepairedTree, i: int, j: int) -> bool:
    """Whether neither punctuation nor another predicate stands between the two, wherever the parser hung them."""
    return not any(
        tree.tokens[k].pos == "PUNCT" or finite(tree, k) or short(tree, k)
        for k in range(min(i, j) + 1, max(i, j))
        if tree.heads[k] != i or tree.tokens[k].pos != "AUX"
    )


def _needs_subject(tree: RepairedTree, i: int, j: int) -> bool:
    """Whether predicate j after i may share its subject or its auxiliary.

    *Был создан в 1941 году и находился …*; *был снят фильм и выпущена игра*. A verb joined to one with a subject of
    its own has that: *столица была поделена, а президент встал и велел …*.
    """
    if short(tree, j) and tree.child(j, *_AUXILIARIES) is None and tree.rels[j] == "conj":
        return True
    if not subjectless(tree, j):
        return False
    # The parser hangs every later verb on the first one: the last before j is the one that j goes on from.
    row = [k for k in range(i + 1, j) if tree.rels[k] == "conj" and tree.heads[k] == tree.heads[j] and finite(tree, k)]
    return tree.rels[j] != "conj" or all(subjectless(tree, k) for k in row[-1:])


def _instrumental(tree: RepairedTree, j: int, inflector: Inflector) -> bool:
    token = tree.tokens[j]
    named = token.pos in ("NOUN", "PROPN") and inflector.instrumental(token)
    if token.pos in ("ADJ", "DET", "VERB", "NUM") or not (token.feats.get("Case") == "Ins" or named):
        return False
    head = tree.heads[j] if tree.rels[j] == "conj" else j
    return tree.child(j, "case") is None and tree.child(head, "case") is None


def _negated(tree: RepairedTree, i: int) -> bool:
    """*Дом не был построен*, *был не достроен*, *используется не только …*."""
    verbs = [i, *(c for c in tree.children[i] if tree.rels[c] in _AUXILIARIES)]
    around = {j for v in verbs for j in (v - 1, v + 1, *tree.children[v]) if 0 <= j < len(tree)}
    return any(tree.word(j) in _NEGATIONS for j in around)


def _plain_subject(tree: RepairedTree, subject: int) -> bool:
    token = tree.tokens[subject]
    named = tree.start_in_entity(subject) is not None or tree.quote_depth(subject)
    return (
        (token.pos, token.feats.get("Case"), token.feats.get("Animacy")) == ("NOUN", "Nom", "Inan")
        and not named
        and tree.child(subject, "appos", "nummod", "nummod:gov", "acl:relcl", "parataxis") is None
        and not any(tree.tokens[j].text in '«"(' for j in tree.subtree(subject))
    )
