"""Control values that stand before the target of a language model, as in ACCESS (Martin et al., 2020) and MUSS.

Four digits say what is asked for: how it is rewritten, how long, in how many sentences, in how common words. In
training they are measured on each pair of texts; at decoding they are chosen, so one model serves every wish.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, get_args

from rewrite.errors import BadOption
from rewrite.layout import count_words

Style = Literal["light", "plain", "short", "split", "terse"]
STYLES: tuple[Style, ...] = get_args(Style)
"""In simpler words; as an editor would print it; the main point; several sentences; as RuSimpleSentEval's writers."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_END = re.compile(r"[.!?…][»\")]*\s+(?=[«\"(]?[A-ZА-ЯЁ\d])")
_LEAST_LENGTH = 2
_MOST_SENTENCES = 4
# A digit of commonness stands for 2.5 % of the mean Zipf frequency; 4 is as common as the source.
_AS_COMMON = 4
_COMMONNESS_STEP = 0.025


@dataclass(frozen=True, slots=True)
class Controls:
    """What a rewrite is to be like.

    - `style`: one of `STYLES`.
    - `length`: its characters in tenths of the source's, from 2 to 11.
    - `sentences`: from 1 to 4, where 4 is four or more.
    - `common`: how common its words are beside the source's, from 0 to 9; 4 is alike, a step 2.5 % of the mean Zipf
      frequency.
    """

    style: Style = "plain"
    length: int = 7
    sentences: int = 1
    common: int = 5

    @property
    def text(self) -> str:
        """The four digits that the model reads."""
        return f"{STYLES.index(self.style)}{self.length - _LEAST_LENGTH}{self.sentences}{self.common}"

    @classmethod
    def read(cls, text: str) -> Controls:
        """Controls from their `text`. Raises `BadOption`."""
        if not re.fullmatch(r"[0-4][0-9][1-4][0-9]", text):
            raise BadOption(f"{text!r} are no controls.", hint="They are four digits, such as 1514.")
        style, length, sentences, common = map(int, text)
        return cls(STYLES[style], length + _LEAST_LENGTH, sentences, common)


SPREAD = (
    Controls("light", 10, 1, 5),
    Controls("split", 10, 2, 5),
    Controls("light", 9, 1, 6),
    Controls("plain", 8, 1, 5),
    Controls("light", 10, 2, 5),
    Controls("short", 5, 1, 5),
)
"""What the draws for one sentence ask for in turn, so that one pool has something for all weights."""
SPLIT_SPREAD = (Controls("split", 10, 2, 4), Controls("split", 11, 2, 4), Controls("split", 10, 2, 5))
"""As `SPREAD`, where several sentences in the same words are wanted."""
_SPREADS = {"split": SPLIT_SPREAD}
_LEAST_TO_SPLIT = 12
"""Words of a sentence that is asked to become several."""
_WORDS_A_SENTENCE = 14


def spread_for(
    source: str, *, task: str = "simplify", sentences: int | None = None, max_words: int | None = None
) -> tuple[Controls, ...]:
    """`SPREAD` as it suits `source`: a short sentence is not split, a long one into as many as it has thoughts for.

    For the task split it is `SPLIT_SPREAD`, which has several sentences whatever the length.

    With `sentences` (1 or more) all ask for that many, with `max_words` for as many as sentences of so many words need.
    """
    words = count_words(source)
    if sentences is None and max_words is not None:
        sentences = math.ceil(words / max_words)
    pieces = min(sentences or max(round(words / _WORDS_A_SENTENCE), 2), _MOST_SENTENCES)
    is_short = words < _LEAST_TO_SPLIT if sentences is None else pieces == 1
    either = sentences is None and not is_short
    spread = spread_of(task)
    fitting = [controls for controls in spread if either or (controls.sentences == 1) == is_short] or spread
    return tuple(replace(controls, sentences=pieces) if controls.sentences > 1 else controls for controls in fitting)


def spread_of(task: str) -> tuple[Controls, ...]:
    """What the draws of a task ask for in turn."""
    return _SPREADS.get(task, SPREAD)


def measured(source: str, target: str, style: Style, *, language: str = "ru") -> Controls:
    """The controls that `target` fulfils as a rewrite of `source`, both not empty."""
    length = round(10 * len(target) / len(source))
    ratio = commonness(target, language) / commonness(source, language)
    common = _AS_COMMON + round((ratio - 1) / _COMMONNESS_STEP)
    return Controls(
        style=style,
        length=min(max(length, _LEAST_LENGTH), _LEAST_LENGTH + 9),
        sentences=min(sentences_in(target), _MOST_SENTENCES),
        common=min(max(common, 0), 9),
    )


def sentences_in(text: str) -> int:
    """Sentences in a short text, by end marks before capitals: abbreviations count too, in training as in use."""
    return 1 + len(_END.findall(text))


def commonness(text: str, language: str) -> float:
    """Mean Zipf frequency (log10 per billion words, of wordfreq) of the words with three letters or more; above 0."""
    words: Sequence[str] = _WORD.findall(text.lower())
    known = [_zipf(word, language) for word in words]
    return max(sum(known) / len(known), 0.1) if known else 4.0


@cache
def _frequencies(language: str) -> dict[str, float]:
    from wordfreq import get_frequency_dict

    frequencies: dict[str, float] = get_frequency_dict(language)
    return frequencies


def _zipf(word: str, language: str) -> float:
    frequency = _frequencies(language).get(word, 0.0)
    return max(math.log10(frequency) + 9, 0.0) if frequency else 1.0
