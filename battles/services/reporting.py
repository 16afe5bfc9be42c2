"""Report a battle that was played without Muster: plan, line-ups, log and submission in one step.

The battle need not be planned before, also if it was played for a fixture. Either everything is
written, or nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec import Struct

from audit.services.recording import audit_suppressed
from battles.models import Battle, BattleEvent, BattleState, Combatant, Side
from battles.rulebook_values import logged, replay_battle, ruleset_of_battle
from battles.selectors.confirmation_preview import ConfirmationPreview, preview_of
from battles.services.fielding import FIELDED, Force, field_all
from battles.services.locking import expect_logger, lock_battle, lock_sides
from battles.services.logbook import add_events, clean_events, expect_place, fresh_events
from battles.services.planning import BattlePlan, plan_in_transaction
from battles.services.review import submit_log
from battles.services.sheet_preview import SheetPreview
from battles.services.validation import NewEvent, tried_events
from core.errors import InvalidInput, MusterError, StateConflict
from rulebook.ruleset import BattleResult, Problem, RulesError, Ruleset
from rulebook.values.battles import EventForm
from warbands.signed import save_signed

ENDED = "ended"
"""The kind of event that ends a battle, in rule systems that have it."""
MAX_SCORE = 99
"""The most victory points of a side, in favour or against."""


class Report(Struct, frozen=True, kw_only=True):
    """A battle that was played: its plan, its line-ups and what happened.

    ``forces`` are the line-ups of the plan's sides, in their order. ``score`` has the final victory
    points of each side by its key ("a" or "b"); it is empty if the points follow from the events.
    ``winner`` is the key of the side that won, "" for a draw, or None if the events decide it.
    """

    plan: BattlePlan
    forces: tuple[Force, ...]
    events: tuple[NewEvent, ...] = ()
    score: Mapping[str, int] = {}
    winner: str | None = None


@transaction.atomic
def report_battle(*, user: User, report: Report) -> Battle:
    """Write a battle that was played, submit its result, and return it.

    A second report with the same ``client_id`` and plan returns the first battle. Raises the errors
    of planning a battle, choosing line-ups, starting, logging and submitting; then nothing is
    written. The activity log gets one entry only: that the result was submitted.
    """
    battle, sides = _begun(user, report)
    if battle.state == BattleState.UNDER_WAY:
        _submit(battle, sides, _log(battle, sides, report, user), user)
    # Otherwise the same report was sent before.
    return battle


def try_report(*, user: User, report: Report) -> ConfirmationPreview:
    """Return the effects of confirming a reported battle. Write nothing.

    Everything is written and then rolled back, so that the same checks apply. Raises the errors of
    ``report_battle``, and StateConflict "already-reported" if the battle of this ``client_id`` was
    started before.
    """
    with transaction.atomic():
        try:
            battle, sides = _begun(user, report)
            if battle.state != BattleState.UNDER_WAY:
                sentence = gettext("This battle was reported before. Open it to see its result.")
                raise StateConflict("already-reported", sentence, field="client_id")
            events = _log(battle, sides, report, user)
            # Before it is submitted: that may change the warbands.
            preview = preview_of(battle, sides, replay_battle(battle, sides, logged(events)))
            _submit(battle, sides, events, user)
            return preview
        finally:
            transaction.set_rollback(True)


def preview_report(*, user: User, report: Report) -> SheetPreview | None:
    """Return a preview of the result; None if the report cannot be written. Write nothing."""
    with transaction.atomic():
        try:
            battle, sides = _begun(user, report)
            if battle.state != BattleState.UNDER_WAY:
                return None
            return _previewed(battle, sides, report)
        except MusterError:
            return None
        finally:
            transaction.set_rollback(True)


def _begun(user: User, report: Report) -> tuple[Battle, list[Side]]:
    """Plan and start the battle, and return it with its sides, locked.

    The battle and the sides that are returned have unsaved changes, which ``_submit`` saves. A
    battle that was started before is returned unchanged, without sides.
    """
    with audit_suppressed():
        planned = plan_in_transaction(user, report.plan)
    # The same plan may have been sent before, and somebody else may use that battle now.
    battle = lock_battle(planned.pk)
    if battle.state != BattleState.PLANNED:
        return battle, []
    sides = lock_sides(battle)
    if not any(side.is_played_by(user) for side in sides):
        expect_logger(battle, user)
    keys = [side.key for side in sides]
    if problems := [*_outcome_problems(ruleset_of_battle(battle), keys, report)]:
        raise InvalidInput("illegal-result", problems[0].sentence, problems=problems)
    if any(side.version > 1 for side in sides):
        # The battle was planned before, with line-ups. The report replaces them.
        Combatant.objects.filter(side__battle=battle).delete()
    field_all(battle, sides, report.forces, user)
    return battle, sides


def _log(battle: Battle, sides: list[Side], report: Report, user: User) -> list[BattleEvent]:
    """Log the events of a battle that has just been started, and return them."""
    events = clean_events(_events(battle, sides, report))
    expect_place(battle, len(events))
    return add_events(battle, sides, fresh_events(events, {}), user)


def _submit(battle: Battle, sides: list[Side], events: list[BattleEvent], user: User) -> None:
    """Save a battle that has just been started and logged, and submit its result."""
    for side in sides:
        save_signed(side, *FIELDED)
    submit_log(battle, sides, events, user, "place_in_day", "last_sequence", "dice_used")


def _outcome_problems(rules: Ruleset, keys: Sequence[str], report: Report) -> Iterator[Problem]:
    """Yield what is wrong with the reported score and winner."""
    named = [*((f"score.{key}", key) for key in report.score), ("winner", report.winner or "")]
    for place, key in named:
        if key and key not in keys:
            sentence = gettext("There is no side “%(side)s”. Choose from: %(sides)s.")
            yield Problem(
                "unknown-side",
                sentence % {"side": key, "sides": ", ".join(keys)},
                field=place,
                value=key,
            )
    if report.score and score_form(rules) is None:
        sentence = gettext("In %(ruleset)s the score follows from the events. Leave it out.")
        yield Problem("score-not-reported", sentence % {"ruleset": rules.name}, field="score")
    if report.winner and not players_say_who_won(rules):
        sentence = gettext("In %(ruleset)s the winner follows from the score. Leave it out.")
        yield Problem("winner-not-reported", sentence % {"ruleset": rules.name}, field="winner")


def _previewed(battle: Battle, sides: list[Side], report: Report) -> SheetPreview:
    """Return the preview of a battle that has just been started, with problems of its events."""
    try:
        play, problems = tried_events(battle, sides, _events(battle, sides, report))
        result = ruleset_of_battle(battle).result(play)
    except RulesError as error:
        return SheetPreview(None, error.problems)
    return SheetPreview(preview_of(battle, sides, result), problems, ended=True)


def _events(battle: Battle, sides: list[Side], report: Report) -> tuple[NewEvent, ...]:
    """Return the events of a report, followed by those that set the score and end the battle."""
    rules = ruleset_of_battle(battle)
    closing: list[NewEvent] = []
    if report.score:
        play, _problems = tried_events(battle, sides, report.events)
        closing += _score_events(rules, rules.result(play), report.score)
    if ending := ending_form(rules):
        data = {"winner": report.winner} if report.winner else {}
        closing.append(NewEvent(uuid4(), ending.key, data))
    return (*report.events, *closing)


def _score_events(
    rules: Ruleset, result: BattleResult, score: Mapping[str, int]
) -> Sequence[NewEvent]:
    """Return an event for each side whose points differ from the reported score.

    It adds or subtracts the difference.
    """
    form = score_form(rules)
    if form is None:
        return ()
    side_field = next(field.key for field in form.fields if field.kind == "side")
    number = next(field.key for field in form.fields if field.kind == "number" and field.required)
    reason = {
        field.key: gettext("Score as reported after the battle")
        for field in form.fields
        if field.kind == "text" and field.required
    }
    missing = (
        (side.side, score.get(side.side, side.victory_points) - side.victory_points)
        for side in result.sides
    )
    return [
        NewEvent(uuid4(), form.key, {side_field: key, number: points, **reason})
        for key, points in missing
        if points
    ]


def score_form(rules: Ruleset) -> EventForm | None:
    """Return the kind of event that gives a side victory points; None if the rules have none."""
    for form in rules.log.forms():
        kinds = {field.kind for field in form.fields if field.required}
        if not form.turn_by_turn and {"side", "number"} <= kinds:
            return form
    return None


def ending_form(rules: Ruleset) -> EventForm | None:
    """Return the kind of event that ends a battle; None if the rules have none."""
    return next((form for form in rules.log.forms() if form.key == ENDED), None)


def players_say_who_won(rules: Ruleset) -> bool:
    """Return whether players report who won, because the rules do not decide it."""
    form = ending_form(rules)
    return form is not None and any(field.key == "winner" for field in form.fields)
