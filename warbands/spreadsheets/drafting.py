"""A spreadsheet as the draft of a roster, which the builder's services record."""

from collections import defaultdict
from collections.abc import Mapping

from django.utils.translation import gettext
from msgspec.structs import replace

from core.errors import InvalidInput
from core.search_text import plain_name
from rulebook.chronicle.states import FighterState, WarbandState, without_holders
from rulebook.registry import find_ruleset
from rulebook.ruleset import Posts
from warbands.drafts.values import Draft, DraftRecruit, drafted
from warbands.services.warbands import with_new_ids
from warbands.spreadsheets.reading import GridReader, ReadFighter, ReadRoster


def roster_locked() -> InvalidInput:
    """Return the error for a spreadsheet for a roster in play."""
    sentence = gettext(
        "This warband is in a campaign. You can import a spreadsheet only while you build a roster."
    )
    return InvalidInput("roster-locked", sentence, field="csv")


def draft_of_spreadsheet(
    content: bytes | str, state: WarbandState, before: Draft, *, in_place: bool = False
) -> tuple[Draft, ReadRoster]:
    """Return the draft of a roster after a spreadsheet, and the spreadsheet's content.

    The spreadsheet's fighters are added to the draft. With ``in_place`` the spreadsheet is the
    whole roster: fighters named in it stay, with its builds, and all others are removed. Raises
    UnreadableSpreadsheet with every wrong cell.
    """
    rules = find_ruleset(state.ruleset, state.edition)
    if in_place:
        before = Draft(limit=before.limit)
        reader = GridReader(rules, state.terms, content)
        return _in_place(reader.read(()), state, before)
    after = drafted(before, state)
    serving = tuple(each for each in after.roster.fighters if not after.fighters[each.id].gone)
    read = GridReader(rules, after.terms, content).read(serving)
    joining = tuple(DraftRecruit(each.id, each.build, each.name) for each in read.fighters)
    # The rows of a spreadsheet keep their order.
    draft = replace(before, joining=(*before.joining, *joining), by_rank=False)
    if read.extras is not None:
        draft = replace(draft, extras=None if read.extras == state.extras else read.extras)
    if read.posts:
        most = {post.key: post.most for post in rules.posts(after.terms)}
        posts = {
            key: holders if most.get(key, 1) == 1 else (*after.posts.get(key, ()), *holders)
            for key, holders in read.posts.items()
        }
        draft = replace(draft, posts={**after.posts, **posts})
    return draft, read


def _renamed(
    read: ReadRoster,
    serving: Mapping[str, list[FighterState]],
    staying: dict[str, ReadFighter],
) -> dict[str, str]:
    """Add renamed fighters to those who stay, and return their new names.

    A fighter is renamed if it is the only one left of its build, and one row is left of that build.
    """
    matched = {each.id for each in staying.values()}
    rows = [each for each in read.fighters if each.id not in matched and each.name]
    left = [fighter for fighters in serving.values() for fighter in fighters]
    names: dict[str, str] = {}
    for fighter in left:
        same_rows = [each for each in rows if each.build == fighter.build]
        if len(same_rows) == sum(each.build == fighter.build for each in left) == 1:
            staying[fighter.id] = same_rows[0]
            names[fighter.id] = same_rows[0].name
            serving[plain_name(fighter.name)].remove(fighter)
    return names


def _in_place(read: ReadRoster, state: WarbandState, draft: Draft) -> tuple[Draft, ReadRoster]:
    """Return the draft that makes the roster equal to what was read."""
    serving: dict[str, list[FighterState]] = defaultdict(list)
    for fighter in state.fighters.values():
        if not fighter.gone:
            serving[plain_name(fighter.name)].append(fighter)
    staying: dict[str, ReadFighter] = {}
    # Match exact names before similar ones, and for each the same build before another.
    for same_letters, same_build in ((True, True), (True, False), (False, True), (False, False)):
        for read_fighter in read.fighters:
            left = (
                []
                if read_fighter.id in {fighter.id for fighter in staying.values()}
                else serving[plain_name(read_fighter.name)]
            )
            same = next(
                (
                    fighter
                    for fighter in left
                    if (fighter.name == read_fighter.name or not same_letters)
                    and (fighter.build == read_fighter.build or not same_build)
                ),
                None,
            )
            if same is not None:
                staying[same.id] = read_fighter
                left.remove(same)
    names = _renamed(read, serving, staying)
    ids = {each.id: key for key, each in staying.items()}
    joining = tuple(
        DraftRecruit(each.id, each.build, each.name) for each in read.fighters if each.id not in ids
    )
    draft = replace(
        draft,
        joining=joining,
        struck=tuple(fighter.id for left in serving.values() for fighter in left),
        builds={
            key: each.build
            for key, each in staying.items()
            if each.build != state.fighters[key].build
        },
    )
    draft = replace(draft, names=names, by_rank=False)
    if read.extras is not None:
        extras = with_new_ids(read.extras, ids)
        draft = replace(draft, extras=None if extras == state.extras else extras)
    if read.posts is not None:
        posts: Posts = {
            key: tuple(ids.get(holder, holder) for holder in holders)
            for key, holders in read.posts.items()
        }
        draft = replace(
            draft, posts=None if posts == without_holders(state.posts, draft.struck) else posts
        )
    return draft, read
