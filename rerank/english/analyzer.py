"""English texts analysed by one spaCy pipeline, in the shapes of `rerank.analysis`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from rerank.analysis import LAYERS, Analysis, Analyzer, Entity, Sentence, Token
from rerank.english.forms import is_plural
from rerank.english.reports import hang_reports_on_what_was_said
from rerank.english.trees import TreeModel
from rerank.errors import BadInput, ModelNotFound

BUNDLED = Path(__file__).resolve().parent / "model"
_HINT = "Install the package again, or train one in a checkout: python -m training.english_parser en-open --out FOLDER."


def load_pipeline(pipeline: str | Path | None = None) -> Any:
    """The spaCy `Language` of an installed package, by its name, or of a folder; the bundled one without.

    Raises `ModelNotFound` for what is no pipeline, or has no parser that learnt Universal Dependencies.
    """
    import spacy

    chosen = str(pipeline or BUNDLED)
    try:
        nlp = spacy.load(chosen)
        # Files that are missing or do not belong together may show only when they are used.
        nlp("A word.")
    except (OSError, ValueError, LookupError, TypeError) as error:
        reason = str(error).strip().splitlines()
        raise ModelNotFound(
            f"No usable spaCy pipeline {chosen!r}: {reason[0] if reason else type(error).__name__}", hint=_HINT
        ) from error
    if "parser" not in nlp.pipe_names:
        components = ", ".join(nlp.pipe_names) or "nothing"
        raise ModelNotFound(f"The spaCy pipeline {chosen!r} has no parser, only {components}.", hint=_HINT)
    if "pobj" in nlp.get_pipe("parser").labels:
        raise ModelNotFound(
            f"The parser of {chosen!r} has the relations of ClearNLP, not of Universal Dependencies.", hint=_HINT
        )
    return nlp


ENGLISH_LAYERS = (*LAYERS, "lemma")
_BATCH = 64
_ENTITIES: Mapping[str, str] = MappingProxyType(
    {"PERSON": "PER", "PER": "PER", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "ORG": "ORG"}
)
_SURROGATES = re.compile("[\ud800-\udfff]")
_ENDS = re.compile(r"[.!?…:;\n]$|\n")
_CLOSERS = frozenset("\"'”’»)]") | {"''"}


class EnglishToken(Token):
    """A token of spaCy's, with its `lemma`; relations are those of Universal Dependencies."""

    __slots__ = ("lemma",)

    def __init__(self, text: str, start: int, stop: int) -> None:
        super().__init__(text, start, stop)
        self.lemma = ""

    @property
    def lower(self) -> str:
        """The text in small letters."""
        return self.text.lower()

    @property
    def is_mark(self) -> bool:
        """Whether it has no letter and no digit."""
        return not any(character.isalnum() for character in self.text)

    def feature(self, name: str) -> str:
        """The value of a morphological feature, empty where the word has none."""
        return self.feats.get(name, "")


class EnglishAnalyzer(Analyzer):
    """Analyses English texts in batches and remembers the last `cache_size` distinct ones.

    `pipeline` is a folder or the name of an installed spaCy package; without it the bundled one is taken. Its tokens
    are `EnglishToken`; its one pass gives all layers, so asking for fewer saves nothing. Where it has no recogniser of
    names there are no entities.

    With `trees` each text is one sentence, whatever the pipeline thinks of its stops: words, lemmas and names are the
    pipeline's, heads, relations (of subtypes `acl:relcl` alone), parts of speech and features those that `trees` finds;
    of a text that is too long for it the pipeline's. Raises `ModelNotFound` without a pipeline whose parser learnt
    Universal Dependencies, at the first text or at `load`.
    """

    language, layers = "en", ENGLISH_LAYERS

    def __init__(
        self, pipeline: str | Path | None = None, *, trees: TreeModel | None = None, cache_size: int = 20_000
    ) -> None:
        super().__init__(cache_size=cache_size)
        self._given, self._trees = pipeline, trees

    @cached_property
    def _nlp(self) -> Any:
        return load_pipeline(self._given)

    @property
    def signature(self) -> str:
        """Names and versions of the pipeline and of `trees`, for the signature of what was scored with them."""
        meta = self._nlp.meta
        trees = f"+{self._trees.signature()}" if self._trees else ""
        return f"{meta['lang']}_{meta['name']}@{meta['version']}{trees}"

    @property
    def navec(self) -> NoReturn:
        """There are no word vectors for English here: raises `ModelNotFound`."""
        raise ModelNotFound("The word vectors of this score are Russian only.", hint="Leave it out for English texts.")

    @property
    def morphology(self) -> NoReturn:
        """There is no dictionary of forms for English here: raises `ModelNotFound`."""
        raise ModelNotFound("The dictionary of forms is Russian only.", hint="Leave this score out for English texts.")

    def load(self, layers: Iterable[str] = ENGLISH_LAYERS) -> None:
        """Load the pipeline now rather than at the first text."""
        _ = self._nlp

    def _begin(self, texts: list[str]) -> list[Analysis]:
        """All layers at once. Raises `BadInput` for a text longer than the pipeline allows (a million characters)."""
        analyses = list(self._parse(texts))
        if self._trees is not None:
            _plant(analyses, self._trees)
        return analyses

    def _parse(self, texts: Sequence[str]) -> Iterator[Analysis]:
        limit = self._nlp.max_length
        for text in texts:
            if len(text) > limit:
                raise BadInput(f"A text of {len(text):,} characters; the parser takes {limit:,}.", hint="Split it.")
        # Offsets stay: a lone surrogate is one character, and so is what stands for it.
        clean = (_SURROGATES.sub("\ufffd", text) for text in texts)
        docs = (self._document(text) for text in clean)
        for text, doc in zip(texts, self._nlp.pipe(docs, batch_size=_BATCH), strict=True):
            sentences = [s for span in doc.sents if (s := self._sentence(text, span)) is not None]
            yield Analysis(text, sentences, _entities(text, doc), set(ENGLISH_LAYERS))

    def _document(self, text: str) -> Any:
        """Tokens, with the places where no sentence can begin.

        A sentence begins after a mark that can end one, with what closes there, or after a line break; whether it
        does, the parser says. Left to itself it cuts *…, police said | Sunday.*
        """
        doc = self._nlp.make_doc(text)
        open_ = True
        for token in doc:
            if not open_:
                token.is_sent_start = False
            open_ = _ENDS.search(token.text) is not None or (open_ and token.text in _CLOSERS)
        return doc

    def _sentence(self, text: str, span: Any) -> Sentence | None:
        words = [word for word in span if not word.is_space]
        if not words:
            return None
        tokens = _tokens(text, words)
        hang_reports_on_what_was_said(tokens)
        start, stop = tokens[0].start, tokens[-1].stop
        return Sentence(start, stop, text[start:stop], list(tokens))


def _tokens(text: str, words: Sequence[Any]) -> list[EnglishToken]:
    """spaCy's words of one sentence, without those that are white space, as tokens with one root."""
    places = {word.i: number for number, word in enumerate(words)}
    tokens: list[EnglishToken] = []
    for word in words:
        start, stop = word.idx, word.idx + len(word.text)
        token = EnglishToken(text[start:stop], start, stop)
        token.pos, token.feats, token.lemma = word.pos_, word.morph.to_dict(), word.lemma_
        token.head = _head(word, places)
        token.rel = "root" if word.dep_ == "ROOT" else word.dep_
        tokens.append(token)
    _one_root(tokens)
    return tokens


def _head(word: Any, places: Mapping[int, int]) -> int:
    """The number of a word's head, past white space; −1 for a root."""
    head = word.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return -1 if head.i == word.i or head.i not in places else places[head.i]


def _one_root(tokens: Sequence[Token]) -> None:
    # White space may have been the root, and leave several behind.
    roots = [n for n, token in enumerate(tokens) if token.head < 0]
    for number in roots[1:]:
        tokens[number].head, tokens[number].rel = roots[0], "parataxis"
    tokens[roots[0]].rel = "root"


def _plant(analyses: Sequence[Analysis], trees: TreeModel) -> None:
    """Make each text one sentence, with the tree that the network finds for its words."""
    for analysis in analyses:
        _join(analysis)
    for analysis, tree in zip(analyses, trees.trees([[t.text for t in a.tokens] for a in analyses]), strict=True):
        if tree is not None:
            for number, token in enumerate(analysis.tokens):
                token.head, token.rel = tree.heads[number], tree.relations[number]
                token.pos, token.feats = tree.pos[number], dict(tree.features[number])
                if token.pos == "NOUN" and token.feats.get("Number") == "Sing" and is_plural(token.text.lower()):
                    token.feats["Number"] = "Plur"
            hang_reports_on_what_was_said(analysis.tokens)
        for token in analysis.tokens:
            token.rel = token.rel if token.rel == "acl:relcl" else token.rel.split(":")[0]


def _join(analysis: Analysis) -> None:
    """Make one sentence of all."""
    tokens: list[Token] = []
    for sentence in analysis.sentences:
        for token in sentence.tokens:
            token.head += len(tokens) if token.head >= 0 else 0
        tokens += sentence.tokens
    if tokens:
        _one_root(tokens)
        start, stop = tokens[0].start, tokens[-1].stop
        analysis.sentences = [Sentence(start, stop, analysis.text[start:stop], tokens)]


def _entities(text: str, doc: Any) -> tuple[Entity, ...]:
    return tuple(
        Entity(span.start_char, span.end_char, _ENTITIES[span.label_], text[span.start_char : span.end_char])
        for span in doc.ents
        if span.label_ in _ENTITIES
    )
