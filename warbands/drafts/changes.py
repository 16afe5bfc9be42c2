"""Changes of a roster's draft, one class for each kind, as pages and the API send them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from core.cleaning import clean_json, clean_name, clean_number, field_error
from core.errors import InvalidInput, StateConflict
from core.ruleset_words import translated_words
from rulebook.book.names import suggested_name
from rulebook.chronicle.states import WarbandState
from rulebook.dice.rolls import Generator
from rulebook.ruleset import BuildData, Post, Problem, RosterPurpose, RulesError, Ruleset
from rulebook.values.fields import Field, nested
from warbands.drafts.autofill import can_fill, fill
from warbands.drafts.values import Draft, DraftRecruit, drafted, limit_of, offers

MAX_JOINING = 100
MAX_LIMIT = 100_000


class ChangeContext(Struct, frozen=True):
    """The warband, rules and builds for a change of its draft.

    ``state`` is the warband as in its chronicle, ``bare`` are the plain builds of every profile
    that it can recruit, ``special`` the builds that only some fighters have. ``generator`` chooses
    names.
    """

    state: WarbandState
    rules: Ruleset
    in_play: bool
    bare: Sequence[BuildData]
    generator: Generator
    special: Sequence[BuildData] = ()

    @property
    def purpose(self) -> RosterPurpose:
        """The purpose for which the drafted roster is checked."""
        return RosterPurpose.RECRUIT if self.in_play else RosterPurpose.BUILD

    def cleaned(self, draft: Draft, build: BuildData) -> BuildData:
        """Return the build in canonical form under the draft's terms.

        Raises RulesError, InvalidInput.
        """
        terms = drafted(replace(draft, joining=(), builds={}), self.state).terms
        return clean_json("build", self.rules.clean_build(clean_json("build", build), terms))

    def cleaned_request(self, draft: Draft, build: BuildData) -> BuildData:
        """Return the ``build`` of a change in canonical form.

        Problems name their place in the change.
        """
        try:
            return self.cleaned(draft, build)
        except RulesError as error:
            error.within = "build"
            raise

    def expect_open(self, draft: Draft, fighters: Iterable[str]) -> None:
        """Check that the builds of these fighters can still be chosen.

        Raises StateConflict for fighters that are no longer in the draft, InvalidInput
        "roster-locked" for veterans of a roster that is in play.
        """
        joining = {each.id for each in draft.joining}
        for fighter in fighters:
            if draft.build_of(self.state, fighter) is None:
                sentence = gettext(
                    "Someone else removed this fighter. Check the current roster below."
                )
                raise StateConflict("draft-went-on", sentence, field="fighter")
            if self.in_play and fighter not in joining:
                raise field_error(
                    "fighter",
                    "roster-locked",
                    gettext("This warband is in a campaign. You can only change recruits here."),
                )


Changed = tuple[Draft, str]
"""The draft after a change, and a message about the change, or ""."""


class DraftChange(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A change of a draft."""

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        """Return the draft after the change. Raises RulesError, InvalidInput, StateConflict."""
        raise NotImplementedError


class Add(DraftChange, frozen=True, tag="add"):
    """Add fighters of one build. Without a name, each gets its profile's with a number."""

    build: dict[str, Any]
    count: int = 1
    name: str = ""

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        clean_number("count", self.count, least=1, most=50)
        if len(draft.joining) + self.count > MAX_JOINING:
            raise field_error(
                "count",
                "draft-full",
                gettext("You can add %(most_joining)s recruits at once. Save these first.")
                % {"most_joining": MAX_JOINING},
                str(self.count),
            )
        build = bench.cleaned_request(draft, self.build)
        name = clean_name("name", self.name) if self.name and self.count == 1 else ""
        joining = tuple(DraftRecruit(str(uuid4()), build, name) for _ in range(self.count))
        return replace(draft, joining=(*draft.joining, *joining)), ""


class Duplicate(DraftChange, frozen=True, tag="copy"):
    """Add more fighters with the build of another one, without names."""

    fighter: str
    count: int = 1

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        build = draft.build_of(bench.state, self.fighter)
        if build is None:
            bench.expect_open(draft, [self.fighter])
        return Add({**(build or {})}, self.count).apply(draft, bench)


class Remove(DraftChange, frozen=True, tag="remove"):
    """Remove recruits or strike fighters off. Fighters that are already gone are ignored."""

    fighters: tuple[str, ...]

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        present = [each for each in self.fighters if draft.build_of(bench.state, each) is not None]
        bench.expect_open(draft, present)
        return draft.without(bench.state, present), ""


class RemoveOne(DraftChange, frozen=True, tag="fewer"):
    """Remove the last fighter that has the same build as this one."""

    fighter: str

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        build = draft.build_of(bench.state, self.fighter)
        bench.expect_open(draft, [self.fighter])
        recruits = [each.id for each in draft.joining if each.build == build]
        veterans = [] if bench.in_play else [
            key for key in bench.state.fighters if draft.build_of(bench.state, key) == build
        ]  # fmt: skip
        return Remove((*veterans, *recruits)[-1:]).apply(draft, bench)


class Name(DraftChange, frozen=True, tag="name"):
    """Rename fighters, by their ids; "" removes the name of a recruit."""

    names: dict[str, str]

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        cleaned: dict[str, str] = {}
        for fighter, name in self.names.items():
            if draft.build_of(bench.state, fighter) is not None:
                cleaned[fighter] = clean_name(f"names.{fighter}", name) if name.strip() else ""
        return draft.with_names(bench.state, cleaned), ""


class NameAll(DraftChange, frozen=True, tag="name-all"):
    """Name all recruits without a name from the faction's names, each used once in the warband."""

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        taken = {draft.names.get(key, each.name) for key, each in bench.state.fighters.items()}
        taken |= {each.name for each in draft.joining}
        names: dict[str, str] = {}
        for recruit in draft.joining:
            if recruit.name:
                continue
            if name := suggested_name(
                bench.rules.names, bench.state.faction, recruit.build, taken, bench.generator
            ):
                names[recruit.id] = name
                taken.add(name)
        message = (
            gettext("%(number)s named.") % {"number": len(names)}
            if names
            else gettext("All fighters already have names.")
        )
        return draft.with_names(bench.state, names), message


class Equip(DraftChange, frozen=True, tag="equip"):
    """Give one or several fighters the same build."""

    fighters: tuple[str, ...]
    build: dict[str, Any]

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        bench.expect_open(draft, self.fighters)
        build = bench.cleaned_request(draft, self.build)
        return draft.with_builds(bench.state, dict.fromkeys(self.fighters, build)), ""


class Give(DraftChange, frozen=True, tag="give"):
    """Give several fighters one choice: a field of the build and a value of it.

    A field that takes several values gets one more. Fighters that cannot have the choice stay as
    they are.
    """

    fighters: tuple[str, ...]
    field: str
    choice: str

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        bench.expect_open(draft, self.fighters)
        terms = drafted(draft, bench.state).terms
        builds: dict[str, BuildData] = {}
        for fighter in self.fighters:
            build = draft.build_of(bench.state, fighter) or {}
            build_field = {
                field.key: field for field in bench.rules.build_fields(build, terms)
            }.get(self.field)
            if build_field is None or not offers(build_field, self.choice):
                continue
            try:
                given = nested({build_field.key: self._value(build_field)})
                implied = bench.rules.implied_changes(given)
                builds[fighter] = bench.cleaned(draft, merged(build, {**implied, **given}))
            except RulesError:
                continue
        if not builds:
            raise field_error(
                "choice",
                "nobody-can-have-it",
                gettext("No selected fighter can have this."),
                self.choice[:40],
            )
        message = gettext("Added to %(number)s.")
        if len(builds) < len(self.fighters):
            message = gettext("Added to %(number)s of %(all)s.")
        return draft.with_builds(bench.state, builds), message % {
            "number": len(builds),
            "all": len(self.fighters),
        }

    def _value(self, build_field: Field) -> Any:
        if build_field.kind == "list":
            had = [each for each in str(build_field.default or "").split(",") if each]
            return [*had, *(() if self.choice in had else (self.choice,))]
        if build_field.kind == "flag":
            return self.choice == "true"
        return (
            [each for each in self.choice.split(",") if each]
            if build_field.kind == "picks"
            else self.choice
        )


class Appoint(DraftChange, frozen=True, tag="appoint"):
    """Appoint a fighter to a post or dismiss it. In a post for one, it replaces the holder."""

    post: str
    fighter: str
    holds: bool = True

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        after = drafted(draft, bench.state)
        post = next(
            (each for each in bench.rules.posts(after.terms) if each.key == self.post), None
        )
        build = draft.build_of(bench.state, self.fighter)
        if build is None:
            sentence = gettext("Someone else removed this fighter. Check the current roster below.")
            raise StateConflict("draft-went-on", sentence, field="fighter")
        if post is None:
            raise field_error(
                "post", "unknown-post", f"There is no post {self.post!r}.", self.post[:40]
            )
        held = [holder for holder in after.posts.get(post.key, ()) if holder != self.fighter]
        if self.holds:
            held = self._joined(held, post, bench.rules.post_problem(post.key, build, after.terms))
        return replace(draft, posts={**after.posts, post.key: tuple(held)}), ""

    def _joined(self, held: list[str], post: Post, wrong: Problem | None) -> list[str]:
        if wrong is not None:
            # Rule systems name the post; in this change the post is the value of a field.
            raise InvalidInput(
                wrong.code, wrong.sentence, problems=[replace(wrong, field="post")], field="post"
            )
        if post.most > 1 and len(held) >= post.most:
            raise field_error(
                "post",
                "too-many-holders",
                gettext("%(post)s: %(most)s at most.") % {"post": post.name, "most": post.most},
                str(len(held)),
            )
        return [*(held if post.most > 1 else ()), self.fighter]


class Buy(DraftChange, frozen=True, tag="buy"):
    """Replace what the warband buys as a whole."""

    extras: dict[str, Any]

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        terms = drafted(draft, bench.state).terms
        extras = clean_json(
            "extras", bench.rules.clean_extras(clean_json("extras", self.extras), terms)
        )
        if extras != bench.state.extras and bench.in_play:
            raise field_error(
                "extras",
                "roster-locked",
                gettext("This warband is in a campaign. Ask an organiser to change this."),
            )
        return replace(draft, extras=None if extras == bench.state.extras else extras), ""


class Limit(DraftChange, frozen=True, tag="limit"):
    """Set the limit; None means no limit. In a campaign its points limit counts.

    ``points`` are fighters for a rule system without points: Auto-fill adds up to so many.
    """

    points: int | None

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        if self.points is not None:
            clean_number("points", self.points, least=1, most=MAX_LIMIT)
        return replace(draft, limit=self.points), ""


class Fill(DraftChange, frozen=True, tag="fill"):
    """Add legal builds up to the limit, and fill the posts that somebody must hold.

    The limit is in points, or in fighters for a rule system without points.
    """

    def apply(self, draft: Draft, bench: ChangeContext) -> Changed:
        after, limit = drafted(draft, bench.state), limit_of(draft, bench.state)
        rules, words = bench.rules, translated_words(bench.rules.words)
        if not can_fill(rules, after.roster):
            raise field_error(
                "do",
                "cannot-fill",
                gettext("%(game)s has no Auto-fill. Add %(fighters)s one by one.")
                % {"game": rules.name, "fighters": words.fighters},
            )
        if limit is None:
            raise field_error(
                "limit",
                "no-limit",
                gettext("Enter a points limit first.")
                if rules.points.counted
                else gettext("Enter the number of %(fighters)s first.")
                % {"fighters": words.fighters},
            )
        filled = fill(rules, after.roster, bench.bare, bench.purpose, bench.special, limit=limit)
        if not filled.fighters:
            return draft, gettext("Nothing else fits within the limit and the rules.")
        joining = tuple(DraftRecruit(each.id, each.build) for each in filled.fighters)
        posts = None if filled.posts == bench.state.posts else filled.posts
        filled_draft = replace(draft, joining=(*draft.joining, *joining), posts=posts)
        facts = [rules.fighter_facts(each.build, after.terms) for each in joining]
        counts = Counter(each.profile_name for each in facts).items()
        added = ", ".join(f"{number} {name}" for name, number in counts)
        if not rules.points.counted:
            return filled_draft, gettext("Added %(fighters)s.") % {"fighters": added}
        return filled_draft, gettext("Added %(fighters)s: %(points)s points.") % {
            "fighters": added,
            "points": sum(each.points for each in facts),
        }


AnyChange = (
    Add
    | Duplicate
    | Remove
    | RemoveOne
    | Name
    | NameAll
    | Equip
    | Give
    | Appoint
    | Buy
    | Limit
    | Fill
)


def merged(build: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the build with the changes applied; maps are merged recursively."""
    result = dict(build)
    for key, value in changes.items():
        had = result.get(key)
        result[key] = (
            merged(had, value) if isinstance(value, Mapping) and isinstance(had, Mapping) else value
        )
    return result
