"""Train the models of which rewrites an editor passes, on texts that readers judged.

    python -m training.text_acceptance --data ../shared/data --out rewrite/models/texts_ru.npz
    python -m training.text_acceptance --lang en --data ../shared/data --out rewrite/models/texts_en.npz
    python -m training.text_acceptance --cuts --data ../shared/data --out rewrite/models/breaks_ru.npz

`training/text_judgements.jsonl.gz` (of English `text_judgements_en.jsonl.gz`) holds, for sentences of the data folder
by their place (`training.places`) or as text, what a language model drew for them, with log-probabilities, counts and
`controls`, and for those texts that were read the faults that a reader found: `w` not well formed, `f` not factual, `p`
main point lost, `n` no simpler, none for one that he would print; `null` for those not read. `repair` is what he made
of a faulty one, `guard` why one that was not read was stopped, `certainty` what a model that learnt from verdicts said.
`text_judgements_en_hot.jsonl.gz`, of draws at temperature 1, is for `training.preferences` alone.
`break_judgements.jsonl.gz` holds in the same way cuts of a sentence in two; how probable a cut is says the adapter
gemma-ru. Prints the area under the ROC curve by cross-validation over sentences: of texts for each model that drew, of
cuts with how many sentences would be cut.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.facts import FactGuard
from rerank.scorer import Context
from rerank.types import Candidate
from rerank.wellformed.russian import WellFormedness
from rewrite.acceptance.break_judge import FEATURES, BreakJudge, Cut, offered_cuts
from rewrite.acceptance.english_texts import EnglishTextReader
from rewrite.acceptance.russian_texts import RussianTextReader
from rewrite.acceptance.text_acceptance import DrawnTextReader, TextAcceptance
from rewrite.engines.ct2 import CT2Engine
from rewrite.generators.edits.breaks import BREAK_FEATURES
from rewrite.generators.edits.tree import RepairedTree
from training.forests import JudgedTexts, across_folds, in_arrays, print_groups, report, train_forest
from training.places import Places
from training.readings import HARMLESS
from training.records import packed_rows

JUDGED_TEXTS = {
    "ru": Path(__file__).parent / "text_judgements.jsonl.gz",
    "en": Path(__file__).parent / "text_judgements_en.jsonl.gz",
}
"""By language."""
JUDGED_CUTS = Path(__file__).parent / "break_judgements.jsonl.gz"
_FOLDS = 8
_TREES = 300


def judged_rows(file: Path, places: Places) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each judged sentence, and its row of the file."""
    for row in packed_rows(file):
        yield row.get("source") or places.text(row["place"]), row


def read_texts(language: str, data: Path) -> tuple[tuple[str, ...], list[JudgedTexts]]:
    """The names of the features, and the judged draws of each sentence; features see all that was drawn for it."""
    english = language == "en"
    reader: DrawnTextReader = EnglishTextReader() if english else RussianTextReader()
    context = Context(EnglishAnalyzer() if english else Analyzer())
    judged: list[JudgedTexts] = []
    for source, row in judged_rows(JUDGED_TEXTS[language], Places(data)):
        candidates = [_drawn(text, row["model"]) for text in row["texts"]]
        read = [i for i, text in enumerate(row["texts"]) if text["faults"] is not None]
        passed = np.array([row["texts"][i]["faults"] in HARMLESS for i in read], dtype=bool)
        judged.append(JudgedTexts(reader.features(source, candidates, context)[read], passed, row["model"]))
    return reader.names, judged


def _drawn(text: Mapping[str, Any], model: str) -> Candidate:
    """The candidate that a judged text was."""
    return Candidate(
        text["text"],
        model,
        text["logprob"],
        text["tokens"],
        count=text["count"],
        controls=text.get("controls", ""),
        least_logprob=text.get("least_logprob"),
        certainty=text.get("certainty"),
        source_logprob=text.get("source_logprob"),
        source_tokens=text.get("source_tokens"),
    )


def train_text_acceptance(names: tuple[str, ...], judged: Sequence[JudgedTexts]) -> TextAcceptance:
    """The model from judged draws, whose features have these names."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=_TREES,
        learning_rate=0.03,
        max_leaf_nodes=8,
        max_features=0.3,
        l2_regularization=3,
        min_samples_leaf=15,
        random_state=0,
    )
    features = np.vstack([texts.features for texts in judged]).astype(np.float32)
    model.fit(features, np.concatenate([texts.passed for texts in judged]))
    return TextAcceptance(names, in_arrays(model))


def _report_texts(names: tuple[str, ...], judged: Sequence[JudgedTexts]) -> None:
    models = [texts.model for texts in judged for _ in texts.passed]
    groups = {name or "all": [name in ("", model) for model in models] for name in ("", *dict.fromkeys(models))}
    chances = np.concatenate(across_folds(judged, partial(train_text_acceptance, names), _FOLDS))
    passed = np.concatenate([texts.passed for texts in judged])
    print_groups(chances, passed, groups)
    if "limits" in names:
        stopped = np.concatenate([texts.features[:, names.index("limits")] for texts in judged]) > 0
        print(f"with a limit changed: {stopped.sum()}, {passed[stopped].sum()} of them passed")


def read_cuts(analyzer: Analyzer, data: Path) -> list[JudgedTexts]:
    """The judged cuts of each sentence that are still offered."""
    judge = BreakJudge(CT2Engine("gemma-ru"), analyzer=analyzer)
    guard, form = FactGuard(analyzer, morphology=analyzer.morphology), WellFormedness(analyzer.morphology)
    trees: list[RepairedTree] = []
    cuts: list[list[Cut]] = []
    verdicts: list[dict[str, str]] = []
    for source, row in judged_rows(JUDGED_CUTS, Places(data)):
        analysis = analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        if len(analysis.sentences) == 1:
            trees.append(RepairedTree(analysis.sentences[0], analysis.entities))
            cuts.append(offered_cuts(trees[-1], analyzer, guard, form))
            verdicts.append({_key(text["text"]): text["faults"] for text in row["texts"]})
    judged: list[JudgedTexts] = []
    for offered, rows, known in zip(cuts, judge.features(trees, cuts), verdicts, strict=True):
        read = [i for i, cut in enumerate(offered) if _key(cut.text) in known]
        if read:
            passed = np.array([known[_key(offered[i].text)] in HARMLESS for i in read], dtype=bool)
            judged.append(JudgedTexts(rows[read], passed))
    return judged


def _key(text: str) -> str:
    """A text without spaces and capitals, which do not tell cuts apart."""
    return "".join(text.lower().split())


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, measure, train, save, say how large the model is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", action="store_true", help="the model of cuts in two, instead of that of draws")
    parser.add_argument("--lang", choices=sorted(JUDGED_TEXTS), default="ru", help="language of the draws")
    parser.add_argument("--data", type=Path, required=True, help="data folder with ru_mono, or parallel_enru")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    if given.cuts:
        judged = read_cuts(Analyzer(), given.data)
        forest, n = train_forest(judged), len(BREAK_FEATURES)
        print(report(judged, forest, {"parse": slice(None, n), "log-probabilities": slice(n, None)}))
        forest.save(given.out, FEATURES)
    else:
        names, judged = read_texts(given.lang, given.data)
        _report_texts(names, judged)
        train_text_acceptance(names, judged).save(given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
