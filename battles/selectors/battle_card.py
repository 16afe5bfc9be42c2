"""The card of an open battle: its progress, what is missing, and the reader's next step."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal
from uuid import UUID

from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle, BattleState, Side, Verdict
from battles.rulebook_values import ruleset_of_battle
from battles.selectors.permissions import BattlePermissions, may_be_set_up
from battles.stored_play import load_battle_play
from campaigns.models import Campaign, CampaignState, Format
from core.ruleset_words import join_names
from rulebook.ruleset import RulesError
from rulebook.values.described import closed
from warbands.models import Warband

Action = Literal[
    "field",
    "count-in",
    "begin",
    "go-on",
    "play",
    "log",
    "review",
    "confirm",
    "decide-disputed",
    "decide",
    "reopen",
]


class CardStep(Struct, frozen=True):
    """A step in the progress of a battle: ``state`` is "done", "now" or "coming"."""

    key: str
    label: str
    state: Annotated[str, closed("StepState", ("done", "now", "coming"))]


class NextStep(Struct, frozen=True):
    """The reader's next step: ``action`` is a key, ``label`` the text of the button.

    ``side`` is the key of the side that it concerns. "begin" and "go-on" lead to the choice between
    the live log and entering the result. ``for_others`` is True if another player would usually
    take the step.
    """

    action: Action
    label: str
    side: str = ""
    for_others: bool = False


class BattleCard(Struct, frozen=True):
    """The progress of a battle.

    ``next`` is None for a reader who has nothing to do now; ``waits_for`` says who must act
    first. ``instead`` is the step that the reader can take in place of ``next`` if they do not want
    to count the battle in a campaign. ``missing`` is what must be done before the battle can begin.
    ``may_count_in`` is the campaign in which all its warbands play, and in which this battle does
    not count. ``set_up_open`` says that the table can still be set up.
    """

    steps: tuple[CardStep, ...]
    next: NextStep | None = None
    instead: NextStep | None = None
    waits_for: str = ""
    missing: tuple[str, ...] = ()
    may_count_in: UUID | None = None
    may_count_in_name: str = ""
    set_up_open: bool = False


def battle_card(battle: Battle, permissions: BattlePermissions) -> BattleCard | None:
    """Return the card of a battle loaded by ``for_pages``; None for one that is confirmed or void.

    At most four queries.
    """
    if battle.state in (BattleState.CONFIRMED, BattleState.VOID):
        return None
    sides = list(battle.sides.all())
    bare = [side for side in sides if not side.combatants.all()]
    campaign, step = _not_counted_in(battle, sides), _next(battle, sides, permissions)
    counts_in = (
        NextStep("count-in", gettext("Count in %(campaign)s") % {"campaign": campaign.name})
        if campaign and step
        else None
    )
    return BattleCard(
        steps=_steps(battle, sides),
        next=counts_in or step,
        instead=step if counts_in else None,
        waits_for=_waits_for(battle, sides, permissions),
        missing=tuple(
            gettext("%(warband)s has no line-up yet.") % {"warband": side.warband.name}
            for side in bare
        ),
        may_count_in=campaign.pk if campaign else None,
        may_count_in_name=campaign.name if campaign else "",
        set_up_open=may_be_set_up(battle),
    )


def _not_counted_in(battle: Battle, sides: Sequence[Side]) -> Campaign | None:
    """Return the campaign in which a one-off battle can still be counted, or None. Two queries.

    All warbands of the battle must play in it.
    """
    if battle.campaign_id is not None or battle.state != BattleState.PLANNED:
        return None
    warbands = Warband.objects.filter(pk__in=[side.warband_id for side in sides])
    played = set(warbands.values_list("state__campaign", flat=True))
    if len(played) != 1 or None in played:
        return None
    running = Campaign.objects.filter(state=CampaignState.RUNNING).exclude(format=Format.CLASSIC)
    return running.filter(pk=played.pop()).first()


def _steps(battle: Battle, sides: Sequence[Side]) -> tuple[CardStep, ...]:
    """Return the steps: those that are done, the present one, and the rest."""
    begun = battle.state != BattleState.PLANNED
    submitted = begun and battle.state != BattleState.UNDER_WAY
    set_up = bool(battle.set_up.get("throws"))
    # A battle that began without a setup does not show the step: it was never done.
    shows_set_up = set_up or may_be_set_up(battle)
    last = gettext("Dispute") if battle.state == BattleState.DISPUTED else gettext("Confirmation")
    ways = (
        ("planned", gettext("Plan"), True),
        ("fielded", gettext("Line-ups"), begun or all(side.combatants.all() for side in sides)),
        *((("set-up", gettext("Setup"), set_up),) if shows_set_up else ()),
        ("playing", gettext("Battle"), submitted),
        ("confirm", last, False),
    )
    now = next(key for key, _, done in ways if not done)
    steps = []
    for key, label, done in ways:
        state = "now" if key == now else "coming"
        steps.append(CardStep(key, label, "done" if done else state))
    return tuple(steps)


def _next(battle: Battle, sides: Sequence[Side], permissions: BattlePermissions) -> NextStep | None:
    if battle.state in (BattleState.SUBMITTED, BattleState.DISPUTED):
        return next(_review_steps(battle, sides, permissions), None)
    if not permissions.may_log:
        return None
    if battle.state == BattleState.UNDER_WAY:
        return _how_to_go_on(battle, sides)
    bare = sorted(
        (side for side in sides if not side.combatants.all()),
        key=lambda side: side.key not in permissions.sides,
    )
    if bare and bare[0].key not in permissions.line_ups:
        return None
    if bare:
        return NextStep(
            "field",
            gettext("Choose line-up for %(warband)s") % {"warband": bare[0].warband.name},
            bare[0].key,
            for_others=bare[0].key not in permissions.sides,
        )
    return NextStep("begin", gettext("Start battle"))


def _review_steps(
    battle: Battle, sides: Sequence[Side], permissions: BattlePermissions
) -> Iterator[NextStep]:
    """Yield what the reader can do with a log under review, the most useful first."""
    unsaid = [
        side for side in sides if side.key in permissions.sides and side.verdict == Verdict.WAITING
    ]
    if battle.state == BattleState.DISPUTED and permissions.may_decide:
        yield NextStep("decide-disputed", gettext("Decide dispute"))
    if unsaid:
        only_side = unsaid[0] if len(unsaid) == 1 else None
        label = (
            gettext("Confirm for both") if len(unsaid) == 2 else gettext("Confirm for all sides")
        )
        label = (
            gettext("Confirm for %(name)s") % {"name": only_side.warband.name}
            if only_side
            else label
        )
        yield NextStep("confirm", label, only_side.key if only_side else "")
    if battle.state == BattleState.DISPUTED and "reopen" in permissions.actions:
        yield NextStep("reopen", gettext("Reopen log"))
    if permissions.may_decide:
        yield NextStep("decide", gettext("Confirm for all sides"))


def _how_to_go_on(battle: Battle, sides: Sequence[Side]) -> NextStep:
    """Return the step that continues a battle under way.

    It leads to the live log or the result form, and to the review at the end.
    """
    if not battle.last_sequence:
        return NextStep("go-on", gettext("Continue"))
    by_turns = {form.key for form in ruleset_of_battle(battle).log.forms() if form.turn_by_turn}
    if _has_ended(battle, sides):
        return NextStep("review", gettext("Check result"))
    return (
        NextStep("play", gettext("Open live log"))
        if battle.events.filter(kind__in=by_turns).exists()
        else NextStep("log", gettext("Continue result"))
    )


def _has_ended(battle: Battle, sides: Sequence[Side]) -> bool:
    """Return whether the log says that the battle is over. One query if its play is stored."""
    try:
        table = ruleset_of_battle(battle).at_table(load_battle_play(battle, list(sides)).play, "")
    except RulesError:
        return False
    return table is not None and table.ended


def _waits_for(battle: Battle, sides: Sequence[Side], permissions: BattlePermissions) -> str:
    """Return a sentence that says who else must act; "" if nobody."""
    if battle.state == BattleState.DISPUTED:
        return gettext("The result is disputed. An organiser decides, or a player reopens the log.")
    if battle.state == BattleState.SUBMITTED:
        others = [
            side
            for side in sides
            if side.verdict == Verdict.WAITING and side.key not in permissions.sides
        ]
        return (
            gettext("Waiting for %(others)s to confirm.")
            % {"others": join_names(side.warband.name for side in others)}
            if others
            else ""
        )
    bare = [
        side for side in sides if not side.combatants.all() and side.key not in permissions.line_ups
    ]
    if battle.state == BattleState.PLANNED and permissions.may_log and bare:
        names = join_names(side.warband.name for side in bare)
        return gettext("Waiting for %(others)s to choose a line-up.") % {"others": names}
    return ""
