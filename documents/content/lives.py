"""The facts behind epitaphs, closing pages of warbands and the champion's page."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from battles.selectors.results import BattleWithResult
from battles.selectors.standings import Standings, StandingsRow
from core.ruleset_words import rules_text
from documents.content.battles import DEAD
from documents.content.documents import (
    Champion,
    CourseOfPlay,
    Ending,
    Fallen,
    Honour,
    Won,
)
from documents.content.histories import Chronicle, joined_after, rises_of
from documents.content.memorial import HonourLists
from documents.content.people import CampaignService
from documents.content.structs import BattleNarrative, Glossed
from documents.prose.book import book_prose, epitaphs
from documents.prose.lives import Decision, Life, Remains, Vengeance
from leagues.selectors.campaign_stats import Kill
from rulebook.chronicle.states import GONE
from rulebook.ruleset import Deed, Fate
from warbands.models import Warband

HURT = ("hurt", "out")
"""The marks of fighters who came home hurt."""


class Lives(Struct, frozen=True, kw_only=True):
    """The data from which lives are written; see ``lives_of``.

    ``battles`` are those that count, by id and in order of play. ``joined`` has the battle after
    which each recruit of the campaign joined. ``rises`` counts rank-ups. ``over`` is True at the
    end of the campaign. ``kills`` are the killings of fighters who were not found alive after the
    battle, and ``fatal`` the deeds that killed, by victim. ``harmed`` has the enemies that a
    fighter harmed, ``captured`` counts how often a fighter was captured.
    """

    rolls: HonourLists
    battles: Mapping[str, tuple[BattleWithResult, BattleNarrative]]
    joined: Mapping[str, str]
    rises: Mapping[str, int]
    over: bool
    kills: tuple[Kill, ...]
    fatal: Mapping[str, Deed]
    harmed: Mapping[str, set[str]]
    captured: Mapping[str, int]

    @property
    def mortal(self) -> bool:
        """True if the fighters of the rule system are people, who die."""
        return self.rolls.rules.words.lost == DEAD

    def title(self, battle: UUID | str | None) -> str:
        """Return the name of a battle in the book, or ""."""
        key = str(battle or "")
        return self.battles[key][1].named if key in self.battles else ""


def lives_of(
    rolls: HonourLists,
    battles: Mapping[str, tuple[BattleWithResult, BattleNarrative]],
    chronicles: Mapping[UUID, Chronicle],
    *,
    over: bool,
) -> Lives:
    """Return the data of all lives in a campaign. Each battle is read once; no queries."""
    joined: dict[str, str] = {}
    rises: dict[str, int] = {}
    for chronicle in chronicles.values():
        joined |= joined_after(chronicle)
        rises |= {fighter: len(each) for fighter, each in rises_of(chronicle).items()}
    kills = tuple(
        kill for kill in rolls.annals.slayings if rolls.annals.died_in(kill.victim) == kill.battle
    )
    fatal: dict[str, Deed] = {}
    harmed: dict[str, set[str]] = {}
    captured = Counter[str]()
    for of, _ in battles.values():
        for side in of.result.sides:
            for deed in side.deeds:
                if not deed.victim:
                    continue
                if deed.kind == "wound" and not deed.friendly:
                    harmed.setdefault(deed.fighter, set()).add(deed.victim)
                if deed.killed and rolls.annals.died_in(deed.victim) == of.battle.pk:
                    fatal[deed.victim] = deed
            captured.update(
                record.fighter
                for record in side.records
                if (record.captured or record.fate is Fate.CAPTURED)
                and record.fate is not Fate.DEAD
            )
    return Lives(
        rolls=rolls,
        battles=battles,
        joined=joined,
        rises=rises,
        over=over,
        kills=kills,
        fatal=fatal,
        harmed=harmed,
        captured=captured,
    )


def with_epitaphs(lives: Lives, fallen: Sequence[Fallen]) -> tuple[Fallen, ...]:
    """Return the fallen with their epitaphs, no two of which are alike."""
    anchors = {lives.rolls.place(key): key for key in lives.rolls.people}
    names = {each.fighter.name for each in lives.rolls.people.values()}
    facts = [_life(lives, each, anchors[each.at], names) for each in fallen]
    return tuple(
        replace(each, epitaph=text) for each, text in zip(fallen, epitaphs(facts), strict=True)
    )


def _life(lives: Lives, fallen: Fallen, fighter: str, names: Collection[str]) -> Life:
    """Return the life of a fighter. ``names`` has everybody's: others are causes, as in the log."""
    rolls = lives.rolls
    killers = tuple(person.name for person in fallen.by if person.name in names)
    causes = [rules_text(person.name) for person in fallen.by if person.name not in names]
    died_in = rolls.annals.died_in(fighter)
    stints = rolls.annals.stints.get(fighter, ())
    before = stints[:-1] if died_in else stints
    killed = [
        kill for kill in lives.kills if kill.killer == fighter and kill.victim in rolls.people
    ]
    last = [kill for kill in killed if kill.battle == died_in]
    deed = lives.fatal.get(fighter) if fallen.killer else None
    wounded = lives.harmed.get(fighter, set()) - {kill.victim for kill in killed}
    return Life(
        name=fallen.name,
        warband=fallen.warband,
        fell=bool(fallen.battle),
        turn=lives.fatal[fighter].turn if fighter in lives.fatal else None,
        killers=killers,
        weapon=rules_text(rolls.rules.deed_weapon(deed)) if deed else "",
        comrade=bool(deed and deed.friendly),
        end=", ".join(causes) if not killers else "",
        battles=len(stints),
        earlier=max(fallen.battles - len(stints), 0),
        joined=lives.title(lives.joined.get(fighter)),
        killed=tuple(rolls.people[kill.victim].fighter.name for kill in killed),
        took_along=rolls.people[last[-1].victim].fighter.name if last else "",
        wounded=len(wounded),
        rises=lives.rises.get(fighter, 0),
        hurt=sum(stint.mark in HURT for stint in before),
        captured=lives.captured.get(fighter, 0),
        vengeance=_vengeance(lives, fighter),
        mortal=lives.mortal,
    )


def _vengeance(lives: Lives, fighter: str) -> Vengeance | None:
    """Return what happened to the killer of a fighter, or None if nobody is known."""
    people, kills = lives.rolls.people, lives.kills
    mine = next((kill for kill in kills if kill.victim == fighter), None)
    if mine is None or mine.killer not in people:
        return None
    killer, ours = people[mine.killer], people[fighter].warband.pk
    end = next((kill for kill in kills if kill.victim == mine.killer), None)
    if end is not None and end.killer in people and end.killer != fighter:
        by = people[end.killer]
        return Vengeance(
            killer=killer.fighter.name,
            by=by.fighter.name,
            warband=by.warband.name,
            where=lives.title(end.battle) if end.battle != mine.battle else "",
            ours=by.warband.pk == ours,
        )
    died_in = lives.rolls.annals.died_in(mine.killer)
    if died_in is not None and died_in != mine.battle:
        return Vengeance(killer=killer.fighter.name, where=lives.title(died_in))
    serves = lives.over and killer.fighter.fate not in GONE
    return Vengeance(killer=killer.fighter.name, serves=serves)


def remains_of(lives: Lives, row: StandingsRow, of: int) -> Remains:
    """Return what happened to a warband: its people, its dead and its deeds."""
    rolls = lives.rolls
    own = [each for each in rolls.people.values() if each.warband.pk == row.warband]
    own = [each for each in own if _was_here(lives, each)]
    fates = Counter(each.fighter.fate for each in own)
    joined = [each for each in own if each.fighter.id in lives.joined]
    serving = [each for each in own if each.fighter.fate in (Fate.FIT, Fate.RECOVERING)]
    kills = lives.kills
    mine = {each.fighter.id for each in own}
    by_warband = Counter(
        rolls.people[kill.killer].warband.name
        for kill in kills
        if kill.victim in mine and kill.killer in rolls.people and kill.killer not in mine
    )
    nemesis, by_nemesis = by_warband.most_common(1)[0] if by_warband else ("", 0)
    best = max(serving, key=lambda each: each.fighter.earned, default=None)
    alone = best and [each.fighter.earned for each in serving].count(best.fighter.earned) == 1
    last = _last_to_fall(lives, own) if not serving and not fates[Fate.CAPTURED] else ((), "")
    experience = rolls.rules.visible_numbers(own[0].terms.settings).experience if own else False
    return Remains(
        name=row.name,
        position=row.position,
        of=of,
        over=lives.over,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        began=len(own) - len(joined),
        joined=len(joined),
        serving=len(serving),
        captive=fates[Fate.CAPTURED],
        dead=fates[Fate.DEAD],
        left=fates[Fate.RETIRED],
        rises=sum(lives.rises.get(fighter, 0) for fighter in mine),
        killed=sum(kill.killer in mine and kill.victim not in mine for kill in kills),
        veterans=tuple(
            each.fighter.name
            for each in serving
            if each.fighter.id not in lives.joined and each.fighter.battles
        ),
        last=last[0],
        last_fell_in=last[1],
        nemesis=nemesis,
        by_nemesis=by_nemesis,
        best=best.fighter.name if best and alone and experience else "",
        earned=best.fighter.earned if best else 0,
        mortal=lives.mortal,
    )


def _was_here(lives: Lives, each: CampaignService) -> bool:
    """Return whether a fighter served in this campaign: who died before it did not."""
    fought = each.fighter.id in lives.rolls.annals.stints
    return fought or each.fighter.fate not in GONE or each.fighter.id in lives.joined


def _last_to_fall(lives: Lives, own: Sequence[CampaignService]) -> tuple[tuple[str, ...], str]:
    """Return the names of those who fell in the last battle that cost the warband anybody."""
    order = {key: place for place, key in enumerate(lives.battles)}
    fell = [(str(lives.rolls.annals.died_in(each.fighter.id)), each.fighter.name) for each in own]
    fell = [each for each in fell if each[0] in order]
    if not fell:
        return (), ""
    last = max((battle for battle, _ in fell), key=lambda battle: order[battle])
    return tuple(name for battle, name in fell if battle == last), lives.title(last)


def champions_of(table: Standings, won: Won | None) -> list[UUID]:
    """Return the warbands that won a finished campaign: several if they are level.

    ``won`` is the result of a classic campaign.
    """
    if won:
        return [row.warband for row in table.rows if won.winner and row.name == won.winner]
    return [row.warband for row in table.rows if row.position == 1 and row.played]


def ending_of(
    lives: Lives,
    table: Standings,
    warbands: Sequence[Warband],
    course: CourseOfPlay,
    won: Won | None,
    victory: str,
    honours: Sequence[Honour],
) -> Ending:
    """Return the last page of a finished campaign: champion, deciding battle, honours, the others.

    ``won`` is the result of a classic campaign.
    """
    keys = champions_of(table, won)
    names = [row.name for row in table.rows if row.warband in keys]
    players = lives.rolls.players
    champions = tuple(
        Champion(
            warband=warband.name,
            player=players[warband.pk].name,
            colour=players[warband.pk].colour,
            arms=str(warband.pk),
            crest=lives.rolls.pictures.of(warband.pk),
        )
        for warband in warbands
        if warband.pk in keys
    )
    decided = _deciding(lives, names[0], course, final=won is not None) if len(names) == 1 else None
    prose = book_prose()
    theirs = [
        replace(honour, holders=tuple(each for each in honour.holders if each.note in names))
        for honour in honours
    ]
    return Ending(
        champions=champions,
        sentence=victory,
        decision=prose.decision(decided[0]) if decided else "",
        battle_at=f"battle-{decided[1]}" if decided else "",
        honours=tuple(honour for honour in theirs if honour.holders) if champions else (),
        others=tuple(
            Glossed(row.name, prose.place(remains_of(lives, row, len(table.rows))))
            for row in table.rows
            if row.warband not in keys
        ),
    )


def _deciding(
    lives: Lives, champion: str, course: CourseOfPlay, *, final: bool
) -> tuple[Decision, str] | None:
    """Return the victory that put the champion on the first place for good, with its id.

    In a classic campaign it is the final, the last battle. None if no victory did.
    """
    own = next((row for row in course.rows if row.warband == champion), None)
    won = [
        (key, tale)
        for key, (_, tale) in lives.battles.items()
        if any(side.warband == champion and side.outcome == "won" for side in tale.sides)
    ]
    if not won or own is None:
        return None
    behind = [
        day for day, position in zip(course.days, own.positions, strict=True) if position != 1
    ]
    since = max(behind, default="")
    after = [each for each in won if each[1].fought_on > since]
    if final:
        last = list(lives.battles)[-1]
        after = [each for each in won if each[0] == last]
    if not after:
        return None
    that_day = [each for each in after if each[1].fought_on == after[0][1].fought_on]
    key, tale = that_day[-1]
    against = tuple(side.warband for side in tale.sides if side.warband != champion)
    about = Decision(
        champion=champion, battle=tale.named, against=against, always=not behind, final=final
    )
    return about, key
