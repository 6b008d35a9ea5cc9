"""Predicate detection (Table 8): a word that changes more of what is expected around it is likelier a predicate.

Sentences with gold trees or marked predicates are of a Universal Dependencies treebank, or in the format of CoNLL-2009.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rerank.analysis import LAYERS, Analysis, Analyzer, Sentence, Token
from rerank.masked.base import MaskedModel, Word
from rerank.masked.registry import create_masked_model
from rerank.ndd.attention import Balanced
from rerank.ndd.distance import Comparison, Ndd, SourceReading
from rerank.ndd.reading import predicted
from rerank.types import FloatArray
from rewrite.compression.objectives import words_of
from rewrite.compression.word_analysis import language_of, problem
from rewrite.datasets import text_lines
from rewrite.errors import BadInput, BadOption
from rewrite.evaluate.resampling import area_under_curve
from training.papers.probes.report import Cell, ProbeReport, Table, run_signature, watched
from training.parsing.treebanks import read_blocks
from training.records import drawn

_COLUMNS_2009 = 14
"""ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED; then one for each predicate."""
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
_CLINGING = re.compile(r"[.,;:!?%)\]}…]+|n't|['’]\w*")


class GoldAnalyzer(Analyzer):
    """Knows the analyses it was given, and no other text; of equal texts the first."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        super().__init__(cache_size=0)
        self._known: dict[str, Analysis] = {}
        for analysis in analyses:
            self._known.setdefault(analysis.text, analysis)

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        """One analysis per text. Raises `KeyError` for a text that it was not given."""
        return [self._known[text] for text in texts]


def read_treebank(path: Path) -> list[Analysis]:
    """The sentences of a CoNLL-U file, each an analysis with one sentence, the file's words and its tree.

    Words are the file's syntactic words, with spaces as its SpaceAfter has them; what is several (*don't*) is written
    as its parts. Empty nodes are left out. Raises `BadInput` with file and place for a row or tree that is broken.
    """
    blocks = enumerate(read_blocks(path), 1)
    sentences = [_analysis(f"{path}, sentence {number}", block.rows) for number, block in blocks]
    if not sentences:
        raise BadInput(f"{path}: no sentences in it.", hint="Give a CoNLL-U file.")
    return sentences


def _analysis(place: str, rows: Sequence[Sequence[str]]) -> Analysis:
    # A word of several is a row "3-4" before its parts, which say nothing about spaces: it does.
    glued = {row[0].split("-")[1] for row in rows if "-" in row[0] and "SpaceAfter=No" in row[9]}
    inside = {str(n) for row in rows if "-" in row[0] for n in range(*map(int, row[0].split("-")))}
    words = [row for row in rows if row[0].isdigit()]
    tokens: list[Token] = []
    text = ""
    for expected, row in enumerate(words, 1):
        number, form, head = row[0], row[1], row[6]
        if number != str(expected):
            raise BadInput(f"{place}: the word {number} comes where {expected} should.")
        if not head.isdigit() or int(head) > len(words) or head == number:
            raise BadInput(f"{place}: the head is {head!r}.", hint=f"Expected a number up to {len(words)}.")
        token = Token(form, len(text), len(text) + len(form))
        token.pos, token.rel, token.head = row[3], row[7], int(head) - 1
        tokens.append(token)
        text += form
        if number not in inside | glued and "SpaceAfter=No" not in row[9].split("|"):
            text += " "
    if 0 in depths(tokens):
        raise BadInput(f"{place}: its heads go round in a circle.")
    text = text.rstrip(" ")
    return Analysis(text, [Sentence(0, len(text), text, tokens)], layers=set(LAYERS))


def depths(tokens: Sequence[Token]) -> list[int]:
    """The depth of each word in the tree: 1 for a root, 0 for what hangs on no root."""
    children: dict[int, list[int]] = {}
    for place, token in enumerate(tokens):
        children.setdefault(token.head, []).append(place)
    by_place = [0] * len(tokens)
    level, depth = children.get(-1, []), 1
    while level:
        for place in level:
            by_place[place] = depth
        level, depth = [child for place in level for child in children.get(place, [])], depth + 1
    return by_place


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """Words, and for each whether it is a predicate."""

    words: Sequence[Word]
    predicates: Sequence[bool]


def read_conll2009(path: Path) -> list[MarkedSentence]:
    """The sentences of a file in the format of CoNLL-2009. Raises `BadInput` with file and line for a broken row.

    Predicates are the rows with `Y` for FILLPRED. Words without a form (`_`, subjects that Spanish leaves out) are left
    out; the underscores of words of several parts are spaces. The format does not tell spaces: marks that close
    something and English clitics cling to what is before them.
    """
    sentences: list[MarkedSentence] = []
    rows: list[tuple[Word, bool]] = []
    expected = 1
    for number, line in enumerate([*text_lines(path), ""], 1):
        if line.strip():
            row = _row_2009(path, number, line, expected)
            expected += 1
            if row is not None:
                rows.append(row)
        else:
            if rows:
                sentences.append(MarkedSentence([word for word, _ in rows], [is_one for _, is_one in rows]))
            rows, expected = [], 1
    if not sentences:
        raise BadInput(f"{path}: no sentences in it.", hint="Give a file in the format of CoNLL-2009.")
    return sentences


def _row_2009(path: Path, number: int, line: str, expected: int) -> tuple[Word, bool] | None:
    fields = line.split("\t")
    if len(fields) < _COLUMNS_2009:
        raise BadInput(
            f"{path}, line {number}: {len(fields)} fields, not a row of CoNLL-2009: {line[:60]!r}.",
            hint=f"It has at least {_COLUMNS_2009}, with tabs between them; a treebank goes with --conllu.",
        )
    identity, form, predicate = fields[0].strip(), fields[1].strip(), fields[12].strip()
    if identity != str(expected):
        raise BadInput(f"{path}, line {number}: the word {identity[:20]!r} comes where {expected} should.")
    if predicate not in ("Y", "_") or not form:
        what = f"FILLPRED is {predicate[:20]!r}" if form else "the form is empty"
        raise BadInput(f"{path}, line {number}: {what}.", hint="FILLPRED is Y for a predicate, else _.")
    if form == "_":
        return None
    text = _BRACKETS.get(form, form.replace("_", " ").strip() or form)
    return Word(text, spaced=expected == 1 or not _CLINGING.fullmatch(text)), predicate == "Y"


def verbs_of(analyses: Sequence[Analysis]) -> list[MarkedSentence]:
    """Sentences of a treebank with their verbs (VERB, not AUX) for predicates."""
    return [MarkedSentence(words_of(tree), [token.pos == "VERB" for token in tree.tokens]) for tree in analyses]


METHODS = (
    *(("PPL", edit) for edit in ("delete", "mask")),
    *(("NDD", edit) for edit in ("delete", "mask", "stop word", "ensemble")),
)
"""Metric and edit."""
_MU = 0.9
_LONGEST = 50
SETS: Mapping[str, tuple[str, str]] = {"eng-id": ("en", "a"), "eng-ood": ("en", "that"), "spa": ("es", "el")}
"""The language of a set of the paper and its stop word."""


def detected(model: MaskedModel, words: Sequence[Word], stop_word: str) -> dict[tuple[str, str], FloatArray]:
    """How far each edit of each word moves the sentence, by `METHODS`, shape `[words]`; higher for predicates.

    NDD is by KL divergence and balanced attention, as in compression. ΔPPL is of the edited sentence less the sentence;
    of a masked one the mask itself does not count. The ensemble is the mean of the three distances.
    """
    ndd = Ndd(model, divergence="kl", attention=Balanced(_MU))
    source = ndd.read(words)
    places = range(len(words))
    edits: dict[str, list[Comparison]] = {
        "delete": [source.keep([k for k in places if k != place]) for place in places],
        "mask": [source.mask([place]) for place in places],
        "stop word": [source.compare(_with_stop_word(words, place, stop_word)) for place in places],
    }
    moved = {("NDD", edit): ndd.distances([(source, compared)])[0] for edit, compared in edits.items()}
    moved["NDD", "ensemble"] = np.mean(list(moved.values()), axis=0)
    moved["PPL", "delete"] = _growth(model, source, edits["delete"], masked=False)
    moved["PPL", "mask"] = _growth(model, source, edits["mask"], masked=True)
    return moved


def _with_stop_word(words: Sequence[Word], place: int, stop_word: str) -> list[Word]:
    return [*words[:place], Word(stop_word, words[place].spaced), *words[place + 1 :]]


def _growth(model: MaskedModel, source: SourceReading, compared: Sequence[Comparison], *, masked: bool) -> FloatArray:
    """PPL (section 2.1: a mean of −log p over sub-words) of each edited sentence, less that of the source."""
    readings = [source.reading, *(comparison.reading for comparison in compared)]
    left_out = [None, *(place if masked else None for place in range(len(compared)))]
    rows = [
        ((number, token), row)
        for number, (reading, without) in enumerate(zip(readings, left_out, strict=True))
        for place, tokens in enumerate(reading.tokens)
        if place != without
        for token, row in zip(tokens, reading.rows(place, "piece"), strict=True)
    ]
    totals, sizes = np.zeros(len(readings)), np.zeros(len(readings))
    for (number, token), answer in predicted(model, rows):
        totals[number] -= float(answer[0, token])
        sizes[number] += 1
    values = totals / np.maximum(sizes, 1)
    growth: FloatArray = values[1:] - values[0]
    return growth


def predicates(model: MaskedModel, sentences: Sequence[MarkedSentence], *, stop_word: str, title: str) -> Table:
    """Table 8 for one set: mAP and AUC · 100, means over sentences."""
    from sklearn.metrics import average_precision_score

    figures: dict[tuple[str, str], list[tuple[float, float]]] = {method: [] for method in METHODS}
    for sentence in watched(sentences, "predicates"):
        wanted = np.array(sentence.predicates, dtype=bool)
        for method, values in detected(model, sentence.words, stop_word).items():
            area = area_under_curve(values[wanted], values[~wanted])
            figures[method].append((average_precision_score(wanted, values), area))
    rows: list[list[Cell]] = []
    for method in METHODS:
        means = 100.0 * np.nanmean(np.array(figures[method]), axis=0)
        rows.append([*method, *map(float, means)])
    return Table(f"Table 8: predicates, {title}", ("metric", "edit", "mAP", "AUC"), rows)


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    if (given.conll is None) == (given.conllu is None):
        raise BadOption("Predicates are read from one file.", hint="Give --conll FILE or --conllu FILE.")
    path: Path = given.conll or given.conllu
    read = read_conll2009(path) if given.conll else verbs_of(read_treebank(path))
    lang, stop_word = SETS.get(given.set, ("", ""))
    some = " ".join(word.text for sentence in read[:100] for word in sentence.words)
    lang = language_of(some, given.lang or lang or None)
    stop_word = given.stop_word or stop_word
    if not stop_word.strip() or len(stop_word.split()) != 1:
        raise BadOption(f"The stop word is {stop_word!r}.", hint="Give --stop-word, a word such as a, that, el or и.")
    model = create_masked_model(given.masked_model, language=lang, device=given.device)
    # Where all words are predicates, none can be ranked before another.
    usable = [s for s in read if len(s.words) <= _LONGEST and any(s.predicates) and not all(s.predicates)]
    wanted = drawn(usable, given.limit, given.seed)
    sentences = [sentence for sentence in wanted if problem(sentence.words, model) is None]
    if not sentences:
        raise BadInput(f"{path}: no sentence with a predicate that the model can read.", hint="Give another file.")
    table = predicates(model, sentences, stop_word=stop_word, title=f"{path.name} ({given.set})")
    notes = [
        f"{len(sentences):,} sentences of at most {_LONGEST} words with a predicate, "
        f"{sum(sum(sentence.predicates) for sentence in sentences):,} predicates among "
        f"{sum(len(sentence.words) for sentence in sentences):,} words; "
        f"{len(wanted) - len(sentences)} sentences that the model cannot read. Stop word: {stop_word}.",
    ]
    settings = {"data": path.name, "limit": given.limit, "seed": given.seed, "stop-word": stop_word}
    return ProbeReport([table], notes, run_signature("predicates", model, settings))
