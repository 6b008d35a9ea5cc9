"""Count what editors put in the place of a connective where they cut a sentence in two.

    python -m training.breaks --pairs runs/gemma-ru/pairs --out rewrite/models/breaks_ru.tsv

`--pairs` is the folder that `training.adapter_pairs` writes. Each sentence and its split are aligned; where a full
stop came in, words that both sides share after it are left out, and what is left on both sides must be marks,
conjunctions, pronouns, prepositions and adverbs alone. Kept are leads met twice or more, the four commonest of each
connective.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from rerank.analysis import tokens
from rerank.frequency import fold
from rerank.morphology import Morphology
from rewrite.controls import STYLES
from training.command import command_line

_OPENING = frozenset({",", ";", ":", "—", "–", "-", "и"})
_UNFIT = frozenset('«»()"“”„.!?…')
_FUNCTION = frozenset({"PREP", "CONJ", "PRCL", "NPRO", "ADVB"})
_LONGEST_CONNECTIVE, _LONGEST_LEAD = 4, 4
_LEAST, _LEADS = 2, 4
_PRONOMINAL = frozenset("это этот эта эти этого этому этим этой этих этом его ее их тот та те чего чем чему".split())


def count_breaks(pairs: Iterator[tuple[str, str]], morphology: Morphology) -> Counter[tuple[str, str]]:
    """How often each (connective, lead) was met in pairs of a sentence and its split; folded."""
    counts: Counter[tuple[str, str]] = Counter()
    for source, target in pairs:
        old, new = ([text for _, _, text in tokens(side)] for side in (source, target))
        for old_part, new_part in _changes(old, new):
            connective, lead = _without_common_end(old_part, new_part)
            if _fits(connective, lead, morphology):
                counts[" ".join(connective), " ".join(lead)] += 1
    return counts


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Both sides, folded, of each difference that brings a full stop; what follows the stop counts as changed."""
    right = [text if i and new[i - 1] == "." else fold(text) for i, text in enumerate(new)]
    left = [fold(text) for text in old]
    matcher = SequenceMatcher(lambda text: not text[0].isalnum(), left[:-1], right[:-1], autojunk=False)
    for kind, i, j, x, y in matcher.get_opcodes():
        if kind != "equal" and "." in right[x:y]:
            yield left[i:j], [fold(text) for text in right[x:y]]


def _without_common_end(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """The connective, and the lead without its full stop, both without the words at their end that they share."""
    lead = new[1:] if new[:1] == ["."] else ["?"]
    while len(old) > 1 and lead and old[-1] == lead[-1]:
        old, lead = old[:-1], lead[:-1]
    return old, lead


def _fits(connective: Sequence[str], lead: Sequence[str], morphology: Morphology) -> bool:
    if not connective or connective[0] not in _OPENING or len(connective) > _LONGEST_CONNECTIVE:
        return False
    words = (*connective, *lead)
    return len(lead) <= _LONGEST_LEAD and _UNFIT.isdisjoint(words) and all(_is_function(w, morphology) for w in words)


def _is_function(word: str, morphology: Morphology) -> bool:
    if not word[0].isalpha() or word in _PRONOMINAL or word.startswith("котор"):
        return True
    return morphology.parse(word)[0].pos in _FUNCTION


def _splits(folder: Path) -> Iterator[tuple[str, str]]:
    split = str(STYLES.index("split"))
    for path in sorted(folder.glob("written_ru*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["controls"][0] == split:
                yield row["source"], row["target"]


def main() -> None:
    """Read the options, count, write."""
    parser = command_line("breaks", __doc__)
    parser.add_argument("--pairs", type=Path, required=True, help="folder that training.adapter_pairs wrote")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    counts = count_breaks(_splits(options.pairs), Morphology())
    totals: Counter[str] = Counter()
    for (connective, _), count in counts.items():
        totals[connective] += count
    lines: list[str] = []
    for connective, _ in sorted(totals.items(), key=lambda item: (-item[1], item[0])):
        leads = sorted(((n, lead) for (c, lead), n in counts.items() if c == connective), key=lambda x: (-x[0], x[1]))
        # A lead met once is one writer's turn of phrase, or a misread pair: *, которого* is not *он*.
        lines += [f"{connective}\t{lead}\t{n}\n" for n, lead in leads[:_LEADS] if n >= _LEAST]
    options.out.write_text("".join(lines), encoding="utf-8")
    print(f"{sum(counts.values())} cuts, {len(lines)} rows, {len(totals)} connectives")


if __name__ == "__main__":
    main()
