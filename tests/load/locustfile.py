"""The users of the load test, for Locust: who they are, what they do, what they may be answered.

Every user has an own generator of random numbers, made from ``LOAD_SEED``. A user who gets no
answer, or 503 with ``Retry-After``, sends the same again with the same keys, as the documentation
of the API asks for.
"""

# Locust has to be imported first: it replaces the sockets of the standard library.
from locust import HttpUser, task
from locust.exception import RescheduleTask, StopUser

# isort: split

import itertools
import json
import os
import random
import re
import time
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from requests.adapters import HTTPAdapter

from scripts.demo.forces import choose_force, read_setup
from scripts.demo.referees.quick_result import quick_result
from tests.load.ledger import ANSWER, Ledger

USERS = int(os.environ["LOAD_USERS"])
SEED = os.environ["LOAD_SEED"]
WORLD: list[dict[str, Any]] = json.loads(Path(os.environ["LOAD_WORLD"]).read_text("utf-8"))
LEDGER = Ledger(Path(os.environ["LOAD_LEDGER"]))
HOUSE_RULES = {"legality": "warn"}
POINTS = 300
IDLE = 12
"""Fighters attack about once in this many turns, so that most of them live."""
MOST_EVENTS = 12
"""The length of a log, so that battles come to their end within ten minutes."""
RETRIES = 60
NO_ANSWER = 0
SECONDS_OF_A_REQUEST = 60
DEAD_MEANWHILE = ("fighter-gone", "fighter-absent", "not-fit")
"""The codes of errors about fighters who died in an earlier battle, which was disputed and has been
decided since. An organiser would correct the later battles."""
random.seed(SEED)
LINK = re.compile(r'<a [^>]*href="(/[^"#]*)"')
FIELD = re.compile(r'<input type="hidden" name="(csrfmiddlewaretoken|form_key)" value="([^"]+)"')
NOT_FOLLOWED = ("/static/", "/accounts/", "/account/", "/admin", "/theme", "/api/", "/off-line")
NOT_PAGES = (".csv", ".ics", ".zip", ".json", "/file/", "/archive/")


def share(part: float) -> int:
    """Return this part of all users, at least one."""
    return max(1, round(USERS * part))


class Person(HttpUser):
    """Somebody who sends requests and notes every answer that must not be."""

    abstract = True
    pause = (2.0, 6.0)
    """The least and the longest time between two tasks, in seconds."""
    numbers: Iterator[int]

    def on_start(self) -> None:
        """Take the next place of this kind of user, with an own generator."""
        self.number = next(type(self).numbers)
        self.chance = Random(f"{SEED} {type(self).__name__} {self.number}")
        self.client.headers["User-Agent"] = "load test"
        self.begin()

    def begin(self) -> None:
        """Do what comes once before all tasks."""

    def wait_time(self) -> float:
        """Return the time until the next task, in seconds."""
        return self.chance.uniform(*self.pause)

    def ask(
        self,
        method: str,
        path: str,
        name: str,
        expected: tuple[int, ...] = (200,),
        refusals: tuple[str, ...] = (),
        **sent: Any,
    ) -> Any:
        """Send a request once and return the answer. Its status code is 0 if there was none.

        Any answer but the expected ones, 400 with an error of ``refusals``, 429, and 503 with
        ``Retry-After`` is a fault.
        """
        sent.setdefault("allow_redirects", False)
        with self.client.request(
            method, path, name=name, catch_response=True, timeout=SECONDS_OF_A_REQUEST, **sent
        ) as answer:
            code = answer.status_code
            LEDGER.note(ANSWER, code=code, name=name, problem=problem_of(answer))
            later = code in (429, 503) and answer.headers.get("Retry-After", "").isdecimal()
            refused = code == 400 and any(each in refusals for each in error_codes(answer))
            if code in expected or later or refused or code == NO_ANSWER:
                answer.success()
            else:
                text = f"{method} {path} was answered with {code}: {answer.text[:600]}"
                answer.failure(text)
                LEDGER.fault(text)
            return answer

    def until_answered(
        self, method: str, path: str, name: str, expected: tuple[int, ...], **sent: Any
    ) -> Any:
        """Send the same request until it is answered. Ends the task after another answer."""
        for _ in range(RETRIES):
            answer = self.ask(method, path, name, expected, **sent)
            if answer.status_code in expected:
                return answer
            if answer.status_code not in (NO_ANSWER, 429, 503):
                raise RescheduleTask
            time.sleep(min(5, int(answer.headers.get("Retry-After", 1))) if answer.headers else 1)
        LEDGER.fault(f"{method} {path} was not answered in {RETRIES} attempts.")
        raise RescheduleTask

    def key(self) -> str:
        """Return a new client id or key."""
        return str(UUID(int=self.chance.getrandbits(128), version=4))

    def read(self, token: str, path: str, name: str) -> Any:
        """Return the JSON of a resource of the API."""
        headers = {"Authorization": f"Token {token}"}
        return self.until_answered("GET", f"/api/v1/{path}", name, (200,), headers=headers).json()

    def write(
        self,
        token: str,
        path: str,
        data: Any,
        name: str,
        method: str = "POST",
        expected: tuple[int, ...] = (200, 201, 202),
        refusals: tuple[str, ...] = (),
    ) -> Any:
        """Send a change by the API until it is answered, with the same key each time.

        Ends the task after a refusal.
        """
        headers = {"Authorization": f"Token {token}"}
        if method == "POST":
            headers["Idempotency-Key"] = self.key()
        answer = self.until_answered(
            method,
            f"/api/v1/{path}",
            name,
            expected,
            refusals=refusals,
            json=data,
            headers=headers,
        )
        return answer.json() if answer.content else None


def error_codes(answer: Any) -> list[str]:
    """Return the codes of all errors of a problem of the API, none for anything else."""
    try:
        return [str(each["code"]) for each in answer.json()["errors"]]
    except (ValueError, KeyError, TypeError):
        return []


def problem_of(answer: Any) -> str:
    """Return the code of a problem of the API, or the title of a page of an error."""
    if answer.status_code < 500:
        return ""
    try:
        return str(answer.json()["code"])
    except (ValueError, KeyError, TypeError):
        title = re.search(r"<title>(.*?)</title>", answer.text or "", re.DOTALL)
        return title[1].strip() if title else (answer.text or "")[:80]


class Table(Person):
    """Two players at a table: they plan a battle, log it event by event, review and confirm it."""

    fixed_count = share(0.24)
    numbers = itertools.count()
    pause = (0.5, 2.0)

    def begin(self) -> None:
        seats = [(club, table) for club in WORLD for table in club["tables"]]
        if self.number >= len(seats):
            raise StopUser
        self.club, self.sides = seats[self.number]
        self.tokens = [side["token"] for side in self.sides]
        self.battles = 0
        self.battle: dict[str, Any] | None = None
        self.events: list[Any] = []

    @task
    def play(self) -> None:
        """Do the next step of the battle."""
        if self.battle is None:
            self.plan()
        elif self.events:
            self.log(self.events.pop(0))
        else:
            self.end()

    def plan(self) -> None:
        """Plan a battle, choose both line-ups, and start it."""
        token = self.tokens[0]
        pages = {
            side["warband"]: self.read(side["token"], f"warbands/{side['warband']}/", "warband")
            for side in self.sides
        }
        # Step 1: the plan
        self.battles += 1
        client_id, title = self.key(), f"Table {self.number}, battle {self.battles}"
        LEDGER.sent("battle", client_id, title=title)
        battle = self.write(
            token,
            "battles/",
            {
                "client_id": client_id,
                "campaign": self.club["campaign"],
                "scenario": "skirmish",
                "fought_on": f"2026-03-{min(28, self.battles):02}",
                "points_limit": POINTS,
                "title": title,
                "sides": [{"warband": side["warband"], "role": "warband"} for side in self.sides],
            },
            "plan a battle",
        )
        LEDGER.done("battle", client_id, title=title, key=battle["id"])
        # Step 2: the line-ups
        for side, token_of_side in zip(battle["sides"], self.tokens, strict=True):
            force = choose_force(pages[side["warband"]], Fraction(1), POINTS)
            self.write(
                token_of_side,
                f"battles/{battle['id']}/sides/{side['key']}/combatants/",
                {"fighters": force.ids, "leader": force.leader},
                "choose a line-up",
                method="PUT",
                refusals=DEAD_MEANWHILE,
            )
        # Step 3: the start, and a log that obeys the rules
        path = f"battles/{battle['id']}/start/"
        self.write(token, path, {}, "start a battle", refusals=DEAD_MEANWHILE)
        LEDGER.done("started", battle["id"])
        battle = self.read(token, f"battles/{battle['id']}/", "battle")
        setup = read_setup(battle, pages, HOUSE_RULES)
        self.events = list(quick_result(setup, self.chance, idle=IDLE))[:MOST_EVENTS]
        self.battle = battle

    def log(self, event: Any) -> None:
        """Send one event of the log."""
        assert self.battle is not None
        client_id, battle = self.key(), self.battle["id"]
        LEDGER.sent("event", client_id, battle=battle)
        sent = {"client_id": client_id, "kind": event.kind, "data": event.data, "turn": event.turn}
        self.write(self.tokens[0], f"battles/{battle}/events/", [sent], "log an event")
        LEDGER.done("event", client_id, battle=battle)

    def end(self) -> None:
        """Submit the battle. The other side confirms it, or disputes it one time in ten."""
        assert self.battle is not None
        battle, self.battle = self.battle, None
        path, (first, second) = f"battles/{battle['id']}", self.tokens
        self.write(first, f"{path}/submit/", {}, "submit a battle")
        LEDGER.done("submitted", battle["id"])
        self.read(second, f"{path}/preview/", "preview of a result")
        side = battle["sides"][1]["key"]
        if self.chance.random() < 0.1:
            dispute = {"side": side, "reason": "We counted otherwise."}
            self.write(second, f"{path}/dispute/", dispute, "dispute a battle")
            LEDGER.done("disputed", battle["id"])
            return
        confirmed = {"side": side}
        self.write(
            second, f"{path}/confirm/", confirmed, "confirm a battle", refusals=DEAD_MEANWHILE
        )
        LEDGER.done("confirmed", battle["id"])
        self.advance()

    def advance(self) -> None:
        """Take a rank-up for each fighter who can afford one."""
        for side in self.sides:
            page = self.read(side["token"], f"warbands/{side['warband']}/", "warband")
            for fighter in page["fighters"]:
                if fighter["fate"] != "fit":
                    continue
                offers = self.read(
                    side["token"], f"fighters/{fighter['id']}/rank-ups/", "rank-ups of a fighter"
                )
                step = next((each for each in offers["steps"] if each["affordable"]), None)
                if step is not None:
                    mark = self.key()
                    LEDGER.sent("rank-up", mark, fighter=fighter["id"])
                    self.write(
                        side["token"],
                        f"fighters/{fighter['id']}/rank-ups/",
                        {"step": step["step"]["key"]},
                        "take a rank-up",
                    )
                    LEDGER.done("rank-up", mark, fighter=fighter["id"])
                    return


class Browser(Person):
    """Somebody with a browser: it keeps what has an ETag, and asks whether it has changed."""

    abstract = True
    pause = (3.0, 9.0)

    def begin(self) -> None:
        self.kept: dict[str, str] = {}
        self.links: list[str] = []

    def open(self, path: str, name: str, expected: tuple[int, ...] = (200,), **sent: Any) -> Any:
        """Open a page, conditionally if there is an ETag of it, and note its links."""
        headers = sent.pop("headers", {})
        if path in self.kept:
            headers = {**headers, "If-None-Match": self.kept[path]}
            expected = (*expected, 304)
        answer = self.ask("GET", path, name, (*expected, 301, 302), headers=headers, **sent)
        if answer.status_code == 200:
            if tag := answer.headers.get("ETag"):
                self.kept[path] = tag
            self.links = [
                link
                for link in map(unescape, LINK.findall(answer.text))
                if not link.startswith(NOT_FOLLOWED) and not link.endswith(NOT_PAGES)
            ]
        return answer


class Reader(Browser):
    """A member who reads pages, and follows links from page to page."""

    fixed_count = share(0.44)
    numbers = itertools.count()

    def begin(self) -> None:
        super().begin()
        people = [(club, reader) for club in WORLD for reader in club["readers"]]
        self.club, reader = people[self.number % len(people)]
        self.client.cookies.update(reader["cookies"])
        self.token = reader["token"]

    @task(4)
    def open_a_main_page(self) -> None:
        """Open one of the pages that a member opens first."""
        campaign = self.club["campaign"]
        band = self.chance.choice(self.chance.choice(self.club["tables"]))["warband"]
        path, name = self.chance.choice(
            [
                ("/", "home page"),
                (f"/clubs/{self.club['club']}/", "club page"),
                (f"/campaigns/{campaign}/", "campaign page"),
                (f"/campaigns/{campaign}/battles/", "battles of a campaign"),
                (f"/campaigns/{campaign}/standings/", "standings page"),
                (f"/campaigns/{campaign}/log/", "log of a campaign"),
                (f"/warbands/{band}/", "warband page"),
                ("/search/?q=club", "search page"),
            ]
        )
        self.open(path, name)

    @task(4)
    def follow_a_link(self) -> None:
        """Open a page that the last one links to."""
        if self.links:
            self.open(self.chance.choice(self.links), "page by a link")

    @task(1)
    def watch_a_battle(self) -> None:
        """Look at a live log, and ask every two seconds for changes, as its page does."""
        path = f"battles/?campaign={self.club['campaign']}&state=under-way&page_size=20"
        rows = self.read(self.token, path, "battles in progress")["results"]
        if not rows:
            return
        address = f"/battles/{self.chance.choice(rows)['id']}/table/"
        page = self.open(address, "live log page")
        for _ in range(5):
            if page.status_code != 200:
                return
            seen = re.search(r'data-version="([^"]*)"', page.text)
            choices = re.search(r'data-choices="([^"]*)"', page.text)
            if not seen:
                return
            time.sleep(2)
            query = {"seen": seen[1], "choices": choices[1] if choices else ""}
            headers = {"X-Table": "follows"}
            answer = self.ask(
                "GET", address, "live log follows", (200, 204, 302), params=query, headers=headers
            )
            page = answer if answer.status_code == 200 else page

    @task(1)
    def read_the_api(self) -> None:
        """Read standings by the API, conditionally."""
        path = f"/api/v1/campaigns/{self.club['campaign']}/standings/"
        self.open(path, "standings by the API", headers={"Authorization": f"Token {self.token}"})


class Organiser(Browser):
    """An organiser who pairs, decides, adds experience, and writes the journal by its form."""

    fixed_count = share(0.08)
    numbers = itertools.count()

    def begin(self) -> None:
        super().begin()
        # More organisers than clubs: a second device of the same person.
        self.club = WORLD[self.number % len(WORLD)]
        self.client.cookies.update(self.club["organiser"]["cookies"])
        self.token = self.club["organiser"]["token"]
        self.written = 0

    @task(3)
    def write_the_journal(self) -> None:
        """Write an entry by the form of the page, which is sent again if there is no answer."""
        path = f"/campaigns/{self.club['campaign']}/journal/"
        page = self.until_answered("GET", path, "journal form", (200,))
        hidden = {name: unescape(value) for name, value in FIELD.findall(page.text)}
        mark = self.key()
        form = {**hidden, "text": f"Entry {mark}", "on": "2026-03-07"}
        LEDGER.sent("journal", mark)
        self.until_answered(
            "POST",
            path,
            "write the journal",
            (302,),
            data=form,
            headers={"Referer": f"{self.host}{path}"},
        )
        LEDGER.done("journal", mark)

    @task(2)
    def decide(self) -> None:
        """Decide a disputed battle."""
        path = f"battles/?campaign={self.club['campaign']}&state=disputed"
        rows = self.read(self.token, path, "disputed battles")["results"]
        if rows:
            row = self.chance.choice(rows)
            decision = {"decision": "as-logged", "reason": "The log is right."}
            # The same organiser may have decided on another device.
            self.write(
                self.token,
                f"battles/{row['id']}/decide/",
                decision,
                "decide a battle",
                expected=(200, 409),
                refusals=DEAD_MEANWHILE,
            )
            LEDGER.done("decided", row["id"])

    @task(1)
    def pair(self) -> None:
        """Pair all warbands for another round."""
        self.written += 1
        name = f"R {self.number}-{self.written} {self.key()[:8]}"
        terms = {"method": "swiss", "name": name}
        LEDGER.sent("round", name, campaign=self.club["campaign"])
        self.write(self.token, f"campaigns/{self.club['campaign']}/rounds/", terms, "pair a round")
        LEDGER.done("round", name, campaign=self.club["campaign"])

    @task(2)
    def add_experience(self) -> None:
        """Add experience to a fighter, with a reason."""
        side = self.chance.choice(self.chance.choice(self.club["tables"]))
        page = self.read(self.token, f"warbands/{side['warband']}/", "warband")
        fighter = self.chance.choice([each for each in page["fighters"] if each["fate"] == "fit"])
        mark = self.key()
        LEDGER.sent("experience", mark, fighter=fighter["id"])
        self.write(
            self.token,
            f"fighters/{fighter['id']}/adjust/",
            {"experience": 1, "reason": f"Gift {mark}"},
            "add experience",
        )
        LEDGER.done("experience", mark, fighter=fighter["id"])

    @task(2)
    def look(self) -> None:
        """Look at the campaign."""
        self.open(f"/campaigns/{self.club['campaign']}/", "campaign page")


class Printer(Person):
    """A player who prints, and waits for the file."""

    fixed_count = share(0.1)
    numbers = itertools.count()
    pause = (5.0, 20.0)

    def begin(self) -> None:
        self.club = WORLD[self.number % len(WORLD)]

    @task
    def print_something(self) -> None:
        """Order a document, wait until it is ready, and download it."""
        side = self.chance.choice(self.chance.choice(self.club["tables"]))
        kind, subject = self.chance.choice(
            [("roster", side["warband"])] * 4 + [("campaign", self.club["campaign"])]
        )
        mark = self.key()
        LEDGER.sent("document", mark)
        document = self.write(
            side["token"], "documents/", {"kind": kind, "subject": subject}, "order a document"
        )
        LEDGER.done("document", mark, key=document["id"])
        path = f"documents/{document['id']}/"
        while document["state"] not in ("ready", "failed"):
            time.sleep(3)
            document = self.read(side["token"], path, "document")
        if document["state"] == "failed":
            LEDGER.fault(f"A document failed: {document}")
            return
        headers = {"Authorization": f"Token {side['token']}"}
        file = self.until_answered("GET", f"/api/v1/{path}file/", "file", (200,), headers=headers)
        if not file.content.startswith(b"%PDF"):
            LEDGER.fault(f"The file of {kind} {subject} is no PDF: {file.content[:40]!r}")


class FromAddress(HTTPAdapter):
    """Send from an own address of this machine: the limits of strangers count by address."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__()

    def init_poolmanager(self, *about: Any, **named: Any) -> None:
        """Create the pool of connections."""
        super().init_poolmanager(*about, source_address=(self.address, 0), **named)


class Stranger(Browser):
    """Somebody without an account, who tries addresses that are not for strangers."""

    fixed_count = share(0.14)
    numbers = itertools.count()

    def begin(self) -> None:
        super().begin()
        self.client.mount("http://", FromAddress(f"127.0.7.{self.number % 200 + 1}"))

    @task(3)
    def open_a_public_page(self) -> None:
        """Open pages for everybody."""
        path = self.chance.choice(["/", "/accounts/login/", "/accounts/signup/", "/robots.txt"])
        self.open(path, "public page")

    @task(2)
    def open_a_private_page(self) -> None:
        """Open pages of members: they are not there, or lead to the sign-in."""
        club = self.chance.choice(WORLD)
        path = self.chance.choice(
            [
                f"/clubs/{club['club']}/",
                f"/campaigns/{club['campaign']}/",
                f"/warbands/{club['tables'][0][0]['warband']}/",
            ]
        )
        answer = self.ask("GET", path, "private page, by a stranger", (302, 404))
        if answer.status_code == 200:
            LEDGER.fault(f"A stranger sees {path}.")

    @task(1)
    def try_the_api(self) -> None:
        """Ask and write with no token and with a wrong one."""
        club = self.chance.choice(WORLD)
        headers = self.chance.choice([{}, {"Authorization": f"Token {self.key()}"}])
        path = f"/api/v1/campaigns/{club['campaign']}/"
        self.ask("GET", path, "API, by a stranger", (401,), headers=headers)
        self.ask("POST", f"{path}start/", "API, by a stranger", (401,), headers=headers, json={})
