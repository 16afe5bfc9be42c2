"""The campaign's book and the battle's summary: order, each death once, and working links."""

import re

import pytest
from msgspec.structs import replace

from documents.content.battles import grouped
from documents.content.documents import BattleSummary, CampaignSummary
from documents.content.print_jobs import Plan, ShownPictures, plans
from documents.content.structs import BattleNarrative, Line, Person, Story
from documents.pagination import laid_out_plan
from documents.printing import laid_out, markup
from rulebook.ruleset import ScoreLine
from tests.documents import samples
from tests.documents.played import Shelf
from tests.documents.reading_pdfs import bookmarks, pages, printed, reader

RULE = 'Rule book: "Victory Points"'
CASES = [
    "four-sides",
    "nobody-left",
    "long-names-argad",
    "long-names-wards",
    "long-names-avant-garde",
]


def scored(*scores: tuple[int, str], code: str = "killed") -> list[ScoreLine]:
    return [ScoreLine(points, sentence, RULE, code) for points, sentence in scores]


@pytest.mark.parametrize(
    ("lines", "unnamed", "expected"),
    [
        ([], (), []),
        (scored((1, "Jan (Rank 1) was killed.")), (), [(1, "Jan (Rank 1) was killed.")]),
        (scored((1, "Jan (Rank 1) was killed.")), ("Jan",), [(1, "Killed: Rank 1.")]),
        (
            scored((1, "Jan (Rank 1) holds the mill."), (3, "Piet (Rank 3) holds the mill.")),
            (),
            [(4, "Holds the mill: Jan (Rank 1), Piet (Rank 3).")],
        ),
        (
            scored(
                (2, "Jan (Rank 2) was killed."),
                (2, "Jan of the Mill (Rank 2) was killed."),
                (2, "Dog was killed."),
            ),
            ("Jan", "Jan of the Mill"),
            [(6, "Killed: 2 × Rank 2, Dog.")],
        ),
        (
            scored((1, "Jan is unharmed."), (1, "Piet is unharmed.")),
            (),
            [(2, "Unharmed: Jan, Piet.")],
        ),
        (
            scored((2, "Jan (Rank 2) is in the scoring area.")),
            ("Jan",),
            [(2, "In the scoring area: Rank 2.")],
        ),
        (scored((1, "Isolde escaped."), (1, "Jan escaped.")), (), [(2, "Escaped: Isolde, Jan.")]),
        (
            scored((5, "Shaken units."), (2, "Colours taken."), code=""),
            (),
            [(5, "Shaken units."), (2, "Colours taken.")],
        ),
        (
            scored((1, "One thing."), (2, "Another one.")),
            (),
            [(1, "One thing."), (2, "Another one.")],
        ),
    ],
)
def test_points_with_same_reason_share_line(lines, unnamed, expected):
    assert grouped(lines, unnamed) == tuple(
        Line(points, sentence, RULE) for points, sentence in expected
    )


def of_height(number: int, paragraphs: int) -> BattleNarrative:
    """Return a battle without points and casualties, whose story has this many paragraphs."""
    sides = tuple(replace(side, lines=(), casualties=()) for side in samples.battle(1).sides)
    bare = samples.battle(number, story="\n\n".join(["It snowed."] * paragraphs))
    return replace(bare, id=f"b{number}", sides=sides, verdict="", set_up=(), told=Story())


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_short_battles_share_a_page(paper):
    battles = tuple(of_height(number, 1) for number in range(1, 5))
    content = samples.campaign_with(
        battles=battles, veterans=(), records=(), memorial=(), rosters=()
    )
    pages = list(_pages_of_battles(content, paper).values())
    assert {"battle-b1", "battle-b2"} in pages or {"battle-b2", "battle-b3"} in pages
    assert len(pages) <= 3


def _pages_of_battles(content: CampaignSummary, paper: str) -> dict[int, set[str]]:
    pages: dict[int, set[str]] = {}
    for number, page in enumerate(laid_out_plan(plans(content)[0], paper=paper).pages):
        for anchor in page.anchors:
            if anchor.startswith("battle-"):
                pages.setdefault(number, set()).add(anchor)
    return pages


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_summary_of_the_longest_log_takes_three_pages(paper):
    """Four sides of twenty, everybody hurt, and everybody earned something."""
    names = [
        f"{first} {last}"
        for first in ("Jan", "Piet", "Hans", "Kees")
        for last in samples.NAMES[-5:]
    ]
    content = samples.battle_summary(4)
    sides = tuple(
        replace(
            side,
            casualties=tuple(
                samples.Casualty(name, "", 3, "Light wound, Grievous wound", (Person(names[0]),))
                for name in names
            ),
            lines=tuple(
                Line(number, f"Reason number {number} of this scenario", RULE)
                for number in range(8)
            ),
            earned=tuple(
                samples.Glossed(name, "+2: survived; Grievous wound on an enemy of equal Rank")
                for name in names
            ),
            marks=("hurt",) * len(names),
        )
        for side in content.battle.sides
    )
    long = replace(content, battle=replace(content.battle, sides=sides, story=""))
    assert len(laid_out(markup(plans(long)[0]), paper=paper).pages) <= 3


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.parametrize("case", CASES)
def test_book_mentions_each_death_once(shelf: Shelf, case: str) -> None:
    content = shelf.case(case).contents["campaign"]
    assert isinstance(content, CampaignSummary)
    html = markup(plans(content)[0])
    for fallen in content.memorial:
        assert html.count(f'id="{fallen.at}"') == 1
    casualties = [
        each
        for battle in content.battles
        for side in battle.sides
        for each in side.casualties
        if each.dead
    ]
    assert all(each.harm for each in casualties), "a battle says who killed its dead"
    assert len(casualties) == len([each for each in content.memorial if each.battle])
    ends = re.findall(r'<p class="how">\s*(\S+)', html)
    assert len(ends) == len(content.memorial)


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.parametrize("case", CASES)
def test_every_name_of_a_battle_leads_to_the_roster_or_the_memorial(
    shelf: Shelf, case: str
) -> None:
    content = shelf.case(case).contents["campaign"]
    assert isinstance(content, CampaignSummary)
    html = markup(plans(content)[0])
    aimed, anchors = (
        set(re.findall(r'href="#([^"]+)"', html)),
        set(re.findall(r'\bid="([^"]+)"', html)),
    )
    assert aimed <= anchors
    hurt = [each for battle in content.battles for side in battle.sides for each in side.casualties]
    assert hurt
    assert all(each.at in aimed for each in hurt)
    assert all(veteran.at in aimed for veteran in content.veterans)


@pytest.mark.django_db
@pytest.mark.one_database
def test_links_arrive_in_a_book_that_is_bound_from_parts(shelf: Shelf) -> None:
    pdf = shelf.printed("long-names-wards", "campaign", apart=True).pdf
    destinations = reader(pdf).named_destinations
    links = [
        link.get_object()
        for page in reader(pdf).pages
        for link in page.get("/Annots", [])
        if "/Dest" in link.get_object()
    ]
    assert len(links) > 20
    assert all(str(link["/Dest"]) in destinations for link in links)


def test_every_part_battle_and_roster_has_a_bookmark():
    content = samples.campaign(3, 2, samples.NAMES[:5])
    marks = {title for _, title in bookmarks(printed(content).pdf)}
    assert {"Standings", "The battles", "Veterans", "Records", "In memoriam"} <= marks
    assert {f"{battle.number}. {battle.title}" for battle in content.battles} <= marks
    assert {roster.name for roster in content.rosters} <= marks


def test_cover_names_winner():
    content = samples.campaign_with(victory="Reds won the campaign with six points.")
    assert "Reds won the campaign" in pages(printed(content).pdf)[0]


def test_experience_is_shown_only_if_counted():
    content = samples.campaign(2, 2, samples.NAMES[:5])
    assert "19 experience" in markup(plans(content)[0])
    words = replace(content.words, shown=replace(content.words.shown, experience=False))
    assert (
        "experience"
        not in markup(plans(replace(content, words=words, rosters=()))[0])
        .split('id="veterans"')[1]
        .split('id="colophon"')[0]
    )


@pytest.mark.parametrize("fallen", [31, 34])
def test_the_last_page_of_the_memorial_bears_several_rows(fallen):
    people = tuple(
        replace(each, at=f"fighter-{place}", killer=None, battle_at="battle-b1")
        for place, each in enumerate(samples.campaign().memorial * 10)
    )
    content = replace(
        samples.campaign(),
        memorial=people[:fallen],
        battles=(),
        veterans=(),
        records=(),
        rosters=(),
    )
    *_, last = laid_out(markup(Plan(content, ShownPictures(apart=True))), paper="A4").pages
    elements = {box.element for box in last._page_box.descendants() if box.element is not None}
    assert sum("roll" in element.get("class", "").split() for element in elements) >= 2


def test_quotes_and_apostrophes_are_typographic():
    content = replace(samples.battle_summary(), title='"Wolf\'s" Reckoning')
    html = markup(plans(content)[0])
    assert "<title>&quot;Wolf&#x27;s&quot; Reckoning" in html, (
        "a file is found by its title as it was typed"
    )
    assert "<bdi>“Wolf’s” Reckoning</bdi>" in html


@pytest.mark.django_db
@pytest.mark.one_database
def test_battle_summary_lists_each_death_once(shelf: Shelf) -> None:
    content = shelf.case("nobody-left").contents["battle"]
    assert isinstance(content, BattleSummary)
    dead = [each.name for side in content.battle.sides for each in side.casualties if each.dead]
    html = markup(plans(content)[0])
    named = [
        name
        for name in dead
        if re.search(rf">{re.escape(name)}</(bdi|a)>", html.split('class="losses"')[1])
    ]
    assert named == dead
    reasons = [line.sentence for side in content.battle.sides for line in side.lines]
    assert not [name for name in dead if name in " ".join(reasons)]
