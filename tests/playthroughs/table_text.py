"""The table during a battle as text. Only this module names the parts of a table view."""

from collections.abc import Iterator

from rulebook.ruleset import Action, EventOutcome, Field, TableView
from rulebook.values.answers import ReasonedSum
from tests.playthroughs.plain_text import Glossary, compact, words


def due_lines(table: TableView) -> list[str]:
    """Return the phases of the turn with what is due in each; a star marks the current one."""
    lines = [
        "phases "
        + ", ".join(f"{phase.name} ({phase.key}){'*' * phase.now}" for phase in table.phases)
    ]
    for phase in table.phases:
        for due in phase.due:
            more = words(
                who=due.who,
                do=due.do,
                button=due.button,
                rule=due.rule,
                at_once=due.at_once,
                rolls=due.rolls,
            )
            lines.append(f"{phase.key}: {due.sentence}{' | ' if more else ''}{more}")
    return lines


def outcome_of(outcome: EventOutcome | None) -> list[str]:
    """Return the outcome of an event as lines."""
    return [] if outcome is None else list(_outcome(outcome))


def _outcome(outcome: EventOutcome) -> Iterator[str]:
    for sentence in outcome.sentences:
        yield f"came {sentence}"
    for each in outcome.sums:
        yield from sum_lines(each)
    for rule in outcome.rules:
        yield f"rule {rule}"


def sum_lines(total: ReasonedSum) -> Iterator[str]:
    """Yield a sum, line by line."""
    yield f"sum {total.title} = {total.total}"
    for line in total.lines:
        yield f"  {line.amount:+d} {line.reason} [{line.rule}]"


def table_lines(table: TableView) -> Iterator[str]:
    """Yield the state of the table: sides, fighters, the open combat."""
    yield words(turn=table.turn, turns=table.turns, ended=table.ended, dice=table.dice)
    for side in table.sides:
        marks = [[mark.text, mark.tone] for mark in side.marks]
        points = f"{side.victory_points} victory points"
        yield f"side {side.key} {side.name}: {side.strength} of {side.fielded}, {points} {words(marks=marks)}".rstrip()
        for line in side.lines:
            yield f"  {line.points:+d} {line.sentence} [{line.rule}] {line.code}"
        for brought in side.assets:
            yield f"  brought {compact(brought)}"
    for fighter in table.fighters:
        more = words(
            out=fighter.out,
            leader="leader" in fighter.posts,
            banner="banner" in fighter.posts,
            group=fighter.group,
            strength=fighter.strength,
            weapon=fighter.weapon,
            foes=fighter.foes,
            marks=[[mark.text, mark.tone] for mark in fighter.marks],
        )
        numbers = ", ".join(f"{name} {value}" for name, value in fighter.numbers)
        who = (
            f"{fighter.id} {fighter.name} of {fighter.side}, {fighter.profile}, Rank {fighter.rank}"
        )
        yield f"fighter {who}; {numbers}; {more}"
    if table.combat is not None:
        counters = [
            (own.side, *(number for _, number in own.left)) for own in table.combat.counters
        ]
        yield f"fight {words(counters=counters, over=table.combat.over)}"
        for fencer in table.combat.fighters:
            more = words(next=fencer.next, out=fencer.out)
            left = fencer.left.replace("attack left", "attacks left")
            who = f"{fencer.fighter} {fencer.name} of {fencer.side}"
            yield f"  fencer {who}: {fencer.standing.lower()}, {left} {more}".rstrip()


def action_lines(table: TableView, glossary: Glossary) -> list[str]:
    """Return the actions of the fighter, group or side in view, with the fields of each."""
    return [_action(each, glossary) for each in table.actions]


def _action(action: Action, glossary: Glossary) -> str:
    more = words(
        phase=action.phase,
        turn=action.turn,
        given=action.given,
        hurdle=action.hurdle,
        rolls=action.rolls,
        secrets=action.secrets,
        fields=glossary.mark(
            " ".join(f"{field.key}:{_field(field, glossary)}" for field in action.fields)
        ),
        text=glossary.mark(f"{action.help} [{action.rule}]" if action.help or action.rule else ""),
    )
    return f"{action.key}: {action.kind} {action.label!r} {more}"


def _field(field: Field, glossary: Glossary) -> str:
    return glossary.mark(field_text(field, glossary))


def field_text(field: Field, glossary: Glossary) -> str:
    """Return a field of a form in one line. Its choices and its help are in the glossary."""
    more = words(
        required=field.required,
        choices=glossary.mark(", ".join(f"{key or '-'}={label}" for key, label in field.choices)),
        help=glossary.mark(field.help),
        least=field.least,
        most=field.most,
        default=field.default,
        group=field.group,
    )
    return f"{field.measure or field.kind} {field.label!r} {more}"
