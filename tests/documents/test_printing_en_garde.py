"""Documents of a season of En Garde! on real lists."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils.html import escape

from battles.models import Battle
from documents.content.documents import CampaignSummary, WarbandRoster
from documents.content.registry import read_content
from documents.models import DocumentKind
from documents.printing import with_quotes
from tests.battles.test_fighting_en_garde import Season
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import text
from warbands.models import Fighter, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SCENARIOS = ("skirmish", "capture", "raid", "defence")


@pytest.fixture
def season(alice: User) -> Season:
    """Return four battles of Cardinal's Guard against swashbucklers, with rank-ups after each."""
    played = Season(alice)
    for seed, scenario in enumerate(SCENARIOS):
        played.fight(scenario, seed)
        played.promote()
    return played


def printed(user: User, kind: DocumentKind, subject: Any) -> str:
    document = made(ask(user, kind, subject))
    assert (document.state, document.failure) == ("ready", "")
    with document.file.open("rb") as file:
        return text(file.read())


def test_a_season_is_printed_with_every_battle_every_death_and_every_roster(
    season: Season, alice: User
) -> None:
    content = read_content(DocumentKind.CAMPAIGN, season.campaign.pk)
    assert isinstance(content, CampaignSummary)
    assert len(content.battles) == len(SCENARIOS)
    dead = set(Fighter.objects.filter(fate="dead").values_list("name", flat=True))
    assert {fallen.name for fallen in content.memorial} == dead
    assert content.counts.dead == Fighter.objects.filter(fate="dead").count()
    page_text = printed(alice, DocumentKind.CAMPAIGN, season.campaign.pk)
    for tale in content.battles:
        assert with_quotes(f"</head>{escape(tale.verdict)}").removeprefix("</head>") in page_text
        for side in tale.sides:
            assert sum(line.amount for line in side.lines) == side.victory_points
    for warband in season.warbands:
        assert warband.name in page_text


def test_a_roster_has_the_book_s_columns_and_its_line_on_morale(
    season: Season, alice: User
) -> None:
    guard = Warband.objects.get(pk=season.warbands[0].pk)
    content = read_content(DocumentKind.ROSTER, guard.pk, ("prices",))
    assert isinstance(content, WarbandRoster)
    roster = content.roster
    serving = Fighter.objects.filter(warband=guard).exclude(fate__in=("dead", "retired"))
    rows = [row for group in roster.groups for row in group.rows]
    assert len(rows) == sum(price.count for price in roster.prices) == serving.count()
    assert (
        sum(row.points for row in rows) + sum(line.amount for line in roster.bought)
        == roster.points
    )
    page_text = printed(alice, DocumentKind.ROSTER, guard.pk)
    assert "Rank Move CP Initiative Fight Shoot AR" in page_text
    assert re.search(rf"Morale test after losing {roster.sums[1].note}\b", page_text)


def test_a_veteran_s_career_and_the_rank_up_sheets_are_printed(season: Season, alice: User) -> None:
    veteran = Fighter.objects.order_by("-battles", "place")[0]
    page_text = printed(alice, DocumentKind.CAREER, veteran.pk)
    assert page_text.count("Survived") >= 1
    for warband in season.warbands:
        assert "Not enough XP yet" in printed(alice, DocumentKind.RANK_UPS, warband.pk)


def test_a_battle_is_printed_with_its_reasons(season: Season, alice: User) -> None:
    battle = Battle.objects.order_by("created_at")[0]
    page_text = printed(alice, DocumentKind.BATTLE, battle.pk)
    assert "Skirmish" in page_text
    assert "Experience for" in page_text
