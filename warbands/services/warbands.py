"""Create, copy, edit and archive warbands."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from audit.services.recording import audit_suppressed, told_pair
from audit.verbs import Verb
from core.cleaning import MAX_STORY, clean_json, field_error
from core.errors import InvalidInput, NotFound
from core.inputs import Input, column, field, validate_fields
from core.users import Visibility, expect_person
from rulebook.chronicle.facts import (
    Appointed,
    Enrolled,
    Fought,
    Furnished,
    Mustered,
    Recruit,
    Recruited,
    Renamed,
)
from rulebook.chronicle.replay import effective, step
from rulebook.chronicle.states import GONE, WarbandState, without_holders
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import CampaignTerms
from warbands.models import Warband
from warbands.rulebook_values import read_state
from warbands.services.chronicle import append_facts, read_chronicle
from warbands.services.locking import expect_editor, lock_warband, lock_warbands, record_warband
from warbands.services.rank_up_offers import append_fact
from warbands.signed import create_signed, save_signed, update_signed

NAME = column(Warband, "name", _("Name"), min_length=1, line=True, null=False)
STORY = field(_("Story"), api="Story in Markdown.", max_length=MAX_STORY, null=False)
VISIBILITY = field(_("Visibility"), null=False)


class NewWarband(Input, frozen=True, kw_only=True):
    """A new warband."""

    ruleset: Annotated[str, field(api="Key of the rule system.", min_length=1, max_length=40)]
    faction: Annotated[
        str, field(_("Army list"), api="Key of the faction.", min_length=1, max_length=60)
    ]
    name: Annotated[str, NAME]
    extras: Annotated[
        dict[str, Any] | UnsetType,
        field(api="Purchases by the rule system's keys."),
    ] = UNSET
    visibility: Annotated[Visibility, VISIBILITY] = Visibility.PRIVATE
    story: Annotated[str, STORY] = ""
    kept: Annotated[
        bool,
        field(
            _("This warband belongs to a player without an account"),
            _("You can transfer it later, or the player takes it over with a club invitation."),
            api="Whether it belongs to a player without an account.",
        ),
    ] = False


class WarbandEdit(Input, frozen=True, kw_only=True):
    """Changes of a warband apart from its chronicle; absent fields stay as they are."""

    name: Annotated[str | UnsetType, NAME] = UNSET
    visibility: Annotated[Visibility | UnsetType, VISIBILITY] = UNSET
    story: Annotated[str | UnsetType, STORY] = UNSET


class CopyTerms(Input, frozen=True, kw_only=True):
    """Options for a copy of a warband."""

    name: Annotated[
        str, column(Warband, "name", _("Name"), _("Leave blank to keep the name."), line=True)
    ] = ""
    starting: Annotated[
        bool,
        field(
            _("Original roster"),
            _("Copy the warband as it entered its first campaign, not as it is now."),
            api="Copy the original roster, not the present one.",
        ),
    ] = False


@transaction.atomic
def copy_warband(
    *, warband_id: UUID, user: User, name: str = "", starting: bool = False
) -> Warband:
    """Copy a warband's fighters, posts and purchases into a new warband of the user; return it.

    Experience and wounds are not copied. ``starting`` takes the roster before the first campaign or
    battle instead of the fighters alive now. Everyone who can see a warband may copy it. Raises
    NotFound, InvalidInput, RulesError if the rules no longer know a purchase.
    """
    source = Warband.objects.visible_to(user).filter(pk=warband_id).first()
    if source is None:
        raise NotFound("unknown-warband", gettext("Warband not found, or you do not have access."))
    state = _starting_state(warband_id) if starting else read_state(source)
    name = name or (gettext("Copy of %(warband)s") % {"warband": state.name})[:100]
    with audit_suppressed():
        copied = muster_warband(user=user, ruleset=source.ruleset, faction=state.faction, name=name)
    _fill(copied, state, user)
    copied.refresh_from_db()
    record_warband(Verb.WARBAND_COPIED, copied, user)
    return copied


def _starting_state(warband_id: UUID) -> WarbandState:
    """Return the roster before the first campaign or battle, with corrections applied."""
    state = WarbandState()
    for sequence, fact in effective(read_chronicle(warband_id)):
        if isinstance(fact, Enrolled | Fought):
            break
        state = step(state, fact, find_ruleset, sequence=sequence).state
    return state


def _fill(copied: Warband, state: WarbandState, user: User) -> None:
    fighters = [fighter for fighter in state.fighters.values() if fighter.fate not in GONE]
    ids = {fighter.id: str(uuid4()) for fighter in fighters}
    if fighters:
        append_facts(
            {
                copied.id: Recruited(
                    recruits=tuple(
                        Recruit(ids[each.id], each.name, each.build) for each in fighters
                    )
                )
            },
            user=user,
        )
    if state.extras:
        rules = find_ruleset(copied.ruleset, copied.edition)
        extras = rules.clean_extras(
            with_new_ids(state.extras, ids), CampaignTerms(faction=state.faction)
        )
        append_facts({copied.id: Furnished(extras=clean_json("extras", extras))}, user=user)
    staying = without_holders(
        state.posts, {holder for held in state.posts.values() for holder in held} - ids.keys()
    )
    if staying:
        posts = {
            post: tuple(ids[holder] for holder in holders) for post, holders in staying.items()
        }
        append_facts({copied.id: Appointed(posts=posts)}, user=user)


def with_new_ids(value: Any, ids: Mapping[str, str]) -> Any:
    """Return the JSON with each fighter's id replaced by that of its copy.

    This keeps, for example, the crew of a gun.
    """
    if isinstance(value, Mapping):
        return {key: with_new_ids(each, ids) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [with_new_ids(each, ids) for each in value]
    return ids.get(value, value) if isinstance(value, str) else value


@transaction.atomic
def muster_warband(  # noqa: PLR0913 - what is said of a warband beside its chronicle, each by its own name
    *,
    user: User,
    ruleset: str,
    faction: str,
    name: str,
    extras: Mapping[str, Any] | None = None,
    visibility: str = Visibility.PRIVATE,
    story: str = "",
    kept: bool = False,
    warband_id: UUID | None = None,
) -> Warband:
    """Create an empty warband with the newest edition of a rule system, and return it.

    ``extras`` are its purchases as a whole. The warband belongs to the user; with ``kept`` it
    belongs to a player without an account and the user keeps it. It gets a new id unless one is
    given. Raises RulesError for an unknown rule system, faction or purchase; InvalidInput for
    invalid texts; Forbidden "people-only" for a bot.
    """
    expect_person(user)
    rules = newest_ruleset(ruleset)
    rules.expect_faction(faction)
    bought = rules.clean_extras(clean_json("extras", extras or {}), CampaignTerms(faction=faction))
    cleaned = validate_fields(NewWarband, {"story": story, "name": name})
    warband = create_signed(
        Warband,
        id=warband_id or uuid4(),
        owner=None if kept else user,
        keeper=user if kept else None,
        ruleset=rules.key,
        faction=faction,
        visibility=_visibility(visibility),
        story=cleaned["story"],
    )
    fact = Mustered(
        ruleset=rules.key,
        edition=rules.edition,
        faction=faction,
        name=cleaned["name"],
        extras=clean_json("extras", bought),
    )
    append_facts({warband.id: fact}, user=user)
    warband.refresh_from_db()
    record_warband(Verb.WARBAND_MUSTERED, warband, user)
    return warband


@transaction.atomic
def rename_warband(*, warband_id: UUID, name: str, user: User) -> None:
    """Rename a warband. Raises NotFound, Forbidden, InvalidInput."""
    locked = lock_warband(warband_id, user)
    cleaned = validate_fields(WarbandEdit, {"name": name})["name"]
    if cleaned != locked.state.name:
        append_fact(locked, Renamed(name=cleaned), user)
        _record_change(locked.warband, user, "name", cleaned)


@transaction.atomic
def show_warband(*, warband_id: UUID, visibility: str, user: User) -> None:
    """Set who may see a warband: "private", "unlisted" or "public".

    Raises NotFound, Forbidden, InvalidInput.
    """
    locked = lock_warband(warband_id, user)
    update_signed(Warband.objects.filter(pk=warband_id), visibility=_visibility(visibility))
    _record_change(locked.warband, user, "visibility", visibility)


@transaction.atomic
def archive_warband(*, warband_id: UUID, user: User, archived: bool = True) -> None:
    """Archive a warband, so that it cannot change, or restore it; repeating either has no effect.

    Raises NotFound, Forbidden, InvalidInput "in-campaign" while it is in a campaign.
    """
    warband = lock_warbands([warband_id])[warband_id]
    expect_editor(warband, user)
    if archived and warband.state.get("campaign") is not None:
        raise InvalidInput(
            "in-campaign", gettext("The warband is in a campaign. Withdraw it first.")
        )
    if archived != (warband.archived_at is not None):
        warband.archived_at = timezone.now() if archived else None
        save_signed(warband, "archived_at")
        record_warband(
            Verb.WARBAND_ARCHIVED if archived else Verb.WARBAND_FETCHED_BACK, warband, user
        )


@transaction.atomic
def write_warband_story(*, warband_id: UUID, story: str, user: User) -> None:
    """Set a warband's story, at most 20,000 characters.

    Raises NotFound, Forbidden, InvalidInput.
    """
    locked = lock_warband(warband_id, user)
    story = validate_fields(WarbandEdit, {"story": story})["story"]
    Warband.objects.filter(pk=warband_id).update(story=story)
    _record_change(locked.warband, user, "story", story)


@transaction.atomic
def edit_warband(
    *,
    warband_id: UUID,
    user: User,
    name: str | None = None,
    story: str | None = None,
    visibility: str | None = None,
) -> None:
    """Change a warband's name, story and visibility; None leaves a value as it is.

    Raises NotFound, Forbidden, InvalidInput.
    """
    if name is not None:
        rename_warband(warband_id=warband_id, name=name, user=user)
    if story is not None:
        write_warband_story(warband_id=warband_id, story=story, user=user)
    if visibility is not None:
        show_warband(warband_id=warband_id, visibility=visibility, user=user)


def _record_change(warband: Warband, user: User, field: str, value: str) -> None:
    """Record the user's change of a field, unless the value stays the same.

    ``warband`` is as it was read before the change.
    """
    before = getattr(warband, field)
    if before != value:
        record_warband(
            Verb.WARBAND_CHANGED, warband, user, changes={field: told_pair(before, value)}
        )


def _visibility(visibility: str) -> str:
    if visibility not in Visibility.values:
        choices = ", ".join(Visibility.values)
        raise field_error(
            "visibility",
            "unknown-choice",
            f"{visibility!r} is not valid. Use one of: {choices}.",
            visibility[:40],
        )
    return visibility
