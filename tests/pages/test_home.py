"""The first page: what Muster is for strangers, what waits for members."""

import pytest
from django.urls import reverse

from battles.models import Battle
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.services.rank_up_offers import prepare_offers

pytestmark = pytest.mark.one_database


def waiting(browsers: Clients, who: str) -> list[str]:
    return [card.kind for card in getattr(browsers, who).get("/").context["inbox"].cards]


def test_who_is_not_signed_in_reads_what_muster_is(browsers: Clients) -> None:
    body = browsers.nobody.get("/").content.decode()
    assert "campaigns with Muster" in body
    assert reverse("account_signup") in body


def test_home_page_shows_new_user_first_steps(browsers: Clients) -> None:
    body = browsers.charlie.get("/").content.decode()
    assert reverse("home:found") in body and reverse("warbands:muster") in body


def test_a_submitted_battle_waits_for_the_other_side_alone(
    browsers: Clients, submitted: Battle
) -> None:
    assert waiting(browsers, "bob") == ["confirm"]
    assert waiting(browsers, "alice") == []
    assert waiting(browsers, "charlie") == []


def test_a_disputed_battle_waits_for_the_organiser(browsers: Clients, submitted: Battle) -> None:
    data = {"version": submitted.version, "reason": "No"}
    browsers.bob.post(reverse("battles:dispute", args=[submitted.pk]), data)
    assert waiting(browsers, "alice") == ["decide"]


def test_an_open_battle_waits_for_its_players(browsers: Clients, planned: Battle) -> None:
    assert waiting(browsers, "bob") == ["field", "recruit"]
    assert waiting(browsers, "dora") == []


def test_rank_up_card_disappears_after_rank_up(browsers: Clients, confirmed: Battle) -> None:
    rat = named("Le Rat")
    data = {
        "experience": "5",
        "fate": "",
        "reason": "Saved the captain",
        "sequence": rat.warband.sequence,
    }
    browsers.alice.post(reverse("warbands:adjust", args=[rat.pk]), data)
    prepare_offers(warband_id=rat.warband_id)
    assert waiting(browsers, "alice") == ["rank-up"]
    where = reverse("warbands:rank-ups", args=[rat.pk])
    form = browsers.alice.get(where).context["form"]
    browsers.alice.post(where, {"step": form["step"].value(), "sequence": form["sequence"].value()})
    assert waiting(browsers, "alice") == []


def test_a_member_finds_warbands_campaigns_and_clubs(browsers: Clients, confirmed: Battle) -> None:
    page = browsers.bob.get("/")
    assert [row.name for row in page.context["warbands"]] == ["Der schwarze Haufen"]
    assert [row.name for row in page.context["campaigns"]] == ["The Long Summer"]
    assert [row.club.name for row in page.context["memberships"]] == ["The Friday Swords"]
