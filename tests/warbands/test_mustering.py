"""Warbands are created, renamed, shown, archived and transferred; they and fighters have stories."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from campaigns.models import Campaign
from campaigns.services.hand_overs import hand_over_warband
from clubs.models import Club
from core.errors import Forbidden, InvalidInput, NotFound
from core.users import Visibility
from rulebook.ruleset import RulesError
from tests.warbands.conftest import Enrol, fighter_of
from warbands.models import ChronicleEntry, Warband
from warbands.services.roster import write_fighter_story
from warbands.services.verification import prove
from warbands.services.warbands import (
    archive_warband,
    muster_warband,
    rename_warband,
    show_warband,
    write_warband_story,
)


def muster(user: User, **changes: Any) -> Warband:
    arguments: dict[str, Any] = {"ruleset": "toy", "faction": "reds", "name": "The Reds"}
    return muster_warband(user=user, **arguments | changes)


def test_a_warband_starts_with_one_fact_and_is_its_owners(bob: User) -> None:
    warband = muster(bob, name="  The   Reds ", story="From the north.")
    assert (warband.name, warband.owner, warband.keeper) == ("The Reds", bob, None)
    assert (warband.edition, warband.faction, warband.visibility) == ("1", "reds", "private")
    assert [entry.kind for entry in warband.chronicle.all()] == ["mustered"]
    assert prove(warband) == []


def test_what_a_warband_buys_counts_in_its_points(bob: User) -> None:
    warband = muster_warband(
        user=bob, ruleset="toy", faction="reds", name="Reds", extras={"banner": True}
    )
    assert (warband.points, warband.state["extras"]) == (5, {"banner": True})


def test_an_organiser_keeps_the_warband_of_a_player_without_an_account(alice: User) -> None:
    warband = muster_warband(user=alice, ruleset="toy", faction="reds", name="Reds", kept=True)
    assert (warband.owner, warband.keeper) == (None, alice)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ruleset": "chess"}, "unknown-ruleset"),
        ({"faction": "greens"}, "unknown-list"),
        ({"extras": {"cannon": True}}, "unknown-extra"),
    ],
)
def test_what_the_rules_do_not_know_is_refused(
    bob: User, changes: dict[str, str], code: str
) -> None:
    with pytest.raises(RulesError) as refusal:
        muster(bob, **changes)
    assert refusal.value.problems[0].code == code
    assert not Warband.objects.exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": " "}, "too-short"),
        ({"name": "x" * 101}, "too-long"),
        ({"name": "nul\0"}, "unstorable-text"),
        ({"name": "half \ud83d"}, "unstorable-text"),
        ({"story": "x" * 20_001}, "too-long"),
        ({"visibility": "secret"}, "unknown-choice"),
        ({"extras": {"banner": "\0"}}, "unstorable-json"),
    ],
)
def test_what_cannot_be_stored_is_refused_and_nothing_is_left(
    bob: User, changes: dict[str, str], code: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        muster(bob, **changes)
    assert refusal.value.code == code
    assert not Warband.objects.exists()
    assert not ChronicleEntry.objects.exists()


def test_a_new_name_is_a_fact_and_the_same_name_is_none(reds: Warband, bob: User) -> None:
    rename_warband(warband_id=reds.pk, name="The Scarlets", user=bob)
    rename_warband(warband_id=reds.pk, name="The Scarlets", user=bob)
    reds.refresh_from_db()
    assert reds.name == "The Scarlets"
    assert reds.chronicle.filter(kind="renamed").count() == 1


def test_a_stranger_does_not_find_the_warband_and_a_reader_may_not_touch_it(
    reds: Warband, campaign: Campaign, charlie: User, dora: User, alice: User
) -> None:
    with pytest.raises(NotFound):
        rename_warband(warband_id=reds.pk, name="Mine", user=charlie)
    with pytest.raises(Forbidden):
        rename_warband(warband_id=reds.pk, name="Mine", user=dora)
    with pytest.raises(NotFound):
        rename_warband(warband_id=uuid4(), name="Mine", user=alice)
    rename_warband(warband_id=reds.pk, name="Alice may", user=alice)


def test_a_public_warband_is_seen_but_not_touched(reds: Warband, bob: User, charlie: User) -> None:
    show_warband(warband_id=reds.pk, visibility=Visibility.PUBLIC, user=bob)
    assert Warband.objects.visible_to(charlie).filter(pk=reds.pk).exists()
    with pytest.raises(Forbidden):
        show_warband(warband_id=reds.pk, visibility=Visibility.PRIVATE, user=charlie)


def test_nothing_changes_in_the_archive_until_it_is_fetched_back(reds: Warband, bob: User) -> None:
    archive_warband(warband_id=reds.pk, user=bob)
    archive_warband(warband_id=reds.pk, user=bob)
    with pytest.raises(InvalidInput, match="archive"):
        rename_warband(warband_id=reds.pk, name="Ghosts", user=bob)
    archive_warband(warband_id=reds.pk, user=bob, archived=False)
    rename_warband(warband_id=reds.pk, name="Alive", user=bob)


def test_a_warband_in_a_campaign_is_not_archived(
    reds: Warband, campaign: Campaign, bob: User
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        archive_warband(warband_id=reds.pk, user=bob)
    assert refusal.value.code == "in-campaign"


def test_a_kept_warband_is_handed_over_once(club: Club, alice: User, bob: User) -> None:
    warband = muster_warband(user=alice, ruleset="toy", faction="reds", name="Reds", kept=True)
    done = hand_over_warband(warband_id=warband.pk, player="bob", user=alice)
    assert (done.receiver, done.state) == (bob, "done")
    assert hand_over_warband(warband_id=warband.pk, player="bob", user=alice) == done
    warband.refresh_from_db()
    assert (warband.owner, warband.keeper) == (bob, None)


@pytest.mark.parametrize("player", ["charlie", "nobody", "", "b\0b"])
def test_a_warband_is_handed_over_within_one_s_clubs_and_tells_nothing_of_others(
    club: Club, alice: User, charlie: User, player: str
) -> None:
    warband = muster_warband(user=alice, ruleset="toy", faction="reds", name="Reds", kept=True)
    with pytest.raises(InvalidInput) as refusal:
        hand_over_warband(warband_id=warband.pk, player=player, user=alice)
    assert refusal.value.code == "unknown-player"


def test_a_kept_warband_in_a_campaign_goes_to_another_player(
    club: Club, enrol: Enrol, alice: User, bob: User
) -> None:
    warband = muster_warband(user=alice, ruleset="toy", faction="reds", name="Reds", kept=True)
    enrol(warband)
    hand_over_warband(warband_id=warband.pk, player="bob", user=alice)
    warband.refresh_from_db()
    assert (warband.owner, warband.keeper) == (bob, None)
    assert warband.enrolments.get().player.user == bob


def test_stories_of_warbands_and_fighters_are_saved(
    reds: Warband, bob: User, charlie: User
) -> None:
    jack = fighter_of(reds, "Jack")
    write_warband_story(warband_id=reds.pk, story="They came\nat dawn.", user=bob)
    write_fighter_story(fighter_id=jack.pk, story="A cooper's son.", user=bob)
    reds.refresh_from_db()
    jack.refresh_from_db()
    assert (reds.story, jack.story) == ("They came\nat dawn.", "A cooper's son.")
    with pytest.raises(NotFound):
        write_fighter_story(fighter_id=jack.pk, story="Mine.", user=charlie)
    with pytest.raises(NotFound):
        write_fighter_story(fighter_id=uuid4(), story="Mine.", user=bob)
