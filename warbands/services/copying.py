"""A new draft from a warband, as it is now or as it set out."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from audit.services.recording import told_as_one
from audit.verbs import Verb
from core.cleaning import clean_json
from core.errors import NotFound
from rulebook.chronicle.facts import Appointed, Enrolled, Fought, Furnished, Recruit, Recruited
from rulebook.chronicle.fold import effective, step
from rulebook.chronicle.states import GONE, WarbandState, without_holders
from rulebook.registry import find_ruleset
from rulebook.ruleset import Terms
from warbands.models import Warband
from warbands.reading import read_state
from warbands.services.chronicle import append_facts, read_chronicle
from warbands.services.locking import record_warband
from warbands.services.mustering import muster_warband


@transaction.atomic
def copy_warband(*, warband_id: UUID, user: User, name: str = "", starting: bool = False) -> Warband:
    """A new draft of one's own with the same fighters, posts and purchases; experience and wounds stay behind.

    ``starting`` takes the roster as it first set out, before any campaign or battle, instead of those alive now.
    Everybody who may see a warband may copy it. Raises NotFound, Refused, RulesError if the rules no longer know a
    purchase.
    """
    source = Warband.objects.visible_to(user).filter(pk=warband_id).first()
    if source is None:
        raise NotFound("unknown-warband", gettext("There is no such warband here, or it is not yours to see."))
    state = _starting_state(warband_id) if starting else read_state(source)
    name = name or (gettext("Copy of %(warband)s") % {"warband": state.name})[:100]
    with told_as_one():
        copied = muster_warband(user=user, ruleset=source.ruleset, faction=state.faction, name=name)
    _fill(copied, state, user)
    copied.refresh_from_db()
    record_warband(Verb.WARBAND_COPIED, copied, user)
    return copied


def _starting_state(warband_id: UUID) -> WarbandState:
    """The roster before the first campaign or battle, corrections honoured."""
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
            {copied.id: Recruited(recruits=tuple(Recruit(ids[each.id], each.name, each.build) for each in fighters))},
            user=user,
        )
    if state.extras:
        rules = find_ruleset(copied.ruleset, copied.edition)
        extras = rules.clean_extras(with_new_ids(state.extras, ids), Terms(faction=state.faction))
        append_facts({copied.id: Furnished(extras=clean_json("extras", extras))}, user=user)
    staying = without_holders(state.posts, {holder for held in state.posts.values() for holder in held} - ids.keys())
    if staying:
        posts = {post: tuple(ids[holder] for holder in holders) for post, holders in staying.items()}
        append_facts({copied.id: Appointed(posts=posts)}, user=user)


def with_new_ids(value: Any, ids: Mapping[str, str]) -> Any:
    """The JSON with each fighter's id replaced by that of its copy: a crew stays with its gun."""
    if isinstance(value, Mapping):
        return {key: with_new_ids(each, ids) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [with_new_ids(each, ids) for each in value]
    return ids.get(value, value) if isinstance(value, str) else value
