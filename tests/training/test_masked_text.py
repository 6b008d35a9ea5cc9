"""Text for the small masked models: ordinary sentences, none twice, none that measures a model."""

from __future__ import annotations

import lzma
import subprocess
import sys
import tarfile
from itertools import islice
from pathlib import Path

import pytest

from rerank.english.detokenising import detokenised
from rerank.errors import BadInput
from tests.paths import need_data
from training.masked.batches import gather, texts
from training.masked.corpora import HeldBack, held_back_texts, own_paragraphs, paired, set_paragraphs
from training.masked.english import split_english, suits_english, untagged, whole_quotes
from training.masked.vocabulary import train_vocabulary


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("He said , `` I ca n't go . ''", 'He said, "I can\'t go."'),
        ("a light @-@ red animal of 20 @,@ 000 years ( 0 @.@ 7 kg )", "a light-red animal of 20,000 years (0.7 kg)"),
        ("the boys ' room and the women 's", "the boys' room and the women's"),
        ("the film -- and / or the book -- is dull .", "the film — and/or the book — is dull."),
        ("Boeing 777 - 300ERs", "Boeing 777-300ERs"),
        ("it cost $ 5 ; is n't that much ?", "it cost $5; isn't that much?"),
    ],
)
def test_tokens_become_ordinary_text(tokens: str, text: str) -> None:
    assert detokenised(tokens) == text


def test_a_tagged_hyphen_joins_and_a_tagged_dash_does_not() -> None:
    tagged = "year_NN -_- end_NN sales_NNS -_: he_PRP said_VBD -_: did_VBD n't_RB rise_VB ._."
    assert untagged(tagged.split(), "_") == "year-end sales - he said - didn't rise."


def test_a_sentence_does_not_end_at_an_abbreviation_or_initial() -> None:
    text = 'Mr. Smith of the U.S. Army met J. Brown. "Why?" he asked. It cost 5 p.m. tickets.'
    assert split_english(text) == [
        "Mr. Smith of the U.S. Army met J. Brown.",
        '"Why?" he asked.',
        "It cost 5 p.m. tickets.",
    ]


def test_only_whole_sentences_of_words_are_learnt_from() -> None:
    assert suits_english("The council met again on Monday.")
    assert suits_english("the council met again on monday.", lower=True)
    for text in (
        "the council met again on Monday.",
        "Council to meet on Monday again",
        "See http://a.org for more of it.",
        "He saw the <unk> in the river.",
        "Too short.",
        "THE COUNCIL MET AGAIN ON MONDAY.",
        "12 13 14 15 16 17 18 19 and so on.",
    ):
        assert not suits_english(text), text


def test_a_quote_without_its_partner_goes() -> None:
    assert whole_quotes('"It is hard.') == "It is hard."
    assert whole_quotes('He said: "It is hard."') == 'He said: "It is hard."'
    assert paired("«Это трудно.") == "Это трудно."
    assert paired("«Спартак» в лиге.") == "«Спартак» в лиге."
    assert paired("Это трудно»") == "Это трудно"


def test_no_sentence_is_learnt_from_that_is_held_out_or_measures_models() -> None:
    paragraphs = [[f"This is the sentence number {i} of all."] for i in range(100)]
    paragraphs += [["THIS IS THE SENTENCE, number 7 of all."], ["A text that measures models later on."]]
    parts = gather(paragraphs, HeldBack(["a text that measures models later on"]), share=0.1, seed=1)
    learnt, kept = ({text.lower().replace(",", "") for paragraph in part for text in paragraph} for part in parts)
    assert len(learnt) + len(kept) == 100
    assert kept
    assert not learnt & kept
    assert gather(paragraphs, HeldBack([]), share=0.1, seed=1)[0][0] == parts[0][0]


def test_texts_are_sentences_and_neighbours_and_some_lack_their_stop() -> None:
    paragraphs = [[f"The first of {i}.", f"The second of {i}."] for i in range(500)]
    made = list(texts(paragraphs, 0))
    joined = [text for text in made if "first" in text and "second" in text]
    assert 70 < len(joined) < 130
    assert 0.04 < sum(not text.endswith(".") for text in made) / len(made) < 0.12
    assert made == list(texts(paragraphs, 0))


def test_words_have_the_same_tokens_alone_as_in_a_text() -> None:
    text = "He can't pay O'Connor's well-known U.S. firm $1,300 and he cannot go (yet)."
    words = "He ca n't pay O'Connor 's well-known U.S. firm $ 1,300 and he can not go ( yet ) .".split()
    tokenizer = train_vocabulary([text] * 3, 200, language="en")
    whole = tokenizer.encode(text, add_special_tokens=False)
    assert whole.ids == [t for word in words for t in tokenizer.encode(word, add_special_tokens=False).ids]


def test_the_same_texts_give_the_same_vocabulary_in_every_process() -> None:
    code = (
        "from tests.training.masked import sentences; from training.masked.vocabulary import train_vocabulary; "
        "import hashlib; text = train_vocabulary(sentences()[:300], 150, language='en').to_str(); "
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    root = Path(__file__).resolve().parents[2]
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=root, check=True) for _ in range(2)]
    assert len({run.stdout for run in runs}) == 1


def test_a_russian_vocabulary_keeps_the_short_i_and_knows_no_yo() -> None:
    tokenizer = train_vocabulary(["Ёлка и чай — «да»…"] * 3, 200, language="ru")
    assert tokenizer.encode("Ёлка и чай — «да»…").tokens == '[CLS] елка и чай — " да " . . . [SEP]'.split()


def test_texts_that_measure_are_read_from_lines_json_and_csv(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"text": "one", "n": 1, "summaries": ["two", "three"]}\n', encoding="utf-8")
    (tmp_path / "a.csv").write_text('INPUT:a,OUTPUT:b\n"one\nand more",two\n', encoding="utf-8")
    assert list(held_back_texts(tmp_path / "a.txt")) == ["one", "two"]
    assert list(held_back_texts(tmp_path / "a.jsonl")) == ["one", "two", "three"]
    assert list(held_back_texts(tmp_path / "a.csv"))[2:] == ["one\nand more", "two"]
    with pytest.raises(BadInput, match=r"none\.csv"):
        list(held_back_texts(tmp_path / "none.csv"))


def test_a_packed_file_of_ones_own_is_read_by_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "own.txt.xz"
    path.write_bytes(lzma.compress("Это первое предложение. Это второе предложение.\n\nЗаголовок\n".encode()))
    assert list(own_paragraphs(path, "ru")) == [["Это первое предложение.", "Это второе предложение."]]


def test_wordnets_definitions_and_examples_are_read_and_not_how_its_words_are_related(tmp_path: Path) -> None:
    (tmp_path / "wordnet").mkdir()
    rows = {
        "adj": "  1 A licence.\n00024619 00 s 02 used_to(p) 0 wont_to(p) 0 001 & 00023383 a 0000 | in the habit; "
        '"I am used to hitchhiking"; "cold water"; "...was wont to complain of a cold world"- Henry David Thoreau  \n',
        "noun": "00001740 03 n 01 entity 0 001 ~ 00001930 n 0000 | that which is perceived; or known  \n",
    }
    for kind in ("noun", "verb", "adj", "adv"):
        (tmp_path / "wordnet" / f"data.{kind}").write_text(rows.get(kind, ""), encoding="utf-8")
    found = [text for paragraph in set_paragraphs("wordnet", tmp_path, 1.0, 0) for text in paragraph]
    assert found == [
        "entity: that which is perceived, or known.",
        "used to: in the habit.",
        "I am used to hitchhiking.",
        "...was wont to complain of a cold world.",
    ]
    (tmp_path / "wordnet" / "data.verb").unlink()
    with pytest.raises(BadInput, match=r"data\.verb"):
        list(set_paragraphs("wordnet", tmp_path, 1.0, 0))


def test_tags_may_stand_after_a_slash_as_in_the_brown_corpus() -> None:
    tagged = "He/pps didn't/dod* pay/vb 1/2/cd of/in it/ppo ,/, ``/`` really/rb ''/'' ./."
    assert untagged(tagged.split(), "/") == 'He didn\'t pay 1/2 of it, "really".'


def test_a_missing_or_broken_archive_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nltk_corpora\.tar\.xz"):
        list(set_paragraphs("abc", tmp_path, 1.0, 0))
    (tmp_path / "en_mono").mkdir()
    with tarfile.open(tmp_path / "en_mono" / "nltk_corpora.tar.xz", "w:xz") as archive:
        archive.add(__file__, arcname="packages/corpora/abc/x.txt")
    (tmp_path / "en_mono" / "nltk_corpora.tar.xz").write_bytes(b"broken")
    with pytest.raises(BadInput, match=r"nltk_corpora\.tar\.xz"):
        list(set_paragraphs("abc", tmp_path, 1.0, 0))


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("wikitext", ("en_mono", "wiki.valid.tokens")),
        ("abc", ("en_mono", "nltk_corpora.tar.xz")),
        ("flores", ("parallel_enru", "flores101_devtest.tsv.xz")),
        ("desse", ("desse_minwiki",)),
    ],
)
def test_real_sets_come_as_clean_sentences(name: str, place: tuple[str, ...]) -> None:
    folder = need_data(*place)
    data = folder.parents[len(place) - 1]
    # The first suffice: to unpack all of an archive takes long.
    found = [text for paragraph in islice(set_paragraphs(name, data, 1.0, 0), 600) for text in paragraph]
    assert len(found) > 400
    assert not [text for text in found if " , " in text or "@" in text or "<unk>" in text or " n't " in text]
