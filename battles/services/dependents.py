"""Settle what depends on a changed result: fixtures, tables and later rounds.

Pairings are derived (``battles.selectors.fixture_results``), but what players have built on them is
not: a battle planned for those who advanced, or a walkover given to one of them. This module
settles both, for the preview as for the change itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState, Side
from battles.selectors.fixture_results import (
    FixtureResult,
    FixtureState,
    campaign_fixture_results,
    ladder_of,
    unearned_note,
)
from battles.selectors.standings import Standings, group_standings, standings
from battles.services.locking import record_battle, save_battle
from campaigns.models import Campaign, Fixture, Method, Round, Walkover
from campaigns.scoring import scoring_under
from core.ruleset_words import join_names
from warbands.signed import save_signed

DRAWN_BY_TABLE = (Method.SWISS, Method.KNOCKOUT, Method.GROUPS, Method.LADDER)
"""The methods whose pairings were made from the results at that time."""


class FixtureEffect(Struct, frozen=True, kw_only=True):
    """The effect of a changed result on a fixture, a group table, a ladder or a later round.

    ``effect`` is "stays" for a fixture that was played and stays between those who played it;
    "restored" if they have earned their places again; "new-entrants" if others play it now;
    "comes-on" if an entrant is known for the first time; "open-again" if it has no result any more;
    "decided" if it has another winner, or none; "group-table" or "ladder" if their order has
    changed; "round-stays" for a later round that was drawn before and keeps its pairings.
    ``fixture`` is None if the effect concerns a whole round.
    """

    fixture: UUID | None
    round: UUID
    round_name: str
    effect: str
    sentence: str
    battle_voided: UUID | None = None
    """The battle that was planned for the fixture and is voided because others play it."""
    walkover_withdrawn: bool = False

    @property
    def disturbs(self) -> bool:
        """Return whether players have built on what changes, so that the user is asked first."""
        return self.effect in ("stays", "restored", "new-entrants") or bool(
            self.battle_voided or self.walkover_withdrawn
        )


class Derived(Struct, frozen=True):
    """The standings and the fixtures that a campaign derives from its results."""

    table: Standings
    results: tuple[FixtureResult, ...]


class Settled(Struct, frozen=True):
    """The voided battles by fixture, and the fixtures of withdrawn walkovers."""

    battles: Mapping[UUID, UUID] = {}
    walkovers: frozenset[UUID] = frozenset()


NOTHING = Settled()


def derived(campaign: Campaign, *, fixtures: bool = True) -> Derived:
    """Return the standings and fixtures that follow from the present results. Four queries.

    A campaign that is known to have no ``fixtures`` takes one query less.
    """
    return Derived(standings(campaign), results_of(campaign) if fixtures else ())


def results_of(campaign: Campaign) -> tuple[FixtureResult, ...]:
    """Return all fixtures of a campaign with their results. One query."""
    return campaign_fixture_results(campaign)


def fixture_is_free(battle: Battle, sides: Iterable[Side]) -> bool:
    """Return whether a voided battle can be played for its fixture again.

    No other battle may be played for it. A battle that was not confirmed must also be between the
    warbands that play the fixture now.
    """
    if battle.fixture_id is None or battle.campaign is None:
        return True
    result = next(each for each in results_of(battle.campaign) if each.id == battle.fixture_id)
    if result.battle is not None:
        return False
    players = {entrant.warband for entrant in result.entrants}
    return battle.confirmed_at is not None or (
        result.state is FixtureState.OPEN and players == {side.warband_id for side in sides}
    )


def lock_planned(campaign_id: UUID) -> None:
    """Lock the planned battles of fixtures that depend on earlier ones.

    The caller has locked the campaign, and no warband yet: battles are locked before warbands.
    """
    waiting = Fixture.objects.filter(round__campaign=campaign_id).exclude(
        home_from=None, away_from=None
    )
    planned = Battle.objects.filter(fixture__in=waiting.values("pk"), state=BattleState.PLANNED)
    list(planned.select_for_update(of=("self",)).order_by("pk").values_list("pk"))


def settle_dependents(
    campaign: Campaign, before: Sequence[FixtureResult], user: User, *, voided: UUID | None = None
) -> Settled:
    """Settle what depends on a result that has just changed, and return what was done.

    If a fixture has other entrants now and has not begun, the battle that was planned for the
    former ones is voided, and the walkover that was given between them is withdrawn. ``voided`` is
    the fixture whose own battle has just been voided: the decision who advanced after its draw is
    withdrawn too. The caller has locked the campaign (``lock_planned``).
    """
    by_id = {each.id: each for each in before}
    planned = _planned_battles(campaign)
    battles: dict[UUID, UUID] = {}
    walkovers: set[UUID] = set()
    # Withdrawing a walkover may change who plays later fixtures: repeat until none is left to
    # withdraw.
    while True:
        results = results_of(campaign)
        changed = [
            each
            for each in results
            if each.id in by_id and _entrants(each) != _entrants(by_id[each.id])
        ]
        for result in changed:
            battle = planned.pop(result.id, None)
            if battle is not None:
                _void(battle, user)
                battles[result.id] = battle.pk
        stale = [each for each in changed if each.walkover and not _begun(each)]
        stale += [each for each in results if each.id == voided and each.walkover]
        if not stale:
            return Settled(battles, frozenset(walkovers))
        _withdraw_walkover(campaign, stale[0], user)
        walkovers.add(stale[0].id)


def settle_after(
    battle: Battle, before: Sequence[FixtureResult], *, user: User, voided: bool = False
) -> Settled:
    """Call ``settle_dependents`` after a battle's result has changed or the battle was voided.

    Does nothing without fixtures, or outside a campaign.
    """
    if battle.campaign is None or not before:
        return NOTHING
    return settle_dependents(
        battle.campaign, before, user, voided=battle.fixture_id if voided else None
    )


def _planned_battles(campaign: Campaign) -> dict[UUID, Battle]:
    """Return the battles that are planned and have not begun, by fixture. One query."""
    rows = Battle.objects.filter(fixture__round__campaign=campaign, state=BattleState.PLANNED)
    return {row.fixture_id: row for row in rows if row.fixture_id is not None}


def _entrants(result: FixtureResult) -> tuple[UUID | None, UUID | None]:
    home, away = (side.entrant.enrolment if side.entrant else None for side in result.sides)
    return home, away


def _begun(result: FixtureResult) -> bool:
    return result.state in BEGUN


BEGUN = (
    FixtureState.UNDER_WAY,
    FixtureState.SUBMITTED,
    FixtureState.DISPUTED,
    FixtureState.CONFIRMED,
)


def _void(battle: Battle, user: User) -> None:
    """Void a planned battle whose fixture others play now."""
    battle.state = BattleState.VOID
    battle.decision = gettext("An earlier result changed. Other warbands play this fixture now.")
    save_battle(battle, "state", "decision")
    record_battle(Verb.BATTLE_VOIDED, battle, user, reason=battle.decision)


def _withdraw_walkover(campaign: Campaign, result: FixtureResult, user: User) -> None:
    row = Fixture.objects.get(pk=result.id)
    row.walkover, row.reason, row.decided_by, row.decided_at = Walkover.NONE, "", None, None
    row.version += 1
    save_signed(row, "walkover", "reason", "decided_by", "decided_at", "version")
    details: dict[str, Any] = {"round": result.round_number}
    record(
        Verb.WALKOVER_TAKEN_BACK,
        campaign,
        user=user,
        club=campaign.club_id,
        campaign=campaign.pk,
        **details,
    )


class Consequences(Struct, frozen=True):
    """The consequences of a change of fixtures: the campaign's derived data before and after.

    ``fixtures`` are the effects on what depends on the fixtures.
    """

    before: Derived
    after: Derived
    fixtures: tuple[FixtureEffect, ...]


def consequences(campaign: Campaign, change: Callable[[], Settled]) -> Consequences:
    """Return what a change of fixtures would do: it is made, read and rolled back.

    Raises what the change raises.
    """
    with transaction.atomic():
        before = derived(campaign)
        settled = change()
        after = derived(campaign)
        transaction.set_rollback(True)
    return Consequences(before, after, fixture_effects(campaign, before, after, settled))


def fixture_effects(
    campaign: Campaign, before: Derived, after: Derived, settled: Settled = NOTHING
) -> tuple[FixtureEffect, ...]:
    """Return what has changed between the two, in the order of rounds.

    Two queries, none without fixtures.
    """
    if not before.results:
        return ()
    rounds = {each.pk: each for each in campaign.rounds.order_by("number")}
    by_id = {each.id: each for each in before.results}
    effects = [
        effect
        for each in after.results
        if each.id in by_id
        and (effect := _effect(by_id[each.id], each, rounds[each.round], settled)) is not None
    ]
    effects += _group_effects(campaign, before, after, rounds)
    effects += _ladder_effects(campaign, before, after, rounds)
    effects += _later_rounds(before, after, rounds)
    order = [*rounds]
    return tuple(sorted(effects, key=lambda effect: order.index(effect.round)))


def _effect(
    before: FixtureResult, after: FixtureResult, row: Round, settled: Settled
) -> FixtureEffect | None:
    change = _change_of(before, after)
    battle, walkover = settled.battles.get(after.id), after.id in settled.walkovers
    if change is None and battle is None and not walkover:
        return None
    effect, sentence = change or (
        "open-again",
        gettext("%(pairing)s is open again.") % {"pairing": pairing(after)},
    )
    if battle is not None:
        sentence += " " + gettext("Its planned battle will be voided.")
    if walkover:
        sentence += " " + gettext("Its walkover will be removed.")
    return FixtureEffect(
        fixture=after.id,
        round=row.pk,
        round_name=str(row),
        effect=effect,
        sentence=sentence,
        battle_voided=battle,
        walkover_withdrawn=walkover,
    )


def _change_of(before: FixtureResult, after: FixtureResult) -> tuple[str, str] | None:
    """Return the effect on a fixture and its sentence; None if nothing has changed."""
    if (
        _begun(after)
        and any(side.unearned for side in after.sides)
        and unearned_note(before) != unearned_note(after)
    ):
        stays = gettext("%(pairing)s was already played and stays as it is.") % {
            "pairing": pairing(after)
        }
        return "stays", f"{stays} {unearned_note(after)}"
    if any(side.unearned for side in before.sides) and not any(
        side.unearned for side in after.sides
    ):
        return "restored", gettext("%(pairing)s: both are entitled to their places now.") % {
            "pairing": pairing(after)
        }
    if _entrants(before) != _entrants(after):
        sentence = gettext("%(before)s becomes %(after)s.")
        pairs = zip(_entrants(before), _entrants(after), strict=True)
        replaced = any(then is not None and then != now for then, now in pairs)
        text = sentence % {"before": pairing(before), "after": pairing(after)}
        return "new-entrants" if replaced else "comes-on", text
    if before.settled and not after.settled:
        return "open-again", gettext("%(pairing)s is open again.") % {"pairing": pairing(after)}
    if before.winner != after.winner or before.undecided != after.undecided:
        return "decided", _decided(after)
    return None


def _decided(after: FixtureResult) -> str:
    named = {"pairing": pairing(after), "winner": after.winner.name if after.winner else ""}
    if after.undecided:
        return gettext("%(pairing)s has no winner. Choose who advances.") % named
    if after.winner is None:
        return gettext("%(pairing)s has no winner.") % named
    if after.method == Method.KNOCKOUT:
        return gettext("%(pairing)s: %(winner)s advances.") % named
    return gettext("%(pairing)s: %(winner)s wins.") % named


def pairing(result: FixtureResult) -> str:
    """Return the pairing of a fixture as text, or whose bye it is; "?" for an unknown entrant."""
    if result.state is FixtureState.BYE and result.winner is not None:
        return gettext("the bye of %(name)s") % {"name": result.winner.name}
    home, away = (side.entrant.name if side.entrant else "?" for side in result.sides)
    return gettext("%(home)s v. %(away)s") % {"home": home, "away": away}


def _group_effects(
    campaign: Campaign, before: Derived, after: Derived, rounds: Mapping[UUID, Round]
) -> Iterator[FixtureEffect]:
    """Yield the group tables whose order changes."""
    if not any(each.group for each in after.results):
        return
    scoring = scoring_under(campaign.scoring, campaign.shown)
    former = {each.group: each for each in group_standings(before.table, before.results, scoring)}
    for group_table in group_standings(after.table, after.results, scoring):
        then, now = (
            [row.name for row in table.rows] for table in (former[group_table.group], group_table)
        )
        if then != now:
            row = rounds[
                next(result.round for result in after.results if result.group == group_table.group)
            ]
            sentence = gettext("Group %(group)s: new order %(now)s; before %(then)s.")
            values = {"group": group_table.group, "now": join_names(now), "then": join_names(then)}
            yield _of_round(row, "group-table", sentence % values)


def _ladder_effects(
    campaign: Campaign, before: Derived, after: Derived, rounds: Mapping[UUID, Round]
) -> Iterator[FixtureEffect]:
    """Yield the ladders whose order changes. One query if there are any."""
    ladders = [each for each in rounds.values() if each.method == Method.LADDER]
    if not ladders:
        return
    enrolled = (
        campaign.enrolments.current()
        .order_by("enrolled_at", "id")
        .values_list("pk", "warband__name")
    )
    names = {str(key): name for key, name in enrolled}
    for row in ladders:
        then, now = (_ladder(row, state.results, names) for state in (before, after))
        if then != now:
            sentence = gettext("New ladder: %(now)s; before: %(then)s. Earlier challenges stay.")
            yield _of_round(
                row, "ladder", sentence % {"now": join_names(now), "then": join_names(then)}
            )


def _ladder(row: Round, results: Iterable[FixtureResult], names: Mapping[str, str]) -> list[str]:
    mine = [each for each in results if each.round == row.pk]
    return [names[key] for key in ladder_of(row.order, mine, [*names])]


def _later_rounds(
    before: Derived, after: Derived, rounds: Mapping[UUID, Round]
) -> Iterator[FixtureEffect]:
    """Yield the later rounds that were drawn from standings that have changed.

    Only rounds after the first changed fixture count.
    """
    then, now = (
        [(row.enrolment, row.points) for row in state.table.rows] for state in (before, after)
    )
    former = {each.id: each for each in before.results}
    changed = [
        each.round_number
        for each in after.results
        if _outcome(each) != _outcome(former.get(each.id, each))
    ]
    if then == now and not changed:
        return
    first = min(changed, default=0)
    # The effects on a bracket are reported fixture by fixture.
    bracketed = set(
        Fixture.objects.filter(round__in=[*rounds])
        .exclude(home_from=None)
        .values_list("round", flat=True)
    )
    for row in rounds.values():
        if row.number <= first or row.method not in DRAWN_BY_TABLE or row.pk in bracketed:
            continue
        byes = [
            each.winner.name
            for each in after.results
            if each.round == row.pk and _bye(each) and each.winner
        ]
        sentence = gettext("%(round)s was paired from the earlier results. Its pairings stay.") % {
            "round": row
        }
        if byes:
            sentence += " " + gettext("The bye of %(names)s stays too.") % {
                "names": join_names(byes)
            }
        yield _of_round(row, "round-stays", sentence)


def _bye(result: FixtureResult) -> bool:
    return result.state is FixtureState.BYE


def _outcome(result: FixtureResult) -> tuple[object, ...]:
    return (
        result.state,
        tuple((side.outcome, side.victory_points) for side in result.sides),
        result.walkover,
    )


def _of_round(row: Round, effect: str, sentence: str) -> FixtureEffect:
    return FixtureEffect(
        fixture=None, round=row.pk, round_name=str(row), effect=effect, sentence=sentence
    )
