"""A roster as text for Discord, forums and files."""

import pytest
from django.test import Client

from tests.battles.field import muster
from tests.conftest import browser_of
from tests.full_toy import register_toy as register_toy
from warbands.models import Warband
from warbands.selectors.roster_text import MAX_MESSAGE, roster_texts
from warbands.selectors.warband_page import warband_page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def client(alice) -> Client:
    return browser_of(alice)


def text_of(warband: Warband, user, key: str) -> tuple[str, ...]:
    page = warband_page(Warband.objects.get(pk=warband.pk), user)
    return next(
        each.parts for each in roster_texts(page, "https://muster.example/") if each.key == key
    )


def test_page_has_each_format_with_a_button_to_copy(client, alice, register_toy):
    warband = muster(alice, "Reds")
    html = client.get(f"/warbands/{warband.pk}/?view=text").content.decode()
    for key in ("discord", "bbcode", "markdown"):
        assert f'<textarea id="{key}-1"' in html
        assert f'data-copy="{key}-1"' in html


def test_text_has_every_fighter_with_what_it_costs(alice, register_toy):
    warband = muster(alice, "Reds")
    (markdown,) = text_of(warband, alice, "markdown")
    (bbcode,) = text_of(warband, alice, "bbcode")
    for fighter in warband.fighters.all():
        assert f"- **{fighter.name}**, {fighter.profile_name}" in markdown
        assert f"- [b]{fighter.name}[/b], {fighter.profile_name}" in bbcode
        assert f"{fighter.points} point" in markdown
    assert markdown.endswith("https://muster.example/")


def test_names_cannot_mention_or_format_anything(alice, register_toy):
    warband = muster(alice, "@everyone [b]**Reds**")
    (discord,) = text_of(warband, alice, "discord")
    (bbcode,) = text_of(warband, alice, "bbcode")
    assert "@everyone" not in discord
    assert r"\*\*Reds\*\*" in discord
    assert "(b)**Reds**" in bbcode


def test_a_long_roster_is_several_messages(alice, register_toy):
    warband = muster(alice, "Long", "captain", *["recruit"] * 60)
    parts = text_of(warband, alice, "discord")
    assert len(parts) > 1
    assert max(map(len, parts)) <= MAX_MESSAGE
    whole = "\n".join(parts)
    assert all(f"**{fighter.name}**" in whole for fighter in warband.fighters.all())
