"""Readers of rated sentences in CSV files: simplifications with three ratings each, and RuCoLA."""

from __future__ import annotations

from pathlib import Path

from rewrite.datasets import csv_number, csv_records
from rewrite.errors import BadInput
from rewrite.evaluate.meta.data import Loaded, Rated
from rewrite.evaluate.meta.left_out import LeftOut
from rewrite.judging.types import Row

__all__ = ["load_rucola", "load_simplicity"]

_SIMPLICITY = ("fluency", "meaning", "simplicity")


def load_simplicity(path: str | Path) -> Loaded:
    """English simplifications rated by Alva-Manchego et al. (2021) from 0 to 100.

    CSV with `sent_id`, `sys_name`, `orig_sent`, `simp_sent`, `fluency`, `meaning`, `simplicity`. An empty rating or
    simplification is left out. `BadInput` names file and line.
    """
    path = Path(path)
    items: dict[tuple[str, str], Rated] = {}
    left_out = LeftOut()
    columns = ("sent_id", "sys_name", "orig_sent", "simp_sent", *_SIMPLICITY)
    for line, (document, system, source, text, *numbers) in csv_records(path, columns):
        if not document or not system or not source:
            raise BadInput(f"{path}, line {line}: no sent_id, sys_name or orig_sent.")
        if (document, system) in items:
            raise BadInput(f"{path}, line {line}: {system!r} has sentence {document!r} a second time.")
        given = {aspect: number for aspect, number in zip(_SIMPLICITY, numbers, strict=True) if number}
        for aspect in _SIMPLICITY:
            left_out.add((f"rating of {aspect}", f"ratings of {aspect}"), document, system, count=aspect not in given)
        ratings = {aspect: csv_number(number, path, line) for aspect, number in given.items()}
        if text:
            items[document, system] = Rated(document, system, Row(source, text), ratings)
        else:
            left_out.add(("simplification without text", "simplifications without text"), document, system)
    return Loaded(list(items.values()), left_out.notes(), _SIMPLICITY)


def load_rucola(path: str | Path) -> Loaded:
    """Sentences of RuCoLA (Mikhailov et al., 2022), each its own source: `acceptable` is 1 or 0. No notes.

    CSV with `id`, `sentence`, `acceptable`. `BadInput` names file and line.
    """
    path = Path(path)
    items: dict[str, Rated] = {}
    for line, (name, sentence, label) in csv_records(path, ("id", "sentence", "acceptable")):
        if label not in ("0", "1"):
            raise BadInput(f"{path}, line {line}: acceptable is {label[:40]!r}.", hint="It should be 0 or 1.")
        if not sentence or name in items:
            raise BadInput(f"{path}, line {line}: no sentence, or the id {name!r} a second time.")
        items[name] = Rated(name, "", Row(sentence, sentence), {"acceptable": float(label)})
    return Loaded(list(items.values()), [], ("acceptable",))
