"""Coordinated clauses made sentences: *A сделал X, а B сделал Y* → *A сделал X. B сделал Y*."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.generators.edits.clauses import SUBJECTS, agrees, balanced, finite, pronoun, rival
from rewrite.generators.edits.edit import Clause, Edit
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency
from rewrite.generators.edits.wordlists import ATTRIBUTION

__all__ = ["coordinated"]

_SHORTEST = 4
_MAIN = 3
_IMPERSONAL = frozenset(
    "стоит следует приходится придется придётся удалось удается удаётся хватает пришлось кажется нужно".split()
)
_OPENERS = frozenset(
    "что чтобы где куда откуда когда который которая которое которые чем так то если хотя как причем причём".split()
)
# Words that make the clause depend on the one before it: *о чём мечтал с детства*, *самым известным из которых был*.
_WH = frozenset(
    """что чего чему чем чём кто кого кому кем ком где куда откуда когда почему зачем отчего сколько насколько чей чья
    чье чьё чьи чьего чьей чьих какой какая какое какие какого какую каких""".split()
)
# Openings that go on with a list of the main clause.
_ADDING = (("в", "том", "числе"), ("кроме",), ("включая",), ("в", "частности"))
_SAYING = frozenset(
    """сказать говорить сообщить сообщать заявить заявлять отметить отмечать подчеркнуть подчеркивать добавить добавлять
    рассказать рассказывать пояснить пояснять объяснить объяснять уточнить уточнять писать написать считать полагать
    утверждать утвердить признаться признать передавать передать информировать напомнить напоминать ответить отвечать
    заметить замечать указать указывать заключить резюмировать спросить спрашивать думать вспоминать вспомнить
    цитировать констатировать прокомментировать комментировать подтвердить подтверждать свидетельствовать""".split()
)


def coordinated(tree: Tree, i: int, valency: Valency) -> Iterator[Edit]:
    """*A сделал X, а B сделал Y* and *A сделал X и сделал Y* → two sentences."""
    words = tree.words(i)
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
    if _tied(tree, i, words[0], start) or _reported(tree, i, valency) or _attributed(tree, valency):
        return
    if tree.child(i, *SUBJECTS) is None:
        he = _pronoun(tree, i, start)
        if he is None or lead or cc == "а":
            return
        lead = he
    elif tree.child(tree.root, *SUBJECTS) is None or tree.tokens[words[0] - 1].pos != "PUNCT":
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
    if not finite(tree, i) or not finite(tree, root) or not tree.contiguous(i) or words[0] <= root:
        return False
    if any(t.pos != "PUNCT" for t in tree.tokens[words[-1] + 1 :]) or len(words) <= _SHORTEST:
        return False
    # «Крам родился.» is hardly a sentence.
    if sum(t.pos != "PUNCT" for t in tree.tokens[: words[0]]) < _MAIN:
        return False
    if not balanced(tree, words[0], words[-1]):
        return False
    particles = tree.children[i] + tree.children[root]
    if any(tree.rels[c] == "mark" or tree.lower(c) in ("ли", "ни", "бы") for c in particles):
        return False
    if any(tree.quote_depth(j) for j in words) or not balanced(tree, 0, words[0] - 1):
        return False
    return tree.lower(words[0]) not in _OPENERS and tree.tokens[words[0]].pos != "SCONJ"


def _tied(tree: Tree, i: int, first: int, start: int) -> bool:
    """A relative or question word up to the verb, or an opening that goes on with the main clause.

    *…, о чём мечтал с детства*; *…, самым известным из которых был X*; *…, в том числе вышел X*.
    """
    verb = max(i, tree.child(i, "cop") or i)
    if any(tree.lower(j) in _WH or tree.lower(j).startswith("котор") for j in range(first, verb)):
        return True
    openings = [tuple(tree.lower(j) for j in range(at, min(at + 3, len(tree)))) for at in (first, start)]
    return any(opening[: len(adding)] == adding for opening in openings for adding in _ADDING)


def _reported(tree: Tree, i: int, valency: Valency) -> bool:
    """Reported speech is no clause of its own: *…, сообщил начальник Генштаба*."""
    subject = tree.child(i, *SUBJECTS)
    if tree.child(i, "obj") is not None:
        # «…, а сценарий написал Иванов.»
        return False
    return subject is not None and subject > i and valency.lemma(tree.tokens[i]) in _SAYING


def _attributed(tree: Tree, valency: Valency) -> bool:
    """Whether the sentence opens with whose words it gives, which the second part would lose: *По словам X, …*."""
    if tree.lower(0) == "согласно":
        return True
    noun = next((j for j in range(1, len(tree)) if tree.tokens[j].pos in ("NOUN", "PROPN")), None)
    return tree.lower(0) == "по" and noun is not None and valency.lemma(tree.tokens[noun]) in ATTRIBUTION


def _pronoun(tree: Tree, i: int, start: int) -> str | None:
    """A pronoun for the main subject before the clause of verb i; None where it would be unclear or out of place."""
    root = tree.root
    main = tree.child(root, *SUBJECTS)
    if main is None or main > root or tree.tokens[main].pos not in ("NOUN", "PROPN"):
        return None
    if tree.tokens[start].pos == "ADV" or tree.lower(i) in _IMPERSONAL or not agrees(tree, i, main):
        return None
    # «Он в конце сезона отправляется …»: the pronoun stands by its verb.
    verb = min(i, *(c for c in tree.children[i] if tree.rels[c] in ("cop", "aux", "aux:pass")), i)
    if sum(tree.tokens[j].pos != "PUNCT" for j in range(start, verb)) > 1:
        return None
    if any(t.text in "—–-:" for t in tree.tokens[root + 1 : start]):
        return None
    if any(tree.rels[c] == "conj" for c in tree.children[main]):
        return None
    if rival(tree, main, tree.words(i)):
        return None
    return pronoun(tree, main)
