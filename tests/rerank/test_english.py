"""English through spaCy: offsets and shapes on any pipeline, and which pipelines are taken."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.analysis import LAYERS
from rerank.english import ENGLISH_LAYERS, EnglishAnalyzer, EnglishToken
from rerank.errors import BadInput, ModelNotFound

PIECES = [
    "word ",
    "Word",
    "don't ",
    ". ",
    "\n\n",
    "  ",
    "(",
    ") ",
    "…",
    "“",
    "”",
    "é",
    "😀",
    "\ud800",
    "3.5 ",
    "\u200b",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline whose parser has learnt nothing: its arcs are arbitrary, its shapes are not."""
    nlp = spacy.blank("en")
    parser = nlp.add_pipe("parser")
    for label in ("nsubj", "obj", "punct", "nmod"):
        parser.add_label(label)
    nlp.initialize()
    target = tmp_path_factory.mktemp("pipeline")
    nlp.to_disk(target)
    return target


@pytest.fixture(scope="module")
def analyzer(folder: Path) -> EnglishAnalyzer:
    return EnglishAnalyzer(folder)


class Fixed:
    """A pipeline that answers with documents made by hand."""

    max_length = 100

    def __init__(self, *docs: Any) -> None:
        self.docs = {doc.text: doc for doc in docs}
        self.meta = {"lang": "en", "name": "fixed", "version": "1"}
        self.asked: list[str] = []

    def make_doc(self, text: str) -> Any:
        return spacy.blank("en").make_doc(text)

    def pipe(self, docs: Iterator[Any], batch_size: int) -> Iterator[Any]:
        for asked in docs:
            self.asked.append(asked.text)
            yield self.docs[asked.text]


def answering(fixed: Fixed) -> EnglishAnalyzer:
    analyzer = EnglishAnalyzer()
    analyzer.__dict__["_nlp"] = fixed
    return analyzer


def doc(words: str, heads: Sequence[int], deps: str, pos: str, **more: Any) -> Any:
    return spacy.tokens.Doc(
        spacy.blank("en").vocab, words=words.split("|"), heads=list(heads), deps=deps.split(), pos=pos.split(), **more
    )


CUP = ("Ann|won|the|cup|in|Old|York|.", [1, 1, 3, 1, 6, 6, 1, 1])
UD = doc(*CUP, "nsubj ROOT det obj case compound obl punct", "PROPN VERB DET NOUN ADP PROPN PROPN PUNCT")


class TestAnalyzer:
    @given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
    @settings(max_examples=60, deadline=None)
    def test_tokens_are_the_text_between_their_offsets(self, analyzer: EnglishAnalyzer, text: str) -> None:
        analysis = analyzer.analyze_one(text)
        position = 0
        for token in analysis.tokens:
            assert text[token.start : token.stop] == token.text
            assert not token.text.isspace()
            assert token.start >= position
            position = token.stop
        assert [s.text for s in analysis.sentences] == [text[s.start : s.stop] for s in analysis.sentences]

    @given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
    @settings(max_examples=60, deadline=None)
    def test_every_sentence_is_a_tree_with_one_root(self, analyzer: EnglishAnalyzer, text: str) -> None:
        for sentence in analyzer.analyze_one(text).sentences:
            assert [token.rel for token in sentence.tokens if token.head < 0] == ["root"]
            for number in range(len(sentence.tokens)):
                for _ in sentence.tokens:
                    number = max(number, 0) if sentence.tokens[number].head < 0 else sentence.tokens[number].head
                assert sentence.tokens[number].head < 0

    def test_text_without_words_has_no_sentences(self, analyzer: EnglishAnalyzer) -> None:
        assert [a.sentences for a in analyzer.analyze(["", " \n "])] == [[], []]

    def test_a_parse_is_told_token_by_token(self) -> None:
        analysis = answering(Fixed(UD)).analyze_one(UD.text, LAYERS)
        assert [(t.text, t.pos, t.head, t.rel) for t in analysis.tokens][1:4] == [
            ("won", "VERB", -1, "root"),
            ("the", "DET", 3, "det"),
            ("cup", "NOUN", 1, "obj"),
        ]
        assert analysis.layers == set(ENGLISH_LAYERS)

    def test_white_space_is_no_token_and_heads_go_past_it(self) -> None:
        spaced = doc("\n|Go|\n|home", [0, 0, 1, 2], "ROOT dep dep obj", "SPACE VERB SPACE NOUN")
        analysis = answering(Fixed(spaced)).analyze_one(spaced.text)
        assert [(t.text, t.head, t.rel) for t in analysis.tokens] == [("Go", -1, "root"), ("home", 0, "obj")]

    def test_lemmas_and_features_come_from_the_pipeline(self) -> None:
        told = doc("Cats|sleep", [1, 1], "nsubj ROOT", "NOUN VERB", lemmas=["cat", "sleep"], morphs=["Number=Plur", ""])
        cats, sleep = answering(Fixed(told)).analyze_one(told.text).tokens
        assert isinstance(cats, EnglishToken)
        assert (cats.lemma, cats.feats, sleep.feats) == ("cat", {"Number": "Plur"}, {})

    def test_entities_are_people_places_and_organisations(self) -> None:
        named = UD.copy()
        named.ents = [
            spacy.tokens.Span(named, 0, 1, label="PERSON"),
            spacy.tokens.Span(named, 3, 4, label="WORK_OF_ART"),
            spacy.tokens.Span(named, 5, 7, label="GPE"),
        ]
        analysis = answering(Fixed(named)).analyze_one(named.text)
        assert [(e.text, e.type) for e in analysis.entities] == [("Ann", "PER"), ("Old York", "LOC")]

    def test_a_text_is_parsed_once(self) -> None:
        fixed = Fixed(UD)
        analyzer = answering(fixed)
        first = analyzer.analyze([UD.text, UD.text])
        assert analyzer.analyze_one(UD.text) is first[0] is first[1]
        assert fixed.asked == [UD.text]

    def test_no_more_texts_are_remembered_than_asked_for(self, folder: Path) -> None:
        analyzer = EnglishAnalyzer(folder, cache_size=2)
        first = analyzer.analyze(["one", "two", "three"])[0]
        assert analyzer.analyze_one("one") is not first

    def test_a_text_that_is_too_long_is_refused(self) -> None:
        with pytest.raises(BadInput, match="101 characters"):
            answering(Fixed()).analyze(["a" * 101])

    def test_the_signature_names_the_pipeline_and_its_version(self) -> None:
        assert answering(Fixed()).signature == "en_fixed@1"

    def test_an_unknown_layer_is_refused(self, analyzer: EnglishAnalyzer) -> None:
        with pytest.raises(ValueError, match="colour"):
            analyzer.analyze(["a"], ["colour"])

    def test_russian_resources_are_refused_by_name(self, analyzer: EnglishAnalyzer) -> None:
        for resource in ("navec", "morphology"):
            with pytest.raises(ModelNotFound, match="Russian only"):
                getattr(analyzer, resource)


class TestPipeline:
    @pytest.mark.parametrize("name", ["no_such_package", "no/such/folder"])
    def test_what_is_not_there_is_named(self, name: str) -> None:
        with pytest.raises(ModelNotFound, match=name):
            EnglishAnalyzer(name).load()

    def test_a_pipeline_without_a_parser_is_refused(self, tmp_path: Path) -> None:
        spacy.blank("en").to_disk(tmp_path)
        with pytest.raises(ModelNotFound, match="no parser"):
            EnglishAnalyzer(tmp_path).load()

    def test_a_parser_with_other_relations_is_refused(self, tmp_path: Path) -> None:
        nlp = spacy.blank("en")
        nlp.add_pipe("parser").add_label("pobj")
        nlp.initialize()
        nlp.to_disk(tmp_path)
        with pytest.raises(ModelNotFound, match="ClearNLP"):
            EnglishAnalyzer(tmp_path).load()

    @pytest.mark.parametrize("file", ["config.cfg", "parser/model", "parser/moves", "vocab/strings.json", "tokenizer"])
    def test_a_damaged_pipeline_is_told_in_one_line(self, folder: Path, tmp_path: Path, file: str) -> None:
        shutil.copytree(folder, tmp_path / "copy")
        content = (tmp_path / "copy" / file).read_bytes()
        (tmp_path / "copy" / file).write_bytes(content[: len(content) // 2])
        with pytest.raises(ModelNotFound, match="No usable spaCy pipeline"):
            EnglishAnalyzer(tmp_path / "copy").load()

    def test_nothing_is_loaded_before_the_first_text(self) -> None:
        assert EnglishAnalyzer("no_such_package").cache_size > 0
