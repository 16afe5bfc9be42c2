"""The log of a battle of Wards, and the result that it comes to."""

from collections.abc import Iterator

from rulebook.battle_log.declared import declared_result
from rulebook.battle_log.kinds import EventKind
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.policy import ToldBefore
from rulebook.battle_log.steps import StepPolicy
from rulebook.systems.wards import combats, ending, events
from rulebook.systems.wards.book import GONE, VIOLATIONS, book, broken
from rulebook.systems.wards.events import WARDS, Event, TurnEvent
from rulebook.systems.wards.fighters import bases_in_words
from rulebook.systems.wards.roster import present
from rulebook.systems.wards.state import (
    Combatant,
    State,
    narrow,
    opening,
    ward_name,
    ward_title,
    wards_of,
)
from rulebook.values.battles import BattleResult, BattleSetup, LoggedEvent, Loss, Record
from rulebook.values.problems import Obligation, Problem, Violation, join_names, plural
from rulebook.values.rosters import Condition, Fate

KINDS: tuple[type[Event], ...] = (
    events.TurnBegan,
    events.StepReached,
    events.GeneralActed,
    events.MoraleTested,
    combats.Charged,
    combats.FellBack,
    events.PulledIn,
    combats.WardShot,
    combats.GunShot,
    combats.HandGunnersShot,
    events.WardMoved,
    events.GunMoved,
    combats.Fought,
    combats.GeneralStruck,
    ending.ArrowsRecovered,
    ending.OrderRestored,
    ending.WardsRestored,
    ending.GunLoaded,
    ending.Arrived,
    ending.GeneralReplaced,
    ending.ClockRolled,
    ending.Lost,
    ending.Ended,
    ending.Refitted,
)
STEPS = list(book().step)
MORALE, FIGHTS = STEPS.index("morale"), STEPS.index("fights")
ACTING = ("fighter", "at")
"""Fields of those who cannot be gone."""
WITHIN = {"who": "ward", "losses": "ward", "ward_hit": "ward", "target_hit": "target"}
"""Fields with units of a Ward, each with the field of that Ward."""


def misplaced(state: State, event: Event) -> Iterator[Problem]:
    """Wards that are not on the table, units that are not in their Ward, and arms that do no such
    thing."""
    ward_keys = wards_of(state)
    for field in WARDS:
        if hasattr(event, field) and (ward := getattr(event, field)) not in ward_keys:
            sentence = f"There is no Ward {ward!r} on the table: {', '.join(ward_keys) or 'none'}."
            yield Problem("unknown-ward", sentence, field=field, value=ward)
    for field, where in WITHIN.items():
        combatant_ids = getattr(event, field, ())
        if not combatant_ids:
            continue
        ward = getattr(event, where, "")
        own_ids = {combatant.id for combatant in state.ranks(ward)}
        if "hit" in field:
            # Guns are hit with their Ward, and do nothing else with it.
            own_ids |= {gun.id for gun in state.guns(ward)}
        for combatant_id in combatant_ids:
            if combatant_id not in own_ids:
                sentence = (
                    f"{state.combatants[combatant_id].name} is not a unit of {ward_name(ward)}. "
                    "Choose one of its units."
                )
                yield Problem("not-in-ward", sentence, field=field, value=combatant_id)
    actor = state.combatants.get(getattr(event, "fighter", ""))
    if actor and event.arms and actor.fighter.arm not in event.arms:
        names = join_names((book().arm[each].name.lower() for each in event.arms), "or")
        yield Problem(
            "wrong-arm",
            f"{actor.name} cannot do that. Choose {names}.",
            field="fighter",
            value=actor.id,
        )


class WardsPolicy(StepPolicy[State]):
    """The steps of a turn go in their order; who is gone does nothing, nor does a side whose turn
    it is not."""

    sayings = VIOLATIONS

    def left_open(self, state: State) -> Iterator[tuple[str, str]]:
        """Generals who are to be saved, tests of morale and fights of the steps that are left."""
        for general_id in dict.fromkeys(each for each, _ in state.struck):
            yield state.combatants[general_id].name, combats.GeneralStruck.label
        for ward in (
            events.MoraleTested.owed_by(state)
            if state.last_step <= MORALE and state.step != MORALE
            else ()
        ):
            yield ward_name(ward), events.MoraleTested.label
        for ward in (
            combats.Fought.owed_by(state) if state.last_step <= FIGHTS != state.step else ()
        ):
            yield ward_name(ward), combats.Fought.label

    def obligations(self, state: State) -> Iterator[Obligation]:
        """Yield the Generals to be saved (W-F6), the tests of morale that are due, and the assaults
        not yet fought."""
        if state.ended or not state.turn:
            return
        for general in dict.fromkeys(struck for struck, _ in state.struck):
            yield Obligation(
                who=general, kind="general-hit", label=f"{state.combatants[general].name}: save"
            )
        for ward in events.MoraleTested.owed_by(state) if state.step <= MORALE else ():
            yield Obligation(
                who=ward, kind=events.MoraleTested.key, label=f"{ward_name(ward)}: morale"
            )
        for ward in combats.Fought.owed_by(state) if state.step <= FIGHTS else ():
            yield Obligation(who=ward, kind=combats.Fought.key, label=f"{ward_name(ward)}: fight")

    def misplaced(self, state: State, event: EventKind[State]) -> Iterator[Problem]:
        """Wards that are not on the table, units that are not in their Ward, and arms that do no
        such thing."""
        return misplaced(state, event) if isinstance(event, Event) else iter(())

    def end_of(self, state: State, who: str) -> str:
        """Return how something is gone. A General who was replaced stands again, and may fall
        again."""
        combatant = state.combatants.get(who)
        if combatant is None or not combatant.gone:
            return ""
        killer = next(
            (
                deed.fighter
                for deed in reversed(state.deeds)
                if (deed.victim, deed.kind) == (who, "loss")
            ),
            "",
        )
        by = f" by {state.combatants[killer].name}" if killer else ""
        return f"{combatant.name} was {GONE[combatant.gone]}{by}"

    def told_before(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[ToldBefore]:
        """Yield the ends of units, and the fights that a Ward has won. Only one of its units logs
        them.

        In a turn, or on a sheet without turns, its fights are logged once, as one number (Ruling
        W-F11).
        """
        yield from super().told_before(state, event, logged)
        combatant = (
            state.combatants.get(event.fighter)
            if isinstance(event, ending.Lost) and event.won
            else None
        )
        if combatant is None or not combatant.key:
            return
        own = {each.id for each in state.combatants.values() if each.key == combatant.key}
        turn = state.turn or None
        if any(
            each.kind == "won" and each.turn == turn and each.fighter in own for each in state.deeds
        ):
            yield ToldBefore(
                "won",
                combatant.key,
                f"The fights that {ward_title(combatant.key, state.sides)} won are counted",
            )

    def violations(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Violation]:
        # Who is gone does nothing, but for the General who is replaced because of it.
        if (
            isinstance(event, Event)
            and not event.after_end
            and not isinstance(event, ending.GeneralReplaced)
        ):
            for field in ACTING:
                if fighter_id := getattr(event, field, ""):
                    fighter = state.combatants[fighter_id]
                    yield from broken(
                        (bool(fighter.gone), "gone"), name=fighter.name, gone=GONE.get(fighter.gone)
                    )

        # In most steps only one side acts.
        if isinstance(event, TurnEvent) and event.phase and not book().step[event.phase].both:
            theirs = event.actor(state) not in ("", state.active)
            yield from broken(
                (theirs, "not-active"), active=state.sides.get(state.active, "nobody")
            )

        # A General who was struck in this step is to be saved before anything else happens.
        waits = (
            state.struck
            and state.last_step == state.step
            and not isinstance(event, combats.GeneralStruck)
        )
        if waits and isinstance(event, TurnEvent) and not event.after_end:
            label = combats.GeneralStruck.label.lower()
            for general in dict.fromkeys(struck for struck, _ in state.struck):
                yield from broken(
                    (True, "still-open"), name=state.combatants[general].name, label=label
                )
        yield from super().violations(state, event, logged)

    def apply(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """Return the state after the event: who has come to stand too narrow is out of order
        (W-O1)."""
        after = super().apply(state, event, logged)
        fell = []
        for key, combatant in after.combatants.items():
            if narrow(after, combatant) and not narrow(state, state.combatants[key]):
                fell.append(key)
        return after.disordered(fell)


LOG = BattleLog(KINDS, opening, WardsPolicy(), State)
"""The log of Wards."""


def read_result(state: State, setup: BattleSetup) -> BattleResult:
    """Return the result: what the players declared, with the losses; the sheet has no
    victory (W-G3)."""
    brought: dict[str, Condition] = {}
    for fielded in setup.sides:
        brought |= {each.id: each.condition for each in fielded.fighters}
    records, losses = {}, {}
    for side in state.sides:
        records[side] = tuple(
            _record(state, combatant, brought[combatant.id]) for combatant in state.of(side)
        )
        losses[side] = losses_in_words(state, side)
    return declared_result(state, records, losses, state.reason)


def losses_in_words(state: State, side: str) -> str:
    """Return what a side has lost of what it brought, as counts.

    Example: "3½ of 24 bases, 1 unit routed, 1 General, 2 fights won".
    """
    own = state.of(side)
    brought, left = state.brought.get(side, 0), sum(each.halves for each in own)
    counts = (
        (sum(each.gone == "routed" for each in own), "unit routed", "units routed"),
        (
            sum(each.fell + bool(each.gone) for each in own if each.fighter.general),
            "General",
            "Generals",
        ),
        (sum(bool(each.gone) for each in own if each.fighter.gun), "gun", "guns"),
    )
    counted = [
        f"{count} {single if count == 1 else several}" for count, single, several in counts if count
    ]
    won = sum(ward.fights_won for key, ward in state.wards.items() if key.startswith(f"{side}/"))
    lost = f"{bases_in_words(max(0, brought - left))} of {bases_in_words(brought)} bases"
    return ", ".join((lost, *counted, f"{plural(won, 'fight')} won"))


def _record(state: State, combatant: Combatant, brought: Condition) -> Record:
    """Return the record of a unit. Where losses stay, it carries the bases that it lacks, and is
    gone with none left.

    A General who fell is gone then, even if somebody has taken his place.
    """
    stays, lacks = state.settings.losses_stay, combatant.fighter.halves - combatant.halves
    condition = brought
    if stays:
        condition = {"lost": lacks} if lacks else {}
    had = present(combatant.fighter, brought).halves
    halves = Loss("lost", "bases", bases_in_words(had - combatant.halves), bases_in_words(had))
    lost = (
        combatant.fell
        or combatant.gone in ("killed", "lost", "destroyed")
        or (combatant.fighter.halves and not combatant.halves)
    )
    return Record(
        fighter=combatant.id,
        rank=0,
        fate=Fate.DEAD if stays and lost else Fate.FIT,
        survived=not (combatant.gone or combatant.fell),
        wounds="killed" if combatant.fell else combatant.gone,
        losses=(halves,) if had > combatant.halves else (),
        condition=condition,
    )
