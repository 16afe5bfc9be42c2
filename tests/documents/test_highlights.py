"""Remarkable events: only certain ones, and everybody who is lost once in a story."""

from typing import Any

import pytest

from documents.content.highlights import BattleAccount, Party, Rise, of_battle, of_campaign
from documents.content.stories import battle_story, campaign_story
from documents.prose.facts import (
    Avenged,
    BattleRecord,
    Bloodiest,
    Captives,
    Deaths,
    Draws,
    Fact,
    Feud,
    FirstBlood,
    FirstDeath,
    FirstRise,
    KillFact,
    LastStand,
    LongestService,
    MostHarm,
    NobodyDied,
    NobodyLeft,
    Rivalry,
    WipedOut,
    WorstDefeat,
)
from rulebook.ruleset import Deed, Fate, Outcome, Record
from tests.documents import samples

WON, LOST, DREW = Outcome.WON, Outcome.LOST, Outcome.DREW
ENDS = {
    "well": Record("", 1, Fate.FIT),
    "hurt": Record("", 1, Fate.FIT, wounds="light"),
    "dead": Record("", 1, Fate.DEAD, wounds="critical"),
    "taken": Record("", 1, Fate.CAPTURED, captured=True),
    "fled": Record("", 1, Fate.FIT, routed=True),
}


def side(warband: str, outcome: Outcome, points: int = 0, /, **ends: str) -> Party:
    """Return a side with the fate of each fighter by name. Ids are the names in lower case."""
    records = tuple(_record(name, end) for name, end in ends.items())
    return Party(
        warband=warband,
        outcome=outcome,
        victory_points=points,
        names={name.lower(): name for name in ends},
        records=records,
        dead=tuple(record.fighter for record in records if record.fate is Fate.DEAD),
    )


def _record(name: str, end: str) -> Record:
    ending = ENDS[end]
    return Record(
        name.lower(),
        1,
        ending.fate,
        wounds=ending.wounds,
        captured=ending.captured,
        routed=ending.routed,
    )


def hit(doer: str, victim: str, turn: int | None = 1, *, killed: bool = False) -> Deed:
    return Deed(
        doer.lower(), "wound", 1, victim=victim.lower(), result="light", killed=killed, turn=turn
    )


def battle(
    *parties: Party,
    deeds: tuple[Deed, ...] = (),
    title: str = "Fog",
    day: int = 1,
    mortal: bool = True,
) -> BattleAccount:
    """Return a battle; each deed belongs to the side of its fighter."""
    sides = (
        Party(
            party.warband,
            party.outcome,
            party.victory_points,
            party.names,
            party.records,
            tuple(deed for deed in deeds if deed.fighter in party.names),
            party.dead,
        )
        for party in parties
    )
    return BattleAccount(title.lower(), title, f"2026-01-{day:02}", tuple(sides), mortal=mortal)


def kinds(facts: tuple[Fact, ...]) -> list[type[Fact]]:
    return [type(fact) for fact in facts]


def told(
    *accounts: BattleAccount, serving: tuple[str, ...] = (), first_rise: Rise | None = None
) -> dict[type, Any]:
    """Return the facts of a campaign by their types."""
    paragraphs = of_campaign(accounts, serving=serving, first_rise=first_rise)
    return {type(fact): fact for paragraph in paragraphs for fact in paragraph}


# A battle.


def test_a_battle_in_which_nothing_happened_tells_nothing() -> None:
    assert of_battle(battle(side("Reds", WON, Ana="well"), side("Blues", LOST, Bo="well"))) == ()


def test_deaths_are_sorted_by_busiest_killer() -> None:
    reds = side("Reds", WON, Ana="well", Art="dead", Axl="hurt")
    blues = side("Blues", LOST, Bo="dead", Ben="dead", Bill="well")
    deeds = (
        hit("Bill", "Art", 2, killed=True),
        hit("Ana", "Bo", 3, killed=True),
        hit("Ana", "Ben", 5, killed=True),
    )
    deaths = of_battle(battle(reds, blues, deeds=deeds))[0]
    assert deaths == Deaths(
        slayings=(KillFact("Ana", ("Bo", "Ben")), KillFact("Bill", ("Art",))), turns=(2, 3, 5)
    )


def test_deaths_with_recorded_and_unknown_killers() -> None:
    reds = side("Reds", WON, Ana="dead", Art="dead")
    _, second = reds.records
    named = (Record("ana", 1, Fate.DEAD, killed_by="A stranger (Greens)"), second)
    party = Party("Reds", WON, 0, reds.names, named, (), reds.dead)
    deaths = of_battle(battle(party, side("Blues", LOST, Bo="well")))[0]
    assert deaths == Deaths(
        slayings=(KillFact("A stranger (Greens)", ("Ana",)), KillFact("", ("Art",)))
    )


def test_no_more_than_six_dead_are_named_and_the_others_counted() -> None:
    blues = side("Blues", LOST, **{f"B{number}": "dead" for number in range(9)})
    deaths = of_battle(battle(side("Reds", WON, Ana="well"), blues))[0]
    assert isinstance(deaths, Deaths)
    assert (len(deaths.slayings[0].victims), deaths.more) == (6, 3)


def test_who_was_brought_round_after_the_battle_is_not_among_the_dead() -> None:
    blues = side("Blues", LOST, Bo="dead", Ben="well")
    alive = Party("Blues", LOST, 0, blues.names, blues.records, (), ())
    assert of_battle(battle(side("Reds", WON, Ana="well"), alive)) == (NobodyDied(hurt=1),)


def test_no_deaths_is_mentioned_for_people_only() -> None:
    sides = side("Reds", WON, Ana="hurt"), side("Blues", LOST, Bo="well")
    assert of_battle(battle(*sides)) == (NobodyDied(hurt=1),)
    assert of_battle(battle(*sides, mortal=False)) == ()


def test_captor_is_named_if_certain() -> None:
    reds, blues = (
        side("Reds", WON, Ana="well", Art="well"),
        side("Blues", LOST, Bo="taken", Ben="well", Bill="well"),
    )
    assert of_battle(battle(reds, blues)) == (
        Captives(warband="Blues", names=("Bo",), captor="Reds"),
    )
    three = of_battle(battle(reds, blues, side("Greens", LOST, Cy="well", Cato="well")))
    assert three == (Captives(warband="Blues", names=("Bo",)),)


def test_a_side_without_anybody_on_the_field_was_wiped_out() -> None:
    facts = of_battle(
        battle(
            side("Reds", WON, Ana="well", Art="well"), side("Blues", LOST, Bo="fled", Ben="fled")
        )
    )
    assert facts == (WipedOut(warband="Blues", fielded=2),)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_empty_field_is_mentioned_once(sides: int) -> None:
    names = ("Reds", "Blues", "Greens", "Golds")[:sides]
    accounts = battle(*(side(name, DREW, **{name[0]: "fled"}) for name in names))
    assert of_battle(accounts) == (NobodyLeft(sides=sides),)


def test_the_last_of_a_side_stands_against_all_who_are_left_on_four_sides() -> None:
    reds = side("Reds", WON, Ana="well", Art="fled", Axl="dead")
    others = [
        side(name, LOST, **{f"{name[0]}1": "well", f"{name[0]}2": "hurt"})
        for name in ("Blues", "Greens", "Golds")
    ]
    stand = of_battle(battle(reds, *others))[-1]
    assert stand == LastStand(name="Ana", warband="Reds", fielded=3, against=6, won=True)


def test_of_two_the_last_one_makes_no_stand() -> None:
    facts = of_battle(
        battle(side("Reds", WON, Ana="well", Art="fled"), side("Blues", LOST, Bo="well"))
    )
    assert facts == ()


def test_who_reached_most_opponents_must_be_one_alone() -> None:
    reds = side("Reds", WON, Ana="well", Art="well")
    blues = side("Blues", LOST, Bo="hurt", Ben="hurt", Bill="hurt")
    three = tuple(
        hit("Ana", name, turn) for turn, name in enumerate(("Bo", "Ben", "Bill", "Bill"), 1)
    )
    facts = of_battle(battle(reds, blues, deeds=three))
    assert facts[-1] == MostHarm(name="Ana", warband="Reds", victims=3, turns=(1, 2, 3, 4))
    as_many = (*three, *(hit("Art", name) for name in ("Bo", "Ben", "Bill")))
    assert MostHarm not in kinds(of_battle(battle(reds, blues, deeds=as_many)))
    assert MostHarm not in kinds(of_battle(battle(reds, blues, deeds=three[:2])))


def test_blows_among_friends_and_blows_that_do_nothing_count_for_nothing() -> None:
    reds = side("Reds", WON, Ana="well", Art="hurt", Axl="hurt", Alf="hurt")
    friendly = tuple(hit("Ana", name) for name in ("Art", "Axl", "Alf"))
    assert kinds(of_battle(battle(reds, side("Blues", LOST, Bo="well"), deeds=friendly))) == [
        NobodyDied
    ]
    account = battle(
        reds, side("Blues", LOST, Bo="well"), deeds=(Deed("ana", "taunt", 1, victim="bo"),)
    )
    assert account.blows == ()


# A campaign.


def duel(
    title: str,
    day: int,
    *,
    by: str = "",
    of: str = "",
    killed: bool = False,
    outcome: Outcome = WON,
) -> BattleAccount:
    """Return a battle of two Reds and two Blues, in which a fighter can strike another."""
    ends = dict.fromkeys(("Ana", "Art", "Bo", "Ben"), "well")
    if of:
        ends[of] = "dead" if killed else "hurt"
    reds = side("Reds", outcome, 3, **{name: ends[name] for name in ("Ana", "Art")})
    blues = side(
        "Blues", LOST if outcome is WON else DREW, 1, **{name: ends[name] for name in ("Bo", "Ben")}
    )
    deeds = (hit(by, of, killed=killed),) if by else ()
    return battle(reds, blues, deeds=deeds, title=title, day=day)


def test_one_quiet_battle_makes_no_story() -> None:
    assert of_campaign([duel("Fog", 1)]) == ()
    assert of_campaign([]) == ()


def test_of_one_battle_there_are_firsts_and_no_records() -> None:
    assert set(told(duel("Fog", 1, by="Ana", of="Bo", killed=True))) == {FirstBlood, FirstDeath}


def test_first_blood_is_certain_or_not_told() -> None:
    first = told(duel("Fog", 1, by="Ana", of="Bo"), duel("Snow", 2, by="Ben", of="Art"))[FirstBlood]
    assert first == FirstBlood(name="Ana", warband="Reds", battles=("fog",), where=("Fog",))
    same_day = told(duel("Fog", 1, by="Ana", of="Bo"), duel("Snow", 1, by="Ben", of="Art"))
    assert FirstBlood not in same_day
    both = side("Reds", WON, Ana="hurt"), side("Blues", LOST, Bo="hurt")
    assert FirstBlood not in told(battle(*both, deeds=(hit("Ana", "Bo"), hit("Bo", "Ana"))))
    assert FirstBlood not in told(battle(*both, deeds=(hit("Ana", "Bo"),))), (
        "nobody knows who hurt Ana, and when"
    )
    assert FirstBlood not in told(duel("Fog", 1, of="Bo"))


def test_first_deaths_are_from_first_day() -> None:
    quiet, first, later = (
        duel("Rain", 1),
        duel("Fog", 2, of="Bo", killed=True),
        duel("Snow", 3, of="Art", killed=True),
    )
    assert told(quiet, first, later)[FirstDeath] == FirstDeath(
        names=("Bo",), battles=("fog",), where=("Fog",)
    )
    many = battle(
        side("Reds", WON, Ana="well"), side("Blues", LOST, **{f"B{n}": "dead" for n in range(4)})
    )
    assert FirstDeath not in told(many)


def test_first_rank_up_follows_its_battle() -> None:
    fog = duel("Fog", 1)
    rise = told(fog, first_rise=Rise("Ana", "Reds", fog))[FirstRise]
    assert rise == FirstRise(name="Ana", warband="Reds", battles=("fog",), where=("Fog",))


def test_battles_without_winner_are_mentioned() -> None:
    drawn = [duel(title, day, outcome=DREW) for day, title in enumerate(("Fog", "Snow"), 1)]
    assert told(*drawn)[Draws] == Draws(fought=2, battles=("fog", "snow"), where=("Fog", "Snow"))
    assert told(*drawn, duel("Rain", 3))[Draws].fought == 3
    assert Draws not in told(duel("Fog", 1))


def test_a_rivalry_needs_others_who_met_less_often() -> None:
    three = [duel(title, day) for day, title in enumerate(("Fog", "Snow", "Rain"), 1)]
    assert Rivalry not in told(*three)
    other = battle(
        side("Reds", LOST, Ana="well"), side("Greens", WON, Cy="well"), title="Hail", day=4
    )
    rivalry = told(*three, other)[Rivalry]
    assert (rivalry.one, rivalry.other, rivalry.won) == ("Reds", "Blues", (3, 0, 0))
    assert rivalry.battles == ("fog", "snow", "rain")


def test_of_two_who_lost_to_a_third_neither_has_beaten_the_other() -> None:
    greens = side("Greens", WON, Cy="well")
    lost = [
        battle(
            side("Reds", LOST, Ana="well"),
            side("Blues", LOST, Bo="well"),
            *third,
            title=str(day),
            day=day,
        )
        for day, third in enumerate(((greens,), (), ()), 1)
    ]
    assert told(*lost)[Rivalry].won == (0, 0, 3)


def test_two_who_strike_each_other_again_and_again_have_a_feud() -> None:
    first, second = duel("Fog", 1, by="Ana", of="Bo"), duel("Snow", 2, by="Bo", of="Ana")
    feud = told(first, second)[Feud]
    assert feud == Feud(one="Ana", other="Bo", battles=("fog", "snow"), where=("Fog", "Snow"))
    assert Feud not in told(first, duel("Snow", 2, by="Ben", of="Ana"))


def test_revenge_is_mentioned_once() -> None:
    quiet = duel("Rain", 1, of="Art", killed=True)
    fallen, avenged = (
        duel("Fog", 2, by="Ana", of="Bo", killed=True),
        duel("Snow", 3, by="Ben", of="Ana", killed=True),
    )
    facts = told(quiet, fallen, avenged)
    assert facts[Avenged] == Avenged(
        victim="Bo",
        killer="Ana",
        avenger="Ben",
        warband="Blues",
        battles=("fog", "snow"),
        where=("Fog", "Snow"),
    )
    assert facts[FirstDeath].names == ("Art",)
    assert Avenged not in told(fallen, avenged), "Bo is told already: nobody died before"


def test_records_are_held_by_one_alone() -> None:
    def rout(title: str, day: int, points: int) -> BattleAccount:
        blues = side("Blues", LOST, 0, Bo="dead", Ben="dead", Bill="hurt")
        deeds = tuple(hit("Ana", name, killed=name != "Bill") for name in ("Bo", "Ben", "Bill"))
        return battle(
            side("Reds", WON, points, Ana="well"), blues, deeds=deeds, title=title, day=day
        )

    facts = told(rout("Fog", 1, 9), duel("Snow", 2))
    assert facts[Bloodiest].dead == 2
    assert facts[WorstDefeat] == WorstDefeat(
        loser="Blues", winner="Reds", points=(9, 0), battles=("fog",), where=("Fog",)
    )
    assert facts[BattleRecord].victims == 3
    equal = told(rout("Fog", 1, 9), rout("Snow", 2, 9))
    assert not {Bloodiest, WorstDefeat, BattleRecord} & set(equal)


def test_longest_service_is_of_those_who_still_serve() -> None:
    three = [duel(title, day) for day, title in enumerate(("Fog", "Snow", "Rain"), 1)]
    newcomer = battle(
        side("Reds", WON, Ana="well", Al="well"),
        side("Blues", LOST, Cy="well"),
        title="Hail",
        day=4,
    )
    fact = told(*three, newcomer, serving=("ana", "al"))[LongestService]
    assert (fact.names, fact.times, fact.battles) == (("Ana",), 4, ("fog", "snow", "rain", "hail"))
    assert LongestService not in told(*three, newcomer, serving=("al",))
    assert LongestService not in told(*three, serving=("ana",)), (
        "no other to have served longer than"
    )


def test_campaign_story_mentions_each_loss_once() -> None:
    deadly = [
        duel("Fog", 1, by="Ana", of="Bo", killed=True),
        duel("Snow", 2, by="Ben", of="Ana", killed=True),
        duel("Rain", 3, by="Art", of="Ben", killed=True),
    ]
    ends = [fact for paragraph in of_campaign(deadly) for fact in paragraph]
    lost = [name for fact in ends if isinstance(fact, FirstDeath) for name in fact.names]
    lost += [
        name for fact in ends if isinstance(fact, Avenged) for name in (fact.victim, fact.killer)
    ]
    assert sorted(lost) == ["Ana", "Ben", "Bo"]


# Stories: sentences with their end-notes.


def test_a_sentence_of_a_battle_cites_its_turns_or_the_result_sheet() -> None:
    reds = side("Reds", WON, Ana="well", Art="well")
    account = battle(
        reds, side("Blues", LOST, Bo="dead"), deeds=(hit("Ana", "Bo", 4, killed=True),)
    )
    story, wordings = battle_story(account)
    assert not wordings
    assert [note.text for note in story.notes] == ["Turn 4 of the log", "Result sheet"]
    (paragraph,) = story.paragraphs
    assert [each.notes[0].text for each in paragraph] == ["Turn 4 of the log", "Result sheet"]
    assert "Bo" in paragraph[0].sentence and "Ana" in paragraph[0].sentence
    assert "Bo" not in paragraph[1].sentence


def test_story_of_a_result_has_one_or_two_sentences() -> None:
    (hurt,) = battle_story(duel("Fog", 1))[0].paragraphs
    unharmed = battle(side("Reds", WON, Ana="well"), side("Blues", LOST, Bo="well"))
    (nobody,) = battle_story(unharmed)[0].paragraphs
    assert 1 <= len(hurt) <= 2 and len(nobody) == 1


def test_a_sentence_of_a_campaign_leads_to_its_battles() -> None:
    tales = [samples.battle(1, "Fog"), samples.battle(2, "Snow")]
    facts = FirstDeath(names=("Bo",), battles=("b1", "b2"), where=("Fog", "Snow"))
    story = campaign_story([[facts]], tales)
    assert [(note.text, note.anchor) for note in story.notes] == [
        ("1. Fog, 7 March 2026", "battle-b1"),
        ("2. Snow, 7 March 2026", "battle-b2"),
    ]
    assert story.paragraphs[0][0].sentence == "The first to die was Bo, in “Fog” and “Snow”."
