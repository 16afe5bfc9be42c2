"""The club: its organiser and players sign up on the site's page, create it and join."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from html import unescape
from itertools import cycle

from scripts.demo.client import Client, Unexpected
from scripts.demo.plans import season_plan, warband_plans
from scripts.demo.progress import Progress

PASSWORD = "pike and shot and drum"  # noqa: S105 - of made-up people, in a database of their own
SIGN_UP = "/accounts/signup/"
THURSDAY = 3
MAX_CLUBS = 500
SEATS_LEFT = 3
"""The number of further people who can use the organiser's link."""


class NameTaken(Unexpected):
    """The username is taken."""


@dataclass
class Club:
    """A club with its people.

    ``clients`` act for players; the organiser's also acts for guest players.
    """

    id: str
    number: int
    organiser: Client
    organiser_name: str
    clients: dict[str, Client] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)


def gather(url: str, number: int, say: Progress) -> Club:
    """Create a new club with all of its people.

    ``number`` is the first one to try: names may be taken.
    """
    plan = season_plan()
    organiser, number = _first_free(url, plan.organiser, number)
    name = plan.club if number == 1 else f"{plan.club} {number}"
    wish = {"name": name, "story": plan.club_story, "member_name": plan.organiser}
    founded = organiser.post("clubs/", wish)
    say.line(f"{plan.organiser} signs up and founds “{name}”.")
    club = Club(founded["id"], number, organiser, username(plan.organiser, number))
    _invite(url, club, say)
    _seat_guests(club, say)
    _make_evenings(club, say)
    return club


def username(name: str, number: int) -> str:
    """Return a username: "ottilie", and in the second club "ottilie-2"."""
    plain = name.lower().replace("é", "e")
    return plain if number == 1 else f"{plain}-{number}"


def sign_up(url: str, name: str) -> Client:
    """Create an account on the sign-up page, as a browser does, and get a token.

    Raises Unexpected with the reason.
    """
    client = Client(url)
    _, page = client.page(SIGN_UP)
    form = {
        "csrfmiddlewaretoken": client.cookie("csrftoken"),
        "username": name,
        "email": f"{name}@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    place, page = client.page(SIGN_UP, form)
    if place.startswith(SIGN_UP):
        complaints = _complaints(page)
        raise (NameTaken if "already" in complaints else Unexpected)(
            f"{SIGN_UP} makes no account for {name}: {complaints}"
        )
    client.sign_in(name, PASSWORD)
    return client


def _first_free(url: str, name: str, number: int) -> tuple[Client, int]:
    """Sign up the organiser with the first free username from this number on."""
    for candidate in range(number, number + MAX_CLUBS):
        try:
            return sign_up(url, username(name, candidate)), candidate
        except NameTaken:
            continue
    raise NameTaken(f"{name} cannot sign up: so many have signed up before.")


def _invite(url: str, club: Club, say: Progress) -> None:
    """Let every player with an account join by the organiser's link."""
    players = [plan.player for plan in warband_plans() if plan.account]
    wish = {"role": "player", "uses": len(players) + SEATS_LEFT, "days": 60}
    invitation = club.organiser.post(f"clubs/{club.id}/invitations/", wish)
    # At the same time, because hashing a password takes half a second.
    with ThreadPoolExecutor() as pool:
        names = [username(player, club.number) for player in players]
        clients = pool.map(partial(sign_up, url), names)
    for player, client in zip(players, clients, strict=True):
        member = client.post(
            "invitations/accept/", {"secret": invitation["secret"], "name": player}
        )
        club.clients[player], club.seats[player] = client, member["id"]
    say.line(f"{', '.join(players)} sign up and join by her link.")


def _seat_guests(club: Club, say: Progress) -> None:
    """Add players without an account as guest players. The organiser acts for them."""
    for plan in warband_plans():
        if not plan.account:
            member = club.organiser.post(f"clubs/{club.id}/members/", {"name": plan.player})
            club.clients[plan.player], club.seats[plan.player] = club.organiser, member["id"]
            say.line(
                f"{plan.player} has no account; {season_plan().organiser} keeps a warband for him."
            )


def _make_evenings(club: Club, say: Progress) -> None:
    """Plan Thursdays for a season, with answers for the next one, and cancel one of them."""
    today = datetime.now(UTC).replace(hour=19, minute=0, second=0, microsecond=0)
    first = today - timedelta(days=(today.weekday() - THURSDAY) % 7 + 14)
    wish = {
        "starts_at": first.isoformat(),
        "ends_at": (first + timedelta(hours=4)).isoformat(),
        "weeks": 12,
    }
    place = {"place": "The Three Tuns, back room", "note": "Dice provided. Bring your own ruler."}
    club.organiser.post(f"clubs/{club.id}/evenings/", {**wish, **place})
    rows = list(
        club.organiser.rows(f"clubs/{club.id}/evenings/", since=datetime.now(UTC).isoformat())
    )
    answers = zip(club.seats, cycle(("coming", "coming", "perhaps")))
    for player, answer in answers:
        own = {} if club.clients[player] is not club.organiser else {"member": club.seats[player]}
        club.clients[player].post(f"evenings/{rows[0]['id']}/answer/", {"answer": answer, **own})
    club.organiser.post(f"evenings/{rows[0]['id']}/answer/", {"answer": "coming"})
    club.organiser.post(
        f"evenings/{rows[2]['id']}/cancel/", {"reason": "The back room is let for a wedding."}
    )
    say.line(
        f"{season_plan().organiser} puts twelve Thursdays into the calendar, and asks who comes."
    )


def _complaints(page: str) -> str:
    """Return the errors of a page's form as text: the list above it, and those at its fields."""
    _, _, summary = page.partition('id="errors"')
    above, _, fields = summary.partition("</ul>")
    beside = re.findall(r'<div class="error"[^>]*>(.*?)</div>', fields, re.DOTALL)
    words = unescape(re.sub(r"<[^>]*>", " ", " ".join((above, *beside))))
    return " ".join(words.lstrip("> ").split()) or "no reason is given."
