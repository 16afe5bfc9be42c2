"""Make the clubs of a load test in an empty database, and write who is who as JSON.

python -m tests.load.seed FILE TABLES READERS
"""

import json
import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402 - after the set-up of Django
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from knox.models import AuthToken  # noqa: E402

from campaigns.services.campaigns import plan_campaign, start_campaign  # noqa: E402
from campaigns.services.enrolments import enrol_warband  # noqa: E402
from clubs.models import Club, Membership, Role  # noqa: E402
from clubs.services.clubs import found_club  # noqa: E402
from clubs.services.evenings import make_evenings  # noqa: E402
from warbands.services.posts import appoint  # noqa: E402
from warbands.services.roster import NewFighter, recruit_fighters  # noqa: E402
from warbands.services.warbands import muster_warband  # noqa: E402
from warbands.signed import create_signed  # noqa: E402

TABLES_OF_A_CLUB = 4
LISTS = (
    ("cardinals-guard", {"senior-officer": 1, "officer": 1, "guard": 6, "ruffian": 4}),
    ("border-reivers", {"chieftain": 1, "veteran-reiver": 2, "reiver": 5, "broken-man": 4}),
)
"""The two lists that meet at every table."""
Person = dict[str, Any]


def person(name: str) -> tuple[User, Person]:
    """Return a new account, with its token and the cookies of a browser that is signed in."""
    user = User.objects.create(username=name, email=f"{name}@example.org", password="!")
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    cookies = {key: morsel.value for key, morsel in browser.cookies.items()}
    return user, {"name": name, "token": AuthToken.objects.create(user)[1], "cookies": cookies}


def member(club: Club, name: str, role: Role) -> tuple[User, Person]:
    """Return a new account that is a member of the club."""
    user, login = person(name)
    create_signed(Membership, club=club, user=user, name=name, role=role)
    return user, login


def warband(owner: User, faction: str, profiles: dict[str, int], name: str) -> UUID:
    """Create a warband that its first fighter leads, and return its id."""
    row = muster_warband(user=owner, ruleset="en-garde", faction=faction, name=name)
    recruits = [NewFighter({"profile": key}, count=count) for key, count in profiles.items()]
    hired = recruit_fighters(warband_id=row.pk, fighters=recruits, user=owner)
    appoint(warband_id=row.pk, user=owner, posts={"leader": hired[0]})
    return row.pk


def seed_club(number: int, tables: int, readers: int) -> dict[str, Any]:
    """Create a club with a running campaign, and return its people, warbands and addresses."""
    organiser, login = person(f"organiser-{number}")
    club = found_club(user=organiser, name=f"Club {number}", member_name=organiser.username)
    start = timezone.now() + timedelta(days=2)
    make_evenings(
        club_id=club.pk,
        user=organiser,
        starts_at=start,
        ends_at=start + timedelta(hours=4),
        weeks=3,
    )
    campaign = plan_campaign(
        club_id=club.pk,
        user=organiser,
        ruleset="en-garde",
        name=f"Campaign {number}",
        points=300,
        house_rules={"legality": "warn"},
    )
    seats = []
    for table in range(tables):
        sides = []
        for faction, profiles in LISTS:
            name = f"{faction}-{number}-{table}"
            user, player = member(club, name, Role.PLAYER)
            key = warband(user, faction, profiles, name)
            enrol_warband(campaign_id=campaign.pk, warband_id=key, user=user)
            sides.append({**player, "warband": str(key)})
        seats.append(sides)
    start_campaign(campaign_id=campaign.pk, user=organiser)
    spectators = [member(club, f"reader-{number}-{n}", Role.SPECTATOR)[1] for n in range(readers)]
    return {
        "club": str(club.pk),
        "campaign": str(campaign.pk),
        "organiser": login,
        "tables": seats,
        "readers": spectators,
    }


def main(file: str, tables: str, readers: str) -> None:
    """Create as many clubs as the tables need, and write the file."""
    clubs = -(-int(tables) // TABLES_OF_A_CLUB)
    world = [
        seed_club(number, min(TABLES_OF_A_CLUB, int(tables)), -(-int(readers) // clubs))
        for number in range(clubs)
    ]
    Path(file).write_text(json.dumps(world), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
