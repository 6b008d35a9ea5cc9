"""Texts as words."""

from __future__ import annotations

import pytest

from rerank.errors import UnknownName
from rerank.masked.words import guess_language, sentence_spans, split, split_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He didn't, can't and won't.", "He did n't , ca n't and wo n't ."),
        ("They 've said he ca n't, it 's 'said'.", "They 've said he ca n't , it 's ' said ' ."),
        ("John's dogs' tails they'll we're I'd", "John 's dogs ' tails they 'll we 're I 'd"),
        ("I cannot go; O'Brien can.", "I can not go ; O'Brien can ."),
        ("Mr. Lee of the U.S. paid $1,000.50 (5%) at 9:30", "Mr. Lee of the U.S. paid $ 1,000.50 ( 5 % ) at 9:30"),
        ('"Why?!" a long-term plan -- AT&T', '" Why ?! " a long-term plan -- AT&T'),
        ("see https://a.b/c?d=1, or a@b.org.", "see https://a.b/c?d=1 , or a@b.org ."),
    ],
)  # fmt: skip
def test_english_is_split_as_treebanks_do(text: str, expected: str) -> None:
    assert " ".join(word.text for word in split_words(text, "en")) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Он не пришёл: 5,5 км.", "ru", "Он не пришёл : 5,5 км ."),
        ("沙特下调10月 OPEC 油价。", "zh", "沙 特 下 调 10 月 OPEC 油 价 。"),
        ("L'eau à Paris-Nord coûte 3,14 €; ¿qué?", "other", "L'eau à Paris-Nord coûte 3,14 € ; ¿ qué ?"),
        ("台風16号は", "other", "台 風 16 号 は"),
        ("हिन्दी में", "other", "हिन्दी में"),
    ],
)
def test_other_languages_are_split_by_their_own_rules(text: str, language: str, expected: str) -> None:
    assert " ".join(word.text for word in split_words(text, language)) == expected


@pytest.mark.parametrize("language", ["en", "ru", "zh", "other"])
def test_words_know_their_places_and_whether_a_space_stands_before_them(language: str) -> None:
    text = '  Well , "he\tsaid" 3.5%\n油 (don\'t).'
    tokens = split(text, language)
    assert all(text[token.start : token.stop] == token.word.text for token in tokens)
    assert "".join(token.word.text for token in tokens) == "".join(text.split())
    spaced = {token.word.text: token.word.spaced for token in tokens}
    assert (spaced["Well"], spaced[","], spaced["he"], spaced["said"], spaced["油"]) == (True, True, False, True, True)
    assert split('"A', language)[0].word.spaced
    assert split(" \n", language) == []


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(UnknownName, match=r"'de'.*en, ru, zh, other"):
        split("Hallo", "de")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It rains.", "en"),
        ("At the café in 2020", "other"),
        ("Dvořák’s première of the opera, his ninth, was given in Čáslav.", "en"),
        ("El niño está en la casa con los perros de su abuela.", "other"),
        ("Zij zijn naar het café of restaurant geweest, één of twee keer.", "other"),
        ("Компания OPEC снизила цены.", "ru"),
        ("Браузер Google Chrome использует движок Blink и JavaScript V8.", "ru"),
        ('"Yana Yana" (in Russian «Яна») is a famous song.', "en"),
        ("Windows 11 Professional и Microsoft Office 2021", "ru"),
        ("沙特 OPEC 下调原油价格", "zh"),
        ("我们去过 Texas", "zh"),
        ("台風は", "other"),
        ("Ελλάδα", "other"),
        ("1944", "en"),
        ("", "en"),
        ("El presidente no quiere hablar de los problemas de la economía.", "other"),
        ("De regering heeft besloten dat het minimumloon niet zal stijgen.", "other"),
        ("Die Bundesregierung hat am Dienstag beschlossen, den Mindestlohn nicht auf 12 Euro zu erhöhen.", "other"),
        ("Уряд вирішив не підвищувати ціни.", "other"),
        ("Правительство решило не повышать цены.", "ru"),
        ("Колись тут було велике місто, яке заснували козаки, але його зруйнували.", "other"),
        ("Градът, основан през 1703 година, е голямо пристанище.", "other"),
        ("Градот е основан во 1703 година и има големо пристаниште.", "other"),
        ("Горад быў заснаваны ў 1703 годзе і мае вялікі порт.", "other"),
        ("Он родился в селе Київка под Чернігівом.", "ru"),
        ("Партия «Європейська Солідарність» выступила против законопроекта.", "ru"),
        ("Она живетъ въ Кіевѣ и любитъ русскій языкъ, россійскую исторію.", "ru"),
        ("превед медвед как дила чо делаеш", "ru"),
        ("Київ", "ru"),
        ("The Los Angeles Times said that de Gaulle met la Rochelle's mayor.", "en"),
        ("Los Angeles and Las Vegas grew fast.", "en"),
        ("Frédéric Chopin's Opus 57 is a berceuse for solo piano.", "en"),
        ("Müller will so an dem Tisch sitzen, und André auch.", "other"),
        ("Zoë is actrice, we zijn er.", "other"),
        ("René est à la gare.", "other"),
    ],
)
def test_the_language_is_guessed_from_the_script_and_common_words(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_sentences_end_with_their_marks_and_what_closes_them() -> None:
    words = split_words('He left. "Why?" she asked. (No.) It is 3.5... and on! 好。真的', "en")
    assert [" ".join(word.text for word in words[a:b]) for a, b in sentence_spans(words)] == [
        "He left .",
        '" Why ? " she asked .',
        "( No . )",
        "It is 3.5 ... and on !",
        "好 。",
        "真的",
    ]
    chinese = split_words("好。真的！", "zh")
    assert sentence_spans(chinese) == [(0, 2), (2, 5)]
    assert sentence_spans([]) == []
