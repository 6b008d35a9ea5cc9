"""Words for the same place, people or person that share no four letters, and words in capitals that name nobody."""

from __future__ import annotations

__all__ = ["ACRONYMS", "ALIASES", "GENERIC", "PEOPLES", "UNNAMED"]

_PEOPLES = """
france french frenchman frenchmen frenchwoman; spain spanish spaniard spaniards; germany german germans; poland polish
pole poles; denmark danish dane danes; sweden swedish swede swedes; finland finnish finn finns; norway norwegian
norwegians norse; netherlands dutch dutchman holland; turkey turkish turk turks; greece greek greeks hellenic; wales
welsh welshman; scotland scottish scots scot scotsman; ireland irish irishman irishmen; england english englishman
englishmen; switzerland swiss helvetic; iceland icelandic icelander icelanders; china chinese prc sino; japan
japanese; thailand thai thais siam; laos lao laotian; iraq iraqi iraqis; iran iranian persia persian; peru peruvian
peruvians; cuba cuban cubans; cyprus cypriot cypriots; czech czechia czechoslovakia; serbia serb serbs serbian;
croatia croat croats croatian; slovakia slovak slovaks; philippines filipino filipinos filipina philippine pilipino;
brazil brazilian; quebec quebecois quebecer; israel israeli israelis; jew jews jewish judaism judaic; oman omani;
lebanon lebanese; malta maltese; portugal portuguese luso; congo congolese; vietnam vietnamese; sudan sudanese; nepal
nepalese nepali; myanmar burma burmese; bangladesh bangladeshi; pakistan pakistani; kuwait kuwaiti; mali malian; chad
chadian; togo togolese; niger nigerien; usa us america american americans states united; uk britain british briton
britons united kingdom; ussr soviet soviets russia russian russians union; europe european europeans eu; asia asian
asians; africa african africans; naples neapolitan; venice venetian; milan milanese; vienna viennese; moscow
muscovite; glasgow glaswegian; rome roman romans; florence florentine; crete cretan; troy trojan; athens athenian;
paris parisian; york yorkist; tibet tibetan; liverpool liverpudlian; manchester mancunian; halifax haligonian; sparta
spartan; flanders flemish; gaul gallic; tuscany tuscan; cambridge cantabrigian; oxford oxonian; christ christian
christians christianity jesus; islam islamic muslim muslims moslem; buddha buddhism buddhist buddhists; hindu hinduism
hindus; bible biblical; catholic catholics catholicism; god lord divine
"""
_NAMES = """
william bill will billy liam; robert bob rob bobby bert; james jim jimmy jamie; richard dick rick rich ricky; edward
ed ted eddie ned; charles charlie chuck; john jack johnny jon; joseph joe joey; thomas tom tommy; michael mike mick
mickey; david dave davy; daniel dan danny; samuel sam sammy; benjamin ben benny; anthony tony; andrew andy drew;
matthew matt; nicholas nick nicky; alexander alex sandy; elizabeth liz beth betty eliza lizzie; margaret maggie peggy
meg; katherine catherine kate katie kathy cathy; henry harry hank; lawrence larry; frederick fred freddy; albert al
bert; gerald gerry jerry; theodore theo ted teddy; steven stephen steve; christopher chris kit; timothy tim; patrick
pat paddy; gregory greg; jeffrey jeff geoffrey geoff; kenneth ken kenny; ronald ron ronnie; donald don donnie; philip
phil phillip; peter pete; walter walt; francis frank; susan sue suzanne; deborah debbie; barbara barb; mars martian;
jupiter jovian; moon lunar; sun solar; television tv televised telecast; nyc york; california ca; la angeles los; dc
washington columbia; mt mount mountain; st saint street; ft fort; university uni; wwii world; wwi world; ww world; hq
headquarters; pm prime minister; orient eastern east oriental; occident western west; south southern; north northern;
arab arabia arabic arabs; pope papal papacy vatican; king royal kingdom; queen royal; xmas christmas; australia
australian aussie aussies; zealand zealander zealanders kiwi kiwis; hebrew hebrews hebraic; sen senator senators; rep
representative representatives; gov governor; gen general; prof professor; dept department; corp corporation; ave
avenue; afghanistan afghan afghans; monaco monegasque; carthage carthaginian punic; normandy norman normans;
luxembourg luxembourgish; kosovo kosovar; wwii ww2 world; wwi ww1 world; lab labs laboratory laboratories; slav slavs
slavic slavonic; anglicization anglicized english
"""
_STATES = """
alaska ak; arizona az; arkansas ar; california ca; connecticut ct; florida fl; georgia ga; illinois il; iowa ia;
kansas ks; kentucky ky; maryland md; michigan mi; minnesota mn; mississippi ms; missouri mo; montana mt; nebraska ne;
nevada nv; hampshire nh; jersey nj; mexico nm; york ny; carolina nc sc; dakota nd sd; ohio oh; rhode ri; tennessee tn;
texas tx; utah ut; vermont vt; virginia va wv; washington wa; wisconsin wi; wyoming wy
"""

ALIASES: dict[str, frozenset[str]] = {}
"""Each word of a group with all the words of its groups."""
for _group in f"{_PEOPLES};{_NAMES};{_STATES}".split(";"):
    _members = frozenset(_group.split())
    for _member in _members:
        ALIASES[_member] = ALIASES.get(_member, frozenset()) | _members

PEOPLES = frozenset(_PEOPLES.replace(";", " ").split())
"""Countries and their people, which stand before the name of anything there."""
ACRONYMS = frozenset(
    "tv ok id pc cd dvd ad bc ce bce am pm usd etc dj uk us usa utc gmt dna wwii wwi ww no aka vs".split()
)
"""In capitals, and no name."""

UNNAMED = frozenset(
    """
    i he she it we they him her his hers its their theirs my me our your you who whom whose which what that this these
    those there here a an the and or but nor so yet for of in on at by to from with as if when while where because since
    although though after before during until is are was were be been being has have had do does did will would can
    could may might must shall should not no one two three four five six seven eight nine ten first second third also
    however then thus therefore some many most all both each every any other another more less such only just even
    mr mrs ms miss dr jr sr phd god gods lord bible internet web earth sun moon latin mid
    """.split()
)
"""Words that may have a capital without being a name of their own, folded."""
GENERIC = frozenset(
    """
    sir dame lady madam prof professor doctor president vice king queen prince princess minister prime pope saint
    general captain colonel major lieutenant sergeant commander admiral marshal governor mayor senator congressman
    representative secretary chancellor judge justice bishop archbishop cardinal emperor empress duke duchess earl count
    countess baron viscount sultan shah tsar czar reverend father mother brother sister uncle aunt dad mom mum chief
    chairman director ceo world state states country city town village river lake mountain mount sea ocean island
    islands county district province region church cathedral university college school street road avenue government
    parliament congress senate army navy air force police court party union league club team cup championship season
    series war battle century north south east west northern southern eastern western english era age period part
    """.split()
)
"""Titles and words for what has a name: no names beside one of the source, as in *President Obama*, *River Thames*."""
