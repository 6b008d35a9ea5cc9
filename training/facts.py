"""Do the fact guards see changed facts, and do they leave human rewrites alone?

    python -m training.facts [--lang en|ru] [--data DIR] [--set NAME …] [--planted NAME] [--rows N] [--seed N]
        [--fired N] [--misses N]
    python -m training.facts --traps [KIND]

Prints of each set how many of its human rewrites the guard blocks, in all and by kind, and in how many
`rerank.opposites` finds an opposite (a count, as there are few). Then how many texts with one false fact planted it
blocks, in all and under the kind that was planted: for Russian those in `training/planted_ru.jsonl.gz`; for English,
and for a set of one's own, rewrites of `--planted` that are not blocked, with the mutations `names`, `numbers` and
`negation` (docs/negatives.md). `--fired` prints a sample of the blocked human rewrites to read, and of those with
an opposite, `--misses` of the planted facts that pass.

`planted_ru.jsonl.gz` holds 600 edits of each kind of sources of RSSE dev, such as a careless rewriter makes: another
digit, another month, a name from another text in the right case, a «не» too many. Words were chosen by slovnet's
morphology and entities, not by the guard's tables, and inflected by pymorphy3. A row has the number of the source and
what stands between two places of it in the text (and of the source itself, where that has a fact put in, too).

`--traps`: `training/traps_ru.jsonl` holds sentences of this project's own, each with a rewrite that changes what it
says by one fault of a kind (`bad`) and a similar one that is right (`good`). Prints, by kind, how many bad ones the
Russian guard blocks and how many good ones it lets pass, and those of KIND that it gets wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from rerank.analysis import Analyzer
from rerank.english.facts import KINDS as ENGLISH_KINDS
from rerank.english.facts import EnglishFactGuard
from rerank.facts import KINDS as RUSSIAN_KINDS
from rerank.facts import FactGuard, Violation
from rerank.opposites import opposed
from rewrite.datasets import data_folder, load_rsse
from rewrite.errors import BadInput
from rewrite.evaluate.harness import text_table
from training.command import command_line, run_to_the_end
from training.evaluating.accuracy import corrupted
from training.evaluating.examples import SETS, positives
from training.evaluating.held_out import HELD_OUT, held_out
from training.negatives.sampling import Positive
from training.records import packed_rows

MUTATIONS: Mapping[str, str] = MappingProxyType({"names": "entity", "numbers": "number", "negation": "negation"})
"""Each mutation and the kind of fact that it changes."""
Guard = EnglishFactGuard | FactGuard
Pair = tuple[str, str]
_KINDS: Mapping[str, Sequence[str]] = MappingProxyType({"en": ENGLISH_KINDS, "ru": RUSSIAN_KINDS})
_PLANTED_IN: Mapping[str, str] = MappingProxyType({"en": "asset", "ru": "rsse"})
_PLANTED_FACTS = Path(__file__).with_name("planted_ru.jsonl.gz")
_TRAPS = Path(__file__).with_name("traps_ru.jsonl")
_SOURCES = "4434d155ebfc308606dc0388c9eeb866eaa1c0adf40b2cc65d0c8848d44b4c0b"
"""SHA-256 of the sources that they are planted in, a line each."""
_SETS = ("asset", "turkcorpus", "wikisplit-validation", "minwiki", "wikisplit-dev")
_TUNED = {"en": _SETS[:3], "ru": ("rsse", "ruadapt", "paraphraser")}


@dataclass(frozen=True, slots=True)
class Checked:
    """A source, a text for it, and what the guard finds."""

    source: str
    text: str
    violations: tuple[Violation, ...]

    @property
    def kinds(self) -> set[str]:
        """The kinds of facts that were found changed."""
        return {violation.kind for violation in self.violations}


def check(guard: Guard, pairs: Sequence[Pair]) -> list[Checked]:
    """Texts with their sources (source, text), and what the guard says of each."""
    return [Checked(source, text, tuple(guard.check(source, text))) for source, text in pairs]


class Planted(NamedTuple):
    """A source and a text in which one fact of `kind` is another, changed by the named `edit`."""

    kind: str
    edit: str
    source: str
    text: str


class Trap(NamedTuple):
    """A sentence, a rewrite that is wrong by a fault of `kind`, and one that is right."""

    kind: str
    source: str
    bad: str
    good: str


def read_traps() -> list[Trap]:
    """The traps of `training/traps_ru.jsonl`."""
    rows = map(json.loads, _TRAPS.read_text(encoding="utf-8").splitlines())
    return [Trap(row["kind"], row["source"], row["bad"], row["good"]) for row in rows]


def rsse_sources(data: Path) -> list[str]:
    """The different sources of RSSE dev, white space made single."""
    examples = load_rsse(data / "rsse" / "dev_sents.csv")
    return list(dict.fromkeys(" ".join(example.source.split()) for example in examples))


def planted_facts(sources: Sequence[str]) -> list[Planted]:
    """The false facts planted in the sources of RSSE dev, in their order. Raises `BadInput` for other sources."""
    if hashlib.sha256("\n".join(sources).encode()).hexdigest() != _SOURCES:
        raise BadInput(
            f"These {len(sources):,} sources are not those of RSSE dev that the false facts were planted in.",
            hint="Take rsse/dev_sents.csv as RuSimpleSentEval has it, or give --planted a file of your own.",
        )
    planted = []
    for row in packed_rows(_PLANTED_FACTS):
        source = _edited(sources[row["row"]], row["source"]) if "source" in row else sources[row["row"]]
        planted.append(Planted(row["kind"], row["edit"], source, _edited(source, row["text"])))
    return planted


def _edited(text: str, edit: tuple[int, int, str]) -> str:
    start, stop, put = edit
    return text[:start] + put + text[stop:]


def _read(name: str, data: str | None, rows: int, seed: int) -> list[Positive]:
    """At most so many human rewrites of a set that is learnt from, or of one that is only held out."""
    if name in SETS or name not in HELD_OUT:
        # A file of one's own needs no data folder.
        return positives(name, data_folder(data) if name in SETS else Path(), Path, rows, seed)
    rewrites = list(dict.fromkeys(held_out(name, data)))
    return random.Random(f"{seed} {name}").sample(rewrites, min(rows, len(rewrites)))


def _human(guard: Guard, given: argparse.Namespace) -> None:
    kinds = _KINDS[given.lang]
    table, samples = [("human rewrites", "texts", "blocked", *kinds, "opposite")], []
    for name in given.set or _TUNED[given.lang]:
        pairs = [(rewrite.source, rewrite.text) for rewrite in _read(name, given.data, given.rows, given.seed)]
        blocked = [rewrite for rewrite in check(guard, pairs) if rewrite.violations]
        opposites = [Checked(*pair, tuple(words)) for pair in pairs if (words := opposed(*pair))]
        counts = Counter(kind for rewrite in blocked for kind in rewrite.kinds)
        shares = (_share(count, len(pairs)) for count in (len(blocked), *(counts[kind] for kind in kinds)))
        table.append((name, f"{len(pairs):,}", *shares, str(len(opposites))))
        samples += [(f"{name}: blocked", blocked), (f"{name}: opposite", opposites)]
    print(text_table(table[0], table[1:]))
    for title, some in samples:
        _print_some(title, some, given.fired, given.seed)


def _faulty(guard: Guard, given: argparse.Namespace) -> Iterator[tuple[str, str, list[Pair]]]:
    """By name of what was planted the kind of fact that it is, and (source, text) of each."""
    if (given.lang, given.planted) == ("ru", "rsse"):
        planted = planted_facts(rsse_sources(data_folder(given.data)))
        for kind in RUSSIAN_KINDS:
            yield kind, kind, [(fact.source, fact.text) for fact in planted if fact.kind == kind]
        return
    good = _read(given.planted, given.data, given.rows, given.seed)
    passed = [rewrite for rewrite in good if not guard.check(rewrite.source, rewrite.text)]
    for name, kind in MUTATIONS.items():
        pairs = corrupted(passed, name, language=given.lang, seed=given.seed)
        yield name, kind, [(bad.source, bad.text) for _, bad in pairs]


def _planted(guard: Guard, given: argparse.Namespace) -> None:
    table, samples = [(f"planted in {given.planted}", "texts", "blocked", "as kind")], []
    for name, kind, pairs in _faulty(guard, given):
        checked = check(guard, pairs)
        blocked = sum(bool(text.violations) for text in checked)
        # The day or year of a date is a number too.
        kinds = {kind, "date"} if name == "numbers" else {kind}
        named = sum(bool(kinds & text.kinds) for text in checked)
        table.append((name, f"{len(checked):,}", _share(blocked, len(checked)), _share(named, len(checked))))
        samples.append((name, [text for text in checked if not text.violations]))
    print(text_table(table[0], table[1:]))
    for name, missed in samples:
        _print_some(f"{name}: missed", missed, given.misses, given.seed)


def _share(count: int, total: int) -> str:
    return f"{count / total:.2%}" if total else "-"


def _print_some(title: str, rows: Sequence[Checked], count: int, seed: int) -> None:
    if not count:
        return
    print(f"\n{title}, {min(count, len(rows))} of {len(rows)}")
    for number, row in enumerate(random.Random(seed).sample(rows, min(count, len(rows))), 1):
        violations = "; ".join(f"[{each.kind}] {each.text}: {each.message}" for each in row.violations)
        print(f"{number}. {row.source}\n   → {row.text}" + f"\n   ! {violations}" * bool(violations))


def _print_traps(shown: str) -> None:
    analyzer = Analyzer()
    guard = FactGuard(analyzer, morphology=analyzer.morphology)
    # Of each kind, whether the bad one is blocked and whether the good one passes.
    answers: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for trap in read_traps():
        bad, good = guard.check_all(trap.source, [trap.bad, trap.good])
        answers[trap.kind].append((bool(bad), not good))
        if shown == trap.kind and not bad:
            print(f"passes: {trap.source}\n        {trap.bad}")
        if shown == trap.kind and good:
            print(f"blocked: {trap.source}\n         {trap.good}  [{good[0].message}]")
    for kind, right in [*answers.items(), ("all", list(chain(*answers.values())))]:
        caught, passed = map(sum, zip(*right, strict=True))
        print(f"{kind}: {caught} of {len(right)} bad ones blocked, {passed} of {len(right)} good ones pass")


def _print(given: argparse.Namespace) -> None:
    if given.traps is not None:
        _print_traps(given.traps)
        return
    guard = FactGuard(Analyzer()) if given.lang == "ru" else EnglishFactGuard()
    given.planted = given.planted or _PLANTED_IN[given.lang]
    _human(guard, given)
    print()
    _planted(guard, given)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and print the tables; returns the exit status."""
    parser = command_line("facts", __doc__, data=True)
    names = f"{', '.join((*_SETS, *_TUNED['ru']))}, or a JSONL file with `source` and `text`"
    parser.add_argument("--lang", choices=tuple(_TUNED), default="en", help="of the sets and the guard; default: en")
    parser.add_argument("--set", nargs="+", metavar="NAME", help=names)
    parser.add_argument("--planted", metavar="NAME", help="default: asset; rsse for Russian")
    parser.add_argument("--rows", type=int, default=20_000, metavar="N", help="rewrites of each set at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fired", type=int, default=0, metavar="N", help="blocked rewrites to print of each set")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="missed facts to print of each mutation")
    parser.add_argument("--traps", nargs="?", const="", metavar="KIND", help="the traps instead; print those of KIND")
    given = parser.parse_args(arguments)
    return run_to_the_end("facts", lambda: _print(given))


if __name__ == "__main__":
    sys.exit(main())
