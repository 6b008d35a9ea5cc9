"""Plainer constructions in the same place: *имеющий* → *который имеет*, *X является Y* → *X — это Y*, centuries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rerank.analysis import Token
from rewrite.generators.edits.clause_grammar import GENDERS, LISTS, SUBJECTS, gender_of, governor, past, subjectless
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector, match_case
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.edits.voice import active_voice
from rewrite.generators.valency import RussianValency

_STATES = LISTS.words("states")
_WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}
_DASHES = ("—", "–", "-")
# «То есть» too.
_JOINTS = frozenset({"и", "а", "но", "или", "есть", ","})
_NEAR = 8
_ONE_OF = frozenset({"одним", "одной"})
# Numerals, joined ones and such as Cyrillic letters make up.
_ROMAN_PART = re.compile(r"[IVXХІ]+([—–-]\w+)*$")
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
        if tree.rels[i] in ("amod", "acl") and tree.tokens[i].feats.get("VerbForm") == "Part":
            yield from _moved_clause(tree, i, inflector)
        if valency.lemma(tree.tokens[i]) == "являться":
            yield from _copula(tree, i, inflector)
        if tree.tokens[i].text in _DASHES:
            yield from _this_is(tree, i)
        if tree.word(i) == "наиболее":
            yield from _superlative(tree, i, inflector)
        if i == 0 and tree.word(i) in ("существует", "существуют"):
            yield _replaced(tree, i, match_case("есть", tree.tokens[i].text))


def _replaced(tree: RepairedTree, i: int, text: str, kind: str = "word") -> Edit:
    return Edit(kind, f"{tree.tokens[i].text} → {text}", changes=((i, text),), touched=frozenset({i}))


def _relative_clause(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """A participial clause after its noun as a relative clause: *выпускающий …* → *который выпускает …*."""
    head, words = tree.heads[i], tree.words(i)
    noun = tree.tokens[head]
    if words[0] != i or i <= head or len(words) < 2 or tree.tokens[i - 1].text != ",":
        return
    if noun.pos not in ("NOUN", "PROPN") or tree.rels[head] == "conj":
        return
    if any(_alike(tree.tokens[j], noun) for j in range(head + 1, i)):
        # «Народ, говорящий на языке, исповедующий ислам»: «который» would go with the nearer noun.
        return
    if not inflector.agrees(tree.tokens[i], noun) or _another_which(tree, head, words[-1]):
        return
    if any(_joined_on(tree, i, j, inflector) for j in range(i + 1, len(tree))):
        return
    which, was, verb = _which(tree, i, inflector)
    # «Музей хранит проект, который создан …» is no plainer.
    if verb and (was or not inflector.has(tree.tokens[i], "pssv")):
        yield _replaced(tree, i, f"{which} {was}{verb}", "clause")


def _which(tree: RepairedTree, i: int, inflector: Inflector) -> tuple[str, str, str]:
    """*Который*, *был* where wanted, and the verb, for a participle; no verb where it makes no relative clause."""
    head, token = tree.heads[i], tree.tokens[i]
    gender = gender_of(tree, head)
    verb = inflector.finite(token, gender)
    misfits = not like_noun(token, tree.tokens[head]) or _untimely(tree, i, inflector)
    listed = any(tree.rels[c] in ("conj", "cc") for c in tree.children[i])
    # «Меры, направленные на …» describes: nobody says «которые были направлены».
    if verb is None or gender is None or misfits or listed or inflector.lemma(token) in _STATES:
        return "", "", ""
    return _WHICH[gender], _was(tree, i, gender, inflector), verb


def _alike(token: Token, noun: Token) -> bool:
    if token.pos not in ("NOUN", "PROPN") or token.feats.get("Number") != noun.feats.get("Number"):
        return False
    return noun.feats.get("Number") == "Plur" or token.feats.get("Gender") == noun.feats.get("Gender")


def _untimely(tree: RepairedTree, i: int, inflector: Inflector) -> bool:
    """A present participle in an account of the past: *изучали системы частиц, взаимодействующих …*."""
    return inflector.has(tree.tokens[i], "pres") and past(tree, governor(tree, tree.heads[i]))


def _another_which(tree: RepairedTree, head: int, last: int) -> bool:
    """Whether another *который* is near the noun or the clause."""
    near = range(max(0, head - _NEAR), min(len(tree), last + _NEAR + 1))
    return any(tree.word(j).startswith("котор") for j in near)


def _joined_on(tree: RepairedTree, i: int, j: int, inflector: Inflector) -> bool:
    """Whether j goes on with participle i, whatever the parser says: *живущих вдоль границы и не желающих воевать*."""
    mine, other = tree.tokens[i].feats, tree.tokens[j].feats
    if tree.tokens[j].pos != "ADJ" and other.get("VerbForm") != "Part":
        return False
    alike = "Case" in other and all(mine.get(k) == other.get(k) for k in ("Case", "Number"))
    noun = tree.tokens[tree.heads[i]]
    if not alike and not (inflector.may_be(tree.tokens[j], "PRTF") and inflector.agrees(tree.tokens[j], noun)):
        return False
    return any(tree.word(k) in _JOINTS for k in (j - 1, j - 2) if k > i) and not _attribute(tree, j)


def _attribute(tree: RepairedTree, j: int) -> bool:
    """Whether a noun that j agrees with stands right after it, or after more adjectives: *новых больших домов*."""
    for token in tree.tokens[j + 1 :]:
        if not like_noun(tree.tokens[j], token):
            return False
        if token.pos in ("NOUN", "PROPN"):
            return True
    return False


def _was(tree: RepairedTree, i: int, gender: str, inflector: Inflector) -> str:
    """*Был построен* beside a verb in the past, else *построен*."""
    verbs = (tree.root, governor(tree, tree.heads[i]))
    in_past = any(past(tree, v) or tree.tokens[v].feats.get("Tense") == "Past" for v in verbs)
    if not in_past or not inflector.has(tree.tokens[i], "pssv"):
        return ""
    return {"masc": "был ", "femn": "была ", "neut": "было ", "plur": "были "}[gender]


def _moved_clause(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """A participle with dependents before its noun: *найденных там монет* → *монет, которые найдены там*."""
    head, words = tree.heads[i], tree.words(i)
    noun = tree.tokens[head]
    if not (len(words) >= 3 and words[0] == i and words[-1] < head and tree.contiguous(i)) or noun.pos != "NOUN":
        return
    marked = any(t.pos == "PUNCT" for t in tree.tokens[i:head])
    if marked or tree.quote_depth(head) or tree.start_in_entity(head) is not None:
        return
    # The clause must follow its noun at once: nothing of the noun phrase may come after it.
    if tree.words(head)[-1] != head or tree.rels[head] == "conj":
        return
    which, was, verb = _which(tree, i, inflector)
    if not verb:
        return
    clause = f"{which} {was}{verb}"
    rest = tree.text[tree.tokens[i].stop - tree.start : tree.tokens[words[-1]].stop - tree.start]
    end = "" if head + 1 >= len(tree) or tree.tokens[head + 1].pos == "PUNCT" else ","
    changes = dict.fromkeys(words, "") | {head: f"{noun.text}, {clause}{rest}{end}"}
    label = f"{tree.tokens[i].text} → {clause}"
    yield Edit("clause", label, changes=tuple(sorted(changes.items())), touched=frozenset(changes))


def like_noun(token: Token, noun: Token) -> bool:
    """Same case and number, and gender in the singular."""
    if any(token.feats.get(k) != noun.feats.get(k) for k in ("Case", "Number")):
        return False
    return token.feats.get("Number") == "Plur" or token.feats.get("Gender") == noun.feats.get("Gender")


def _this_is(tree: RepairedTree, i: int) -> Iterator[Edit]:
    """*Кометы — малые тела* → *Кометы — это малые тела*, where a noun in the nominative is the predicate."""
    if any(t.feats.get("VerbForm") == "Fin" for t in tree.tokens) or i < 1 or i + 1 >= len(tree):
        return
    said = any(token.text.lower() in ("это", "не", "ни") for token in tree.tokens[i + 1 : i + 3])
    if said or sum(t.text in _DASHES for t in tree.tokens) != 1:
        return
    predicate = tree.root
    subject = tree.child(predicate, *SUBJECTS)
    if subject is None or subject > i or predicate < i or tree.child(predicate, "case") is not None:
        return
    if any(tree.tokens[j].pos not in ("NOUN", "PROPN") or _case(tree, j) != "Nom" for j in (subject, predicate)):
        return
    # «В городе река — граница», «Отец, брат — врачи»: only a subject that is all that stands before the dash.
    if tree.words(subject) != [j for j in range(i) if tree.tokens[j].pos != "PUNCT"]:
        return
    if any(tree.tokens[j].pos in ("NOUN", "PROPN") for j in range(i + 1, predicate)):
        return
    people = any(tree.tokens[j].feats.get("Animacy") == "Anim" and _case(tree, j) == "Nom" for j in range(i))
    if people or tree.tokens[i + 1].pos == "ADP" or tree.quote_depth(i):
        return
    yield Edit("copula", "— → — это", changes=((i, "— это"),), touched=frozenset({i}))


def _case(tree: RepairedTree, i: int) -> str | None:
    return tree.tokens[i].feats.get("Case")


def _superlative(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*Наиболее распространённых* → *самых распространённых*."""
    if i + 1 >= len(tree) or tree.tokens[i + 1].pos not in ("ADJ", "VERB") or "Case" not in tree.tokens[i + 1].feats:
        return
    form = inflector.like(tree.tokens[i + 1], "самый") or inflector.superlative(tree.tokens[i + 1])
    if form:
        yield _replaced(tree, i, match_case(form.lower(), tree.tokens[i].text))


def _copula(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*X является Y* → *X — Y*: the predicate goes from the instrumental to the nominative."""
    token = tree.tokens[i]
    if token.feats.get("Tense") != "Pres" or token.feats.get("VerbForm") != "Fin" or i in (0, len(tree) - 1):
        return
    if tree.child(i, "advmod", "aux", "mark") is not None or tree.rels[i] not in ("root", "conj", "parataxis"):
        return
    if any(_goes_on(tree, i, j) for j in range(i + 1, len(tree))):
        return
    subject = tree.child(i, *SUBJECTS)
    predicates = [
        c
        for c in tree.children[i]
        if tree.tokens[c].feats.get("Case") == "Ins"
        and (tree.tokens[c].pos == "NOUN" or tree.word(c) in _ONE_OF)
        and tree.child(c, "case") is None
    ]
    if subject is None or len(predicates) != 1 or tree.tokens[subject].pos not in ("NOUN", "PROPN"):
        return
    predicate = predicates[0]
    left, right = sorted((subject, predicate))
    # Only *X является Y* with nothing else around the verb: the dash must stand between the two.
    if not left < i < right or max(tree.words(left)) != i - 1 or min(tree.words(right)) != i + 1:
        return
    changes = _one_of(tree, predicate) or inflector.recase_phrase(tree, predicate, "Ins", "Nom")
    if changes is None:
        return
    if any(_left_behind(tree, i, j, predicate, inflector) for j in range(i + 1, len(tree)) if j not in changes):
        return
    # «Это» suits things; of people the dash alone is said.
    dash = "—" if tree.tokens[subject].feats.get("Animacy") == "Anim" else "— это"
    changes[i] = dash
    touched = frozenset(changes) | {subject}
    yield Edit("copula", f"{token.text} → {dash}", changes=tuple(sorted(changes.items())), touched=touched)


def _left_behind(tree: RepairedTree, i: int, j: int, predicate: int, inflector: Inflector) -> bool:
    """A participle that may keep the instrumental of the predicate: *является отраслью города, приносящей доход*."""
    token = tree.tokens[j]
    return (
        tree.word(j - 1) == ","
        and governor(tree, j) == i
        and inflector.may_be(token, "PRTF")
        and inflector.agrees(token, tree.tokens[predicate])
    )


def _goes_on(tree: RepairedTree, i: int, j: int) -> bool:
    """Whether verb j goes on with the subject of verb i: *Туризм является отраслью и растёт*."""
    while subjectless(tree, j) and tree.rels[j] == "conj":
        j = tree.heads[j]
        if j == i:
            return True
    return False


def _one_of(tree: RepairedTree, i: int) -> dict[int, str]:
    """*Одним из показателей* → *один из показателей*; empty for anything else."""
    if tree.word(i) not in _ONE_OF or i + 1 >= len(tree) or tree.word(i + 1) != "из":
        return {}
    member = next((c for c in tree.children[i] if tree.tokens[c].feats.get("Case") == "Gen"), None)
    if member is None:
        return {}
    gender = GENDERS.get(tree.tokens[member].feats.get("Gender", ""), "femn" if tree.word(i) == "одной" else "masc")
    return {i: match_case({"masc": "один", "femn": "одна", "neut": "одно"}[gender], tree.tokens[i].text)}


def roman_centuries(tree: RepairedTree, valency: RussianValency) -> Iterator[Edit]:
    """Roman numerals of all the centuries of the sentence as digits: *в XVIII и XIX веках, а в XX веке* → *18, 19, 20*.

    All or none: *в 12 веке …, а в XIII в.* would write one sentence in two ways.
    """
    numerals: set[int] = set()
    for i, token in enumerate(tree.tokens[:-1]):
        if _is_roman(token.text) and valency.lemma(tree.tokens[i + 1]) == "век":
            numerals |= {i, *(j for j in range(max(0, i - _REACH), i) if _shares_noun(tree, j))}
    if not numerals or any(_other_century(tree, j) for j in range(len(tree)) if j not in numerals):
        return
    changes = tuple((j, str(_value(tree.tokens[j].text))) for j in sorted(numerals))
    label = ", ".join(f"{tree.tokens[j].text} → {number}" for j, number in changes)
    yield Edit("word", label, changes=changes, touched=frozenset(numerals))


def _other_century(tree: RepairedTree, j: int) -> bool:
    """A century that stays Roman: *XIII в.*, *XII—XIII веках*, *XIII столетие*."""
    if not _ROMAN_PART.match(tree.tokens[j].text):
        return False
    following = next((k for k in range(j + 1, len(tree)) if not _passed_over(tree, k)), j)
    # The dot tells *в.* from a preposition: *при Петре I и в XVIII веке*.
    short = tree.word(following) in ("в", "вв") and tree.tokens[min(following + 1, len(tree) - 1)].text == "."
    return short or tree.word(following).startswith(("век", "столети"))


def _passed_over(tree: RepairedTree, k: int) -> bool:
    return tree.word(k) in _NUMERAL_JOINTS or _ROMAN_PART.match(tree.tokens[k].text) is not None


def _shares_noun(tree: RepairedTree, j: int) -> bool:
    """A numeral before *и* or a dash and not after a name: *Пётр I и XVIII век*."""
    named = j > 1 and tree.tokens[j - 1].text[:1].isupper()
    return _is_roman(tree.tokens[j].text) and tree.word(j + 1) in _NUMERAL_JOINTS and not named


def _is_roman(text: str) -> bool:
    return bool(text) and set(text) <= set(_ROMAN)


def _value(roman: str) -> int:
    values = [_ROMAN[c] for c in roman]
    return sum(-v if v < max(values[k + 1 :], default=0) else v for k, v in enumerate(values))
