"""Facts about the roster: who joins and leaves, equipment, warband roles, and order."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.facts.base import Fact, FighterFact
from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import FighterState
from rulebook.chronicle.wording import Wording, gettext_noop, isolated, with_reason
from rulebook.ruleset import Fate, Posts, RulesError


class Recruit(Struct, frozen=True):
    """A fighter who joins: the caller chooses the id, and the build is the rule system's."""

    fighter: str
    name: str
    build: Mapping[str, Any]


class Recruited(Fact, frozen=True, tag="recruited"):
    """Fighters join the roster. ``reason`` is the organiser's reason for an override, if any."""

    label = gettext_noop("Recruits")
    undoable = True

    recruits: tuple[Recruit, ...] = ()
    reason: str = ""

    @property
    def fighters(self) -> tuple[str, ...]:
        return tuple(recruit.fighter for recruit in self.recruits)

    @property
    def fighter_names(self) -> dict[str, str]:
        return {recruit.fighter: recruit.name for recruit in self.recruits}

    def apply(self, draft: StateDraft) -> None:
        for recruit in self.recruits:
            if recruit.fighter in draft.fighters:
                draft.add_conflict(
                    "already-recruited",
                    f"{recruit.name} is on the roster already.",
                    recruit.fighter,
                )
                continue
            unrated = FighterState(
                id=recruit.fighter,
                name=recruit.name,
                build=recruit.build,
                rank=0,
                points=0,
                profile_name="",
                joined_after=draft.state.games_played,
                place=draft.state.recruited,
            )
            fighter = draft.rated(unrated)
            if fighter is not None:
                draft.fighters[fighter.id] = fighter
                draft.state = replace(draft.state, recruited=draft.state.recruited + 1)

    def phrase(self, wording: Wording) -> str:
        recruits = wording.gettext("nobody")
        if self.recruits:
            recruits = wording.list_names(isolated(recruit.name) for recruit in self.recruits)
        return with_reason(
            wording.gettext("recruited %(recruits)s") % {"recruits": recruits}, self.reason
        )


class Equipped(FighterFact, frozen=True, tag="equipped"):
    """A fighter's build is replaced."""

    label = gettext_noop("Equipment")
    undoable = True

    build: Mapping[str, Any] = {}
    reason: str = ""

    def apply(self, draft: StateDraft) -> None:
        fighter = draft.serving_fighter(self.fighter)
        equipped = None if fighter is None else draft.rated(replace(fighter, build=self.build))
        if equipped is not None:
            draft.fighters[equipped.id] = equipped

    def phrase(self, wording: Wording) -> str:
        text = wording.gettext("re-equipped %(fighter)s") % {
            "fighter": wording.fighter(self.fighter)
        }
        return with_reason(text, self.reason)


class Furnished(Fact, frozen=True, tag="furnished"):
    """The purchases of the whole warband are replaced: banner, guns, Morale of a custom warband."""

    label = gettext_noop("Shared purchases")
    concerns_everybody = True
    undoable = True

    extras: Mapping[str, Any] = {}
    reason: str = ""

    def apply(self, draft: StateDraft) -> None:
        draft.serve_on(extras=self.extras)

    def phrase(self, wording: Wording) -> str:
        return with_reason(wording.gettext("changed its shared purchases"), self.reason)


class Appointed(Fact, frozen=True, tag="appointed"):
    """The warband roles are filled again; a role that is left out is empty."""

    label = gettext_noop("Posts")
    undoable = True

    posts: Posts = {}

    @property
    def fighters(self) -> tuple[str, ...]:
        return tuple(holder for holders in self.posts.values() for holder in holders)

    def apply(self, draft: StateDraft) -> None:
        posts = {post: holders for post, holders in self.posts.items() if holders}
        if any(
            draft.serving_fighter(holder) is None
            for holders in posts.values()
            for holder in holders
        ):
            return
        draft.state = replace(draft.state, posts=posts)

    def phrase(self, wording: Wording) -> str:
        as_post = wording.gettext("%(fighter)s as %(post)s")
        pairs = [(holder, post) for post, holders in self.posts.items() for holder in holders]
        held = [
            as_post % {"fighter": wording.fighter(holder), "post": wording.names.get(post, post)}
            for holder, post in pairs
        ]
        if not held:
            return wording.gettext("removed all warband roles")
        return wording.gettext("appointed %(held)s") % {"held": wording.list_names(held)}


class Arranged(Fact, frozen=True, tag="arranged"):
    """The roster is reordered.

    ``order`` lists fighters in their new order; they share the places that they had together.
    ``moved`` maps fighters who change their group to the key of the new one.
    """

    label = gettext_noop("Order of the roster")

    order: tuple[str, ...] = ()
    moved: Mapping[str, str] = {}

    @property
    def fighters(self) -> tuple[str, ...]:
        return tuple(self.moved)

    def apply(self, draft: StateDraft) -> None:
        """Reorder the roster, and ignore fighters who are missing or gone.

        Corrections of earlier battles therefore never invalidate an order.
        """
        ordered = [
            draft.fighters[key] for key in dict.fromkeys(self.order) if key in draft.fighters
        ]
        for fighter, place in zip(ordered, sorted(each.place for each in ordered), strict=True):
            draft.fighters[fighter.id] = replace(fighter, place=place)
        for key, group in self.moved.items():
            mover = draft.fighters.get(key)
            if mover is not None and not mover.gone:
                _move(draft, mover, group)
        draft.fighters = dict(sorted(draft.fighters.items(), key=lambda each: each[1].place))

    def phrase(self, wording: Wording) -> str:
        into = wording.gettext("%(fighter)s to %(group)s")
        out = wording.gettext("%(fighter)s out of its group")
        moved = [
            (into if group else out) % {"fighter": wording.fighter(fighter), "group": group}
            for fighter, group in self.moved.items()
        ]
        if not moved:
            return wording.gettext("reordered its roster")
        return wording.gettext("moved %(moved)s") % {"moved": wording.list_names(moved)}


def _move(draft: StateDraft, fighter: FighterState, group: str) -> None:
    try:
        build = draft.rules.regrouped(fighter.build, group, draft.state.terms)
    except RulesError as error:
        draft.add_lasting_conflict("unreadable-build", str(error), fighter.id)
        return
    moved = draft.rated(replace(fighter, build=build))
    if moved is not None:
        draft.fighters[moved.id] = moved


class Renamed(Fact, frozen=True, tag="renamed"):
    """A fighter is renamed, or the warband if there is no fighter."""

    label = gettext_noop("Names")

    fighter: str | None = None
    name: str = ""

    @property
    def fighters(self) -> tuple[str, ...]:
        return (self.fighter,) if self.fighter else ()

    @property
    def fighter_names(self) -> dict[str, str]:
        return {self.fighter: self.name} if self.fighter else {}

    def apply(self, draft: StateDraft) -> None:
        if self.fighter is None:
            draft.state = replace(draft.state, name=self.name)
            return
        fighter = draft.known_fighter(self.fighter)
        if fighter is not None:
            draft.fighters[fighter.id] = replace(fighter, name=self.name)

    def phrase(self, wording: Wording) -> str:
        if self.fighter:
            return wording.gettext("renamed a fighter: %(name)s") % {"name": self.name}
        return wording.gettext("took the name %(name)s") % {"name": self.name}


PARTINGS: Mapping[str, str] = {
    "retired": gettext_noop("retired %(fighter)s"),
    "dismissed": gettext_noop("dismissed %(fighter)s"),
    "deserted": gettext_noop("lost %(fighter)s to desertion"),
    "struck": gettext_noop("removed %(fighter)s from the roster"),
}
"""The phrases for leaving the roster, by reason."""


class Left(FighterFact, frozen=True, tag="left"):
    """A fighter leaves the roster.

    ``reason`` is "retired", "dismissed", "deserted", or "struck" for a roster not yet in play.
    """

    label = gettext_noop("Fighters who left")
    undoable = True

    reason: str = "retired"

    def apply(self, draft: StateDraft) -> None:
        fighter = draft.serving_fighter(self.fighter)
        if fighter is None or fighter.gone:
            return
        struck = self.reason == "struck"
        veteran = f"{fighter.name} has a history and cannot be removed. Retire it instead."
        if struck and fighter.untried:
            del draft.fighters[fighter.id]
        elif struck and draft.add_conflict("struck-veteran", veteran, fighter.id):
            return
        else:
            draft.fighters[fighter.id] = replace(
                fighter, fate=Fate.RETIRED, end=self.reason, misses=0
            )
        draft.empty_posts()

    def phrase(self, wording: Wording) -> str:
        text = wording.gettext(PARTINGS.get(self.reason, "parted with %(fighter)s"))
        return text % {"fighter": wording.fighter(self.fighter)}
