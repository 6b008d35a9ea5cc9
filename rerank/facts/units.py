"""Units of measure: what each is called, its dimension and its size in the dimension's base unit."""

from __future__ import annotations

__all__ = ["UNITS", "Unit"]

Unit = tuple[str, float]

_TABLE = """
length 0.001 мм миллиметр миллиметровый
length 0.01 см сантиметр сантиметровый
length 0.1 дм дециметр
length 1 м метр метровый
length 1000 км километр километровый
length 1609 миля
length 0.3048 фут
length 0.0254 дюйм дюймовый
length 1066.8 верста
length 0.7112 аршин
length 2.1336 сажень
length 0.9144 ярд
mass 0.000001 мг миллиграмм
mass 0.001 гр грамм граммовый
mass 1 кг килограмм килограммовый кило
mass 100 ц центнер
mass 1000 т тонна тонный тонновый
mass 1000000 килотонна кт
mass 1000000000 мегатонна мт
mass 16.38 пуд
area 10000 га гектар
volume 0.001 мл миллилитр
volume 1 л литр литровый
volume 159 баррель
time 1 сек секунда секундный
time 60 мин минута минутный
time 3600 ч час часовой
time 86400 день сутки дневный дневной
time 604800 неделя недельный
months 1 мес месяц месячный
months 12 г год лет годовой годичный летний летие
months 120 десятилетие
months 1200 в век столетие вв
months 12000 тысячелетие
speed 1 узел уз
percent 1 % процент процентный
permille 1 ‰ промилле
temperature 1 ° градус градусный ℃
ruble 1 руб рубль ₽ рублевый
ruble 0.01 коп копейка
dollar 1 долл доллар $ долларовый usd
euro 1 евро € eur
pound 1 £
hryvnia 1 гривна
yen 1 иена ¥
yuan 1 юань
mark 1 марка
franc 1 франк
power 1 вт ватт
power 1000 квт киловатт
power 1000000 мвт мегаватт
power 1000000000 гвт гигаватт
voltage 1 вольт
voltage 1000 киловольт
current 1 ампер
frequency 1 гц герц
frequency 1000 кгц килогерц
frequency 1000000 мгц мегагерц
frequency 1000000000 ггц гигагерц
bytes 1 байт
bytes 1024 килобайт кбайт кб
bytes 1048576 мегабайт мбайт мб
bytes 1073741824 гигабайт гбайт гб
bytes 1099511627776 терабайт тб
energy 1 дж джоуль
energy 4.187 калория
energy 4187 килокалория ккал
pressure 1 паскаль
pressure 101325 атмосфера атм
""".strip()


def _read() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for line in _TABLE.splitlines():
        dimension, size, *names = line.split()
        for name in names:
            units[name] = (dimension, float(size))
    return units


#: Folded lemma or abbreviation → (dimension, size).
UNITS = _read()
