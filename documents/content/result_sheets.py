"""Result sheets to fill in by hand: the line-ups, boxes to tick, and the address of the form.

The boxes come from the rule system's result form, so that everything on paper can be entered.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext

from battles.models import Battle, BattleState, Side
from battles.rulebook_values import combatants_in_order, ruleset_of_battle, terms_of
from battles.selectors.results import title_of
from core.errors import InvalidInput
from core.ruleset_words import rules_text
from documents.content.battles import set_up_lines
from documents.content.documents import (
    ResultColumn,
    ResultQuestion,
    ResultRow,
    ResultSheet,
    ResultSide,
)
from documents.content.labels import label
from documents.content.people import Player, players_of
from documents.content.structs import Glossed
from documents.content.visible_pictures import Album, album, open_like
from pictures.subjects import PictureKind
from rulebook.ruleset import Ruleset
from rulebook.values.battles import EventForm, Scenario, SetUpLine
from rulebook.values.fields import Field

CORRECTION, NOTE, ENDED = "correction", "note", "ended"
"""Kinds of events that have no boxes, and the one that ends a battle."""
ATTACKERS = ("by", "attacker")
"""The fields that name who did it."""
DETAILS = ("overruled", "thrown", "die", "side")
"""The fields that a sheet on paper leaves out."""
ROLLED = "1D6"
"""The ``how`` of the lines of a setup that a roll decides, not the players."""
EMPTY_ROWS, SPARE_ROWS = 10, 2
"""The rows of a side without a line-up, and the empty rows after one."""


def result_sheet_content(battle: Battle) -> ResultSheet:
    """Return the sheet of a battle, before or after it is played.

    Four queries in addition to those of the battle. Raises InvalidInput (`nothing-to-print`) for a
    void battle.
    """
    if battle.state == BattleState.VOID:
        sentence = gettext("The battle is void. Restore it first, or plan another one.")
        raise InvalidInput("nothing-to-print", sentence, field="subject")
    rules, campaign = ruleset_of_battle(battle), battle.campaign
    scenario = next((each for each in rules.scenarios() if each.key == battle.scenario), None)
    sides = list(
        battle.sides.select_related("warband__owner", "substitute")
        .prefetch_related(combatants_in_order())
        .order_by("place")
    )
    warbands = [side.warband for side in sides]
    players = players_of(warbands, campaign)
    pictures = album(
        {PictureKind.WARBAND: [each.pk for each in warbands if open_like(campaign, each)]}
    )
    roles = {role.key: role.name for role in scenario.roles} if scenario else {}
    shown_roles = roles if len({side.role for side in sides}) > 1 else {}
    forms = _forms(rules, battle.scenario)
    return ResultSheet(
        title=title_of(battle, rules),
        subtitle=gettext("Result sheet"),
        dated=battle.created_at.date().isoformat(),
        ruleset=rules.name,
        address=result_address(battle),
        words=label(rules, battle.house_rules),
        sides=tuple(
            _side(
                rules, battle, side, players[side.warband_id], pictures, shown_roles.get(side.role)
            )
            for side in sides
        ),
        columns=tuple(_columns(forms)),
        by=next((each.label for form in forms[:1] if (each := _attacker(form))), ""),
        extras=tuple(_extras(forms)),
        questions=tuple(_questions(forms, [side.warband.name for side in sides])),
        rules=tuple(
            _scenario_rules(rules, scenario, set_up_lines(battle, sides)) if scenario else ()
        ),
        scored=rules.visible_numbers(battle.house_rules).victory_points,
        campaign=campaign.name if campaign else "",
        scenario=scenario.name if scenario else battle.scenario,
        fought_on=battle.fought_on.isoformat(),
        points_limit=battle.points_limit,
    )


def _scenario_rules(
    rules: Ruleset, scenario: Scenario, set_up: Sequence[Glossed]
) -> Iterator[Glossed]:
    """Yield what players must know of a scenario, and the setup of the table if there is one.

    What was rolled or entered replaces what the scenario says about it.
    """
    decided = {line.name: rules_text(line.note) for line in set_up}
    yield Glossed(rules_text(scenario.name), rules_text(scenario.summary))
    yield Glossed(gettext("Victory"), rules_text(scenario.victory))
    yield Glossed(gettext("Length"), decided.pop("Length", rules_text(scenario.length)))
    given = {
        name: _given(list(lines))
        for name, lines in groupby(rules.set_up.given(scenario.key), key=attrgetter("label"))
    }
    for name, text in (given | decided).items():
        yield Glossed(rules_text(name), text)


def _given(lines: Sequence[SetUpLine]) -> str:
    """Return the choices of players, or the results of a roll by its numbers."""
    texts = [rules_text(line.value) for line in lines]
    if len(texts) > 1 and lines[0].how == ROLLED:
        texts = [f"{number} {text}" for number, text in enumerate(texts, start=1)]
        return f"{rules_text(ROLLED)}: {'; '.join(texts)}"
    return " / ".join(texts)


def result_address(battle: Battle) -> str:
    """Return the absolute URL of the page on which the battle's result is entered."""
    return settings.SITE_URL.rstrip("/") + reverse("battles:sheet", args=[battle.pk])


def _side(
    rules: Ruleset,
    battle: Battle,
    side: Side,
    player: Player,
    pictures: Album,
    role: str | None,
) -> ResultSide:
    """Return a side with its line-up, or with empty rows."""
    terms = terms_of(battle, side)
    rows = [
        ResultRow(combatant.name, rules.sheet(combatant.build, terms).profile_name)
        for combatant in side.combatants.all()
    ]
    return ResultSide(
        warband=side.warband.name,
        player=side.substitute.name if side.substitute else player.name,
        role=role or "",
        colour=player.colour,
        arms=str(side.warband_id),
        crest=pictures.of(side.warband_id),
        rows=(*rows, *[ResultRow()] * (SPARE_ROWS if rows else EMPTY_ROWS)),
    )


def _forms(rules: Ruleset, scenario: str) -> Sequence[EventForm]:
    """Return the kinds of events of a result, the one about every fighter first."""
    scenarios = rules.scenarios()
    own = next((each.event_kinds for each in scenarios if each.key == scenario), ())
    special = {kind for each in scenarios for kind in each.event_kinds} - set(own)
    forms = [
        form
        for form in rules.log.forms()
        if (form.key in own or not form.turn_by_turn)
        and form.key not in {*special, CORRECTION, NOTE}
    ]
    return sorted(forms, key=lambda form: (not _is_about_fighters(form), not form.each))


def _is_about_fighters(form: EventForm) -> bool:
    return _subject(form) is not None


def _subject(form: EventForm) -> Field | None:
    """Return the field that names the fighter of an event, not the attacker."""
    people = (each for each in form.fields if each.kind in ("combatant", "list"))
    return next((each for each in people if each.key not in ATTACKERS), None)


def _attacker(form: EventForm) -> Field | None:
    return next((each for each in form.fields if each.key in ATTACKERS), None)


def _columns(forms: Sequence[EventForm]) -> Iterator[ResultColumn]:
    """Yield the boxes for each fighter: those of the first form, and a box for each other one."""
    fighters_forms = [form for form in forms if _is_about_fighters(form)]
    if fighters_forms:
        yield from _main_columns(fighters_forms[0])
    for form in fighters_forms[1:]:
        amounts = [each for each in form.fields if each.kind in ("number", "dice")]
        # A form with nothing but an optional number is about the course of a battle.
        if not amounts or any(each.required or each.kind == "dice" for each in amounts):
            yield ResultColumn(form.label, written=bool(amounts))


def _main_columns(form: EventForm) -> Iterator[ResultColumn]:
    """Yield a box for each number, and one for each choice before the attacker."""
    attacker = _attacker(form)
    before = form.fields[: form.fields.index(attacker)] if attacker else form.fields
    required = [each for each in before if each.kind == "choice" and each.required]
    for field in form.fields:
        if field.key in DETAILS:
            continue
        if field.kind == "number":
            yield ResultColumn(field.label, written=True)
        elif field.kind == "flag" and field in before:
            yield ResultColumn(field.label)
        elif field.kind == "choice" and field in (required or before):
            yield from (ResultColumn(name, choice=field.key) for key, name in field.choices if key)


def _extras(forms: Sequence[EventForm]) -> Iterator[ResultColumn]:
    """Yield the boxes for each side: for what sides do, or get."""
    for form in forms:
        if form.key == ENDED or _is_about_fighters(form):
            continue
        if any(each.kind == "side" and each.required for each in form.fields):
            amounts = [each for each in form.fields if each.kind == "number" and each.required]
            yield ResultColumn(form.label, written=bool(amounts))


def _questions(forms: Sequence[EventForm], sides: Sequence[str]) -> Iterator[ResultQuestion]:
    """Yield the questions about the whole battle: who has won, and how it ended."""
    ended = next((form for form in forms if form.key == ENDED), None)
    fields = ended.fields if ended else ()
    winner = next((each for each in fields if each.key == "winner"), None)
    label = winner.label if winner else gettext("Winner")
    yield ResultQuestion(label, (*sides, gettext("Draw")), translated=winner is None)
    for field in fields:
        if field is winner or field.key in DETAILS:
            continue
        if field.kind == "side":
            yield ResultQuestion(field.label, tuple(sides))
        elif field.kind == "choice" and ended:
            choices = tuple(name for key, name in field.choices if key)
            yield ResultQuestion(ended.label, choices=choices)
        elif field.kind == "number":
            yield ResultQuestion(field.label)
        elif field.kind == "text" and ended:
            yield ResultQuestion(ended.label)
    for form in forms:
        if form.key != ENDED and not _is_about_fighters(form):
            by_side = any(each.kind == "side" and not each.required for each in form.fields)
            # Something with a name that one side has, such as a victory location.
            if by_side and any(each.kind == "text" and each.required for each in form.fields):
                yield ResultQuestion(form.label, tuple(sides))
