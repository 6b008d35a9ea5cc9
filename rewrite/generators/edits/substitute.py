"""Simpler words and phrases in the place of rare ones, in the same grammatical form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rerank.frequency import fold
from rewrite.generators.edits.clause_grammar import SUBJECTS
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector, match_case
from rewrite.generators.edits.lexicon import Entry, Lexicon, holds
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency

_PARTS = {"VERB": "VERB", "AUX": "VERB", "NOUN": "NOUN", "ADJ": "ADJ", "DET": "ADJ", "ADV": "ADV"}
_INVARIABLE = frozenset({"ADV", "ADP", "CCONJ", "SCONJ", "PART", "X"})
_NEAR = 8
# What agrees with a noun shares these with it; a relative pronoun has the case that its own clause asks for.
_AGREEING, _OWN_CASE = ("Case", "Number", "Gender"), ("Number", "Gender")
_STEM = 5
SHORT_WORD = 4
_BE = frozenset("было была были есть быть".split())
# «Более большой»: these have comparatives of their own.
_DEGREES = frozenset("более менее наиболее наименее столь гораздо".split())
_OWN_COMPARATIVES = frozenset("большой маленький хороший плохой".split())
# «В данный момент» is now, «в этот момент» was then.
_NOT_BEFORE = {("данный", "этот"): frozenset({"момент", "время"})}
_SIGNS = frozenset("/\\_=&?@#*<>-+|~^%'`[]{}")
_CLAUSE_OPENERS = ("чтобы", "потому что", "хотя", "если", "поэтому", "когда", "который")


def substitutions(
    tree: RepairedTree, lexicon: Lexicon, inflector: Inflector, valency: RussianValency
) -> Iterator[Edit]:
    """Every replacement that the dictionary allows in this sentence; they may overlap."""
    for i in range(len(tree)):
        yield from _phrases_at(tree, i, lexicon, inflector, valency)
        named = tree.start_in_entity(i) is not None or (i and tree.tokens[i].text[:1].isupper())
        if not (named or tree.quote_depth(i) or _glued(tree, i)):
            yield from _words_at(tree, i, lexicon, inflector, valency)


def _glued(tree: RepairedTree, i: int) -> bool:
    """Whether letters or signs of another token touch the word: an address, a path, *и/или*."""
    before, after = tree.tokens[max(0, i - 1)], tree.tokens[min(len(tree) - 1, i + 1)]
    return (before.stop == tree.tokens[i].start and before.text in _SIGNS) or (
        after.start == tree.tokens[i].stop and after.text in _SIGNS
    )


def _words_at(
    tree: RepairedTree, i: int, lexicon: Lexicon, inflector: Inflector, valency: RussianValency
) -> Iterator[Edit]:
    token = tree.tokens[i]
    lemma = valency.lemma(token)
    if token.pos in _INVARIABLE:
        for entry in lexicon.words.get(("ADV", fold(token.text)), ()):
            text = match_case(entry.replacement, token.text)
            if _allowed(tree, i, i, entry, valency) and not _repeats(tree, text, {i}):
                yield _edit(entry, {i: text}, f"{token.text} → {text}")
                return
        return
    pos = _PARTS.get(token.pos)
    if pos is None or tree.rels[i] in ("fixed", "flat", "flat:name", "compound"):
        return
    parse = inflector.parse(token)
    if parse is None or "Supr" in parse.tag or (pos == "NOUN" and inflector.may_be(token, "COMP")):
        return
    lemmas = {lemma, str(parse.normal_form).replace("ё", "е")} if pos != "VERB" else {lemma}
    for entry in (entry for key in sorted(lemmas) for entry in lexicon.words.get((pos, key), ())):
        if not _suits(tree, i, entry, valency):
            continue
        if _allowed(tree, i, i, entry, valency) and holds(tree, i, entry, valency, str(parse.tag.POS)):
            changes = _agreeing(tree, i, entry, inflector) if pos == "NOUN" else _single(tree, i, entry, inflector)
            if changes:
                # The dictionary lists the most particular entry first.
                if not _repeats(tree, changes[i], changes):
                    yield _edit(entry, changes, f"{token.text} → {changes[i]}")
                return


def _suits(tree: RepairedTree, i: int, entry: Entry, valency: RussianValency) -> bool:
    """What no entry may do to an adjective: *более большой*, *живут в главном в городах*, *в этот момент* for now."""
    before = tree.word(i - 1) if i else ""
    after = tree.tokens[i + 1] if i + 1 < len(tree) else None
    if before in _DEGREES and entry.replacement in _OWN_COMPARATIVES:
        return False
    if entry.pos == "ADJ" and before == "в" and tree.word(i) == "основном":
        feats = tree.tokens[i].feats
        return after is not None and after.pos == "NOUN" and all(after.feats.get(k) == feats.get(k) for k in _AGREEING)
    banned = _NOT_BEFORE.get((" ".join(entry.pattern), entry.replacement), frozenset())
    return after is None or valency.lemma(after) not in banned


def _repeats(tree: RepairedTree, text: str, replaced: Collection[int]) -> bool:
    """Whether a new word stands elsewhere in the sentence already: *лучшим вратарём стал вратарь*."""
    old = {stem_of(tree.tokens[j].text) for j in replaced}
    new = {stem_of(word) for word in re.findall(r"\w+", text) if len(word) >= SHORT_WORD and word.lower() not in _BE}
    stems = new - old
    return any(
        len(token.text) >= SHORT_WORD and stem_of(token.text) in stems
        for j, token in enumerate(tree.tokens)
        if j not in replaced
    )


def stem_of(word: str) -> str:
    """How a word of `SHORT_WORD` letters or more begins: what says that two words are alike."""
    return fold(word)[:_STEM]


def _single(tree: RepairedTree, i: int, entry: Entry, inflector: Inflector) -> dict[int, str]:
    if " " in entry.replacement:
        return {}
    text = inflector.like(tree.tokens[i], entry.replacement)
    return {i: text} if text and text.lower() != tree.word(i) else {}


def _agreeing(tree: RepairedTree, i: int, entry: Entry, inflector: Inflector) -> dict[int, str]:
    """A noun and, where its gender changes, what agrees with it; empty where that cannot be done safely."""
    noun, text = _noun_phrase(tree, i, entry, inflector)
    if not text:
        return {}
    token = tree.tokens[i]
    changes = {i: text}
    gender, old = inflector.gender(noun), inflector.parse(token).tag.gender
    if gender == old or token.feats.get("Number") == "Plur":
        return changes
    if tree.child(i, "acl:relcl", "acl", "conj", "cop", "appos", "nummod") is not None:
        return {}
    followers = [c for c in tree.children[i] if tree.rels[c] in ("amod", "det")]
    verb = tree.tokens[tree.heads[i]].feats
    if tree.rels[i] in SUBJECTS and verb.get("Number") == "Sing" and "Gender" in verb:
        followers.append(tree.heads[i])
    if others_agree(tree, i, followers):
        return {}
    for c in followers:
        form = inflector.regender(tree.tokens[c], gender)
        if form is None:
            return {}
        changes[c] = form
    return changes


def _noun_phrase(tree: RepairedTree, i: int, entry: Entry, inflector: Inflector) -> tuple[str, str]:
    """The replacement's noun and the whole of it in the form of token i: *ложная информация*, *добыча нефти*."""
    first, *rest = entry.replacement.split()
    token = tree.tokens[i]
    adjective = inflector.adjective(first) if rest else None
    noun = rest[-1] if adjective is not None else first
    text = inflector.like(token, noun)
    if text is None or not rest:
        return noun, text or ""
    if adjective is not None:
        if tree.child(i, "amod", "det", "nummod", "nummod:gov") is not None:
            return noun, ""
        form = inflector.agree(adjective, token, inflector.gender(noun))
        return noun, f"{match_case(form, token.text)} {text.lower()}" if form else ""
    # «Консорциум банков» is no «объединение компаний банков», unless the entry asks for a genitive.
    if "gen" not in entry.flags and tree.child(i, "nmod") is not None:
        return noun, ""
    return noun, " ".join((text, *rest))


def others_agree(tree: RepairedTree, i: int, followers: Sequence[int]) -> bool:
    """Whether some other adjective or participle near by may agree with noun i, whatever the parser says."""
    noun = tree.tokens[i].feats
    return any(
        j not in followers
        and j != i
        and tree.tokens[j].pos in ("ADJ", "VERB", "DET", "PRON")
        and all(tree.tokens[j].feats.get(k) == noun.get(k) for k in (_OWN_CASE if _relative(tree, j) else _AGREEING))
        for j in range(max(0, i - _NEAR), min(len(tree), i + _NEAR))
    )


def _allowed(tree: RepairedTree, first: int, last: int, entry: Entry, valency: RussianValency) -> bool:
    """Conditions on what stands around the tokens first … last."""
    flags = entry.flags
    following = last + 1 if last + 1 < len(tree) else None
    if ("notstart" in flags and first == 0) or ("start" in flags and first != 0):
        return False
    if first and _follows(tree, first, entry.flag("notprev")):
        return False
    if tree.tokens[first].text == "," and not entry.replacement.startswith(",") and _closes_clause(tree, first):
        return False
    if entry.pos == "PHRASE" and any(_relative(tree, j) for j in range(last + 1, min(last + 4, len(tree)))):
        # «Ремонтных работ, которые …» → «ремонта, которые …»
        return False
    if "notpass" in flags and last > first and any(_passive(tree, i) for i in range(first, last + 1)):
        return False
    forms = [tree.tokens[i].feats.get("VerbForm") for i in range(first, last + 1)]
    if "notpart" in flags and last > first and "Part" in forms:
        return False
    if entry.replacement == "и" and any(tree.word(j) == "и" for j in range(max(0, first - 5), first)):
        # «Мозаика и фреска, а также живопись» has its «и» already.
        return False
    wanted = entry.flag("next")
    if wanted and (following is None or not any(_is(tree, following, w, valency) for w in wanted)):
        return False
    banned = entry.flag("notnext")
    return following is None or not any(_is(tree, following, w, valency) for w in banned)


def _follows(tree: RepairedTree, i: int, words: Sequence[str]) -> bool:
    """Whether the word before i is among `words`, or a preposition where they hold `PREP`."""
    before = tree.tokens[i - 1]
    return fold(before.text) in words or ("PREP" in words and before.pos == "ADP")


def _closes_clause(tree: RepairedTree, comma: int) -> bool:
    """Whether the comma may end a clause that another opened: *фонд, помогающий детям, а также …* needs it."""
    clauses = ("acl", "acl:relcl", "advcl", "appos", "parataxis")
    inside = ((i, tree.words(i)) for i in range(comma) if tree.rels[i] in clauses)
    return any(comma - 1 in words and tree.tokens[words[0] - 1].text == "," for _, words in inside if words[0])


def _relative(tree: RepairedTree, i: int) -> bool:
    return tree.word(i).startswith("котор")


def _passive(tree: RepairedTree, i: int) -> bool:
    feats = tree.tokens[i].feats
    return feats.get("Voice") == "Pass" or feats.get("Variant") == "Short"


def _is(tree: RepairedTree, i: int, what: str, valency: RussianValency) -> bool:
    token = tree.tokens[i]
    if what == "inf":
        return token.feats.get("VerbForm") == "Inf"
    if what == "comp":
        return token.feats.get("Degree") == "Cmp"
    if what in ("Nom", "Gen", "Dat", "Acc", "Ins", "Loc"):
        return token.feats.get("Case") == what
    return what in (fold(token.text), valency.lemma(token))


def _phrases_at(
    tree: RepairedTree, i: int, lexicon: Lexicon, inflector: Inflector, valency: RussianValency
) -> Iterator[Edit]:
    token = tree.tokens[i]
    keys = {fold(token.text), "=" + valency.lemma(token)}
    for key in sorted(keys):
        for entry in lexicon.phrases.get(key, ()):
            last = i + len(entry.pattern) - 1
            if last >= len(tree) or not _matches(tree, i, entry.pattern, valency):
                continue
            changes = (
                _phrase_changes(tree, i, last, entry, inflector) if _allowed(tree, i, last, entry, valency) else {}
            )
            if changes and not _repeats(tree, changes[i], changes):
                old = tree.text[tree.tokens[i].start - tree.start : tree.tokens[last].stop - tree.start]
                yield _edit(entry, changes, f"{old} → {changes[i]}")


def _matches(tree: RepairedTree, i: int, pattern: tuple[str, ...], valency: RussianValency) -> bool:
    tokens = tree.tokens[i : i + len(pattern)]
    for token, wanted in zip(tokens, pattern, strict=True):
        if wanted != (f"={valency.lemma(token)}" if wanted.startswith("=") else fold(token.text)):
            return False
    # *В СФЕРЕ ЗДРАВООХРАНЕНИЯ* would lose half of its capitals.
    shouted = any(t.text.isupper() and len(t.text) > 2 for t in tokens)
    return not shouted and not any(tree.quote_depth(i + k) for k in range(len(pattern)))


def _phrase_changes(tree: RepairedTree, first: int, last: int, entry: Entry, inflector: Inflector) -> dict[int, str]:
    carrier = next((first + k for k, p in enumerate(entry.pattern) if p.startswith("=")), None)
    words: list[str] = []
    for word in entry.replacement.split():
        if not word.startswith("="):
            words.append(word)
            continue
        form = inflector.like(tree.tokens[carrier], word[1:]) if carrier is not None else None
        if form is None:
            return {}
        words.append(form.lower())
    text = " ".join(words).replace(" ,", ",")
    if first and text.startswith(_CLAUSE_OPENERS) and tree.tokens[first - 1].pos not in ("PUNCT", "CCONJ"):
        text = ", " + text
    changes = dict.fromkeys(range(first, last + 1), "")
    changes[first] = match_case(text, tree.tokens[first].text) if first == 0 else text
    for flag in entry.flag("case"):
        before, _, after = flag.partition(">")
        more = _recase(tree, last + 1, before, after, inflector)
        if more is None:
            return {}
        changes.update(more)
    return changes


def _recase(tree: RepairedTree, first: int, before: str, after: str, inflector: Inflector) -> dict[int, str] | None:
    """The noun phrase that starts at `first`, from one case to another; None where that is not certain."""
    if first >= len(tree):
        return None
    if before == after:
        return {}
    nouns = [j for j in range(first, min(first + 5, len(tree))) if tree.tokens[j].pos in ("NOUN", "PROPN", "PRON")]
    if not nouns:
        return None
    noun = nouns[0]
    named = tree.start_in_entity(noun) is not None or tree.child(noun, "nummod", "nummod:gov", "flat", "flat:name")
    if named or tree.quote_depth(noun):
        return None
    return inflector.recase_phrase(tree, noun, before, after)


def _edit(entry: Entry, changes: dict[int, str], label: str) -> Edit:
    return Edit(
        kind="phrase" if entry.pos == "PHRASE" else "word",
        label=label,
        touched=frozenset(changes),
        changes=tuple(sorted(changes.items())),
        entry=f"{' '.join(entry.pattern)} → {entry.replacement}",
    )
