"""German sentences for the chapters about people: epitaphs, warbands, the champion."""

from collections.abc import Callable, Sequence

from documents.prose.german import NUMBERS, join_names, quoted, with_numbers
from documents.prose.lives import Decision, Life, Remains
from documents.prose.variation import capital, name, without_articles

MAX_NAMED = 3


def _names(names: Sequence[str]) -> str:
    """Return up to three names; of more, the first two and the number of the others."""
    if len(names) <= MAX_NAMED:
        return join_names([name(each) for each in names])
    first = [name(each) for each in names[:2]]
    return join_names([*first, f"{with_numbers(len(names) - 2)} weitere"])


def _times(count: int) -> str:
    return f"{NUMBERS[count]}mal" if 0 < count < len(NUMBERS) else f"{count}-mal"


def _battles(count: int) -> str:
    """Return a number of battles in the dative, which follows "in" and "nach"."""
    return "einem Gefecht" if count == 1 else f"{with_numbers(count)} Gefechten"


def _in_turn(life: Life) -> str:
    return f" in Runde {life.turn}" if life.turn else ""


def _by(life: Life) -> str:
    """Return who did it: "durch Jock Forster (Pike)", "durch Ana und Otto"."""
    whom = _names(life.killers)
    if life.weapon and len(life.killers) == 1:
        return without_articles(f" durch {whom} ({life.weapon})")
    return without_articles(f" durch {whom}")


def _fell(life: Life) -> str:
    """Return "Gefallen in Runde 3 durch Jock Forster (Pike)." """
    verb = "Gefallen" if life.mortal else "Vernichtet"
    if not life.fell:
        return f"Nicht im Gefecht gestorben{f': {life.end}' if life.end else ''}."
    if life.killers:
        comrade = ", aus den eigenen Reihen" if life.comrade else ""
        return f"{verb}{_in_turn(life)}{_by(life)}{comrade}."
    cause = f", {'getötet' if life.mortal else 'besiegt'} von {life.end}" if life.end else ""
    return f"{verb}{_in_turn(life)}{cause}."


def _ended(life: Life) -> str:
    """Return "Jock Forster (Pike) machte dem in Runde 3 ein Ende." """
    if not life.fell or len(life.killers) != 1 or life.comrade:
        return _fell(life)
    weapon = f" ({life.weapon})" if life.weapon else ""
    return f"{name(life.killers[0])}{weapon} machte dem{_in_turn(life)} ein Ende."


def _struck(life: Life) -> str:
    """Return "In Runde 3 kam der Tod durch Jock Forster (Pike)." """
    if not life.fell or not life.turn or len(life.killers) != 1 or life.comrade:
        return _fell(life)
    end = "der Tod" if life.mortal else "das Ende"
    return f"In Runde {life.turn} kam {end}{_by(life)}."


def _lasted(life: Life) -> str:
    """Return "Hielt bis Runde 3 stand und fiel dann durch Jock Forster (Pike)." """
    if not life.fell or not life.turn or life.turn == 1 or not life.killers or life.comrade:
        return _fell(life)
    verb = "fiel dann" if life.mortal else "ging dann verloren"
    return f"Hielt bis Runde {life.turn} stand und {verb}{_by(life)}."


def _deeds(life: Life) -> list[str]:
    """Return the deeds of a life as verbs: "tötete Ana und Otto", "stieg zweimal auf"."""
    killed = "tötete" if life.mortal else "vernichtete"
    others = [each for each in life.killed if each != life.took_along]
    parts = []
    if others:
        parts.append(f"{killed} {_names(others)}")
    if life.wounded:
        more = "weitere Gegner" if life.wounded > 1 else "weiteren Gegner"
        plain = "Gegner"
        count = "einen" if life.wounded == 1 else with_numbers(life.wounded)
        parts.append(f"verwundete {count} {more if life.killed else plain}")
    if life.rises:
        parts.append(f"stieg {_times(life.rises)} auf")
    if life.captured:
        parts.append(f"geriet {_times(life.captured)} in Gefangenschaft")
    if life.hurt:
        parts.append(f"kehrte {_times(life.hurt)} verletzt zurück")
    if life.took_along:
        parts.append(f"nahm am letzten Tag {name(life.took_along)} mit")
    return parts


def _served(life: Life) -> str:
    """Return "Kämpfte in vier Gefechten, tötete Ana und stieg zweimal auf." """
    since = f"Kam nach {quoted(life.joined)} dazu, kämpfte" if life.joined else "Kämpfte"
    parts = _deeds(life)
    if not life.battles:
        return "Hat nie gekämpft."
    fought = f"{since} in {_battles(life.battles)}"
    if not parts:
        return f"{fought}, ohne verzeichneten Treffer."
    if life.battles == 1:
        first = f"Kam nach {quoted(life.joined)} dazu; im" if life.joined else "Im"
        return f"{first} einzigen Gefecht: {join_names(parts)}."
    return f"{join_names([fought, *parts])}."


def _left_behind(life: Life) -> str:
    """Return "In vier Gefechten: tötete Ana und stieg zweimal auf." """
    parts = _deeds(life)
    if life.battles < 2 or not parts:
        return _kept_quiet(life)
    since = f", alle nach {quoted(life.joined)}" if life.joined else ""
    return f"In {_battles(life.battles)}{since}: {join_names(parts)}."


def _kept_quiet(life: Life) -> str:
    if not life.battles:
        return "Hat nie gekämpft."
    if _deeds(life):
        return _served(life)
    if life.battles == 1:
        arrived = f"Kam nach {quoted(life.joined)}" if life.joined else "War von Anfang an dabei"
        return f"{arrived}, und dies war das einzige Gefecht."
    arrived = f" seit {quoted(life.joined)}" if life.joined else ""
    battles = f"{capital(with_numbers(life.battles))} Gefechte{arrived}"
    return f"{battles}, und das Protokoll nennt kein Opfer."


def _remembered(life: Life) -> str:
    """Return "Was aus vier Gefechten bleibt: tötete Ana und stieg zweimal auf." """
    parts = _deeds(life)
    if life.battles < 2 or not parts:
        return _served(life)
    since = f" seit {quoted(life.joined)}" if life.joined else ""
    return f"Was aus {_battles(life.battles)}{since} bleibt: {join_names(parts)}."


def _unsung(life: Life) -> str:
    """Return "Das erste Gefecht war das letzte." for a life without deeds."""
    if not life.battles or _deeds(life):
        return _remembered(life)
    if life.battles == 1:
        return "Das erste Gefecht war das letzte."
    arrived = f", seit {quoted(life.joined)}" if life.joined else ""
    return f"War {_times(life.battles)} dabei{arrived}, und niemand weiß wofür."


DEATHS: Sequence[Callable[[Life], str]] = (_fell, _ended, _struck, _lasted)
LIVES: Sequence[Callable[[Life], str]] = (_served, _left_behind, _remembered, _kept_quiet, _unsung)


def earlier(life: Life) -> str:
    """Return how many battles there were before the campaign, or "" without any."""
    if not life.earlier:
        return ""
    return f"Hatte vor dieser Kampagne schon in {_battles(life.earlier)} gekämpft."


def vengeance(life: Life, choice: int) -> str:
    """Return what happened to the killer, or "" if nothing is known.

    ``choice`` is any number, which picks a wording.
    """
    fact = life.vengeance
    if fact is None:
        return ""
    killer, verb = name(fact.killer), "fiel" if life.mortal else "ging verloren"
    where = f"in {quoted(fact.where)}" if fact.where else "am selben Tag"
    texts: tuple[str, ...]
    if fact.by and fact.ours:
        texts = (
            f"Gerächt {where} durch {name(fact.by)}.",
            f"{name(fact.by)} beglich {where} die Rechnung.",
            f"{capital(where)} schlug {name(fact.by)} zurück, und {killer} {verb}.",
        )
    elif fact.by:
        by = without_articles(f"{name(fact.by)} von {name(fact.warband)}")
        texts = (
            f"{killer} {verb} {where} durch {by}.",
            f"{capital(where)} war {killer} an der Reihe, durch {by}.",
        )
    elif fact.where:
        texts = (f"{killer} {verb} {where}.",)
    elif fact.serves:
        texts = (
            f"Nicht gerächt: {killer} dient noch.",
            f"{killer} erlebte das Ende.",
            f"Niemand hat {killer} dafür zahlen lassen.",
            f"{killer} dient noch.",
        )
    else:
        return ""
    return texts[choice % len(texts)]


def with_name(life: Life, text: str) -> str:
    """Return an epitaph that begins with the name."""
    return without_articles(f"{name(life.name)} von {name(life.warband)}. {text}")


def _record(fact: Remains) -> str:
    """Return the battles of a warband in the dative: "zwei Siegen und einer Niederlage"."""
    counts = (
        (fact.won, "einem Sieg", "Siegen"),
        (fact.drawn, "einem Unentschieden", "Unentschieden"),
        (fact.lost, "einer Niederlage", "Niederlagen"),
    )
    parts = [
        singular if count == 1 else f"{with_numbers(count)} {plural}"
        for count, singular, plural in counts
        if count
    ]
    return f"mit {join_names(parts)}" if parts else "ohne Gefecht"


def place(fact: Remains) -> str:
    """Return the position of a warband, with its battles and survivors."""
    if not fact.serving:
        left = "niemand ist übrig"
    else:
        left = (
            "einer dient noch" if fact.serving == 1 else f"{with_numbers(fact.serving)} dienen noch"
        )
    return f"{_position(fact)}; {left}."


def _position(fact: Remains) -> str:
    ended = "Am Ende" if fact.over else "Derzeit"
    return f"{ended} auf Platz {fact.position} von {fact.of}, {_record(fact)}"


def _people(count: int) -> str:
    return "einer" if count == 1 else with_numbers(count) if count else "niemand"


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
    joined = ""
    if fact.joined:
        joined = f", {_people(fact.joined)} {'kam' if fact.joined == 1 else 'kamen'} später dazu"
    still = f"{_people(fact.serving)} {'dient' if fact.serving < 2 else 'dienen'} noch"
    if not fact.serving + fact.captive:
        still = "niemand ist übrig"
    verb = "zog" if fact.began < 2 else "zogen"
    return f"{capital(_people(fact.began))} {verb} in die Kampagne{joined}; {still}."


def _prisoners(fact: Remains) -> str:
    if not fact.captive:
        return ""
    verb = "ist" if fact.captive == 1 else "sind"
    return f"{capital(_people(fact.captive))} {verb} noch in Gefangenschaft."


def _losses(fact: Remains) -> str:
    if not fact.dead:
        return "Niemand fiel." if fact.mortal else "Nichts ging endgültig verloren."
    fell = ("fiel", "fielen") if fact.mortal else ("ging verloren", "gingen verloren")
    by = ""
    if fact.nemesis and fact.by_nemesis > 1:
        by = f", {with_numbers(fact.by_nemesis)} davon durch {name(fact.nemesis)}"
    return f"{capital(_people(fact.dead))} {fell[fact.dead > 1]}{by}."


def _deeds_of_all(fact: Remains) -> str:
    verb = "töteten" if fact.mortal else "vernichteten"
    count = "einen" if fact.killed == 1 else with_numbers(fact.killed)
    parts = [f"{verb} {count} Gegner"] if fact.killed else []
    parts += [f"stiegen {_times(fact.rises)} auf"] if fact.rises else []
    return f"Sie {join_names(parts)}." if parts else ""


def _last_ones(fact: Remains) -> str:
    if fact.last:
        where = f" in {quoted(fact.last_fell_in)}" if fact.last_fell_in else ""
        return f"Zuletzt {'fiel' if len(fact.last) == 1 else 'fielen'}{where} {_names(fact.last)}."
    if not fact.veterans or not fact.dead + fact.left:
        return ""
    verb = "ist" if len(fact.veterans) == 1 else "sind"
    return f"Von den Ersten {verb} noch da: {_names(fact.veterans)}."


def _best_one(fact: Remains) -> str:
    if not fact.best or fact.earned < 2:
        return ""
    return f"Niemand hier verdiente mehr Erfahrung als {name(fact.best)}: {fact.earned}."


def decision(fact: Decision) -> str:
    """Return which battle decided the campaign."""
    champion, battle = name(fact.champion), quoted(fact.battle)
    against = f" gegen {_names(fact.against)}" if fact.against else ""
    if fact.final:
        return f"Das Finale entschied: {battle}{against}."
    if fact.always:
        return f"{champion} führte vom ersten Tag an, dem Tag des Sieges in {battle}{against}."
    return f"Mit dem Sieg in {battle}{against} kam {champion} auf den ersten Platz und blieb dort."
