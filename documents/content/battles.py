"""Summaries of battles for documents, made from their results.

Lines with victory points are grouped by reason.
"""

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from itertools import chain, groupby, pairwise, takewhile
from types import MappingProxyType
from uuid import UUID

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleState, Combatant, Side
from battles.rulebook_values import ruleset_of_battle
from battles.selectors.battle_moments import moments_of_battles
from battles.selectors.inferred_attackers import Doers, inferred_attackers
from battles.selectors.results import BattleWithResult, battles_with_results
from campaigns.models import Campaign
from core.errors import InvalidInput
from core.ruleset_words import rules_text, translated_word
from documents.content.documents import BattleSummary
from documents.content.highlights import BattleAccount, Party
from documents.content.labels import harm, label
from documents.content.people import Player, place_of, players_of
from documents.content.stories import battle_story
from documents.content.structs import (
    BattleNarrative,
    Casualty,
    Glossed,
    Line,
    Person,
    SideNarrative,
    Story,
)
from documents.content.visible_pictures import Album, album, open_like
from documents.prose import prose
from documents.prose.variation import capital, with_names
from drawings.bars import BarMark
from leagues.selectors.campaign_stats import mark
from pictures.subjects import PictureKind
from rulebook.ruleset import (
    Award,
    BattleSetup,
    Fate,
    FieldedSide,
    Record,
    Ruleset,
    ScoreLine,
    SideResult,
)
from rulebook.values.battles import ScenarioRole
from rulebook.values.moments import BattleMoments

TOLD = (BattleState.SUBMITTED, BattleState.DISPUTED, BattleState.CONFIRMED)
"""The states in which a battle has a result."""
DEAD = "dead"
"""The word by which a rule system calls its losses if they are people (``Words.lost``)."""
NEAR_BY = 3
"""The number of battles before each that may be on the same or the facing page."""
MIN_SHARED = 3
"""The fewest fighters whose experience for the same reason is one line."""
MIN_HITS, MIN_TURNS = 4, 3
"""The fewest hits and turns of a chart of a battle's course."""
MIN_FALLS = 2
"""The fewest turns that cost a side strength, for a chart of the strength turn by turn."""
HALVES = "half-bases"
"""Strength that is counted in halves."""
NO_MOMENTS: Mapping[UUID, BattleMoments] = MappingProxyType({})
"""For narratives whose stories are not needed: those of logs take most of the time."""
MARKS: tuple[BarMark, ...] = ("well", "hurt", "out", "gone", "dead")


def battle_content(battle: Battle) -> BattleSummary:
    """Return the content of a battle's summary. Seven queries in addition to those of the battle.

    Raises InvalidInput (`nothing-to-print`) if the battle has no result.
    """
    if battle.state not in TOLD or battle.result is None:
        sentence = (
            gettext("The battle is void, so it has no result to print.")
            if battle.state == BattleState.VOID
            else gettext("No result to print yet. Submit the result first.")
        )
        raise InvalidInput("nothing-to-print", sentence, field="subject")
    fought = battles_with_results([battle])
    shown = [
        side.warband_id for side in fought[0].sides if open_like(battle.campaign, side.warband)
    ]
    pictures = album({PictureKind.WARBAND: shown, PictureKind.BATTLE: [battle.pk]})
    tale = battle_narratives(fought, battle.campaign, earnings=True, pictures=pictures)[0]
    rules = ruleset_of_battle(battle)
    return BattleSummary(
        title=tale.title,
        subtitle=gettext("Battle summary"),
        dated=max(moment.date().isoformat() for moment in _moments(battle)),
        ruleset=rules.name,
        battle=replace(tale, number=0),
        words=label(rules, battle.house_rules),
        campaign=battle.campaign.name if battle.campaign else "",
    )


def _moments(battle: Battle) -> list[datetime]:
    """Return the times at which the content of the summary was created or changed."""
    moments = [battle.created_at, battle.submitted_at, battle.confirmed_at]
    moments += [revision.made_at for revision in battle.revisions.all()]
    return [moment for moment in moments if moment]


def battle_narratives(
    battles: Sequence[BattleWithResult],
    campaign: Campaign | None,
    *,
    places: Collection[str] = (),
    remembered: Collection[str] = (),
    earnings: bool = False,
    pictures: Album | None = None,
    players: Mapping[UUID, Player] | None = None,
    moments: Mapping[UUID, BattleMoments] | None = None,
) -> tuple[BattleNarrative, ...]:
    """Return the narratives of battles with results, numbered in their order.

    One query, for any number of battles, none with ``players``. ``places`` are the ids of the
    fighters who have an entry elsewhere in the document, ``remembered`` the ids of the dead in its
    memorial. ``pictures`` are the pictures that may be shown. ``players`` are the players of the
    warbands, if they are known.

    Stories come from the ``moments`` of the battles. Without these the logs are read, with
    three more queries, and the attackers of fighters whose harm no deed explains are inferred from
    them, with at most three more. With ``NO_MOMENTS`` they are only read for the attackers.
    """
    if players is None:
        warbands = {side.warband_id: side.warband for each in battles for side in each.sides}
        players = players_of(warbands.values(), campaign)
    attackers: Doers = {}
    if moments is None or moments is NO_MOMENTS:
        attackers = inferred_attackers(battles)
    if moments is None:
        moments = moments_of_battles(each.battle for each in battles)
    teller = _Teller(
        players,
        frozenset(places),
        frozenset(remembered),
        earnings,
        attackers,
        pictures or Album(),
    )
    # Stories on facing pages do not share a wording.
    near_by: deque[Collection[str]] = deque(maxlen=NEAR_BY)
    narratives = []
    for number, each in enumerate(battles, start=1):
        moments_of_it = moments.get(each.battle.pk)
        story, wordings = story_of(each, moments_of_it, frozenset(chain(*near_by)))
        near_by.append(wordings)
        tale = with_strength(teller.tale(each, number), each.sides, moments_of_it)
        narratives.append(replace(tale, told=story))
    bear = Counter(tale.title for tale in narratives)
    return tuple(
        replace(tale, named=_numbered(tale) if bear[tale.title] > 1 else tale.title)
        for tale in narratives
    )


def _numbered(tale: BattleNarrative) -> str:
    return gettext("%(battle)s (no. %(number)s)") % {"battle": tale.title, "number": tale.number}


def account_of(of: BattleWithResult, title: str) -> BattleAccount:
    """Return the facts of a battle from which its highlights are found; stories use this title."""
    results = {each.side: each for each in of.result.sides}
    return BattleAccount(
        key=str(of.battle.pk),
        title=title,
        fought_on=of.battle.fought_on.isoformat(),
        parties=tuple(
            Party(
                warband=side.warband.name,
                outcome=results[side.key].outcome,
                victory_points=results[side.key].victory_points,
                names={
                    str(combatant.fighter_id): combatant.name for combatant in side.combatants.all()
                },
                records=results[side.key].records,
                deeds=results[side.key].deeds,
                dead=tuple(
                    record.fighter
                    for record in of.records(results[side.key])
                    if record.fate is Fate.DEAD
                ),
            )
            for side in of.sides
        ),
        mortal=of.rules.words.lost == DEAD,
        scored=of.rules.visible_numbers(of.battle.house_rules).victory_points,
    )


def story_of(
    of: BattleWithResult, moments: BattleMoments | None, used: Collection[str] = ()
) -> tuple[Story, Collection[str]]:
    """Return the story of a battle, without the wordings that are ``used``, and its own.

    Empty if the battle is friendly or its result is disputed.
    """
    if of.battle.friendly or not of.battle.stands:
        return Story(), ()
    scored = of.rules.visible_numbers(of.battle.house_rules).victory_points
    points = {each.side: each.victory_points for each in of.result.sides if scored}
    return battle_story(account_of(of, of.title), moments, points=points, used=used)


def _stamp(state: BattleState) -> str:
    stamps = {
        BattleState.SUBMITTED: gettext("Not yet confirmed by all sides"),
        BattleState.DISPUTED: gettext("Disputed"),
    }
    return stamps.get(state, "")


class CasualtyOutcome(Struct, frozen=True):
    """The fate of a fighter, or "" if unharmed; ``after`` is a better final outcome."""

    harm: str
    after: str = ""


class _Teller(Struct, frozen=True):
    """The data that narratives need in addition to the battles.

    It has the players, the fighters with an entry in the document (``places``) or in its memorial
    (``remembered``), and the attackers that were inferred from logs (``doers``).
    """

    players: Mapping[UUID, Player]
    places: frozenset[str]
    remembered: frozenset[str]
    earnings: bool
    doers: Doers
    pictures: Album

    @property
    def printed(self) -> bool:
        """True if this is for a campaign book or a battle document, which show each death once."""
        return self.earnings or bool(self.remembered)

    def tale(self, of: BattleWithResult, number: int) -> BattleNarrative:
        battle, rules, result = of.battle, of.rules, of.result
        scenario = of.scenario
        results = {each.side: each for each in result.sides}
        people = {
            str(combatant.fighter_id): combatant
            for side in of.sides
            for combatant in side.combatants.all()
        }
        dead = self.dead(of)
        sides = tuple(self.side(of, side, results[side.key], people, dead) for side in of.sides)
        scored = rules.visible_numbers(battle.house_rules).victory_points
        return BattleNarrative(
            id=str(battle.pk),
            title=of.title,
            scenario=scenario.name if scenario else battle.scenario,
            fought_on=battle.fought_on.isoformat(),
            sides=sides,
            verdict=self.verdict(battle, sides, scored),
            number=number,
            turns=result.turns,
            points_limit=battle.points_limit,
            set_up=set_up_lines(battle, of.sides),
            story=battle.story,
            friendly=battle.friendly,
            state=_stamp(BattleState(battle.state)),
            corrections=tuple(revision.reason for revision in battle.revisions.all()),
            photos=self.pictures.all_of(battle.pk),
        )

    def side(
        self,
        of: BattleWithResult,
        side: Side,
        result: SideResult,
        people: Mapping[str, Combatant],
        dead: Set[str],
    ) -> SideNarrative:
        scenario = of.scenario
        roles = {role.key: role for role in scenario.roles} if scenario else {}
        differ = len({each.role for each in of.sides}) > 1
        own_combatants = {
            str(combatant.fighter_id): combatant for combatant in side.combatants.all()
        }
        earned = self.earnings and not of.battle.friendly
        awards = (
            of.rules.progression.awards(result.records, result.deeds, of.battle.house_rules)
            if earned
            else ()
        )
        player = self.players[side.warband_id]
        lines = grouped(
            result.lines, [people[fighter].name for fighter in dead if fighter in people]
        )
        names = [combatant.name for combatant in people.values()]
        return SideNarrative(
            warband=side.warband.name,
            player=player.name,
            role=(roles[side.role].name if side.role in roles else side.role) if differ else "",
            outcome=str(result.outcome) if of.battle.stands else "",
            victory_points=result.victory_points,
            lines=tuple(replace(line, sentence=with_names(line.sentence, names)) for line in lines),
            casualties=self.casualties(of, result, people),
            fielded=len(own_combatants),
            points=sum(combatant.points for combatant in own_combatants.values()),
            limit=_limit(of.battle, roles.get(side.role)),
            earned=_earned(of.rules, awards, own_combatants),
            earned_by=tuple(dict.fromkeys(award.rule for award in awards if award.rule)),
            colour=player.colour,
            arms=str(side.warband_id),
            marks=tuple(
                sorted((mark(of.rules, record) for record in of.records(result)), key=MARKS.index)
            ),
            crest=self.pictures.of(side.warband_id),
            hits=_hits(of, result),
        )

    def verdict(self, battle: Battle, sides: Sequence[SideNarrative], scored: bool) -> str:
        """Return a sentence that says who won, or that nothing counts yet because of a dispute."""
        if not battle.stands:
            return gettext(
                "This result is disputed. It does not count until the dispute is decided."
            )
        return prose().battle_verdict(sides, scored)

    def dead(self, of: BattleWithResult) -> set[str]:
        """Return the ids of the dead that only the casualty table or the memorial shows.

        The set is empty for a friendly battle and for a narrative that is not printed.
        """
        dead = {
            each.fighter
            for side in of.result.sides
            for each in of.records(side)
            if each.fate is Fate.DEAD
        }
        return set() if of.battle.friendly or not self.printed else dead

    def casualties(
        self,
        of: BattleWithResult,
        result: SideResult,
        people: Mapping[str, Combatant],
    ) -> tuple[Casualty, ...]:
        """Return the casualties of a side, the dead first."""
        settled = zip(result.records, of.records(result), strict=True)
        hurt = ((after, casualty_outcome(of, before, after)) for before, after in settled)
        made = [self.casualty(of, record, befell, people) for record, befell in hurt if befell.harm]
        return tuple(sorted(made, key=lambda casualty: not casualty.dead))

    def casualty(
        self,
        of: BattleWithResult,
        record: Record,
        befell: CasualtyOutcome,
        people: Mapping[str, Combatant],
    ) -> Casualty:
        dead = record.fate is Fate.DEAD
        name = (
            people[record.fighter].name
            if record.fighter in people
            else gettext("an unknown fighter")
        )
        deeds = [
            deed for each in of.result.sides for deed in each.deeds if deed.victim == record.fighter
        ]
        hands = [deed.fighter for deed in deeds if deed.fighter != record.fighter]
        killers = (
            [deed.fighter for deed in deeds if deed.killed and deed.fighter in hands]
            if dead
            else []
        )
        unnamed = self.doers.get(of.battle.pk, {}).get(record.fighter)
        hands = killers[-1:] or hands or ([unnamed] if unnamed else [])
        by = [
            Person(people[fighter].name, self.place(fighter))
            for fighter in hands
            if fighter in people
        ]
        if not by and record.killed_by:
            by = [Person(record.killed_by)]
        return Casualty(
            name,
            self.place(record.fighter),
            record.rank,
            harm=befell.harm,
            by=tuple(dict.fromkeys(by)),
            after=befell.after,
            dead=dead,
        )

    def place(self, fighter: str) -> str:
        return place_of(fighter) if fighter in self.places else ""


def _hits(of: BattleWithResult, side: SideResult) -> tuple[tuple[int, int], ...]:
    """Return how many of a side were hurt and killed in each turn, by the deeds of all sides.

    Those who are not dead after the battle count as hurt, such as the ones who were struck down.

    Deeds without a turn are from a result sheet and do not count. Return () if there are too few
    turns or deeds for a chart.
    """
    deeds = [deed for each in of.result.sides for deed in each.deeds if deed.victim and deed.turn]
    last = max((of.result.turns or 0, *(deed.turn or 0 for deed in deeds)))
    if len(deeds) < MIN_HITS or last < MIN_TURNS:
        return ()
    own = {record.fighter: record.fate is Fate.DEAD for record in of.records(side)}
    counts = Counter(
        (deed.turn, deed.killed and own[deed.victim]) for deed in deeds if deed.victim in own
    )
    return tuple((counts[turn, False], counts[turn, True]) for turn in range(1, last + 1))


def with_strength(
    tale: BattleNarrative, sides: Sequence[Side], moments: BattleMoments | None
) -> BattleNarrative:
    """Return the narrative with the strength of its sides at the start and after each turn.

    Unchanged if the log has few turns, or if fewer than ``MIN_FALLS`` of them cost a side strength.
    """
    if moments is None or not moments.turns:
        return tale
    logged = {tally.turn: tally.strength for tally in moments.turns}
    last = max(tale.turns or 0, *logged)
    states = [moments.opening]
    for turn in range(1, last + 1):
        # A result sheet has only the turns in which somebody was hit.
        states.append(logged.get(turn, states[-1]))
    falls = sum(
        any(after.get(side, 0) < strength for side, strength in before.items())
        for before, after in pairwise(states)
    )
    if last < MIN_TURNS or falls < MIN_FALLS or not all(side.key in states[0] for side in sides):
        return tale
    factor = 0.5 if moments.strength == HALVES else 1
    with_each = tuple(
        replace(shown, strength=tuple(factor * state.get(side.key, 0) for state in states))
        for shown, side in zip(tale.sides, sides, strict=True)
    )
    return replace(tale, sides=with_each, strength_of=moments.strength)


def casualty_outcome(of: BattleWithResult, before: Record, after: Record) -> CasualtyOutcome:
    """Return what happened to a fighter, as it was decided after the battle."""
    if before.fate is Fate.DEAD and after.fate is not Fate.DEAD:
        return CasualtyOutcome(gettext("struck down"), gettext("but lived"))
    return CasualtyOutcome(harm(of.rules, after))


def _limit(battle: Battle, role: ScenarioRole | None) -> int | None:
    """Return the points limit of a side: its role's share of the battle's limit."""
    if battle.points_limit is None or role is None:
        return battle.points_limit
    numerator, denominator = role.force
    return battle.points_limit * numerator // denominator


def _earned(
    rules: Ruleset, awards: Iterable[Award], people: Mapping[str, Combatant]
) -> tuple[Glossed, ...]:
    """Return the experience that fighters earned, with reasons, in the active language.

    What many earned for the same reason is one line, which comes first: "14 fighters: +1 each:
    survived". Then follow those who earned more, with their deeds: "+3: dealt X a Light wound; ..."
    """
    awards = [award for award in awards if award.fighter in people]
    times = Counter((award.amount, award.sentence) for award in awards)
    shared = {key: count for key, count in times.items() if count >= MIN_SHARED}
    by_fighter: dict[str, list[Award]] = {}
    for award in awards:
        if (award.amount, award.sentence) not in shared:
            by_fighter.setdefault(award.fighter, []).append(award)
    fighters = translated_word(rules.words.fighters)
    each_of_many = [
        Glossed(
            gettext("%(count)s %(fighters)s") % {"count": count, "fighters": fighters},
            gettext("%(amount)s each: %(reason)s")
            % {"amount": f"{amount:+d}", "reason": rules_text(sentence).rstrip(".")},
        )
        for (amount, sentence), count in shared.items()
    ]
    others = [
        Glossed(person.name, _sum(by_fighter[key]))
        for key, person in people.items()
        if key in by_fighter
    ]
    return (*each_of_many, *others)


def _sum(awards: list[Award]) -> str:
    reasons = "; ".join(rules_text(award.sentence).rstrip(".") for award in awards)
    return f"{sum(award.amount for award in awards):+d}: {reasons}"


def set_up_lines(battle: Battle, sides: Iterable[Side]) -> tuple[Glossed, ...]:
    """Return the setup of the table, rolled or entered, in the rule system's terms."""
    bare = tuple(
        FieldedSide(side.key, side.warband.name, side.role, side.warband.faction, ())
        for side in sides
    )
    setup = BattleSetup(battle.scenario, bare, {}, battle.set_up)
    return tuple(
        Glossed(line.label, line.value) for line in ruleset_of_battle(battle).set_up.lines(setup)
    )


BEHIND_A_NAME = re.compile(r"(?: \((?P<brackets>[^)]*)\))? ?(?P<rest>.*)")
"""The text that follows a name in a sentence: "(Rank 2) was killed"."""
OF_ONE = re.compile("^(?:was|is) ")
"""The start of an ending that is about one fighter: "was killed".

Without it, the rest of the ending is also correct for several fighters.
"""


def grouped(lines: Iterable[ScoreLine], unnamed: Collection[str] = ()) -> tuple[Line, ...]:
    """Return a line for each reason, in the order in which the points were scored.

    Lines of one code and rule whose sentences end in the same words become one line: first the
    event, then the fighters, as text that is correct for one and for many. The ``unnamed`` are
    shown elsewhere in the document. Of these only the text in brackets remains, such as a rank.
    """
    by_reason = groupby(lines, key=lambda line: (line.code or line.sentence, line.rule))
    return tuple(line for _, alike in by_reason for line in _together(list(alike), unnamed))


def _together(lines: Sequence[ScoreLine], unnamed: Collection[str]) -> Iterator[Line]:
    sentences = [line.sentence.rstrip(".") for line in lines]
    subjects, ending = (
        _common_ending(sentences) if len(lines) > 1 else _behind_a_name(sentences[0], unnamed)
    )
    if not ending or not all(subjects):
        yield from (Line(line.points, line.sentence, line.rule) for line in lines)
        return
    shown = Counter(_shown(subject, unnamed) for subject in subjects)
    subject_list = ", ".join(
        subject if times == 1 else f"{times} × {subject}" for subject, times in shown.items()
    )
    points = sum(line.points for line in lines)
    yield Line(points, f"{capital(OF_ONE.sub('', ending))}: {subject_list}.", lines[0].rule)


def _common_ending(sentences: Sequence[str]) -> tuple[list[str], str]:
    """Return the beginning of each sentence, with brackets, and the words in which all end."""
    words = [sentence.split(" ") for sentence in sentences]
    from_the_end = zip(*(reversed(each) for each in words), strict=False)
    common = sum(1 for _ in takewhile(lambda across: len(set(across)) == 1, from_the_end))
    shared = words[0][len(words[0]) - common :]
    brackets = max((place for place, word in enumerate(shared, start=1) if ")" in word), default=0)
    length = common - brackets
    return [" ".join(each[: len(each) - length]) for each in words], " ".join(shared[brackets:])


def _behind_a_name(sentence: str, unnamed: Collection[str]) -> tuple[list[str], str]:
    """Return the beginning and the ending of a sentence that begins with one of the ``unnamed``.

    The ending is "" for any other sentence.
    """
    name = _name_in(sentence, unnamed)
    match = BEHIND_A_NAME.fullmatch(sentence[len(name) :]) if name else None
    if match is None:
        return [sentence], ""
    return [sentence.removesuffix(match["rest"]).rstrip()], match["rest"]


def _shown(subject: str, unnamed: Collection[str]) -> str:
    name = _name_in(subject, unnamed)
    match = BEHIND_A_NAME.fullmatch(subject[len(name) :]) if name else None
    return (match["brackets"] or "1") if match else subject


def _name_in(words: str, names: Collection[str]) -> str:
    """Return the longest of the names with which the words begin, or "" if there is none."""
    return max(
        (name for name in names if words == name or words.startswith(f"{name} ")),
        key=len,
        default="",
    )
