"""Who is on the roster: recruits, changes of build, names, leavers."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.facts import Equipped, Left, Recruit, Recruited, Renamed
from rulebook.chronicle.fold import step
from rulebook.registry import find_ruleset
from rulebook.ruleset import BuildData, Problem, RosterPurpose, RulesError, Severity
from warbands.errors import LostRace
from warbands.services.cleaning import clean_json, clean_name, clean_number, clean_reason, refusal
from warbands.services.legality import illegal_roster, new_problems
from warbands.services.names import fighter_ids, fighter_names
from warbands.services.offers import tell
from warbands.services.opening import OpenBook, locked_refusal, open_book, open_book_of, overruled

MOST_AT_ONCE = 50
MOST_FIGHTERS = 500
"""So many rows does a roster take, the dead and retired included."""
REASONS_TO_LEAVE = ("retired", "dismissed", "deserted", "struck")


class NewFighter(Struct, frozen=True):
    """One or several fighters of the same build that shall join. Without a name they are called by their profile.

    ``client_id`` is made by the client: sent again, it recruits nobody twice.
    """

    build: Mapping[str, Any]
    name: str = ""
    count: int = 1
    client_id: UUID | None = None


@transaction.atomic
def recruit_fighters(
    *, warband_id: UUID, fighters: Sequence[NewFighter], user: User, overrule: str = "", sequence: int | None = None
) -> list[UUID]:
    """Let fighters join; returns their ids in order. A request that was carried out before is only answered again.

    While the roster is built anybody may join, and its problems are shown; in play the rules decide, and an organiser
    may ``overrule`` them with a reason, which the chronicle keeps. Raises NotFound, NotAllowed, LostRace, RulesError
    with every problem of the builds, Refused "illegal-roster" with every problem of the roster that would be.
    """
    book = open_book(warband_id, user, sequence=sequence)
    ids = fighter_ids(warband_id, _counted(fighters))
    if _sent_before(book, ids):
        return ids
    fact = Recruited(recruits=tuple(_recruits(book, fighters, ids)))
    fact = replace(fact, reason=_reason_to_recruit(book, fact, user, clean_reason("overrule", overrule)))
    tell(book, fact, user)
    return ids


@transaction.atomic
def equip_fighter(
    *, fighter_id: UUID, build: BuildData, user: User, reason: str = "", sequence: int | None = None
) -> None:
    """Give a fighter another build: freely while the roster is built, in play only by an organiser with a reason.

    Raises NotFound, NotAllowed, LostRace, RulesError with every problem of the build, Refused "roster-locked".
    """
    book = open_book_of(fighter_id, user, sequence=sequence)
    fighter = book.fighter(fighter_id)
    cleaned = _clean_build(book, build, "build.")
    if cleaned == fighter.build:
        return
    reason = clean_reason("reason", reason)
    if book.locked:
        reason = overruled(book, user, reason, otherwise=locked_refusal())
    tell(book, Equipped(fighter=fighter.id, build=cleaned, reason=reason), user)


@transaction.atomic
def rename_fighter(*, fighter_id: UUID, name: str, user: User) -> None:
    """Give a fighter another name, the dead included. Raises NotFound, NotAllowed, Refused."""
    book = open_book_of(fighter_id, user)
    fighter, cleaned = book.fighter(fighter_id), clean_name("name", name)
    if cleaned != fighter.name:
        tell(book, Renamed(fighter=fighter.id, name=cleaned), user)


@transaction.atomic
def release_fighter(*, fighter_id: UUID, reason: str, user: User, sequence: int | None = None) -> None:
    """Let a fighter leave: "retired", "dismissed" or "deserted" keep it on the roll; "struck" makes it never have been.

    Only a roster that is not in play can have fighters struck. Raises NotFound, NotAllowed, LostRace, Refused.
    """
    book = open_book_of(fighter_id, user, sequence=sequence)
    if reason not in REASONS_TO_LEAVE:
        choices = ", ".join(REASONS_TO_LEAVE)
        raise refusal("reason", "unknown-choice", f"{reason!r} will not do: {choices}.", reason[:40])
    if reason == "struck" and book.locked:
        raise refusal("reason", "roster-locked", "The roster is in play: retire or dismiss the fighter.", reason)
    tell(book, Left(fighter=str(fighter_id), reason=reason), user)


def _counted(fighters: Sequence[NewFighter]) -> Sequence[NewFighter]:
    """The request, if it is neither empty nor too large."""
    for place, fighter in enumerate(fighters):
        clean_number(f"fighters.{place}.count", fighter.count, least=1, most=MOST_AT_ONCE)
    clean_number("fighters", sum(fighter.count for fighter in fighters), least=1, most=MOST_AT_ONCE)
    return fighters


def _sent_before(book: OpenBook, ids: Sequence[UUID]) -> bool:
    known = [str(fighter) in book.state.fighters for fighter in ids]
    if any(known) and not all(known):
        raise LostRace("client-id-reused", "Some of these fighters have joined already, under the same client_id.")
    return all(known)


def _recruits(book: OpenBook, fighters: Sequence[NewFighter], ids: Sequence[UUID]) -> list[Recruit]:
    if len(book.state.fighters) + len(ids) > MOST_FIGHTERS:
        raise refusal("fighters", "roster-full", f"A roster holds {MOST_FIGHTERS} fighters, the fallen included.")
    builds = _clean_builds(book, fighters)
    profiles = [book.rules.fighter_facts(build, book.state.terms).profile_name for build in builds]
    wanted = [
        (clean_name(f"fighters.{place}.name", fighter.name or profile), bool(fighter.name) and fighter.count == 1)
        for place, (fighter, profile) in enumerate(zip(fighters, profiles, strict=True))
    ]
    names = fighter_names(book.state, wanted, [fighter.count for fighter in fighters])
    spread = [build for build, fighter in zip(builds, fighters, strict=True) for _ in range(fighter.count)]
    return [Recruit(str(key), name, build) for key, name, build in zip(ids, names, spread, strict=True)]


def _clean_builds(book: OpenBook, fighters: Sequence[NewFighter]) -> list[BuildData]:
    """The builds in canonical form. Raises RulesError with the problems of all of them."""
    builds: list[BuildData] = []
    problems: list[Problem] = []
    for place, fighter in enumerate(fighters):
        try:
            builds.append(_clean_build(book, fighter.build, f"fighters.{place}.build."))
        except RulesError as error:
            problems += error.problems
    if problems:
        raise RulesError(*problems)
    return builds


def _clean_build(book: OpenBook, build: BuildData, prefix: str) -> BuildData:
    raw = clean_json(prefix.rstrip("."), build)
    try:
        return clean_json(prefix.rstrip("."), book.rules.clean_build(raw, book.state.terms))
    except RulesError as error:
        raise RulesError(*(replace(each, field=prefix + each.field) for each in error.problems)) from error


def _reason_to_recruit(book: OpenBook, fact: Recruited, user: User, reason: str) -> str:
    """Why the rules were overruled for these recruits; empty where they allow them."""
    if not book.locked:
        return ""
    joining = {recruit.fighter for recruit in fact.recruits}
    after = step(book.state, fact, find_ruleset).state.roster
    problems = new_problems(book.rules, book.state.roster, after, RosterPurpose.RECRUIT, joining)
    if all(problem.severity is not Severity.FORBIDS for problem in problems):
        return ""
    return overruled(book, user, reason, otherwise=illegal_roster(problems))
