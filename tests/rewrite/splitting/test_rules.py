"""Each rule refuses splits that would say something else, or badly, and lets those near them pass."""

from __future__ import annotations

import pytest

from rewrite.splitting.rules import FACTS, FORM
from tests.rewrite.splitting.marking import faults

# Under the name of a rule, splits that it refuses, each before a near one that no rule refuses. A split is a marked
# sentence; behind the arrow is its opener.
TABLE = """
drops-content
- He found a small box{ he| brought with him from Rome}. => it
+ He found a small box{, and| he brought it with him from Rome}.
- He sold the house{ while| she was in Rome}. => however ,
+ He sold the house{, while| she was in Rome}. => however ,
- He is old{, but| he works in Rome}.
+ He is old{, but| he works in Rome}. => however ,
- He is old{ but| sold the house}. => he
+ He is old{ but| sold the house}. => but he
- She left the room{ while| he sang a song}.
+ She left the room{ while| he sang a song}. => meanwhile ,
- She lives in Rome{, where| he bought a house}.
+ She lives in Rome{, where| he bought a house}. => there ,
- He bought an old house{, probably, and| he sold it}.
+ He bought an old house{, and| he sold it}.
- She left Rome{ with| a big brown dog}.
+ She left Rome{ and| he left Paris}.
- He left the house{, although| it was dark}.
+ He left the house{, although| it was dark}. => however ,
- He says{ that| she left Rome}.
+ He said this{;| she left Rome}.
- The company denied charges{ that| it provided money to rebels}.
+ They denied the charges{ and| it gave money to rebels}.
- She read the report{ that| Tom wrote in Rome}. => he
+ She read the report{ that| was written in Rome}. => it
- He bought an old house{, which was| sold in 1990}. => it
+ He bought an old house{, which| was sold in 1990}. => it
- The house burned down{, making| way for a park}. => this
+ The house burned down{, making| way for a park}. => this <past>
alternatives
- The company was not founded by Jobs{, who| joined in 1977, but by Wozniak and Wayne}. => he
+ The company was founded by Jobs{, who| joined in 1977}. => he
- He sold the house{ or| he burned it}.
+ He sold the house{ and| he burned it}.
- He did not only sell the house{, but| he also burned it}.
+ He sold the house{, and| he also burned it}.
- He will sell the house{ if| she leaves Rome}.
+ He will sell the house{ and| she leaves Rome}.
- The house was built in Rome between May 30, 1862{ and| June 2, 1863}. => it was
+ He lived in Rome in May{ and| she lived in an old house}.
condition
- Police said the man, wearing a red jacket{,| fled the scene after he shot two officers}. => he
+ She left Rome{;| she hated the city}.
- If it rains in Rome, we will stay at home{ and| the match will be cancelled}.
+ It rained in Rome{ and| the match was cancelled}.
- She hopes to leave Rome{ and| sell the old house}. => she
+ She left Rome{ and| sold the old house}. => she
- Stay in Rome{ and| sell the old house}. => they
+ He made a fire{ and| he burned the house}.
- He would cry if she left Rome{ and| sold the house}. => she
+ She left Rome{ and| sold the house}. => she
- She did not leave Rome{ and| sell the house}. => she
+ She left Rome{ and| sold the house}. => she
- He says{ that| she left Rome}.
+ He said this{;| she left Rome}.
- The plan is to sell the house{, using| the money for a car}. => it <present>
+ He stayed in Rome{, acting| like a painter}. => he <past>
quantified
- We saw most people{ wearing| a red hat}. => they <past>
+ He left Rome{, wearing| a red hat}. => he <past>
- He met every man{ who| lives in Rome}. => he
+ She met the man{ who| lives in Rome}. => he
report
- The house burned down in May{,| the agency reported}.
+ The house burned down in May{, and| the agency reported it}.
- Tom went home and added{: |"I will stay there until May."}
+ Tom went home{. |He will stay there until May.}
- "He left Rome,"{| he said to her in Paris}.
+ He said this{;| he left Rome}.
voice
- The army came to Rome{ and| ruled over the city}. => it is
+ The army came to Rome{ and| ruled over the city}. => it
- The car was sold in May{, driven| by Tom Brown}. => he <past>
+ He left Rome{, selling| his house}. => he <past>
calls-so
- Tom groaned in a gentle tone{,| "Sure, the whole lot."} => he was
+ Tom was old{, and| he was a sure man}.
- They sell many things{,| old books, red wine, and good bread}. => this is
+ He lives in Rome{,| a big city in Italy}. => this is
- He denied the possibility{ |of peace in Rome}. => this is
+ It is a house{ |near the river}. => it is
- The Senate passed the bill{ and| sent it to Rome}. => it was
+ The bill was passed{ and| sent to Rome}. => it was
- He studied art{ |at the academy in Rome}. => he was
+ He is a painter{, |a friend of Tom}. => he is
- He has many books{, |such as this}. => they are
+ He is a painter{, |a friend of Tom}. => he is
- He arrived in Rome with a book{ and| a letter to Tom}. => he was
+ He was a painter{ and| a friend of Tom}. => he was
unfit-opener
- He left Rome{, |but the house is old}. => however
+ He left Rome{, but| the house is old}. => however ,
report
- The house was sold in May{,| adds Tom Brown}. => he
+ The house was sold in May{, and| Tom Brown adds it}.
- "I will go to Rome, and I will stay there,"{| he said, "until the war is over."}
+ He said this{;| he left Rome}.
- The old bridge fell down in May{, |police said on Friday}.
+ The old bridge fell down in May{, and| police said that it was old}.
hangs-relative
- He had three sons{,| two of whom died in Rome}.
+ He had three sons{, and| they died in Rome}.
- She met many men{, |some of whom she knew}. => however ,
+ She met many men{ and| she knew some}.
- He left the town{, |during which he wrote a book}.
+ He left the town{, during which| he wrote a book}. => during this time ,
parted
- There are two reasons why failure to learn{ |could be fatal to the town}. => they
+ There are two reasons{ and| they could be fatal to the town}.
breaks-list
- He opened the door, looked around{,| saw a dog and ran away}. => he
+ He opened the door and looked around{,| saw a dog and ran away}. => he
phrase-alone
- The company sold the ship{ |in an effort to save the house}.
+ The company sold the ship{ and| it saved the house}.
carries-off
- Kim met Robin{, who| was ill, at the station}. => she
+ Tom met the woman{, who| was very ill,}. => she
- Kim met Robin{, who| was ill, at the old station}. => he
+ Kim met Robin{, and| he was ill, at the old station}.
leans-back
- There are two reasons{ |why he left Rome}.
+ There are two reasons{;| he left Rome}.
- He left Rome in May{,| as the house was old}.
+ He left Rome in May{;| in June she left Paris}.
- The house was damaged by a fire{,| such as the one in Rome in 1990}.
+ The house was damaged{;| such a thing was not seen in Rome}.
unbalanced
- She said "he left{ and| she came" to Tom}.
+ He wrote "Star Wars"{ and| he sold the house}.
- He had a dog (it was old{ and| it was brown)}.
+ He had a dog (old and brown){ and| it was here}.
too-short
- She left{ and| he stayed in Rome}.
+ She left Rome{ and| he stayed in Paris}.
- She stayed in Rome{ and| he left}.
+ She stayed in Rome{ and| he left Paris}.
open-end
- She left Rome because {|she hated the city}.
+ She left Rome{;| she hated the city}.
- He collected old stories, but {|used one name}. => he
+ He collected old stories{, but| used one name}. => but he
- He collected the {|old stories in Rome}. => it was
+ He collected old stories{, and| he sold them}.
dangles
- She left Rome when she {|hated the city}.
+ She left Rome;{ |she hated the city}.
- He sold the {|house and she left Rome}.
+ He sold the house{ and| she left Rome}.
- He stayed in Rome{ |and he sold the house}.
+ He stayed in Rome{ |but he sold the house}.
no-subject
- She left Rome{ and| sold the house}.
+ She left Rome{ and| sold the house}. => she
- She left Rome{,| a big city in Italy}.
+ She left Rome{,| a big city in Italy}. => it was
two-subjects
- Tom bought a car{, and| she sold it}. => she
+ Tom bought a car{, and| she sold it}.
two-verbs
- She left Rome{ and| sold the house}. => she was
+ She left Rome{ and| sold the house}. => she also
disagrees
- She was born in Rome{ and| has two brothers}. => they
+ She was born in Rome{ and| has two brothers}. => she
fragment
- When he came to Rome{,| she left the city}.
+ He came to Rome{,| she left the city}.
- The old house in Rome{, which| was sold in May}. => it
+ He left the old house{, which| was sold in May}. => it
relative
- Tom met the man{ who| wrote the book}.
+ She met the man{ who| wrote the book}. => he
- He bought an old house{, which| he sold in 1990}.
+ He bought an old house{, which| was sold in May}. => it
other-subject
- He was born into an old family{, who| ruled the city}. => he
+ He was born into an old family{, who| ruled the city}. => they
- Mr Brown has left Rome to focus on transport{ surrounding| the old city}. => he <present>
+ Mr Brown has left Rome{, surrounding| the old city}. => he <present>
- The cat left the house{ and| saw a dog}. => they
+ The cat left the house{ and| saw a dog}. => it
- She met the writer{, who| sold the house in Rome}. => they
+ She met the writer{, who| sold the house in Rome}. => he
- She met the man{, who| sold the house in Rome}. => this
+ She met the man{, who| sold the house in Rome}. => he
- The company bought a house in Rome{ and| sold it in May}. => this
+ The company bought a house in Rome{ and| sold it in May}. => it
- The Phillips 66ers left Rome{ and| sold the house}. => he
+ The Phillips 66ers left Rome{ and| sold the house}. => they
- It is a club in Charlotte{, which| was sold in May}. => she
+ It is a club in Charlotte{ and| was sold in May}. => it
- She left Rome{ and| sold the house}. => they
+ She left Rome{ and| sold the house}. => she
- The brothers left Rome{ and| sold the house}. => he
+ The brothers left Rome{ and| sold the house}. => they
- He went to many events{, including| a feast in Rome}. => he <past>
+ He went to many events{, including| a feast in Rome}. => they <past>
- The brothers read others well, putting them at ease{, and managing| their own house}. => he <past>
+ The brothers left Rome{ and| sold the house}. => they
slips-tense
- It is a school in Rome{,| located in an old house}. => it was
+ It is a school in Rome{,| located in an old house}. => it is
- The show will be sold in May{,| produced by Tom Brown}. => it was
+ The show was sold in May{,| produced by Tom Brown}. => it was
- The house was sold to Tom{,| a big man from Rome}. => he is
+ The house was sold to Tom{,| a big man from Rome}. => he was
swallows
- This does not extend to the extremes{ |used by Tom, but from here she suggests an involvement}. => they are
+ He sold the house built by Tom in Rome{, and| she left the city}.
torn
- She saw the old {|house in Rome}. => it was
+ She saw the old house in Rome{ and| it was brown}.
lone-clause
- While it rained in Rome{,| he sold the house}.
+ It rained in Rome{, and| he sold the house}.
- In the end, when it rained in Rome{,| he sold the house}.
+ In the end, it rained in Rome{, and| he sold the house}.
verbless
- The Beatles, formed in Liverpool,{| are the best-selling band of all time}. => they
+ The house is in Rome{, and| it was sold in May}.
- The old house in Rome, a city,{| was sold in May}. => it
+ The house is in Rome{, and| it was sold in May}.
no-clause
- She met Tom in Rome{;| a man who left Paris}.
+ He left the old house in Rome{;| it was sold in May}.
unfit-opener
- She left the city{, |where he sold the house}. => however ,
+ She left the city{, but| he sold the house}. => however ,
begins-amiss
- He sold the house{, |born in a small town}.
+ She bought a house{ |built in Rome}. => it was
- She bought a lamp{ |(it was old)}. => it
+ She bought a lamp{ and| it was old}.
- She likes cats{; |however she has none}. => however
+ She likes cats{; |however she has none}.
tears
- He plays video {|games, which are sold in Rome}. => the
+ He plays video games{, which| are sold in Rome}. => they
shared-rest
- The game was developed{ and| published by Disney in May}. => it was
+ The game was developed in Rome{ and| published by Disney in May}. => it was
unclear
- The dog saw a cat{, which| was sold in Rome}. => it
+ The dog saw two cats{, which| were sold in Rome}. => they
strands
- The town was named after a mayor, John Brown, who in the long war{,| was interested in it}. => he
+ The town was named after a mayor, John Brown{, who| was interested in it}. => he
- The house is old, but in the long war{,| the town was sold}.
+ The house is old{, but| in the long war the town was sold}. => but
unlinked
- She read the book{ |Tom wrote in Rome}. => however ,
+ She read the book{ but| Tom wrote in Rome}. => however ,
- She read the book{ |Tom wrote in Rome}.
+ She read the book{, and| Tom wrote in Rome}.
lacks-object
- The match was a big success{, |held in May in Rome}. => it
+ The match was a big success{, |held in May in Rome}. => it was
they-for-one
- Brown left Rome{ and| sold the house}. => they
+ Brown left Rome{ and| sold the house}. => he
borrows
- The crew painted the north wall{ and| door - the bridge is now open to cars}.
+ The crew painted the north wall{ -| the bridge is now open to cars}.
- The plan was to take Rome{ and| hold the old city}.
+ The plan was to take Rome{ but| the old city was too big}. => however ,
cuts-name
- The king ruled the city in 1271{ –| 72, when he died in Rome}. => it was
+ The king ruled the city in 1271{, and| he died in Rome}.
- He died in Rome during World War {|I. After the war, the city was sold}.
+ He died in Rome during World War I.{ |After the war, the city was sold}.
dangles
- She left Rome - he too, like all old men,{| does business with the city}. => he
+ She left Rome -{| he too does business with the city}.
- The house was old; unfortunately{,| this was the only school}.
+ The house was old{;| unfortunately, this was the only school}.
- There are many estimates, with figures{ |rising each year}. => they
+ She bought a house{ |built in Rome}. => it was
- The town sold the house, with a group{ intending| to build a school}. => it <past>
+ The town sold the house to a group{, and| it built a school}.
- This is a list of the big cities of Italy, the cities{ that| are old}. => they
+ This is a list of the big cities of Italy{, which| are old}. => they
lacks-verb
- His lyrics told of Paul{, |reflecting his old mood}. => they
+ His lyrics told of Paul{, reflecting| his old mood}. => they <past>
- But other changes trigger sprinklers to the right{ and| left of the scarecrow to shoot out jets of water}. => they
+ He sent water to the house{ and| left the city}. => he
- The plan was to take Rome{ and| hold the old city}. => it
+ She left Rome{ and| sold the house}. => she
lone-clause
- When Ann, the daughter of the king, was crowned in 1219{, |the old men left the city}.
+ When Ann, the daughter of the king, was crowned, she left Rome{, and| the old men sold the city}.
phrase-alone
- The temple has some fine walls{ and| a great iron sword said to be very old}.
+ The temple has some fine walls{ and| a great iron sword is said to be very old}.
leans-back
- He drove east{. |Again, as the road was old, where it rained}.
+ He left Rome in May{;| in June she left Paris}.
drops-content
- There may be many men{, in which| case the time is short}. => in
+ There may be many men{, in which| case the time is short}. => in that
voice
- The song was written by Tom{ and| collaborated with the group}. => it was
+ The bill was passed{ and| sent to Rome}. => it was
slips-tense
- She is caught by the police{ and| charged with murder}. => she was
+ She is caught by the police{ and| charged with murder}. => she is
- She is caught by the police{ and| charged with murder}. => she
+ She is caught by the police{ and| charged with murder}. => she is
calls-so
- He is a former player{ |in the National Football League}. => he is
+ He is a famous player{ |in the National Football League}. => he is
- The work is a copy of the book{ |in the language of Rome}. => this is
+ It is a house{ |near the river}. => it is
other-subject
- He won two matches in 2011{ which| made him rich}. => it
+ She met the man{, who| sold the house in Rome}. => he
- His sister Anna is a player{, who| lives in Rome}. => he
+ His sister Anna is a player{, who| lives in Rome}. => she
other-subject
- He made demos{ |recorded in Rome}. => it was
+ He made demos{ |recorded in Rome}. => they were
calls-so
- There is a big difference{ |between the two houses in Rome}. => it is
+ It is a house{ |near the river}. => it is
- They stopped production{ |at the old factory in Rome}. => it is
+ It is a factory{ |near the river}. => it is
unlinked
- Tears filled the room{ |he shared with Tom}. => there
+ She left the house{, where| he lived with Tom}. => there ,
condition
- However, if it rains in Rome, we will stay at home{ and| we will sleep}.
+ However, it rained in Rome{ and| we stayed at home}.
quantified
- She saw the other houses{ that| were sold in Rome}. => they
+ She saw two houses{ that| were sold in Rome}. => they
report
- The house should be sold{,| says investor Tom Brown, who lives in Rome}. => it
+ The house should be sold in May{, and| Tom Brown told me so}.
report
- The house should be sold,{| says investor Tom Brown, who lives in Rome}. => it
+ The house should be sold in May{, and| Tom Brown told me so}.
unbalanced
- We want to sell the old house,"{| he told the people in Rome}.
+ We want to sell the old house{, and| he told the people in Rome}.
adds-link
- He lives in Rome{ and| she left the city}. => however ,
+ He lives in Rome{ but| she left the city}. => however ,
- The company sold the house in May{ and| she left the city}. => therefore
+ The company sold the house in May{ and| she left the city}.
lacks-object
- The colonies were joined in 1901{ and| placed under one ruler}. => they
+ He left Rome in 1901{ and| placed it under one ruler}. => he
calls-so
- The first battles were a fight{ |near the old city}. => it was
+ The first battles were a fight{ |near the old city}. => they were
unclear
- The dog saw a cat{, which| was sold in Rome}. => that
+ The dog saw two cats{, which| were sold in Rome}. => they
- The house is a gift of the Senate{, which| was sold in Rome}. => it
+ The house is a gift of the war{, which| was sold in Rome}. => it
dangles
- It was built in the late 1970{ |'s, with a large garden and a pool}.
+ It was built in the late 1970's{, and| it has a pool}.
unfit-opener
- Tom became a painter{, following| the war of 1857}. => he <past>
+ Tom became a painter{, leaving| the army of the king}. => he <past>
cuts-name
- She left Rome in September {|1914, and he stayed there}.
+ She left Rome in September 1914{, and| he stayed there}.
- It was her last season in Serie {|A. The club was sold}.
+ It was her last season in Serie A{, and| the club was sold}.
other-subject
- The best way is to use the red car{ and| means more work}. => i
+ The best way is to use the red car{, and| it means more work}.
drops-content
- The terms were complex{; although| the king won, the law was kept}. => however ,
+ The terms were complex{, although| the king kept the law}. => however ,
condition
- It may come in May, if it rains in Rome{, |the houses may be sold}.
+ It may come in May, if it rains in Rome{, and| the houses may be sold}.
dangles
- The town was rebuilt, in fact{ |largely made anew}. => it was
+ The town was rebuilt{, and| it was made anew}.
- It became a movement{, which| was small, but which had many friends}. => it
+ It became a movement{, and| it was small}.
- He sings a song{ |"The Road" where he is in Rome}.
+ He sings a song{, and| it is "The Road"}.
- The money comes from shops as well as the town{ remaining| a rich place}. => it <present>
+ The money comes from shops{, and| the town is a rich place}.
lone-clause
- Yet, every time I met anyone in Rome{, |I was sure of it}.
+ Yet I met Tom in Rome{, and| I was sure of it}.
unfit-opener
- The name was given due to resent for its instability{ , |delay in installation and cost}. => it was
+ He was known for his anger{ and| he built a house}.
calls-so
- There are six houses in Rome{ and| a large dam}. => they are
+ It is a house{ |near the river}. => it is
quantified
- They came to the forest{ |called Old Wood}. => it was
+ She saw two houses{ that| were sold in Rome}. => they
lacks-verb
- They sold the house in May{, |Amy telling Tom that it was old}.
+ They sold the house in May{, and| Amy told Tom that it was old}.
- They meet Ann{ who| at first refuses to come to Rome}.
+ They meet Ann{ who| at first refuses to come to Rome}. => she
leans-back
- They will play in Rome{, |regardless of whether it rains}.
+ They will play in Rome{;| it often rains there}.
slips-tense
- The police study the charges{ |brought by Tom Brown}. => they are
+ The show was sold in May{,| produced by Tom Brown}. => it was
lone-clause
- The tower (it was built in 1909 and it was burned in 1950){ |stands near the river}. => it
+ The tower stands near the river (it was built in 1909){ and| it is old}.
borrows
- She met him in May{ |on Monday and they left Rome}.
+ She met him in May on Monday{ and| they left Rome}.
other-subject
- The singer sold a house{ and| won six matches}. => it
+ The singer sold a house{ and| won six matches}. => she
- She sold the cat{, which| was black}. => this was
+ She sold the cat{, which| was black}. => it
report
- The storm broke many houses{ and| left the town, officials said on Tuesday}. => it
+ The storm broke many houses{ and| left the town}. => it
unfit-opener
- She met Tom{, and| Paris was old}. => as
+ She met Tom{, and| Paris was old}.
adds-link
- She met Tom{, and| he was old}. => in addition
+ She met Tom{, and| he was old}.
half-changed
- He left Rome{, selling| his house and leaving his dog}. => he <past>
+ He left Rome{, selling| his house}. => he <past>
under-report
- She said that he left Rome{ and| he sold the house}.
+ He left Rome{ and| he sold the house}.
"""


def pairs() -> list[tuple[str, str, str]]:
    found = []
    rule = refused = ""
    for line in TABLE.strip().splitlines():
        if line.startswith("- "):
            refused = line[2:]
        elif line.startswith("+ "):
            found.append((rule, refused, line[2:]))
        else:
            rule = line
    return found


def broken_by(line: str) -> list[str]:
    text, _, opener = line.partition(" => ")
    return faults(text, opener)


@pytest.mark.parametrize(("rule", "refused", "passed"), pairs())
def test_it_refuses_one_and_lets_the_other_pass(rule: str, refused: str, passed: str) -> None:
    assert rule in broken_by(refused)
    assert broken_by(passed) == []


def test_no_rule_is_without_a_test() -> None:
    # What says a phrase again needs to be told which.
    assert {*(rule for rule, *_ in pairs()), "bare-noun"} == {*FACTS, *FORM}
    assert not set(FACTS) & set(FORM)


@pytest.mark.parametrize(
    ("opener", "noun", "is_right"),
    [("<full>", "brothers", True), ("<full>", "Rome", False), ("the <short>", "brothers", True)],
)
def test_the_phrase_that_is_said_again_is_the_subject_of_both_verbs(opener: str, noun: str, is_right: bool) -> None:
    found = faults("The two brothers left Rome{ and| sold the house}.", opener, of=noun)
    assert ("other-subject" not in found) is is_right


@pytest.mark.parametrize("opener", ["", "he", "it", "however ,", "he was"])
def test_the_facts_of_a_sentence_do_not_depend_on_how_its_second_part_begins(opener: str) -> None:
    # What somebody denies or supposes is not told as so, whoever is said to have done it.
    assert "alternatives" in faults("He either sold the house{ or| burned it in May}.", opener)
    assert "condition" in faults("He would cry if she left Rome{ and| sold the house}.", opener)


@pytest.mark.parametrize(("noun", "is_bare"), [("writer", True), ("house", False)])
def test_a_noun_is_not_said_again_without_its_article(noun: str, is_bare: bool) -> None:
    found = faults("The priest and writer sold an old house{, and| left Rome}.", "<full>", of=noun)
    assert ("bare-noun" in found) is is_bare


def test_what_somebody_has_does_not_do_it() -> None:
    assert "drops-content" in faults("She should double the amount{ it| spends on cars}.", "the <short>", of="amount")
    assert "drops-content" not in faults("She sold the amount{ that| was spent on cars}.", "the <short>", of="amount")


@pytest.mark.parametrize(
    ("split", "noun", "is_right"),
    [
        ("Ducati is a part of Audi{, which| was sold in May}.", "Audi", True),
        ("Ducati is a part of Audi{, which| was sold in May}.", "Ducati", False),
        ("Tom starred in a film which first ran in May{ and| was shown in Rome}.", "film", True),
        ("Tom starred in a film{ and| sang in Rome}.", "film", False),
    ],
)
def test_nouns_that_a_clause_may_tell_of_may_be_said_again(split: str, noun: str, is_right: bool) -> None:
    assert ("other-subject" not in faults(split, "<full>", of=noun)) is is_right


def test_no_place_is_who() -> None:
    split = "She was beaten in the primary{, who| was beaten by Tom in May}."
    assert "other-subject" in faults(split, "<full>", of="primary")
    # One of several things that *which* may tell of is no clear one.
    split = "They sold a red car and two old houses{, which| were built in May}."
    assert "unclear" in faults(split, "the <short>", of="car")


def test_where_there_is_something_there_is_something() -> None:
    assert faults("This is a town in Italy{ where| there are two houses}.") == []
