"""English sentences from facts, with correct plurals, dashes, quotes and minus signs.

A name with an article has a small letter within a sentence: "the Crew".
"""

from collections.abc import Sequence

from campaigns.scoring import Scoring
from documents.content.documents import CourseOfPlay, Fallen, Won
from documents.content.structs import SideNarrative
from documents.prose import facts
from documents.prose.variation import (
    MAX_TITLES,
    by_killer,
    by_place,
    capital,
    chosen,
    count_of_ends,
    decided_by_points,
    final_order,
    final_points,
    first_and_last_strength,
    minus,
    parted,
    within,
)
from documents.prose.variation import name as isolated_name
from drawings.bars import BarMark
from leagues.selectors.verdict import Verdict

name = within
"""Within a sentence; ``capital`` gives back the capital letter at its beginning."""
NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: "two battles", "one battle", "no battles", "13 battles"."""
    noun = singular if number == 1 else plural or f"{singular}s"
    return f"{NUMBERS[number] if 0 <= number < len(NUMBERS) else number} {noun}"


def join_names(names: Sequence[str]) -> str:
    """Return the names as a list in a sentence: "A", "A and B", "A, B and C"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def verdict(verdict: Verdict) -> str:
    """Return who won or leads a campaign and why, or "" if no battle has been played."""
    if not verdict.best:
        return ""
    with_points = f"with {counted(verdict.points, 'point')}"
    if len(verdict.best) > 1:
        verb = "share the first place" if verdict.over else "are level at the top"
        names = capital(_names(verdict.best))
        return f"{names} {verb} {with_points} each; no tie-breaker parts them."
    verb = "won the campaign" if verdict.over else "lead the table"
    opening = f"{capital(name(verdict.best[0]))} {verb} {with_points}"
    if not verdict.runners_up or not (verdict.ahead or verdict.parted_by):
        return f"{opening}."
    others = _names(verdict.runners_up)
    if verdict.ahead:
        return f"{opening}, {counted(verdict.ahead, 'point')} ahead of {others}."
    return f"{opening}, level with {others}; {verdict.parted_by} decided."


def classic_verdict(won: Won) -> str:
    """Return who won a classic campaign, or what will decide it."""
    if won.open:
        return "The final decides, and it has not been fought yet."
    tally = " to ".join(map(minus, won.totals))
    if not won.winner:
        drawn = (
            f"Level by the victory points of all games, {tally}"
            if tally
            else "The final was a draw"
        )
        return f"{drawn}: nobody has won the campaign."
    winner = capital(name(won.winner))
    if tally:
        return f"{winner} won the campaign by the victory points of all games: {tally}."
    return f"{winner} won the final, and the campaign with it."


def battle_verdict(sides: Sequence[SideNarrative], scored: bool) -> str:
    """Return who won a battle, and the casualties if no victory points are ``scored``.

    The points are above the sentence. It only says if they did not decide.
    """
    winners, best, others = by_place(sides)
    names = _names([side.warband for side in best])
    if winners:
        text = f"{capital(names)} won{' together' if len(winners) > 1 else ''}."
    elif best and others:
        text = f"A draw between {names}."
    else:
        text = "The battle ended in a draw." if sides else ""
    if len(sides) < 2:
        return text
    if not scored:
        return f"{text} Losses: {_harmed(sides)}."
    if decided_by_points(best, others):
        return text
    return f"{text} The victory points did not decide."


def _harmed(sides: Sequence[SideNarrative]) -> str:
    """Return the number of casualties of each side, with their kinds.

    Example: "A 2 of 8 (1 killed, 1 out of action); B none".
    """
    parts = []
    for side in sides:
        ends = count_of_ends(side.casualties, lost="lost", reduced="with losses")
        how = ", ".join(f"{count} {end}" for end, count in ends.items())
        lost = f"{ends.total()} of {side.fielded} ({how})" if ends else "none"
        parts.append(f"{name(side.warband)} {lost}")
    return "; ".join(parts)


def scoring(scoring: Scoring, unplayed: bool = False) -> str:
    """Return the rule for the points of a table."""
    return f"{scoring.rule} {scoring.unplayed_rule}" if unplayed else scoring.rule


def tie_rule(scoring: Scoring) -> str:
    """Return the rule for ties in a table."""
    return scoring.tie_rule


def casualties(marks: Sequence[BarMark]) -> str:
    """Return the text alternative of a strip: how the fighters of a side left the field."""
    words = {
        "well": "unharmed",
        "hurt": "hit",
        "out": "carried off",
        "gone": "gone",
        "dead": "lost",
    }
    parts = [f"{marks.count(mark)} {word}" for mark, word in words.items() if mark in marks]
    return f"Of {len(marks)} fielded: {', '.join(parts)}."


def slayings(fallen: Sequence[Fallen]) -> str:
    """Return the text alternative of the arcs: the killers and their victims."""
    return (
        "; ".join(
            f"{killer} killed {join_names(names)}" for killer, names in by_killer(fallen).items()
        )
        + "."
    )


def positions_chart(course: CourseOfPlay) -> str:
    """Return the text alternative of the chart of positions."""
    return (
        f"The table after each of {counted(len(course.days), 'day')} of play. It ends so: "
        f"{final_order(course)}."
    )


def points_chart(course: CourseOfPlay) -> str:
    """Return the text alternative of the chart of points."""
    days = counted(len(course.days), "day")
    return (
        f"The points of the table after each of {days} of play. They end so: "
        f"{final_points(course)}."
    )


def strength_chart(course: CourseOfPlay) -> str:
    """Return the text alternative of the chart of strengths."""
    brought = first_and_last_strength(course)
    strengths = "; ".join(f"{warband} {first}, then {last}" for warband, first, last in brought)
    return f"What each brought to its first and to its last battle: {strengths}."


def head_to_head_grid(course: CourseOfPlay) -> str:
    """Return the text alternative of the grid of results."""
    met = "; ".join(
        f"{course.rows[each.row].warband} against {course.rows[each.column].warband} "
        f"{each.won} won, {each.drawn} drawn, {each.lost} lost"
        for each in course.met
        if each.row < each.column
    )
    return f"Battles won, drawn and lost against each other: {met}."


def arms(name: str) -> str:
    """Return the text alternative of a crest."""
    return f"The arms of {name}"


def number(count: int) -> str:
    """Return a number as a word or digits: "none", "one", "twelve", "13"."""
    if count == 0:
        return "none"
    return NUMBERS[count] if 0 < count < len(NUMBERS) else minus(count)


def quoted(title: str) -> str:
    """Return a title in quotation marks."""
    return f"“{isolated_name(title)}”"


def in_turns(turns: Sequence[int]) -> str:
    """Return the end-note for a sentence that is based on these turns of the log."""
    return (
        f"{'Turn' if len(turns) == 1 else 'Turns'} {join_names([str(turn) for turn in turns])} of "
        "the log"
    )


def on_result_sheet() -> str:
    """Return the end-note for a sentence that is based on the whole result."""
    return "Result sheet"


def _names(names: Sequence[str]) -> str:
    return join_names([name(each) for each in names])


def _was(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"


def _titles(titles: Sequence[str]) -> str:
    return join_names([quoted(title) for title in titles])


def deaths(fact: facts.Deaths) -> str:
    """Return who died in a battle and who killed them."""
    attributed, unattributed = parted(fact)
    clauses = _slain(fact, attributed)
    if unattributed:
        clauses.append(
            f"{_names(unattributed)} died"
            if fact.mortal
            else f"the day cost {_names(unattributed)}"
        )
    if fact.more:
        lost = "was lost" if fact.more == 1 else "were lost"
        clauses.append(f"{number(fact.more)} more {'died' if fact.mortal else lost}")
    return f"{capital('; '.join(clauses)) if not fact.mortal else '; '.join(clauses)}."


def _slain(fact: facts.Deaths, attributed: Sequence[facts.KillFact]) -> list[str]:
    """Return the killings as one clause, or one for each killer if a killer has several victims."""
    if not fact.mortal:
        return [f"{name(each.by)} destroyed {_names(each.victims)}" for each in attributed]
    if len(attributed) == 1:
        by, slain = name(attributed[0].by), _names(attributed[0].victims)
        return [
            chosen(
                fact, f"{by} brought down {slain}", f"{slain} fell to {by}", f"{by} killed {slain}"
            )
        ]
    fell = [
        f"{_names(each.victims)}{'' if place else ' fell'} to {name(each.by)}"
        for place, each in enumerate(attributed)
    ]
    if attributed and all(len(each.victims) == 1 for each in attributed):
        return [f"{', '.join(fell[:-1])}, and {fell[-1]}"]
    return fell


def nobody_died(fact: facts.NobodyDied) -> str:
    """Return the sentence that fighters were hurt and nobody died."""
    hurt = f"{capital(number(fact.hurt))} {'was' if fact.hurt == 1 else 'were'} hurt"
    return chosen(
        fact,
        f"{hurt}; nobody died.",
        f"{hurt}, and all lived.",
        "Blood was shed, but nobody died of it.",
    )


def unhurt(fact: facts.Unhurt) -> str:
    """Return the sentence that nobody came to harm."""
    return chosen(
        fact,
        f"The result sheet names no casualties: all {number(fact.fielded)} came through unhurt.",
        f"Nobody came to harm, of all the {number(fact.fielded)} in the line-ups.",
    )


def captives(fact: facts.Captives) -> str:
    """Return who was captured."""
    who, captor = f"{_names(fact.names)} of {name(fact.warband)}", name(fact.captor)
    as_what = "a captive" if len(fact.names) == 1 else "captives"
    if not fact.captor:
        return chosen(
            fact,
            f"{who} fell into the hands of the enemy.",
            f"{who} {_was(fact.names)} taken captive.",
        )
    return chosen(
        fact, f"{who} fell into the hands of {captor}.", f"{captor} led {who} away as {as_what}."
    )


def wiped_out(fact: facts.WipedOut) -> str:
    """Return which side had nobody left on the field."""
    who = name(fact.warband)
    return chosen(
        fact,
        f"Nobody of {who} kept the field.",
        f"At the end nobody of {who} was left on the field.",
    )


def nobody_left(fact: facts.NobodyLeft) -> str:
    """Return the sentence that no side had anybody left on the field."""
    sides = "on either side" if fact.sides == 2 else f"on any of the {number(fact.sides)} sides"
    return chosen(
        fact,
        f"At the end nobody was left on the field, {sides}.",
        f"When it was over nobody kept the field, {sides}.",
    )


def last_stand(fact: facts.LastStand) -> str:
    """Return who was the last of a side on the field."""
    who, side = name(fact.name), f"the {number(fact.fielded)} of {name(fact.warband)}"
    odds = f", against {counted(fact.against, 'opponent')}" if fact.against else ""
    alone = f", alone against {number(fact.against)}" if fact.against else ""
    end = ", and that was enough." if fact.won else "."
    return chosen(
        fact,
        f"Of {side} only {who} kept the field{odds}{end}",
        f"{who} was the last of {side} on the field{alone}{end}",
    )


def most_harm(fact: facts.MostHarm) -> str:
    """Return who harmed most opponents in a battle."""
    who, many = f"{name(fact.name)} of {name(fact.warband)}", number(fact.victims)
    return chosen(
        fact,
        f"{who} hit {many} opponents, the most in the battle.",
        f"Nobody hit more opponents than {who}: {many}.",
    )


def draws(fact: facts.Draws) -> str:
    """Return which battles had no winner."""
    drawn = len(fact.where)
    if drawn == fact.fought:
        return (
            "The one battle had no winner."
            if drawn == 1
            else f"None of the {number(drawn)} battles had a winner."
        )
    if drawn <= MAX_TITLES:
        return f"{_titles(fact.where)} ended without a winner."
    return f"{capital(number(drawn))} of the {number(fact.fought)} battles ended without a winner."


def rivalry(fact: facts.Rivalry) -> str:
    """Return which two warbands met most often, and the results."""
    first_name, second_name, (first, second, drawn) = name(fact.one), name(fact.other), fact.won
    times = number(first + second + drawn)
    if not first:
        score = ", and there never was a winner between them"
    elif first + second + drawn == first:
        score = f", and {first_name} won every time"
    else:
        undecided = f", and {number(drawn)} had no winner between them" if drawn else ""
        score = (
            f"; {first_name} won {number(first)} of these battles, {second_name} "
            f"{number(second)}{undecided}"
        )
    return chosen(
        fact,
        f"No two met more often than {first_name} and {second_name}: {times} times{score}.",
        f"{first_name} and {second_name} met {times} times, more often than any others{score}.",
    )


def feud(fact: facts.Feud) -> str:
    """Return which two fighters met in several battles."""
    pair = f"{name(fact.one)} and {name(fact.other)}"
    where = (
        f"in {_titles(fact.where)}"
        if len(fact.where) <= MAX_TITLES
        else f"in {number(len(fact.where))} battles"
    )
    return chosen(
        fact,
        f"Again and again {pair} came to blows: {where}.",
        f"{pair} did not leave each other alone: they came to blows {where}.",
    )


def avenged(fact: facts.Avenged) -> str:
    """Return who killed a fighter and was killed for it."""
    slain, killer, avenger = (
        name(fact.victim),
        name(fact.killer),
        f"{name(fact.avenger)} of {name(fact.warband)}",
    )
    first, second = (quoted(title) for title in fact.where)
    if not fact.mortal:
        return (
            f"{killer} destroyed {slain} in {first}; in {second} {avenger} destroyed {killer} in "
            "turn."
        )
    return chosen(
        fact,
        f"{killer} killed {slain} in {first}; in {second} {avenger} killed {killer} in turn.",
        f"{slain} fell to {killer} in {first} and was avenged in {second}, where {killer} fell to "
        f"{avenger}.",
    )


def first_blood(fact: facts.FirstBlood) -> str:
    """Return who drew first blood."""
    who, where = f"{name(fact.name)} of {name(fact.warband)}", quoted(fact.where[0])
    return chosen(
        fact, f"{who} drew first blood, in {where}.", f"First blood went to {who}, in {where}."
    )


def first_death(fact: facts.FirstDeath) -> str:
    """Return who died first."""
    end = "die" if fact.mortal else "be lost for good"
    return f"The first to {end} {_was(fact.names)} {_names(fact.names)}, in {_titles(fact.where)}."


def first_rise(fact: facts.FirstRise) -> str:
    """Return who ranked up first."""
    who, where = f"{name(fact.name)} of {name(fact.warband)}", quoted(fact.where[0])
    return chosen(
        fact,
        f"The first to rise was {who}, after {where}.",
        f"{who} was the first to rise, after {where}.",
    )


def longest_service(fact: facts.LongestService) -> str:
    """Return who has served longest."""
    each = " each" if len(fact.names) > 1 else ""
    return (
        f"Nobody who still serves has fought in more battles than {_names(fact.names)}: "
        f"{number(fact.times)}{each}."
    )


def battle_record(fact: facts.BattleRecord) -> str:
    """Return who harmed most opponents in a single battle."""
    who, where, many = (
        f"{name(fact.name)} of {name(fact.warband)}",
        quoted(fact.where[0]),
        number(fact.victims),
    )
    return chosen(
        fact,
        f"Nobody hit more opponents in one battle than {who} in {where}: {many}.",
        f"The {many} opponents that {who} hit in {where} are the record of the campaign.",
    )


def bloodiest(fact: facts.Bloodiest) -> str:
    """Return which battle cost most."""
    where, dead = quoted(fact.where[0]), number(fact.dead)
    if not fact.mortal:
        return f"No battle cost more than {where}: {dead} were lost for good."
    return chosen(
        fact,
        f"No battle cost more lives than {where}: {dead}.",
        f"The bloodiest of all was {where}: {dead} died.",
    )


def worst_defeat(fact: facts.WorstDefeat) -> str:
    """Return the heaviest defeat."""
    loser, winner, where = name(fact.loser), name(fact.winner), quoted(fact.where[0])
    more, less = (minus(points) for points in fact.points)
    return chosen(
        fact,
        f"The heaviest defeat was that of {loser} in {where}: {less} to {more} in victory points, "
        f"against {winner}.",
        f"Nobody was beaten more soundly than {loser} by {winner} in {where}: {more} to {less} in "
        "victory points.",
    )


def career(strip: Sequence[BarMark]) -> str:
    """Return the text alternative of a strip: how a fighter left each battle."""
    words = {
        "well": "unharmed",
        "hurt": "hit",
        "out": "carried off",
        "gone": "gone",
        "dead": "lost",
        "away": "absent",
    }
    return f"Battle by battle: {', '.join(words[each] for each in strip)}."


def experience_line(values: Sequence[int]) -> str:
    """Return the text alternative of the line of a fighter's experience."""
    return f"Experience earned, from battle to battle: {', '.join(map(str, values))}."
