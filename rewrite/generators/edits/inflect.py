"""The form of one word given to another: *осуществлявшаяся* → *проводившаяся*."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from rerank.analysis import Token
from rerank.morphology import Morphology
from rewrite.generators.edits.clause_grammar import GENDERS

_CASES = {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"}
_NUMBERS = {"Sing": "sing", "Plur": "plur"}
_TENSES = {"Past": "past", "Pres": "pres", "Fut": "futr"}
_CLASSES = {
    "NOUN": {"NOUN"},
    "PROPN": {"NOUN"},
    "ADJ": {"ADJF", "ADJS", "COMP", "PRTF", "PRTS", "NUMR"},
    "DET": {"ADJF", "NPRO"},
    "VERB": {"VERB", "INFN", "PRTF", "PRTS", "GRND"},
    "AUX": {"VERB", "INFN", "PRTF", "PRTS", "GRND"},
    "ADV": {"ADVB", "PRED", "COMP", "CONJ", "PRCL"},
}
_LONGEST_CHANGE = 3
_VOWELS = re.compile(r"[аеёиоуыэюя]")


def match_case(text: str, like: str) -> str:
    """`text` with the capital letters of `like`."""
    if len(like) > 1 and like.isupper():
        return text.upper()
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


def _case(token: Token) -> str | None:
    return _CASES.get(token.feats.get("Case", ""))


def _number(token: Token) -> str | None:
    return _NUMBERS.get(token.feats.get("Number", ""))


def _gender(token: Token) -> str | None:
    return GENDERS.get(token.feats.get("Gender", ""))


def _animacy(case: str | None, number: str | None, gender: str | None, animate: bool) -> set[str | None]:
    """What tells the accusatives of an adjective apart where they differ."""
    tells = case == "accs" and (number == "plur" or gender == "masc")
    return {"anim" if animate else "inan"} if tells else set()


def _goes_on(tree: Any, last: int, case: str) -> bool:
    """Whether more nouns of the same case are joined on after token `last`: the parser may have hung them elsewhere."""
    joined = last + 1 < len(tree) and tree.word(last + 1) in (",", "и", "или", "либо", "а")
    return joined and any(
        t.feats.get("Case") == case and t.pos in ("NOUN", "PROPN", "ADJ") for t in tree.tokens[last + 2 : last + 5]
    )


class Inflector:
    """Inflects through pymorphy3; every method returns None rather than a doubtful form."""

    def __init__(self, morphology: Morphology) -> None:
        self._morphology = morphology
        # pymorphy3's own parses, which can inflect; `Morphology` keeps only readings.
        self._parses = lru_cache(maxsize=20_000)(self._all_parses)

    def _all_parses(self, word: str) -> list[Any]:
        return list(self._morphology.analyzer.parse(word))

    def parse(self, token: Token) -> Any:
        """pymorphy3's parse that fits the tagger's part of speech, case, number, gender and tense best; else None."""
        parses = [p for p in self._parses(token.text.lower()) if p.tag.POS in _CLASSES.get(token.pos, {p.tag.POS})]
        wanted = [
            g for g in (_case(token), _number(token), _gender(token), _TENSES.get(token.feats.get("Tense", ""))) if g
        ]
        return max(parses, key=lambda p: (sum(g in p.tag for g in wanted), p.score), default=None)

    def lemma_parse(self, lemma: str, classes: Sequence[str]) -> Any:
        """The parse of a dictionary form, None where pymorphy3 does not know it as such."""
        for parse in self._parses(lemma):
            if parse.tag.POS in classes and parse.normal_form.replace("ё", "е") == lemma.replace("ё", "е"):
                return parse
        return None

    def adjective(self, form: str) -> Any:
        """The parse of an adjective or participle in the nominative singular of any gender, else None."""
        wanted = {"nomn", "sing"}
        return next((p for p in self._parses(form) if p.tag.POS in ("ADJF", "PRTF") and wanted in p.tag), None)

    def like(self, token: Token, lemma: str, *, gender: str | None = None) -> str | None:
        """`lemma` in the form of `token`, with its capital letter; `gender` overrides an agreeing form's gender."""
        source = self.parse(token)
        if source is None:
            return None
        text = self._like_parse(source, token, lemma, gender)
        return match_case(text, token.text) if text else None

    def _like_parse(self, source: Any, token: Token, lemma: str, gender: str | None) -> str | None:
        tag = source.tag
        # The reading was chosen to fit the tagger; where the two differ, the form itself is right.
        case = tag.case or _case(token)
        number = tag.number or _number(token)
        if tag.POS == "NOUN":
            target = self.lemma_parse(lemma, ["NOUN"])
            return self._form(target, {number, case})
        if tag.POS in ("ADJF", "PRTF"):
            target = self.lemma_parse(lemma, ["ADJF"] if tag.POS == "ADJF" else ["INFN"])
            wanted = {number, case} if number == "plur" else {number, case, gender or tag.gender}
            wanted |= _animacy(case, number, gender or tag.gender, tag.animacy == "anim")
            return self._form(target, wanted | (self._participle(tag) if tag.POS == "PRTF" else set()))
        if tag.POS in ("ADJS", "PRTS"):
            target = self.lemma_parse(lemma, ["ADJF"] if tag.POS == "ADJS" else ["INFN"])
            wanted = {tag.POS, number} | ({gender or tag.gender} if number == "sing" else set())
            return self._form(target, wanted | (self._participle(tag) if tag.POS == "PRTS" else set()))
        if tag.POS == "COMP":
            return self._form(self.lemma_parse(lemma, ["ADJF"]) or self.lemma_parse(lemma, ["ADVB"]), {"COMP"})
        if tag.POS == "INFN":
            return lemma if self.lemma_parse(lemma, ["INFN"]) else None
        if tag.POS == "GRND":
            form = self._form(self.lemma_parse(lemma, ["INFN"]), {"GRND", tag.tense} - {None})
            # «Ждя», «пья»: a dictionary builds them, nobody writes them.
            return form if form is not None and len(_VOWELS.findall(form)) > 1 else None
        if tag.POS == "VERB":
            wanted = {"VERB", tag.mood, tag.tense, tag.number, tag.person}
            if tag.tense == "past" and tag.number == "sing":
                wanted.add(gender or tag.gender)
            return self._form(self.lemma_parse(lemma, ["INFN"]), wanted - {None})
        return None

    @staticmethod
    def _participle(tag: Any) -> set[str]:
        return {tag.POS, tag.tense, tag.voice} - {None}

    @staticmethod
    def _form(target: Any, grammemes: set[str | None]) -> str | None:
        if target is None:
            return None
        form = target.inflect({g for g in grammemes if g})
        if form is None:
            return None
        # pymorphy3 holds *высочайший* for a form of *высший*.
        if target.tag.POS == "ADJF" and abs(len(form.word) - len(target.word)) > _LONGEST_CHANGE:
            return None
        return str(form.word)

    def gender(self, lemma: str) -> str | None:
        """`masc`, `femn` or `neut` of a noun."""
        parse = self.lemma_parse(lemma, ["NOUN"])
        return str(parse.tag.gender) if parse is not None and parse.tag.gender else None

    def to_case(self, token: Token, case: str, *, gender: str | None = None, animate: bool = False) -> str | None:
        """The same word in another case (UD name: `Nom`, `Gen` …); an adjective agrees with a noun of that gender."""
        source = self.parse(token)
        if source is None or source.tag.POS not in ("NOUN", "ADJF", "PRTF", "NPRO", "NUMR"):
            return None
        number = _number(token) or source.tag.number
        wanted = {_CASES[case], number}
        if source.tag.POS in ("ADJF", "PRTF"):
            wanted |= _animacy(_CASES[case], number, gender, animate)
            wanted |= {gender or source.tag.gender} if number == "sing" else set()
        form = self._form(source, wanted)
        return match_case(form, token.text) if form else None

    def agree(self, adjective: Any, noun: Token, gender: str | None) -> str | None:
        """The adjective in the case and number of `noun`, in `gender`."""
        case, number = _case(noun), _number(noun)
        if case is None or number is None:
            return None
        animacy = _animacy(case, number, gender, noun.feats.get("Animacy") == "Anim")
        return self._form(adjective, {case, number, gender if number == "sing" else None} | animacy)

    def regender(self, token: Token, gender: str | None) -> str | None:
        """An adjective, participle or past-tense verb in another gender, singular."""
        source = self.parse(token)
        if source is None or gender is None or source.tag.POS not in ("ADJF", "PRTF", "ADJS", "PRTS", "VERB"):
            return None
        case = _case(token) if "F" in source.tag.POS else None
        form = self._form(source, {"sing", gender, case} | _animacy(_case(token), "sing", gender, animate=False))
        return match_case(form, token.text) if form else None

    def recase_phrase(self, tree: Any, noun: int, before: str, after: str) -> dict[int, str] | None:
        """A noun, its agreeing modifiers and the nouns coordinated with it, from case `before` to `after`.

        None where any of them cannot be inflected with certainty.
        """
        changes: dict[int, str] = {}
        todo: list[tuple[int, str | None]] = [(noun, None)]
        animate = tree.tokens[noun].feats.get("Animacy") == "Anim"
        while todo:
            i, gender = todo.pop()
            token = tree.tokens[i]
            parse = self.parse(token)
            if (before, after) == ("Nom", "Acc") and parse is not None and parse.tag.animacy == "anim":
                return None
            if parse is None or token.feats.get("Case") != before:
                return None
            if parse.tag.case not in (_CASES[before], "loc2", "gen2"):
                return None
            if parse.tag.POS == "NOUN":
                gender = parse.tag.gender
            if tree.word(i).startswith("сам") and len(token.text) <= 6:
                # pymorphy3 takes *самой* for *сам*; the superlative is *самый*.
                form = match_case({"masc": "самый", "femn": "самая", "neut": "самое"}.get(gender or "", ""), token.text)
                if after != "Nom" or token.feats.get("Number") == "Plur":
                    return None
            else:
                form = self.to_case(token, after, gender=gender, animate=animate) or ""
            if not form:
                return None
            changes[i] = form
            for c in tree.children[i]:
                rel = tree.rels[c]
                if tree.word(c) == "наиболее":
                    # Taken as touched: *самый* in its place would need the new case.
                    changes[c] = tree.tokens[c].text
                elif rel in ("amod", "det", "acl") and tree.tokens[c].feats.get("Case") == before:
                    todo.append((c, gender))
                elif rel == "conj" and tree.tokens[c].feats.get("Case") == before:
                    todo.append((c, gender if tree.tokens[c].pos not in ("NOUN", "PROPN") else None))
                elif rel in ("nummod", "nummod:gov", "flat:name", "flat", "appos"):
                    return None
        return None if _goes_on(tree, max(changes), before) else changes

    def finite_gerund(self, gerund: Token, predicate: Token, subject: Token) -> str | None:
        """A gerund as a predicate that agrees with `subject`, past if `predicate` is or if the gerund is perfective."""
        source = self.parse(gerund)
        if source is None or source.tag.POS != "GRND":
            return None
        verb = self.lemma_parse(source.normal_form, ["INFN"])
        past = predicate.feats.get("Tense") == "Past" or "perf" in source.tag
        number = _number(subject)
        gender = _gender(subject) if past and number == "sing" else None
        return self._form(verb, {"VERB", "indc", number, *(("past", gender) if past else ("pres", "3per"))})

    def active_plural(self, token: Token, excluded: Collection[str]) -> str | None:
        """A passive predicate as an active verb without a subject: *построен* → *построили*.

        None for infinitives in `excluded` and for verbs whose form without -ся takes no object.
        """
        source = self.parse(token)
        if source is None:
            return None
        infinitive = str(source.normal_form)
        reflexive = source.tag.POS == "VERB" and infinitive.endswith(("ся", "сь")) and "impf" in source.tag
        if not (reflexive and infinitive not in excluded) and not (source.tag.POS == "PRTS" and "pssv" in source.tag):
            return None
        verb = self.lemma_parse(infinitive[:-2] if reflexive else infinitive, ["INFN"])
        if verb is None or "tran" not in verb.tag:
            return None
        present = reflexive and source.tag.tense != "past"
        form = self._form(verb, {"VERB", "indc", "plur", *(("pres", "3per") if present else ("past",))})
        return match_case(form, token.text) if form else None

    def superlative(self, participle: Token) -> str | None:
        """*Самый* in the form of a participle."""
        source = self.parse(participle)
        if source is None or source.tag.POS not in ("ADJF", "PRTF"):
            return None
        tag = source.tag
        gender = tag.gender if tag.number == "sing" else None
        return self._form(self.lemma_parse("самый", ["ADJF"]), {tag.number, tag.case, gender})

    def lemma(self, token: Token) -> str:
        """Dictionary form by the best-fitting reading, empty where none fits."""
        source = self.parse(token)
        return str(source.normal_form) if source is not None else ""

    def agrees(self, adjective: Token, noun: Token) -> bool:
        """Whether the adjective or participle can have the case and number of the noun, and its gender in the singular.

        *Из Лондона, подхваченная ветром*: the tagger may see an agreement that the form does not allow.
        """
        number = _number(noun)
        wanted = {_case(noun), number, None if number == "plur" else _gender(noun)} - {None}
        return any(
            parse.tag.POS in ("ADJF", "PRTF") and all(g in parse.tag for g in wanted)
            for parse in self._parses(adjective.text.lower())
        )

    def may_be(self, token: Token, grammeme: str) -> bool:
        """Whether some reading of the word has a grammeme, whatever the tagger says: *суше* is drier, or on land."""
        return any(grammeme in parse.tag for parse in self._parses(token.text.lower()))

    def has(self, token: Token, grammeme: str) -> bool:
        """Whether the best-fitting reading has a grammeme of pymorphy3: `pres`, `pssv`."""
        source = self.parse(token)
        return source is not None and grammeme in source.tag

    def instrumental(self, noun: Token) -> bool:
        """Whether the noun can be nothing but an instrumental, whatever the tagger says: *Ньютоном*."""
        parses = [parse for parse in self._parses(noun.text.lower()) if parse.tag.POS == "NOUN"]
        return bool(parses) and all("ablt" in parse.tag for parse in parses)

    def finite(self, participle: Token, gender: str | None) -> str | None:
        """A participle as the predicate of its own sentence: *имеющий* → *имеет*, *построенный* → *построен*.

        `gender` is that of the subject, or `plur`. Present passives (*используемый*) have no safe counterpart.
        """
        source = self.parse(participle)
        if source is None or source.tag.POS != "PRTF" or gender is None:
            return None
        subject = {"plur"} if gender == "plur" else {"sing", gender}
        past = source.tag.tense == "past"
        if source.tag.voice == "pssv":
            return self._form(source, {"PRTS", *subject}) if past else None
        verb = self.lemma_parse(source.normal_form, ["INFN"])
        if source.tag.tense == "pres":
            return self._form(verb, {"VERB", "indc", "pres", "3per", *(subject & {"sing", "plur"})})
        return self._form(verb, {"VERB", "indc", "past", *subject})
