"""Cleaning of language-model samples: what is mended, what is rejected, and what is left alone."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite.cleaning import clean, filters, repairs
from rewrite.datasets import load_rsse
from tests.paths import need_data
from tests.processor import at_most

REPAIRS, FILTERS = ([rule.__name__.replace("_", " ") for rule in rules] for rules in (repairs.REPAIRS, filters.FILTERS))
RU = "В связи с проведением ремонтных работ движение по мосту через Волгу было временно приостановлено."
EN = "Owing to maintenance works, traffic on the Mill Street bridge has been temporarily suspended."
MUSEUM = "Музей Apple, основанный Петром I в XVIII веке, он передал городу вместе с коллекцией «Заря»."
GOOD_RU = "Движение по мосту через Волгу приостановили."
GOOD_EN = "The Mill Street bridge is closed."
CUT = "Движение приостановили. Мост через Волгу ремонт"

# rule, raw sample, source, what comes of it
MENDED = [
    ("end token", f" {GOOD_RU}</s> Город основан в", RU, GOOD_RU),
    ("end token", f"{GOOD_EN}<|endoftext|>The bridge", EN, GOOD_EN),
    ("special tokens", f"<pad> {GOOD_RU}", RU, GOOD_RU),
    ("special tokens", f"<|im_start|>assistant\n{GOOD_EN}", EN, GOOD_EN),
    ("reasoning", f"<think>\nОкей, надо короче.\n</think>\n\n{GOOD_RU}", RU, GOOD_RU),
    ("reasoning", f"Let me see, it is long.</think>{GOOD_EN}", EN, GOOD_EN),
    ("unknown characters", f"<unk>{GOOD_RU} \ufffd", RU, GOOD_RU),
    ("unknown characters", f" \u2047 {GOOD_EN}", EN, GOOD_EN),
    ("tokenizer marks", "Движение по мосту ``Волга'' приостановили.", RU, 'Движение по мосту "Волга" приостановили.'),
    ("tokenizer marks", "▁The▁Mill▁Street▁bridge▁is▁closed.", EN, GOOD_EN),
    ("tokenizer marks", "The bridge -LRB- the old one -RRB- is closed.", EN, "The bridge (the old one) is closed."),
    ("invisible characters", "Движе\u00adние по мосту через\u200b Волгу приостановили.\ufeff", RU, GOOD_RU),
    ("composed letters", "Мост че\u0308рный, за\u0438\u0306мы.", RU, "Мост чёрный, займы."),
    ("markdown", f"**{GOOD_RU}**", RU, GOOD_RU),
    ("markdown", f"```text\n{GOOD_EN}\n```", EN, GOOD_EN),
    ("markdown", f"> {GOOD_EN}", EN, GOOD_EN),
    ("preamble", f"Вот упрощённое предложение: {GOOD_RU}", RU, GOOD_RU),
    ("preamble", f"Конечно! Вот более простой вариант:\n\n{GOOD_RU}\n\nНадеюсь, это поможет!", RU, GOOD_RU),
    ("preamble", f"**Упрощённо:** {GOOD_RU}", RU, GOOD_RU),
    ("preamble", f"Предложение можно упростить так: «{GOOD_RU}»", RU, GOOD_RU),
    ("preamble", f'Sure, here is a simplified version of the sentence: "{GOOD_EN}"', EN, GOOD_EN),
    ("preamble", f"Sure! {GOOD_EN}", EN, GOOD_EN),
    ("preamble", f"Simplified: {GOOD_EN}", EN, GOOD_EN),
    ("preamble", f"I would put it like this:\n{GOOD_EN}", EN, GOOD_EN),
    ("preamble", f"### Упрощённое предложение\n{GOOD_RU}", RU, GOOD_RU),
    ("preamble", f"Original: {EN}\n**Simplified:** {GOOD_EN}", EN, GOOD_EN),
    ("label", f"Ответ: {GOOD_RU}", RU, GOOD_RU),
    ("label", f"Простой вариант: {GOOD_RU}", RU, GOOD_RU),
    ("label", f"Вариант 1: {GOOD_RU}\nВариант 2: Мост закрыт.", RU, GOOD_RU),
    ("label", f"Answer: Sentence: {GOOD_EN}", EN, GOOD_EN),
    ("line break", f"{GOOD_RU}\nМост через Волгу закрыли.", RU, GOOD_RU),
    ("line break", f"\n{GOOD_EN}\u2028I left out the reason.", EN, GOOD_EN),
    ("whitespace", "Движение  по мосту\tчерез Волгу приостановили. ", RU, GOOD_RU),
    ("list mark", f"1. {GOOD_RU}\n2. Мост закрыт.", RU, GOOD_RU),
    ("list mark", f"- {GOOD_EN}", EN, GOOD_EN),
    ("wrapping quotes", f"«{GOOD_RU}»", RU, GOOD_RU),
    ("wrapping quotes", "«Движение по мосту через Волгу приостановили».", RU, GOOD_RU),
    ("wrapping quotes", f"“{GOOD_EN}”", EN, GOOD_EN),
    ("wrapping quotes", '"The "Mill Street" bridge is closed."', EN, 'The "Mill Street" bridge is closed.'),
    ("stray spaces", "Мост ,как и раньше , закрыли .", RU, "Мост, как и раньше, закрыли."),
    ("stray spaces", "Мост ( через Волгу ) закрыл « Мостострой » .", RU, "Мост (через Волгу) закрыл «Мостострой»."),
    ("stray spaces", "Cars do n't use the bridge 's \" old \" lane .", EN, 'Cars don\'t use the bridge\'s "old" lane.'),
    ("first capital", "движение по мосту через Волгу приостановили.", RU, GOOD_RU),
    ("first capital", "the Mill Street bridge is closed.", EN, GOOD_EN),
    ("first capital", "мост закрыли.", "14 декабря 1944 года движение по мосту было приостановлено.", "Мост закрыли."),
    ("final mark", "Движение по мосту через Волгу приостановили", RU, GOOD_RU),
    ("final mark", "Can cars use the bridge", "Will traffic be permitted there?", "Can cars use the bridge?"),
]  # fmt: skip

# Of a rule, what looks like its affair and is not; the text must come out as it went in.
LEFT_ALONE = [
    ("end token", "Тег </s> закрывает зачёркнутый текст.", "Тег </s> служит для закрытия зачёркнутого."),
    ("tokenizer marks", "The shell runs ``date'' once.", "The shell evaluates ``date'' in backquotes exactly once."),
    ("markdown", "Площадь равна 3 * 4 * 5 метров.", "Площадь составляет 3 на 4 на 5 метров."),
    ("preamble", "Да! Мост закрыли.", "Да! Движение по мосту было приостановлено."),
    ("preamble", "Процедуру упростили: нужна одна справка.", "Процедура облегчена: предоставляется одна справка."),
    ("preamble", "Вот мост через Волгу, который закрыли.", RU),
    ("label", "Результат: мост закрыли.", "Результат: движение по мосту приостановлено."),
    ("list mark", "— Мост закрыли, — сказал он.", "— Движение по мосту приостановлено, — сообщил он."),
    ("list mark", "1944 год был трудным для города.", "Год 1944-й оказался для города тяжелейшим."),
    ("wrapping quotes", "«Заря» обыграла «Искру».", "Команда «Заря» одержала победу над командой «Искра»."),
    ("wrapping quotes", "«Роман «Заря» вышел в «Искре».", RU),
    ("wrapping quotes", '"Spark" beat "Dawn".', 'The team "Spark" was victorious over the team "Dawn".'),
    ("wrapping quotes", "«Мост закрыли».", "«Движение по мосту приостановлено»."),
    ("stray spaces", "Матч закончился со счётом 2 : 1, сказали ... в клубе.", "Встреча завершилась вничью."),
    ("stray spaces", "The British queen's “own” lane.", EN),
    ("first capital", "iPhone продают дешевле.", "Смартфон iPhone реализуется по сниженной цене."),
    ("first capital", "мост закрыли", "движение по мосту приостановлено"),
    ("whitespace", "Заплатили 5\u00a0000 рублей.", "Было выплачено 5\u00a0000 рублей."),
    ("final mark", "Мост закрыли", "Движение по мосту приостановлено"),
    ("final mark", "Мэр сказал: «Мост закрыли!»", "Мэр заявил: «Движение по мосту приостановлено!»."),
    ("final mark", "Мост закрыли?!", RU),
]  # fmt: skip

# the filter that objects, raw sample, source
REJECTED = [
    ("empty", "", RU),
    ("empty", " \n<pad></s>", RU),
    ("empty", "... 2 : 1 !", RU),
    ("prompt leakage", f"{GOOD_RU} <Simplify:> Мост", RU),
    ("prompt leakage", "The bridge is closed EndText", EN),
    ("prompt leakage", f"{GOOD_EN} <|im_start|>user And", EN),
    ("prompt leakage", "<think>\nThe sentence says that", EN),
    ("refusal", "Извините, но я не могу помочь с этим запросом.", RU),
    ("refusal", "К сожалению, я не могу упростить это предложение.", RU),
    ("refusal", "Как языковая модель, я не обсуждаю такие темы.", RU),
    ("refusal", "Пожалуйста, пришлите текст, который нужно упростить.", RU),
    ("refusal", "I'm sorry, but I can't help with that.", EN),
    ("refusal", "As an AI language model, I do not have opinions.", EN),
    ("refusal", "Please provide the sentence.", EN),
    ("lost characters", "Движ\ufffdние по мосту приостановили.", RU),
    ("lost characters", "The br<unk>dge is closed.", EN),
    ("unfinished", "Движение по мосту приостановили по трём причинам:\n- ремонт", RU),
    ("unfinished", "The bridge is closed,", EN),
    ("copy of the source", RU, RU),
    ("copy of the source", RU.lower().removesuffix(".").replace(" ", "  "), RU),
    ("copy of the source", "«Еще не все», - ответил он!", "„Ещё не всё“, – ответил он…"),
    ("copy of the source", EN.upper(), EN),
    ("another alphabet", "Движение по мосту приостановили 桥.", RU),
    ("another alphabet", "The мост is closed.", EN),
    ("another alphabet", "Движение по мосту Bridge приостановили.", RU),
    ("another alphabet", "Мост через Волгу закрыли в XX веке.", RU),
    ("another alphabet", "Движение по мосту в Mоскве приостановили.", f"{RU} M"),
    ("another alphabet", "The bridge in Mоscow is closed.", f"{EN} Мост."),
    ("repeated words", "Движение по мосту мосту приостановили.", RU),
    ("repeated words", "Движение приостановили, движение по мосту, движение по мосту.", RU),
    ("repeated words", "Мост закрыли. Движения нет. Мост закрыли. Мост закрыли.", RU),
    ("repeated words", "The bridge is is closed.", EN),
    ("repeated words", "The bridge to the west, to the west, to the west is closed.", EN),
    ("much longer", "Мост закрыли, а рядом построили рынок, школу, театр, завод и стадион.", "Мост закрыт."),
    ("much longer", "The bridge is closed, so cars take the ferry, the tunnel or a road.", "Bridge closed."),
    ("invented words", "Движение по мосту приостановалось.", RU),
]  # fmt: skip

# Of a filter, what looks like its affair and is none: it has to pass.
KEPT = [
    ("prompt leakage", "Слово Simplify значит «упростить».", "Слово Simplify переводится глаголом «упростить»."),
    ("refusal", "Я не могу помочь вам, сказал мэр.", "Я не могу помочь вам в этом деле, заявил мэр."),
    ("refusal", "К сожалению, мост не могли открыть.", RU),
    ("refusal", "Языковая модель переводит тексты.", "Языковая модель осуществляет перевод текстов."),
    ("refusal", "As an AI researcher, she wrote much.", "Being an AI researcher, she authored many papers."),
    ("unfinished", "мост через Волгу;", "временно закрытый мост через Волгу;"),
    ("copy of the source", "Движение по мосту через Волгу было приостановлено.", RU),
    ("another alphabet", "Угол α равен 5 µм.", "Величина угла α составляет 5 микрометров."),
    ("another alphabet", "Музей APPLE основал Пётр I.", MUSEUM),
    ("another alphabet", "Это случилось в XX веке.", "Это событие произошло в ХХ веке."),
    ("another alphabet", "The bridge was named Le Pont.", EN),
    ("another alphabet", "Музей Aррle закрыли.", "Музей Aррle был закрыт на ремонт."),
    ("repeated words", "Мост чуть-чуть, еле-еле и очень очень медленно чинили.", RU),
    ("repeated words", "Чинили в мае. В июне чинили снова.", RU),
    ("repeated words", "Пели Дюран Дюран.", "Выступила группа «Дюран Дюран»."),
    ("repeated words", "Счёт был 5 5 в мае.", RU),
    ("repeated words", f"Код {'-'.join(map(str, range(60)))} верен.", RU),  # read in one way, not in 2 to the 60th
    ("repeated words", "He said that that bridge had had cracks.", "He stated that the bridge had been cracked."),
    ("repeated words", "They met the Turks there. The Turks there ruled.", "They met the Turks that ruled there."),
    ("much longer", "Мост закрыли. Его будут чинить до мая.", "Мост закрыт до мая."),
]  # fmt: skip

MARKERS = ("<Simplify:>", "Text:", "Simplify", "EndText", '"')


@pytest.mark.parametrize(("rule", "raw", "source", "text"), MENDED)
def test_a_sample_is_mended(rule: str, raw: str, source: str, text: str) -> None:
    cleaned = clean(raw, source)
    assert (cleaned.text, cleaned.dropped) == (text, "")
    assert rule in cleaned.fired


@pytest.mark.parametrize(("rule", "text", "source"), LEFT_ALONE)
def test_what_only_looks_faulty_is_left_alone(rule: str, text: str, source: str) -> None:
    assert rule in REPAIRS
    cleaned = clean(text, source)
    assert (cleaned.text, cleaned.fired, cleaned.dropped) == (text, (), "")


@pytest.mark.parametrize(("rule", "raw", "source"), REJECTED)
def test_what_is_no_rewrite_is_rejected(rule: str, raw: str, source: str) -> None:
    assert clean(raw, source, markers=MARKERS).dropped == rule


@pytest.mark.parametrize(("rule", "text", "source"), KEPT)
def test_what_only_looks_wrong_is_kept(rule: str, text: str, source: str) -> None:
    assert rule in FILTERS
    cleaned = clean(text, source, markers=MARKERS)
    assert (cleaned.text, cleaned.dropped) == (text, "")


def test_every_rule_is_tried_both_ways() -> None:
    assert {row[0] for row in MENDED} == set(REPAIRS) - {"stop string", "unfinished end"}
    assert {row[0] for row in REJECTED} == set(FILTERS)


def test_a_text_ends_at_the_first_stop_string() -> None:
    cleaned = clean("Мост закрыли. EndText Text: Мост", RU, stop=("Text", "End"), markers=MARKERS)
    assert cleaned.text == "Мост закрыли."
    assert cleaned.fired == ("stop string",)
    assert clean("Мост закрыли.", RU, stop=("End", "")).fired == ()


def test_what_the_model_had_no_room_to_finish_is_cut_back_to_a_sentence() -> None:
    cleaned = clean(CUT, RU, finish_reason="length")
    assert (cleaned.text, cleaned.fired, cleaned.dropped) == ("Движение приостановили.", ("unfinished end",), "")
    assert clean(CUT, RU, finish_reason="stop").text == f"{CUT}."
    assert clean(CUT, RU).text == f"{CUT}."


@pytest.mark.parametrize("raw", ["Движение по мосту через", "Мост закрыли до 5 мая 2020 г.", "Мост строил А."])
def test_an_unfinished_sentence_with_none_before_it_is_rejected(raw: str) -> None:
    assert clean(raw, RU, finish_reason="length").dropped == "unfinished"
    assert clean(raw, RU, finish_reason="stop").dropped == ""


@pytest.mark.parametrize("rest", ["\nЕщё один вариант: мост", "</s> Мост через Волг", " END и ещё"])
def test_a_text_that_ended_before_the_model_was_stopped_is_finished(rest: str) -> None:
    cleaned = clean(f"Мост через Волгу закрыли{rest}", RU, stop=("END",), finish_reason="length")
    assert (cleaned.text, cleaned.dropped) == ("Мост через Волгу закрыли.", "")


def test_a_source_with_line_breaks_may_be_rewritten_in_several_lines() -> None:
    assert clean("Мост закрыли.\nДвижения нет.", "Мост закрыт.\nДвижение прекращено.").text == (
        "Мост закрыли. Движения нет."
    )


def test_pieces_of_a_prompt_that_any_text_may_have_are_no_leak() -> None:
    assert clean('Мост "Волга" закрыли: ремонт.', RU, markers=('"', ":", "", " ")).dropped == ""


def test_rules_are_named_in_the_order_in_which_they_fired() -> None:
    cleaned = clean("Ответ:  «мост закрыли»", RU)
    assert cleaned.text == "Мост закрыли."
    assert cleaned.fired == ("label", "wrapping quotes", "first capital", "final mark")
    assert len({*REPAIRS, *FILTERS}) == len(REPAIRS) + len(FILTERS)


FRAGMENTS = st.sampled_from(
    [*"«»“”„\"'‘’()[].,;:!?…-—–*_`#>@▁ \n\t\r\u2028\u00a0\u200b\ufeff\ufffd\u2047\u00ad\u0301\u0306\u0308ё",
     "</s>", "<pad>", "<unk>", "<|im_start|>", "<think>", "</think>", "``", "''", "**", "@@ ", "-LRB-", "[UNK]",
     "Ответ:", "Вот вариант:", "Упрощённо:", "Sure!", "Here is the sentence:", "1.", "2)", "а)", "мост", "Мост",
     "МОСТ ЧЕРЕЗ ВОЛГУ", "the bridge", "THE OLD BRIDGE", "n't", "'s", "Он", "XX", "г.", "и", " ", " ", ". ", "\ud800"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=40), st.lists(FRAGMENTS, max_size=16).map("".join))
SOURCES = st.one_of(st.sampled_from([RU, EN, MUSEUM, "Мост", "«Мост!»", "первая\nвторая"]), TEXTS)


@settings(max_examples=200, deadline=None)
@given(raw=TEXTS, source=SOURCES, reason=st.sampled_from([None, "stop", "length"]))
def test_cleaning_settles_whatever_the_text(raw: str, source: str, reason: str | None) -> None:
    cleaned = clean(raw, source, stop=("END",), markers=MARKERS, finish_reason=reason)
    assert len(cleaned.text.splitlines()) <= 1
    assert cleaned.text == cleaned.text.strip()
    assert set(cleaned.fired) <= set(REPAIRS)
    assert cleaned.dropped in {"", *FILTERS}
    if not cleaned.dropped:
        assert cleaned.text
        again = clean(cleaned.text, source, stop=("END",), markers=MARKERS, finish_reason="stop")
        assert (again.text, again.fired, again.dropped) == (cleaned.text, (), "")


@pytest.mark.parametrize("piece", [" ", "*", '" ', "`", "</s>", "мост ", "Мост. ", "\n", "(", "1. ", "«", "Ответ: "])
def test_long_runs_of_anything_take_no_long_time(piece: str) -> None:
    with at_most(3):
        clean(piece * (8_000 // len(piece)), RU, markers=MARKERS, finish_reason="length")


def test_hardly_any_reference_written_by_people_is_rejected() -> None:
    examples = load_rsse(need_data("rsse", "dev_sents.csv"))[::3]
    dropped = Counter(clean(text, example.source).dropped for example in examples for text in example.references)
    # One reference in twenty has a misspelling, which is a word that nobody knows; test_invented_words.py looks closer.
    for rule in set(FILTERS) - {"invented words"}:
        assert dropped[rule] / dropped.total() < 0.01, rule
