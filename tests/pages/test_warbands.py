"""Warbands: created, shown in three views, changed, copied, archived."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from campaigns.models import Campaign
from clubs.models import Club
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.models import Fighter, Warband
from warbands.services.posts import furnish_warband
from warbands.services.warbands import muster_warband, show_warband, write_warband_story

pytestmark = pytest.mark.one_database

NASTY = "<script>alert('muster')</script>"


def test_new_warband_needs_name_and_list(browsers: Clients, bob: User) -> None:
    where = reverse("warbands:muster")
    page = browsers.bob.post(where, {"name": " ", "visibility": "private", "story": "Long ago"})
    assert page.status_code == 400
    assert set(page.context["form"].errors) == {"name", "faction"}
    assert "Long ago" in page.content.decode()


def test_new_warband_leads_to_the_builder(browsers: Clients, bob: User) -> None:
    data = {"name": "Die Neuen", "faction": "en-garde/landsknechts", "visibility": "private"}
    answer = browsers.bob.post(reverse("warbands:muster"), data)
    warband = Warband.objects.get(name="Die Neuen")
    assert answer["Location"] == reverse("warbands:build", args=[warband.pk])
    assert (warband.owner, warband.faction) == (bob, "landsknechts")


def test_every_list_is_offered(browsers: Clients, bob: User) -> None:
    offered = [
        key
        for key, _ in browsers.bob.get(reverse("warbands:muster"))
        .context["form"]
        .fields["faction"]
        .choices
    ]
    assert {"en-garde/landsknechts", "en-garde/aztecs", "en-garde/custom"} <= set(offered)


def test_new_warband_form_groups_lists_by_game(browsers: Clients, bob: User) -> None:
    page = browsers.bob.get(reverse("warbands:muster"))
    games = {name: (len(lists), open_) for name, lists, open_ in page.context["form"].games}
    assert games == {
        "En Garde!": (12, False),
        "Argad!": (1, False),
        "Wards": (1, False),
        "Avant-garde": (8, False),
    }
    assert "<summary>Avant-garde</summary>" in page.content.decode()


def test_new_warband_form_offers_one_game_and_chooses_its_only_list(
    browsers: Clients, bob: User
) -> None:
    page = browsers.bob.get(reverse("warbands:muster"), {"ruleset": "argad"})
    form = page.context["form"]
    assert [value for value, _ in form.fields["faction"].choices] == ["argad/company"]
    assert form["faction"].initial == "argad/company"
    html = page.content.decode()
    assert "Avant-garde</summary>" not in html and "checked" in html


def test_new_warband_leads_back_to_the_campaign(
    browsers: Clients, alice: User, bob: User, club: Club
) -> None:
    campaign = world.campaign_of(club, alice, running=False)
    enrol = reverse("campaigns:enrol", args=[campaign.pk])
    html = browsers.bob.get(enrol).content.decode()
    where = f"{reverse('warbands:muster')}?ruleset=en-garde&limit={campaign.points}&next={enrol}"
    assert where.replace("&", "&amp;") in html
    data = {"name": "Die Neuen", "faction": "en-garde/landsknechts", "visibility": "private"}
    build = browsers.bob.post(where, data)["Location"]
    warband = Warband.objects.get(name="Die Neuen")
    builder = browsers.bob.get(build).content.decode()
    assert f'name="next" value="{enrol}"' in builder
    assert f'min="1" value="{campaign.points}"' in builder, "the campaign's limit is filled in"
    sent = {"add": "landsknechts/oberst", "record": "1", "next": enrol}
    saved = browsers.bob.post(reverse("warbands:build", args=[warband.pk]), sent)
    assert saved["Location"] == f"{enrol}?warband={warband.pk}"


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", "//elsewhere.example", "x"])
def test_new_warband_does_not_lead_to_another_site(
    browsers: Clients, bob: User, elsewhere: str
) -> None:
    data = {"name": "Die Neuen", "faction": "en-garde/landsknechts", "visibility": "private"}
    answer = browsers.bob.post(f"{reverse('warbands:muster')}?next={elsewhere}", data)
    warband = Warband.objects.get(name="Die Neuen")
    assert answer["Location"] == reverse("warbands:build", args=[warband.pk])


@pytest.mark.parametrize("view", ["", "cards", "list", "print", "nonsense"])
def test_every_view_of_a_warband_shows_its_fighters(
    browsers: Clients, haufen: Warband, view: str
) -> None:
    body = browsers.bob.get(
        reverse("warbands:warband", args=[haufen.pk]), {"view": view}
    ).content.decode()
    assert all(name in body for name in ("Hans", "Jörg", "Veit", "Kunz"))


def test_the_dead_stand_folded_in_a_memorial(browsers: Clients, haufen: Warband) -> None:
    veit = named("Veit")
    Fighter.objects.filter(pk=veit.pk).update(fate="dead", state={**veit.state, "fate": "dead"})
    body = browsers.bob.get(reverse("warbands:warband", args=[haufen.pk])).content.decode()
    living, _, memorial = body.partition("<summary>Former members: 1</summary>")
    cards = '<h3 id="fighter-'
    assert (living.count(cards), memorial.count(cards)) == (3, 1)
    assert str(veit.pk) in memorial


def test_points_are_always_shown_and_problems_listed(browsers: Clients, bob: User) -> None:
    odd = world.warband_of(
        bob, "Zwei Obersten", "landsknechts", [("oberst", "Klaus"), ("oberst", "Georg")]
    )
    page = browsers.bob.get(reverse("warbands:warband", args=[odd.pk]))
    assert page.context["page"].points == 66
    assert "Rank 5" in " ".join(problem.sentence for problem in page.context["page"].problems)
    assert page.context["page"].problems[0].sentence in page.content.decode()


def test_what_people_type_is_escaped(browsers: Clients, bob: User, haufen: Warband) -> None:
    browsers.bob.post(
        reverse("warbands:change", args=[haufen.pk]),
        {"name": NASTY, "visibility": "public", "story": NASTY},
    )
    for address in (
        reverse("warbands:warband", args=[haufen.pk]),
        reverse("warbands:chronicle", args=[haufen.pk]),
        reverse("warbands:warbands"),
    ):
        body = browsers.bob.get(address).content.decode()
        assert NASTY not in body and "&lt;script&gt;" in body


def test_name_story_and_openness_change_together(browsers: Clients, haufen: Warband) -> None:
    data = {"name": "Der helle Haufen", "visibility": "public", "story": "Once upon a time"}
    assert browsers.bob.post(reverse("warbands:change", args=[haufen.pk]), data).status_code == 302
    haufen.refresh_from_db()
    assert (haufen.name, haufen.visibility, haufen.story) == tuple(data.values())


def test_the_banner_is_bought_and_paid(browsers: Clients, bob: User) -> None:
    draft = world.landsknechts(bob)
    where = reverse("warbands:furnish", args=[draft.pk])
    sequence = browsers.bob.get(where).context["form"]["sequence"].value()
    assert (
        browsers.bob.post(
            where, {"sequence": sequence, "extras.banner": "on", "extras.ordnance.swivel-gun": "1"}
        ).status_code
        == 302
    )
    draft.refresh_from_db()
    assert draft.state["extras"]["banner"] is True
    assert draft.state["extras"]["ordnance"] == [{"gun": "swivel-gun"}]
    assert draft.points == 67 + 5 + 10


def test_a_roster_in_play_cannot_buy_a_banner(
    browsers: Clients, campaign: Campaign, haufen: Warband
) -> None:
    where = reverse("warbands:furnish", args=[haufen.pk])
    sequence = browsers.bob.get(where).context["form"]["sequence"].value()
    page = browsers.bob.post(where, {"sequence": sequence, "extras.banner": "on"})
    assert page.status_code == 400
    assert "in a campaign" in str(page.context["form"].errors)


def test_leader_and_bearer_are_appointed(browsers: Clients, bob: User, haufen: Warband) -> None:
    data = {"post.leader": str(named("Veit").pk), "post.banner": str(named("Kunz").pk)}
    furnish_warband(warband_id=haufen.pk, extras={"banner": True}, user=bob)
    assert browsers.bob.post(reverse("warbands:posts", args=[haufen.pk]), data).status_code == 302
    haufen.refresh_from_db()
    assert haufen.state["posts"] == {
        "leader": [data["post.leader"]],
        "banner": [data["post.banner"]],
    }


def test_somebody_else_s_fighter_cannot_be_appointed(
    browsers: Clients, haufen: Warband, guards: Warband
) -> None:
    page = browsers.bob.post(
        reverse("warbands:posts", args=[haufen.pk]), {"post.leader": str(named("Jussac").pk)}
    )
    assert page.status_code == 400
    assert "post.leader" in page.context["form"].errors


def test_copy_needs_only_a_visible_warband(
    browsers: Clients, bob: User, charlie: User, haufen: Warband
) -> None:
    show_warband(warband_id=haufen.pk, visibility="public", user=bob)
    answer = browsers.charlie.post(reverse("warbands:copy", args=[haufen.pk]), {"name": "Mine now"})
    copy = Warband.objects.get(name="Mine now")
    assert answer["Location"] == reverse("warbands:warband", args=[copy.pk])
    assert copy.owner == charlie
    assert Fighter.objects.filter(warband=copy).count() == 4


def test_a_kept_warband_is_handed_over_to_a_player_of_the_club(
    browsers: Clients, club: Club, alice: User, bob: User
) -> None:
    kept = muster_warband(
        user=alice, ruleset="en-garde", faction="landsknechts", name="Gaston's", kept=True
    )
    where = reverse("campaigns:hand-over", args=[kept.pk])
    assert where in browsers.alice.get(reverse("warbands:warband", args=[kept.pk])).content.decode()
    assert browsers.bob.get(where).status_code == 404
    mistyped = browsers.alice.post(where, {"player": "charlie"})
    assert mistyped.status_code == 400
    assert "in your clubs" in str(mistyped.context["form"].errors["player"])
    page = browsers.alice.post(where, {"player": "bob"}, follow=True)
    assert [str(message) for message in page.context["messages"]] == [
        "Gaston's transferred to bob."
    ]
    kept.refresh_from_db()
    assert (kept.owner, kept.keeper) == (bob, None)
    shown = browsers.bob.get(reverse("warbands:warband", args=[kept.pk])).content.decode()
    assert "A player without an account, with access until" in " ".join(shown.split())
    assert "bob since then" in shown


def test_warband_is_archived_and_restored(browsers: Clients, bob: User) -> None:
    draft = world.landsknechts(bob)
    where = reverse("warbands:archive", args=[draft.pk])
    browsers.bob.post(where, follow=True)
    assert draft.name not in browsers.bob.get(reverse("warbands:warbands")).content.decode()
    assert (
        draft.name
        in browsers.bob.get(reverse("warbands:warbands"), {"archived": "1"}).content.decode()
    )
    browsers.bob.post(where)
    draft.refresh_from_db()
    assert draft.archived_at is None


def test_archive_refuses_warband_in_campaign(
    browsers: Clients, campaign: Campaign, haufen: Warband
) -> None:
    page = browsers.bob.post(reverse("warbands:archive", args=[haufen.pk]), follow=True)
    haufen.refresh_from_db()
    assert haufen.archived_at is None
    assert [message.level_tag for message in page.context["messages"]] == ["error"]


def test_the_chronicle_tells_everything_in_order(
    browsers: Clients, bob: User, haufen: Warband
) -> None:
    write_warband_story(warband_id=haufen.pk, story="A story is no fact", user=bob)
    lines = browsers.bob.get(reverse("warbands:chronicle", args=[haufen.pk])).context["lines"]
    assert [line.kind for line in lines] == ["appointed", "recruited", "mustered"]


def test_a_list_shows_public_warbands_to_everybody_and_unlisted_ones_to_nobody(
    browsers: Clients, bob: User, haufen: Warband
) -> None:
    for visibility, listed in (("public", True), ("unlisted", False), ("private", False)):
        show_warband(warband_id=haufen.pk, visibility=visibility, user=bob)
        body = browsers.charlie.get(reverse("warbands:warbands")).content.decode()
        assert (haufen.name in body) is listed
