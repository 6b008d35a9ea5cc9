"""What the NDD paper (Peng et al., 2023) prints in the tables that the probes are set beside, as printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["PREDICATES", "PRUNING", "SENSITIVITY", "SENTENCES", "SOURCE", "Edit"]

SENSITIVITY: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "ΔPPL": {"Syn-Ant": 5.3, "POS": 2.8, "Term": 8.7, "Lemma": 7.9, "Sup.": 11.2},
        "S_C": {"Syn-Ant": 7.8, "POS": 8.1, "Term": 9.1, "Lemma": 0.0, "Sup.": 20.8},
        "NDD": {"Syn-Ant": 19.1, "POS": 22.7, "Term": 11.2, "Lemma": 17.8, "Sup.": 24.0},
        "NDD + S_C": {"Syn-Ant": 12.5, "POS": 14.5, "Term": 10.8, "Lemma": 6.8, "Sup.": 28.2},
    }
)
"""Table 1: Pearson's correlation · 100 of each metric in each test, with roberta-base."""

PRUNING: Mapping[tuple[str, float], tuple[int, ...]] = MappingProxyType(
    {
        ("random", 1.0): (4, 21, 22, 54, 55, 31, 27),
        ("random", 2.0): (4, 24, 23, 48, 52, 29, 23),
        ("PPL", 1.0): (3, 20, 21, 56, 79, 57, 48),
        ("PPL", 2.0): (3, 23, 24, 50, 71, 45, 37),
        ("NDD", 1.0): (1, 19, 20, 60, 90, 81, 66),
        ("NDD", 2.0): (2, 23, 23, 52, 82, 70, 63),
    }
)
"""Table 7, by method and N_max: Depth-1, 2, 3 and ≥ 4, Subtree-1, 2 and ≥ 3, in per cent."""

PREDICATES: Mapping[tuple[str, str], tuple[float, ...]] = MappingProxyType(
    {
        ("PPL", "delete"): (36.8, 56.8, 44.5, 60.4, 26.6, 54.5),
        ("PPL", "mask"): (35.9, 56.7, 33.1, 48.5, 25.1, 50.4),
        ("NDD", "delete"): (53.1, 77.0, 62.5, 80.8, 48.8, 77.1),
        ("NDD", "mask"): (48.0, 74.4, 57.3, 80.6, 44.2, 75.0),
        ("NDD", "stop word"): (49.9, 76.4, 56.4, 78.5, 45.2, 77.2),
        ("NDD", "ensemble"): (54.3, 79.7, 63.1, 83.3, 54.7, 82.8),
    }
)
"""Table 8, by metric and edit: mAP and AUC of ENG-ID, of ENG-OOD and of SPA."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited sentence of Table 10, the group it stands in, and its PPL, NDD and S_C there."""

    group: str
    text: str
    ppl: float
    ndd: float
    cosine: float


SOURCE = Edit("", "I am walking in the cold rain.", 5.99, 0.0, 1.0)
"""The initial sentence of Table 10."""

SENTENCES: tuple[Edit, ...] = (
    Edit("adjective", "I am walking in the cool rain.", 10.10, 0.81, 0.995),
    Edit("adjective", "I am walking in the freezing rain.", 5.63, 0.97, 0.997),
    Edit("adjective", "I am walking in the heavy rain.", 5.30, 1.82, 0.994),
    Edit("adjective", "I am walking in the hot rain.", 14.77, 3.17, 0.995),
    Edit("noun", "I am walking in the cold snow.", 5.37, 2.46, 0.996),
    Edit("noun", "I am walking in the cold night.", 6.18, 3.52, 0.991),
    Edit("noun", "I am walking in the cold sunshine.", 8.59, 4.73, 0.994),
    Edit("verb", "I am running in the cold rain.", 11.86, 0.66, 0.990),
    Edit("verb", "I am wandering in the cold rain.", 16.89, 0.89, 0.982),
    Edit("verb", "I am swimming in the cold rain.", 14.84, 3.29, 0.986),
    Edit("subject and tense", "I was walking in the cold rain.", 10.32, 4.72, 0.980),
    Edit("subject and tense", "He am walking in the cold rain.", 105.55, 13.04, 0.991),
    Edit("subject and tense", "He is walking in the cold rain.", 13.95, 7.22, 0.980),
)
"""Table 10, without the initial sentence."""
