"""Battles of Wards from the plan to the chronicle, its pages and its prints: no points, no ranks,
lost bases."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.services.review import submit_battle
from documents.models import DocumentKind
from rulebook.ruleset import OneStep, RulesError
from tests.battles.war import War
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import text
from tests.rulebook.wards.field import ARMY
from warbands.models import ExperienceEntry, Fighter, Warband
from warbands.roster_rules import affordable
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.services.rank_ups import take_rank_up, undo_rank_up
from warbands.services.verification import prove

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
HOUSE_RULES = {
    "losses_stay": True,
    "refit": True,
    "steadiness": True,
    "levy_wins": 1,
    "retinue_wins": 1,
}
BUILDS: tuple[dict[str, Any], ...] = tuple(ARMY.values())


def war_of(alice: User, **house_rules: Any) -> War:
    """Return a campaign of two armies of Alice's."""
    return War(alice, "wards", ("army", "army"), BUILDS, **house_rules)


@pytest.fixture
def war(alice: User) -> War:
    return war_of(alice)


def test_battles_are_fought_and_confirmed_and_the_chronicle_proves_it(alice: User) -> None:
    war = war_of(alice, **HOUSE_RULES)
    for seed in range(2):
        assert war.fight(seed).state == "confirmed"
    for company in war.companies:
        assert prove(Warband.objects.get(pk=company.pk)) == []
    states = [read_state(Warband.objects.get(pk=each.pk)) for each in war.companies]
    assert any(each.condition.get("lost") for state in states for each in state.fighters.values())
    assert set(Fighter.objects.values_list("points", flat=True)) == {0}


def test_without_house_rules_everybody_is_whole_again_and_nobody_earns_anything(war: War) -> None:
    war.fight(1)
    assert set(Fighter.objects.values_list("experience", "fate")) == {(0, "fit")}
    assert not any(each.condition for each in read_state(war.companies[0]).fighters.values())


def test_steadiness_makes_a_unit_better(alice: User) -> None:
    war = war_of(alice, **HOUSE_RULES)
    war.fight(1)
    states = {each.pk: read_state(Warband.objects.get(pk=each.pk)) for each in war.companies}
    rules = ruleset_of_warband(war.companies[0])
    able = next(
        fighter
        for state in states.values()
        for fighter in state.fighters.values()
        if affordable(rules, state, fighter)
    )
    assert isinstance(rules.progression, OneStep)
    offer = rules.progression.next_step(able.build, next(iter(states.values())).terms)
    assert offer is not None
    key, step = offer
    take_rank_up(fighter_id=UUID(able.id), step=key, user=alice)
    after = [read_state(Warband.objects.get(pk=each.pk)).fighters for each in war.companies]
    assert next(each[able.id] for each in after if able.id in each).build["quality"] == key
    assert (
        ExperienceEntry.objects.get(fighter_id=UUID(able.id), code="rank-up").sentence == step.name
    )


def test_undone_household_step_does_not_count(
    alice: User,
) -> None:
    war = war_of(alice, **HOUSE_RULES)
    battle, army = war.start(), war.companies[0]
    kinds = ((each.build, each.id) for each in read_state(army).fighters.values())
    households = {
        (build["quality"], build["bases"]): key for build, key in kinds if build["place"] == "front"
    }
    bills, shots = households["retinue", 3], households["retinue", 2]
    war.log(
        battle,
        ("loss", {"fighter": bills, "won": 1}),
        ("loss", {"fighter": shots, "won": 1}),
        ("ended", {}),
    )
    submit_battle(battle_id=battle.pk, user=alice)

    def able() -> list[str]:
        state = read_state(Warband.objects.get(pk=army.pk))
        every = state.fighters.values()
        return sorted(
            str(each.build["quality"])
            for each in every
            if affordable(ruleset_of_warband(army), state, each)
        )

    assert able() == ["levy", "retinue", "retinue"]
    take_rank_up(fighter_id=UUID(bills), step="household", user=alice)
    assert able() == ["levy"]
    with pytest.raises(RulesError) as refused:
        take_rank_up(fighter_id=UUID(shots), step="household", user=alice)
    assert [each.code for each in refused.value.problems] == ["household-steps"]
    undo_rank_up(fighter_id=UUID(bills), user=alice)
    assert able() == ["levy", "retinue", "retinue"]
    take_rank_up(fighter_id=UUID(shots), step="household", user=alice)
    assert prove(Warband.objects.get(pk=army.pk)) == []
    war.fight(3)
    assert read_state(Warband.objects.get(pk=army.pk)).risen == {}


def test_every_page_of_an_army_and_of_its_battles_opens(war: War, client: Client) -> None:
    done, open_one = war.fight(1), war.start()
    client.force_login(war.alice)
    company = war.companies[0]
    arms = {each.build["arm"]: each.id for each in read_state(company).fighters.values()}
    fighter, general = (Fighter.objects.get(pk=arms[each]) for each in ("foot", "general"))
    side = open_one.sides.get(warband=company).key
    war.log(open_one, ("turn", {"side": side}), ("move", {"ward": f"{side}/Van"}))
    pages = [
        reverse("warbands:warband", args=[company.pk]),
        reverse("warbands:build", args=[company.pk]),
        reverse("warbands:recruit", args=[company.pk, "army", "unit"]),
        reverse("warbands:chronicle", args=[company.pk]),
        reverse("warbands:fighter", args=[fighter.pk]),
        reverse("warbands:fighter", args=[general.pk]),
        reverse("warbands:equip", args=[fighter.pk]),
        reverse("reference:rules", args=["wards"]),
        reverse("reference:ask", args=["wards", "fight"]),
        reverse("battles:battle", args=[done.pk]),
        reverse("battles:table", args=[open_one.pk]),
        reverse("battles:table", args=[open_one.pk]) + "?do=fight",
        reverse("battles:table", args=[open_one.pk]) + f"?who={general.pk}&do=general",
        reverse("battles:sheet", args=[open_one.pk]),
        reverse("battles:review", args=[open_one.pk]),
        reverse("battles:dice", args=[open_one.pk]),
        reverse("battles:odds-in-battle", args=[open_one.pk]),
        reverse("leagues:campaign", args=[war.campaign.pk]),
    ]
    for page in pages:
        assert client.get(page).status_code == 200, page


@pytest.mark.parametrize(
    "kind", [DocumentKind.ROSTER, DocumentKind.BATTLE, DocumentKind.CAMPAIGN, DocumentKind.CAREER]
)
def test_everything_is_printed_and_speaks_neither_of_ranks_nor_of_people(
    war: War, kind: DocumentKind
) -> None:
    battle = war.fight(1)
    veteran = Fighter.objects.filter(fate="fit")[0]
    subjects = {
        DocumentKind.ROSTER: war.companies[0].pk,
        DocumentKind.BATTLE: battle.pk,
        DocumentKind.CAMPAIGN: war.campaign.pk,
        DocumentKind.CAREER: veteran.pk,
    }
    document = made(ask(war.alice, kind, subjects[kind]))
    assert (document.state, document.failure) == ("ready", "")
    with document.file.open("rb") as file:
        printed = text(file.read())
    assert re.findall("Rank|[Hh]urt|wound|dead", printed) == []


def test_nobody_is_asked_to_roll_a_table_that_the_sheet_does_not_lay_out(
    war: War, client: Client
) -> None:
    battle = war.start()
    client.force_login(war.alice)
    plan = reverse("leagues:plan") + f"?campaign={war.campaign.pk}&scenario=battle"
    for page in (plan, reverse("battles:battle", args=[battle.pk])):
        text = client.get(page).content.decode()
        assert "Roll" not in text
        assert "no setup" not in text


def test_who_may_take_the_field_stands_ward_by_ward(war: War, client: Client) -> None:
    battle = war.start()
    client.force_login(war.alice)
    side = battle.sides.get(warband=war.companies[0])
    page = client.get(reverse("battles:field", args=[battle.pk, side.key])).content.decode()
    groups = ruleset_of_warband(war.companies[0]).groups(read_state(war.companies[0]).roster)
    names = {str(row.pk): row.name for row in Fighter.objects.filter(warband=war.companies[0])}
    expected = [
        text
        for group in groups
        for text in (f">{group.name}</h2>", *(names[fighter] for fighter in group.fighters))
    ]
    places = [page.index(text) for text in expected]
    assert len(groups) > 1
    assert places == sorted(places)


def table_of(war: War, client: Client, *events: tuple[str, dict[str, Any]]) -> str:
    """Return the path of the live log of a battle in the first side's first turn."""
    battle = war.start()
    client.force_login(war.alice)
    war.log(battle, ("turn", {"side": "a"}), *events)
    return reverse("battles:table", args=[battle.pk])


def links_of(page: str) -> set[str]:
    """Return the queries of the page's links to fighters and actions."""
    return {unescape(query).partition("#")[0] for query in re.findall(r'href="(\?[^"]+)"', page)}


def test_every_action_of_a_turn_is_reached_by_links_from_the_table(
    war: War, client: Client
) -> None:
    table = table_of(war, client)
    first = links_of(client.get(table).content.decode())
    assert "?who=a%2FVan" in first
    reached = set(first)
    for tapped in sorted(link for link in first if link.startswith("?who=") and "&do=" not in link):
        reached |= links_of(client.get(table + tapped).content.decode())
    kinds = {parse_qs(link[1:])["do"][0] for link in reached if "do=" in link}
    assert kinds >= {
        *(
            "general",
            "morale",
            "charge",
            "fall-back",
            "pull-in",
            "shoot",
            "gun",
            "hand-gunners",
            "move",
            "gun-move",
        ),
        *(
            "fight",
            "arrows",
            "order",
            "wards",
            "loading",
            "arrivals",
            "clock",
            "turn",
            "loss",
            "note",
            "ended",
        ),
    }


def test_a_ward_that_is_tapped_shows_what_it_does_and_its_forms_name_enemies(
    war: War, client: Client
) -> None:
    table = table_of(war, client)
    page = client.get(f"{table}?who=a%2FVan").content.decode()
    assert page.index("2. Morale") < page.index("5. Shooting") < page.index("7. Fights")
    response = client.get(f"{table}?who=a%2FVan&do=shoot")
    form = response.content.decode()
    assert 'value="b/Van"' in form
    assert 'value="a/Van"' not in form
    sent = {
        "client_id": str(uuid4()),
        "version": response.context["page"].version,
        "target": "b/Van",
        "mode": "normal",
    }
    answer = client.post(f"{table}?who=a%2FVan&do=shoot", sent)
    assert answer.status_code == 302, answer.content.decode()
    assert "Van (" in client.get(answer["Location"]).content.decode()


def test_the_bar_leads_from_step_to_step_by_a_tap(war: War, client: Client) -> None:
    table = table_of(war, client)
    steps = []
    for _ in range(12):
        page = client.get(table)
        first = page.context["page"].prompts.first
        steps.append(
            (first.do, next(each.name for each in page.context["page"].table.phases if each.now))
        )
        sent = {"client_id": str(uuid4()), "version": page.context["page"].version}
        answer = client.post(
            f"{table}?do={first.do}" + (f"&who={first.who}" if first.who else ""), sent
        )
        assert answer.status_code == 302, answer.content.decode()
    assert [name for do, name in steps if do == "step"][:3] == [
        "1. Generals act",
        "2. Morale",
        "3. Cavalry",
    ]
    assert ("clock", "1. Generals act") not in steps
    assert "order" in {do for do, _ in steps}


def test_a_form_that_is_filled_in_by_hand_chooses_among_wards(war: War, client: Client) -> None:
    battle = war.start()
    client.force_login(war.alice)
    war.log(battle, ("turn", {"side": "a"}))
    page = client.get(reverse("battles:by-hand", args=[battle.pk])).content.decode()
    form = page.partition('id="kind-shoot"')[2].partition("</form>")[0]
    chosen = {*re.findall('<input type="radio" name="ward" value="([^"]+)"', form)}
    assert {"a/Van", "a/Rearguard", "a/Cavalry", "b/Van"} <= chosen


def test_actions_without_fighter_have_own_heading(war: War, client: Client) -> None:
    page = client.get(table_of(war, client)).context["page"]
    offers = {offer.who: [each.key for each in offer.actions] for offer in page.offers}
    assert offers[""] == ["arrows", "order", "wards", "clock", "turn"]
    assert offers["a"] == ["arrivals", "turn"]


def test_the_tile_for_a_draw_says_nobody(war: War, client: Client) -> None:
    page = client.get(table_of(war, client) + "?do=ended").content.decode()
    form = page.partition('id="action"')[2].partition("</form>")[0]
    assert re.findall('name="winner" value=""[^>]*><span>([^<]+)<', form) == ["Nobody"]
    assert "None of these" not in form


def test_a_unit_that_was_destroyed_is_fit_again_where_losses_do_not_stay(
    war: War, client: Client
) -> None:
    battle = war.start()
    client.force_login(war.alice)
    lost = battle.sides.get(key="a").combatants.order_by("place")[3]
    war.log(battle, ("loss", {"fighter": str(lost.fighter_id), "gone": "destroyed"}), ("ended", {}))
    page = client.get(reverse("battles:review", args=[battle.pk])).content.decode()
    row = page.partition(f'<th scope="row">{lost.name}')[2].partition("</tr>")[0]
    assert "Destroyed" in row
    assert re.findall(r"fit\b[^<]*", row) == ["fit again\n      "]
