"""English sentences for the chapters about people: epitaphs, warbands, the champion."""

from collections.abc import Callable, Sequence

from documents.prose.english import counted, join_names, number, quoted
from documents.prose.lives import Decision, Life, Remains
from documents.prose.variation import capital, within

MAX_NAMED = 3
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
TIMES = ("", "once", "twice", "three times", "four times", "five times", "six times")


def _names(names: Sequence[str]) -> str:
    """Return up to three names; of more, the first two and the number of the others."""
    if len(names) <= MAX_NAMED:
        return join_names([within(each) for each in names])
    first = [within(each) for each in names[:2]]
    return join_names([*first, f"{number(len(names) - 2)} others"])


def _times(count: int) -> str:
    return TIMES[count] if 0 < count < len(TIMES) else f"{count} times"


def _ordinal(position: int) -> str:
    if 0 < position < len(ORDINALS):
        return ORDINALS[position]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(position % 10, "th")
    return f"{position}{'th' if position % 100 in (11, 12, 13) else ending}"


def _in_turn(life: Life) -> str:
    return f" in turn {life.turn}" if life.turn else ""


def _by(life: Life) -> str:
    """Return who did it: "to the pike of Jock Forster", "to Ana and Otto"."""
    whom = _names(life.killers)
    if life.weapon and len(life.killers) == 1:
        return f" to the {life.weapon} of {whom}"
    return f" to {whom}"


def _fell(life: Life) -> str:
    """Return "Fell in turn 3 to the pike of Jock Forster." """
    verb = "Fell" if life.mortal else "Was lost"
    if not life.fell:
        return f"Did not die in battle{f': {life.end}' if life.end else ''}."
    if life.killers:
        comrade = ", a comrade" if life.comrade else ""
        return f"{verb}{_in_turn(life)}{_by(life)}{comrade}."
    cause = f", {'killed by' if life.mortal else 'lost to'} {life.end}" if life.end else ""
    return f"{verb}{_in_turn(life)}{cause}."


def _ended(life: Life) -> str:
    """Return "Jock Forster’s pike ended it in turn 3." """
    if not life.fell or len(life.killers) != 1 or life.comrade:
        return _fell(life)
    whom = within(life.killers[0])
    if life.weapon:
        return f"{capital(whom)}’s {life.weapon} ended it{_in_turn(life)}."
    return f"{capital(whom)} ended it{_in_turn(life)}."


def _struck(life: Life) -> str:
    """Return "In turn 3 came Jock Forster, with the pike." """
    if not life.fell or not life.turn or len(life.killers) != 1 or life.comrade:
        return _fell(life)
    with_weapon = f", with the {life.weapon}" if life.weapon else ""
    return f"In turn {life.turn} came {within(life.killers[0])}{with_weapon}."


def _lasted(life: Life) -> str:
    """Return "Stood until turn 3, and fell to the pike of Jock Forster." """
    if not life.fell or not life.turn or life.turn == 1 or not life.killers or life.comrade:
        return _fell(life)
    verb = "fell" if life.mortal else "was lost"
    return f"Stood until turn {life.turn}, then {verb}{_by(life)}."


def _deeds(life: Life) -> list[str]:
    """Return the deeds of a life as verbs: "killed Ana and Otto", "rose twice"."""
    killed = "killed" if life.mortal else "destroyed"
    others = [name for name in life.killed if name != life.took_along]
    parts = []
    if others:
        parts.append(f"{killed} {_names(others)}")
    if life.wounded:
        more = " more" if life.killed else ""
        noun = "enemy" if life.wounded == 1 else "enemies"
        parts.append(
            f"wounded {number(life.wounded)} more"
            if more
            else f"wounded {number(life.wounded)} {noun}"
        )
    if life.rises:
        parts.append(f"rose {_times(life.rises)}")
    if life.captured:
        parts.append(f"was captured {_times(life.captured)}")
    if life.hurt:
        parts.append(f"came back hurt {_times(life.hurt)}")
    if life.took_along:
        parts.append(f"took {within(life.took_along)} along on the last day")
    return parts


def _served(life: Life) -> str:
    """Return "Fought four battles, killed Ana and rose twice." """
    since = f"Joined after {quoted(life.joined)}, fought" if life.joined else "Fought"
    parts = _deeds(life)
    count = counted(life.battles, "battle")
    if not life.battles:
        return "Never fought a battle."
    if not parts:
        return f"{since} {count} without a blow on record."
    if life.battles == 1:
        first = f"Joined after {quoted(life.joined)}; in" if life.joined else "In"
        return f"{first} the only battle {join_names(parts)}."
    return f"{since} {join_names([count, *parts])}."


def _left_behind(life: Life) -> str:
    """Return "Behind it lay four battles: killed Ana, rose twice." """
    parts = _deeds(life)
    if not life.battles or life.battles == 1 or not parts:
        return _kept_quiet(life)
    since = f", all after {quoted(life.joined)}" if life.joined else ""
    return f"In {counted(life.battles, 'battle')}{since}, {join_names(parts)}."


def _kept_quiet(life: Life) -> str:
    if not life.battles:
        return "Never fought a battle."
    parts = _deeds(life)
    if parts:
        return _served(life)
    if life.battles == 1:
        arrived = f"Came after {quoted(life.joined)}" if life.joined else "Came with the first"
        return f"{arrived}, and this was the only battle."
    arrived = f" since {quoted(life.joined)}" if life.joined else ""
    return f"{capital(counted(life.battles, 'battle'))}{arrived}, and the log names no victim."


def _unsung(life: Life) -> str:
    """Return "The first battle was the last." for a life without deeds."""
    if not life.battles or _deeds(life):
        return _remembered(life)
    if life.battles == 1:
        return "The first battle was the last."
    arrived = f", from {quoted(life.joined)} on" if life.joined else ""
    return f"Was there {_times(life.battles)}{arrived}, and nobody can say what for."


def _remembered(life: Life) -> str:
    """Return "Had killed Ana and Otto in four battles and rose twice." """
    parts = _deeds(life)
    if life.battles < 2 or not parts:
        return _served(life)
    since = f" since {quoted(life.joined)}" if life.joined else ""
    return f"The record of {counted(life.battles, 'battle')}{since}: {join_names(parts)}."


DEATHS: Sequence[Callable[[Life], str]] = (_fell, _ended, _struck, _lasted)
LIVES: Sequence[Callable[[Life], str]] = (_served, _left_behind, _remembered, _kept_quiet, _unsung)


def earlier(life: Life) -> str:
    """Return how many battles there were before the campaign, or "" without any."""
    if not life.earlier:
        return ""
    return f"Had seen {counted(life.earlier, 'battle')} before this campaign."


def vengeance(life: Life, choice: int) -> str:
    """Return what happened to the killer, or "" if nothing is known.

    ``choice`` is any number, which picks a wording.
    """
    fact = life.vengeance
    if fact is None:
        return ""
    killer, whom = capital(within(fact.killer)), within(fact.killer)
    verb = "fell" if life.mortal else "was lost"
    where = f"in {quoted(fact.where)}" if fact.where else "the same day"
    texts: tuple[str, ...]
    if fact.by and fact.ours:
        by = within(fact.by)
        texts = (
            f"Avenged {where} by {by}.",
            f"{capital(by)} settled the score {where}.",  # wording: ok
            f"{capital(where)} {by} struck back, and {whom} {verb}.",
        )
    elif fact.by:
        by = f"{within(fact.by)} of {within(fact.warband)}"
        texts = (
            f"{killer} {verb} {where} to {by}.",
            f"{capital(where)} it was the turn of {whom}, by the hand of {by}.",
        )
    elif fact.where:
        texts = (f"{killer} {verb} {where}.",)
    elif fact.serves:
        texts = (
            f"Not avenged: {whom} still serves.",
            f"{killer} lived to see the end.",
            f"Nobody made {whom} pay for it.",
            f"{killer} still serves.",
        )
    else:
        return ""
    return texts[choice % len(texts)]


def with_name(life: Life, text: str) -> str:
    """Return an epitaph that begins with the name."""
    return f"{life.name} of {within(life.warband)}. {text}"


def _record(fact: Remains) -> str:
    won = (fact.won, "victory", "victories"), (fact.drawn, "draw", "draws")
    counts = (*won, (fact.lost, "defeat", "defeats"))
    parts = [counted(count, singular, plural) for count, singular, plural in counts if count]
    return join_names(parts) or "no battle"


def place(fact: Remains) -> str:
    """Return the position of a warband, with its battles and survivors."""
    left = f"{number(fact.serving)} still serve" if fact.serving > 1 else "one still serves"
    if not fact.serving:
        left = "nobody is left"
    return f"{_position(fact)}; {left}."


def _position(fact: Remains) -> str:
    ended = "Came" if fact.over else "Lies"
    return f"{ended} {_ordinal(fact.position)} of {number(fact.of)}, with {_record(fact)}"


def remains(fact: Remains) -> tuple[str, ...]:
    """Return what happened to a warband, as sentences."""
    sentences = (
        f"{_position(fact)}.",
        _numbers(fact),
        _prisoners(fact),
        _losses(fact),
        _deeds_of_all(fact),
        _last_ones(fact),
        _best_one(fact),
    )
    return tuple(filter(None, sentences))


def _numbers(fact: Remains) -> str:
    joined = f" and {number(fact.joined)} joined on the way" if fact.joined else ""
    verb = "serves" if fact.serving == 1 else "serve"
    still = f"{number(fact.serving)} still {verb}"
    if not fact.serving + fact.captive:
        still = "nobody is left"
    return f"{capital(number(fact.began))} entered the campaign{joined}; {still}."


def _prisoners(fact: Remains) -> str:
    if not fact.captive:
        return ""
    verb = "is still a prisoner" if fact.captive == 1 else "are still prisoners"
    return f"{capital(number(fact.captive))} {verb}."


def _losses(fact: Remains) -> str:
    if not fact.dead:
        return "Nobody died." if fact.mortal else "Nothing was lost for good."
    verb = "died" if fact.mortal else "was lost" if fact.dead == 1 else "were lost"
    by = ""
    if fact.nemesis and fact.by_nemesis > 1:
        by = f", {number(fact.by_nemesis)} of them to {within(fact.nemesis)}"
    return f"{capital(number(fact.dead))} {verb}{by}."


def _deeds_of_all(fact: Remains) -> str:
    verb = "killed" if fact.mortal else "destroyed"
    enemies = "enemy" if fact.killed == 1 else "enemies"
    parts = [f"{verb} {number(fact.killed)} {enemies}"] if fact.killed else []
    parts += [f"rose in rank {_times(fact.rises)}"] if fact.rises else []
    return f"They {join_names(parts)}." if parts else ""


def _last_ones(fact: Remains) -> str:
    if fact.last:
        where = f" in {quoted(fact.last_fell_in)}" if fact.last_fell_in else ""
        verb = "was" if len(fact.last) == 1 else "were"
        return f"The last to fall{where} {verb} {_names(fact.last)}."
    if not fact.veterans or not fact.dead + fact.left:
        return ""
    verb = "is" if len(fact.veterans) == 1 else "are"
    return f"Of the first, {_names(fact.veterans)} {verb} still here."


def _best_one(fact: Remains) -> str:
    if not fact.best or fact.earned < 2:
        return ""
    return f"Nobody here earned more experience than {within(fact.best)}: {fact.earned}."


def decision(fact: Decision) -> str:
    """Return which battle decided the campaign."""
    champion, battle = capital(within(fact.champion)), quoted(fact.battle)
    against = f" against {_names(fact.against)}" if fact.against else ""
    if fact.final:
        return f"The final decided: {battle}{against}."
    if fact.always:
        return f"{champion} led from the first day, when {battle} was won{against}."
    return f"With {battle}, won{against}, {within(fact.champion)} took the first place and kept it."
