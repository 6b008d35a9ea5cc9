"""Words that stay, back into text: the punctuation of what was cut goes with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rewrite.generators.edits.clause_grammar import LISTS, agrees
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.tidy import NO_BREAK, with_fitting_prepositions

_DASHES = frozenset("—–-")
_LOOSE = frozenset({",", ";", ":", "—", "–", "-"})
_CLAUSAL = frozenset({"acl", "acl:relcl", "advcl", "appos", "parataxis", "discourse", "vocative", "conj"})
# An adverb or two before what was inserted: *Постепенно, [по мере таяния,] лёд …*.
_OPENING = 2
_OF_NOUN = frozenset({"acl", "acl:relcl"})
_FINAL = frozenset({".", "!", "?", "…", "...", "?!", "!..", "?.."})
# *…, после чего он ушёл*
_RELATIVES = frozenset("чего чему чем котором которой которых которого которому которыми".split())
# Words that a comma always stands before when they open a clause.
_OPENERS = LISTS.words("openers")


def render(tree: RepairedTree, edits: Sequence[Edit]) -> str:
    """Text of the sentence after the edits.

    A token changed to an empty string vanishes without touching the punctuation around it.
    """
    cut = {e.node: tree.rels[e.node] for e in edits if e.node >= 0}
    changes = {i: text for e in edits for i, text in e.changes}
    kept = [True] * len(tree)
    for node in cut:
        first, last = tree.span(node)
        for i in range(first, last + 1):
            kept[i] = False
    _join_gaps(tree, kept)
    commas: dict[int, str] = {}
    for left, right in _runs(kept):
        _punctuate(tree, kept, commas, cut, left, right)
        _close_clause(tree, kept, cut, left, right)
    return capitalize(closed_up(_spell(tree, kept, {**commas, **changes}), like=tree.text))


def _join_gaps(tree: RepairedTree, kept: list[bool]) -> None:
    # Punctuation alone between two cuts goes with them.
    for _, right in _runs(kept):
        i = right + 1
        while i < len(kept) and kept[i] and tree.tokens[i].pos == "PUNCT" and tree.tokens[i].text not in '()«»"':
            i += 1
        if i > right + 1 and i < len(kept) and not kept[i]:
            for j in range(right + 1, i):
                kept[j] = False


def _runs(kept: Sequence[bool]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    i = 0
    while i < len(kept):
        if kept[i]:
            i += 1
            continue
        first = i
        while i < len(kept) and not kept[i]:
            i += 1
        runs.append((first, i - 1))
    return runs


def _punctuate(
    tree: RepairedTree,
    kept: list[bool],
    commas: dict[int, str],
    cut: Mapping[int, str],
    left: int,
    right: int,
) -> None:
    stop = len(tree) - 1
    before = left - 1 if left > 0 and tree.tokens[left - 1].pos == "PUNCT" else None
    after = right + 1 if right < stop and tree.tokens[right + 1].pos == "PUNCT" else None
    lefts = before is not None and tree.tokens[before].text
    rights = after is not None and tree.tokens[after].text
    edge = [rel for node, rel in cut.items() if tree.span(node)[0] == left or tree.span(node)[1] == right]
    if any(tree.span(node) == (left, right) for node in tree.brackets if node in cut):
        return
    clausal = any(rel in _CLAUSAL for rel in edge)
    listed = "conj" in edge
    following = right + (2 if rights else 1)
    opener = following < len(tree) and (
        any(tree.word(j) in _RELATIVES for j in range(following, min(following + 2, len(tree))))
        or tree.word(following) in _OPENERS
        or (
            tree.tokens[following].feats.get("VerbForm") == "Fin"
            and any(kept[j] and tree.tokens[j].feats.get("VerbForm") == "Fin" for j in range(left))
            and not any(
                rel in _OF_NOUN and tree.span(node)[1] == right and _subject(tree, tree.heads[node], following)
                for node, rel in cut.items()
            )
        )
    )
    if lefts in ("(", "«", '"') and rights in (")", "»", '"') and before is not None and after is not None:
        kept[before] = kept[after] = False
        return
    elif (after is None and right >= stop) or rights in _FINAL or rights in (";", ")"):
        if before is not None and lefts in _LOOSE:
            kept[before] = False
    elif left == 0 or (before is not None and (before == 0 or lefts in _FINAL or lefts == "(")):
        if after is not None and rights in _LOOSE:
            kept[after] = False
    elif before is not None and after is not None and lefts in _LOOSE and rights in _LOOSE:
        kept[before] = False
        inserted = not listed and (_joined(tree, before - 1, after + 1) or (before <= _OPENING and not opener))
        last_of_subject = listed and following < len(tree) and tree.rels[following] == "root" and following > 1
        if (
            inserted
            or last_of_subject
            or (clausal and not listed and not opener and not (lefts == "," and rights in _DASHES))
        ):
            kept[after] = False
    elif before is not None and after is None and lefts in _LOOSE and clausal and not opener:
        kept[before] = False
    _close_list(tree, kept, commas, cut, left, right)


def _close_clause(tree: RepairedTree, kept: list[bool], cut: Mapping[int, str], left: int, right: int) -> None:
    # «A (B), сделанный C, D» without both: the comma that opened the clause went between them, the other goes too.
    after = right + 1
    if after + 1 >= len(tree) or tree.tokens[after].text != "," or tree.word(after + 1) in _OPENERS:
        return
    if left > 0 and tree.tokens[left - 1].text in _LOOSE:
        return
    for node, rel in cut.items():
        first, last = tree.span(node)
        if last == right and first - 1 > left and rel in _CLAUSAL - {"conj"} and tree.tokens[first - 1].text == ",":
            kept[after] = False


def _joined(tree: RepairedTree, left: int, right: int) -> bool:
    """Whether the two words belong together, so that no comma may stand between them."""
    return left >= 0 and right < len(tree) and (tree.heads[left] == right or tree.heads[right] == left)


def _subject(tree: RepairedTree, noun: int, verb: int) -> bool:
    """Whether the noun can be the verb's subject, so that no comma may part them once a clause between them is gone."""
    nominative = noun >= 0 and tree.tokens[noun].feats.get("Case") == "Nom"
    return nominative and noun < verb and agrees(tree, verb, noun)


def _close_list(
    tree: RepairedTree, kept: list[bool], commas: dict[int, str], cut: Mapping[int, str], left: int, right: int
) -> None:
    # «A, B и C» without C is «A и B».
    for node, rel in cut.items():
        joint = _joint(tree, node) if rel == "conj" and tree.words(node)[0] == left else ""
        if not joint:
            continue
        siblings = [c for c in tree.children[tree.heads[node]] if tree.rels[c] == "conj" and c < node and c not in cut]
        first = tree.words(siblings[-1])[0] if siblings else _member_before(tree, node, left)
        if first and tree.tokens[first - 1].text == "," and kept[first - 1] and kept[first]:
            commas[first - 1] = f" {joint}"


def _member_before(tree: RepairedTree, node: int, left: int) -> int:
    """First word of the member of a list that ends before `left`, where the parser has not tied the two; else 0.

    Between the comma before it and `left` there is no other mark, verb or conjunction, and it is in the case of `node`.
    """
    case = tree.tokens[node].feats.get("Case")
    end = left - 1 if tree.tokens[left - 1].text == "," else left
    for j in range(end - 1, 0, -1):
        token = tree.tokens[j]
        if token.text == ",":
            same = [t for t in tree.tokens[j + 1 : end] if t.pos in ("NOUN", "PROPN") and t.feats.get("Case") == case]
            return j + 1 if case is not None and same[:1] else 0
        if token.pos in ("PUNCT", "VERB", "AUX", "CCONJ", "SCONJ"):
            return 0
    return 0


def _joint(tree: RepairedTree, node: int) -> str:
    """The «и» or «или» with which a list ends that goes with this node: before it, or before what hangs on it."""
    first = tree.word(tree.words(node)[0])
    if first in ("и", "или"):
        return first
    last = [c for c in tree.children[node] if tree.rels[c] == "conj"]
    opening = tree.word(tree.words(last[-1])[0]) if last else ""
    return opening if opening in ("и", "или") else ""


def _spell(tree: RepairedTree, kept: Sequence[bool], words: Mapping[int, str]) -> str:
    out = ""
    previous = -1
    for i, token in enumerate(tree.tokens):
        text = words.get(i, token.text)
        if not kept[i] or not text:
            continue
        if out:
            spaced = token.start > tree.tokens[i - 1].stop if i else False
            if previous != i - 1:
                # A straight quotation mark opens where it stood apart from what was before it.
                opens = token.text == '"' and spaced
                spaced = token.pos != "PUNCT" or token.text in _DASHES or token.text in ("(", "«") or opens
                spaced = spaced and not out.endswith(("(", "«"))
            if token.pos == "PUNCT" and text[0].isalpha():
                spaced = True
            out += _space(tree, i, previous) if spaced and not text.startswith((" ", ",")) else ""
        out += text
        previous = i
    return out


def _space(tree: RepairedTree, i: int, previous: int) -> str:
    """The no-break space of the source between two neighbours that both stay, a plain space everywhere else."""
    between = tree.text[tree.tokens[i - 1].stop - tree.start : tree.tokens[i].start - tree.start]
    return between if previous == i - 1 and between in NO_BREAK else " "


def capitalize(text: str) -> str:
    """First letter upper case, also after an opening quote."""
    match = re.match(r"[\s«\"(]*", text)
    at = match.end() if match else 0
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def closed_up(text: str, *, like: str = "") -> str:
    """Without the spaces and doubled marks that edits leave behind. Marks that the parse let stay do so: the colon at
    the end, and the dash after a stop in direct speech, which `rewrite.generators.tidy` takes away.
    """
    text = re.sub(r"\s+([,.;:!?»)])", r"\1", text)
    text = re.sub(r"([(«])\s+", r"\1", text)
    text = re.sub(r"\(\s*\)", "", text)
    text = re.sub(r"(,\s*)+,", ",", text)
    text = re.sub(r",\s*([.;:!?)])", r"\1", text)
    text = re.sub(r"^[\s,;:—–-]+(?=\D)", "", text)
    return re.sub(r" {2,}", " ", with_fitting_prepositions(text, like=like)).strip()
