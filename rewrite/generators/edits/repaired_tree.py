"""A dependency parse made safe to cut: one root, no cycles, prepositions and adjectives with their nouns.

slovnet picks each head on its own, so its arcs may form cycles, several roots, or tie an adjective to a noun that it
does not agree with. A cut along such an arc leaves half a phrase behind; the repairs below are the ones that showed
most often in outputs read by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from rerank.analysis import Analysis, Analyzer, Entity, Sentence, Token
from rerank.tree import Tree

NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "X", "SYM"})
_NOUNS = frozenset({"NOUN", "PRON", "PROPN"})
_JOINED = frozenset({"conj", "parataxis"})
_AGREEING = frozenset({"amod", "det"})
_REACH = 6
_SHORTENED = frozenset("г гг др т д п р руб тыс млн млрд в вв ул им см рис стр н э англ нем фр лат итал исп".split())
_LIMITING = tuple("перв втор трет послед единствен сам люб кажд так тот та то те один одна одно".split())
_OPEN, _CLOSE, _SAME = {"«", "„", "“", "("}, {"»", "”", "“", ")"}, {'"'}


def _entity_at(token: Token, entities: Sequence[Entity]) -> int | None:
    return next((e.start for e in entities if e.start <= token.start < e.stop), None)


def _quote_depths(tokens: Sequence[Token]) -> list[int]:
    depths: list[int] = []
    depth = 0
    straight = False
    for token in tokens:
        if token.text in ("»", "”") or (token.text == '"' and straight):
            depth = max(0, depth - 1)
        depths.append(depth)
        if token.text in ("«", "„") or (token.text == '"' and not straight):
            depth += 1
        if token.text == '"':
            straight = not straight
    return depths


class RepairedTree(Tree):
    """Heads, relations and spans of one sentence: `heads[i]` is −1 for the root only.

    Punctuation hangs where the parser put it and is dealt with when a text is rendered.
    """

    def __init__(self, sentence: Sentence, entities: Sequence[Entity] = ()) -> None:
        super().__init__(sentence.tokens)
        self.start = sentence.start
        self.text = sentence.text
        self._entity = [_entity_at(t, entities) for t in self.tokens]
        self._quotes = _quote_depths(self.tokens)
        self._repair_prepositions()
        self._repair_agreement()
        self._repair_crossing()
        self._repair_coordination()
        self._single_root()
        self._break_cycles()
        self.brackets = self._repair_brackets()
        # What stands in brackets may be above what holds them.
        self._break_cycles()

    @property
    def root(self) -> int:
        """Index of the only token without a head."""
        return self.heads.index(-1)

    def words(self, i: int) -> list[int]:
        """Subtree of i without punctuation."""
        return [j for j in self.subtree(i) if self.tokens[j].pos != "PUNCT"]

    def span(self, i: int) -> tuple[int, int]:
        """First and last token that leave with i: its words and what is between, with the brackets it fills."""
        words = self.words(i)
        first, last = words[0], words[-1]
        stop = last + 1
        if self.word(last) in _SHORTENED and stop + 1 < len(self.tokens) and self.tokens[stop].text == ".":
            last = stop
        return self.brackets.get(i, (first, last))

    def contiguous(self, i: int) -> bool:
        """Whether no word from outside stands inside the subtree of i."""
        words = self.words(i)
        inside = set(words)
        return bool(words) and all(j in inside or self.tokens[j].pos == "PUNCT" for j in range(words[0], words[-1] + 1))

    def child(self, i: int, *rels: str) -> int | None:
        """First child of i with one of the relations, or None."""
        return next((c for c in self.children[i] if self.rels[c] in rels), None)

    def depth(self, i: int) -> int:
        """Steps from i up to the root."""
        depth = 0
        while self.heads[i] >= 0:
            i = self.heads[i]
            depth += 1
        return depth

    def start_in_entity(self, i: int) -> int | None:
        """Where the named entity that holds token i starts, or None outside names."""
        return self._entity[i]

    def quote_depth(self, i: int) -> int:
        """How many open quotation marks stand before token i."""
        return self._quotes[i]

    def whole_quote(self, words: Sequence[int]) -> bool:
        """Whether the words are all that some pair of quotation marks holds, with or without words around it."""
        inside = [j for j in words if self._quotes[j] > 0]
        if not inside:
            return True
        left, right = inside[0] - 1, inside[-1] + 1
        return (
            left >= 0
            and right < len(self.tokens)
            and self._quotes[left] <= 1
            and self.tokens[left].text in _OPEN | _SAME
            and (self.tokens[right].text in _CLOSE | _SAME)
        )

    def limited(self, i: int) -> bool:
        """Whether noun i has an ordinal, a superlative or a word like *единственный*: a clause then says which one."""
        return any(
            self.tokens[c].feats.get("Degree") == "Sup" or self.word(c).startswith(_LIMITING)
            for c in self.subtree(i)
            if self.heads[c] == i or self.heads[self.heads[c]] == i
        )

    def _repair_prepositions(self) -> None:
        # A preposition belongs to the next nominal on its right.
        for i, token in enumerate(self.tokens):
            if token.pos != "ADP" or self.heads[i] > i:
                continue
            for j in range(i + 1, min(i + _REACH, len(self.tokens))):
                if self.tokens[j].pos in NOMINAL:
                    self.heads[i], self.rels[i] = j, "case"
                    break

    def _repair_agreement(self) -> None:
        """Adjectives and participles go to a noun that they agree with."""
        for i, token in enumerate(self.tokens):
            head = self.heads[i]
            case = token.feats.get("Case")
            stray = self.rels[i] in ("parataxis", "nmod") and token.pos == "ADJ" and head >= 0
            if case is None or head < 0 or not (self.rels[i] in _AGREEING or stray):
                continue
            if not stray and self.tokens[head].feats.get("Case") in (case, None):
                continue
            right = range(i + 1, min(i + _REACH, len(self.tokens)))
            noun = next((j for j in right if self._agree(i, j)), None)
            if noun is not None:
                self.heads[i], self.rels[i] = noun, "amod"
            elif token.feats.get("VerbForm") == "Part" and i and self.tokens[i - 1].text == ",":
                # «…, вызывающее …»: a participial clause after its noun.
                left = next((j for j in range(i - 2, -1, -1) if self._agree(i, j)), None)
                if left is not None:
                    self.heads[i], self.rels[i] = left, "acl"

    def _agree(self, i: int, j: int) -> bool:
        mine, other = self.tokens[i].feats, self.tokens[j].feats
        if self.tokens[j].pos not in ("NOUN", "PROPN") or mine.get("Case") != other.get("Case"):
            return False
        if mine.get("Number") != other.get("Number"):
            return False
        return mine.get("Number") == "Plur" or "Gender" not in mine or mine["Gender"] == other.get("Gender")

    def _repair_crossing(self) -> None:
        # A noun after the verb is not the modifier of a noun before it.
        for i, head in enumerate(self.heads):
            if self.rels[i] not in ("nmod", "amod") or not 0 <= head < i:
                continue
            verbs = [j for j in range(head + 1, i) if self.tokens[j].feats.get("VerbForm") == "Fin"]
            if verbs:
                self.heads[i] = verbs[-1]
                self.rels[i] = "obl" if self.rels[i] == "nmod" else self.rels[i]

    def _repair_coordination(self) -> None:
        # Coordinated nouns share their case: else the conjunct belongs to the nearest noun before it that does.
        for i, token in enumerate(self.tokens):
            head = self.heads[i]
            case = token.feats.get("Case")
            if self.rels[i] != "conj" or head < 0 or token.pos not in ("NOUN", "PROPN") or case is None:
                continue
            if self.tokens[head].feats.get("Case") in (case, None):
                continue
            for j in range(i - 1, -1, -1):
                other = self.tokens[j]
                if other.pos in ("NOUN", "PROPN") and other.feats.get("Case") == case and self.heads[j] != i:
                    self.heads[i] = j
                    break

    def _single_root(self) -> None:
        roots = [i for i, head in enumerate(self.heads) if head < 0]
        if not roots:
            roots = [next((i for i, t in enumerate(self.tokens) if t.feats.get("VerbForm") == "Fin"), 0)]
            self.heads[roots[0]], self.rels[roots[0]] = -1, "root"
        finite = [i for i in roots if self.tokens[i].feats.get("VerbForm") == "Fin"]
        main = (finite or [i for i in roots if self.tokens[i].pos != "PUNCT"] or roots)[0]
        for i in roots:
            if i != main:
                self.heads[i] = main
                self.rels[i] = "conj" if self.tokens[i].pos == self.tokens[main].pos else "parataxis"
                if self.tokens[i].pos == "PUNCT":
                    self.rels[i] = "punct"

    def _repair_brackets(self) -> dict[int, tuple[int, int]]:
        """Makes what stands in brackets one subtree; node → its opening and closing bracket."""
        groups: dict[int, tuple[int, int]] = {}
        opening = -1
        for i, token in enumerate(self.tokens):
            if token.text == "(":
                opening = i
            elif token.text == ")" and opening >= 0:
                inside = [j for j in range(opening + 1, i) if self.tokens[j].pos != "PUNCT"]
                if inside and opening > 0 and not any(self.heads[j] < 0 for j in inside):
                    groups[self._gather(inside)] = (opening, i)
                opening = -1
        return groups

    def _gather(self, inside: list[int]) -> int:
        within = set(inside)
        top = next((j for j in inside if self.heads[j] not in within), inside[0])
        self.rels[top] = "parataxis"
        if self.heads[top] in within:
            self.heads[top] = self.heads.index(-1)
        for j in inside:
            if j != top and self.heads[j] not in within:
                self.heads[j] = top
        for j, head in enumerate(self.heads):
            if j not in within and head in within:
                self.heads[j] = self.heads[top]
        return top

    def _break_cycles(self) -> None:
        root = self.heads.index(-1)
        for i in range(len(self.heads)):
            seen: set[int] = set()
            j = i
            while j >= 0 and j not in seen:
                seen.add(j)
                j = self.heads[j]
            if j >= 0:
                self.heads[j], self.rels[j] = root, "parataxis"


class RepairedAnalyzer(Analyzer):
    """An `Analyzer` whose parses have one root each, no cycles, and prepositions and adjectives with their nouns.

    The parser picks each head by itself, so that a parse may have cycles, and what is in one hangs on nothing: no rule
    about dependents holds for it.
    """

    def _fill_syntax(self, analyses: list[Analysis]) -> None:
        super()._fill_syntax(analyses)
        for analysis in analyses:
            for sentence in analysis.sentences:
                _repair(sentence)
                _unseat_relative(sentence.tokens)


def _repair(sentence: Sentence) -> None:
    tokens, tree = sentence.tokens, RepairedTree(sentence)
    for token, head, rel in zip(tokens, tree.heads, tree.rels, strict=True):
        # A cycle was cut there, and most nouns that hang on verbs are no clauses.
        cut = rel == "parataxis" != token.rel and token.pos in _NOUNS and tokens[head].pos == "VERB"
        token.head, token.rel = head, "obl" if cut else rel


def _unseat_relative(tokens: Sequence[Token]) -> None:
    """*Размер штрафа, который суд назначит, составит …*: the head is not the verb of the relative clause.

    The parser takes the first verb for it. What stands before that clause and hangs on its verb belongs to the other.
    """
    root = next((n for n, token in enumerate(tokens) if token.head < 0), -1)
    opening = next((n for n in range(1, root) if _opens_relative(tokens, n)), -1)
    if opening < 1:
        return
    main = next((n for n, t in enumerate(tokens) if n > root and t.head == root and _is_clause(t)), -1)
    subject = any(t.head in (main, root) and t.rel.startswith("nsubj") for t in tokens[:opening])
    if main < 0 or not subject:
        return
    for token in tokens[:opening]:
        token.head = main if token.head == root else token.head
    tokens[main].head, tokens[main].rel = -1, "root"
    tokens[root].head, tokens[root].rel = opening - 1, "acl:relcl"


def _opens_relative(tokens: Sequence[Token], number: int) -> bool:
    """Whether the token is a comma between a noun and *который*, perhaps after a preposition."""
    after = [token.text.lower() for token in tokens[number + 1 : number + 3]]
    relative = any(word.startswith("котор") for word in after)
    return tokens[number].text == "," and relative and tokens[number - 1].pos in _NOUNS


def _is_clause(token: Token) -> bool:
    return token.rel in _JOINED and token.feats.get("VerbForm") == "Fin"
