"""Which splits are refused, and which are doubtful: named rules over the source's parse.

A split that breaks a rule of `FACTS` would lose or change what is said, and is never proposed. One that breaks a rule
of `FORM` would rather not be printed; a parse may be wrong, so it is proposed behind the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType

from rewrite.splitting.clauses import finite, has_subject, top
from rewrite.splitting.openers import PAST, PHRASE_SLOTS, PRESENT, phrase_slot
from rewrite.splitting.pronouns import pronoun_of
from rewrite.splitting.split import Split
from rewrite.splitting.words import CLOSING, OPENING, Words

__all__ = ["FACTS", "FORM", "broken"]

Rule = Callable[[Words, Split], bool]

_DROPPABLE = frozenset(
    """
    and but yet so who which that where while whereas although though however thus then also therefore both
    is was are were has have had of in
    """.split()
)
_RELATIVE = frozenset({"who", "which", "that", "whose", "whom", "where"})
_SUBJECT_PRONOUNS = frozenset(
    {"he", "she", "it", "they", "this", "these", "that", "those", "we", "i", "you", "there", "one", "some"}
)
_PERSONAL = frozenset({"he", "she", "it", "they", "we", "i", "you"})
_SINGULAR = frozenset({"he", "she", "it", "this", "that"})
_PLURAL = frozenset({"they", "these", "those", "we"})
_AUXILIARIES = frozenset("is was are were has had have does do did been be".split())
# What keeps the sense of a conjunction that is dropped, where something must.
_CONTRAST: Mapping[str, tuple[str, ...]] = {
    "but": ("but", "however", "still", "instead"),
    "yet": ("but", "however", "still"),
    "although": ("however", "but", "still"),
    "though": ("however", "but", "still"),
    "whereas": ("however", "but"),
    "however": ("however", "but", "still"),
    "so": ("so", "therefore", "thus"),
    "therefore": ("therefore", "thus", "so"),
    "thus": ("thus", "therefore", "so"),
    "then": ("then",),
    "also": ("also",),
    "both": ("both",),
    "because": ("because",),
}
_ASKING = frozenset(
    """
    because when if that the a an of to and or but nor as than while although though unless until since whether who
    which whose where my our your their its such so very not no is was are were be been has have had
    """.split()
)
_HANGING = frozenset("that who whom whose which than of to by as because although though unless until if".split())
_QUOTES = frozenset({'"', "''", "``", "“", "”"})
_FEWEST = 3


def drops_content(words: Words, split: Split) -> bool:
    """A dropped word says something that nothing says again."""
    for number in range(split.start, split.kept):
        word = words[number]
        if word.is_mark and word.text not in OPENING | CLOSING | _QUOTES:
            continue
        if number == split.verb and word.pos == "VERB" and {PAST, PRESENT} & set(split.opener):
            continue
        if word.lower in _CONTRAST:
            if word.lower not in ("both", "but", "yet") and not set(_CONTRAST[word.lower]) & set(split.opener):
                return True
            continue
        if word.lower in ("of", "in"):
            # *one of which*, *in which*: what they stand before goes with them.
            return True
        if word.lower in _AUXILIARIES and word.lower not in split.opener:
            return True
        if word.pos == "PRON" and word.lower in _SUBJECT_PRONOUNS and _opens_with_subject(split):
            continue
        if word.lower == "that" and word.rel == "mark":
            # What somebody says or thinks, or that something is so, must not stand as said outright.
            return True
        if word.lower not in _DROPPABLE:
            return True
    return False


def cuts_alternatives(words: Words, split: Split) -> bool:
    """*A or B*, *either A or B*, *neither A nor B*, *not only A but B*: two sentences would say both, or one alone."""
    here = {words[n].lower for n in range(split.start, min(split.kept + 1, len(words)))}
    before = [words[n].lower for n in range(split.start)]
    if here & {"or", "nor", "rather", "than", "if", "unless", "until", "lest"}:
        return True
    return (any(one in before for one in ("either", "neither", "whether")) and "and" not in here) or (
        any(a == "not" and b in ("only", "just") for a, b in pairwise(before)) and "but" in here
    )


def cuts_condition(words: Words, split: Split) -> bool:
    """A condition or a thing denied, said or wished holds for what is cut off from it."""
    head = top(words, range(split.kept, split.stop))
    if head < 0:
        return False
    governor = words[head].head
    if not 0 <= governor < split.start:
        return False
    relation = words[head].rel
    if relation in ("ccomp", "xcomp", "csubj"):
        return not _is_quoted(words, split.kept)
    if relation != "conj" or has_subject(words, head, range(split.kept, split.stop)):
        return False
    held = [governor, *_above(words, governor)]
    marks = {words[c].lower for n in held for c in words.children[n] if words[c].rel in ("mark", "advmod")}
    return bool(marks & {"if", "unless", "whether", "not", "never", "n't"}) or (
        not finite(words, head) and any(words[n].rel in ("ccomp", "xcomp", "csubj", "acl", "advcl") for n in held)
    )


def _above(words: Words, number: int) -> list[int]:
    """The clauses that a clause is a part of."""
    found = []
    while words[number].rel in ("ccomp", "xcomp", "csubj", "advcl", "acl", "conj") and words[number].head >= 0:
        number = words[number].head
        found.append(number)
    return found


def _is_quoted(words: Words, number: int) -> bool:
    return words[number].text in _QUOTES


def dangles(words: Words, split: Split) -> bool:
    """The first sentence ends in a word that asks for more: *because*, *the*, *of*; or the second begins so."""
    left = [n for n in range(split.start) if not words[n].is_mark or words[n].text in CLOSING | _QUOTES]
    last = words[left[-1]] if left else None
    if last is None or last.lower in _ASKING or last.pos in ("DET", "CCONJ", "SCONJ"):
        return True
    if last.pos == "ADP" and last.rel in ("case", "mark") and last.head >= split.start:
        return True
    first = words[split.kept]
    return not split.opener and (first.lower in _HANGING or (first.pos == "CCONJ" and first.lower != "but"))


def unbalanced(words: Words, split: Split) -> bool:
    """A bracket or a quotation is open at one of the ends of what is cut out."""
    for place in (split.start, split.stop):
        texts = [words[n].text for n in range(place)]
        if sum(t in OPENING for t in texts) > sum(t in CLOSING for t in texts):
            return True
        if (
            place < words.end
            and sum(t in _QUOTES for t in texts) % 2
            and sum(w.text in _QUOTES for w in words.words) % 2 == 0
        ):
            return True
    return False


def too_short(words: Words, split: Split) -> bool:
    """One of the sentences would have fewer than three words."""
    second = sum(not words[n].is_mark for n in range(split.kept, split.stop)) + len(split.opener)
    first = sum(not words[n].is_mark for n in (*range(split.start), *range(split.stop, words.end)))
    return min(first, second) < _FEWEST


def no_subject(words: Words, split: Split) -> bool:
    """The second sentence has no subject, or no finite verb."""
    numbers = range(split.kept, split.stop)
    head = top(words, numbers)
    if head < 0:
        return True
    subject = _opens_with_subject(split) or has_subject(words, head, numbers)
    verb = finite(words, head) or bool(set(split.opener) & (_AUXILIARIES | {PAST, PRESENT, "'s"}))
    return not (subject and verb)


def two_subjects(words: Words, split: Split) -> bool:
    """The opener brings a subject, and the clause behind it has one."""
    numbers = range(split.kept, split.stop)
    head = top(words, numbers)
    return head >= 0 and _opens_with_subject(split) and has_subject(words, head, numbers)


def two_verbs(words: Words, split: Split) -> bool:
    """The opener brings a finite verb, and the clause behind it has one of its own; or neither fits the other."""
    head = top(words, range(split.kept, split.stop))
    brings = bool(set(split.opener) & (_AUXILIARIES | {PAST, PRESENT, "'s"}))
    if head < 0:
        return False
    own = finite(words, head) and (
        words[head].pos in ("VERB", "AUX")
        or any(split.kept <= c < split.stop and words[c].rel == "cop" for c in words.children[head])
    )
    return brings and own


def disagrees(words: Words, split: Split) -> bool:
    """The opener's pronoun is singular and the verb plural, or the other way round."""
    subject = next((part for part in split.opener if part in _SINGULAR | _PLURAL), "")
    if not subject:
        return False
    if any(part in ("are", "were", "have", "do") for part in split.opener):
        return subject in _SINGULAR
    if any(part in ("is", "was", "has", "does", PRESENT) for part in split.opener):
        return subject in _PLURAL
    verb = _first_finite(words, split)
    if verb is None:
        return False
    word = words[verb]
    is_plural = word.lower in ("are", "were", "have", "do") or (
        word.feature("Number") == "Plur" and word.feature("Tense") == "Pres"
    )
    is_singular = word.lower in ("is", "was", "has", "does") or (
        word.feature("Number") == "Sing" and word.feature("Person") == "3" and word.feature("Tense") == "Pres"
    )
    return is_plural if subject in _SINGULAR else is_singular


def fragment(words: Words, split: Split) -> bool:
    """What stays as the first sentence has no finite verb with a subject, or hangs as a clause on what went."""
    rest = [*range(split.start), *range(split.stop, words.end)]
    head = top(words, rest)
    if split.lead:
        return False
    if head < 0 or not finite(words, head):
        return True
    is_clause = words[head].rel in ("advcl", "acl", "acl:relcl", "ccomp", "csubj")
    return is_clause or not has_subject(words, head, rest)


def other_subject(words: Words, split: Split) -> bool:
    """The opener names another subject than the one that the verb has in the source: *Mary, who … → He …*."""
    numbers = range(split.kept, split.stop)
    head = top(words, numbers)
    if head < 0 or has_subject(words, head, numbers):
        return False
    said = next((part for part in split.opener if part in _PERSONAL), "")
    gone = {words[n].lower for n in range(split.start, split.kept)}
    if ("which" in gone and said in ("he", "she")) or ("who" in gone and said == "it"):
        return True
    subject = _shared_subject(words, head)
    if not 0 <= subject < split.start:
        return False
    word = words[subject]
    if split.antecedent >= 0 and phrase_slot(split.opener):
        return split.antecedent != subject and words[split.antecedent].head != subject and word.pos != "PRON"
    if not said:
        return False
    if word.lower in _PERSONAL:
        return said != word.lower
    fitting = pronoun_of(words, subject)
    return said in ("i", "you", "we") or (bool(fitting) and said != fitting)


def _shared_subject(words: Words, head: int) -> int:
    """What the verb of a second sentence says something of: the subject before it, or the noun that it hangs on."""
    relation = words[head].rel
    if relation in ("acl:relcl", "acl", "appos"):
        return words[head].head
    return _subject_of(words, words[head].head) if relation == "conj" else -1


def _subject_of(words: Words, verb: int) -> int:
    """The subject of a verb, or of the verb that it is joined to; −1 without one."""
    seen: set[int] = set()
    while verb >= 0 and verb not in seen:
        seen.add(verb)
        found = next((c for c in words.children[verb] if words[c].rel.split(":")[0] == "nsubj"), -1)
        if found >= 0:
            return found
        verb = words[verb].head if words[verb].rel == "conj" else -1
    return -1


def under_report(words: Words, split: Split) -> bool:
    """What is cut off was part of what somebody says or thinks: *I think he left and he sold it*."""
    head = top(words, range(split.kept, split.stop))
    if head < 0 or words[head].rel != "conj":
        return False
    return any(words[n].rel in ("ccomp", "xcomp") for n in _chain(words, words[head].head))


def _chain(words: Words, number: int) -> list[int]:
    return [number, *_above(words, number)]


def _opens_with_subject(split: Split) -> bool:
    return any(part in _SUBJECT_PRONOUNS or part in PHRASE_SLOTS for part in split.opener)


def _first_finite(words: Words, split: Split) -> int | None:
    head = top(words, range(split.kept, split.stop))
    if head < 0:
        return None
    near = [
        c for c in words.children[head] if split.kept <= c < split.stop and words[c].rel in ("aux", "cop", "aux:pass")
    ]
    return min(near) if near else head


def loses_relative(words: Words, split: Split) -> bool:
    """A relative pronoun goes that was no subject, or whose sentence gets no subject for it."""
    gone = [n for n in range(split.start, split.kept) if words[n].lower in _RELATIVE]
    for number in gone:
        relation = words[number].rel.split(":")[0]
        if words[number].lower == "whose":
            return not set(split.opener) & {"his", "her", "its", "their"}
        if relation == "nsubj" and not _opens_with_subject(split):
            return True
        if relation in ("obj", "obl", "nmod", "iobj") and words[number].lower != "where":
            return True
    return False


FACTS: Mapping[str, Rule] = MappingProxyType(
    {
        "drops-content": drops_content,
        "alternatives": cuts_alternatives,
        "condition": cuts_condition,
        "unbalanced": unbalanced,
        "too-short": too_short,
        "dangles": dangles,
    }
)
FORM: Mapping[str, Rule] = MappingProxyType(
    {
        "no-subject": no_subject,
        "two-subjects": two_subjects,
        "two-verbs": two_verbs,
        "disagrees": disagrees,
        "fragment": fragment,
        "relative": loses_relative,
        "other-subject": other_subject,
        "under-report": under_report,
    }
)


def broken(words: Words, split: Split, rules: Mapping[str, Rule]) -> list[str]:
    """The names of the rules that a split breaks."""
    return [name for name, rule in rules.items() if rule(words, split)]
