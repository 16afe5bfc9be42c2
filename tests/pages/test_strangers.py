"""The site for strangers: what Muster does, a public campaign as an example, and its hidden parts."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse

from battles.models import Battle
from campaigns.models import Campaign
from campaigns.services.campaigns import edit_campaign
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.models import Warband

pytestmark = pytest.mark.one_database


def opened(campaign: Campaign, organiser: User) -> Campaign:
    """Return the campaign, made public by its organiser."""
    version = Campaign.objects.get(pk=campaign.pk).version
    return edit_campaign(
        campaign_id=campaign.pk, version=version, user=organiser, visibility="public"
    )


def test_landing_page_shows_each_job_with_picture(browsers: Clients, db: None) -> None:
    body = browsers.nobody.get("/").content.decode()
    jobs = ("Run the season", "Build a warband", "Record battles on your phone")
    for job in (*jobs, "Print your campaign"):
        assert f"<h2>{job}</h2>" in body
    assert (
        body.count('<img src="/static/site/pictures/')
        == 4
        == body.count('alt="')
        == body.count('loading="lazy"')
    )
    assert reverse("leagues:campaigns") in body
    german = browsers.nobody.get("/", headers={"Accept-Language": "de"}).content.decode()
    assert german.count('<img src="/static/site/pictures/') == 4 == german.count("-de.webp")


def test_public_campaign_shows_how_to_start_one(
    browsers: Clients, campaign: Campaign, alice: User
) -> None:
    opened(campaign, alice)
    where, start = reverse("leagues:campaign", args=[campaign.pk]), 'href="/#start"'
    assert start in browsers.nobody.get(where).content.decode()
    assert start not in browsers.alice.get(where).content.decode()
    front = browsers.nobody.get("/").content.decode()
    assert 'id="start"' in front and reverse("account_signup") in front


def test_an_example_is_chosen_among_public_campaigns_alone(
    browsers: Clients, campaign: Campaign, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    where = reverse("leagues:campaign", args=[campaign.pk])
    with pytest.raises(CommandError, match="not public"):
        call_command("example_campaign", str(campaign.pk))
    with pytest.raises(CommandError, match="Campaign not found"):
        call_command("example_campaign", str(uuid4()))
    assert where not in browsers.nobody.get("/").content.decode()
    other = opened(world.campaign_of(campaign.club, alice, running=False, name="Another"), alice)
    call_command("example_campaign", str(other.pk))
    opened(campaign, alice)
    call_command("example_campaign", str(campaign.pk))
    assert "The Long Summer" in capsys.readouterr().out
    assert where in browsers.nobody.get("/").content.decode()
    Campaign.objects.filter(pk=campaign.pk).update(visibility="private")
    assert where not in browsers.nobody.get("/").content.decode(), (
        "closed again, it is shown no more"
    )
    call_command("example_campaign", "--none")
    assert (
        "shows none" in capsys.readouterr().out
        and not Campaign.objects.filter(example=True).exists()
    )


def test_a_stranger_reads_a_public_campaign_and_nothing_that_is_not_of_it(
    browsers: Clients, confirmed: Battle, campaign: Campaign, alice: User, haufen: Warband
) -> None:
    User.objects.filter(username="bob").update(email="bob@private.example")
    User.objects.filter(username="alice").update(email="alice@private.example")
    planned = world.planned_battle(
        alice, campaign, *Warband.objects.order_by("name"), title="Before the storm"
    )
    closed = world.campaign_of(campaign.club, alice, running=False, name="The Closed Door")
    opened(campaign, alice)
    html = ""
    for name in ("leagues:campaign", "leagues:warbands", "leagues:log", "leagues:standings",
                 "leagues:honours", "leagues:settings", "battles:campaign", "leagues:fixtures"):  # fmt: skip
        page = browsers.nobody.get(reverse(name, args=[campaign.pk]))
        assert page.status_code == 200, name
        html += page.content.decode()
    for battle in (confirmed, planned):
        page = browsers.nobody.get(reverse("battles:battle", args=[battle.pk]))
        assert page.status_code == 200
        html += page.content.decode()
    assert "Der schwarze Haufen" in html and "Compagnie du Cardinal" in html
    assert "private.example" not in html and "The Closed Door" not in html
    addresses = {reverse("theme"), reverse("home:speak"), reverse("account_login")}
    posted = {piece.partition('"')[0] for piece in html.split('method="post" action="')[1:]}
    assert posted <= addresses, "the only forms are those of the frame"
    assert f'href="{reverse("home:club", args=[campaign.club_id])}"' not in html, (
        "no way that ends at a door"
    )
    hidden = (
        reverse("warbands:warband", args=[haufen.pk]),
        reverse("warbands:chronicle", args=[haufen.pk]),
        reverse("warbands:fighter", args=[named("Hans").pk]),
        reverse("home:club", args=[campaign.club_id]),
        reverse("leagues:campaign", args=[closed.pk]),
        reverse("campaigns:change", args=[campaign.pk]),
        reverse("campaigns:enrol", args=[campaign.pk]),
        reverse("battles:table", args=[planned.pk]),
    )
    for address in hidden:
        assert browsers.nobody.get(address).status_code == 302, address
    assert browsers.charlie.get(hidden[0]).status_code == 404
