"""Plants one false fact in a sentence, of a known kind: the test material of the fact guard.

The edits are what a careless rewriter or a language model does to a sentence: another digit, another month, a name from
another text in the right case, a «не» too many. They know nothing of the guard's rules: words are chosen by slovnet's
morphology and entities, forms by pymorphy3, replacements from the other sentences of the same corpus.

    python -m training.corrupt --data DIR --per-kind 600 --seed 0 [--misses 20]

plants `per-kind` corruptions of each kind in the RSSE dev sources and prints the share that the guard catches. With
`--references 100` it reports on the human references instead: how many are blocked, and a sample of those to read.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rerank.analysis import Analysis, Analyzer
from rerank.facts import KINDS, FactGuard
from rerank.morphology import Morphology
from training import corrupt_facts, corrupt_sense
from training.corrupt_tools import Forms

__all__ = ["EDITS", "Corruption", "Corruptor", "rsse_pairs"]

_Edit = Callable[[Forms, Analysis, random.Random], Iterator[tuple[str, ...]]]

#: Kind of fact → what makes corruptions of it: (name of the edit, corrupted sentence, source if it was changed too).
EDITS: dict[str, _Edit] = {
    "number": corrupt_facts.numbers,
    "date": corrupt_facts.dates,
    "unit": corrupt_facts.units,
    "entity": corrupt_facts.entities,
    "latin": corrupt_facts.latin,
    "quotation": corrupt_facts.quotations,
    "negation": corrupt_sense.negations,
    "modality": corrupt_sense.modalities,
    "quantity": corrupt_sense.quantities,
}


@dataclass(frozen=True, slots=True)
class Corruption:
    """A sentence whose fact of `kind` was changed by the named `edit`."""

    kind: str
    edit: str
    source: str
    text: str


class Corruptor:
    """Edits the sentences of one corpus; replacements come from its other sentences."""

    def __init__(self, sources: Sequence[str], analyzer: Analyzer, morphology: Morphology) -> None:
        self._analyses = analyzer.analyze(sources, ("morph", "entities"))
        self._forms = Forms(self._analyses, morphology)

    def corruptions(self, kind: str, count: int, seed: int) -> list[Corruption]:
        """`count` distinct corruptions of one kind, as even over the edits as may be; fewer from a small corpus."""
        by_edit: dict[str, list[Corruption]] = defaultdict(list)
        for number, analysis in enumerate(self._analyses):
            rng = random.Random(f"{seed} {kind} {number}")
            for edit, text, *planted in EDITS[kind](self._forms, analysis, rng):
                source = planted[0] if planted else analysis.text
                if text != source:
                    by_edit[edit].append(Corruption(kind, edit, source, text))
        rng = random.Random(f"{seed} {kind}")
        queues = [by_edit[edit] for edit in sorted(by_edit)]
        for queue in queues:
            rng.shuffle(queue)
        drawn: dict[tuple[str, str], Corruption] = {}
        while len(drawn) < count and any(queues):
            for queue in queues:
                if queue and len(drawn) < count:
                    corruption = queue.pop()
                    drawn.setdefault((corruption.source, corruption.text), corruption)
        return list(drawn.values())


def rsse_pairs(data: Path) -> list[tuple[str, str]]:
    """(source, human reference) of RSSE dev, white space made single."""
    with open(data / "rsse" / "dev_sents.csv", encoding="utf-8", newline="") as file:
        return [
            (" ".join(r["INPUT:source"].split()), " ".join(r["OUTPUT:output"].split())) for r in csv.DictReader(file)
        ]


def _print_blocked(data: Path, count: int, seed: int, guard: FactGuard) -> None:
    """Share of the human references that the guard blocks, and a sample of them to read."""
    found = [(source, text, guard.check(source, text)) for source, text in rsse_pairs(data)]
    blocked = [row for row in found if row[2]]
    print(f"{len(blocked)} of {len(found)} references blocked ({len(blocked) / len(found):.2%})")
    kinds = Counter(kind for _, _, violations in blocked for kind in {v.kind for v in violations})
    print(", ".join(f"{kind} {n}" for kind, n in kinds.most_common()))
    for number, (source, text, violations) in enumerate(random.Random(seed).sample(blocked, count), 1):
        print(f"{number}. {source}\n   → {text}")
        print("   ! " + "; ".join(f"[{v.kind}] {v.message}" for v in violations))


def main() -> None:
    """Print, for each kind, how many corruptions the guard catches, and some that it misses."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds rsse/dev_sents.csv")
    parser.add_argument("--per-kind", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--misses", type=int, default=0, help="print this many missed corruptions of each kind")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--references", type=int, default=0, help="instead: draw this many blocked human references")
    options = parser.parse_args()
    analyzer, morphology = Analyzer(), Morphology()
    if options.references:
        _print_blocked(options.data, options.references, options.seed, FactGuard(analyzer, morphology=morphology))
        return
    corruptor = Corruptor(list(dict.fromkeys(source for source, _ in rsse_pairs(options.data))), analyzer, morphology)
    guard = FactGuard(analyzer, morphology=morphology)
    print(f"{'kind':<12}{'planted':>8}{'caught':>8}{'share':>8}{'as kind':>9}")
    for kind in options.kind or KINDS:
        planted = corruptor.corruptions(kind, options.per_kind, options.seed)
        found = [guard.check(c.source, c.text) for c in planted]
        caught = sum(map(bool, found))
        named = sum(any(v.kind == kind for v in violations) for violations in found)
        total = max(1, len(planted))
        print(f"{kind:<12}{len(planted):>8}{caught:>8}{caught / total:>8.2%}{named / total:>9.2%}")
        missed = [c for c, violations in zip(planted, found, strict=True) if not violations]
        if options.misses and missed:
            print("   ", Counter(c.edit for c in missed).most_common())
        for corruption in missed[: options.misses]:
            print(f"    [{corruption.edit}] {corruption.source}\n    → {corruption.text}")


if __name__ == "__main__":
    main()
