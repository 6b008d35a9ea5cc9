"""What readers said of outputs, counted anew from their verdicts: the figures that the pages quote.

    python -m training.readings edit-forests|english|fresh|splits|split-judges|split-rules

Each file in `training/` holds outputs and the faults that readers found in them, who did not know whose a text was:
`w` not well formed (`wo` where all such faults stand in the source, in rounds that asked for it), `f` not factual,
`p` main point lost, `n` no simpler, `a` of splits for not all kept or not clear; none for one to print. A sentence that
a system left alone counts as well formed, factual and no simpler.

- `edit-forests`: 300 Russian sentences of wiki, news and other corpora that nothing learnt from, and the outputs of
  `edits-lm` for them that were changed, by presets, with forests that judge edits and with the networks before them.
  What differs between the two, two readers read together (`faults_before` are those that two others had found in the
  networks' before); what does not differ has the faults that those others found.
- `english`: eight rounds of 150 English sentences each (the fifth has those of the fourth, with `verdict-en` and
  without), two readers; rows are the outputs of `simplify` that were changed. Readers differ from round to round, and
  sentences but for the fifth. In the last three the weights before stand beside those with `simplicity`, which were
  chosen with the first two of these rounds in view; the last reads what was chosen. Rows there without a system were
  read for a weight that was changed later.
- `fresh`: five rounds, each of two readers, on sentences that are in no set. The first two rounds have the same hundred
  sentences of law, medicine, officialese, encyclopaedia and news, which a model wrote for this, each other another
  hundred. As a control, the source stood among the texts of the first three. Readers differ from round to round:
  compare systems within one.
- `splits`: 600 English sentences by their place in the data folder (WikiSplit validation from row 4,001, FLORES, NTREX,
  TICO; none among the judged ones of `training.text_acceptance`), and the different splits of `splitter` by presets of
  then (`splits` weighed 4.5 in `balanced`), with the learned judge of splits and with the rules before it.
- `split-judges`: 660 sentences by their place (in the `first` set WikiSplit validation, FLORES, NTREX, newstest, TICO,
  news, WikiText, in the `second` no WikiSplit; none in another set of judged or read splits), and the splits of
  `splitter` and `splitter-lm` (now, and by the judge before `verdict-en`) by two presets, and by `balanced` with the
  weight that `splits` had, each read by two; in the `third` set 300 more, which came after that judge was made, and the
  splits of `splitter-lm` alone; in the `fourth` 110, split by it alone and with draws of `gemma-en` in the pool.
- `split-rules`: of 400 other sentences of these sources, those that `rewrite split` splits otherwise without a group of
  its rules: the different splits, each with the `systems` that made it, `all` of the rules or `without` one group, and
  one reader's faults. Rows of the sets `picked` are of sentences picked for rules that seldom find any: 90 by their
  commas, 46 by conjunctions, 27 with *because* or *though* behind.

No command counts `edit_readings.jsonl.gz` (320 of the edits of `judgements.jsonl.gz` with the chance that networks gave
them, and three readers' faults: docs/quality.md), `rule_readings.jsonl.gz` (outputs of `edits-lm` and `edits` with all
rules, `full`, and without each group of them: docs/edits.md), `compression_readings.jsonl.gz` (compressions with and
without a part, of the Russian ones which are `faultless`: docs/compress.md), `preference_readings.jsonl.gz` (draws of
the adapter in the package and of one taught by preference: docs/base-model.md), `edit_judge_readings.jsonl.gz` (outputs
of `edits-lm`, and with a second judge of edits, by two readers: docs/base-model.md), `whole_readings.jsonl.gz` (splits
with and without the judge of whole sentences: docs/split-models.md), `cut_readings.jsonl.gz` (outputs of Russian
commands `before` a forest said what may be cut, and `now`, with phrases of figures cut and kept, two readers each:
docs/compress.md, docs/similarity.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from training.records import packed_rows

HARMLESS = frozenset({"", "n"})
"""Verdicts on a text that is true and printable, whether or not it is simpler."""
_NEWS = ("newstest", "ntrex", "abc")
_ENGLISH = 150
"""Sentences of each round of English; rows are the outputs that were changed."""
_SIMPLER = "simpler"
_QUALITIES: Mapping[str, Callable[[str], bool]] = {
    "well formed": lambda faults: "w" not in faults,
    "well formed or as the source": lambda faults: "w" not in faults or "o" in faults,
    "factual": lambda faults: "f" not in faults,
    "main point": lambda faults: "p" not in faults,
    _SIMPLER: lambda faults: "n" not in faults,
}


class Output(NamedTuple):
    """What some systems made of a sentence, other than the sentence itself, with the faults by each reader."""

    sentence: str
    text: str
    systems: tuple[str, ...]
    faults: tuple[str, ...]


class Group(NamedTuple):
    """Outputs that were read together for a number of sentences."""

    name: str
    sentences: int
    outputs: list[Output]

    @property
    def systems(self) -> list[str]:
        """The systems in order of their first output."""
        return list(dict.fromkeys(system for output in self.outputs for system in output.systems))

    def of(self, system: str) -> dict[str, Output]:
        """The outputs of a system by sentence."""
        return {output.sentence: output for output in self.outputs if system in output.systems}


def read(path: Path) -> list[tuple[dict[str, Any], list[Output]]]:
    """Each row of a file of readings with its outputs; those that are the source itself are left out."""
    rows = []
    for number, row in enumerate(packed_rows(path)):
        texts = row.get("texts", row.get("splits", [row]))
        name = row.get("place") or row.get("source") or str(number)
        outputs = [
            Output(name, text["text"], tuple(text["systems"]), tuple(_by_reader(text["faults"])))
            for text in texts
            if text["text"] != row.get("source")
        ]
        rows.append((row, outputs))
    return rows


def _by_reader(faults: str | Sequence[str]) -> Sequence[str]:
    return [faults] if isinstance(faults, str) else faults


def _grouped(file: str, names_of: Callable[[dict[str, Any]], Iterable[str]] = lambda _: ("all",)) -> Iterator[Group]:
    """The rows of a file in groups; a row may be of several."""
    groups: dict[str, list[list[Output]]] = {}
    for row, outputs in read(Path(__file__).with_name(f"{file}.jsonl.gz")):
        for group in names_of(row):
            groups.setdefault(group, []).append(outputs)
    for group, rows in groups.items():
        yield Group(group, len(rows), [output for outputs in rows for output in outputs])


def _english() -> Iterator[Group]:
    judged = _grouped("english_readings", lambda row: (f"judge {row.get('judge', 'of 1,921 draws')}",))
    return (group._replace(sentences=_ENGLISH) for group in judged)


def _fresh() -> Iterator[Group]:
    for number, end in enumerate(("", "_2", "_3", "_4", "_5"), 1):
        (group,) = _grouped(f"fresh_readings{end}")
        yield group._replace(name=f"round {number}")


def _split_sets(row: dict[str, Any]) -> Iterator[str]:
    later = row["set"] if row["set"] in ("third", "fourth") else ""
    is_news = row["place"].startswith(_NEWS)
    yield later or "all"
    if is_news:
        yield f"{later}, news".removeprefix(", ")
    if row["set"] == "second":
        yield "second"
    # The adapter that judges learnt from most of those of WikiSplit.
    if not later and not row["place"].startswith("wikisplit"):
        yield "without WikiSplit"


def figures(group: Group, system: str) -> str:
    """How many sentences a system changed, and what each reader says of these and of all of its outputs."""
    verdicts = [output.faults for output in group.of(system).values()]
    kept = group.sentences - len(verdicts)
    by_reader = list(zip(*verdicts, strict=True))

    def shares(passes: Callable[[str], bool], among: int, more: int = 0) -> str:
        return " / ".join(f"{(sum(map(passes, faults)) + more) / among:.0%}" for faults in by_reader)

    qualities = ", ".join(
        f"{shares(passes, group.sentences, kept * (quality != _SIMPLER))} {quality}"
        for quality, passes in _QUALITIES.items()
    )
    return (
        f"{group.name}, {system}: of {group.sentences} sentences {len(verdicts)} changed, "
        f"{shares(HARMLESS.__contains__, len(verdicts))} of these without a fault, "
        f"{shares(''.__eq__, len(verdicts))} simpler as well; of all "
        f"{shares(HARMLESS.__contains__, group.sentences, kept)} without a fault, {qualities}"
    )


def difference(group: Group, first: str, second: str) -> str:
    """Where two systems made different things of a sentence: how many they changed, and how many have no fault."""
    of_first, of_second = group.of(first), group.of(second)
    differ = [name for name in dict.fromkeys((*of_first, *of_second)) if of_first.get(name) != of_second.get(name)]
    sides = []
    for outputs in (of_first, of_second):
        changed = [outputs[name].faults for name in differ if name in outputs]
        passed = (sum(faults in HARMLESS for faults in of_reader) for of_reader in zip(*changed, strict=True))
        sides.append(f"{len(changed)} changed, {', '.join(map(str, passed)) or 0} of these without a fault")
    return f"{group.name}, {first} | {second}: {len(differ)} differ; {' | '.join(sides)}"


def _told(group: Group) -> Iterator[str]:
    yield from (figures(group, system) for system in group.systems)


def _pairs_of_edit_forests(group: Group) -> Iterator[str]:
    yield from _told(group)
    for first, second in combinations(sorted(group.systems, reverse=True), 2):
        if first.split("; ")[1] == second.split("; ")[1]:
            yield difference(group, first, second)


def _pairs_of_rules(group: Group) -> Iterator[str]:
    for system in sorted(set(group.systems) - {"all"}):
        yield difference(group, "all", system)


READINGS: dict[str, tuple[Callable[[], Iterator[Group]], Callable[[Group], Iterator[str]]]] = {
    "edit-forests": (lambda: _grouped("edit_forest_readings"), _pairs_of_edit_forests),
    "english": (_english, _told),
    "fresh": (_fresh, _told),
    "splits": (lambda: _grouped("split_readings", lambda row: ("all", row["place"].split(":")[0])), _told),
    "split-judges": (lambda: _grouped("split_judge_readings", _split_sets), _told),
    "split-rules": (lambda: _grouped("split_rule_readings", lambda row: (row["set"],)), _pairs_of_rules),
}
"""Groups of outputs, and what is told of each."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options and print what readers said."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readings", choices=tuple(READINGS))
    groups, tell = READINGS[parser.parse_args(arguments).readings]
    for group in groups():
        print("\n".join(tell(group)))


if __name__ == "__main__":
    main()
