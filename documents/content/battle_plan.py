"""The plan of a battle's story: the moments of its log that are worth a sentence, turn by turn.

In no language: ``documents.content.narratives`` writes the sentences. Nothing becomes a beat that
no event of the log carries.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from documents.prose.beats import Beat, Name, Phrase
from rulebook.values.moments import BattleMoments, Moment, MomentKind, TurnTally

MAX_NAMES = 3
LUCKY = 0.085
"""Two dice as good as an eleven (3 in 36) are worth a word."""
LARGE_SWING, LARGE_LOSS = 0.18, 0.12
"""The shares of a side that a turn has to cost to be the turning point: more than the other side,
and at all."""
LONE_AGAINST = 3
MANY_AT_ONE = 3
"""The fewest who charge the same enemy in a turn for a beat of them all."""
MIN_DEADLIEST = 3
HARM = (MomentKind.HIT, MomentKind.KILL, MomentKind.LOSSES)
OUT_OF_ACTION = (MomentKind.KILL, MomentKind.MISHAP, MomentKind.CAPTURE)


KILLS = {
    "shot": (Phrase.KILL_SHOT, 54),
    "gun": (Phrase.KILL_SHOT, 54),
    "riposte": (Phrase.KILL_RIPOSTE, 56),
    "spell": (Phrase.KILL_SPELL, 56),
    "free": (Phrase.KILL_FREE, 54),
}
"""Deaths by means, with their weights."""
AS_IT_IS = {
    MomentKind.COLOURS: (Phrase.COLOURS, 60),
    MomentKind.OBJECTIVE: (Phrase.OBJECTIVE, 40),
    MomentKind.SAVED: (Phrase.SAVED, 24),
}
"""Moments that have one phrase, with its weight."""


class Ending(Struct, frozen=True):
    """The facts of the result that a story needs: the dead, and the score.

    ``dead`` are the ids of those who were lost for good, ``mortal`` says that losses are deaths.
    ``points`` are the victory points by side, empty without a score.
    """

    dead: frozenset[str]
    mortal: bool = True
    points: Mapping[str, int] = {}


def battle_plan(battle: BattleMoments, ending: Ending) -> tuple[Beat, ...]:
    """Return everything that a story of the battle could say, in the order of turns.

    Empty if nobody logged in which turns things happened.
    """
    if not battle.turns:
        return ()
    plan = _Plan(battle, ending)
    beats = [beat for moment in plan.moments() for beat in plan.of_moment(moment)]
    beats = plan.joined(beats)
    beats = plan.with_deaths_in_charges(beats)
    beats = plan.with_first_blood(beats)
    beats = plan.with_last_fallen(beats)
    beats += plan.swing()
    # What a result sheet says without a turn comes after the turns.
    beats.sort(
        key=lambda beat: (
            beat.turn or math.inf,
            beat.phrase in LAST_OF_TURN,
            beat.events[-1],
        )
    )
    return (*beats, *plan.deadliest(), *plan.end())


LAST_OF_TURN = (Phrase.SWING, Phrase.SWING_ALONE)
"""Phrases that sum a turn up, and come after everything else in it."""


class _Plan(Struct, frozen=True):
    """A battle's moments and its end, and the beats that they make."""

    battle: BattleMoments
    ending: Ending

    def moments(self) -> Iterator[Moment]:
        """Yield the moments for beats, without a kill that is the end of a duel."""
        killed = [
            each
            for each in self.battle.moments
            if each.kind is MomentKind.DUEL and each.effect == "killed"
        ]
        ended = {(duel.target, duel.turn) for duel in killed if self.dies(duel.target)}
        for moment in self.battle.moments:
            end = (moment.target, moment.turn)
            if moment.kind is MomentKind.KILL and end in ended:
                continue
            if moment in killed and end not in ended:
                continue
            yield moment

    def name(self, key: str) -> Name:
        """Return somebody's name; a side has no side to be added."""
        somebody = self.battle.people.get(key)
        if somebody is None:
            return Name(key)
        if somebody.sort == "side":
            return Name(somebody.name)
        names = [each.name for each in self.battle.people.values()]
        shared = names.count(somebody.name) > 1
        term = somebody.sort if somebody.sort in ("group", "cavalry") else ""
        shared = shared or term == "cavalry"
        return Name(somebody.name, self.side_name(somebody.side), shared, term)

    def side_name(self, side: str) -> str:
        somebody = self.battle.people.get(side)
        return somebody.name if somebody else ""

    def names(self, keys: Sequence[str]) -> tuple[Name, ...]:
        return tuple(self.name(key) for key in keys)

    def side_of(self, key: str) -> str:
        somebody = self.battle.people.get(key)
        return somebody.side if somebody else ""

    def is_person(self, key: str) -> bool:
        somebody = self.battle.people.get(key)
        return somebody is not None and somebody.sort == "person"

    def dies(self, key: str) -> bool:
        """Return whether somebody killed in the log is dead after the battle too."""
        return key in self.ending.dead or not self.ending.mortal

    def beat(self, phrase: Phrase, moment: Moment, weight: float, **changes: object) -> Beat:
        """Return a beat of a moment, with its actor as ``who`` and its target as ``whom``."""
        far = moment.distance >= self.battle.far
        lucky = moment.chance <= LUCKY and len(moment.dice) == 2
        plain = Beat(
            phrase=phrase,
            turn=moment.turn,
            events=moment.events,
            weight=weight + 14 * lucky + 8 * far,
            since=moment.since,
            who=self.names([moment.actor]) if moment.actor else (),
            whom=self.names([moment.target]) if moment.target else (),
            weapon=moment.weapon,
            means=moment.means,
            distance=moment.distance,
            measure=self.battle.measure,
            number=moment.number,
            of=moment.of,
            strength=self.battle.strength,
            dice=sum(moment.dice) if lucky else 0,
        )
        return replace(plain, **changes)

    def of_moment(self, moment: Moment) -> Iterator[Beat]:
        """Yield what a moment is worth telling as."""
        makers = {
            MomentKind.KILL: self.kill,
            MomentKind.HIT: self.hit,
            MomentKind.MISHAP: self.mishap,
            MomentKind.LOSSES: self.losses,
            MomentKind.CHARGE: self.charge,
            MomentKind.TEST: self.test,
            MomentKind.FLIGHT: self.flight,
            MomentKind.CAPTURE: self.capture,
            MomentKind.FIGHT: self.fight,
            MomentKind.DUEL: self.duel,
            MomentKind.ARRIVAL: self.arrival,
        }
        if moment.kind in AS_IT_IS:
            phrase, weight = AS_IT_IS[moment.kind]
            yield self.beat(phrase, moment, weight)
        elif moment.kind in makers:
            yield from makers[moment.kind](moment)

    def capture(self, moment: Moment) -> Iterator[Beat]:
        person = self.is_person(moment.target)
        yield self.beat(Phrase.CAPTURE if person else Phrase.SURRENDERED, moment, 46)

    def kill(self, moment: Moment) -> Iterator[Beat]:
        shot = moment.means in ("shot", "gun", "spell")
        if not self.is_person(moment.target):
            phrase, weight = Phrase.DESTROYED if moment.actor else Phrase.BROKE_UP, 58
        elif not moment.actor:
            phrase, weight = Phrase.DEATH, 44
        elif not self.dies(moment.target):
            phrase, weight = Phrase.DOWN_SHOT if shot else Phrase.DOWN, 40
        elif moment.friendly:
            phrase, weight = Phrase.KILL_FRIENDLY, 60
        else:
            phrase, weight = KILLS.get(moment.means, (Phrase.KILL, 48))
        yield self.beat(phrase, moment, weight)

    def hit(self, moment: Moment) -> Iterator[Beat]:
        if moment.friendly or not self.is_person(moment.target):
            return
        shot = moment.means in ("shot", "gun", "spell")
        if moment.effect == "back":
            yield self.beat(Phrase.BACK, moment, 10)
        elif moment.effect == "dazed":
            yield self.beat(Phrase.DAZED, moment, 8)
        elif moment.effect == "out":
            yield self.beat(Phrase.DOWN_SHOT if shot else Phrase.DOWN, moment, 38)
        else:
            weight = 20 if moment.effect == "grave" else 9
            yield self.beat(Phrase.HIT_SHOT if shot else Phrase.HIT, moment, weight)

    def mishap(self, moment: Moment) -> Iterator[Beat]:
        phrases = {
            "fall": Phrase.FALL,
            "drowning": Phrase.DROWNED,
            "poison": Phrase.POISONED,
            "unhorsed": Phrase.UNHORSED,
            "": Phrase.MISSING,
        }
        phrase = phrases[moment.effect]
        deadly = phrase in (Phrase.FALL, Phrase.DROWNED, Phrase.POISONED)
        if not deadly or self.dies(moment.target):
            yield self.beat(phrase, moment, 50 if deadly else 30)

    def losses(self, moment: Moment) -> Iterator[Beat]:
        share = moment.number / moment.of if moment.of else min(1.0, moment.number / 10)
        if moment.number < 2:
            return
        guns = moment.means == "gun"
        weight = 12 + 60 * min(share, 0.6) + 14 * (moment.chance <= LUCKY)
        yield self.beat(Phrase.LOSSES_GUNS if guns else Phrase.LOSSES, moment, weight)

    def charge(self, moment: Moment) -> Iterator[Beat]:
        """Yield a charge: of several at one enemy, of one alone, or any other."""
        together = self._charges_at(moment.target, moment.turn)
        rides = moment.effect == "mounted"
        if len(together) >= MANY_AT_ONE:
            if moment is together[-1]:
                who = list(dict.fromkeys(each.actor for each in together))
                yield self.beat(
                    Phrase.CLOSING_IN,
                    moment,
                    36 + 3 * len(who),
                    who=self.names(who[:MAX_NAMES]),
                    more=max(0, len(who) - MAX_NAMES),
                    events=tuple(each.events[0] for each in together),
                )
            return
        reached = [moment.target, *moment.others]
        whom = self.names(reached[:MAX_NAMES])
        alone = moment.passed and moment.number >= LONE_AGAINST and self.is_person(moment.actor)
        if alone and len(reached) > 1:
            phrase = Phrase.LONE_RIDE if rides else Phrase.LONE_CHARGE
            yield self.beat(phrase, moment, 56, whom=whom, number=len(reached), mounted=rides)
        elif alone and len(self._charges_at(moment.actor, moment.turn)) >= MANY_AT_ONE:
            yield self.beat(Phrase.LONE_AT, moment, 52, whom=whom, mounted=rides)
        else:
            weight = 10 + 12 * rides if self.is_person(moment.actor) else 26
            yield self.beat(Phrase.RIDE if rides else Phrase.CHARGE, moment, weight, whom=whom)

    def _charges_at(self, target: str, turn: int) -> list[Moment]:
        """Return the charges in a turn at somebody."""
        return [
            each
            for each in self.battle.moments
            if each.kind is MomentKind.CHARGE and (each.target, each.turn) == (target, turn)
        ]

    def test(self, moment: Moment) -> Iterator[Beat]:
        tests = [
            each
            for each in self.battle.moments
            if each.kind is MomentKind.TEST and each.actor == moment.actor
        ]
        side = self.battle.people.get(moment.actor)
        of_side = side is not None and side.sort == "side"
        if moment.effect == "broken" and not moment.passed:
            yield self.beat(Phrase.TEST_BROKEN, moment, 62 if of_side else 46)
        elif not moment.passed:
            yield self.beat(Phrase.TEST_SHAKEN, moment, 42 if of_side else 22)
        elif of_side and len(tests) == 1:
            yield self.beat(Phrase.ONLY_TEST_HELD, moment, 44)
        elif of_side:
            yield self.beat(Phrase.TEST_HELD, moment, 28)

    def flight(self, moment: Moment) -> Iterator[Beat]:
        who = [moment.actor, *moment.others]
        shown = self.names(who[:MAX_NAMES])
        phrase = Phrase.FLED if len(who) == 1 else Phrase.FLED_MANY
        yield self.beat(phrase, moment, 34 + 4 * len(who), who=shown, more=len(who) - len(shown))

    def fight(self, moment: Moment) -> Iterator[Beat]:
        if not moment.passed:
            yield self.beat(Phrase.HELD_OFF, moment, 42)
        elif moment.effect == "mounted":
            yield self.beat(Phrase.CHARGE_WON, moment, 46)
        else:
            yield self.beat(Phrase.FIGHT, moment, 40)

    def duel(self, moment: Moment) -> Iterator[Beat]:
        if moment.effect != "killed":
            yield self.beat(Phrase.DUEL, moment, 34 + moment.number)
            return
        who = self.names([moment.actor, *moment.others])
        phrase = Phrase.SEVERAL_KILL if moment.others else Phrase.DUEL_KILL
        yield self.beat(
            phrase,
            moment,
            60 + moment.number,
            who=who[:MAX_NAMES],
            more=max(0, len(who) - MAX_NAMES),
        )

    def arrival(self, moment: Moment) -> Iterator[Beat]:
        # They join their own side, which needs no second mention.
        whom = tuple(Name(each.text) for each in self.names(moment.others[:MAX_NAMES]))
        more = len(moment.others) - len(whom)
        yield self.beat(Phrase.ARRIVAL, moment, 22, whom=whom, more=more)

    def joined(self, beats: Sequence[Beat]) -> list[Beat]:
        """Return the beats with several kills by the same fighter in one turn joined into one."""
        joined: list[Beat] = []
        place: dict[tuple[int, Name, Phrase], int] = {}
        many = {
            Phrase.KILL: Phrase.KILL_MANY,
            Phrase.KILL_SHOT: Phrase.KILL_MANY,
            Phrase.DOWN: Phrase.DOWN_MANY,
            Phrase.DOWN_SHOT: Phrase.DOWN_MANY,
        }
        for beat in beats:
            into = many.get(beat.phrase)
            key = (beat.turn, beat.who[0], into) if into and beat.who else None
            if key is None or key not in place:
                if key is not None:
                    place[key] = len(joined)
                joined.append(beat)
                continue
            before = joined[place[key]]
            whom = (*before.whom, *beat.whom)
            joined[place[key]] = replace(
                before,
                phrase=key[2],
                events=tuple(dict.fromkeys((*before.events, *beat.events))),
                whom=whom,
                weight=before.weight + 10,
                weapon=before.weapon if before.weapon == beat.weapon else "",
                distance=0,
                dice=0,
                number=len(whom),
            )
        return joined

    def with_deaths_in_charges(self, beats: Sequence[Beat]) -> list[Beat]:
        """Return the beats with lone charges, and charges of several, joined with what came of
        them in the same turn: the death of who charged alone, or of the common enemy."""
        kills = {
            (beat.turn, beat.whom[0].text): beat
            for beat in beats
            if beat.phrase in (Phrase.KILL, Phrase.KILL_RIPOSTE) and beat.whom and beat.who
        }
        joined: list[Beat] = []
        merged: list[Beat] = []
        for beat in beats:
            lone = beat.phrase in (Phrase.LONE_AT, Phrase.LONE_CHARGE, Phrase.LONE_RIDE)
            closing = beat.phrase is Phrase.CLOSING_IN
            victim = beat.who[0].text if lone else beat.whom[0].text if closing else ""
            kill = kills.get((beat.turn, victim))
            if kill is None or kill in merged:
                joined.append(beat)
                continue
            merged.append(kill)
            joined.append(
                replace(
                    beat,
                    phrase=Phrase.LONE_DEATH if lone else Phrase.MOBBED,
                    by=kill.who,
                    events=(*beat.events, *kill.events),
                    weight=beat.weight + 26,
                )
            )
        return [beat for beat in joined if beat not in merged]

    def with_first_blood(self, beats: Sequence[Beat]) -> list[Beat]:
        """Return the beats with the first harm to a person marked as the first blood.

        On a result sheet only if nobody else was harmed in that turn.
        """
        first = next((each for each in self.battle.moments if _is_harm(each)), None)
        if first is None or not first.actor or first.friendly or not self._alone(first):
            return list(beats)
        marked: list[Beat] = []
        firsts = {
            Phrase.HIT: Phrase.FIRST_BLOOD,
            Phrase.HIT_SHOT: Phrase.FIRST_BLOOD_SHOT,
            Phrase.LOSSES: Phrase.FIRST_LOSSES,
        }
        for beat in beats:
            if beat.events == first.events and beat.phrase in firsts:
                phrase = firsts[beat.phrase]
                needed = phrase is not Phrase.FIRST_LOSSES
                marked.append(replace(beat, phrase=phrase, weight=55, needed=needed))
            else:
                marked.append(beat)
        return marked

    def with_last_fallen(self, beats: Sequence[Beat]) -> list[Beat]:
        """Return the beats with the death of the last of a side marked, if all of it fell."""
        final = self.battle.turns[-1].strength
        marked = list(beats)
        for side in (side for side, left in final.items() if not left):
            own = [
                place
                for place, beat in enumerate(marked)
                if beat.phrase in (Phrase.KILL, Phrase.KILL_SHOT, Phrase.KILL_RIPOSTE)
                and beat.whom[0].side == self.side_name(side)
            ]
            last = max((self._lost_at(side)), default=())
            if own and last and self.battle.in_order and marked[own[-1]].events[-1] == last[0]:
                beat = marked[own[-1]]
                marked[own[-1]] = replace(beat, phrase=Phrase.LAST_FELL, needed=True, weight=70)
        return marked

    def _alone(self, moment: Moment) -> bool:
        """Return whether a moment was certainly the first harm of its turn."""
        in_turn = [each for each in self.battle.moments if each.turn == moment.turn]
        return self.battle.in_order or sum(_is_harm(each) for each in in_turn) == 1

    def _lost_at(self, side: str) -> list[tuple[int, str]]:
        """Return the event by which each of a side was lost to it, and who it was."""
        lost = []
        for each in self.battle.moments:
            victims = [each.target] if each.kind in OUT_OF_ACTION else []
            if each.kind is MomentKind.HIT and each.effect == "out":
                victims = [each.target]
            if each.kind is MomentKind.FLIGHT:
                victims = [each.actor, *each.others]
            lost += [(each.events[-1], who) for who in victims if self.side_of(who) == side]
        return lost

    def _last_left(self, side: str) -> str:
        """Return the id of the only fighter of a side who was left, "" if that is not certain."""
        people = self.battle.people
        own = {key for key, each in people.items() if (each.side, each.sort) == (side, "person")}
        left = own - {who for _, who in self._lost_at(side)}
        return left.pop() if len(left) == 1 and len(own) >= LONE_AGAINST else ""

    def swing(self) -> list[Beat]:
        """Return the turn after which the strengths had shifted most, if it was a large shift."""
        before: Mapping[str, int] = self.battle.opening
        best: tuple[float, TurnTally, Mapping[str, int], str] | None = None
        for tally in self.battle.turns:
            for side in tally.strength:
                share = self._lost_share(before, tally, side)
                elsewhere = [
                    self._lost_share(before, tally, other)
                    for other in tally.strength
                    if other != side
                ]
                shift = share - min(elsewhere, default=0.0)
                if best is None or shift > best[0]:
                    best = (shift, tally, before, side)
            before = tally.strength
        if best is None or best[0] < LARGE_SWING:
            return []
        _, tally, before, side = best
        lost = before[side] - tally.strength[side]
        events = self._losses_in(tally.turn)
        opening = self.battle.opening.get(side) or 1
        if lost < 2 or lost < LARGE_LOSS * opening or not events or before[side] == lost:
            return []
        others = [key for key in tally.strength if key != side]
        their_loss = before[others[0]] - tally.strength[others[0]] if len(others) == 1 else -1
        phrase = Phrase.SWING if their_loss >= 0 else Phrase.SWING_ALONE
        return [
            Beat(
                phrase=phrase,
                turn=tally.turn,
                events=events,
                weight=52,
                needed=True,
                who=(self.name(side),),
                whom=tuple(self.name(key) for key in others[:1]),
                number=lost,
                of=before[side],
                other_number=max(0, their_loss),
                strength=self.battle.strength,
            )
        ]

    def _lost_share(self, before: Mapping[str, int], after: TurnTally, side: str) -> float:
        opening = self.battle.opening.get(side) or 1
        return (before.get(side, 0) - after.strength[side]) / opening

    def _losses_in(self, turn: int) -> tuple[int, ...]:
        """Return the events of a turn by which somebody was lost."""
        kinds = (
            MomentKind.KILL,
            MomentKind.LOSSES,
            MomentKind.FLIGHT,
            MomentKind.MISHAP,
            MomentKind.CAPTURE,
            MomentKind.FIGHT,
            MomentKind.TEST,
        )
        moments = [
            each
            for each in self.battle.moments
            if each.turn == turn
            and (each.kind in kinds or (each.kind is MomentKind.HIT and each.effect == "out"))
        ]
        events = (event for each in moments for event in each.events)
        return tuple(sorted(set(events)))

    def deadliest(self) -> list[Beat]:
        """Return the fighter who killed more persons than anybody else, if that is certain."""
        kills = [
            each
            for each in self.battle.moments
            if each.kind is MomentKind.KILL
            and each.actor
            and not each.friendly
            and self.is_person(each.target)
            and self.dies(each.target)
        ]
        ranked = Counter(each.actor for each in kills).most_common(2)
        if not ranked or ranked[0][1] < MIN_DEADLIEST:
            return []
        if len(ranked) > 1 and ranked[1][1] == ranked[0][1]:
            return []
        fighter, number = ranked[0]
        own = [each for each in kills if each.actor == fighter]
        return [
            Beat(
                phrase=Phrase.DEADLIEST,
                turn=0,
                events=tuple(event for each in own for event in each.events),
                weight=47,
                who=(self.name(fighter),),
                number=number,
            )
        ]

    def end(self) -> Iterator[Beat]:
        """Yield how it ended: who gave up, who was left, and who lived after all."""
        tally = self.battle.turns[-1]
        ends = [each for each in self.battle.moments if each.kind is MomentKind.END]
        gave_up = {"withdrew": Phrase.WITHDREW, "conceded": Phrase.CONCEDED}
        for moment in ends:
            if moment.actor and moment.effect in gave_up:
                yield self.beat(gave_up[moment.effect], moment, 70, needed=True, turn=moment.turn)
                break
        events = ends[-1].events if ends else self._last_event()
        if events:
            yield from self._left(tally, events)
        yield from self._lived()

    def _last_event(self) -> tuple[int, ...]:
        return self.battle.moments[-1].events[-1:] if self.battle.moments else ()

    def _left(self, tally: TurnTally, events: tuple[int, ...]) -> Iterator[Beat]:
        """Yield who was left at the end: nobody, one fighter, or the strengths of both."""
        sides = list(tally.strength)
        gone = [side for side in sides if not tally.strength[side]]
        plain = Beat(phrase=Phrase.STANDING, turn=0, events=events, weight=60, needed=True)
        plain = replace(plain, strength=self.battle.strength)
        if len(gone) == len(sides):
            yield replace(plain, phrase=Phrase.NOBODY_LEFT, number=len(sides))
            return
        for side in gone:
            yield replace(
                plain,
                phrase=Phrase.WIPED_OUT,
                who=(self.name(side),),
                of=self.battle.opening.get(side, 0),
            )
        for side in sides:
            if tally.strength[side] == 1 and (who := self._last_left(side)):
                yield replace(
                    plain,
                    phrase=Phrase.LAST_LEFT,
                    who=(self.name(who),),
                    whom=(self.name(side),),
                    of=self.battle.opening.get(side, 0),
                )
        if gone or len(sides) != 2:
            return
        first, second = sorted(sides, key=lambda side: -self._share(tally, side))
        numbers = {
            "number": tally.strength[first],
            "of": self.battle.opening.get(first, 0),
            "other_number": tally.strength[second],
            "other_of": self.battle.opening.get(second, 0),
        }
        scored = any(self.ending.points.values())
        score = (self.ending.points.get(first, 0), self.ending.points.get(second, 0))
        phrase = Phrase.STANDING_SCORE if scored else Phrase.STANDING
        yield replace(
            plain,
            phrase=phrase,
            who=(self.name(first),),
            whom=(self.name(second),),
            score=score,
            **numbers,
        )

    def _share(self, tally: TurnTally, side: str) -> float:
        return tally.strength[side] / (self.battle.opening.get(side) or 1)

    def _lived(self) -> Iterator[Beat]:
        """Yield those who were struck down as if killed and lived, and whether nobody died."""
        if not self.ending.mortal:
            return
        kills = [
            each
            for each in self.battle.moments
            if each.kind is MomentKind.KILL and self.is_person(each.target)
        ]
        lived = [each for each in kills if each.target not in self.ending.dead]
        events = tuple(event for each in lived for event in each.events)
        hurt = [each for each in self.battle.moments if _is_harm(each)]
        if not self.ending.dead and hurt:
            yield Beat(
                phrase=Phrase.NOBODY_DIED,
                turn=0,
                events=events or hurt[-1].events,
                weight=45,
            )
        elif lived:
            names = self.names(list(dict.fromkeys(each.target for each in lived)))
            yield Beat(
                phrase=Phrase.LIVED,
                turn=0,
                events=events,
                weight=40,
                whom=names[:MAX_NAMES],
                more=max(0, len(names) - MAX_NAMES),
            )


def _is_harm(moment: Moment) -> bool:
    """Return whether somebody came to harm by a moment, not only driven back or dazed."""
    return moment.kind in HARM and moment.effect not in ("back", "dazed")
