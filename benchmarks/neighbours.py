"""How often what stands beside a sentence (`rewrite.across`) blocks the rewrite that would have been chosen.

    python -m benchmarks.neighbours FILE… [--task compress] [--paragraphs 300] [--cases CASES.jsonl]

Files have a paragraph on each line (.xz, too); those of several sentences count. Printed are sentences, those with a
rewrite that a rule blocked, those whose choice changed, and words that were replaced in one sentence and left, or
replaced otherwise, in others.
With --cases the best rewrite that was blocked of each such sentence is a row, for reading.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rewrite.datasets import text_lines
from rewrite.layout import split
from rewrite.pipeline import Pipeline
from rewrite.result import Result, SentenceResult, choose
from rewrite.server.tasks import OPTIONS

_RULES = {
    "pronoun": re.compile(r"which '(?!.*\s.*' in)[^']*' in the next sentence"),
    "this with a noun": re.compile("in the next sentence stands for"),
    "definition": re.compile("which defines a term"),
}


def rule_of(reason: str) -> str:
    """The rule of context that gives a reason; empty for another guard's."""
    return next((name for name, pattern in _RULES.items() if pattern.search(reason)), "")


def alone(sentence: SentenceResult, result: Result) -> SentenceResult:
    """The sentence as it would be chosen without its neighbours."""
    if sentence.table is None:
        return sentence
    blocked = tuple("" if rule_of(reason) else reason for reason in sentence.table.blocked)
    table = replace(sentence.table, blocked=blocked)
    return replace(sentence, table=table, choices=choose(table, result.weights, options=result.options))


def cases(result: Result) -> Iterator[dict[str, str]]:
    """The best rewrite of each sentence that its neighbours block, and whether it would have been chosen."""
    sources = [sentence.source for sentence in result.sentences]
    for number, sentence in enumerate(result.sentences):
        reasons = {text: reason for text, reason in sentence.blocked.items() if rule_of(reason)}
        best = next((c.text for c in alone(sentence, result).choices if c.text in reasons), None)
        if best is not None:
            reason = reasons[best]
            following = next(iter(sources[number + 1 :]), "")
            yield {
                "rule": rule_of(reason),
                "reason": reason,
                "source": sentence.source,
                "next": following,
                "blocked": best,
                "instead": sentence.text,
                "changed": "yes" if alone(sentence, result).text == best else "no",
            }


def fates(result: Result) -> Iterator[tuple[str, set[str]]]:
    """Words that stand in several sentences, with what became of them, where it is not the same everywhere."""
    became: dict[str, set[str]] = {}
    for sentence in result.sentences:
        edits = sentence.choices[0].candidate.edits if sentence.choices else ()
        swaps = dict(edit.casefold().split(" → ", 1) for edit in edits if " → " in edit)
        for word in set(re.findall(r"\w{4,}", sentence.source.casefold())):
            became.setdefault(word, set()).add(swaps.get(word, word))
    yield from ((word, others) for word, others in became.items() if len(others) > 1)


def new_names(result: Result) -> set[str]:
    """Words with a capital in the rewrite, not at the head of a sentence, whose beginning no word of the source has."""
    known = {word[:4] for word in re.findall(r"\w+", result.source)}
    names = re.findall(r"(?<=[\w,] )[A-ZА-ЯЁ]\w+", result.text)
    return {name for name in names if name[:4] not in known}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--task", choices=sorted(OPTIONS), default="simplify")
    parser.add_argument("--generator")
    parser.add_argument("--paragraphs", type=int, default=300)
    parser.add_argument("--cases", type=Path)
    given = parser.parse_args(argv)
    chosen = {"generator": given.generator} if given.generator else {}
    pipeline = Pipeline(OPTIONS[given.task](**chosen))
    counts: Counter[str] = Counter()
    rows: list[dict[str, str]] = []
    for file in given.files:
        lines = (line for line in text_lines(file) if 2 <= len(split(line).sentences) <= 12)
        texts = [line for line, _ in zip(lines, range(given.paragraphs), strict=False)]
        for first in range(0, len(texts), 32):
            for result in pipeline.run(texts[first : first + 32]):
                counts["sentences"] += len(result.sentences)
                counts["rewritten"] += sum(s.text != s.source for s in result.sentences)
                counts["candidates blocked"] += sum(bool(rule_of(r)) for r in result.facts.values())
                rows += cases(result)
                counts["names said otherwise"] += len(new_names(result))
                counts["words of two fates"] += len(list(fates(result)))
    counts.update(f"fired: {row['rule']}" for row in rows)
    counts.update(f"choice changed: {row['rule']}" for row in rows if row["changed"] == "yes")
    for name, count in counts.items():
        print(f"{count:7,}  {name}")
    if given.cases is not None:
        given.cases.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
