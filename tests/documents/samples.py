"""Handmade contents to print without a database: everyday ones, and hard cases."""

from collections import Counter
from typing import Any

from msgspec.structs import replace

from documents.content.documents import (
    BattleSummary,
    CampaignCounts,
    CampaignSummary,
    Candidate,
    CardSide,
    Chapter,
    Choice,
    Fallen,
    FighterCareer,
    Honour,
    HonourHolder,
    Place,
    RankUpSheet,
    ResultCard,
    StepOffer,
    Veteran,
    WarbandRoster,
)
from documents.content.structs import (
    BattleNarrative,
    Card,
    Casualty,
    Figure,
    Glossed,
    Label,
    LedgerLine,
    Line,
    Note,
    Person,
    RosterGroup,
    RosterPrice,
    RosterRow,
    RosterSheet,
    Sentence,
    SideNarrative,
    Story,
    Weapon,
)
from drawings.bars import BarMark
from rulebook.systems.en_garde.system import EnGarde
from rulebook.values.reference import TableSection
from rulebook.values.rosters import TickBoxes, counted

TICKED = (
    TickBoxes("stunned", "Stunned", ("", "")),
    TickBoxes("wound", "Wound", ("Light", "Grievous", "Critical")),
)
LOSSES = (
    TickBoxes(
        "losses", "Losses", ("",) * 18, (5, 10, 15), "a quarter in one turn, or the Leader: test"
    ),
    TickBoxes("morale", "Morale", ("Wavering", "Routing")),
    TickBoxes("turns", "Turn", tuple(map(str, range(1, 13)))),
)
WOUNDS = TableSection(
    "wounds",
    "Wound Table",
    ("Score", "1", "2-3"),
    (("Result", "Scratch", "Light"), ("Costs", "-1", "-1")),
)
DONE = {"wounds_dealt": 7, "kills": 2}

RULES = "En Garde!"
WORDS = Label(
    fighter="fighter", fighters="fighters", warband="warband", warbands="warbands", rank="Rank"
)
LONG = (
    "Don Bartolomé Hernández de la Vega y Fernández-Villaverde, Señor de la Torre Alta y Conde de "
    "Peñas Abajo"
)
ENDLESS = (
    "Überfliegerkompanieoberstleutnantsstellvertreterinnenaufgabenverteilungsplan" * 1
    + "undnochmehrdavon"
)
NASTY = '<script>alert(1)</script><b onclick="x">Bold & brash</b> "quoted"'
NAMES = (
    "Porthos",
    "Jean le Bref",
    LONG,
    "محمد بن عبد الله",
    "שמעון בר יוחאי",
    "山田長政",
    NASTY,
    "Łukasz Żółkiewski",
    "Ф. Кривонос",
    "O’Brien",
    "Ana",
    "Guillaume",
    "Mathilde",
    "Otto",
    "Kaspar",
    "Wolf",
    "Heinz",
    "Rupprecht",
    "Ignaz",
    "Xaver",
)
STORY = """The fog lay thick over the *Rue des Fossoyeurs* when the Cardinal's men came down it, lanterns shuttered.

> "Gentlemen," said the captain, "you will oblige me by being alive at breakfast."

They were, most of them. **Nobody** had counted on the bridge: it was "mended" in the spring -- badly.

## What was lost

1. one hat, of great price
2. two fingers, of less

* * *

And so home. <script>alert("no")</script><img src="http://example.org/x.png"> [The song](https://example.org/song)"""


def result_card(*names: str) -> ResultCard:
    """Return the card of a battle between warbands of these names, which they win in turn."""
    outcomes = ("won", "lost")
    sides = tuple(
        CardSide(name, "Ana", outcomes[min(place, 1)], 24 - 5 * place, "#2e4a7a")
        for place, name in enumerate(names or ("Reds", "Blues"))
    )
    return ResultCard(
        title="The Ford",
        subtitle="Result card",
        dated="2026-03-07",
        ruleset=RULES,
        scenario="Skirmish",
        fought_on="2026-03-07",
        sides=sides,
        words=WORDS,
        campaign="The Long Winter",
        sentence="In turn 1, Otto felled Kaspar.",
    )


def figures(rank: int = 3, move: str = "Infantry") -> tuple[Figure, ...]:
    """Return the numbers of a profile as in En Garde!"""
    values = (
        ("Rank", str(rank)),
        ("Move", move),
        ("CP", str(rank)),
        ("Init", "2"),
        ("Fight", "2"),
        ("Shoot", "1"),
    )
    return (
        *(Figure(short, short, value) for short, value in values),
        Figure("AR", "Armour", "1 (2 in melee)"),
    )


def card(name: str, place: int = 0) -> Card:
    """Return a fighter that differs a little for every place of the roster."""
    rank = 1 + place % 5
    return Card(
        id=f"card-{place}",
        name=name,
        profile=("Soldier", "Veteran Halberdier", "Cardinal's Guard Senior Officer")[place % 3],
        rank=rank,
        points=8 + 5 * rank,
        figures=figures(rank, "Cavalry" if place % 4 == 3 else "Infantry"),
        weapons=(
            Weapon("Sword", "", "+1 Initiative"),
            Weapon("Matchlock", '24"', "+1 wound; powder; reload 2; inaccurate beyond 12 inches"),
        )[: 1 + place % 2],
        equipment=(Glossed("Buckler"), Glossed("Breastplate")),
        attributes=tuple(
            Glossed(name, note)
            for name, note in (
                ("Duellist", "one more die in a duel"),
                ("Commander", "orders to friends near by; Morale tests are easier"),
            )[: place % 3]
        ),
        posts=("Leader",) if place == 0 else (),
        fate="dead" if place in (5, 11) else "recovering" if place == 7 else "",
        gone=place in (5, 11),
        experience=place % 6,
        boxes=(3, 5, 10, 15, 0)[rank - 1],
        battles=place % 4,
        ticked=TICKED,
        looks=(("mounted", "morion", "lance") if place % 4 == 3 else ("brim", "musket")),
        tallies=counted(EnGarde.tallies, {"wounds_dealt": place % 7, "kills": place % 3}),
    )


def roster(
    name: str = "The Cardinal's Guard", names: tuple[str, ...] = NAMES, key: str = "w1"
) -> RosterSheet:
    """Return a full roster with one fighter per name."""
    cards = tuple(card(each, place) for place, each in enumerate(names))
    rows = tuple(
        RosterRow(
            each.name,
            each.profile,
            each.figures,
            rank=each.rank,
            points=each.points,
            arms=each.weapons,
            carried=("Buckler", *(item.name for item in each.attributes)),
            ticked=TICKED,
        )
        for each in cards
        if not each.gone
    )
    prices = Counter((each.profile, each.points) for each in cards if not each.gone)
    return RosterSheet(
        id=key,
        name=name,
        faction="Cardinal's Guard",
        player="Bob",
        words=WORDS,
        fighters=len(rows),
        points=sum(each.points for each in rows),
        groups=(RosterGroup("", rows),) if rows else (),
        ticked=LOSSES,
        tables=(WOUNDS,),
        attributes=tuple(dict.fromkeys(item for each in cards for item in each.attributes)),
        prices=tuple(
            RosterPrice(profile, count, points, (Line(points, "By hand"),))
            for (profile, points), count in prices.items()
        ),
        cards=cards,
        bought=(Line(5, "A banner"),),
        agreed_points=300,
        sums=(Glossed("Morale", "7"), Glossed("Morale test after losing", str(-(-len(rows) // 4)))),
        won=2,
        drawn=1,
        lost=1,
        colour="#7a2e2e",
        story="Raised in the spring, paid in the autumn.",
    )


TOLD = Story(
    (
        (
            Sentence("Jean le Bref fell to Porthos.", (Note("Turn 4 of the log"),)),
            Sentence("The Cardinal’s Guard led Otto away as a captive.", (Note("Result sheet"),)),
        ),
    )
)
OF_CAMPAIGN = Story(
    (
        (
            Sentence(
                "Ana drew first blood, in “Fog in the Rue des Fossoyeurs”.",
                (Note("1. Fog", "battle-b1"),),
            ),
            Sentence(
                "The first to die was Jean le Bref, in “Fog”.", (Note("1. Fog", "battle-b1"),)
            ),
        ),
        (
            Sentence(
                "“Fog” and “The Well” ended without a winner.",
                (Note("1. Fog", "battle-b1"), Note("2. The Well", "battle-b2")),
            ),
        ),
    )
)
"""The story of a battle and a campaign, with end-notes."""
LEFT: tuple[BarMark, ...] = (
    "well",
    "well",
    "well",
    "well",
    "well",
    "well",
    "well",
    "hurt",
    "gone",
    "dead",
)
MARKS = (LEFT, LEFT[:9], LEFT[:8], LEFT[:7])
"""The marks of all fighters of each side after a battle."""


def battle(
    number: int = 1,
    title: str = "Fog in the Rue des Fossoyeurs",
    story: str = STORY,
    sides: int = 2,
) -> BattleNarrative:
    """Return a battle with casualties on every side."""
    colours = ("#7a2e2e", "#2e4a7a", "#4a6b2a", "#7a682e")
    warbands = ("The Cardinal's Guard", "Les Mousquetaires du Roi", LONG, "Reivers of Liddesdale")
    tales = tuple(
        SideNarrative(
            warband=warbands[place],
            player=("Bob", "Alice", "Charlie", "Dora")[place],
            role=("Attacker", "Defender")[place % 2],
            outcome=("won", "lost", "lost", "lost")[place],
            victory_points=9 - 2 * place,
            lines=(
                Line(
                    5, "Two enemies of Rank II and one of Rank I killed", "Standard victory points"
                ),
                Line(4 - 2 * place, "Holding the well at the end", "Capture"),
            ),
            casualties=(
                Casualty(
                    "Jean le Bref", "", 2, "killed by a sword", (Person("Porthos"),), dead=True
                ),
                Casualty(NAMES[3], "", 3, "grievously wounded", (Person(NAMES[5]), Person("Otto"))),
                Casualty(LONG, "", 4, "unconscious, then captured", (Person("Heinz"),)),
            )[: 3 - place],
            fielded=11,
            points=149,
            limit=150,
            earned=(
                Glossed(
                    "Porthos", "+3: survived; Light wound on Jean le Bref; Grievous wound on Otto"
                ),
            ),
            colour=colours[place],
            marks=MARKS[place],
        )
        for place in range(sides)
    )
    return BattleNarrative(
        id=f"b{number}",
        title=title,
        scenario="Capture",
        fought_on="2026-03-07",
        sides=tales,
        verdict="The Cardinal's Guard won by nine victory points to seven.",
        number=number,
        turns=6,
        points_limit=150,
        set_up=(Glossed("Weather", "mist"), Glossed("Hour", "dusk")),
        story=story,
        told=TOLD,
    )


def campaign(
    battles: int = 9, warbands: int = 4, names: tuple[str, ...] = NAMES
) -> CampaignSummary:
    """Return a campaign in progress."""
    titles = (
        "Fog in the Rue des Fossoyeurs",
        "The Well of Saint-Cyr",
        LONG,
        "الجسر المكسور",
        "橋の戦い",
        "A Raid by Night",
    )
    return CampaignSummary(
        title="The Autumn of Long Knives",
        subtitle="Campaign book",
        dated="2026-03-07",
        ruleset=RULES,
        club="The Thursday Club of Lower Marsh",
        state="After nine of twelve battles",
        format="Campaign with experience",
        words=WORDS,
        points=300,
        counts=CampaignCounts(warbands, battles, min(7, len(names))),
        games=6,
        began="2026-01-10",
        story="It began with a **hat**.",
        told=OF_CAMPAIGN,
        standings=tuple(
            Place(
                position=max(1, place),
                warband=("The Cardinal's Guard", "Les Mousquetaires du Roi", LONG, "山田組")[
                    place % 4
                ],
                player=("Bob", "Alice", "A Player With A Rather Long Name", "Dora")[place % 4],
                figures={
                    "played": 5,
                    "won": 4 - place % 4,
                    "drawn": 1,
                    "lost": place % 4,
                    "victory_points": 31 - 4 * place,
                    "victory_points_against": 12 + 5 * place,
                    "difference": 19 - 9 * place,
                    "points": 13 - 3 * (place % 4),
                },
                roster=f"w{place}",
                colour=("#7a2e2e", "#2e4a7a", "#4a6b2a", "#7a682e")[place % 4],
            )
            for place in range(warbands)
        ),
        scoring="A win counts 3, a draw 1, a loss 0.",
        tie_rule="Level places are split by the difference of victory points, then by victory "
        "points scored, then by "
        "battles between those level; after that the place is shared.",
        house_rules=(
            Glossed("Experience for wounds", "once for each enemy"),
            Glossed("Recruits after the first battle", "none"),
        ),
        battles=tuple(
            battle(
                1 + number, titles[number % 6], STORY if number % 3 else "", 2 + (number == 4) * 2
            )
            for number in range(battles)
        ),
        veterans=tuple(
            Veteran(
                name,
                warband="The Cardinal's Guard",
                colour="#7a2e2e",
                profile="Officer",
                rank=4,
                battles=5,
                tallies=counted(EnGarde.tallies, DONE),
                strip=("well", "hurt", "away", "out", "gone", "well"),
                experience=(0, 2, 5, 9, 14, 19),
                felled=(2,),
                looks=("morion", "musket"),
                earned=19,
            )
            for name in names[:8]
        ),
        records=(
            Honour("Battles fought", 5, (HonourHolder(names[0], "", "The Cardinal's Guard"),)),
        )
        if names
        else (),
        memorial=tuple(
            Fallen(
                name,
                f"fighter-fallen-{place}",
                warband="Les Mousquetaires du Roi",
                colour="#2e4a7a",
                profile="Soldier",
                rank=2,
                battles=3,
                strip=("well", "hurt", "dead"),
                battle="Fog in the Rue des Fossoyeurs",
                battle_at="battle-b1" if battles else "",
                fought_on="2026-03-07",
                by=(Person("Porthos"),),
                killer=Person("Porthos"),
                epitaph=f"Was killed by Porthos, after {place} other deaths.",
            )
            for place, name in enumerate(names[:7])
        ),
        rosters=tuple(
            roster(f"Warband the {place + 1}th", names, f"w{place}") for place in range(warbands)
        ),
    )


def empty_campaign() -> CampaignSummary:
    """Return a new campaign without battles."""
    return CampaignSummary(
        title="Nothing Yet",
        subtitle="Campaign book",
        dated="2026-01-01",
        ruleset=RULES,
        club="Club",
        state="Planned",
        format="Campaign with experience",
        words=WORDS,
        points=300,
    )


def warband(names: tuple[str, ...] = NAMES, title: str = "The Cardinal's Guard") -> WarbandRoster:
    """Return a roster document."""
    return WarbandRoster(
        title,
        "Warband roster",
        "2026-03-07",
        RULES,
        roster(title, names),
        "The Autumn of Long Knives",
    )


def battle_summary(sides: int = 2) -> BattleSummary:
    """Return a battle document."""
    tale = battle(0, sides=sides)
    return BattleSummary(
        tale.title, "Battle summary", "2026-03-07", RULES, tale, WORDS, "The Autumn of Long Knives"
    )


def career(name: str = "Porthos") -> FighterCareer:
    """Return the career of a veteran."""
    return FighterCareer(
        name,
        "Career",
        "2026-03-07",
        RULES,
        card=card(name, 4),
        warband="Les Mousquetaires du Roi",
        words=WORDS,
        chapters=tuple(
            Chapter(
                "Fog in the Rue des Fossoyeurs",
                "2026-03-07",
                "The Cardinal's Guard",
                "won",
                "came home fit",
                deeds=(
                    "dealt Jean le Bref (Rank II) a Critical wound with a sword, and killed him",
                ),
                earned=(
                    Line(1, "survived the battle"),
                    Line(1, "wounded an enemy of equal or greater Rank"),
                ),
                rank_ups=("Rose to Rank III as Veteran Halberdier",) if number == 1 else (),
            )
            for number in range(4)
        ),
        ledger=tuple(
            LedgerLine(
                1 if n % 4 else -3, "Survived Fog in the Rue des Fossoyeurs", "Experience", n
            )
            for n in range(1, 18)
        ),
        earned=19,
        spent=15,
    )


def rank_ups() -> RankUpSheet:
    """Return a rank-up sheet with three veterans, one of them with a choice."""
    step = StepOffer(
        "Veteran Halberdier",
        5,
        ("Fight 3", "Halberd", "one Attribute"),
        ("Sword", "Duellist"),
        figures(3),
        18,
        26,
        choices=(
            Choice(
                "Attribute",
                1,
                (
                    "Agile",
                    "Ambidextrous",
                    "Brawler",
                    "Commander",
                    "Dexterity",
                    "Fast",
                    "Fearless",
                    "Lucky",
                ),
            ),
        ),
        warnings=("The roster would have two of Rank V; only one may be fielded.",),
    )
    people = tuple(
        Candidate(f"f{n}", name, "Soldier", 2, 6, 5, (step,) * (1 + n % 3))
        for n, name in enumerate(NAMES[:4])
    )
    return RankUpSheet(
        "The Cardinal's Guard",
        "Rank-up sheet",
        "2026-03-07",
        RULES,
        "The Cardinal's Guard",
        WORDS,
        people,
        tuple(Candidate(f"g{n}", name, "Soldier", 1, 1, 3) for n, name in enumerate(NAMES[4:9])),
        "The Autumn of Long Knives",
    )


def campaign_with(**changes: Any) -> CampaignSummary:
    """Return a small campaign with some changes."""
    return replace(campaign(2, 2, NAMES[:2]), **changes)
