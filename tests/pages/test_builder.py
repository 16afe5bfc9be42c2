"""The builder of a roster: a draft is changed button by button, and recorded at the end."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import CampaignTerms, Roster
from tests.conftest import browser_of
from tests.pages.conftest import Clients
from warbands.models import Fighter, RosterDraft, RosterTemplate, Warband
from warbands.rulebook_values import read_state
from warbands.selectors.draft_page import DraftFighter, DraftPage, read_draft
from warbands.services.warbands import muster_warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


@pytest.fixture
def helle(bob: User) -> Warband:
    """Return Bob's warband without fighters."""
    return muster_warband(
        user=bob, ruleset="en-garde", faction="landsknechts", name="Der helle Haufen"
    )


@pytest.fixture
def address(helle: Warband) -> str:
    return f"/warbands/{helle.pk}/build/"


def page_of(warband: Warband) -> DraftPage:
    return read_draft(Warband.objects.get(pk=warband.pk))


def everybody(warband: Warband) -> list[DraftFighter]:
    return [*page_of(warband).everybody]


def test_a_roster_is_drafted_and_recorded_without_javascript(
    browsers: Clients, helle: Warband, address: str
) -> None:
    def press(**sent: Any) -> Any:
        return browsers.bob.post(address, sent)

    assert press(limit="300", add="landsknechts/oberst").status_code == 302
    (oberst,) = everybody(helle)
    assert (oberst.name, oberst.joins, page_of(helle).limit) == ("Oberst 1", True, 300)
    press(appoint=f"leader:{oberst.id}", **{f"name.{oberst.id}": "Veit Nagel"})
    answer = browsers.bob.post(address, {"fill": "1"}, follow=True).content.decode()
    page = page_of(helle)
    assert re.search(r"Added .*Landsknecht.*: 2\d\d points\.", answer)
    assert (page.points, page.problems, page.forbidden) == (300, (), False)
    press(names="1")
    drafted = everybody(helle)
    assert len({each.name for each in drafted}) == len(drafted) and all(
        each.named for each in drafted
    )
    assert not Fighter.objects.filter(warband=helle).exists(), (
        "nothing is recorded before it is said"
    )
    answer = press(record="1")
    assert answer.headers["Location"] == f"/warbands/{helle.pk}/"
    helle.refresh_from_db()
    assert (helle.points, helle.sequence) == (300, 3), "mustered, recruited, appointed"
    assert helle.state["posts"] == {"leader": [oberst.id]}
    assert {row.name for row in helle.fighters.all()} == {each.name for each in drafted}
    assert page_of(helle).changes == 0


def test_a_fragment_shows_kit_in_place_and_the_sum_at_once(
    browsers: Clients, helle: Warband, address: str
) -> None:
    def press(sent: dict[str, Any], status: int = 200) -> str:
        answer = browsers.bob.post(address, sent, headers={"HX-Request": "true"})
        assert answer.status_code == status
        html = answer.content.decode()
        assert "<html" not in html and 'id="drafted"' in html and 'id="builder-bar"' in html
        return html

    press({"add": "landsknechts/doppelsoldner"})
    (first,) = everybody(helle)
    assert "Instead of pike" in browsers.bob.get(f"{address}?open={first.id}").content.decode()
    press({"kit": first.id, "open": first.id, "build.options.exchange-pike": "halberd"})
    html = press({"copy": first.id})
    assert re.search(r'sum-total">\s*46', html), "twice 23"
    press({"kit": first.id, "open": first.id, "build.options.exchange-pike": "crossbow"})
    assert [len(lot.fighters) for lot in page_of(helle).sections[0].lots] == [1, 1], (
        "one of two has another kit now"
    )
    chosen = [each.id for each in everybody(helle)]
    html = press({"give": "options.exchange-pike=matchlock", "give_chosen": "1", "chosen": chosen})
    assert "Added to 2." in html
    assert [len(lot.fighters) for lot in page_of(helle).sections[0].lots] == [2]
    press({"fewer": first.id})
    assert [each.id for each in everybody(helle)] == [first.id], "the last one goes first"
    press({"undo": "1"})
    assert len(everybody(helle)) == 2
    three = {
        "build.options.attributes": ["agile", "tough", "dodge"],
        "kit": first.id,
        "open": first.id,
    }
    assert 'role="alert"' in press(three, 400)


def test_a_change_sent_twice_counts_once_and_a_lost_race_shows_the_draft(
    browsers: Clients, helle: Warband, address: str
) -> None:
    assert 'id="send-again"' in browsers.bob.get(address).content.decode()
    sent = {"add": "landsknechts/landsknecht", "client_id": "11111111-1111-4111-8111-111111111111"}
    answers = [browsers.bob.post(address, sent, headers={"HX-Request": "true"}) for _ in range(2)]
    assert len(everybody(helle)) == 1
    assert [len([*answer.context["page"].everybody]) for answer in answers] == [1, 1], (
        "what was lost comes anew"
    )
    version = page_of(helle).version
    browsers.bob.post(address, {"add": "landsknechts/landsknecht", "version": version - 1})
    assert len(everybody(helle)) == 2, "one more is one more, whatever else has changed"
    for button in ("record", "fill", "undo", "discard"):
        late = browsers.bob.post(address, {button: "1", "version": version, "limit": ""})
        assert late.status_code == 409
        assert "Check the current version below" in late.content.decode()
    assert not Fighter.objects.filter(warband=helle).exists()
    last = {
        "record": "1",
        "version": page_of(helle).version,
        "client_id": "22222222-1111-4111-8111-111111111111",
    }
    assert [browsers.bob.post(address, last).status_code for _ in range(2)] == [302, 302], (
        "recorded once"
    )
    assert Fighter.objects.filter(warband=helle).count() == 2


def test_templates_start_another_roster(
    browsers: Clients, bob: User, helle: Warband, address: str
) -> None:
    for profile in ("hauptmann", "landsknecht"):
        browsers.bob.post(address, {"add": f"landsknechts/{profile}"})
    captain, gunner = everybody(helle)
    bought = {"extras-shown": "1", "extras.banner": "true", "extras.ordnance.swivel-gun": "1"}
    browsers.bob.post(address, {"appoint": f"leader:{captain.id}", **bought})
    assert (
        f'name="extras.crews.swivel-gun:1" value="{gunner.id}"'
        in browsers.bob.get(address).content.decode()
    )
    browsers.bob.post(address, {**bought, "extras.crews.swivel-gun:1": [gunner.id]})
    assert page_of(helle).extras["ordnance"] == [{"gun": "swivel-gun", "crew": [gunner.id]}]
    browsers.bob.post(address, {"save_template": "1", "template_name": "Core"})
    template = RosterTemplate.objects.get(owner=bob)
    assert (template.name, template.points) == ("Core", page_of(helle).points)
    other = muster_warband(user=bob, ruleset="en-garde", faction="landsknechts", name="Another")
    where = f"/warbands/{other.pk}/build/"
    assert "Core, " in browsers.bob.get(where).content.decode()
    browsers.bob.post(where, {"use_template": "1", "template": template.pk})
    drafted = page_of(other)
    assert [each.profile_name for each in drafted.everybody] == ["Hauptmann", "Landsknecht"]
    captain, gunner = drafted.everybody
    assert captain.posts == ("leader",) and drafted.extras["banner"] is True
    assert drafted.extras["ordnance"] == [{"gun": "swivel-gun", "crew": [gunner.id]}], (
        "the crew is its own"
    )
    elsewhere = muster_warband(user=bob, ruleset="en-garde", faction="aztecs", name="Far away")
    assert (
        browsers.bob.post(
            f"/warbands/{elsewhere.pk}/build/", {"use_template": "1", "template": template.pk}
        ).status_code
        == 400
    )
    assert browsers.alice.post(f"/templates/{template.pk}/delete/").status_code == 404
    browsers.bob.post(f"/templates/{template.pk}/delete/")
    assert not RosterTemplate.objects.exists()


def test_what_is_there_already_can_be_changed_until_the_roster_is_in_play(
    browsers: Clients, helle: Warband, address: str
) -> None:
    for _ in range(3):
        browsers.bob.post(address, {"add": "landsknechts/landsknecht"})
    browsers.bob.post(address, {"record": "1"})
    first, second, third = everybody(helle)
    assert not any(each.joins for each in (first, second, third))
    browsers.bob.post(address, {f"name.{first.id}": "Jörg", "remove": third.id})
    browsers.bob.post(
        address, {"kit": second.id, "open": second.id, "build.options.exchange-pike": "matchlock"}
    )
    assert page_of(helle).changes == 3
    assert Fighter.objects.filter(warband=helle).count() == 3
    browsers.bob.post(address, {"record": "1"})
    rows = Fighter.objects.filter(warband=helle).order_by("place")
    assert [(row.name, row.points) for row in rows] == [("Jörg", 15), (second.name, 16)]
    assert not RosterDraft.objects.get(warband=helle).undo


def test_in_play_recruits_are_judged_and_veterans_stay_as_they_are(
    browsers: Clients, campaign: Any, guards: Warband
) -> None:
    address = f"/warbands/{guards.pk}/build/"
    veteran = everybody(guards)[0]
    assert not veteran.open
    refused = browsers.alice.post(address, {"remove": veteran.id})
    assert refused.status_code == 400
    browsers.alice.post(address, {"add": "cardinals-guard/ruffian"})
    assert page_of(guards).joining == 1
    browsers.alice.post(address, {"discard": "1"})
    assert page_of(guards).joining == 0


LISTS = {"en-garde": "landsknechts", "avant-garde": "france"}
"""Lists of many kinds of fighters; of any other system the first one."""
SYSTEMS = [
    (each.key, LISTS.get(each.key, each.catalogue({})["factions"][0]["key"])) for each in rulesets()
]


@pytest.mark.parametrize(("ruleset", "faction"), SYSTEMS)
def test_every_rule_system_is_built_on_the_same_page(
    ruleset: str, faction: str, bob: User, client: Client
) -> None:
    warband = muster_warband(user=bob, ruleset=ruleset, faction=faction, name="Of all kinds")
    client, address = browser_of(bob), f"/warbands/{warband.pk}/build/"
    html = client.get(address).content.decode()
    offers = re.findall(r'name="add" value="([^"]+)"', html)
    for value in offers:
        client.post(address, {"add": value})
    first = everybody(warband)[0]
    client.post(address, {"copy": first.id})
    html = client.get(f"{address}?open={first.id}").content.decode()
    assert html.count('name="kit"') == 1
    client.post(address, {"names": "1"})
    drafted = everybody(warband)
    assert len(drafted) == len(offers) + 1 and all(each.named for each in drafted)
    if page_of(warband).posts:
        post = page_of(warband).posts[0]
        client.post(address, {"appoint": f"{post.key}:{post.able[0]}"})
        assert page_of(warband).posts[0].key in {
            held for each in everybody(warband) for held in each.posts
        }
    if field := re.search(r'name="group_field" value="(\w+)"', html):
        chosen = {
            "chosen": [each.id for each in drafted],
            "group_field": field[1],
            "group": "Left",
            "group_chosen": "1",
        }
        client.post(address, chosen)
        assert "Left" in {
            section.group.name for section in page_of(warband).sections if section.group
        }
    assert client.post(address, {"record": "1"}).status_code == 302
    assert warband.fighters.count() == len(drafted)
    rules = newest_ruleset(ruleset)
    can = rules.points.counted or rules.fill_choices(Roster(CampaignTerms(faction), ())) is not None
    assert ('name="fill"' in html) is can


@pytest.mark.parametrize(
    ("ruleset", "faction", "limit", "label"),
    [
        ("argad", "company", 8, "Number of characters"),
        ("wards", "army", 9, "Number of units"),
        ("avant-garde", "france", 1000, "Points limit"),
        ("en-garde", "border-reivers", 300, "Points limit"),
    ],
)
def test_autofilled_roster_is_saved_with_its_leaders(
    browsers: Clients, bob: User, ruleset: str, faction: str, limit: int, label: str
) -> None:
    warband = muster_warband(user=bob, ruleset=ruleset, faction=faction, name="Filled")
    where = reverse("warbands:build", args=[warband.pk])
    assert label in browsers.bob.get(where).content.decode()
    browsers.bob.post(where, {"fill": "1", "limit": str(limit)})
    assert page_of(warband).problems == ()
    browsers.bob.post(where, {"record": "1"})
    warband.refresh_from_db()
    state = read_state(warband)
    assert state.roster.fighters
    needed = {each.key for each in newest_ruleset(ruleset).posts(state.terms) if each.least}
    assert needed <= state.posts.keys()


def test_ready_builds_show_what_they_are(browsers: Clients, bob: User) -> None:
    warband = muster_warband(user=bob, ruleset="wards", faction="army", name="The Army")
    html = browsers.bob.get(reverse("warbands:build", args=[warband.pk])).content.decode()
    offers = html.partition('class="offers"')[2].partition("</ul>")[0]
    assert re.search(r"General\s*<small>Save 2\+", offers)
    assert re.search(r"Household\s*<small>Bases 4", offers)


def test_many_of_a_ready_build_join_at_once_and_into_a_group(browsers: Clients, bob: User) -> None:
    warband = muster_warband(user=bob, ruleset="avant-garde", faction="france", name="The Division")
    where = reverse("warbands:build", args=[warband.pk])
    page = browsers.bob.get(where)
    html = page.content.decode()
    assert "Line infantry" in html and 'value="france/infantry/line"' in html and "Brigade" in html
    sent = {"add": "france/infantry/line", "many": "3", "into": " 1st  Brigade "}
    answer = browsers.bob.post(where, sent)
    assert answer.status_code == 302 and "many=3" in answer["Location"], (
        "without a script the count stays too"
    )
    assert browsers.bob.get(answer["Location"]).context["many"] == 3
    browsers.bob.post(where, {"add": "france/commander/chief", "many": "1", "into": "1st Brigade"})
    drafted = [*read_draft(warband).everybody]
    assert sorted(each.group for each in drafted) == [
        "",
        "1st Brigade",
        "1st Brigade",
        "1st Brigade",
    ]
    assert len(drafted) == 4


@pytest.mark.parametrize("many", ["0", "-3", "lots", "99999999999"])
def test_an_odd_number_at_once_is_one_or_the_most(browsers: Clients, bob: User, many: str) -> None:
    warband = muster_warband(user=bob, ruleset="argad", faction="company", name="The Pikes")
    where = reverse("warbands:build", args=[warband.pk])
    assert (
        browsers.bob.post(where, {"add": "company/character/pikeman", "many": many}).status_code
        == 302
    )
    assert len([*read_draft(warband).everybody]) == 1
