"""Rules of agreement, reported only where no combination of readings agrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.wellformed.dangling import GOVERNED
from rerank.wellformed.readings import LISTS, Form
from rerank.wellformed.view import Fault, View

_QUANTITY = LISTS.words("quantities")
_NEUTRAL = frozenset("кто что это то все сам один никто ничто некто нечто каждый который".split())
_JOINTS = frozenset({"и", "или", "ни", "с", "со", "а", "но", "да", "плюс", "вместе", "что", "как", "чем"})
_VERBAL = frozenset({"VERB", "ADJS", "PRTS"})


def subject_verb(candidate: View, source: View) -> Iterator[Fault]:
    """A nominative subject and its finite verb agree in number, person and, in the past, gender."""
    for index, token in enumerate(candidate.tokens):
        head = candidate.heads[index]
        if not token.rel.startswith("nsubj") or head < 0:
            continue
        verb = _agreeing_word(candidate, head)
        if verb is None or not _plain_subject(candidate, index) or not _close(candidate, index, verb):
            continue
        subjects = [form for form in candidate.forms(index) if form.nominal and form.case == "nom"]
        verbs = [form for form in candidate.forms(verb) if form.pos in _VERBAL]
        if not subjects or not verbs or any(_agree(subject, form) for subject in subjects for form in verbs):
            continue
        if _rival(candidate, index, verb):
            continue
        if abs(verb - index) <= 2 or _tagged_apart(candidate, index, verb):
            pair = f"{token.text} … {candidate.tokens[verb].text}"
            yield pair, "subject and predicate do not agree"


def _close(view: View, index: int, verb: int) -> bool:
    """Within one clause: no mark, conjunction or other verb in between, and nothing joined to the subject."""
    low, high = min(index, verb), max(index, verb)
    # What depends on the subject (a participial clause, say) does not come between.
    phrase = view.subtree(index)
    between = [i for i in range(low + 1, high) if i not in phrase]
    if len(between) > 6 or high - low > 20:
        return False
    enclosed = index < verb and view.is_comma(index + 1) and view.is_comma(verb - 1)
    if any(not view.is_word(i) and not (enclosed and view.is_comma(i)) for i in between):
        return False
    if any(view.is_finite(i) or view.lower[i] in _JOINTS for i in between):
        return False
    near = range(index - 5, index + 6)
    return view.feat(verb, "Number") != "Plur" or not any(view.word(i) in _JOINTS or view.is_comma(i) for i in near)


def _rival(view: View, index: int, verb: int) -> bool:
    """Whether the "subject" may be an object (силы составляла пехота), another noun near by agreeing with the verb."""
    if not any(form.case == "acc" for form in view.forms(index)):
        return False
    verbs = [form for form in view.forms(verb) if form.pos in _VERBAL]
    near = range(max(verb - 5, 0), min(verb + 6, len(view)))
    others = [
        i for i in near if i != index and view.feat(i, "Case") == "Nom" and view.tokens[i].pos in ("NOUN", "PROPN")
    ]
    nominatives = [form for i in others for form in view.forms(i) if form.nominal and form.case == "nom"]
    return any(_agree(form, verb_form) for form in nominatives for verb_form in verbs)


def _tagged_apart(view: View, index: int, verb: int) -> bool:
    """Whether the tagger, which sees the context, also reads different numbers or genders."""
    return any(
        view.feat(index, name) and view.feat(verb, name) and view.feat(index, name) != view.feat(verb, name)
        for name in ("Number", "Gender", "Person")
    )


def _agreeing_word(view: View, head: int) -> int | None:
    """The word that shows agreement with a subject of `head`: the verb, or the auxiliary of a short participle."""
    children = view.children[head]
    if any(view.tokens[child].rel == "cop" for child in children):
        return None
    return head if view.tokens[head].pos in ("VERB", "ADJ", "AUX") else None


def _plain_subject(view: View, index: int) -> bool:
    """A single inflected noun in the nominative, neither counted, joined, foreign nor abbreviated."""
    token = view.tokens[index]
    word = view.lower[index]
    if token.pos == "PROPN":
        return _first_name(view, index)
    if token.pos not in ("NOUN", "PRON") or token.feats.get("Case") != "Nom":
        return False
    if view.lemmas(index) & _QUANTITY or view.lemmas(index) & _NEUTRAL or not word.isalpha():
        return False
    if token.text.isupper() and len(token.text) > 1:
        return False
    if not all(form.known for form in view.forms(index)) or any("Fixd" in f.grammemes for f in view.forms(index)):
        return False
    if view.child_relations(index) & {"conj", "nummod", "cc", "list", "appos", "flat"}:
        return False
    before, after = view.word(index - 1), view.word(index + 1)
    if before in ("и", "или", "ни") or after in ("и", "или", "с", "со", "«", '"', "(") or before[:1].isdigit():
        return False
    return not (after and view.tokens[index + 1].text[0].isupper())


def _first_name(view: View, index: int) -> bool:
    """A first name of one gender, alone or with a surname: the only kind of name that shows its gender surely."""
    forms = view.forms(index)
    known = all(form.known and "Name" in form.grammemes and "ms-f" not in form.grammemes for form in forms)
    joined = view.child_relations(index) & {"conj", "cc", "list"} or view.word(index + 1) in ("и", "или", "с", "со")
    return bool(forms) and known and not joined and view.word(index - 1) not in ("и", "или", "ни", "«")


def _agree(subject: Form, verb: Form) -> bool:
    if not subject.number or not verb.number or "Fixd" in subject.grammemes:
        return True
    if subject.number != verb.number:
        return "Pltm" in subject.grammemes and verb.number == "plur"
    if verb.tense in ("pres", "futr") and verb.pos == "VERB":
        return not verb.person or verb.person == (subject.person or "3")
    if verb.number == "plur" or not verb.gender or not subject.gender:
        return True
    # "врач сказала": a masculine noun of a person may take a feminine verb.
    person = "anim" in subject.grammemes and subject.gender == "m" and verb.gender == "f" and verb.pos == "VERB"
    return verb.gender == subject.gender or person or "ms-f" in {g.lower() for g in subject.grammemes}


def adjective_noun(candidate: View, source: View) -> Iterator[Fault]:
    """An adjective, participle or pronoun before its noun agrees with it in case, number and gender."""
    for index, token in enumerate(candidate.tokens):
        head = candidate.heads[index]
        if token.rel not in ("amod", "det") or not 0 < head - index <= 3:
            # A broken pair is often parsed as no pair at all: then the noun right after is asked.
            head = index + 1
            if token.pos != "ADJ" or head >= len(candidate) or _agrees_elsewhere(candidate, index):
                continue
        if not _plain_pair(candidate, index, head):
            continue
        adjectives = candidate.forms(index)
        # The tagger has read a noun here: what the dictionary offers besides (день as a verb) does not count.
        nouns = [form for form in candidate.forms(head) if form.nominal]
        if not nouns or not adjectives or not all(form.adjectival for form in adjectives):
            continue
        if not all(form.known for form in (*adjectives, *nouns)):
            continue
        if any(fits(adjective, noun) for adjective in adjectives for noun in nouns):
            continue
        if _comparable(candidate, index, adjectives, nouns):
            yield candidate.quote(index, head), "the modifier does not agree with its noun"


def _comparable(view: View, index: int, adjectives: Sequence[Form], nouns: Sequence[Form]) -> bool:
    """Whether the two can only be a pair.

    A modifier in another case may govern the noun (богатой событиями), be a predicate (назвал важным вопрос) or stand
    for a noun itself (больных туберкулёзом).
    """
    case = {form.case for form in adjectives}
    if case & {form.case for form in nouns}:
        return True
    governed = GOVERNED.get(view.word(index - 1))
    if governed is not None and (not case & governed or governed & {form.case for form in nouns}):
        return True
    object_like = {form.case for form in nouns} <= {"nom", "acc", "loc"}
    return object_like and "ins" not in case and all(form.pos == "ADJF" for form in adjectives)


def _agrees_elsewhere(view: View, index: int) -> bool:
    """Whether a modifier agrees with some noun around it, or is a pronoun, which may stand alone."""
    forms = view.forms(index)
    if any("Apro" in form.grammemes for form in forms):
        return True
    around = [i for i in range(index - 4, index + 6) if i != index]
    return any(noun.nominal and fits(form, noun) for i in around for noun in view.forms(i) for form in forms)


def _plain_pair(view: View, index: int, head: int) -> bool:
    """Neither counted, joined nor named: agreement follows other rules there (два больших дома, 1-й и 2-й тома)."""
    if any("Subx" in form.grammemes for form in view.forms(index)):
        return False
    if view.tokens[index].text[:1].isupper() and index != view.sentence_of(index)[0]:
        return False
    if view.tokens[head].text[:1].isupper() or view.tokens[head].pos != "NOUN":
        return False
    between = range(index + 1, head)
    if any(view.tokens[i].pos not in ("ADJ", "DET", "ADV") or view.lower[i] in ("и", ",") for i in between):
        return False
    if view.child_relations(index) & {"conj", "cc", "obl", "obj", "nummod"} or view.child_relations(head) & {
        "nummod",
        "cc",
        "conj",
    }:
        return False
    before = view.word(index - 1)
    return view.tokens[index - 1].pos != "NUM" and before not in ("и", "или", ",") and not before[:1].isdigit()


def fits(adjective: Form, noun: Form) -> bool:
    """Whether one reading of a modifier agrees with one of a noun."""
    if "Fixd" in noun.grammemes or "Fixd" in adjective.grammemes or not adjective.case:
        return True
    if adjective.number != noun.number and "Pltm" not in noun.grammemes:
        return False
    if adjective.case != noun.case:
        return False
    return adjective.number == "plur" or not noun.gender or not adjective.gender or adjective.gender == noun.gender
