"""Count how often verbs, nouns, adjectives and adverbs come with each kind of dependent, in parsed news and wiki text.

    python -m training.valency --data ../shared/data --out rewrite/models/valency_ru.json.gz

The table that the `edits` generator reads is `{head: [bare, {frame: share}]}`: `bare` is the share of the head's
occurrences with no complement at all, `share` that of the occurrences with such a dependent; both lie in [0, 1].
Heads seen fewer than 12 times are left out, and shares below 0.12. All 133,000 sentences take a few minutes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rerank.analysis import Analyzer, Token
from rerank.errors import BadInput
from rerank.morphology import Morphology
from rerank.segmentation import sentences
from rewrite.generators.edits.valency import COMPLEMENTS, Valency, frame_key, head_key

__all__ = ["Counts", "count", "read_paragraphs", "sample_sentences", "table", "write_table"]

# How many sentences of each file: encyclopaedia and news, the text that people ask to be made simpler.
FILES = {
    "wikineural_wiki_sents": 30_000,
    "news_russia_today": 60_000,
    "news_ng": 25_000,
    "nerel_wikinews": 8_000,
    "news_lenta_sample": 5_000,
    "rurebus_econ_docs": 5_000,
}
_SHORTEST, _LONGEST = 5, 35
_BATCH = 2_000
_HEADS = frozenset({"VERB", "NOUN", "ADJ", "ADV"})
_DEPENDENTS = COMPLEMENTS | frozenset(
    {"amod", "advmod", "acl", "acl:relcl", "advcl", "nummod:gov", "appos", "det", "nsubj", "nsubj:pass"}
)
_LEAST_SEEN = 12
_LEAST_SHARE = 0.12
_SELDOM_BARE = 0.15


@dataclass
class Counts:
    """Occurrences by head: all of them, those with no complement, and those with each frame."""

    seen: Counter[str] = field(default_factory=Counter)
    bare: Counter[str] = field(default_factory=Counter)
    frames: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def _suits(text: str) -> bool:
    return _SHORTEST <= text.count(" ") <= _LONGEST and text.endswith(".") and text[0].isupper()


def sample_sentences(folder: Path, limit: int | None, *, seed: int = 0) -> list[str]:
    """Whole sentences of 6 to 36 words from the files of `folder`, at most `limit` shared out in proportion.

    Raises `BadInput` where a file is missing.
    """
    rng = random.Random(seed)
    share = 1.0 if limit is None else limit / sum(FILES.values())
    found: list[str] = []
    for name, quota in FILES.items():
        paragraphs = read_paragraphs(folder, name)
        rng.shuffle(paragraphs)
        found += _first_sentences(paragraphs, math.ceil(quota * share))
    return found[:limit]


def read_paragraphs(folder: Path, name: str) -> list[str]:
    """The paragraphs of one file of ru_mono; raises `BadInput` where it is missing."""
    path = folder / f"{name}.txt.xz"
    if not path.is_file():
        raise BadInput(f"No file {str(path)!r}.", hint="Give the folder that holds ru_mono.")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [line.strip() for line in file]


def _first_sentences(paragraphs: Sequence[str], quota: int) -> list[str]:
    found: list[str] = []
    for paragraph in paragraphs:
        if len(found) >= quota:
            break
        texts = (text for _, _, text in sentences(paragraph))
        found += [text for text in texts if _suits(text)]
    return found[:quota]


def count(texts: Sequence[str], analyzer: Analyzer, valency: Valency) -> Counts:
    """Parse the texts and count the heads and frames in them."""
    counts = Counts()
    for start in range(0, len(texts), _BATCH):
        for analysis in analyzer.analyze(texts[start : start + _BATCH], ("morph", "syntax")):
            for sentence in analysis.sentences:
                _count_sentence(sentence.tokens, valency, counts)
    return counts


def _count_sentence(tokens: Sequence[Token], valency: Valency, counts: Counts) -> None:
    children: defaultdict[int, list[int]] = defaultdict(list)
    for i, token in enumerate(tokens):
        if token.head not in (-1, i):
            children[token.head].append(i)
    for i, token in enumerate(tokens):
        if token.pos not in _HEADS:
            continue
        head = head_key(token, valency.lemma(token))
        dependents = [c for c in children[i] if tokens[c].rel in _DEPENDENTS]
        counts.seen[head] += 1
        counts.frames[head].update(set(_frames(tokens, dependents, children)))
        counts.bare[head] += not any(tokens[c].rel in COMPLEMENTS for c in dependents)


def _frames(tokens: Sequence[Token], dependents: Sequence[int], children: defaultdict[int, list[int]]) -> Iterator[str]:
    for c in dependents:
        # Subjects are never cut, so they are not asked for.
        if tokens[c].rel in ("nsubj", "nsubj:pass"):
            continue
        prepositions = " ".join(tokens[p].text.lower() for p in children[c] if tokens[p].rel == "case")
        yield frame_key(tokens[c].rel, prepositions, tokens[c].feats.get("Case", ""))


def table(counts: Counts) -> dict[str, list[float | dict[str, float]]]:
    """Shares of the heads seen often enough, smoothed by two occurrences more."""
    found: dict[str, list[float | dict[str, float]]] = {}
    for head, seen in counts.seen.items():
        if seen < _LEAST_SEEN:
            continue
        shares = {frame: n / (seen + 2) for frame, n in counts.frames[head].items()}
        frames = {frame: round(share, 2) for frame, share in shares.items() if share >= _LEAST_SHARE}
        bare = round((counts.bare[head] + 0.5) / (seen + 2), 2)
        if frames or bare < _SELDOM_BARE:
            found[head] = [bare, frames]
    return found


def write_table(found: dict[str, list[float | dict[str, float]]], path: Path) -> None:
    """Gzipped JSON, the same bytes for the same table."""
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def main() -> None:
    """Read the options, make the table, say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with ru_mono")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sentences", type=int, help="how many to read; all by default")
    parser.add_argument("--seed", type=int, default=0, help="which sentences are read")
    options = parser.parse_args()
    texts = sample_sentences(options.data / "ru_mono", options.sentences, seed=options.seed)
    # Lemmas need no table of their own.
    valency = Valency(Morphology(), table={})
    found = table(count(texts, Analyzer(cache_size=1), valency))
    write_table(found, options.out)
    print(f"{options.out}: {len(found)} heads from {len(texts)} sentences, {options.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
