"""Which words may not be cut, and which may go only together.

A cut that denies less than its source, halves a number or a name, or leaves half a pair of brackets says something
else or nothing. Rules are functions of the text; the spans that offend one are not offered to the search.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path

from rerank.analysis import Analysis, Sentence, Token
from rerank.masked.words import split
from rerank.tree import Tree
from rerank.wordlists import WordLists, denials
from rewrite.across.terms import Terms
from rewrite.compression.word_analysis import is_word
from rewrite.generators.spans import Span

_Range = tuple[int, int]

_LISTS = WordLists(Path(__file__).with_name("words.txt"))

# Words that deny or nearly deny a statement, and those that take something out of it.
_NEGATION = {
    "en": rf"\b(?:{'|'.join(denials('en'))}|unless|except|unlikely|far\s+from|yet\s+to)\b|n['’]t\b",
    "ru": rf"\b(?:{'|'.join(denials('ru'))}|никого|никому|ничего|ничему|никак\w*|кроме|за\s+исключением|лишь|якобы)\b",
    "zh": r"不(?![仅但过断管])|没有?|(?<!尚)未(?!来)|尚未|无(?!论)|非(?![常洲])|勿|莫(?!名)|别(?![人的墅])|否(?!则)",
    "other": r"\b(?:no|ni|nunca|jamás|nadie|nada|sin|tampoco|ne|n['’]|pas|jamais|rien|aucune?|personne|sans|nicht"
    r"|kein\w*|nie|niemals|niemand|nichts|weder|noch|ohne|non|mai|nessun\w*|senza|não|nunca|sem|nie|nikt|bez|не|ні"
    r"|ніколи|без)\b|ない|なかっ|ません|ぬ(?=[。、])",
}
_MAGNITUDES = {
    "en": r"hundred|thousand|million|billion|trillion|percent|per\s+cent|[mb]n\b|[ap]\.?m\b\.?|mph|km|kg|cm|mm|ft\b",
    "ru": r"гг?\b\.?|тыс\w*\.?|млн\b\.?|млрд\b\.?|(?:ст|ч)\.\s?л\b\.?|мл\b|шт\b\.?"
    r"|миллион\w*|миллиард\w*|тысяч\w*|процент\w*|руб\w*\.?|км|кг|см|мм",
    "zh": r"[年月日时点分秒号万亿千百元岁个名次％]|公里|公斤",
    "other": r"mil(?:l?i\w+)?\b|millones|Mio\b\.?|Mrd\b\.?|Prozent|km|kg",
}
# A stop or comma after the last digit belongs to the sentence.
_DIGITS = r"[$€£¥₽#№]?\s?[-−]?\d+(?:[.,:/]+\d+)*(?:[ \u00a0\u202f]\d{3}\b(?:[.,]\d+)*)*[%‰°]?"
_RANGE = rf"{_DIGITS}(?:\s?(?:--|[-–—])\s?{_DIGITS})*"
_MONTHS = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?"
)
# *1 May 1904* and *8 века до н. э.* are numbers, *и т. д.* is one word; *т. е.* goes with the word after it.
_WRITTEN_APART = {
    "ru": re.compile(
        r"(?:[\dIVXLC]+(?:-\w+)?\s+)?(?:(?:год\w{0,3}|век\w{0,2}|гг?|вв?)\.?\s+)?(?:до\s+)?н\.\s?э\b\.?"
        r"|\bи\s+(?:т\.\s?[дп]|др|пр)\b\.?|\bв\s+т\.\s?ч\b\.?"
        r"|\bт\.\s?[екн]\b\.?,?\s+\w+"
    ),
    "en": re.compile(
        r"\b(?:[BA]\.\s?[CD]|[eE]\.\s?g|[iI]\.\s?e)\b\.?"
        rf"|\b\d{{1,2}}\s+(?:{_MONTHS})\b\.?(?:,?\s+\d{{4}}\b)?|\b(?:{_MONTHS})\b\.?\s+\d{{1,2}}\b(?:,\s+\d{{4}}\b)?"
    ),
}
_NUMBER = {
    language: re.compile(rf"{_RANGE}(?:\s?(?:[%‰°₽€$]|{words}))*", re.IGNORECASE)
    for language, words in _MAGNITUDES.items()
}
_TELEPHONE = re.compile(r"\+?\d[\d ()–-]{5,}\d")
_DENIES = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _NEGATION.items()}
_PAIRS = {pair[0]: pair[1] for pair in "() [] «» “” 「」 『』 《》 （） 【】".split()} | {"``": "''"}
_CLOSING = frozenset({*_PAIRS.values(), '"', "'", "’"})
# Clauses that say something beside the main one: without the whole of one, what is left denies as much as it did.
_CLAUSES = frozenset({"acl", "advcl", "conj", "parataxis"})
# What is said holds less with them: they go only with the word that they hedge.
_HEDGES = _LISTS.words("hedges")
# They take something out of the statement that they stand beside.
_EXCEPTIONS = frozenset("without except unless far from unlikely без безо кроме исключением лишь".split())
# Somebody claims what the sentence says: without the remark it would say so itself.
_CLAIMS = _LISTS.words("claims")
# With one of these the part says something of its own, or something of the rest.
_JOINED = frozenset("and but or nor who which that whose if when и но а или что чтобы кто если когда".split())
_PART = re.compile(r"[^,;:!?—–]+")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_MOST = 8
_STOPS = frozenset(".!?…。！？;:,；：，、—–-")
_SHORT = 3
_TITLE = 6
_ASIDE = 12
_BRACKETS = frozenset("([（【")
_IDEOGRAPHIC = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Protection:
    """Offsets of tokens that stay, groups of tokens of which a cut takes all that are left, or none, what stands
    between two marks, of which the last word goes only with them, and words that go only with others of their clause.
    """

    fixed: frozenset[int]
    wholes: tuple[frozenset[int], ...]
    enclosed: tuple[tuple[frozenset[int], frozenset[int]], ...] = ()
    with_head: tuple[tuple[int, int], ...] = ()
    ending: frozenset[int] = frozenset()

    def without_ending(self, span: Span) -> Span:
        """The span without the marks that end the sentence, which stay whatever goes before them."""
        return Span(span.starts - self.ending, span.text) if self.ending & span.starts else span

    def allows(self, span: Span, removed: frozenset[int]) -> bool:
        """Whether `span` may be cut from what is left without the tokens at `removed`."""
        starts = span.starts
        if not self.fixed.isdisjoint(starts):
            return False
        if not all(starts.isdisjoint(whole) or whole - removed <= starts for whole in self.wholes):
            return False
        if any(word in starts and head not in starts | removed for word, head in self.with_head):
            return False
        return not any(
            not words <= removed and words <= starts | removed and not marks <= starts | removed
            for marks, words in self.enclosed
        )


def protection_of(
    analysis: Analysis,
    language: str,
    *,
    keep: Sequence[str] = (),
    glossary: Terms | None = None,
    keep_entities: bool = False,
    cut_negation: bool = False,
) -> Protection:
    """What no cut in a sentence may take or part.

    Fixed are the words of `keep` and the terms of the `glossary`, negations unless `cut_negation`, and the marks that
    end the sentence; by the parse, a negation may go with the whole of a clause beside the main one, and a hedge with
    what it hedges. Fixed are also remarks that somebody claims it. Whole are numbers with their units and ranges of
    them, names (those of the analysis, and runs of capitalised words), brackets and quotation marks with their
    partners, a few words in brackets, and what is written as one word. With `keep_entities`
    names are fixed.
    """
    tokens = analysis.tokens
    names = [*((entity.start, entity.stop) for entity in analysis.entities), *_capitals(tokens)]
    numbers = [match.span() for match in _NUMBER[language].finditer(analysis.text)]
    numbers += [match.span() for match in _TELEPHONE.finditer(analysis.text) if not match[0].isdigit()]
    if language in _WRITTEN_APART:
        numbers += [match.span() for match in _WRITTEN_APART[language].finditer(analysis.text)]
    ending = frozenset(_ending(tokens))
    fixed = set(ending)
    for word in keep:
        fixed |= _in_ranges(tokens, places_of(word, analysis.text, language))
    if glossary is not None:
        fixed |= _in_ranges(tokens, [(place.start, place.stop) for place in glossary.places(analysis.text)])
    denials = () if cut_negation else tuple(_denials(analysis, language))
    fixed |= {word for word, head in denials if head is None}
    if not cut_negation:
        fixed |= _in_ranges(tokens, list(claims(analysis.text)))
    if keep_entities:
        fixed |= _in_ranges(tokens, names)
    groups = [_in_ranges(tokens, [place]) for place in (*names, *numbers)]
    groups += _counted(analysis)
    pairs = [frozenset(pair) for pair in _pairs(tokens)]
    groups += [*pairs, *_written_together(tokens)]
    enclosed = tuple((pair, _words_between(tokens, pair)) for pair in pairs)
    # What an aside in brackets says is short already: half of it says nothing.
    groups += [pair | words for pair, words in enclosed if _is_aside(tokens, pair, words) or _is_title(tokens, pair)]
    bound = tuple((word, head) for word, head in denials if head is not None)
    # A number or abbreviation that ends the sentence may go without its stop.
    return Protection(frozenset(fixed), tuple(_merged(group - ending for group in groups)), enclosed, bound, ending)


def negations(text: str, language: str) -> list[_Range]:
    """Character ranges of words that deny."""
    return [match.span() for match in _DENIES[language].finditer(text)]


def claims(text: str) -> Iterator[tuple[int, int]]:
    """Where remarks stand that somebody claims it, by the marks around them: *…, the prosecutor claimed, …*; *как
    утверждает …*.

    They are looked for in the text: a parser takes them for much else.
    """
    parts = [(match.start(), _WORD.findall(match[0].lower()), match[0]) for match in _PART.finditer(text)]
    longest = max((len(words) for _, words, _ in parts), default=0)
    for start, words, part in parts:
        if 1 < len(words) <= min(_MOST, longest - 1) and _CLAIMS & set(words) and not _JOINED & set(words):
            yield start, start + len(part)


def _denials(analysis: Analysis, language: str) -> Iterator[tuple[int, int | None]]:
    """Words that deny or hedge, each with those without which it may not go: none where it denies the statement."""
    ranges = negations(analysis.text, language)
    for sentence in analysis.sentences:
        denying = _in_ranges(sentence.tokens, ranges)
        for token in sentence.tokens:
            if token.start in denying:
                exception = token.text.lower() in _EXCEPTIONS
                clause = [] if exception else _clause_of(sentence, token)
                yield from ((token.start, start) for start in clause)
                if not clause:
                    yield token.start, None
                    yield from ((start, None) for start in _contrast(sentence, token))
            elif token.text.lower() in _HEDGES and 0 <= token.head < len(sentence.tokens):
                yield token.start, sentence.tokens[token.head].start


def _clause_of(sentence: Sentence, token: Token) -> list[int]:
    """Offsets of all words of the clause beside the main one that the token is in; empty where it is in none.

    Half of such a clause may be left to be read with the main one: *for adults but not for women or children* without
    *but not for women*. So a denial goes with the whole of it, and what has no verb is no clause.
    """
    tree = Tree(sentence.tokens)
    number = sentence.tokens.index(token)
    for _ in sentence.tokens:  # heads may form a cycle
        head = sentence.tokens[number].head
        if sentence.tokens[number].rel.split(":")[0] in _CLAUSES:
            return _words_of(tree, number) if _has_verb(tree, number) else []
        if not sentence.tokens[number].rel or not 0 <= head < len(sentence.tokens):
            return []
        number = head
    return []


def _contrast(sentence: Sentence, token: Token) -> Iterator[int]:
    """Of *dogs but not cats* the words beside *not*: without *dogs but*, or without *cats*, it says something else."""
    tree = Tree(sentence.tokens)
    if not 0 <= token.head < len(sentence.tokens):
        return
    denied = sentence.tokens[token.head]
    if denied.rel == "conj" and 0 <= denied.head < len(sentence.tokens):
        yield denied.start
        yield sentence.tokens[denied.head].start
        links = (n for n in tree.children[token.head] if tree.tokens[n].rel in {"case", "cc"})
        yield from (tree.tokens[n].start for n in links)


def _has_verb(tree: Tree, number: int) -> bool:
    rels = {tree.tokens[child].rel for child in tree.children[number]}
    return tree.tokens[number].pos in {"VERB", "AUX"} or bool(rels & {"cop", "aux", "nsubj", "nsubj:pass"})


def _words_of(tree: Tree, number: int) -> list[int]:
    return [tree.tokens[n].start for n in tree.subtree(number) if tree.tokens[n].pos != "PUNCT"]


def places_of(word: str, text: str, language: str) -> list[_Range]:
    """Character ranges where `word`, which may be several side by side, stands in `text`, whatever the case."""
    wanted = [token.word.text.casefold() for token in split(word, language)]
    tokens = split(text, language)
    words = [token.word.text.casefold() for token in tokens]
    size = len(wanted)
    return [
        (tokens[start].start, tokens[start + size - 1].stop)
        for start in range(len(words) - size + 1)
        if size and words[start : start + size] == wanted
    ]


def _in_ranges(tokens: Iterable[Token], ranges: Sequence[_Range]) -> frozenset[int]:
    return frozenset(t.start for t in tokens if any(t.start < stop and start < t.stop for start, stop in ranges))


def _ending(tokens: Sequence[Token]) -> Iterator[int]:
    """The last marks, but for quotation marks and brackets, which may go with what they close."""
    for token in reversed(tokens):
        if is_word(token.text):
            return
        if set(token.text) <= _STOPS:
            yield token.start
        elif token.text not in _CLOSING:
            return


def _capitals(tokens: Sequence[Token]) -> Iterator[_Range]:
    """Runs of two or more capitalised words.

    One that begins the sentence (*The*, *When*) is part of one only as a proper noun or, where that is not known, if it
    is not short.
    """
    for capital, group in groupby(enumerate(tokens), key=lambda numbered: _is_capital(*numbered)):
        run = [token for _, token in group]
        if capital and len(run) > 1:
            yield run[0].start, run[-1].stop


def _is_capital(number: int, token: Token) -> bool:
    named = token.pos == "PROPN" if token.pos else len(token.text) > _SHORT
    return token.text[:1].isupper() and len(token.text) > 1 and (number > 0 or named)


def _is_aside(tokens: Sequence[Token], pair: frozenset[int], words: frozenset[int]) -> bool:
    """Whether brackets hold a few words beside others, not the sentence itself."""
    brackets = any(token.start in pair and token.text in _BRACKETS for token in tokens)
    beside = sum(is_word(token.text) for token in tokens) - len(words)
    return brackets and len(words) <= _ASIDE and len(words) <= beside


def _is_title(tokens: Sequence[Token], pair: frozenset[int]) -> bool:
    """Whether quotation marks hold a few words of which the first and the last have a capital: *“War and Peace”*."""
    inside = [token for token in tokens if min(pair) < token.start < max(pair)]
    capitals = [token.text[:1].isupper() for token in inside]
    return 1 < len(inside) <= _TITLE and capitals[0] and capitals[-1]


def _counted(analysis: Analysis) -> Iterator[frozenset[int]]:
    """By the parse, a number in digits with what it counts: *5 degrees*."""
    for sentence in analysis.sentences:
        for token in sentence.tokens:
            counts = token.rel.startswith(("amod", "compound", "nummod")) and 0 <= token.head < len(sentence.tokens)
            if counts and any(map(str.isdigit, token.text)):
                yield frozenset({token.start, sentence.tokens[token.head].start})


def _words_between(tokens: Sequence[Token], pair: frozenset[int]) -> frozenset[int]:
    return frozenset(t.start for t in tokens if min(pair) < t.start < max(pair) and is_word(t.text))


def _pairs(tokens: Sequence[Token]) -> Iterator[frozenset[int]]:
    opened: list[Token] = []
    straight: Token | None = None
    for token in tokens:
        if token.text in _PAIRS:
            opened.append(token)
        elif opened and token.text == _PAIRS[opened[-1].text]:
            yield frozenset((opened.pop().start, token.start))
        elif token.text == '"':
            if straight is not None:
                yield frozenset((straight.start, token.start))
            straight = token if straight is None else None


def _written_together(tokens: Sequence[Token]) -> Iterator[frozenset[int]]:
    """Tokens with no space between them, such as *do|n't* or *well|-|known*, but for marks and Chinese characters."""
    apart = [0, *(n for n in range(1, len(tokens)) if not _clings(tokens[n - 1], tokens[n])), len(tokens)]
    yield from (frozenset(t.start for t in tokens[start:stop]) for start, stop in pairwise(apart) if stop - start > 1)


def _clings(left: Token, right: Token) -> bool:
    joined = left.text[-1] + right.text[0]
    return (
        left.stop == right.start
        and not _IDEOGRAPHIC.search(joined)
        and all(c.isalnum() or c in "-‐‑'’&/@_" for c in joined)
    )


def _merged(groups: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Groups that share a token become one; single tokens say nothing."""
    merged: list[frozenset[int]] = []
    for group in groups:
        touching = [other for other in merged if not other.isdisjoint(group)]
        merged = [other for other in merged if other.isdisjoint(group)]
        merged.append(group.union(*touching))
    return [group for group in merged if len(group) > 1]
