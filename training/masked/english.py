"""English text for the small masked model: each set read into paragraphs, these into sentences fit to learn from.

Sets whose makers allow no commercial use are not here (WebNLG, SumPubMed, ASSET), but for the Brown corpus, which a
recipe must name; neither are those without prose (NLTK's web text, the manual of PHP).
"""

from __future__ import annotations

import json
import lzma
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from rerank.english.detokenising import detokenised
from rerank.errors import BadInput
from rewrite.datasets import text_lines
from training.papers.probes.wordnet import DEBIAN, KINDS, synset_rows

Paragraphs = Iterator[list[str]]

_NLTK = Path("en_mono") / "nltk_corpora.tar.xz"
_WIKITEXT = Path("en_mono") / "wiki.valid.tokens"
_DIALOGUE = re.compile(r"^[A-Z .]+:")
_SPACES = re.compile(r"\s+")
_BRACKETS = re.compile(r"\b[LR]RB\b")
_EXAMPLE = re.compile(r'"([^"]*)"')
# Examples from books end with who wrote them: `"… a cold world"- Henry David Thoreau`.
_AUTHOR = re.compile(r"\s*[-\N{EN DASH}\N{EM DASH}]+\s*[A-Z].*$")
# Where a review says its marks, or what it is about, and no sentence.
_REVIEW_HEAD = re.compile(
    r"\b(?:starring|directed by|running time|rated|rating|mpaa|written by)\b.*:|^capsule|^synopsis"
)


def _members(data: Path, folder: str) -> Iterator[tuple[str, str]]:
    """Name and text of each file of a folder of the NLTK archive, in the archive's order.

    Raises `BadInput` where the archive is missing or broken.
    """
    path = data / _NLTK
    try:
        with tarfile.open(path, "r:xz") as archive:
            for member in archive:
                name = member.name.removeprefix("./").removeprefix("packages/corpora/")
                file = archive.extractfile(member) if name.startswith(f"{folder}/") and member.isfile() else None
                if file is not None:
                    yield name, _decoded(file.read())
    except (OSError, EOFError, tarfile.TarError, lzma.LZMAError) as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error}.", hint="Give the folder that holds en_mono.") from error


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").replace("\ufffd", "'")


def _prose(paragraphs: Iterable[str]) -> Paragraphs:
    """The sentences of paragraphs that are not tokenised."""
    for paragraph in paragraphs:
        text = _SPACES.sub(" ", paragraph.replace("--", " — ")).strip()
        yield [whole_quotes(sentence) for sentence in split_english(text) if suits_english(sentence)]


def _plain(folder: str) -> Callable[[Path], Paragraphs]:
    """A reader of NLTK's files of this folder that hold a paragraph a line."""

    def read(data: Path) -> Paragraphs:
        for name, text in _members(data, folder):
            if name.endswith(".txt"):
                yield from _prose(line for line in text.splitlines() if not _DIALOGUE.match(line))

    return read


def _tagged(folder: str, files: str, between: str, mark: str) -> Callable[[Path], Paragraphs]:
    """A reader of NLTK's files of tagged words: those whose names match, paragraphs apart by a pattern."""

    def read(data: Path) -> Paragraphs:
        for name, text in _members(data, folder):
            for block in re.split(between, text) if re.search(files, name) else ():
                lines = (untagged(line.split(), mark) for line in block.splitlines())
                yield [line for line in lines if suits_english(line)]

    return read


def _reviews(data: Path) -> Paragraphs:
    for name, text in _members(data, "movie_reviews"):
        if name.endswith(".txt") and "README" not in name:
            lines = (detokenised(line) for line in text.splitlines())
            yield [line for line in lines if suits_english(line, lower=True) and not _REVIEW_HEAD.search(line)]


def _wikitext(data: Path) -> Paragraphs:
    for row in text_lines(data / _WIKITEXT):
        if row.strip() and not row.strip().startswith("="):
            text = detokenised(row)
            yield [sentence for sentence in split_english(text) if suits_english(sentence)]


def _parallel(name: str, *, tokens: bool = False) -> Callable[[Path], Paragraphs]:
    """A reader of the English column of a parallel file."""

    def read(data: Path) -> Paragraphs:
        rows = (row.split("\t")[0] for row in text_lines(data / "parallel_enru" / f"{name}.tsv.xz"))
        return _prose(map(detokenised, rows) if tokens else rows)

    return read


def _complex(path: str) -> Callable[[Path], Paragraphs]:
    """A reader of the long sentences of a splitting set."""

    def read(data: Path) -> Paragraphs:
        rows = (row.split("\t")[0] for row in text_lines(data / path))
        return _prose(detokenised(row) for row in rows if not _BRACKETS.search(row))

    return read


def _abstracts(data: Path) -> Paragraphs:
    for row in text_lines(data / "scitldr" / "train.jsonl"):
        yield from _prose([" ".join(json.loads(row)["source"])])


def _glosses(data: Path) -> Iterator[list[str]]:
    """For each synset a paragraph: its first word with the definition, then its examples that are long enough.

    WordNet's files are those in `data/wordnet`, else Debian's. Raises `BadInput` where they are missing.
    """
    folder = data / "wordnet" if (data / "wordnet").is_dir() else DEBIAN
    for kind in KINDS:
        for _, fields, gloss in synset_rows(folder, kind):
            sentences = _sentences(fields[4].split("(")[0].replace("_", " "), gloss)
            yield [sentence for sentence in sentences if suits_english(sentence, lower=True)]


def _sentences(word: str, gloss: str) -> Iterator[str]:
    examples = _EXAMPLE.findall(gloss)
    meaning = _AUTHOR.sub("", _EXAMPLE.sub("", gloss)).strip(" ;:,-\t\n")
    yield _ended(f"{word}: {meaning.replace(';', ',')}" if '"' not in meaning else "")
    yield from map(_ended, examples)


def _ended(text: str) -> str:
    plain = _SPACES.sub(" ", text).strip(" ;,")
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."


ENGLISH: Mapping[str, Callable[[Path], Paragraphs]] = {
    "abc": _plain("abc"),
    # Tweets and transcripts of talk have hardly a sentence that is whole.
    "masc": _tagged("masc_tagged", r"^(?!.*(?:/spoken/|tweets)).*\.txt$", r"\n\s*\n", "_"),
    "brown": _tagged("brown", r"/c[a-r]\d\d$", r"\n[ \t]*\n(?=\t)", "/"),
    "wordnet": _glosses,
    "movie_reviews": _reviews,
    "state_union": _plain("state_union"),
    "inaugural": _plain("inaugural"),
    "wikitext": _wikitext,
    "newstest": _parallel("newstest2012-2020"),
    "tatoeba": _parallel("tatoeba-test-v2021-08-07"),
    "ntrex": _parallel("ntrex128"),
    "flores": _parallel("flores101_devtest"),
    "tico": _parallel("tico19"),
    "mlqe": _parallel("mlqe_pe_reddit_quotes", tokens=True),
    "wikisplit": _complex("wikisplit/tune.tsv"),
    "minwiki": _complex("desse_minwiki/MinWiki/matchvp_train.complex"),
    "desse": _complex("desse_minwiki/ACL2021/train.complex"),
    "scitldr": _abstracts,
}
"""Readers of paragraphs, each a list of its sentences, by the name of the set; a reader takes the data folder."""


_HYPHEN = "\N{SOFT HYPHEN}"
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof rev gen col sen rep gov lt sgt capt st mt no vs jr sr inc ltd co corp dept fig figs eq eqs "
    "approx jan feb mar apr jun jul aug sep sept oct nov dec al etc cf pp vol hon messrs "
    "e.g i.e u.s u.k a.m p.m".split()
)
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z.]*)\.[\"'”’)\]]*$")
_STRANGE = re.compile(r"[<>|@\\{}=_*~^]|https?:|www\.|\.com\b")
_WORDS = (4, 70)
_LETTERS = 0.7
_CLOSED = re.compile(r"[.!?…][\"'”’)\]]*$")


def untagged(tokens: Iterable[str], mark: str) -> str:
    """The text of tokens as `word_TAG`, or with another `mark` than `_`, ordinary again.

    A hyphen that is tagged as one joins its neighbours.
    """
    pieces = []
    for token in tokens:
        word, _, tag = token.rpartition(mark)
        pieces.append(_HYPHEN if (word, tag) == ("-", "-") else word)
    return detokenised(" ".join(pieces).replace(f" {_HYPHEN} ", "-").replace(_HYPHEN, "-"))


def split_english(text: str) -> list[str]:
    """The sentences of a paragraph. A stop after an initial or a usual abbreviation ends none."""
    sentences, start = [], 0
    for match in _END.finditer(text):
        if not _goes_on(text[start : match.start()]):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    return [*sentences, text[start:].strip()] if text[start:].strip() else sentences


def _goes_on(text: str) -> bool:
    match = _LAST_WORD.search(text)
    return match is not None and (len(match[1]) == 1 or match[1].lower() in _ABBREVIATIONS)


def suits_english(text: str, *, lower: bool = False) -> bool:
    """Whether it is a whole sentence of 4 to 70 words, of letters for the most part.

    `lower` says that the corpus has no capitals. Left out are headings (no mark at their end), addresses, markup, and
    what is in capitals throughout.
    """
    count = len(text.split())
    letters = sum(c.isascii() and c.isalpha() for c in text)
    begins = lower or not text[:1].islower()
    return (
        begins
        and _WORDS[0] <= count <= _WORDS[1]
        and letters >= _LETTERS * len(text)
        and _CLOSED.search(text) is not None
        and _STRANGE.search(text) is None
        and text != text.upper()
    )


def whole_quotes(text: str) -> str:
    """Without a quote at its start or end whose partner stands in another sentence."""
    if text.count('"') != 1:
        return text
    return text.removeprefix('"').removesuffix('"').strip()
