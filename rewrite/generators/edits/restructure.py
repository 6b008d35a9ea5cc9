"""Clauses made sentences of their own, and *является* made a dash."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.generators.edits.edit import Clause, Edit
from rewrite.generators.edits.inflect import Inflector, match_case
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["pronoun", "restructurings", "rival"]

_RELATIVE = {"который": "masc", "которая": "femn", "которое": "neut", "которые": "plur"}
_PRONOUNS = {"masc": "Он", "femn": "Она", "neut": "Оно", "plur": "Они"}
_THESE = {"masc": "Этот", "femn": "Эта", "neut": "Это", "plur": "Эти"}
_GENDERS = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}
_SUBJECTS = ("nsubj", "nsubj:pass")
_SHORTEST = 3
_IMPERSONAL = frozenset(
    "стоит следует приходится придется придётся удалось удается удаётся хватает пришлось кажется нужно".split()
)
_ONE_OF = frozenset({"одним", "одной"})
_OPENERS = frozenset(
    "что чтобы где куда откуда когда который которая которое которые чем так то если хотя как причем причём".split()
)


def restructurings(tree: Tree, inflector: Inflector, valency: Valency) -> Iterator[Edit]:
    """Every split and every copula that this sentence offers."""
    for i in range(len(tree)):
        rel = tree.rels[i]
        if rel == "acl:relcl":
            yield from _relative(tree, i, inflector)
        elif rel == "acl":
            yield from _participle(tree, i, inflector)
        elif rel in ("conj", "parataxis") and tree.heads[i] == tree.root:
            yield from _coordinated(tree, i)
        if valency.lemma(tree.tokens[i]) == "являться":
            yield from _copula(tree, i, inflector)


def _finite(tree: Tree, i: int) -> bool:
    return tree.tokens[i].feats.get("VerbForm") == "Fin" or tree.child(i, "cop") is not None


def _number(tree: Tree, i: int) -> str | None:
    feats = tree.tokens[i].feats
    return "plur" if feats.get("Number") == "Plur" else _GENDERS.get(feats.get("Gender", ""))


def pronoun(tree: Tree, noun: int) -> str | None:
    """*Он, она, оно, они* for a noun, None where its gender is unknown."""
    gender = _number(tree, noun)
    return _PRONOUNS[gender] if gender is not None else None


def _lead(tree: Tree, head: int, inflector: Inflector) -> str | None:
    """A subject for a sentence about the noun `head`: a pronoun for the main subject, else *этот* with the noun."""
    token = tree.tokens[head]
    gender = _number(tree, head)
    if gender in (None, "plur") or tree.limited(head):
        # «Компании, которые …»: a clause on a bare plural, a superlative or an ordinal says which ones are meant.
        return None
    if tree.rels[head] in ("conj",) or any(tree.rels[c] == "conj" for c in tree.children[head]):
        return None
    if tree.rels[head] in _SUBJECTS and tree.heads[head] == tree.root and not rival(tree, head):
        return _PRONOUNS[gender]
    if token.pos != "NOUN" or tree.start_in_entity(head) is not None or token.text[:1].isupper():
        return None
    if any(tree.rels[c] in ("det", "nummod", "nummod:gov", "appos", "flat", "flat:name") for c in tree.children[head]):
        return None
    noun = inflector.to_case(token, "Nom")
    return f"{_THESE[gender]} {noun.lower()}" if noun else None


def rival(tree: Tree, head: int) -> bool:
    """Another noun that the pronoun could as well stand for."""
    mine = _number(tree, head)
    return any(
        j != head
        and t.pos in ("NOUN", "PROPN")
        and _number(tree, j) == mine
        and j not in tree.subtree(head)
        and j < head
        for j, t in enumerate(tree.tokens)
    )


def _clause_span(tree: Tree, i: int) -> tuple[int, int] | None:
    words = tree.words(i)
    if not tree.contiguous(i) or words[0] == 0 or tree.tokens[words[0] - 1].text != "," or len(words) <= _SHORTEST:
        return None
    after = words[-1] + 1
    if after < len(tree) and tree.tokens[after].pos != "PUNCT":
        return None
    if any(tree.quote_depth(j) != tree.quote_depth(words[0]) for j in words):
        return None
    return words[0], words[-1]


def _relative(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    span = _clause_span(tree, i)
    head = tree.heads[i]
    if span is None or not _finite(tree, i) or span[0] <= head:
        return
    first = span[0]
    gender = _RELATIVE.get(tree.lower(first))
    subject = tree.child(i, *_SUBJECTS)
    if gender is None or (subject is not None and subject != first) or gender != _number(tree, head):
        return
    if not _agrees(tree, i, head):
        # «Завод, который построили»: the relative word is the object.
        return
    lead = _lead(tree, head, inflector)
    if lead:
        yield Edit(
            "split",
            f"«{tree.tokens[first].text} …» → отдельное предложение",
            i,
            touched=frozenset({first}),
            clause=Clause(first + 1, span[1], lead),
        )


def _agrees(tree: Tree, verb: int, noun: int) -> bool:
    """Whether the predicate's number, and its gender where it shows, are those of the noun."""
    mine, other = tree.tokens[verb].feats, tree.tokens[noun].feats
    return all(mine[k] == other.get(k) for k in ("Number", "Gender") if k in mine and tree.tokens[verb].pos == "VERB")


def _participle(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    span = _clause_span(tree, i)
    head = tree.heads[i]
    token = tree.tokens[i]
    if span is None or span[0] != i or i <= head or token.feats.get("Case") != tree.tokens[head].feats.get("Case"):
        return
    if token.feats.get("Number") != tree.tokens[head].feats.get("Number"):
        return
    if any(tree.rels[c] == "conj" and tree.tokens[c].feats.get("VerbForm") == "Part" for c in tree.children[i]):
        return
    verb = inflector.finite(token, _number(tree, head))
    lead = _lead(tree, head, inflector)
    if verb and lead:
        yield Edit(
            "split",
            f"«{token.text} …» → отдельное предложение",
            i,
            changes=((i, verb),),
            touched=frozenset({i}),
            clause=Clause(i, span[1], lead),
        )


def _coordinated(tree: Tree, i: int) -> Iterator[Edit]:
    """*A сделал X, а B сделал Y* and *A сделал X и сделал Y* → two sentences."""
    words = tree.words(i)
    root = tree.root
    if not _last_clause(tree, i, words):
        return
    start, lead = words[0], ""
    cc = tree.lower(start)
    if cc in ("и", "а", "но", "однако", "зато"):
        lead = "" if cc in ("и", "а") else "Но"
        start += 1
        if start <= words[-1] and tree.tokens[start].text == ",":
            return
    elif tree.tokens[words[0] - 1].text not in (",", ";", ":"):
        return
    subject = tree.child(i, *_SUBJECTS)
    main = tree.child(root, *_SUBJECTS)
    if subject is None and (tree.tokens[start].pos == "ADV" or tree.lower(i) in _IMPERSONAL):
        return
    if subject is None:
        gender = _number(tree, main) if main is not None else None
        if (
            gender is None
            or main is None
            or main > root
            or tree.tokens[main].pos not in ("NOUN", "PROPN")
            or rival(tree, main)
        ):
            return
        if any(tree.rels[c] == "conj" for c in tree.children[main]) or lead or cc == "а":
            return
        lead = _PRONOUNS[gender]
    elif main is None or tree.tokens[words[0] - 1].pos != "PUNCT":
        return
    yield Edit(
        "split",
        "вторая часть → отдельное предложение",
        i,
        touched=frozenset(range(words[0], start)),
        clause=Clause(start, words[-1], lead),
    )


def _last_clause(tree: Tree, i: int, words: list[int]) -> bool:
    """Whether i heads a whole independent clause that ends the sentence, beside a main clause of the same kind."""
    root = tree.root
    if not _finite(tree, i) or not _finite(tree, root) or not tree.contiguous(i) or words[0] <= root:
        return False
    if any(t.pos != "PUNCT" for t in tree.tokens[words[-1] + 1 :]) or len(words) <= _SHORTEST + 1:
        return False
    particles = tree.children[i] + tree.children[root]
    if any(tree.rels[c] == "mark" or tree.lower(c) in ("ли", "ни", "бы") for c in particles):
        return False
    if any(tree.quote_depth(j) for j in words) or _open_bracket(tree, words[0]):
        return False
    return tree.lower(words[0]) not in _OPENERS and tree.tokens[words[0]].pos != "SCONJ"


def _open_bracket(tree: Tree, stop: int) -> bool:
    text = [t.text for t in tree.tokens[:stop]]
    return text.count("(") != text.count(")")


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
    subject = tree.child(i, *_SUBJECTS)
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
    # «Это» suits things; of people the dash alone is said.
    dash = "—" if tree.tokens[subject].feats.get("Animacy") == "Anim" else "— это"
    changes[i] = dash
    yield Edit(
        "copula",
        f"{token.text} → {dash}",
        changes=tuple(sorted(changes.items())),
        touched=frozenset(changes) | {subject},
    )


def _one_of(tree: Tree, i: int) -> dict[int, str]:
    """*Одним из показателей* → *один из показателей*; empty for anything else."""
    if tree.lower(i) not in _ONE_OF or i + 1 >= len(tree) or tree.lower(i + 1) != "из":
        return {}
    member = next((c for c in tree.children[i] if tree.tokens[c].feats.get("Case") == "Gen"), None)
    if member is None:
        return {}
    gender = _GENDERS.get(tree.tokens[member].feats.get("Gender", ""), "femn" if tree.lower(i) == "одной" else "masc")
    return {i: match_case({"masc": "один", "femn": "одна", "neut": "одно"}[gender], tree.tokens[i].text)}
