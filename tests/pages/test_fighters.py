"""A fighter's page: its service, its ledger, the reasons; rising in Rank, taking it back,
leaving."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.models import Battle
from campaigns.models import Campaign
from rulebook.registry import newest_ruleset
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.models import Fighter, Warband
from warbands.selectors.fighter_page import fighter_page
from warbands.services.roster import adjust_fighter

pytestmark = pytest.mark.one_database


@pytest.fixture
def veteran(confirmed: Battle, alice: User) -> Fighter:
    """Return a Ruffian who can afford the second Rank."""
    rat = named("Le Rat")
    adjust_fighter(fighter_id=rat.pk, experience=5, reason="Saved the captain", user=alice)
    return named("Le Rat")


def page_of(fighter: Fighter) -> str:
    return reverse("warbands:fighter", args=[fighter.pk])


def test_the_page_tells_every_number_and_the_reasons_of_the_one_that_is_asked_for(
    browsers: Clients, confirmed: Battle
) -> None:
    jussac = named("Jussac")
    with CaptureQueriesContext(connection) as seen:
        page = browsers.bob.get(page_of(jussac))
    assert not any('."recorded_at"' in query["sql"] for query in seen), (
        "shut folds read no chronicle"
    )
    by_key = {explanation.key: explanation.value for explanation in page.context["explanations"]}
    assert {"rank", "points", "experience", "combat_pool"} <= set(by_key)
    assert "Explanations" in page.content.decode() and "Entry 1" not in page.content.decode()
    opened = browsers.bob.get(page_of(jussac), {"why": "experience"})
    explained = {explanation.key: explanation for explanation in opened.context["explanations"]}
    assert {key: explanation.value for key, explanation in explained.items()} == by_key, (
        "the same numbers with and without a replay"
    )
    assert sum(line.points for line in explained["experience"].lines) == jussac.experience
    body = opened.content.decode().replace("&#x27;", "'")
    assert all(line.label in body for line in explained["experience"].lines)
    reasons = browsers.bob.get(page_of(jussac), {"why": "points"}, headers={"HX-Request": "true"})
    assert "<html" not in reasons.content.decode() and "Entry" in reasons.content.decode()
    assert all(
        line.label in reasons.content.decode().replace("&#x27;", "'")
        for line in explained["points"].lines
    )
    nothing = browsers.bob.get(page_of(jussac), {"why": "nothing"}, headers={"HX-Request": "true"})
    assert nothing.status_code == 404


def test_the_service_record_names_battles_and_deeds(browsers: Clients, confirmed: Battle) -> None:
    record = browsers.bob.get(page_of(named("Jussac"))).context["page"].record
    assert [line.battle for line in record] == [confirmed.pk]
    assert "Hans" in " ".join(record[0].deeds)


def test_legal_steps_are_shown_with_what_they_cost_and_gain(
    browsers: Clients, veteran: Fighter
) -> None:
    page = browsers.alice.get(reverse("warbands:rank-ups", args=[veteran.pk]))
    step = page.context["page"].rank_ups[0].step
    assert (step.rank, step.cost) == (2, 3)
    assert step.name in page.content.decode()


def test_a_step_that_cannot_be_paid_is_shown_and_not_offered(
    browsers: Clients, confirmed: Battle
) -> None:
    page = browsers.alice.get(reverse("warbands:rank-ups", args=[named("Le Rat").pk]))
    assert page.context["chosen"] is None
    assert "short" in page.content.decode()


def test_rising_takes_the_step_with_its_picks_and_pays_for_it(
    browsers: Clients, veteran: Fighter
) -> None:
    where = reverse("warbands:rank-ups", args=[veteran.pk])
    form = browsers.alice.get(where).context["form"]
    data = {"step": form["step"].value(), "sequence": form["sequence"].value()}
    picks = {name: "halberd" for name in form.fields if name == "picks.weapon"}
    answer = browsers.alice.post(f"{where}?step={data['step']}", {**data, **picks})
    assert answer["Location"] == page_of(veteran)
    risen = named("Le Rat")
    assert risen.rank == 2
    assert risen.experience == veteran.experience - 3
    assert picks and "halberd" in str(risen.state["build"])


def test_a_step_is_taken_back(browsers: Clients, veteran: Fighter) -> None:
    where = reverse("warbands:rank-ups", args=[veteran.pk])
    form = browsers.alice.get(where).context["form"]
    browsers.alice.post(where, {"step": form["step"].value(), "sequence": form["sequence"].value()})
    browsers.alice.post(reverse("warbands:undo-rank-up", args=[veteran.pk]))
    back = named("Le Rat")
    assert (back.rank, back.experience) == (1, veteran.experience)


def test_rank_up_refuses_stale_page(browsers: Clients, alice: User, veteran: Fighter) -> None:
    where = reverse("warbands:rank-ups", args=[veteran.pk])
    form = browsers.alice.get(where).context["form"]
    stale = {"step": form["step"].value(), "sequence": form["sequence"].value()}
    adjust_fighter(fighter_id=named("Jussac").pk, experience=1, reason="Meanwhile", user=alice)
    assert browsers.alice.post(where, stale).status_code == 409
    assert named("Le Rat").rank == 1


def test_an_unknown_step_is_not_found(browsers: Clients, veteran: Fighter) -> None:
    assert (
        browsers.alice.get(
            reverse("warbands:rank-ups", args=[veteran.pk]), {"step": "king"}
        ).status_code
        == 404
    )


def test_rank_up_refuses_unknown_pick_at_its_field(browsers: Clients, veteran: Fighter) -> None:
    where = reverse("warbands:rank-ups", args=[veteran.pk])
    form = browsers.alice.get(where).context["form"]
    data = {
        "step": form["step"].value(),
        "sequence": form["sequence"].value(),
        "picks.weapon": "cannon",
    }
    page = browsers.alice.post(where, data)
    assert page.status_code == 400
    assert "picks.weapon" in page.context["form"].errors


def test_adjustment_by_organiser_appears_in_ledger(browsers: Clients, confirmed: Battle) -> None:
    hans = named("Hans")
    where = reverse("warbands:adjust", args=[hans.pk])
    sequence = browsers.alice.get(where).context["form"]["sequence"].value()
    data = {
        "experience": "2",
        "fate": "",
        "reason": "Carried the banner home",
        "sequence": sequence,
    }
    assert browsers.alice.post(where, data).status_code == 302
    assert named("Hans").experience == hans.experience + 2
    assert "Carried the banner home" in browsers.bob.get(page_of(hans)).content.decode()


def test_adjustment_forbidden_for_player(browsers: Clients, confirmed: Battle) -> None:
    data = {"experience": "2", "fate": "", "reason": "Because", "sequence": "3"}
    assert (
        browsers.bob.post(reverse("warbands:adjust", args=[named("Hans").pk]), data).status_code
        == 403
    )


def test_removed_fighter_stays_in_history(browsers: Clients, confirmed: Battle) -> None:
    veit = named("Veit")
    browsers.bob.post(reverse("warbands:leave", args=[veit.pk]), {"reason": "retired"})
    assert named("Veit").fate == "retired"


def test_only_a_roster_that_is_not_in_play_can_strike_a_fighter(
    browsers: Clients, confirmed: Battle
) -> None:
    page = browsers.bob.post(
        reverse("warbands:leave", args=[named("Veit").pk]), {"reason": "struck"}
    )
    assert page.status_code == 400
    assert named("Veit").fate == "fit"


def test_name_and_story_of_a_fighter_change(browsers: Clients, confirmed: Battle) -> None:
    veit = named("Veit")
    data = {"name": "Veit der Lange", "story": "Nobody knows why he left the river boats."}
    browsers.bob.post(reverse("warbands:change-fighter", args=[veit.pk]), data)
    body = browsers.bob.get(page_of(veit)).content.decode()
    assert data["name"] in body and data["story"] in body


def test_rank_up_choices_say_what_attributes_do(browsers: Clients, bob: User) -> None:
    world.warband_of(bob, "Haufen", "landsknechts", [("landsknecht", "Hans")])
    adjust_fighter(fighter_id=named("Hans").pk, experience=10, reason="Long service", user=bob)
    where = reverse("warbands:rank-ups", args=[named("Hans").pk])
    page = browsers.bob.get(where, {"step": "landsknechts/doppelsoldner"})
    picks = page.context["form"].fields
    labels = dict(picks["picks.attributes"].choices)
    notes = newest_ruleset("en-garde").choice_notes()
    assert notes["tough"] in labels["tough"] and "<small>" in labels["tough"]
    assert all("<small>" in label for key, label in labels.items() if key)


def test_story_forms_name_markdown(browsers: Clients, bob: User, haufen: Warband) -> None:
    fighter = haufen.fighters.first()
    assert fighter is not None
    for where in (
        reverse("warbands:change", args=[haufen.pk]),
        reverse("warbands:change-fighter", args=[fighter.pk]),
    ):
        assert "You can use Markdown" in browsers.bob.get(where).content.decode()


def test_a_step_that_offers_two_pistols_gives_two(browsers: Clients, bob: User) -> None:
    world.warband_of(bob, "Ironsides", "english-civil-war", [("horse", "Oliver")])
    adjust_fighter(fighter_id=named("Oliver").pk, experience=10, reason="Long service", user=bob)
    where = reverse("warbands:rank-ups", args=[named("Oliver").pk])
    chosen = browsers.bob.get(where, {"step": "english-civil-war/life-guard"})
    form = chosen.context["form"]
    assert [label for _, label in form.fields["picks.pistol"].choices] == [
        "None",
        "Pistol (+5)",
        "2 × Pistol (+5)",
    ]
    sent = {"step": "english-civil-war/life-guard", "picks.pistol": "pistol,pistol"}
    assert (
        browsers.bob.post(where, {**sent, "sequence": form["sequence"].value()}).status_code == 302
    )
    assert named("Oliver").points == 36 + 10


@pytest.mark.postgres
def test_a_page_names_the_nemesis_and_cuts_the_battles_into_pages_with_their_ledger(
    browsers: Clients, confirmed: Battle, alice: User, campaign: Campaign, guards: Warband, haufen: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    hans, jussac = named("Hans"), named("Jussac")
    browsers.dora.get(page_of(hans))
    with CaptureQueriesContext(connection) as once:
        page = browsers.dora.get(page_of(jussac))
    assert len(once) <= 22
    assert page.context["nemesis"] is None, "who was never harmed and met nobody twice"
    page = browsers.dora.get(page_of(hans))
    foe = page.context["nemesis"]
    assert (foe.name, foe.given, foe.taken, foe.killer, foe.open) == ("Jussac", 0, 1, False, True)
    body = page.content.decode()
    assert "wounded this fighter 1 time" in body and "career-line" not in body, (
        "one battle makes no line"
    )
    world.confirmed_battle(alice, alice, campaign, guards, haufen)
    with CaptureQueriesContext(connection) as twice:
        again = browsers.dora.get(page_of(jussac))
    assert len(twice) == len(once)
    assert (again.context["nemesis"].name, again.context["nemesis"].given) == ("Hans", 2)
    assert "career-line" in again.content.decode()
    monkeypatch.setattr("warbands.views.fighters.BATTLES_ON_A_PAGE", 1)
    pages = [browsers.dora.get(f"{page_of(jussac)}?page={number}") for number in (1, 2)]
    lines = [line for each in pages for line in each.context["page"].ledger]
    whole = fighter_page(named("Jussac"), alice)
    assert lines == list(whole.ledger) and all(each.context["page"].ledger for each in pages)
    assert [each.context["page"].record for each in pages] == [(line,) for line in whole.record]
    Warband.objects.filter(pk=guards.pk).update(visibility="private")
    Warband.objects.filter(pk=haufen.pk).update(visibility="public")
    stranger = browsers.charlie.get(page_of(hans))
    assert stranger.context["nemesis"].open is False
    assert page_of(jussac) not in stranger.content.decode(), "named, and not linked"
