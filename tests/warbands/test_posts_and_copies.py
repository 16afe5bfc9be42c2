"""Leaders, banners and guns; copies of warbands."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from campaigns.models import Campaign
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from core.users import Visibility
from rulebook.ruleset import RulesError, Ruleset
from tests.full_toy import ToyRuleset
from tests.warbands.conftest import fight, fighter_of
from warbands.models import Warband
from warbands.rulebook_values import read_state
from warbands.services.posts import appoint, furnish_warband
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.verification import prove
from warbands.services.warbands import copy_warband, show_warband

BANNER = {"banner": True}


def posts(warband: Warband) -> tuple[str | None, str | None]:
    state = read_state(Warband.objects.get(pk=warband.pk))
    holders = (state.roster.holder(post) for post in ("leader", "banner"))
    leader, bearer = (state.fighters[key].name if key else None for key in holders)
    return leader, bearer


def test_a_leader_and_a_bearer_are_named_one_by_one(reds: Warband, bob: User) -> None:
    hector, jack = fighter_of(reds, "Hector").pk, fighter_of(reds, "Jack").pk
    appoint(warband_id=reds.pk, posts={"leader": hector}, user=bob)
    appoint(warband_id=reds.pk, posts={"banner": jack}, user=bob)
    assert posts(reds) == ("Hector", "Jack")
    appoint(warband_id=reds.pk, posts={"leader": None}, user=bob)
    assert posts(reds) == (None, "Jack")


def test_repeated_appointment_writes_nothing(reds: Warband, bob: User) -> None:
    appoint(warband_id=reds.pk, user=bob, posts={})
    appoint(warband_id=reds.pk, posts={"leader": None}, user=bob)
    assert not reds.chronicle.filter(kind="appointed").exists()


def test_appoint_refuses_fighter_who_cannot_lead(
    reds: Warband, bob: User, toy: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = ToyRuleset.sheet
    monkeypatch.setattr(
        ToyRuleset, "sheet", lambda *args: replace(sheet(*args), unfit_for=("leader",))
    )
    with pytest.raises(InvalidInput) as refusal:
        appoint(warband_id=reds.pk, posts={"leader": fighter_of(reds, "Jack").pk}, user=bob)
    assert (refusal.value.code, refusal.value.field) == ("cannot-lead", "leader")


def test_the_dead_and_unknown_are_not_appointed(
    reds: Warband, campaign: Campaign, bob: User, charlie: User
) -> None:
    fight(reds, dead=("Jack",))
    with pytest.raises(InvalidInput) as refusal:
        appoint(warband_id=reds.pk, posts={"banner": fighter_of(reds, "Jack").pk}, user=bob)
    assert refusal.value.code == "fighter-gone"
    with pytest.raises(NotFound):
        appoint(warband_id=reds.pk, posts={"leader": uuid4()}, user=bob)
    with pytest.raises(NotFound):
        appoint(warband_id=reds.pk, posts={"leader": None}, user=charlie)


def test_a_banner_is_bought_for_a_draft(reds: Warband, bob: User) -> None:
    furnish_warband(warband_id=reds.pk, extras=BANNER, user=bob)
    furnish_warband(warband_id=reds.pk, extras=BANNER, user=bob)
    reds.refresh_from_db()
    assert reds.points == 31
    assert reds.chronicle.filter(kind="furnished").count() == 1
    with pytest.raises(RulesError):
        furnish_warband(warband_id=reds.pk, extras={"cannon": 2}, user=bob)


def test_in_play_only_an_organiser_buys_for_the_warband(
    reds: Warband, campaign: Campaign, bob: User, alice: User
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        furnish_warband(warband_id=reds.pk, extras=BANNER, user=bob)
    assert refusal.value.code == "roster-locked"
    with pytest.raises(Forbidden):
        furnish_warband(warband_id=reds.pk, extras=BANNER, user=bob, reason="pretty")
    furnish_warband(warband_id=reds.pk, extras=BANNER, user=alice, reason="forgotten at enrolment")
    reds.refresh_from_db()
    assert reds.points == 31


def test_what_costs_nothing_may_change_in_play(
    reds: Warband, campaign: Campaign, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ToyRuleset, "clean_extras", lambda rules, raw, terms: dict(raw))
    furnish_warband(warband_id=reds.pk, extras={"crew": ["Jack"]}, user=bob)
    assert read_state(Warband.objects.get(pk=reds.pk)).extras == {"crew": ["Jack"]}


def test_change_of_stale_roster_is_refused(reds: Warband, bob: User) -> None:
    with pytest.raises(StateConflict):
        furnish_warband(warband_id=reds.pk, extras=BANNER, user=bob, sequence=1)


# Copies


def roster_of(warband: Warband) -> list[tuple[str, int, int]]:
    return list(warband.fighters.values_list("name", "rank", "experience"))


def test_a_copy_is_a_draft_of_ones_own_with_the_living(
    reds: Warband, campaign: Campaign, bob: User, alice: User
) -> None:
    appoint(
        warband_id=reds.pk,
        posts={"leader": fighter_of(reds, "Hector").pk, "banner": fighter_of(reds, "Jill").pk},
        user=bob,
    )
    fight(reds, {"Jack": 3}, dead=("Jill",))
    copied = copy_warband(warband_id=reds.pk, user=alice)
    assert (copied.name, copied.owner, copied.locked) == ("Copy of The Reds", alice, False)
    assert roster_of(copied) == [("Hector", 3, 0), ("Jack", 1, 0)]
    assert posts(copied) == ("Hector", None)
    assert prove(copied) == []


def test_a_copy_of_the_start_has_everybody_who_set_out(
    reds: Warband, campaign: Campaign, bob: User
) -> None:
    fight(reds, dead=("Jill",))
    recruit_fighters(
        warband_id=reds.pk, fighters=[NewFighter({"profile": "recruit"}, name="Late")], user=bob
    )
    copied = copy_warband(warband_id=reds.pk, user=bob, name="Once more", starting=True)
    assert copied.name == "Once more"
    assert [name for name, _, _ in roster_of(copied)] == ["Hector", "Jack", "Jill"]


def test_a_copied_crew_serves_with_the_copied_fighters(
    reds: Warband, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ToyRuleset, "clean_extras", lambda rules, raw, terms: dict(raw))
    jack = str(fighter_of(reds, "Jack").pk)
    furnish_warband(
        warband_id=reds.pk, extras={"guns": [{"gun": "falconet", "crew": [jack]}]}, user=bob
    )
    copied = copy_warband(warband_id=reds.pk, user=bob)
    crew = str(fighter_of(copied, "Jack").pk)
    assert crew != jack
    assert copied.state["extras"] == {"guns": [{"gun": "falconet", "crew": [crew]}]}


def test_copy_needs_a_visible_warband(reds: Warband, bob: User, charlie: User) -> None:
    with pytest.raises(NotFound):
        copy_warband(warband_id=reds.pk, user=charlie)
    show_warband(warband_id=reds.pk, visibility=Visibility.PUBLIC, user=bob)
    assert copy_warband(warband_id=reds.pk, user=charlie).owner == charlie
