"""A preferred Russian term in the form of the one that it replaces, and what agrees with it in its own gender."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rerank.analysis import Analysis, Analyzer, Token
from rerank.frequency import fold
from rerank.wellformed.russian import LAYERS, WellFormedness
from rewrite.across.terms import Place
from rewrite.across.writing import Unsafe, cased, is_quoted, replaced
from rewrite.generators.edits.clause_grammar import SUBJECTS
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.edits.substitute import others_agree

_CASES = {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"}
_SECOND = {"gen2": "gent", "gen1": "gent", "acc2": "accs", "loc1": "loct", "loc2": "loct", "voct": "nomn"}
_COUNTING = frozenset("два две оба обе обоих обеих обоим обеим обоими обеими один одна одно полтора полторы".split())
_PRONOUNS = {
    "masc": re.compile(r"\b(?:он|его|него|ему|нему|им|ним|нём|нем)\b", re.IGNORECASE),
    "neut": re.compile(r"\b(?:оно|его|него|ему|нему|им|ним|нём|нем)\b", re.IGNORECASE),
    "femn": re.compile(r"\b(?:она|её|ее|неё|нее|ей|ней|ею|нею)\b", re.IGNORECASE),
}
_AUXILIARIES = ("aux", "aux:pass", "cop")
_PREPOSITIONS = {"о": "о", "об": "о", "обо": "о", "в": "в", "во": "в", "с": "с", "со": "с", "к": "к", "ко": "к"}
_HARD = {"в": re.compile(r"[вф][^аеёиоуыэюя]"), "с": re.compile(r"[сзшж][^аеёиоуыэюя]|щ")}

_Change = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A term: its words, which of them is the head, and the head's reading; a name in capitals or Latin has none."""

    words: Sequence[str]
    head: int
    kind: str
    parse: Any = None


class RussianWriter:
    """Puts terms into Russian sentences, with the forms of pymorphy3."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer, self._morphology = analyzer, analyzer.morphology
        self._inflector, self._form = Inflector(self._morphology), WellFormedness(self._morphology)

    def changes(self, analysis: Analysis, place: Place, new: str, following: str) -> list[_Change]:
        """See `Writer.changes`."""
        sentence = next(s for s in analysis.sentences if s.start <= place.start < s.stop)
        tree = RepairedTree(sentence, analysis.entities)
        numbers = [n for n, t in enumerate(tree.tokens) if place.start <= t.start and t.stop <= place.stop]
        old, preferred = self._phrase(place.term), self._phrase(new)
        said = analysis.text[place.start : place.stop]
        if not numbers or len(numbers) != len(old.words):
            raise Unsafe("it is cut otherwise into words here")
        if is_quoted(analysis.text, place.start):
            raise Unsafe("it stands in quotation marks")
        named = any(tree.start_in_entity(n) is not None for n in numbers) or (numbers[0] and said[:1].isupper())
        if named and place.term[:1].islower() and not said.isupper():
            raise Unsafe("it is part of a name")
        text, others = self._forms(tree, numbers, old, preferred, analysis.text[place.stop :] + " " + following)
        text = cased(text, said, place.term, starts=not numbers[0])
        others += _preposition(tree, numbers[0], text)
        changes = [(place.start, place.stop, text), *others]
        changed = self._analyzer.analyze_one(replaced(analysis.text, changes), LAYERS)
        before, after = self._form.check_all(analysis, [analysis, changed])
        known = {fault.message for fault in before}
        if fault := next((fault.message for fault in after if fault.message not in known), ""):
            raise Unsafe(fault)
        return changes

    def _phrase(self, term: str) -> _Phrase:
        words = term.split()
        for number, word in enumerate(words):
            if word.isascii() or (word.isupper() and len(word) > 1):
                return _Phrase(words, number, "NOUN")
            parses = [p for p in self._morphology.analyzer.parse(word.lower()) if p.tag.POS]
            # Of readings as good as each other the one in the nominative is meant, of these the dictionary form.
            parse = max(parses, key=lambda p: (fold(p.normal_form) == fold(word), "nomn" in p.tag, p.score))
            if parse.tag.POS in ("ADJF", "PRTF") and number + 1 < len(words):
                continue
            kind = {"NOUN": "NOUN", "INFN": "VERB", "ADJF": "ADJ"}.get(str(parse.tag.POS), "")
            if kind == "NOUN" and "nomn" in parse.tag:
                return _Phrase(words, number, kind, parse)
            return _Phrase(words, number, kind if number == 0 and kind != "NOUN" else "", parse)
        return _Phrase(words, 0, "")

    def _forms(
        self, tree: RepairedTree, numbers: Sequence[int], old: _Phrase, new: _Phrase, behind: str
    ) -> tuple[str, list[_Change]]:
        """The new term in its form, and changes to the words that agree with it."""
        if old.kind != new.kind:
            raise Unsafe("the two terms are different parts of speech")
        head = numbers[old.head]
        if old.kind == "NOUN":
            return self._noun(tree, numbers, head, old, new, behind)
        if not old.kind or len(old.words) > 1:
            if [fold(tree.tokens[n].text) for n in numbers] != [fold(word) for word in old.words]:
                if old.kind != "VERB":
                    raise Unsafe("it stands in another form than in the list")
                if any(c not in numbers for n in numbers if n != head for c in tree.children[n]):
                    raise Unsafe("other words hang on it")
            elif not old.kind:
                return " ".join(new.words), []
        form = self._inflector.like(tree.tokens[head], fold(new.words[0]))
        if form is None:
            raise Unsafe(f"{new.words[0]!r} has no such form")
        return " ".join((form.lower(), *new.words[1:])), []

    def _noun(
        self, tree: RepairedTree, numbers: Sequence[int], head: int, old: _Phrase, new: _Phrase, behind: str
    ) -> tuple[str, list[_Change]]:
        case, number, reading = self._case_of(tree.tokens[head], old)
        gender = str(new.parse.tag.gender or "") if new.parse is not None else ""
        if new.parse is not None:
            text = self._inflected(new, case, number, gender)
        elif case != "nomn" and tree.tokens[head].text.lower() != old.words[old.head].lower() and len(new.words) > 1:
            raise Unsafe(f"{' '.join(new.words)!r} has no forms")
        else:
            text = " ".join(new.words)
        children = [c for n in numbers for c in tree.children[n] if c not in numbers]
        if len(new.words) > new.head + 1 and any(tree.rels[c] == "nmod" for c in children):
            raise Unsafe("more words hang on it")
        before = str(reading.tag.gender or "") if reading is not None else ""
        if new.parse is None and (not before or _initials(old) == new.words[-1].upper()):
            # *Всемирная организация здравоохранения сообщила* → *ВОЗ сообщила*
            return text, []
        followers = [c for c in children if tree.rels[c] in ("amod", "det", "acl")]
        animate = "anim" in new.parse.tag if new.parse is not None else False
        if case == "accs" and followers and reading is not None and animate != ("anim" in reading.tag):
            raise Unsafe("one of the two is of the living, the other is not")
        if any(tree.word(c) in _COUNTING for c in children) and gender != before:
            raise Unsafe("a number agrees with it")
        if number == "plur" or gender == before:
            return text, []
        if pronoun := before in _PRONOUNS and _PRONOUNS[before].search(behind):
            raise Unsafe(f"{pronoun[0]!r} may stand for it")
        if not gender:
            raise Unsafe(f"nobody knows the gender of {' '.join(new.words)!r}")
        return text, self._agreeing(tree, head, followers, gender, animate=animate)

    def _case_of(self, token: Token, old: _Phrase) -> tuple[str, str, Any]:
        """Case and number of the old term's head as it stands there, and its reading in the dictionary."""
        tagged = _CASES.get(token.feats.get("Case", ""), "")
        if old.parse is None or "Fixd" in old.parse.tag:
            if not tagged:
                raise Unsafe("its case does not show")
            return tagged, "plur" if token.feats.get("Number") == "Plur" else "sing", old.parse
        parse = self._inflector.parse(token) if token.pos in ("NOUN", "PROPN") else None
        if parse is None or fold(parse.normal_form) != fold(old.parse.normal_form):
            raise Unsafe("it is taken for another word here")
        case = str(parse.tag.case or tagged)
        return _SECOND.get(case, case), str(parse.tag.number or "sing"), parse

    def _inflected(self, new: _Phrase, case: str, number: str, gender: str) -> str:
        noun = new.parse.inflect({case, number})
        if noun is None or (number == "sing" and "plur" in new.parse.tag):
            raise Unsafe(f"{new.words[new.head]!r} has no {'plural' if number == 'plur' else 'singular'} here")
        wanted = {case, number} | ({gender} if number == "sing" and gender else set())
        if case == "accs" and (number == "plur" or gender == "masc"):
            wanted.add("anim" if "anim" in new.parse.tag else "inan")
        words = [
            next((form.word for p in self._morphology.analyzer.parse(word.lower()) if _is_adjective(p)
                  and (form := p.inflect(wanted))), "")
            for word in new.words[: new.head]
        ]  # fmt: skip
        if not all(words):
            raise Unsafe(f"{' '.join(new.words)!r} has no such form")
        said = [*words, noun.word]
        return " ".join([*map(_like, said, new.words), *new.words[new.head + 1 :]])

    def _agreeing(
        self, tree: RepairedTree, head: int, followers: list[int], gender: str, *, animate: bool
    ) -> list[_Change]:
        """What agrees with a noun in the singular, in its new gender."""
        modifiers = [n for n in followers if tree.rels[n] != "acl"]
        followers = [*followers, *_relative(tree, head)]
        if tree.rels[head] in SUBJECTS:
            followers += _predicates(tree, tree.heads[head])
        followers = [n for n in dict.fromkeys(followers) if self._shows_gender(tree.tokens[n])]
        joined = tree.child(head, "conj") is not None or tree.rels[head] == "conj"
        if joined and not set(followers) <= set(modifiers):
            raise Unsafe("it is joined to another noun")
        if others_agree(tree, head, followers):
            raise Unsafe("another word may agree with it")
        changes: list[_Change] = []
        for number in followers:
            token = tree.tokens[number]
            form = self._regendered(token, gender, animate=animate)
            if not form:
                raise Unsafe(f"{token.text!r} would have to agree with it")
            changes.append((token.start, token.stop, form))
        return changes

    def _regendered(self, token: Token, gender: str, *, animate: bool) -> str:
        parse = self._inflector.parse(token)
        if animate and gender == "masc" and "accs" in parse.tag:
            # *Собака, которую нашли* → *пёс, которого нашли*
            form = parse.inflect({"sing", "masc", "accs", "anim"})
            return _like(form.word, token.text) if form else ""
        return self._inflector.regender(token, gender) or ""

    def _shows_gender(self, token: Token) -> bool:
        inflects = token.pos in ("ADJ", "DET", "VERB", "AUX") or token.text.lower().startswith("котор")
        parse = self._inflector.parse(token) if inflects else None
        return parse is not None and parse.tag.number == "sing" and bool(parse.tag.gender)


def _relative(tree: RepairedTree, head: int) -> Iterator[int]:
    """*Который* of a noun, and the verb that it is the subject of."""
    clause = tree.child(head, "acl:relcl")
    # What the parser hangs elsewhere stands right behind the noun: *банк, в котором*.
    near = range(head + 2, min(head + 4, len(tree))) if tree.word(head + 1) == "," else ()
    words = near if clause is None else tree.subtree(clause)
    which = next((n for n in words if tree.word(n).startswith("котор")), None)
    if which is not None:
        yield which
        if tree.rels[which] in SUBJECTS:
            yield from _predicates(tree, tree.heads[which])
    elif clause is not None:
        raise Unsafe("a clause hangs on it")


def _predicates(tree: RepairedTree, first: int) -> Iterator[int]:
    """A predicate, what helps and completes it, and those that are joined to it and have no subject of their own."""
    yield first
    # *Который вчера был закрыт*: the parser may hang *был* elsewhere.
    yield from (n for n in range(max(0, first - 3), first) if tree.tokens[n].pos == "AUX")
    for child in tree.children[first]:
        if tree.rels[child] in _AUXILIARIES:
            yield child
        elif tree.rels[child] == "xcomp":
            yield from _predicates(tree, child)
            if tree.tokens[child].pos == "ADJ":
                yield from tree.children[child]
        elif tree.rels[child] == "conj" and tree.child(child, *SUBJECTS) is None:
            yield from _predicates(tree, child)


def _is_adjective(parse: Any) -> bool:
    return parse.tag.POS in ("ADJF", "PRTF") and "nomn" in parse.tag


def _like(form: str, word: str) -> str:
    """A form with the capital of the word in the list."""
    return form[:1].upper() + form[1:] if word[:1].isupper() else form


def _initials(phrase: _Phrase) -> str:
    return "".join(word[:1] for word in phrase.words).upper()


def _preposition(tree: RepairedTree, first: int, text: str) -> list[_Change]:
    """*О банке* → *об организации*: the preposition before a term, as the sound of the next word asks for."""
    plain = _PREPOSITIONS.get(tree.word(first - 1)) if first else None
    if plain is None:
        return []
    token, sound = tree.tokens[first - 1], text.lower()
    if plain == "о":
        fitting = "об" if sound[0] in "аиоуэ" else "о"
    else:
        fitting = plain + ("о" if plain in _HARD and _HARD[plain].match(sound) else "")
    return [(token.start, token.stop, _like(fitting, token.text))] if fitting != token.text.lower() else []
