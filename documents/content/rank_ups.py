"""The rank-up sheet of a warband: who can rank up now, with boxes to tick, and who cannot yet."""

from django.utils.translation import gettext

from core.errors import InvalidInput
from core.ruleset_words import translated_word
from documents.content.documents import Candidate, Choice, RankUpSheet, StepOffer
from documents.content.labels import columns, label, price_lines
from documents.content.people import players_of
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.ruleset import RankUp, Ruleset
from warbands.models import ChronicleEntry, Warband
from warbands.roster_rules import affordable, next_cost
from warbands.rulebook_values import read_state, ruleset_of_warband


def rank_ups_content(warband: Warband) -> RankUpSheet:
    """Return the content of a warband's rank-up sheet. Three queries.

    The warband should be selected with its owner. Raises InvalidInput (`nothing-to-print`) if the
    rule system has no rank-ups under these settings.
    """
    rules, state = ruleset_of_warband(warband), read_state(warband)
    if not rules.visible_numbers(state.settings).rises:
        sentence = gettext("Nothing to print: this %(warband)s has no rank-ups in %(ruleset)s.")
        named = {"ruleset": rules.name, "warband": rules.words.warband}
        raise InvalidInput("nothing-to-print", sentence % named, field="subject")
    last = ChronicleEntry.objects.filter(warband=warband).order_by("sequence").last()
    people = [
        fighter
        for fighter in state.fighters.values()
        if next_cost(rules, state, fighter) is not None
    ]
    candidates = [_candidate(rules, state, fighter) for fighter in people]
    return RankUpSheet(
        title=warband.name,
        subtitle=gettext("%(step)s sheet")
        % {"step": translated_word(rules.words.step).capitalize()},
        dated=last.recorded_at.date().isoformat() if last else "",
        ruleset=rules.name,
        warband=warband.name,
        words=label(rules, state.settings),
        ready=tuple(each for each in candidates if each.steps),
        waiting=tuple(each for each in candidates if not each.steps and each.experience),
        campaign=players_of([warband])[warband.pk].campaign,
    )


def _candidate(rules: Ruleset, state: WarbandState, fighter: FighterState) -> Candidate:
    return Candidate(
        id=fighter.id,
        name=fighter.name,
        profile=fighter.profile_name,
        rank=fighter.rank,
        experience=fighter.experience,
        cost=next_cost(rules, state, fighter) or 0,
        steps=tuple(_step(rules, step) for step in affordable(rules, state, fighter)),
    )


def _step(rules: Ruleset, step: RankUp) -> StepOffer:
    return StepOffer(
        name=step.name,
        cost=step.cost,
        gains=step.gains,
        keeps=step.keeps,
        figures=columns(rules, step.sheet),
        points_before=step.points_before,
        points_after=step.points_after,
        choices=tuple(
            Choice(pick.label, pick.most, tuple(label for _, label in pick.choices))
            for pick in step.picks
        ),
        warnings=tuple(problem.sentence for problem in step.problems),
        price=price_lines(step.sheet),
        rule=step.source,
    )
