"""What `training.sft` reads: plain sentences, pairs, tasks made of them; all that measures a model is left out."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rewrite.datasets import Pair, load_pairs, load_rsse, load_ruadapt
from training.calibrate_similarity import read_pairs as read_paraphrases
from training.disk import write_text
from training.valency import sample_sentences

__all__ = ["Corpus", "HeldBack", "gather", "paraphrase_pairs", "synthetic_pairs", "task"]

_HELD_OUT = 300
_GRAM = 8
_WORD = re.compile(r"\w+")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("ё", "е"))


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1))


class HeldBack:
    """Texts that training must not see. `in` tells whether a text equals one, or has eight words in a row with one.

    Case, punctuation and the dots of «ё» make no difference.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        split = [_words(text) for text in texts]
        self._whole = {tuple(words) for words in split}
        self._grams = {gram for words in split for gram in _grams(words)}

    def __contains__(self, text: str) -> bool:
        words = _words(text)
        return tuple(words) in self._whole or any(gram in self._grams for gram in _grams(words))


@dataclass(frozen=True)
class Corpus:
    """What the model may see: plain `sentences` and `pairs` by the name of their set; `held_out` pairs it may not."""

    sentences: list[str]
    pairs: dict[str, list[Pair]]
    held_out: list[Pair]


def paraphrase_pairs(path: Path) -> list[Pair]:
    """The paraphrases (class 1) of ParaPhraser whose sides differ in length, each from the longer to the shorter."""
    sides = [sorted(texts, key=len) for *texts, label in zip(*read_paraphrases(path), strict=True) if label == 1]
    return [Pair(long, short) for short, long in sides if len(short) < len(long)]


def adapted_pairs(folder: Path, closed: tuple[str, ...] = (".", "!", "?", "…")) -> list[Pair]:
    """RuAdapt's pairs that are aligned well and whose sides both end as `closed` says."""
    # Poor alignments teach to invent; the corpus has sentences cut at an abbreviation, too.
    return [
        pair
        for pair in load_ruadapt(folder)
        if (pair.similarity or 0) >= 0.5 and pair.source.endswith(closed) and pair.target.endswith(closed)
    ]


def _rewrite(preset: str, sentences: Sequence[str], seconds: float) -> list[Pair]:
    from rewrite.pipeline import Pipeline
    from rewrite.request import Options

    pipeline = Pipeline(Options(preset=preset))
    end = time.monotonic() + seconds
    pairs: list[Pair] = []
    for start in range(0, len(sentences), 128):
        if time.monotonic() > end:
            break
        batch = sentences[start : start + 128]
        pairs += [Pair(s, str(r)) for s, r in zip(batch, pipeline.run(batch, full=False), strict=True)]
    return pairs


def synthetic_pairs(path: Path, sentences: Sequence[str], *, minutes: float, seed: int) -> list[Pair]:
    """Rewrites of `sentences` by this project itself, with presets `balanced` and `simple` for half of them each.

    Read from `path` (JSON lines) where it is there; else made, in a process for each preset, and kept in it.
    """
    if not path.is_file():
        shuffled = random.Random(seed).sample(sentences, len(sentences))
        with ProcessPoolExecutor(2) as pool:
            halves = pool.map(_rewrite, ("balanced", "simple"), (shuffled[::2], shuffled[1::2]), [60 * minutes] * 2)
            rows = [{"source": p.source, "target": p.target} for half in halves for p in half]
        write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return [pair for pair in load_pairs(path) if pair.target not in ("", pair.source)]


def gather(data: Path, synthetic: Path, *, limit: int | None, minutes: float, seed: int) -> Corpus:
    """All that is trained on: at most `limit` plain sentences, the sets of pairs, and what is held out of them.

    Prints how much there is of each. Raises `BadInput` where a file is missing.
    """
    held_back = HeldBack(example.source for example in load_rsse(data / "rsse" / "dev_sents.csv"))
    found = sample_sentences(data / "ru_mono", limit, seed=seed)
    sentences = [text for text in dict.fromkeys(found) if text not in held_back]
    print(f"sentences: {len(sentences)}, {len(found) - len(sentences)} left out (repeated, or in RSSE dev)")
    sets = {
        "ruadapt": adapted_pairs(data / "ruadapt"),
        "paraphraser": paraphrase_pairs(data / "paraphraser_ru" / "paraphrases.xml"),
        "synthetic": synthetic_pairs(synthetic, sentences, minutes=minutes, seed=seed),
    }
    pairs: dict[str, list[Pair]] = {}
    held_out: list[Pair] = []
    for name, rows in sets.items():
        kept = [p for p in dict.fromkeys(rows) if p.source not in held_back and p.target not in held_back]
        random.Random(seed).shuffle(kept)
        aside = min(_HELD_OUT, len(kept) // 20)
        held_out += kept[:aside]
        pairs[name] = kept[aside:]
        print(f"{name}: {len(pairs[name])} pairs, {aside} held out, {len(rows) - len(kept)} left out")
    unseen = HeldBack(pair.source for pair in held_out)
    seen = {name: [pair for pair in rows if pair.source not in unseen] for name, rows in pairs.items()}
    return Corpus([text for text in sentences if text not in unseen], seen, held_out)


def _with_noise(words: list[str], others: list[str], rng: random.Random) -> list[str]:
    """Words of another sentence put in, or two neighbours swapped, for the model to undo."""
    at = rng.randrange(1, len(words))
    if rng.random() < 0.7:
        start = rng.randrange(len(others))
        return words[:at] + others[start : start + rng.randint(1, 5)] + words[at:]
    return [*words[: at - 1], words[at], words[at - 1], *words[at + 1 :]]


def _shortened(text: str, rng: random.Random) -> str:
    """Without one of the stretches between commas or brackets, never the first; `text` where there is none."""
    stretches = list(re.finditer(r",[^,()]{3,60}(?=[,.])| \([^()]*\)", text))
    if not stretches:
        return text
    cut = rng.choice(stretches)
    return text[: cut.start()] + text[cut.end() :]


def task(text: str, other: str, rng: random.Random) -> tuple[Pair, bool]:
    """A pair made of a plain sentence, and whether its source is worth learning as text: it is where it has no noise.

    Of ten, six are copies, two lose a stretch and two have noise, in part words of `other`, to be undone.
    """
    kind = rng.random()
    if kind < 0.2:
        return Pair(" ".join(_with_noise(text.split(), other.split(), rng)), text), False
    return Pair(text, _shortened(text, rng) if kind < 0.4 else text), True
