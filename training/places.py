"""Sentences of the data folder by where they stand, as rows of this repository name them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rerank.english.detokenising import detokenised as english_text
from rerank.errors import BadInput
from rewrite.datasets import text_lines
from training.masked.corpora import SETS
from training.records import read_paragraphs

_MONO = {
    "wiki": "wikineural_wiki_sents",
    "rt": "news_russia_today",
    "ng": "news_ng",
    "lenta": "news_lenta_sample",
    "nerel": "nerel_wikinews",
    "econ": "rurebus_econ_docs",
    "analytics": "rusentrel_analytics",
    "fiction": "fiction_classics",
}
_PARALLEL = {
    "tico": "tico19",
    "newstest": "newstest2012-2020",
    "ntrex": "ntrex128",
    "flores": "flores101_devtest",
}
_WIKISPLIT = "wikisplit-validation"
_BEFORE, _AFTER, _QUOTED = re.compile(r"\s+([.,;:!?»)])"), re.compile(r"([«(])\s+"), re.compile(r'"\s*([^"]*?)\s*"')


class Places:
    """Sentences by place, all numbers from 0.

    Russian ones: `FILE:LINE` of ru_mono or parallel_enru by the short names here, or `FILE:LINE:START-END` in the
    detokenised line. English ones: `FILE:LINE` of parallel_enru, `wikisplit-validation:LINE` for the complex sentence
    there (detokenised, unless `detokenise` is false), `SET:PARAGRAPH:SENTENCE` in a set of the masked model.
    """

    def __init__(self, data: Path, *, detokenise: bool = True) -> None:
        self._data = data
        self._detokenise = detokenise
        self._paragraphs = cache(lambda name: list(SETS[name](data)))
        self._lines = cache(self._read)

    def text(self, place: str) -> str:
        """The sentence at a place. Raises `BadInput` where there is none."""
        name, line, *within = place.split(":")
        try:
            if within and "-" not in within[0]:
                return str(self._paragraphs(name)[int(line)][int(within[0])])
            text = self._lines(name)[int(line)]
            if not within:
                return text
            start, end = map(int, within[0].split("-"))
            return detokenised(text)[start:end]
        except (BadInput, KeyError, IndexError, ValueError):
            raise BadInput(f"There is no place {place!r} in {self._data}.", hint="Check the data folder.") from None

    def _read(self, name: str) -> list[str]:
        if name in _MONO:
            return read_paragraphs(self._data / "ru_mono", _MONO[name])
        if name == _WIKISPLIT:
            rows = text_lines(self._data / "wikisplit/validation.tsv")
            sentences = [row.partition("\t")[0].strip() for row in rows]
            return [english_text(text) for text in sentences] if self._detokenise else sentences
        lines = text_lines(self._data / "parallel_enru" / f"{_PARALLEL.get(name, name)}.tsv.xz")
        return [line.split("\t")[-1 if name in _PARALLEL else 0].strip() for line in lines]


def detokenised(text: str) -> str:
    """Russian text whose marks stand apart from its words, as in some files of ru_mono, with them where they belong."""
    return _QUOTED.sub(r'"\1"', _AFTER.sub(r"\1", _BEFORE.sub(r"\1", text)))
