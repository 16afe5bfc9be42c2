"""Report a battle that was played without Muster: plan, line-ups, log and submission in one step.

A battle that is reported for a fixture needs no planned battle before. Either all of it is written,
or nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle, BattleState
from battles.rulebook_values import ruleset_of_battle, sides_of
from battles.selectors.confirmation_preview import (
    ConfirmationPreview,
    preview_confirmation,
    preview_of,
)
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import log_events
from battles.services.planning import BattlePlan, plan_battle
from battles.services.review import submit_battle
from battles.services.sheet_preview import SheetPreview
from battles.services.validation import NewEvent, tried_events
from core.errors import InvalidInput, MusterError, StateConflict
from rulebook.ruleset import BattleResult, Problem, RulesError, Ruleset
from rulebook.values.battles import EventForm

ENDED = "ended"
"""The kind of event that ends a battle, in rule systems that have it."""
MAX_SCORE = 99
"""The most victory points of a side, in favour or against."""


class Report(Struct, frozen=True, kw_only=True):
    """A battle that was played: its plan, its line-ups and what happened.

    ``forces`` are the line-ups of the plan's sides, in their order. ``score`` has the final victory
    points of each side by its key; it is empty if they follow from the events alone. ``winner`` is
    the key of the side that won, "" for a draw, None if it follows from the events alone.
    """

    plan: BattlePlan
    forces: tuple[Force, ...]
    events: tuple[NewEvent, ...] = ()
    score: Mapping[str, int] = {}
    winner: str | None = None


@transaction.atomic
def report_battle(*, user: User, report: Report) -> Battle:
    """Write a battle that was played, submit its result, and return it.

    The same plan with the same ``client_id`` returns the first battle. Raises what planning,
    choosing line-ups, starting, logging and submitting a battle raise; then nothing is written.
    """
    battle = _begun(user, report)
    if battle.state != BattleState.UNDER_WAY:
        # The same report was sent before.
        return battle
    log_events(battle_id=battle.pk, events=_events(battle, report), user=user)
    return submit_battle(battle_id=battle.pk, user=user)


def try_report(*, user: User, report: Report) -> ConfirmationPreview:
    """Return what a report leads to once it is confirmed; nothing is kept.

    Raises what ``report_battle`` raises, and StateConflict "already-reported" for the
    ``client_id`` of a battle that was started before.
    """
    with transaction.atomic():
        try:
            battle = _begun(user, report)
            if battle.state != BattleState.UNDER_WAY:
                sentence = gettext("This battle was reported before. Open it to see its result.")
                raise StateConflict("already-reported", sentence, field="client_id")
            log_events(battle_id=battle.pk, events=_events(battle, report), user=user)
            preview = preview_confirmation(battle.pk)
            submit_battle(battle_id=battle.pk, user=user)
            return preview
        finally:
            transaction.set_rollback(True)


def preview_report(*, user: User, report: Report) -> SheetPreview | None:
    """Return the result that a report leads to; None if it cannot be written. Nothing is kept."""
    with transaction.atomic():
        try:
            battle = _begun(user, report)
            if battle.state != BattleState.UNDER_WAY:
                return None
            return _previewed(battle, report)
        except MusterError:
            return None
        finally:
            transaction.set_rollback(True)


def _begun(user: User, report: Report) -> Battle:
    """Plan and start the battle; return it as it is if the same plan was sent before."""
    battle = plan_battle(user=user, plan=report.plan)
    if battle.state != BattleState.PLANNED:
        return battle
    keys = list(battle.sides.order_by("place").values_list("key", flat=True))
    if problems := [*_outcome_problems(ruleset_of_battle(battle), keys, report)]:
        raise InvalidInput("illegal-result", problems[0].sentence, problems=problems)
    for place, (key, force) in enumerate(zip(keys, report.forces, strict=True)):
        try:
            field_combatants(battle_id=battle.pk, side=key, force=force, user=user)
        except InvalidInput as error:
            path = f"forces.{place}"
            raise InvalidInput(
                error.code,
                error.sentence,
                field=path,
                problems=error.problems,
                within=path if error.problems else "",
            ) from error
    return start_battle(battle_id=battle.pk, user=user)


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


def _previewed(battle: Battle, report: Report) -> SheetPreview:
    sides = sides_of(battle)
    try:
        play, problems = tried_events(battle, sides, _events(battle, report))
        result = ruleset_of_battle(battle).result(play)
    except RulesError as error:
        return SheetPreview(None, error.problems)
    return SheetPreview(preview_of(battle, sides, result), problems, ended=True)


def _events(battle: Battle, report: Report) -> tuple[NewEvent, ...]:
    """Return the events of a report, with those that set the score and end the battle."""
    rules = ruleset_of_battle(battle)
    closing: list[NewEvent] = []
    if report.score:
        play, _problems = tried_events(battle, sides_of(battle), report.events)
        closing += _score_events(rules, rules.result(play), report.score)
    if ending := ending_form(rules):
        data = {"winner": report.winner} if report.winner else {}
        closing.append(NewEvent(uuid4(), ending.key, data))
    return (*report.events, *closing)


def _score_events(
    rules: Ruleset, result: BattleResult, score: Mapping[str, int]
) -> Sequence[NewEvent]:
    """Return the events that bring the victory points of each side to the reported score."""
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
    """Return whether the players say who won, because the rules do not decide it."""
    form = ending_form(rules)
    return form is not None and any(field.key == "winner" for field in form.fields)
