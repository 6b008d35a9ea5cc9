"""Plainer constructions in the same place: *имеющий* → *который имеет*, *X является Y* → *X — это Y*."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Token
from rewrite.generators.edits.centuries import roman_centuries
from rewrite.generators.edits.clauses import GENDERS, SUBJECTS, governor, past, subjectless
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector, match_case
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency
from rewrite.generators.edits.voice import active_voice
from rewrite.generators.edits.wordlists import STATES

__all__ = ["constructions"]

_WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}
_DASHES = ("—", "–", "-")
# «То есть» too.
_JOINTS = frozenset({"и", "а", "но", "или", "есть", ","})
_NEAR = 8
_ONE_OF = frozenset({"одним", "одной"})


def constructions(tree: Tree, inflector: Inflector, valency: Valency) -> Iterator[Edit]:
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
        if tree.lower(i) == "наиболее":
            yield from _superlative(tree, i, inflector)
        if i == 0 and tree.lower(i) in ("существует", "существуют"):
            text = match_case("есть", tree.tokens[i].text)
            yield Edit("word", f"{tree.tokens[i].text} → {text}", changes=((i, text),), touched=frozenset({i}))


def _relative_clause(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """A participial clause after its noun as a relative clause: *выпускающий …* → *который выпускает …*."""
    head = tree.heads[i]
    words = tree.words(i)
    token, noun = tree.tokens[i], tree.tokens[head]
    if (
        words[0] != i
        or i <= head
        or len(words) < 2
        or tree.tokens[i - 1].text != ","
        or noun.pos not in ("NOUN", "PROPN")
    ):
        return
    if any(tree.rels[c] in ("conj", "cc") for c in tree.children[i]) or tree.rels[head] == "conj":
        return
    if any(_alike(tree.tokens[j], noun) for j in range(head + 1, i)):
        # «Народ, говорящий на языке, исповедующий ислам»: «который» would go with the nearer noun.
        return
    if not like_noun(token, noun) or not inflector.agrees(token, noun):
        return
    if _untimely(tree, i, inflector) or _another_which(tree, head, words[-1]):
        return
    if any(_joined_on(tree, i, j, inflector) for j in range(i + 1, len(tree))):
        return
    gender = "plur" if noun.feats.get("Number") == "Plur" else GENDERS.get(noun.feats.get("Gender", ""))
    verb = inflector.finite(token, gender)
    if verb is None or gender is None or inflector.lemma(token) in STATES:
        # «Меры, направленные на …» describes: nobody says «которые были направлены».
        return
    was = _was(tree, i, gender, inflector)
    if not was and inflector.has(token, "pssv"):
        # «Музей хранит проект, который создан …» is no plainer.
        return
    text = f"{_WHICH[gender]} {was}{verb}"
    yield Edit("clause", f"{token.text} → {text}", changes=((i, text),), touched=frozenset({i}))


def _alike(token: Token, noun: Token) -> bool:
    if token.pos not in ("NOUN", "PROPN") or token.feats.get("Number") != noun.feats.get("Number"):
        return False
    return noun.feats.get("Number") == "Plur" or token.feats.get("Gender") == noun.feats.get("Gender")


def _untimely(tree: Tree, i: int, inflector: Inflector) -> bool:
    """A present participle in an account of the past: *изучали системы частиц, взаимодействующих …*."""
    return inflector.has(tree.tokens[i], "pres") and past(tree, governor(tree, tree.heads[i]))


def _another_which(tree: Tree, head: int, last: int) -> bool:
    """Whether another *который* is near the noun or the clause."""
    near = range(max(0, head - _NEAR), min(len(tree), last + _NEAR + 1))
    return any(tree.lower(j).startswith("котор") for j in near)


def _joined_on(tree: Tree, i: int, j: int, inflector: Inflector) -> bool:
    """Whether j goes on with participle i, whatever the parser says: *живущих вдоль границы и не желающих воевать*."""
    mine, other = tree.tokens[i].feats, tree.tokens[j].feats
    if tree.tokens[j].pos != "ADJ" and other.get("VerbForm") != "Part":
        return False
    alike = "Case" in other and all(mine.get(k) == other.get(k) for k in ("Case", "Number"))
    noun = tree.tokens[tree.heads[i]]
    if not alike and not (inflector.may_be(tree.tokens[j], "PRTF") and inflector.agrees(tree.tokens[j], noun)):
        return False
    return any(tree.lower(k) in _JOINTS for k in (j - 1, j - 2) if k > i) and not _attribute(tree, j)


def _attribute(tree: Tree, j: int) -> bool:
    """Whether a noun that j agrees with stands right after it, or after more adjectives: *новых больших домов*."""
    for token in tree.tokens[j + 1 :]:
        if not like_noun(tree.tokens[j], token):
            return False
        if token.pos in ("NOUN", "PROPN"):
            return True
    return False


def _was(tree: Tree, i: int, gender: str, inflector: Inflector) -> str:
    """*Был построен* beside a verb in the past, else *построен*."""
    verbs = (tree.root, governor(tree, tree.heads[i]))
    told = any(past(tree, v) or tree.tokens[v].feats.get("Tense") == "Past" for v in verbs)
    if not told or not inflector.has(tree.tokens[i], "pssv"):
        return ""
    return {"masc": "был ", "femn": "была ", "neut": "было ", "plur": "были "}[gender]


def _moved_clause(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """A participle with dependents before its noun: *найденных там монет* → *монет, которые найдены там*."""
    head = tree.heads[i]
    words = tree.words(i)
    token, noun = tree.tokens[i], tree.tokens[head]
    if not (len(words) >= 3 and words[0] == i and words[-1] < head and tree.contiguous(i)) or noun.pos != "NOUN":
        return
    if (
        any(t.pos == "PUNCT" for t in tree.tokens[i:head])
        or tree.quote_depth(head)
        or tree.start_in_entity(head) is not None
    ):
        return
    if (
        not like_noun(token, noun)
        or _untimely(tree, i, inflector)
        or any(tree.rels[c] in ("conj", "cc") for c in tree.children[i])
    ):
        return
    # The clause must follow its noun at once: nothing of the noun phrase may come after it.
    if tree.words(head)[-1] != head or tree.rels[head] == "conj":
        return
    gender = "plur" if noun.feats.get("Number") == "Plur" else GENDERS.get(noun.feats.get("Gender", ""))
    verb = inflector.finite(token, gender)
    if verb is None or gender is None or inflector.lemma(token) in STATES:
        return
    verb = f"{_was(tree, i, gender, inflector)}{verb}"
    rest = tree.text[tree.tokens[i].stop - tree.start : tree.tokens[words[-1]].stop - tree.start]
    end = "" if head + 1 >= len(tree) or tree.tokens[head + 1].pos == "PUNCT" else ","
    changes = dict.fromkeys(words, "")
    changes[head] = f"{noun.text}, {_WHICH[gender]} {verb}{rest}{end}"
    yield Edit(
        "clause",
        f"{token.text} → {_WHICH[gender]} {verb}",
        changes=tuple(sorted(changes.items())),
        touched=frozenset(changes),
    )


def like_noun(token: Token, noun: Token) -> bool:
    """Same case and number, and gender in the singular."""
    if any(token.feats.get(k) != noun.feats.get(k) for k in ("Case", "Number")):
        return False
    return token.feats.get("Number") == "Plur" or token.feats.get("Gender") == noun.feats.get("Gender")


def _this_is(tree: Tree, i: int) -> Iterator[Edit]:
    """*Кометы — малые тела* → *Кометы — это малые тела*, where a noun in the nominative is the predicate."""
    if any(t.feats.get("VerbForm") == "Fin" for t in tree.tokens) or i < 1 or i + 1 >= len(tree):
        return
    if sum(t.text in _DASHES for t in tree.tokens) != 1 or any(
        tree.lower(j) in ("это", "не", "ни") for j in range(i + 1, min(i + 3, len(tree)))
    ):
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


def _case(tree: Tree, i: int) -> str | None:
    return tree.tokens[i].feats.get("Case")


def _superlative(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*Наиболее распространённых* → *самых распространённых*."""
    if i + 1 >= len(tree) or tree.tokens[i + 1].pos not in ("ADJ", "VERB") or "Case" not in tree.tokens[i + 1].feats:
        return
    form = inflector.like(tree.tokens[i + 1], "самый") or inflector.superlative(tree.tokens[i + 1])
    if form:
        text = match_case(form.lower(), tree.tokens[i].text)
        yield Edit("word", f"{tree.tokens[i].text} → {text}", changes=((i, text),), touched=frozenset({i}))


def _copula(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*X является Y* → *X — Y*: the predicate goes from the instrumental to the nominative."""
    token = tree.tokens[i]
    if token.feats.get("Tense") != "Pres" or token.feats.get("VerbForm") != "Fin" or i in (0, len(tree) - 1):
        return
    if any(tree.rels[c] in ("advmod", "aux", "mark") for c in tree.children[i]) or tree.rels[i] not in (
        "root",
        "conj",
        "parataxis",
    ):
        return
    if any(_goes_on(tree, i, j) for j in range(i + 1, len(tree))):
        return
    subject = tree.child(i, *SUBJECTS)
    predicates = [
        c
        for c in tree.children[i]
        if tree.tokens[c].feats.get("Case") == "Ins"
        and (tree.tokens[c].pos == "NOUN" or tree.lower(c) in _ONE_OF)
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
    yield Edit(
        "copula",
        f"{token.text} → {dash}",
        changes=tuple(sorted(changes.items())),
        touched=frozenset(changes) | {subject},
    )


def _left_behind(tree: Tree, i: int, j: int, predicate: int, inflector: Inflector) -> bool:
    """A participle that may keep the instrumental of the predicate: *является отраслью города, приносящей доход*."""
    token = tree.tokens[j]
    return (
        tree.lower(j - 1) == ","
        and governor(tree, j) == i
        and inflector.may_be(token, "PRTF")
        and inflector.agrees(token, tree.tokens[predicate])
    )


def _goes_on(tree: Tree, i: int, j: int) -> bool:
    """Whether verb j goes on with the subject of verb i: *Туризм является отраслью и растёт*."""
    while subjectless(tree, j) and tree.rels[j] == "conj":
        j = tree.heads[j]
        if j == i:
            return True
    return False


def _one_of(tree: Tree, i: int) -> dict[int, str]:
    """*Одним из показателей* → *один из показателей*; empty for anything else."""
    if tree.lower(i) not in _ONE_OF or i + 1 >= len(tree) or tree.lower(i + 1) != "из":
        return {}
    member = next((c for c in tree.children[i] if tree.tokens[c].feats.get("Case") == "Gen"), None)
    if member is None:
        return {}
    gender = GENDERS.get(tree.tokens[member].feats.get("Gender", ""), "femn" if tree.lower(i) == "одной" else "masc")
    return {i: match_case({"masc": "один", "femn": "одна", "neut": "одно"}[gender], tree.tokens[i].text)}
