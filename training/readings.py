"""What readers said of outputs, counted anew from their verdicts: the figures that the pages quote.

    python -m training.readings edits|edit-forests|english|fresh|splits|split-judges|split-rules

Each file in `training/` holds outputs and the faults that readers found in them, who did not know whose a text was:
`w` not well formed, `f` not factual, `p` main point lost, `n` no simpler, none for one to print. An unchanged source
counts as well formed, factual and no simpler.

- `edits`: 320 of the sentences with one edit of `judgements.jsonl.gz` (160 cuts, 160 changes, drawn at random): its
  text, the `chance` to pass by networks trained without its sentence (before there were forests, 8 folds), and the
  faults by three readers: the one of `judgements.jsonl.gz`, and two who read later and knew nothing of it.
- `edit-forests`: 300 Russian sentences of wiki, news and other corpora that nothing learnt from, and the outputs of
  `edits-lm` for them that were changed, by presets, with forests that judge edits and with the networks before them.
  What differs between the two, two readers read together (`faults_before` are those that two others had found in the
  networks' before); what does not differ has the faults that those others found.
- `english`: five rounds of 150 English sentences each (the fifth has those of the fourth, with `verdict-en` and
  without), two readers; rows are the outputs of `simplify` that were changed. Readers differ from round to round, and
  sentences but for the last.
- `fresh`: five rounds, each of two readers, on sentences that are in no set. The first two rounds have the same hundred
  sentences of law, medicine, officialese, encyclopaedia and news, which a model wrote for this, each other another
  hundred. As a control, the source stood among the texts of the first three. Readers differ from round to round:
  compare systems within one.
- `splits`: 600 English sentences by their place in the data folder (WikiSplit validation from row 4,001, FLORES, NTREX,
  TICO; none among the judged ones of `training.text_acceptance`), and the different splits of `splitter` by presets of
  then (`splits` weighed 4.5 in `balanced`), with the learned judge of splits and with the rules before it. Letters as
  in `training.text_acceptance`.
- `split-judges`: 660 sentences by their place (in the `first` set WikiSplit validation, FLORES, NTREX, newstest, TICO,
  news, WikiText, in the `second` no WikiSplit; none in another set of judged or read splits), and the splits of
  `splitter` and `splitter-lm` (now, and by the judge before `verdict-en`) by two presets, and by `balanced` with the
  weight that `splits` had, each read by two; in the `third` set 300 more, which came after that judge was made, and the
  splits of `splitter-lm` alone.
- `split-rules`: of 400 other sentences of these sources, those that `rewrite split` splits otherwise without a group of
  its rules: the different splits, each with the `systems` that made it, `all` of the rules or `without` one group, and
  one reader's faults. A system that made none left the sentence as it was. Rows of the sets `picked` are of sentences
  picked for rules that seldom find any: 90 by their commas, 46 by conjunctions, 27 with *because* or *though* behind.

No command counts `rule_readings.jsonl.gz` (outputs of `edits-lm` and `edits` with all rules, `full`, and without each
group of them: docs/edits.md), `compression_readings.jsonl.gz` (compressions with and without a part, of the
Russian ones which are `faultless`: docs/compress.md),
`preference_readings.jsonl.gz` (draws of the adapter in the package and of one taught by preference:
docs/base-model.md), `edit_judge_readings.jsonl.gz` (outputs of `edits-lm`, and with a second judge of edits, by two
readers: docs/base-model.md), `whole_readings.jsonl.gz` (splits with and without the judge of whole sentences:
docs/split-models.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rewrite.controls import sentences_in
from rewrite.layout import count_words
from training.records import packed_rows

Rows = Sequence[dict[str, Any]]

HARMLESS = frozenset({"", "n"})
"""Verdicts on a text that is true and printable, whether or not it is simpler."""
_FOLDER = Path(__file__).parent
READINGS = {
    name: _FOLDER / f"{name}_readings.jsonl.gz"
    for name in ("edit", "edit_forest", "english", "split", "split_judge", "split_rule")
}
FRESH = tuple(_FOLDER / f"fresh_readings{end}.jsonl.gz" for end in ("", "_2", "_3", "_4", "_5"))
"""The file of each round."""
_FAULTS = frozenset("wfp")
_LONG = 25
_NEWS = ("newstest", "ntrex", "abc")
_ENGLISH = 150
"""Sentences of each round of English; rows are the outputs that were changed."""
_QUALITIES = {"well formed": "w", "factual": "f", "main point": "p", "simpler": "n"}


def edits_passed(kind: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Of the edits of a kind (`cut`, `change`) the chances `[n]`, and whether each reader passed them `[n, 3]`."""
    rows = [row for row in packed_rows(READINGS["edit"]) if row["kind"] == kind]
    passed = [[faults in HARMLESS for faults in row["faults"]] for row in rows]
    return np.array([row["chance"] for row in rows]), np.array(passed)


def _print_edits() -> None:
    """For cuts and for changes, agreement of each two readers, and the model's AUC for each reader."""
    from sklearn.metrics import cohen_kappa_score, roc_auc_score

    for kind in ("cut", "change"):
        chances, passed = edits_passed(kind)
        shares = ", ".join(f"{share:.2f}" for share in passed.mean(axis=0))
        print(f"{kind}: {len(chances)} edits, passed by the readers: {shares}")
        for i, j in combinations(range(3), 2):
            first, second = passed[:, i], passed[:, j]
            agreement = f"agree on {(first == second).mean():.2f}, kappa {cohen_kappa_score(first, second):.2f}"
            print(
                f"    readers {i} and {j}: {agreement}; {i} as a judge of {j}: AUC {roc_auc_score(second, first):.2f}"
            )
        areas = [roc_auc_score(passed[:, i], chances) for i in range(3)]
        print(f"    the model as a judge of each reader: AUC {', '.join(f'{x:.3f}' for x in areas)}", end="; ")
        agreed = passed.all(axis=1) | ~passed.any(axis=1)
        print(f"where all three agree ({agreed.mean():.2f}): {roc_auc_score(passed[agreed, 0], chances[agreed]):.3f}")


def fresh_shares(rows: Rows, system: str, reader: int) -> dict[str, float]:
    """Of a system, by one reader: the share of outputs unchanged, of each quality, and without any of `w`, `f`, `p`."""
    verdicts: list[str] = []
    unchanged = 0
    for row in rows:
        text = _output(row, system)
        unchanged += text["text"] == row["source"]
        verdicts.append("n" if text["text"] == row["source"] else text["faults"][reader])
    qualities = {name: sum(x not in faults for faults in verdicts) / len(verdicts) for name, x in _QUALITIES.items()}
    faultless = sum(_FAULTS.isdisjoint(faults) for faults in verdicts) / len(verdicts)
    return {"unchanged": unchanged / len(rows), **qualities, "faultless": faultless}


def _output(row: dict[str, Any], system: str) -> dict[str, Any]:
    return next(text for text in row["texts"] if system in text["systems"])


def _print_fresh() -> None:
    """The table of each round, how many long sentences came out as several, and how often its readers agree."""
    for number, path in enumerate(FRESH, 1):
        print(f"round {number}")
        rows = packed_rows(path)
        systems = dict.fromkeys(system for row in rows for text in row["texts"] for system in text["systems"])
        for system in systems:
            first, second = (fresh_shares(rows, system, reader) for reader in (0, 1))
            print(f"{system}: " + ", ".join(f"{name} {first[name]:.0%} / {second[name]:.0%}" for name in first))
        long = [row for row in rows if count_words(row["source"]) > _LONG]
        for system in systems:
            cut = sum(sentences_in(_output(row, system)["text"]) > sentences_in(row["source"]) for row in long)
            print(f"{system}: of the sentences of more than {_LONG} words {cut} of {len(long)} were cut")
        pairs = [text["faults"] for row in rows for text in row["texts"]]
        agreed = {name: sum((x in a) == (x in b) for a, b in pairs) / len(pairs) for name, x in _QUALITIES.items()}
        shares = ", ".join(f"{name} {share:.0%}" for name, share in agreed.items())
        print(f"readers agree on {len(pairs)} texts: {shares}")


def _print_edit_forests() -> None:
    """For each preset, of the outputs that differ and of all, how many have no fault, and are simpler as well."""
    rows = packed_rows(READINGS["edit_forest"])
    presets = sorted({system.split("; ")[1] for row in rows for text in row["texts"] for system in text["systems"]})
    for preset in presets:
        outputs = {
            judge: [_verdicts_on(row, f"{judge}; {preset}") for row in rows] for judge in ("networks", "forests")
        }
        differ = [i for i, (before, after) in enumerate(zip(*outputs.values(), strict=True)) if before[0] != after[0]]
        for judge, verdicts in outputs.items():
            for name, some in (("that differ", [verdicts[i][1] for i in differ]), ("in all", [v for _, v in verdicts])):
                passed = [sum(faults[reader] in HARMLESS for faults in some) for reader in (0, 1)]
                simpler = [sum(faults[reader] == "" for faults in some) for reader in (0, 1)]
                print(
                    f"{judge}, {preset}: of {len(some)} {name} no fault {passed[0]}, {passed[1]}, "
                    f"simpler as well {simpler[0]}, {simpler[1]}"
                )
        print(f"{preset}: changed {', '.join(str(sum(bool(t) for t, _ in v)) for v in outputs.values())}")


def _verdicts_on(row: Mapping[str, Any], system: str) -> tuple[str, list[str]]:
    """What a system made of a sentence, and what the readers said; of what it left alone that it is no simpler."""
    return next(((t["text"], t["faults"]) for t in row["texts"] if system in t["systems"]), ("", ["n", "n"]))


def split_figures(rows: Iterable[dict[str, Any]], system: str) -> tuple[int, int, int]:
    """How many sentences there are, how many the system split, and how many of these splits have no fault."""
    sentences = split = passed = 0
    for row in rows:
        sentences += 1
        for text in row["splits"]:
            if system in text["systems"]:
                split += 1
                passed += text["faults"] in HARMLESS
    return sentences, split, passed


def _print_splits() -> None:
    """A row for each system, and for each source of sentences."""
    rows = packed_rows(READINGS["split"])
    names = sorted({row["place"].split(":")[0] for row in rows})
    for system in ("rules, balanced", "balanced", "simple"):
        for name in ("", *names):
            of_name = [row for row in rows if row["place"].startswith(name)]
            sentences, split, passed = split_figures(of_name, system)
            kept = 1 - (split - passed) / sentences
            print(
                f"{system} ({name or 'all'}): {split} of {sentences} split, {passed} ({passed / split:.0%}) without a "
                f"fault; {kept:.0%} of all outputs have none"
            )


def _print_split_judges() -> None:
    """How much each splits, how many of its splits have no fault by each reader, and how many of all its outputs."""
    rows = packed_rows(READINGS["split_judge"])
    third = [row for row in rows if row["set"] == "third"]
    rows = [row for row in rows if row["set"] != "third"]
    parts = {
        "all": rows,
        "second": [row for row in rows if row["set"] == "second"],
        "third": third,
        "news": [row for row in rows if row["place"].startswith(_NEWS)],
        "third, news": [row for row in third if row["place"].startswith(_NEWS)],
        # The adapter that judges learnt from most of those of WikiSplit.
        "without WikiSplit": [row for row in rows if not row["place"].startswith("wikisplit")],
    }
    systems = dict.fromkeys(system for row in rows for text in row["splits"] for system in text["systems"])
    for name, part in parts.items():
        for system in sorted(systems):
            faults = [text["faults"] for row in part for text in row["splits"] if system in text["systems"]]
            if not faults:  # not read there
                continue
            passed = [sum(by_reader[reader] in HARMLESS for by_reader in faults) for reader in (0, 1)]
            share = " / ".join(f"{count / len(faults):.0%}" for count in passed)
            whole = " / ".join(f"{1 - (len(faults) - count) / len(part):.0%}" for count in passed)
            print(
                f"{system} ({name}): of {len(part)} sentences {len(faults)} split, {share} of these without a fault; "
                f"of all outputs {whole}"
            )


def rule_pairs(rows: Iterable[dict[str, Any]], system: str) -> list[tuple[str | None, str | None]]:
    """Where a system and `all` split a sentence differently, the faults of both splits; `None` for one not split."""
    pairs: list[tuple[str | None, str | None]] = []
    for row in rows:
        splits = [next((text for text in row["splits"] if name in text["systems"]), None) for name in ("all", system)]
        if splits[0] is not splits[1]:
            with_rules, without = (None if split is None else split["faults"] for split in splits)
            pairs.append((with_rules, without))
    return pairs


def _print_split_rules() -> None:
    """For each group of rules what it does to the sentences that come out otherwise without it."""
    read = packed_rows(READINGS["split_rule"])
    for name in dict.fromkeys(row["set"] for row in read):
        rows = [row for row in read if row["set"] == name]
        systems = {system for row in rows for text in row["splits"] for system in text["systems"]}
        for system in sorted(systems - {"all"}):
            pairs = rule_pairs(rows, system)
            split = [sum(faults[k] is not None for faults in pairs) for k in (0, 1)]
            passed = [[faults[k] in HARMLESS for faults in pairs] for k in (0, 1)]
            both = sum(a and b for a, b in zip(*passed, strict=True))
            neither = sum(not a and not b for a, b in zip(*passed, strict=True))
            print(
                f"{name}, {system}: {len(pairs)} differ, split {split[0]} with it, {split[1]} without; "
                f"no fault {sum(passed[0])} with it, {sum(passed[1])} without, both {both}, neither {neither}"
            )


def _print_english() -> None:
    """For each round and system how much was changed, and what each reader says; what is unchanged is no simpler."""
    rows = packed_rows(READINGS["english"])
    for judge in dict.fromkeys(row.get("judge", "of 1,921 draws") for row in rows):
        of_round = [row for row in rows if row.get("judge", "of 1,921 draws") == judge]
        for system in dict.fromkeys(system for row in of_round for system in row["systems"]):
            verdicts = [row["faults"] for row in of_round if system in row["systems"]]
            shares = []
            for reader in (0, 1):
                faults = [both[reader] for both in verdicts]
                unchanged = ["n"] * (_ENGLISH - len(faults))
                qualities = (
                    sum(x not in letters for letters in faults + unchanged) / _ENGLISH for x in _QUALITIES.values()
                )
                shares.append([faults.count("") / len(faults), *qualities])
            figures = (
                f"{name} {a:.0%} / {b:.0%}" for name, a, b in zip(("faultless", *_QUALITIES), *shares, strict=True)
            )
            print(f"judge {judge}, {system}: changed {len(verdicts) / _ENGLISH:.0%}, {', '.join(figures)}")


_PRINTERS: dict[str, Callable[[], None]] = {
    "english": _print_english,
    "edits": _print_edits,
    "edit-forests": _print_edit_forests,
    "fresh": _print_fresh,
    "splits": _print_splits,
    "split-judges": _print_split_judges,
    "split-rules": _print_split_rules,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options and print what readers said."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readings", choices=tuple(_PRINTERS))
    _PRINTERS[parser.parse_args(arguments).readings]()


if __name__ == "__main__":
    main()
