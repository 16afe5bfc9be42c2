"""German sentences from facts: word order, cases, genders, „Anführungszeichen“ and dashes."""

from collections.abc import Sequence

from campaigns.scoring import IN_WORDS, Scoring
from documents.content.documents import CourseOfPlay, Fallen, Won
from documents.content.labels import translated
from documents.content.structs import SideNarrative
from documents.prose import facts
from documents.prose.variation import (
    ARTICLE,
    MAX_TITLES,
    by_killer,
    by_place,
    capital,
    count_of_ends,
    decided_by_points,
    final_order,
    final_points,
    first_and_last_strength,
    minus,
    name,
    parted,
    without_articles,
)
from documents.prose.variation import chosen as chosen_wording
from drawings.bars import BarMark
from leagues.selectors.verdict import Verdict

NUMBERS = (
    "kein",
    "ein",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
)


def with_numbers(number: int) -> str:
    """Return a number from 2 as a word or digits: "zwei", "zwölf", "13"."""
    return NUMBERS[number] if 2 <= number < len(NUMBERS) else minus(number)


def chosen(fact: facts.Fact, *wordings: str) -> str:
    """Return one of several wordings of a fact, without English articles after prepositions."""
    return without_articles(chosen_wording(fact, *wordings))


def join_names(names: Sequence[str]) -> str:
    """Return the names as a list in a sentence: "A", "A und B", "A, B und C"."""
    return " und ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def verdict(verdict: Verdict) -> str:
    """Return who won or leads a campaign and why, or "" if no battle has been played."""
    if not verdict.best:
        return ""
    points = _points(verdict.points)
    if len(verdict.best) > 1:
        verb = "teilen sich den ersten Platz" if verdict.over else "liegen gleichauf an der Spitze"
        return f"{_names(verdict.best)} {verb}, mit je {points}; nichts entscheidet zwischen ihnen."
    who = name(verdict.best[0])
    opening = (
        f"Gewonnen hat {who} mit {points}"
        if verdict.over
        else f"{who} führt die Tabelle mit {points} an"
    )
    if not verdict.runners_up or not (verdict.ahead or verdict.parted_by):
        return f"{opening}."
    others = join_names([name(ARTICLE.sub("", each)) for each in verdict.runners_up])
    if verdict.ahead:
        ahead = "einen Punkt" if verdict.ahead == 1 else f"{with_numbers(verdict.ahead)} Punkte"
        return f"{opening}, {ahead} vor {others}."
    return f"{opening}, punktgleich mit {others}; es entschied: {verdict.parted_by}."


def _points(number: int) -> str:
    """Return a number of points in the dative, which follows "mit"."""
    if number == 1:
        return "einem Punkt"
    return f"{'null' if number == 0 else with_numbers(number)} Punkten"


def classic_verdict(won: Won) -> str:
    """Return who won a classic campaign, or what will decide it."""
    if won.open:
        return "Das Finale entscheidet und steht noch aus."
    tally = " zu ".join(map(minus, won.totals))
    if not won.winner:
        drawn = (
            f"Gleichstand nach den Siegpunkten aller Spiele, {tally}"
            if tally
            else "Das Finale ging unentschieden aus"
        )
        return f"{drawn}: Niemand hat die Kampagne gewonnen."
    if tally:
        return (
            f"{name(won.winner)} hat die Kampagne nach den Siegpunkten aller Spiele gewonnen: "
            f"{tally}."
        )
    return f"{name(won.winner)} hat das Finale gewonnen und damit die Kampagne."


def battle_verdict(sides: Sequence[SideNarrative], scored: bool) -> str:
    """Return who won a battle, and the casualties if no victory points are ``scored``.

    The points are above the sentence. It only says if they did not decide.
    """
    winners, best, others = by_place(sides)
    names = _names([side.warband for side in best])
    if winners:
        text = f"{names} {'gewinnt' if len(winners) == 1 else 'gewinnen gemeinsam'}."
    elif best and others:
        text = f"Unentschieden zwischen {names}."
    else:
        text = "Das Gefecht endete unentschieden." if sides else ""
    if len(sides) < 2:
        return text
    if not scored:
        return f"{text} Zu Schaden kamen: {_harmed(sides)}."
    if decided_by_points(best, others):
        return text
    return f"{text} Die Siegpunkte gaben nicht den Ausschlag."


def _harmed(sides: Sequence[SideNarrative]) -> str:
    """Return the number of casualties of each side, with their kinds.

    Example: "A 2 von 8 (1 getötet, 1 außer Gefecht); B niemand".
    """
    parts = []
    for side in sides:
        ends = count_of_ends(side.casualties, lost="verloren", reduced="mit Verlusten")
        how = ", ".join(f"{count} {end}" for end, count in ends.items())
        parts.append(
            f"{name(side.warband)} "
            f"{f'{ends.total()} von {side.fielded} ({how})' if ends else 'niemand'}"
        )
    return "; ".join(parts)


def scoring(scoring: Scoring, unplayed: bool = False) -> str:
    """Return the rule for the points of a table."""
    text = (
        f"{scoring.win} für einen Sieg, {scoring.draw} für ein Unentschieden, {scoring.loss} für "
        "eine Niederlage"
    )
    if scoring.clear_win:
        text += (
            f", {scoring.clear_win} mehr für einen Sieg mit mindestens {scoring.margin} "
            "Siegpunkten Vorsprung"
        )
    beside = (
        f" Für ein Freilos gibt es {scoring.bye}; ein kampfloser Sieg zählt als Sieg, "
        "Nichtantreten als Niederlage, "
        "auch wenn bei Gleichstand Siege oder der direkte Vergleich entscheiden."
    )
    return f"Punkte: {text}.{beside if unplayed else ''}"


def tie_rule(scoring: Scoring) -> str:
    """Return the rule for ties in a table."""
    if not scoring.tie_breakers:
        return "Wer gleich viele Punkte hat, teilt sich den Platz."
    order = ", dann ".join(translated(IN_WORDS[criterion]) for criterion in scoring.tie_breakers)
    return (
        f"Bei gleicher Punktzahl entscheiden {order}; wer dann noch gleich ist, teilt sich den "
        "Platz."
    )


def casualties(marks: Sequence[BarMark]) -> str:
    """Return the text alternative of a strip: how the fighters of a side left the field."""
    words = {
        "well": "unversehrt",
        "hurt": "angeschlagen",
        "out": "fortgetragen",
        "gone": "fort",
        "dead": "verloren",
    }
    parts = [f"{marks.count(mark)} {word}" for mark, word in words.items() if mark in marks]
    return f"Von {len(marks)} im Feld: {', '.join(parts)}."


def slayings(fallen: Sequence[Fallen]) -> str:
    """Return the text alternative of the arcs: the killers and their victims."""
    return (
        "; ".join(
            f"{killer} tötete {join_names(names)}" for killer, names in by_killer(fallen).items()
        )
        + "."
    )


def positions_chart(course: CourseOfPlay) -> str:
    """Return the text alternative of the chart of positions."""
    days = (
        "dem Spieltag"
        if len(course.days) == 1
        else f"jedem der {with_numbers(len(course.days))} Spieltage"
    )
    return f"Die Tabelle nach {days}. Am Ende steht sie so: {final_order(course)}."


def points_chart(course: CourseOfPlay) -> str:
    """Return the text alternative of the chart of points."""
    days = (
        "dem einen Spieltag"
        if len(course.days) == 1
        else f"jedem der {with_numbers(len(course.days))} Spieltage"
    )
    return f"Die Punkte der Tabelle nach {days}. Am Ende sind es: {final_points(course)}."


def strength_chart(course: CourseOfPlay) -> str:
    """Return the text alternative of the chart of strengths."""
    brought = first_and_last_strength(course)
    strengths = "; ".join(f"{warband} {first}, dann {last}" for warband, first, last in brought)
    return f"Was in das erste und in das letzte Gefecht geführt wurde: {strengths}."


def head_to_head_grid(course: CourseOfPlay) -> str:
    """Return the text alternative of the grid of results."""
    met = "; ".join(
        f"{course.rows[each.row].warband} gegen {course.rows[each.column].warband} "
        f"{each.won} gewonnen, {each.drawn} unentschieden, {each.lost} verloren"
        for each in course.met
        if each.row < each.column
    )
    return f"Gefechte gegeneinander, gewonnen, unentschieden und verloren: {met}."


def arms(name: str) -> str:
    """Return the text alternative of a crest."""
    return f"Das Wappen: {name}"


def quoted(title: str) -> str:
    """Return a title in quotation marks."""
    return f"„{name(title)}“"


def in_turns(turns: Sequence[int]) -> str:
    """Return the end-note for a sentence that is based on these turns of the log."""
    return (
        f"{'Runde' if len(turns) == 1 else 'Runden'} {join_names([str(turn) for turn in turns])} "
        "des Protokolls"
    )


def on_result_sheet() -> str:
    """Return the end-note for a sentence that is based on the whole result."""
    return "Ergebnisbogen"


def _names(names: Sequence[str]) -> str:
    return join_names([name(each) for each in names])


def _titles(titles: Sequence[str]) -> str:
    return join_names([quoted(title) for title in titles])


def _of(who: str, warband: str) -> str:
    return without_articles(f"{name(who)} von {name(warband)}")


def deaths(fact: facts.Deaths) -> str:
    """Return who died in a battle and who killed them."""
    attributed, unattributed = parted(fact)
    clauses = _slain(fact, attributed)
    if unattributed:
        clauses.append(f"{_names(unattributed)} {_fell(fact, unattributed)}")
    if fact.more:
        clauses.append(_more(fact))
    return f"{'; '.join(clauses)}."


def _slain(fact: facts.Deaths, attributed: Sequence[facts.KillFact]) -> list[str]:
    """Return the killings as one clause, or one for each killer if a killer has several victims."""
    if not fact.mortal:
        return [f"{name(each.by)} vernichtete {_names(each.victims)}" for each in attributed]
    if len(attributed) == 1:
        by, slain = name(attributed[0].by), _names(attributed[0].victims)
        fell = _fell(fact, attributed[0].victims)
        return [
            chosen(
                fact, f"{by} tötete {slain}", f"{slain} {fell} durch {by}", f"{by} erschlug {slain}"
            )
        ]
    if attributed and all(len(each.victims) == 1 for each in attributed):
        pairs = [(_names(each.victims), f"durch {name(each.by)}") for each in attributed]
        return [
            ", ".join(
                f"{slain}{'' if place else ' fiel'} {by}" for place, (slain, by) in enumerate(pairs)
            )
        ]
    return [
        f"{_names(each.victims)} {_fell(fact, each.victims)} durch {name(each.by)}"
        for each in attributed
    ]


def _fell(fact: facts.Deaths, slain: Sequence[str]) -> str:
    if fact.mortal:
        return "fiel" if len(slain) == 1 else "fielen"
    return "ging verloren" if len(slain) == 1 else "gingen verloren"


def _more(fact: facts.Deaths) -> str:
    if fact.more == 1:
        return f"{'ein weiteres Todesopfer' if fact.mortal else 'ein weiterer Verlust'} kam hinzu"
    return (
        f"{with_numbers(fact.more)} weitere {'Todesopfer' if fact.mortal else 'Verluste'} kamen "
        "hinzu"
    )


def nobody_died(fact: facts.NobodyDied) -> str:
    """Return the sentence that fighters were hurt and nobody died."""
    hurt = (
        "Jemand wurde verletzt"
        if fact.hurt == 1
        else f"{capital(with_numbers(fact.hurt))} wurden verletzt"
    )
    return chosen(
        fact,
        f"{hurt}, niemand starb.",
        f"{hurt}, doch alle kamen davon.",
        "Es floss Blut, doch niemand starb.",
    )


def unhurt(fact: facts.Unhurt) -> str:
    """Return the sentence that nobody came to harm."""
    return chosen(
        fact,
        f"Der Ergebnisbogen nennt keine Verluste: alle {with_numbers(fact.fielded)} blieben "
        "unversehrt.",
        f"Von den {with_numbers(fact.fielded)}, die antraten, kam niemand zu Schaden.",
    )


def captives(fact: facts.Captives) -> str:
    """Return who was captured."""
    who, is_single = f"{_names(fact.names)} von {name(fact.warband)}", len(fact.names) == 1
    by = f" bei {name(fact.captor)}" if fact.captor else ""
    return chosen(
        fact,
        f"{who} {'geriet' if is_single else 'gerieten'} in Gefangenschaft{by}.",
        f"{who} {'fiel' if is_single else 'fielen'} {name(fact.captor) or 'dem Gegner'} in die "
        "Hände.",
    )


def wiped_out(fact: facts.WipedOut) -> str:
    """Return which side had nobody left on the field."""
    who = name(fact.warband)
    return chosen(
        fact, f"Von {who} hielt niemand das Feld.", f"Am Ende stand von {who} niemand mehr im Feld."
    )


def nobody_left(fact: facts.NobodyLeft) -> str:
    """Return the sentence that no side had anybody left on the field."""
    sides = f"auf keiner der {'beiden' if fact.sides == 2 else with_numbers(fact.sides)} Seiten"
    return chosen(
        fact,
        f"Am Ende stand niemand mehr im Feld, {sides}.",
        f"Als es vorbei war, hielt niemand das Feld, {sides}.",
    )


def last_stand(fact: facts.LastStand) -> str:
    """Return who was the last of a side on the field."""
    who, warband, fielded = name(fact.name), name(fact.warband), with_numbers(fact.fielded)
    alone = (
        f", allein gegen {'einen' if fact.against == 1 else with_numbers(fact.against)}"
        if fact.against
        else ""
    )
    end = ", und das genügte." if fact.won else "."
    return chosen(
        fact,
        f"Von den {fielded}, die für {warband} antraten, stand am Ende nur noch {who} im "
        f"Feld{alone}{end}",
        f"Von {warband} hielt zuletzt nur {who} das Feld{alone}{end}",
    )


def most_harm(fact: facts.MostHarm) -> str:
    """Return who harmed most opponents in a battle."""
    who, many = _of(fact.name, fact.warband), with_numbers(fact.victims)
    return chosen(
        fact,
        f"{who} verwundete {many} Gegner, mehr als sonst jemand.",
        f"Niemand verwundete mehr Gegner als {who}: {many}.",
    )


def draws(fact: facts.Draws) -> str:
    """Return which battles had no winner."""
    drawn = len(fact.where)
    if drawn == fact.fought:
        every = f"Keines der {with_numbers(drawn)} Gefechte hatte einen Sieger."
        return "Das eine Gefecht hatte keinen Sieger." if drawn == 1 else every
    if drawn <= MAX_TITLES:
        return f"{_titles(fact.where)} {'endete' if drawn == 1 else 'endeten'} ohne Sieger."
    return (
        f"{capital(with_numbers(drawn))} der {with_numbers(fact.fought)} Gefechte endeten ohne "
        "Sieger."
    )


def rivalry(fact: facts.Rivalry) -> str:
    """Return which two warbands met most often, and the results."""
    first_name, second_name, (first, second, drawn) = name(fact.one), name(fact.other), fact.won
    times = _times(first + second + drawn)
    if not first:
        score = "nie siegte jemand von ihnen über den anderen"
    else:
        fell = "entfiel" if first == 1 else "entfielen"
        score = (
            f"auf {first_name} {fell} {_victories(first)}, auf {second_name} {_victories(second)}"
        )
        score += f", und {_times(drawn)} gab es keinen Sieger zwischen ihnen" if drawn else ""
    return chosen(
        fact,
        f"Keine zwei trafen häufiger aufeinander als {first_name} und {second_name}: {times}; "
        f"{score}.",
        f"{first_name} und {second_name} trafen {times} aufeinander, so oft wie niemand sonst; "
        f"{score}.",
    )


def _victories(count: int) -> str:
    return {0: "kein Sieg", 1: "ein Sieg"}.get(count, f"{with_numbers(count)} Siege")


def _times(count: int) -> str:
    """Return a number of times: "einmal", "zweimal", "13-mal"."""
    return f"{NUMBERS[count]}mal" if 0 < count < len(NUMBERS) else f"{count}-mal"


def feud(fact: facts.Feud) -> str:
    """Return which two fighters met in several battles."""
    pair, count = f"{name(fact.one)} und {name(fact.other)}", len(fact.where)
    where = (
        f"in {_titles(fact.where)}"
        if count <= MAX_TITLES
        else f"in {with_numbers(count)} Gefechten"
    )
    return chosen(
        fact,
        f"Immer wieder gerieten {pair} aneinander: {where}.",
        f"{pair} ließen einander keine Ruhe: {where} gerieten sie aneinander.",
    )


def avenged(fact: facts.Avenged) -> str:
    """Return who killed a fighter and was killed for it."""
    slain, killer, avenger = name(fact.victim), name(fact.killer), _of(fact.avenger, fact.warband)
    first, second = (quoted(title) for title in fact.where)
    if not fact.mortal:
        return without_articles(
            f"In {first} wurde {slain} von {killer} vernichtet, in {second} dann {killer} von "
            f"{avenger}."
        )
    return chosen(
        fact,
        f"In {first} fiel {slain} durch {killer}, in {second} dann {killer} durch {avenger}.",
        f"{slain} fiel in {first} durch {killer}; gerächt wurde das in {second}, wo {killer} durch "
        f"{avenger} fiel.",
    )


def first_blood(fact: facts.FirstBlood) -> str:
    """Return who drew first blood."""
    who, where = _of(fact.name, fact.warband), quoted(fact.where[0])
    return chosen(
        fact,
        f"Das erste Blut vergoss {who}, in {where}.",
        f"Den ersten Treffer landete {who}, in {where}.",
    )


def first_death(fact: facts.FirstDeath) -> str:
    """Return who died first."""
    if len(fact.names) == 1:
        first = "Das erste Todesopfer war" if fact.mortal else "Der erste Verlust war"
    else:
        first = "Die ersten Todesopfer waren" if fact.mortal else "Die ersten Verluste waren"
    return f"{first} {_names(fact.names)}, in {_titles(fact.where)}."


def first_rise(fact: facts.FirstRise) -> str:
    """Return who ranked up first."""
    who, where = _of(fact.name, fact.warband), quoted(fact.where[0])
    return chosen(
        fact,
        f"Der erste Aufstieg gelang {who}, nach {where}.",
        f"Nach {where} gelang {who} der erste Aufstieg.",
    )


def longest_service(fact: facts.LongestService) -> str:
    """Return who has served longest."""
    each = "je " if len(fact.names) > 1 else ""
    return (
        f"Niemand, der noch dient, war in mehr Gefechten als {_names(fact.names)}: in "
        f"{each}{with_numbers(fact.times)}."
    )


def battle_record(fact: facts.BattleRecord) -> str:
    """Return who harmed most opponents in a single battle."""
    who, where, many = (
        _of(fact.name, fact.warband),
        quoted(fact.where[0]),
        with_numbers(fact.victims),
    )
    return chosen(
        fact,
        f"Niemand verwundete in einem einzigen Gefecht mehr Gegner als {who} in {where}: {many}.",
        f"Die {many} Gegner, die {who} in {where} verwundete, sind der Rekord der Kampagne.",
    )


def bloodiest(fact: facts.Bloodiest) -> str:
    """Return which battle cost most."""
    where, dead = quoted(fact.where[0]), with_numbers(fact.dead)
    if not fact.mortal:
        return f"Kein Gefecht war verlustreicher als {where}: {dead} gingen endgültig verloren."
    return chosen(
        fact,
        f"Kein Gefecht kostete mehr Leben als {where}: {dead}.",
        f"Am blutigsten war {where}: {dead} starben.",
    )


def worst_defeat(fact: facts.WorstDefeat) -> str:
    """Return the heaviest defeat."""
    loser, winner, where = name(fact.loser), name(fact.winner), quoted(fact.where[0])
    more, less = (minus(points) for points in fact.points)
    return without_articles(
        f"Die schwerste Niederlage war die von {loser} in {where}: {less} zu {more} Siegpunkte "
        f"gegen {winner}."
    )


def career(strip: Sequence[BarMark]) -> str:
    """Return the text alternative of a strip: how a fighter left each battle."""
    words = {
        "well": "unversehrt",
        "hurt": "angeschlagen",
        "out": "fortgetragen",
        "gone": "fort",
        "dead": "verloren",
        "away": "nicht dabei",
    }
    return f"Gefecht um Gefecht: {', '.join(words[each] for each in strip)}."


def experience_line(values: Sequence[int]) -> str:
    """Return the text alternative of the line of a fighter's experience."""
    return f"Verdiente Erfahrung von Gefecht zu Gefecht: {', '.join(map(str, values))}."
