"""Does the English fact guard see changed facts, and does it leave human rewrites alone?

    python -m training.english_facts [--data DIR] [--set NAME …] [--rows N] [--seed N] [--fired N] [--misses N]
    python -m training.english_facts --lang ru [--data DIR] [--set NAME …] [--rows N] [--seed N] [--fired N]

Prints of each set how many of its human rewrites the guard blocks, in all and by kind, and in how many
`rerank.opposites` finds an opposite (a count, as there are few). With `--lang ru` that is all, by the Russian guard:
`training.corrupt` measures what it catches. Else then, of the rewrites of `--planted` that are not blocked, how many
it blocks with one false fact planted (the mutations `names`, `numbers` and `negation` of `training.negatives`), in all
and under the kind that was planted; then the same of the pairs by hand of `training.evaluating.held_out`; then how
many texts a second it checks. `--fired` prints a sample of the blocked human rewrites to read, and of those with an
opposite, `--misses` of the planted facts that pass.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rerank.analysis import Analyzer
from rerank.english.facts import KINDS, EnglishFactGuard
from rerank.facts import KINDS as RUSSIAN_KINDS
from rerank.facts import FactGuard, Violation
from rerank.opposites import opposed
from rewrite.datasets import data_folder
from training.command import run_to_the_end
from training.evaluating.accuracy import corrupted, print_table
from training.evaluating.held_out import HELD_OUT, contrasts, held_out
from training.evaluating.sets import SETS, positives
from training.negatives.sampling import Positive

__all__ = ["PLANTED", "Checked", "check", "main"]

PLANTED: Mapping[str, str] = MappingProxyType({"names": "entity", "numbers": "number", "negation": "negation"})
"""Each mutation and the kind of fact that it changes."""
_SETS = ("asset", "turkcorpus", "wikisplit-validation", "minwiki", "wikisplit-dev")
_TUNED = {"en": _SETS[:3], "ru": ("rsse", "ruadapt", "paraphraser")}
_GUARDED, _OTHERS = ("name", "number", "negation", "free"), "others"


@dataclass(frozen=True, slots=True)
class Checked:
    """A source, a text for it, and what the guard finds."""

    source: str
    text: str
    found: tuple[Violation, ...]

    @property
    def kinds(self) -> set[str]:
        """The kinds of facts that were found changed."""
        return {violation.kind for violation in self.found}


def check(guard: EnglishFactGuard | FactGuard, pairs: Sequence[tuple[str, str]]) -> list[Checked]:
    """Texts with their sources (source, text), and what the guard says of each."""
    return [Checked(source, text, tuple(guard.check(source, text))) for source, text in pairs]


def _read(name: str, data: str | None, rows: int, seed: int) -> list[Positive]:
    """At most so many human rewrites of a set that is learnt from, or of one that is only held out."""
    if name in SETS or name not in HELD_OUT:
        # A file of one's own needs no data folder.
        return positives(name, data_folder(data) if name in SETS else Path(), Path, rows, seed)
    rewrites = list(dict.fromkeys(held_out(name, data)))
    return random.Random(f"{seed} {name}").sample(rewrites, min(rows, len(rewrites)))


def _human(guard: EnglishFactGuard | FactGuard, kinds: Sequence[str], given: argparse.Namespace) -> None:
    table, samples = [("human rewrites", "texts", "blocked", *kinds, "opposite")], []
    for name in given.set or _TUNED[given.lang]:
        pairs = [(one.source, one.text) for one in _read(name, given.data, given.rows, given.seed)]
        blocked = [one for one in check(guard, pairs) if one.found]
        opposites = [Checked(*pair, tuple(found)) for pair in pairs if (found := opposed(*pair))]
        counts = Counter(kind for one in blocked for kind in one.kinds)
        shares = (_share(count, len(pairs)) for count in (len(blocked), *(counts[kind] for kind in kinds)))
        table.append((name, f"{len(pairs):,}", *shares, str(len(opposites))))
        samples += [(f"{name}: blocked", blocked), (f"{name}: opposite", opposites)]
    print_table(table)
    for title, some in samples:
        _print_some(title, some, given.fired, given.seed)


def _planted(guard: EnglishFactGuard, given: argparse.Namespace) -> None:
    good = _read(given.planted, given.data, given.rows, given.seed)
    passed = [one for one in good if not guard.check(one.source, one.text)]
    table, samples = [(f"planted in {given.planted}", "texts", "blocked", "as kind")], []
    for name, kind in PLANTED.items():
        pairs = corrupted(passed, name, language="en", seed=given.seed)
        checked = check(guard, [(bad.source, bad.text) for _, bad in pairs])
        blocked = sum(bool(one.found) for one in checked)
        # The day or year of a date is a number too.
        named = sum(kind in one.kinds or (kind == "number" and "date" in one.kinds) for one in checked)
        table.append((name, f"{len(checked):,}", _share(blocked, len(checked)), _share(named, len(checked))))
        samples.append((name, [one for one in checked if not one.found]))
    print_table(table)
    for name, missed in samples:
        _print_some(f"{name}: missed", missed, given.misses, given.seed)


def _by_hand(guard: EnglishFactGuard) -> None:
    pairs = contrasts("en")
    rows = [("by hand", "pairs", "good blocked", "bad blocked")]
    for name in (*_GUARDED, _OTHERS):
        chosen = [one for one in pairs if (one.kind if one.kind in _GUARDED else _OTHERS) == name]
        good = sum(bool(guard.check(one.source, one.good)) for one in chosen)
        bad = sum(bool(guard.check(one.source, one.bad)) for one in chosen)
        rows.append((name, str(len(chosen)), str(good), str(bad)))
    print_table(rows)


def _speed(given: argparse.Namespace) -> None:
    """Ten texts for each source, as a pool has them, with a guard that has seen no source."""
    pairs = _read(given.planted, given.data, given.rows, given.seed)[:1_000]
    guard, start = EnglishFactGuard(), time.perf_counter()
    for one in pairs:
        guard.check_all(one.source, [f"{one.text} {n}" for n in range(10)])
    print(f"{10 * len(pairs) / (time.perf_counter() - start):,.0f} candidates a second, ten for each source")


def _share(count: int, total: int) -> str:
    return f"{count / total:.2%}" if total else "-"


def _print_some(title: str, rows: Sequence[Checked], count: int, seed: int) -> None:
    if not count:
        return
    print(f"\n{title}, {min(count, len(rows))} of {len(rows)}")
    for number, one in enumerate(random.Random(seed).sample(rows, min(count, len(rows))), 1):
        violations = "; ".join(f"[{violation.kind}] {violation.text}: {violation.message}" for violation in one.found)
        print(f"{number}. {one.source}\n   → {one.text}" + f"\n   ! {violations}" * bool(violations))


def _print(given: argparse.Namespace) -> None:
    if given.lang == "ru":
        _human(FactGuard(Analyzer()), RUSSIAN_KINDS, given)
        return
    guard = EnglishFactGuard()
    _human(guard, KINDS, given)
    print()
    _planted(guard, given)
    print()
    _by_hand(guard)
    print()
    _speed(given)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and print the tables; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.english_facts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = f"{', '.join((*_SETS, *_TUNED['ru']))}, or a JSONL file with `source` and `text`"
    parser.add_argument("--lang", choices=tuple(_TUNED), default="en", help="of the sets and the guard; default: en")
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--set", nargs="+", metavar="NAME", help=names)
    parser.add_argument("--planted", default="asset", metavar="NAME", help="default: asset")
    parser.add_argument("--rows", type=int, default=20_000, metavar="N", help="rewrites of each set at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fired", type=int, default=0, metavar="N", help="blocked rewrites to print of each set")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="missed facts to print of each mutation")
    given = parser.parse_args(arguments)
    return run_to_the_end("english_facts", lambda: _print(given))


if __name__ == "__main__":
    sys.exit(main())
