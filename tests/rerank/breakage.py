"""How much do the well-formedness checks find? Breaks good sentences in known ways and counts what is caught.

Which word to cut is read from a treebank's gold parse (CoNLL-U), so that the checks, which only see the tagger's
parse, are not tested on their own opinion. Run from a checkout:

    python -m tests.rerank.breakage FILE.conllu … --limit 200 --seed 0
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rerank.analysis import Analysis, Analyzer
from rerank.errors import BadInput
from rerank.guard import Violation
from rerank.morphology import Morphology
from rerank.wellformed.russian import LAYERS, WellFormedness

__all__ = ["BREAKAGES", "Breakage", "GoldSentence", "break_sentences", "detection", "read_conllu"]


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A treebank sentence: text, and for each word its character span, part of speech, features, head and relation."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    pos: tuple[str, ...]
    feats: tuple[str, ...]
    heads: tuple[int, ...]
    rels: tuple[str, ...]

    def children(self, index: int) -> list[int]:
        return [child for child, head in enumerate(self.heads) if head == index]

    def subtree(self, index: int) -> set[int]:
        found = {index}
        for child in self.children(index):
            found |= self.subtree(child)
        return found

    def without(self, dropped: set[int]) -> str:
        """The text with these words cut and the punctuation around the gap mended, as a generator would."""
        parts, position = [], 0
        for index in sorted(dropped):
            start, stop = self.spans[index]
            parts.append(self.text[position:start])
            position = stop
        return tidy("".join([*parts, self.text[position:]]))


def tidy(text: str) -> str:
    """Mends what a cut leaves behind: spaces, doubled commas, a lower-case start."""
    text = re.sub(r"\s+", " ", text).strip(" ,;:—-")
    text = re.sub(r"\s+([,.;:!?)])", r"\1", text)
    text = re.sub(r"[,;:](?:\s*[,;:])+", ",", text)
    text = re.sub(r"[,;:\s]+([.!?])", r"\1", text)
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Breakage:
    """A sentence, what was made of it, and the kind of damage."""

    kind: str
    source: str
    broken: str


def read_conllu(path: str | Path) -> list[GoldSentence]:
    """Sentences of a CoNLL-U file whose words are found in their text in order; `BadInput` names a broken line."""
    try:
        blocks = Path(path).read_text(encoding="utf-8").split("\n\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error}.", hint="Give a CoNLL-U file in UTF-8.") from error
    return [sentence for block in blocks if (sentence := _gold(block)) is not None]


def _gold(block: str) -> GoldSentence | None:
    text = next((line[9:] for line in block.split("\n") if line.startswith("# text = ")), "")
    rows = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
    rows = [row for row in rows if len(row) == 10 and row[0].isdigit()]
    spans, position = [], 0
    for row in rows:
        start = text.find(row[1], position)
        if start < 0:
            return None
        position = start + len(row[1])
        spans.append((start, position))
    if not rows:
        return None
    columns = list(zip(*rows, strict=True))
    heads = tuple(int(head) - 1 for head in columns[6])
    return GoldSentence(text, columns[1], tuple(spans), columns[3], columns[5], heads, columns[7])


Cut = Callable[[GoldSentence], Iterator[set[int]]]


def _noun_of_modifier(gold: GoldSentence) -> Iterator[set[int]]:
    for index, rel in enumerate(gold.rels):
        if rel in ("amod", "det") and gold.heads[index] == index + 1 and gold.pos[index + 1] == "NOUN":
            yield {index + 1, *(i for c in gold.children(index + 1) if c > index + 1 for i in gold.subtree(c))}


def _complement_of_preposition(gold: GoldSentence) -> Iterator[set[int]]:
    for index, rel in enumerate(gold.rels):
        if rel == "case" and gold.pos[index] == "ADP" and gold.heads[index] > index and not gold.children(index):
            yield gold.subtree(gold.heads[index]) - {index}


def _preposition(gold: GoldSentence) -> Iterator[set[int]]:
    for index, rel in enumerate(gold.rels):
        if rel == "case" and gold.pos[index] == "ADP" and not gold.children(index) and index > 0:
            yield {index}


def _whole(*rels: str, keep: tuple[str, ...] = (), where: Callable[[GoldSentence, int], bool] | None = None) -> Cut:
    def cut(gold: GoldSentence) -> Iterator[set[int]]:
        for index, rel in enumerate(gold.rels):
            if rel in rels and gold.pos[index] != "PUNCT" and (where is None or where(gold, index)):
                yield gold.subtree(index) - {c for c in gold.children(index) if gold.rels[c] in keep}

    return cut


def _word(where: Callable[[GoldSentence, int], bool]) -> Cut:
    return lambda gold: ({index} for index in range(len(gold.words)) if where(gold, index))


def _verb_object(gold: GoldSentence, index: int) -> bool:
    return gold.pos[gold.heads[index]] == "VERB" and gold.heads[index] < index


def _finite_root(gold: GoldSentence, index: int) -> bool:
    return gold.rels[index] == "root" and "VerbForm=Fin" in gold.feats[index] and "conj" not in _child_rels(gold, index)


def _child_rels(gold: GoldSentence, index: int) -> set[str]:
    return {gold.rels[child] for child in gold.children(index)}


def _two_members(gold: GoldSentence, index: int) -> bool:
    return (
        "cc" in _child_rels(gold, index) and sum(gold.rels[c] == "conj" for c in gold.children(gold.heads[index])) == 1
    )


def _genitive_head(gold: GoldSentence, index: int) -> bool:
    genitive = [c for c in gold.children(index) if gold.rels[c] == "nmod" and "Case=Gen" in gold.feats[c]]
    bare = [c for c in genitive if c == index + 1 and "case" not in _child_rels(gold, c)]
    return bool(bare) and gold.pos[index] == "NOUN" and gold.rels[index] in ("obj", "nsubj", "iobj")


def _clause_comma(*rels: str) -> Callable[[GoldSentence, int], bool]:
    def where(gold: GoldSentence, index: int) -> bool:
        if gold.words[index] != "," or index + 1 >= len(gold.words):
            return False
        opened = [i for i in range(len(gold.words)) if gold.rels[i] in rels and gold.heads[i] < index < i]
        return any(min(gold.subtree(i) - {index}) == index + 1 for i in opened)

    return where


def _closing_comma(gold: GoldSentence, index: int) -> bool:
    if gold.words[index] != "," or gold.words[(index + 1) % len(gold.words)] in ("и", "а", "но", "что", "который"):
        return False
    clauses = [i for i in range(index) if gold.rels[i] in ("acl", "acl:relcl") and gold.heads[i] < i]
    return any(max(k for k in gold.subtree(i) if gold.pos[k] != "PUNCT") == index - 1 for i in clauses)


CUTS: dict[str, Cut] = {
    "noun of its modifier": _noun_of_modifier,
    "complement of a preposition": _complement_of_preposition,
    "preposition": _preposition,
    "object": _whole("obj", where=_verb_object),
    "infinitive": _whole("xcomp", where=lambda g, i: "VerbForm=Inf" in g.feats[i] and g.heads[i] < i),
    "object clause": _whole("ccomp", where=lambda g, i: g.heads[i] < i),
    "second member": _whole("conj", keep=("cc",), where=_two_members),
    "subject": _whole("nsubj", "nsubj:pass", where=lambda g, i: g.heads[i] >= 0 and g.pos[g.heads[i]] == "VERB"),
    "main verb": _word(_finite_root),
    "participle of an auxiliary": _word(lambda g, i: "aux:pass" in _child_rels(g, i)),
    "head of a genitive": _word(_genitive_head),
    "conjunction что": _word(lambda g, i: g.rels[i] == "mark" and g.words[i] == "что"),
    "comma before a participle": _word(_clause_comma("acl")),
    "comma before который": _word(_clause_comma("acl:relcl")),
    "comma after a clause": _word(_closing_comma),
    "half a pair of brackets or quotes": _word(lambda g, i: g.words[i] in "«»()"),
}


def _changed_form(grammemes: Sequence[str], where: Callable[[GoldSentence, int], bool]) -> Callable[..., Iterator[str]]:
    def change(gold: GoldSentence, morphology: Morphology) -> Iterator[str]:
        for index, word in enumerate(gold.words):
            if not where(gold, index):
                continue
            parse = morphology.analyzer.parse(word)[0]
            present = next((g for g in grammemes if g in parse.tag.grammemes), None)
            if present is None:
                continue
            other = grammemes[(grammemes.index(present) + 1) % len(grammemes)]
            inflected = parse.inflect({other})
            if inflected is not None and inflected.word != word.lower():
                start, stop = gold.spans[index]
                yield gold.text[:start] + inflected.word + gold.text[stop:]

    return change


def _doubled(gold: GoldSentence, morphology: Morphology) -> Iterator[str]:
    for index, (_, stop) in enumerate(gold.spans):
        if gold.words[index].isalpha() and len(gold.words[index]) > 2:
            yield f"{gold.text[:stop]} {gold.words[index].lower()}{gold.text[stop:]}"


CHANGES: dict[str, Callable[[GoldSentence, Morphology], Iterator[str]]] = {
    "gender of an adjective": _changed_form(
        ("masc", "femn", "neut"),
        lambda g, i: g.rels[i] == "amod" and g.heads[i] == i + 1 and "Number=Sing" in g.feats[i],
    ),
    "number of an adjective": _changed_form(
        ("sing", "plur"), lambda g, i: g.rels[i] == "amod" and g.heads[i] == i + 1 and g.pos[i + 1] == "NOUN"
    ),
    "gender of a verb": _changed_form(
        ("masc", "femn", "neut"),
        lambda g, i: "nsubj" in _child_rels(g, i) and "Tense=Past" in g.feats[i] and "Number=Sing" in g.feats[i],
    ),
    "number of a verb": _changed_form(
        ("sing", "plur"), lambda g, i: "nsubj" in _child_rels(g, i) and "VerbForm=Fin" in g.feats[i]
    ),
    "case after a preposition": _changed_form(
        ("gent", "datv", "accs", "ablt", "loct"),
        lambda g, i: i > 0 and g.rels[i - 1] == "case" and g.heads[i - 1] == i and g.pos[i] == "NOUN",
    ),
    "word said twice": _doubled,
}
BREAKAGES = (*CUTS, *CHANGES)


def _variants(kind: str, gold: GoldSentence, morphology: Morphology) -> list[str]:
    if kind in CUTS:
        return [gold.without(cut) for cut in CUTS[kind](gold) if len(cut) < len(gold.words) - 2]
    return list(CHANGES[kind](gold, morphology))


def break_sentences(
    sentences: Sequence[GoldSentence], *, limit: int, seed: int = 0, morphology: Morphology | None = None
) -> list[Breakage]:
    """Up to `limit` breakages of each kind, at most one of a kind from a sentence of 6 to 30 words."""
    rng = random.Random(seed)
    morphology = morphology or Morphology()
    pool = [s for s in sentences if 6 <= len(s.words) <= 30 and s.text[-1] in ".!?" and s.text[0].isupper()]
    broken = []
    for kind in BREAKAGES:
        rng.shuffle(pool)
        found = 0
        for gold in pool:
            options = [text for text in _variants(kind, gold, morphology) if text != gold.text]
            if options and found < limit:
                broken.append(Breakage(kind, gold.text, rng.choice(options)))
                found += 1
    return broken


def detection(
    checker: WellFormedness, analyzer: Analyzer, broken: Sequence[Breakage]
) -> list[tuple[Breakage, tuple[str, ...]]]:
    """Each breakage with the names of the rules that fired on it and not on its source."""
    analyses = analyzer.analyze([text for one in broken for text in (one.source, one.broken)], LAYERS)
    pairs = zip(broken, analyses[::2], analyses[1::2], strict=True)
    return [(one, tuple(p.kind for p in introduced(checker, source, text))) for one, source, text in pairs]


def introduced(checker: WellFormedness, source: Analysis, text: Analysis) -> list[Violation]:
    """Problems of a text that its source does not have under the same rule and words."""
    own = {(problem.kind, problem.text.lower()) for problem in checker.check(source, source)}
    return [p for p in checker.check(source, text) if (p.kind, p.text.lower()) not in own]


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help="CoNLL-U files")
    parser.add_argument("--limit", type=int, default=200, help="sentences broken in each way")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", default="", help="a kind of damage: print what was missed")
    options = parser.parse_args()
    sentences = [sentence for file in options.files for sentence in read_conllu(file)]
    broken = break_sentences(sentences, limit=options.limit, seed=options.seed)
    results = detection(WellFormedness(), Analyzer(cache_size=10), broken)
    for kind in BREAKAGES:
        fired = [bool(rules) for one, rules in results if one.kind == kind]
        print(f"{kind:36} {sum(fired):5} of {len(fired):5} {100 * sum(fired) / max(1, len(fired)):6.1f} %")
    for one, rules in results:
        if one.kind == options.show and not rules:
            print(f"  {one.source}\n  → {one.broken}")
    caught = sum(bool(rules) for _, rules in results)
    print(f"{'all':36} {caught:5} of {len(results):5} {100 * caught / max(1, len(results)):6.1f} %")


if __name__ == "__main__":
    _main()
