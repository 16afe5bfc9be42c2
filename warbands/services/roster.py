"""Changes of a roster: recruits, builds, names, stories, leavers, and organisers' decisions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID, uuid4, uuid5

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from audit.verbs import Verb
from core.cleaning import (
    MAX_REASON,
    MAX_STORY,
    clean_json,
    clean_name,
    clean_number,
    clean_reason,
    field_error,
)
from core.errors import InvalidInput, StateConflict
from core.inputs import Input, column, field, validate_fields
from rulebook.chronicle.facts import Adjusted, Equipped, Left, Recruit, Recruited, Renamed
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import BuildData, Fate, Problem, RosterPurpose, RulesError, Severity
from warbands.models import Fighter
from warbands.roster_rules import forbids, new_problems
from warbands.services.chronicle import read_chronicle
from warbands.services.locking import (
    SEQUENCE,
    LockedWarband,
    ReasonedChange,
    expect_overruling,
    in_play_refusal,
    lock_warband,
    lock_warband_of,
    overruled,
    record_warband,
)
from warbands.services.rank_up_offers import append_fact, append_in_rank_order

MAX_AT_ONCE = 50
MAX_EXPERIENCE = 100
MAX_FIGHTERS = 500
"""The most rows of a roster, dead and retired fighters included."""
BUILD = field(api="Profile and options, as in the rule system's catalogue.")


class ReasonToLeave(StrEnum):
    """The way in which a fighter leaves the roster."""

    RETIRED = "retired"
    DISMISSED = "dismissed"
    DESERTED = "deserted"
    STRUCK = "struck"


class NewFighter(Struct, frozen=True):
    """New fighters of the same build. Without a name they take that of their profile.

    ``client_id`` is made by the client: sent again, it recruits nobody twice.
    """

    build: Annotated[Mapping[str, Any], BUILD]
    name: Annotated[
        str,
        column(
            Fighter,
            "name",
            _("Name"),
            _("Leave blank for the profile's name. Several fighters are numbered."),
            api="Without one, its profile's name.",
            line=True,
        ),
    ] = ""
    count: Annotated[int, field(_("Number"), ge=1, le=MAX_AT_ONCE)] = 1
    client_id: Annotated[
        UUID | None,
        field(api="Your id for this request. Sent twice, it counts once.", null=False),
    ] = None


class NewFighters(Input, frozen=True, kw_only=True):
    """The fighters to recruit."""

    fighters: Annotated[tuple[NewFighter, ...], field(min_length=1)]
    overrule: Annotated[
        str,
        field(
            _("Override the rules. Reason"),
            _("For organisers."),
            api="An organiser's reason to override the rules.",
            max_length=MAX_REASON,
            line=True,
        ),
    ] = ""
    sequence: Annotated[int | None, SEQUENCE] = None


class FighterEdit(Input, frozen=True, kw_only=True):
    """Changes of a fighter apart from its build; absent fields stay as they are."""

    name: Annotated[
        str | UnsetType, column(Fighter, "name", _("Name"), min_length=1, line=True)
    ] = UNSET
    story: Annotated[
        str | UnsetType,
        field(
            _("Story"),
            api="Story in Markdown.",
            max_length=MAX_STORY,
        ),
    ] = UNSET


class NewBuild(ReasonedChange, frozen=True, kw_only=True):
    """A new build that replaces the present one."""

    build: Annotated[dict[str, Any], BUILD]


class Leaving(Input, frozen=True, kw_only=True):
    """The way in which a fighter leaves. "struck" deletes it; the roster must not be in play."""

    reason: Annotated[ReasonToLeave, field(_("Reason"))]
    sequence: Annotated[int | None, field(ge=0, null=False)] = None


class Adjustment(Input, frozen=True, kw_only=True):
    """An organiser's decision about a fighter."""

    experience: Annotated[
        int, field(_("Experience added (negative: removed)"), ge=-MAX_EXPERIENCE, le=MAX_EXPERIENCE)
    ] = 0
    fate: Annotated[Fate | None, field(_("Condition"), null=False)] = None
    reason: Annotated[str, field(_("Reason"), min_length=1, max_length=MAX_REASON, line=True)]
    sequence: Annotated[int | None, field(ge=0, null=False)] = None


@transaction.atomic
def recruit_fighters(
    *,
    warband_id: UUID,
    fighters: Sequence[NewFighter],
    user: User,
    overrule: str = "",
    sequence: int | None = None,
) -> list[UUID]:
    """Recruit fighters; return their ids in order.

    A repeated request returns the same ids and recruits nobody. While the roster is being built,
    all fighters may join and problems are only shown. In play the rules decide, and an organiser
    may ``overrule`` them with a reason, which the chronicle keeps. Raises NotFound, Forbidden,
    StateConflict, RulesError with every problem of the builds, InvalidInput "illegal-roster" with
    every problem of the resulting roster; StateConflict "fighter-differs" for a ``client_id`` used
    for other fighters or with another reason.
    """
    locked = lock_warband(warband_id, user, sequence=sequence)
    ids = fighter_ids(warband_id, _counted(fighters))
    reason = validate_fields(NewFighters, {"overrule": overrule})["overrule"]
    if _sent_before(locked, fighters, ids, reason):
        return ids
    fact = Recruited(recruits=tuple(_recruits(locked, fighters, ids)))
    fact = replace(fact, reason=reason_to_recruit(locked, fact, user, reason))
    append_in_rank_order(locked, fact, user)
    record_warband(
        Verb.FIGHTERS_RECRUITED, locked.warband, user, number=len(ids), overruled=fact.reason
    )
    return ids


@transaction.atomic
def equip_fighter(
    *, fighter_id: UUID, build: BuildData, user: User, reason: str = "", sequence: int | None = None
) -> None:
    """Give a fighter another build; in play this needs an organiser and a reason.

    Raises NotFound, Forbidden, StateConflict, RulesError with every problem of the build,
    InvalidInput "roster-locked".
    """
    locked = lock_warband_of(fighter_id, user, sequence=sequence)
    fighter = locked.fighter(fighter_id)
    cleaned = _clean_build(locked, build, "build.")
    if cleaned == fighter.build:
        return
    reason = validate_fields(NewBuild, {"reason": reason})["reason"]
    if locked.in_play:
        reason = overruled(locked, user, reason, otherwise=in_play_refusal())
    append_fact(locked, Equipped(fighter=fighter.id, build=cleaned, reason=reason), user)
    record_warband(Verb.FIGHTER_EQUIPPED, locked.warband, user, fighter=fighter.name, reason=reason)


@transaction.atomic
def rename_fighter(*, fighter_id: UUID, name: str, user: User) -> None:
    """Rename a fighter, which may be dead. Raises NotFound, Forbidden, InvalidInput."""
    locked = lock_warband_of(fighter_id, user)
    fighter, cleaned = (
        locked.fighter(fighter_id),
        validate_fields(FighterEdit, {"name": name})["name"],
    )
    if cleaned != fighter.name:
        append_fact(locked, Renamed(fighter=fighter.id, name=cleaned), user)
        changes = {"name": [fighter.name, cleaned]}
        record_warband(
            Verb.FIGHTER_CHANGED, locked.warband, user, fighter=fighter.name, changes=changes
        )


@transaction.atomic
def release_fighter(
    *, fighter_id: UUID, reason: str, user: User, sequence: int | None = None
) -> None:
    """Remove a fighter from the roster.

    "retired", "dismissed" and "deserted" keep it in the warband's history. "struck" deletes it,
    which is possible only while the roster is not in play. Raises NotFound, Forbidden,
    StateConflict, InvalidInput.
    """
    locked = lock_warband_of(fighter_id, user, sequence=sequence)
    if reason not in [*ReasonToLeave]:
        choices = ", ".join(ReasonToLeave)
        raise field_error(
            "reason",
            "unknown-choice",
            f"{reason!r} is not valid. Use one of: {choices}.",
            reason[:40],
        )
    if reason == ReasonToLeave.STRUCK and locked.in_play:
        raise field_error(
            "reason",
            "roster-locked",
            gettext("This warband is in a campaign. Retire or dismiss the fighter instead."),
            reason,
        )
    append_fact(locked, Left(fighter=str(fighter_id), reason=reason), user)
    name = locked.fighter(fighter_id).name
    record_warband(Verb.FIGHTER_RELEASED, locked.warband, user, fighter=name, leaving=reason)


@transaction.atomic
def write_fighter_story(*, fighter_id: UUID, story: str, user: User) -> None:
    """Set a fighter's story, at most 20,000 characters.

    Raises NotFound, Forbidden, InvalidInput.
    """
    locked, story = (
        lock_warband_of(fighter_id, user),
        validate_fields(FighterEdit, {"story": story})["story"],
    )
    Fighter.objects.filter(pk=fighter_id).update(story=story)
    name = locked.fighter(fighter_id).name
    record_warband(
        Verb.FIGHTER_CHANGED, locked.warband, user, fighter=name, changes={"story": None}
    )


@transaction.atomic
def edit_fighter(
    *, fighter_id: UUID, user: User, name: str | None = None, story: str | None = None
) -> None:
    """Change a fighter's name and story; None leaves a value as it is.

    Raises NotFound, Forbidden, InvalidInput.
    """
    if name is not None:
        rename_fighter(fighter_id=fighter_id, name=name, user=user)
    if story is not None:
        write_fighter_story(fighter_id=fighter_id, story=story, user=user)


@transaction.atomic
def adjust_fighter(
    *,
    fighter_id: UUID,
    reason: str,
    user: User,
    experience: int = 0,
    fate: Fate | None = None,
    sequence: int | None = None,
) -> None:
    """Give or take experience (at most 100), or change a fighter's fate; always with a reason.

    For organisers of the warband's campaign; outside a campaign, for its owner or keeper. Raises
    NotFound, Forbidden, StateConflict, InvalidInput "reason-needed", "nothing-to-adjust",
    "balance-below-zero".
    """
    locked = lock_warband_of(fighter_id, user, sequence=sequence)
    expect_overruling(locked.warband, user)
    fighter = locked.fighter(fighter_id)
    fate = None if fate is fighter.fate else fate
    validate_fields(Adjustment, {"experience": experience})
    # An empty reason has its own error code, so check for it here.
    reason = clean_reason("reason", reason)
    if not reason:
        raise field_error(
            "reason",
            "reason-needed",
            gettext("Enter a reason. It appears in the warband's history."),
        )
    if not experience and fate is None:
        raise InvalidInput(
            "nothing-to-adjust",
            gettext("No change entered. Add or remove experience, or choose another condition."),
        )
    fact = Adjusted(fighter=fighter.id, experience=experience, fate=fate, reason=reason)
    append_fact(locked, fact, user)
    values = {"experience": experience, "fate": fate, "reason": reason}
    record_warband(Verb.FIGHTER_ADJUSTED, locked.warband, user, fighter=fighter.name, **values)


def _counted(fighters: Sequence[NewFighter]) -> Sequence[NewFighter]:
    """Return the request after checking that it is neither empty nor too large."""
    for place, fighter in enumerate(fighters):
        clean_number(f"fighters.{place}.count", fighter.count, least=1, most=MAX_AT_ONCE)
    clean_number("fighters", sum(fighter.count for fighter in fighters), least=1, most=MAX_AT_ONCE)
    return fighters


def _sent_before(
    locked: LockedWarband, fighters: Sequence[NewFighter], ids: Sequence[UUID], reason: str
) -> bool:
    """Return whether these fighters joined before.

    Raises StateConflict if only some joined, if others joined under the same ids, or if the rules
    were overridden for another reason then.
    """
    present = [str(fighter) in locked.state.fighters for fighter in ids]
    if any(present) and not all(present):
        raise StateConflict(
            "client-id-reused",
            "Some of these fighters have joined already, under the same client_id.",
        )
    if not any(present):
        return False
    facts = [fact for fact in read_chronicle(locked.warband.pk) if isinstance(fact, Recruited)]
    joined = {recruit.fighter: recruit for fact in facts for recruit in fact.recruits}
    # If the rules allowed the recruits, no reason was kept and there is nothing to compare.
    reasons = {
        recruit.fighter: fact.reason for fact in facts for recruit in fact.recruits if fact.reason
    }
    builds, remaining_ids = _clean_builds(locked, fighters), iter(ids)
    for place, (fighter, build) in enumerate(zip(fighters, builds, strict=True)):
        recruits = [joined.get(str(next(remaining_ids))) for _ in range(fighter.count)]
        more = uuid5(locked.warband.pk, f"{fighter.client_id}/{fighter.count}")
        profile = locked.rules.fighter_facts(build, locked.state.terms).profile_name
        if str(more) in joined or not all(
            _is_same(recruit, fighter, build, profile) for recruit in recruits
        ):
            sentence = (
                f"The client_id {fighter.client_id} was used for other fighters. Make a new one "
                "for each entry."
            )
            raise StateConflict("fighter-differs", sentence, field=f"fighters.{place}.client_id")
    if any(reasons.get(str(each), reason) != reason for each in ids):
        sentence = (
            "These fighters joined with another reason for overruling the rules, under the same "
            "client_id."
        )
        raise StateConflict("fighter-differs", sentence, field="overrule")
    return True


def _is_same(recruit: Recruit | None, fighter: NewFighter, build: BuildData, profile: str) -> bool:
    """Return whether a recruit equals what is sent now, apart from a number that we appended."""
    if recruit is None or recruit.build != build:
        return False
    name = clean_name("name", fighter.name or profile)
    if fighter.name and fighter.count == 1:
        return recruit.name == name
    return re.fullmatch(re.escape(name[:90]) + r" \d+", recruit.name) is not None


def _recruits(
    locked: LockedWarband, fighters: Sequence[NewFighter], ids: Sequence[UUID]
) -> list[Recruit]:
    if len(locked.state.fighters) + len(ids) > MAX_FIGHTERS:
        raise field_error(
            "fighters",
            "roster-full",
            gettext("A roster holds %(most_fighters)s fighters at most, including the fallen.")
            % {"most_fighters": MAX_FIGHTERS},
        )
    builds = _clean_builds(locked, fighters)
    profiles = [
        locked.rules.fighter_facts(build, locked.state.terms).profile_name for build in builds
    ]
    requested = [
        (
            clean_name(f"fighters.{place}.name", fighter.name or profile),
            bool(fighter.name) and fighter.count == 1,
        )
        for place, (fighter, profile) in enumerate(zip(fighters, profiles, strict=True))
    ]
    names = fighter_names(locked.state, requested, [fighter.count for fighter in fighters])
    spread = [
        build for build, fighter in zip(builds, fighters, strict=True) for _ in range(fighter.count)
    ]
    return [
        Recruit(str(key), name, build) for key, name, build in zip(ids, names, spread, strict=True)
    ]


def _clean_builds(locked: LockedWarband, fighters: Sequence[NewFighter]) -> list[BuildData]:
    """Return the builds in canonical form. Raises RulesError with the problems of all of them."""
    builds: list[BuildData] = []
    problems: list[Problem] = []
    for place, fighter in enumerate(fighters):
        try:
            builds.append(_clean_build(locked, fighter.build, f"fighters.{place}.build."))
        except RulesError as error:
            problems += error.problems
    if problems:
        raise RulesError(*problems)
    return builds


def _clean_build(locked: LockedWarband, build: BuildData, prefix: str) -> BuildData:
    raw = clean_json(prefix.rstrip("."), build)
    try:
        return clean_json(prefix.rstrip("."), locked.rules.clean_build(raw, locked.state.terms))
    except RulesError as error:
        raise RulesError(
            *(replace(each, field=prefix + each.field) for each in error.problems)
        ) from error


def reason_to_recruit(locked: LockedWarband, fact: Recruited, user: User, reason: str) -> str:
    """Return the reason to override the rules for these recruits, "" if the rules allow them.

    Raises InvalidInput "illegal-roster" without a reason, Forbidden if the user may not override
    the rules.
    """
    if not locked.in_play:
        return ""
    joining = {recruit.fighter for recruit in fact.recruits}
    after = step(locked.state, fact, find_ruleset).state.roster
    problems = new_problems(
        locked.rules, locked.state.roster, after, RosterPurpose.RECRUIT, joining
    )
    if not forbids(problems):
        return ""
    return overruled(locked, user, reason, otherwise=illegal_roster(problems))


def fighter_ids(warband_id: UUID, fighters: Iterable[NewFighter]) -> list[UUID]:
    """Return an id for each new fighter.

    With a client's id, they are derived from it and from the warband: the same request gives the
    same fighters, and nobody can produce the ids of another warband's fighters.
    """
    return [
        uuid4() if each.client_id is None else uuid5(warband_id, f"{each.client_id}/{number}")
        for each in fighters
        for number in range(each.count)
    ]


def fighter_names(
    state: WarbandState, requested: Sequence[tuple[str, bool]], counts: Sequence[int]
) -> list[str]:
    """Return a name for each new fighter.

    ``requested`` holds, for each group, its name and whether to take it as it is. Otherwise the
    next number that is free on the roster is appended.
    """
    taken = [fighter.name for fighter in state.fighters.values()]
    names: list[str] = []
    for (name, alone), count in zip(requested, counts, strict=True):
        names += [name] if alone else _numbered(name, count, [*taken, *names])
    return names


def _numbered(name: str, count: int, taken: Iterable[str]) -> list[str]:
    matches = (re.fullmatch(re.escape(name) + r" (\d{1,6})", each) for each in taken)
    last = max((int(number[1]) for number in matches if number), default=0)
    return [f"{name[:90]} {number}" for number in range(last + 1, last + count + 1)]


def illegal_roster(problems: Iterable[Problem]) -> InvalidInput:
    """Return the error "illegal-roster" with every problem that a change would cause."""
    problems = tuple(problems)
    worst = next(problem for problem in problems if problem.severity is Severity.FORBIDS)
    return InvalidInput(
        "illegal-roster",
        gettext("%(sentence)s An organiser can override this with a reason.")
        % {"sentence": worst.sentence},
        problems=problems,
    )
