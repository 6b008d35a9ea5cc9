"""Tables of paraphrases that are of another language than the texts are refused, and no others."""

from __future__ import annotations

import pytest

from rerank.errors import BadInput
from rerank.foreign import foreign
from rerank.paraeval.pairs import PairTable
from rerank.paraeval.table import bundled, require_language

GERMAN = """das haus|das gebäude  auto|wagen  kaufen|erwerben  schnell|rasch  beginnen|anfangen  arzt|mediziner
zeitung|blatt  sofort|unverzüglich  im gegensatz zu|anders als  regierung|kabinett  krieg|kampf"""
FRENCH = """voiture|automobile  maison|demeure  acheter|acquérir  vite|rapidement  commencer|débuter  médecin|docteur
journal|quotidien  tout de suite|immédiatement  gouvernement|cabinet  guerre|conflit  mourir|perdre la vie"""
UKRAINIAN = """будинок|будівля  автомобіль|машина  купити|придбати  швидко|хутко  почати|розпочати  лікар|медик
газета|видання  негайно|одразу  уряд|кабінет  війна|конфлікт  гроші|кошти"""
BULGARIAN = """къща|дом  кола|автомобил  купувам|закупувам  бързо|скоро  започна|почна  лекар|доктор  вестник|издание
веднага|незабавно  правителство|кабинет  война|конфликт  пари|средства  умира|загива  ранен|пострадал"""
RUSSIAN = """дом|здание  машина|автомобиль  купить|приобрести  быстро|скоро  начать|приступить  врач|доктор
газета|издание  немедленно|сразу  правительство|кабинет  война|конфликт  деньги|средства"""
MEDICINE = """myocardial infarction|heart attack  renal|kidney  hepatic|liver  carcinoma|cancer  rhinitis|coryza
hypertension|high blood pressure  dyspnea|shortness of breath  edema|swelling  cephalgia|headache  pruritus|itching"""
LATIN = """myocardium infarct|angina  carcinoma|tumor  rhinitis|sinusitis  pruritus|urticaria  alopecia|vitiligo
fibula|tibia  radius|ulna  humerus|femur  coccyx|pelvis  dermatitis|eczema  canis lupus|lupus  felis catus|felis"""
MUSIC = """allegro|fast  adagio|slow  piano|soft  forte|loud  crescendo|getting louder  legato|smooth  staccato|short
andante|walking  presto|very fast  fortissimo|very loud  soprano|treble  basso|bass"""
DISHES = """spaghetti|pasta  pizza|calzone  espresso|ristretto  latte|caffè latte  gelato|sorbetto  mozzarella|ricotta
prosciutto|pancetta  tiramisu|panna cotta  chianti|barolo  focaccia|ciabatta  risotto|polenta  lasagna|ravioli"""
CLINIC = """ренальный|почечный  карцинома|рак  гипертензия|повышенное давление  диспноэ|одышка  цефалгия|головная боль
ринит|насморк  алопеция|облысение  эритема|покраснение  бэкенд|сервер  репозиторий|хранилище  вертиго|головокружение"""
BOTH = f"{GERMAN}  house|building  car|vehicle  buy|purchase  quick|fast  begin|start  doctor|physician  war|conflict"


def table(pairs: str) -> PairTable:
    given = [pair.strip().partition("|") for line in pairs.split("\n") for pair in line.split("  ")]
    return PairTable([(left, right, 1.0) for left, _, right in given])


@pytest.mark.parametrize(
    ("pairs", "language", "told"),
    [
        (GERMAN, "en", "it reads as German"),
        (FRENCH, "en", "it reads as French"),
        (UKRAINIAN, "ru", "words have letters that the language lacks"),
        (BULGARIAN, "ru", "it reads as Bulgarian"),
        ("дом|здание", "en", "no Latin letters"),
        ("house|building", "ru", "no Cyrillic letters"),
    ],
)
def test_a_table_of_another_language_is_refused_with_what_was_seen(pairs: str, language: str, told: str) -> None:
    with pytest.raises(BadInput, match=f"not of the language of the texts, '{language}': ") as raised:
        require_language(table(pairs), language)
    assert told in raised.value.message


@pytest.mark.parametrize(
    "pairs", [MEDICINE, LATIN, MUSIC, DISHES, BOTH, "haus|gebäude  auto|wagen  krieg|kampf", "1|2"]
)
def test_terms_two_languages_and_small_tables_are_taken_for_english(pairs: str) -> None:
    assert require_language(table(pairs), "en").longest


@pytest.mark.parametrize("pairs", [RUSSIAN, CLINIC, "api|интерфейс", "будинок|будівля  війна|конфлікт"])
def test_terms_and_small_tables_are_taken_for_russian(pairs: str) -> None:
    assert require_language(table(pairs), "ru").longest


@pytest.mark.parametrize("language", ["other", "zh"])
def test_of_other_languages_nothing_is_told(language: str) -> None:
    assert require_language(table(RUSSIAN), language).longest


@pytest.mark.parametrize(("own", "another"), [("en", "ru"), ("ru", "en")])
def test_the_bundled_tables_are_of_their_languages(own: str, another: str) -> None:
    text = " ".join(word for phrase in bundled(own).phrases for word in phrase)
    assert foreign(text, own) == ""
    assert foreign(text, another)


def test_what_a_table_says_of_itself_counts() -> None:
    mine = PairTable([("haus", "gebäude", 1.0)], language="other")
    with pytest.raises(BadInput, match="paraphrases are of language 'other', the texts of 'en'"):
        require_language(mine, "en")
