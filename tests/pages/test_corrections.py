"""Correcting a confirmed battle: what changes is shown, broken choices are asked about, and only
then it holds."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle
from battles.services.logbook import log_events
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pages.world import named
from warbands.models import Warband
from warbands.services.rank_ups import take_rank_up
from warbands.services.roster import adjust_fighter

pytestmark = pytest.mark.one_database


def address(name: str, battle: Battle) -> str:
    return reverse(f"battles:{name}", args=[battle.pk])


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def told(battle: Battle, **more: Any) -> dict[str, Any]:
    return {
        "version": fresh(battle).version,
        "reason": "Remove this entry",
        "client_id": str(uuid4()),
        "strike": "1",
        **more,
    }


def test_striking_an_entry_shows_what_changes_and_writes_nothing(
    browsers: Clients, confirmed: Battle
) -> None:
    before = named("Jussac").experience
    page = browsers.alice.post(address("correct", confirmed), told(confirmed, look="1"))
    assert page.status_code == 200
    changed = {
        fighter.name: (fighter.experience_before, fighter.experience_after)
        for fighter in page.context["difference"].fighters
    }
    assert changed == {"Jussac": (before, before - 1)}
    table = page.content.decode().partition("Standings</th>")[2].partition("</table>")[0]
    for row in page.context["difference"].table:
        same = f'<td class="n">{row.points_before}</td>'
        assert (same in table) == (row.points_before == row.points_after)
    assert named("Jussac").experience == before
    assert fresh(confirmed).revision == 0


@pytest.mark.parametrize("name", ["correct", "void", "day"])
def test_preview_button_leads_to_the_changes(
    browsers: Clients, confirmed: Battle, name: str
) -> None:
    """Or they are below the fold of a phone, and the page looks as if nothing had happened."""
    form = " ".join(browsers.alice.get(address(name, confirmed)).content.decode().split())
    assert 'name="look" value="1" formaction="#difference"' in form
    page = browsers.alice.post(address("correct", confirmed), told(confirmed, look="1"))
    assert 'id="difference"' in page.content.decode()


def test_saved_correction_updates_every_number(browsers: Clients, confirmed: Battle) -> None:
    before = named("Jussac").experience
    answer = browsers.alice.post(address("correct", confirmed), told(confirmed, commit="1"))
    assert answer["Location"] == address("battle", confirmed)
    assert named("Jussac").experience == before - 1
    body = browsers.dora.get(address("battle", confirmed)).content.decode()
    assert "Remove this entry" in body


def test_a_missing_entry_is_added(browsers: Clients, confirmed: Battle) -> None:
    row = {
        "rows_wound": "1",
        "wound-0-client_id": str(uuid4()),
        "wound-0-attacker": named("Hans").pk,
        "wound-0-victim": named("Cahusac").pk,
        "wound-0-result": "critical",
    }
    browsers.alice.post(
        address("correct", confirmed), told(confirmed, strike="", commit="1", **row)
    )
    assert named("Cahusac").fate == "dead"


def test_a_correction_needs_a_reason_and_something_to_correct(
    browsers: Clients, confirmed: Battle
) -> None:
    for bad in ({"reason": ""}, {"reason": "x"}, {"strike": ""}, {"strike": "99"}):
        page = browsers.alice.post(
            address("correct", confirmed), told(confirmed, commit="1", **bad)
        )
        assert page.status_code == 400
        assert ("reason" in bad) == ("reason" in page.context["form"].errors)
    assert fresh(confirmed).revision == 0


def test_a_correction_sent_twice_counts_once(browsers: Clients, confirmed: Battle) -> None:
    sent = told(confirmed, commit="1")
    assert browsers.alice.post(address("correct", confirmed), sent).status_code == 302
    assert browsers.alice.post(address("correct", confirmed), sent).status_code == 409
    assert fresh(confirmed).revision == 1


@pytest.fixture
def risen(confirmed: Battle, alice: User) -> Battle:
    """Return a battle after which the Ruffian has ranked up.

    Two of the experience points come from the organiser.
    """
    rat = named("Le Rat")
    adjust_fighter(fighter_id=rat.pk, experience=2, reason="Saved the captain", user=alice)
    take_rank_up(fighter_id=rat.pk, step="cardinals-guard/guard", user=alice)
    return confirmed


def a_dead_rat(battle: Battle, **more: Any) -> dict[str, Any]:
    """Return the form of a correction by which the Ruffian died before the rank-up."""
    row = {
        "rows_wound": "1",
        "wound-0-client_id": str(uuid4()),
        "wound-0-attacker": str(named("Hans").pk),
        "wound-0-victim": str(named("Le Rat").pk),
        "wound-0-result": "critical",
    }
    return told(battle, strike="", **row, **more)


def answers(page: Any) -> list[str]:
    return [way.name for _, way, _ in page.context["form"].questions]


def test_later_choices_that_break_are_asked_about(browsers: Clients, risen: Battle) -> None:
    page = browsers.alice.post(address("correct", risen), a_dead_rat(risen, look="1"))
    assert len(page.context["difference"].open_conflicts) >= 1
    questions = [page.context["form"][name] for name in answers(page)]
    assert all("Le Rat" in question.label for question in questions)
    assert any("Rank-ups: " in question.label for question in questions), "which choice it is"
    html = page.content.decode()
    for question in questions:
        assert (
            "optional" not in html.split(f'for="{question.id_for_label}"')[1].split("</label>")[0]
        ), "it has to be answered"


def test_correction_with_open_conflicts_is_not_saved(browsers: Clients, risen: Battle) -> None:
    page = browsers.alice.post(address("correct", risen), a_dead_rat(risen, commit="1"))
    assert page.status_code == 409
    assert named("Le Rat").rank == 2
    assert page.context["difference"].conflicts


def test_what_breaks_is_undone_with_the_correction(browsers: Clients, risen: Battle) -> None:
    sent = a_dead_rat(risen)
    page = browsers.alice.post(address("correct", risen), {**sent, "look": "1"})
    for _ in range(3):
        sent |= dict.fromkeys(answers(page), "undo")
        page = browsers.alice.post(address("correct", risen), {**sent, "look": "1"})
    assert (
        browsers.alice.post(address("correct", risen), {**sent, "commit": "1"}).status_code == 302
    )
    assert (named("Le Rat").fate, named("Le Rat").rank) == ("dead", 1)


def test_a_choice_stands_only_with_a_reason(browsers: Clients, risen: Battle) -> None:
    sent = a_dead_rat(risen)
    page = browsers.alice.post(address("correct", risen), {**sent, "look": "1"})
    standing = dict.fromkeys(answers(page), "stand")
    refused = browsers.alice.post(address("correct", risen), {**sent, **standing, "commit": "1"})
    assert refused.status_code in (400, 409)
    reasons = {f"{name}-reason": "We played it so" for name in standing}
    assert (
        browsers.alice.post(
            address("correct", risen), {**sent, **standing, **reasons, "commit": "1"}
        ).status_code
        == 302
    )


def test_confirmed_battle_is_voided_after_preview(browsers: Clients, confirmed: Battle) -> None:
    sent = {"version": confirmed.version, "reason": "Played by the wrong rules"}
    looked = browsers.alice.post(address("void", confirmed), {**sent, "look": "1"})
    assert looked.context["difference"].verdict_after == ""
    assert fresh(confirmed).state == "confirmed"
    browsers.alice.post(address("void", confirmed), {**sent, "commit": "1"})
    assert fresh(confirmed).state == "void"
    assert named("Jussac").experience == 0


def test_planned_battle_is_voided_by_its_players(browsers: Clients, planned: Battle) -> None:
    sent = {"version": planned.version, "reason": "It rained", "commit": "1"}
    assert browsers.bob.post(address("void", planned), sent).status_code == 302
    assert fresh(planned).state == "void"


def test_submitted_battle_is_voided_by_organisers_only(
    browsers: Clients, submitted: Battle
) -> None:
    assert browsers.bob.get(address("void", submitted)).status_code == 403
    assert browsers.alice.get(address("void", submitted)).status_code == 200


def test_a_one_off_battle_between_two_has_no_organiser(
    browsers: Clients, alice: User, guards: Warband, bob: User
) -> None:
    other = world.landsknechts(bob)
    world.warbands_see_each_other(guards, other)
    battle = world.submitted_battle(alice, None, guards, other)
    assert browsers.alice.get(address("void", battle)).status_code == 403


# One entry in its place


def entry_of(battle: Battle) -> str:
    return reverse("battles:correct-entry", args=[battle.pk, 1])


def anew(battle: Battle, **more: Any) -> dict[str, Any]:
    """Return the form that corrects the first entry: Jussac hit Veit badly."""
    hit = {
        "entry-attacker": named("Jussac").pk,
        "entry-victim": named("Veit").pk,
        "entry-result": "critical",
    }
    data = {"version": fresh(battle).version, "reason": "It was Veit", "client_id": str(uuid4())}
    return {**hit, **data, "entry-turn_number": "1", **more}


def test_an_entry_is_corrected_in_its_place_with_before_and_after_beside_each_other(
    browsers: Clients, confirmed: Battle
) -> None:
    where = entry_of(confirmed)
    assert where in browsers.alice.get(address("battle", confirmed)).content.decode()
    assert where not in browsers.bob.get(address("battle", confirmed)).content.decode(), (
        "organisers correct"
    )
    fields = browsers.alice.get(where).context["row"]
    assert fields["victim"].value() == str(named("Hans").pk) and fields["result"].value() == "light"
    looked = browsers.alice.post(where, anew(confirmed, look="1"))
    html = " ".join(looked.content.decode().split())
    assert "Hans" in looked.context["before"] and "Veit" in looked.context["after"]
    assert (
        f"<del>{looked.context['before']}</del>" in html
        and f"<ins>{looked.context['after']}</ins>" in html
    )
    assert {fighter.name for fighter in looked.context["difference"].fighters} >= {"Veit"}
    assert named("Veit").fate == "fit" and fresh(confirmed).revision == 0
    sent = anew(confirmed, commit="1")
    done = browsers.alice.post(where, sent)
    assert done["Location"] == f"{address('battle', confirmed)}?log=1#entry-1", (
        "back to the page where one was"
    )
    assert (named("Veit").fate, fresh(confirmed).revision) == ("dead", 1)
    assert browsers.alice.post(where, sent).status_code == 409
    assert fresh(confirmed).revision == 1, "sent twice it counts once"
    log = " ".join(browsers.dora.get(address("battle", confirmed)).content.decode().split())
    assert f"<del>{looked.context['before']}</del> <ins>{looked.context['after']}</ins>" in log
    again = browsers.alice.get(where).context["row"]
    assert again["victim"].value() == str(named("Veit").pk), (
        "what stands there now is what is corrected next"
    )


def test_entry_is_removed_and_errors_name_fields(browsers: Clients, confirmed: Battle) -> None:
    where = entry_of(confirmed)
    wrong = browsers.alice.post(where, anew(confirmed, commit="1", **{"entry-victim": ""}))
    assert wrong.status_code == 400 and "victim" in wrong.context["row"].errors
    assert browsers.alice.post(where, anew(confirmed, commit="1", reason="")).status_code == 400
    assert browsers.alice.post(where, anew(confirmed, commit="1", version="99")).status_code == 409
    looked = browsers.alice.post(where, anew(confirmed, strike="on", look="1"))
    assert looked.context["after"] == "" and "Removed." in looked.content.decode()
    assert list(faults(looked.content.decode())) == []
    assert browsers.alice.post(where, anew(confirmed, strike="on", commit="1")).status_code == 302
    assert browsers.alice.get(where).status_code == 404, "there is nothing left to correct"
    assert where not in browsers.alice.get(address("battle", confirmed)).content.decode()


def test_player_corrects_entry_during_battle_at_once(
    browsers: Clients, begun: Battle, bob: User
) -> None:
    log_events(battle_id=begun.pk, events=[world.wound(named("Jussac"), named("Hans"))], user=bob)
    assert browsers.dora.get(entry_of(begun)).status_code == 403
    assert browsers.bob.get(reverse("battles:correct-entry", args=[begun.pk, 9])).status_code == 404
    assert browsers.bob.post(entry_of(begun), anew(begun, commit="1")).status_code == 302
    events = list(begun.events.order_by("sequence"))
    assert [event.kind for event in events] == ["wound", "correction"]
    assert events[1].data["data"]["victim"] == str(named("Veit").pk)
