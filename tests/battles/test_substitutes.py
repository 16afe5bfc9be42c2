"""A substitute plays one battle for a warband's player: that side of that battle, and nothing
else."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from audit.models import AuditEntry
from battles.models import Battle, Side
from battles.selectors.standings import standings
from battles.services.corrections import void_battle
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import log_events
from battles.services.review import confirm_side, submit_battle
from battles.services.substitutes import name_fixture_substitute, name_substitute
from campaigns.models import Campaign, Fixture
from campaigns.services.hand_overs import hand_over_warband
from clubs.models import Club, Membership
from clubs.services.members import add_guest, remove_member
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from home.selectors.cards import cards_for
from home.services.recipients import concerned
from leagues.services.fixtures import link_battle
from tests.conftest import api_of, browser_of
from tests.pages import world
from warbands.models import Fighter, Warband


@pytest.fixture
def erin(db: None) -> User:
    return User.objects.create_user("erin", "erin@example.org")


@pytest.fixture
def club(alice: User, bob: User, dora: User, erin: User) -> Club:
    return world.club_of(alice, players=[bob, erin], spectators=[dora])


@pytest.fixture
def guards(alice: User) -> Warband:
    return world.guards(alice)


@pytest.fixture
def haufen(bob: User) -> Warband:
    return world.landsknechts(bob)


@pytest.fixture
def campaign(club: Club, alice: User, guards: Warband, haufen: Warband) -> Campaign:
    return world.campaign_of(club, alice, guards, haufen, format="table")


@pytest.fixture
def battle(campaign: Campaign, alice: User, guards: Warband, haufen: Warband) -> Battle:
    """Return a planned battle: side "a" is Alice's, "b" is Bob's."""
    return world.planned_battle(alice, campaign, guards, haufen)


def seat(name: str) -> Any:
    return Membership.objects.get(name=name).pk


def kinds(user: User) -> list[str]:
    return [card.kind for card in cards_for(user, timezone.localdate())]


def force_of(warband: Warband) -> Force:
    fit = list(Fighter.objects.filter(warband=warband, fate="fit").order_by("place"))
    return Force(tuple(row.pk for row in fit), {"leader": (fit[0].pk,)})


def test_substitute_plays_the_whole_battle(
    battle: Battle,
    campaign: Campaign,
    alice: User,
    bob: User,
    erin: User,
    guards: Warband,
    haufen: Warband,
) -> None:
    with pytest.raises(Forbidden):
        field_combatants(battle_id=battle.pk, side="b", force=force_of(haufen), user=erin)
    name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=bob)
    assert "field" in kinds(erin)
    assert erin in concerned("battle", battle.pk)
    field_combatants(battle_id=battle.pk, side="b", force=force_of(haufen), user=erin)
    field_combatants(battle_id=battle.pk, side="a", force=force_of(guards), user=alice)
    start_battle(battle_id=battle.pk, user=erin)
    attacker, victim = (
        Fighter.objects.filter(warband=row).earliest("place") for row in (haufen, guards)
    )
    log_events(battle_id=battle.pk, events=[world.wound(attacker, victim, "critical")], user=erin)
    submit_battle(battle_id=battle.pk, user=erin)
    assert Side.objects.get(battle=battle, key="b").verdict == "confirmed"
    with pytest.raises(Forbidden):
        confirm_side(battle_id=battle.pk, side="a", user=erin)
    confirm_side(battle_id=battle.pk, user=alice)
    page = browser_of(erin).get(reverse("battles:battle", args=[battle.pk])).content.decode()
    assert "erin for bob" in page
    first = standings(campaign).rows[0]
    assert (first.warband, first.won, first.player_name) == (haufen.pk, 1, "bob")


def test_substitute_confirms_what_the_other_side_submitted(
    campaign: Campaign, alice: User, bob: User, erin: User, guards: Warband, haufen: Warband
) -> None:
    battle = world.submitted_battle(alice, campaign, guards, haufen)
    name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=bob)
    assert "confirm" in kinds(erin)
    confirm_side(battle_id=battle.pk, user=erin)
    battle.refresh_from_db()
    assert battle.state == "confirmed"


def test_substitute_of_one_battle_has_no_rights_elsewhere(
    battle: Battle,
    campaign: Campaign,
    alice: User,
    bob: User,
    erin: User,
    guards: Warband,
    haufen: Warband,
) -> None:
    other = world.submitted_battle(alice, campaign, guards, haufen)
    name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=bob)
    with pytest.raises(Forbidden):
        confirm_side(battle_id=other.pk, side="b", user=erin)
    assert not Warband.objects.editable_by(erin).exists()
    with pytest.raises(Forbidden):
        name_substitute(battle_id=battle.pk, side="b", player_id=seat("bob"), user=erin)
    name_substitute(battle_id=battle.pk, side="b", player_id=None, user=bob)
    assert not Battle.objects.editable_by(erin).exists()


@pytest.mark.parametrize(
    ("who", "status"),
    [("alice", 200), ("bob", 200), ("erin", 403), ("dora", 403), ("charlie", 404)],
)
def test_owner_and_organiser_name_a_substitute(
    battle: Battle, charlie: User, who: str, status: int
) -> None:
    user = User.objects.get(username=who)
    sent = {"player": str(seat("erin"))}
    answer = api_of(user).put(f"/api/v1/battles/{battle.pk}/sides/b/substitute/", sent)
    assert answer.status_code == status
    page = browser_of(user).get(reverse("battles:substitute", args=[battle.pk, "b"]))
    assert page.status_code == status
    if status == 200:
        assert answer.json()["sides"][1]["substitute"] == "erin"
        assert (
            AuditEntry.objects.get(verb="battle.substitute-named").person_id
            == User.objects.get(username="erin").pk
        )


def test_owner_names_none_for_the_other_side(battle: Battle, bob: User) -> None:
    with pytest.raises(Forbidden):
        name_substitute(battle_id=battle.pk, side="a", player_id=seat("erin"), user=bob)


def test_bad_substitutes_are_refused(
    battle: Battle, club: Club, alice: User, bob: User, erin: User, guards: Warband, haufen: Warband
) -> None:
    def code(player: Any, side: str = "b") -> str:
        with pytest.raises((InvalidInput, NotFound)) as refusal:
            name_substitute(battle_id=battle.pk, side=side, player_id=player, user=alice)
        return str(refusal.value.code)

    assert code(seat("dora")) == "spectator"
    assert code(seat("bob")) == "plays-already"
    assert code(seat("alice")) == "plays-other-side"
    assert code(battle.pk) == "unknown-player"
    name_substitute(battle_id=battle.pk, side="a", player_id=seat("erin"), user=alice)
    assert code(seat("erin")) == "plays-other-side"
    User.objects.filter(pk=erin.pk).update(is_active=False)
    assert code(seat("erin")) == "account-inactive"
    one_off = world.planned_battle(bob, None, haufen, world.landsknechts(bob, "Others"))
    with pytest.raises(InvalidInput) as refusal:
        name_substitute(battle_id=one_off.pk, side="a", player_id=seat("erin"), user=bob)
    assert refusal.value.code == "no-campaign"


def test_only_organisers_name_one_after_confirmation(
    campaign: Campaign, alice: User, bob: User, erin: User, guards: Warband, haufen: Warband
) -> None:
    battle = world.confirmed_battle(alice, alice, campaign, guards, haufen)
    with pytest.raises(StateConflict):
        name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=bob)
    name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=alice)
    assert kinds(erin) == ["enrol"]


def test_substitute_who_leaves_the_club_is_remembered(
    battle: Battle, bob: User, erin: User
) -> None:
    name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=bob)
    remove_member(member_id=seat("erin"), user=erin)
    assert Side.objects.get(battle=battle, key="b").substitute == Membership.objects.get(
        name="erin"
    )
    assert not Battle.objects.editable_by(erin).exists()


def test_warband_is_not_transferred_to_the_other_sides_substitute(
    battle: Battle, alice: User, bob: User, erin: User, guards: Warband, haufen: Warband
) -> None:
    name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=bob)
    with pytest.raises(InvalidInput) as refusal:
        hand_over_warband(warband_id=guards.pk, player="erin", user=alice)
    assert refusal.value.code == "plays-other-side"
    hand_over_warband(warband_id=haufen.pk, player="erin", user=alice)
    page = browser_of(erin).get(reverse("battles:battle", args=[battle.pk])).content.decode()
    assert "erin for" not in page


def test_battle_of_a_fixture_has_its_substitute(
    campaign: Campaign,
    club: Club,
    alice: User,
    bob: User,
    erin: User,
    guards: Warband,
    haufen: Warband,
) -> None:
    fixture: Fixture = world.paired(campaign, alice).fixtures.get()
    enrolment = haufen.enrolments.get()
    with pytest.raises(Forbidden):
        world.planned_battle(erin, campaign, guards, haufen)
    sent = {"enrolment": str(enrolment.pk), "player": str(seat("erin"))}
    where = f"/api/v1/fixtures/{fixture.pk}/substitute/"
    assert api_of(erin).put(where, sent).status_code == 403
    assert api_of(bob).put(where, sent).status_code == 200
    assert "stand-in" in kinds(erin)
    battle = world.planned_battle(erin, campaign, guards, haufen)
    assert battle.fixture_id == fixture.pk
    assert Side.objects.get(battle=battle, warband=haufen).substitute_id == seat("erin")
    assert "stand-in" not in kinds(erin)
    with pytest.raises(InvalidInput) as refusal:
        name_fixture_substitute(
            fixture_id=fixture.pk, enrolment_id=enrolment.pk, player_id=None, user=bob
        )
    assert refusal.value.code == "battle-planned"
    void_battle(battle_id=battle.pk, user=alice, reason="Nobody came.")
    assert "stand-in" in kinds(erin)
    name_fixture_substitute(
        fixture_id=fixture.pk, enrolment_id=enrolment.pk, player_id=None, user=bob
    )
    assert "stand-in" not in kinds(erin)


def test_linked_battle_has_the_substitute_of_its_fixture(
    campaign: Campaign, alice: User, bob: User, guards: Warband, haufen: Warband
) -> None:
    battle = world.planned_battle(alice, campaign, guards, haufen)
    fixture: Fixture = world.paired(campaign, alice).fixtures.get()
    enrolment = haufen.enrolments.get().pk
    name_fixture_substitute(
        fixture_id=fixture.pk, enrolment_id=enrolment, player_id=seat("erin"), user=alice
    )
    link_battle(fixture_id=fixture.pk, battle_id=battle.pk, user=alice)
    assert battle.sides.get(warband=haufen).substitute_id == seat("erin")


def test_bad_substitutes_of_a_fixture_are_refused(
    campaign: Campaign, club: Club, alice: User, bob: User, haufen: Warband, guards: Warband
) -> None:
    fixture: Fixture = world.paired(campaign, alice).fixtures.get()
    own, other = haufen.enrolments.get().pk, guards.enrolments.get().pk

    def code(enrolment: Any, player: Any) -> str:
        with pytest.raises((InvalidInput, NotFound, Forbidden)) as refusal:
            name_fixture_substitute(
                fixture_id=fixture.pk, enrolment_id=enrolment, player_id=player, user=bob
            )
        return str(refusal.value.code)

    assert code(other, seat("erin")) == "not-your-warband"
    assert code(club.pk, seat("erin")) == "not-in-this-fixture"
    assert code(own, seat("alice")) == "plays-other-side"
    assert code(own, seat("bob")) == "plays-already"
    assert code(own, seat("dora")) == "spectator"
    name_fixture_substitute(
        fixture_id=fixture.pk, enrolment_id=other, player_id=seat("erin"), user=alice
    )
    assert code(own, seat("erin")) == "plays-other-side"


def test_guest_player_can_be_substitute(battle: Battle, club: Club, alice: User) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    page = browser_of(alice).post(
        reverse("battles:substitute", args=[battle.pk, "b"]), {"player": str(guest.pk)}
    )
    assert page.status_code == 302
    assert (
        "Gaston for bob"
        in browser_of(alice).get(reverse("battles:battle", args=[battle.pk])).content.decode()
    )


def test_page_of_a_fixture_names_a_substitute(
    campaign: Campaign, alice: User, bob: User, haufen: Warband
) -> None:
    fixture: Fixture = world.paired(campaign, alice).fixtures.get()
    where = reverse("battles:fixture-substitute", args=[fixture.pk])
    enrolment = str(haufen.enrolments.get().pk)
    assert (
        where
        in browser_of(bob).get(reverse("leagues:fixtures", args=[campaign.pk])).content.decode()
    )
    answer = browser_of(bob).post(where, {"enrolment": enrolment, "player": str(seat("erin"))})
    assert answer.status_code == 302
    assert "erin plays for bob" in browser_of(bob).get(where).content.decode()


def test_more_substitutes_take_no_more_queries(battle: Battle, alice: User) -> None:
    def queries() -> int:
        browser = browser_of(alice)
        address = reverse("battles:battle", args=[battle.pk])
        browser.get(address)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            browser.get(address)
        return len(captured)

    before = queries()
    name_substitute(battle_id=battle.pk, side="b", player_id=seat("erin"), user=alice)
    assert queries() == before
