"""The roster for the table of every list of every system: twenty fighters of all that it has, on one page."""

from itertools import cycle, islice
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from documents.content.kinds import WarbandRoster
from documents.content.plans import plans
from documents.content.rosters import roster_content
from documents.models import Paper
from documents.printing import laid_out, markup
from rulebook.chronicle.facts import Mustered, Recruit, Recruited
from rulebook.registry import RULESETS, newest_ruleset
from rulebook.ruleset import Terms
from scripts.prints.playing import names_of
from warbands.models import Warband
from warbands.services.chronicle import append_facts

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

LISTS = [
    (ruleset, faction["key"]) for ruleset in RULESETS for faction in newest_ruleset(ruleset).catalogue({})["factions"]
]


def mustered(user: User, ruleset: str, faction: str, size: int = 20) -> Warband:
    """A warband with every profile of its list in turn, each as it is before anything is chosen."""
    rules = newest_ruleset(ruleset)
    entry = next(each for each in rules.catalogue({})["factions"] if each["key"] == faction)
    profiles = [profile["key"] for profile in entry["profiles"]]
    warband = Warband.objects.create(owner=user, name="All", ruleset=ruleset, edition=rules.edition, faction=faction)
    append_facts({warband.pk: Mustered(ruleset=ruleset, edition=rules.edition, faction=faction, name="All")}, user=user)
    terms = Terms(faction)
    recruits = tuple(
        Recruit(str(uuid4()), name, rules.clean_build(rules.bare_build(faction, profile), terms))
        for profile, name in islice(zip(cycle(profiles), names_of("plain").all(), strict=False), size)
    )
    append_facts({warband.pk: Recruited(recruits=recruits)}, user=user)
    return Warband.objects.select_related("owner").get(pk=warband.pk)


@pytest.mark.soak("rosters of twenty for the table", each=1, sample=5)
@pytest.mark.parametrize("paper", Paper.values)
@pytest.mark.parametrize(("ruleset", "faction"), LISTS)
def test_twenty_fighters_of_any_list_stand_on_one_page(alice, ruleset, faction, paper):
    content: Any = roster_content(mustered(alice, ruleset, faction))
    assert isinstance(content, WarbandRoster)
    assert content.roster.fighters == 20
    table = replace(content, roster=replace(content.roster, cards=(), prices=()))
    assert len(laid_out(markup(plans(table)[0]), paper=paper).pages) == 1
