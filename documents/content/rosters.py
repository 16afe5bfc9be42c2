"""A warband's roster: the sheet with a row for each fighter in service, and the cards."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from django.utils.translation import gettext, ngettext
from msgspec.structs import replace

from core.ruleset_words import translated_tallies, translated_word
from documents.content.documents import WarbandRoster
from documents.content.labels import columns, fate, figures, has_columns, label, price_lines
from documents.content.people import Player, players_of
from documents.content.structs import (
    Card,
    Glossed,
    Line,
    RosterGroup,
    RosterPrice,
    RosterRow,
    RosterSheet,
    Weapon,
)
from documents.content.visible_pictures import Album, album, fighters_of
from pictures.subjects import PictureKind
from rulebook.chronicle.states import GONE, FighterState, WarbandState
from rulebook.ruleset import (
    CampaignTerms,
    Fate,
    Group,
    Item,
    RosterTotals,
    Ruleset,
    Sheet,
    TickBoxes,
)
from rulebook.values.rosters import counted
from warbands.models import ChronicleEntry, Warband
from warbands.roster_rules import next_cost
from warbands.rulebook_values import faction_name, read_state, ruleset_of_warband
from warbands.selectors.fighter_card import end_phrase, held_posts
from warbands.selectors.roster_sections import sections

ARMS = ("weapon", "missile", "firearm", "gun")
"""The kinds of equipment that are weapons."""
POINTS = "points"


def roster_content(warband: Warband, options: Collection[str] = ()) -> WarbandRoster:
    """Return the content of a warband's roster: the sheet, and the chosen options.

    ``options`` are some of "cards", "prices" and "dead". Four queries; the warband should be
    selected with its owner.
    """
    state = read_state(warband)
    player = players_of([warband])[warband.pk]
    last = ChronicleEntry.objects.filter(warband=warband).order_by("sequence").last()
    pictures = album(
        {PictureKind.WARBAND: [warband.pk], PictureKind.FIGHTER: fighters_of([warband])}
    )
    return WarbandRoster(
        title=warband.name,
        subtitle=gettext("Warband roster"),
        dated=last.recorded_at.date().isoformat() if last else "",
        ruleset=ruleset_of_warband(warband).name,
        roster=roster_sheet(warband, state, player, options, pictures=pictures),
        campaign=player.campaign,
    )


def roster_sheet(
    warband: Warband,
    state: WarbandState,
    player: Player,
    options: Collection[str] = (),
    *,
    pictures: Album,
) -> RosterSheet:
    """Return the roster of a warband in this state, with the chosen options. No queries.

    ``options`` are some of "cards", "prices" and "dead". The dead are shown as cards if "cards" is
    chosen too, else as a list.
    """
    rules = ruleset_of_warband(warband)
    priced = "prices" in options
    totals = rules.roster_totals(state.roster)
    sheets = {
        fighter.id: rules.sheet(fighter.build, state.terms, fighter.condition)
        for fighter in state.fighters.values()
    }
    serving = [
        sheets[fighter.id] for fighter in state.fighters.values() if fighter.fate not in GONE
    ]
    return RosterSheet(
        id=str(warband.pk),
        name=warband.name,
        faction=faction_name(warband),
        player=player.name,
        words=label(rules, state.settings),
        fighters=totals.fighters,
        points=totals.points,
        groups=_groups(rules, state, sheets),
        ticked=rules.roster_boxes(state.roster),
        tables=rules.roster_tables(state.roster),
        attributes=_explained(serving),
        prices=_prices(serving) if priced else (),
        cards=tuple(
            replace(each, picture=pictures.of(each.id))
            for each in cards(rules, state, sheets, options)
        ),
        bought=tuple(Line(line.points, line.label, line.source) for line in totals.lines),
        agreed_points=state.agreed_points,
        rank_ups=sum(
            fighter.promotions for fighter in state.fighters.values() if fighter.fate not in GONE
        ),
        sums=tuple(Glossed(figure.label, str(figure.value)) for figure in totals.figures),
        won=state.won,
        drawn=state.drawn,
        lost=state.lost,
        colour=player.colour,
        story=warband.story,
        sources=sources_of(totals, sheets.values()) if priced else (),
        listed="dead" in options and "cards" not in options,
        crest=pictures.of(warband.pk),
    )


def sources_of(totals: RosterTotals, sheets: Iterable[Sheet]) -> tuple[Glossed, ...]:
    """Return the rules behind the totals and numbers of a roster, each once with its labels."""
    sums = {POINTS: gettext("Points"), "experience": gettext("Experience")}
    ruled = [(sums[key], rule) for key, rule in totals.sources.items() if key in sums and rule]
    ruled += [(figure.label, figure.source) for figure in totals.figures if figure.source]
    numbers = next(iter(sheets), None)
    ruled += [
        (number.label, number.source)
        for number in (numbers.characteristics if numbers else ())
        if number.source
    ]
    named: dict[str, list[str]] = {}
    for what, rule in ruled:
        named.setdefault(rule, []).append(what)
    return tuple(Glossed(", ".join(labels), rule) for rule, labels in named.items())


def cards(
    rules: Ruleset, state: WarbandState, sheets: Mapping[str, Sheet], options: Collection[str]
) -> Iterator[Card]:
    """Yield the chosen cards in the order of the roster, the dead last."""
    groups = rules.groups(state.roster)
    stands = {
        fighter_id: ", ".join(filter(None, (group.name, group.places.get(fighter_id))))
        for group in groups
        for fighter_id in group.fighters
    }
    order = {fighter_id: place for place, fighter_id in enumerate(stands)}
    wished = (
        each
        for each in state.fighters.values()
        if ("dead" if each.fate in GONE else "cards") in options
    )
    for fighter in sorted(wished, key=lambda each: (each.fate in GONE, order.get(each.id, -1))):
        yield replace(
            card(rules, state, fighter, sheets[fighter.id]), stands=stands.get(fighter.id, "")
        )


def card(
    rules: Ruleset, state: WarbandState, fighter: FighterState, sheet: Sheet, story: str = ""
) -> Card:
    """Return a fighter's card."""
    return Card(
        id=fighter.id,
        name=fighter.name,
        profile=fighter.profile_name,
        rank=fighter.rank,
        points=fighter.points,
        figures=figures(rules, sheet),
        weapons=_weapons(sheet),
        equipment=_carried(sheet),
        attributes=tuple(Glossed(item.name, item.note) for item in sheet.attributes),
        posts=tuple(post.name for post in held_posts(rules, state, fighter.id)),
        fate=translated_word(rules.words.lost) if fighter.fate is Fate.DEAD else fate(fighter.fate),
        ending=end_phrase(rules, fighter.fate, fighter.wounds, fighter.end),
        earned=fighter.earned if label(rules, state.settings).shown.experience else 0,
        gone=fighter.fate in GONE,
        experience=fighter.experience,
        boxes=next_cost(rules, state, fighter) or 0,
        battles=fighter.battles,
        tallies=counted(translated_tallies(rules.tallies), fighter.tallies),
        story=story,
        condition=tuple(
            Glossed(line.label, line.value)
            for line in rules.condition_lines(fighter.build, state.terms, fighter.condition)
        ),
        ticked=() if fighter.fate in GONE else _ticked(rules, state.terms, fighter),
        looks=sheet.looks,
    )


def _explained(sheets: Iterable[Sheet]) -> tuple[Glossed, ...]:
    """Return the Attributes that have an explanation, in alphabetical order.

    Those with the same explanation are together: "Weapon Master (pike), Weapon Master (sword)".
    """
    names: dict[str, set[str]] = {}
    for sheet in sheets:
        for each in sheet.attributes:
            if each.note:
                names.setdefault(each.note, set()).add(each.name)
    glossed = (Glossed(", ".join(sorted(alike)), note) for note, alike in names.items())
    return tuple(sorted(glossed, key=lambda each: each.name))


def _weapons(sheet: Sheet) -> tuple[Weapon, ...]:
    """Return the rows of the weapons table, for weapons with a range or rules."""
    rows = (
        Weapon(row["name"], _plain(row.get("range", "")), _plain(row.get("rules", "")))
        for row in sheet.weapons
    )
    return tuple(weapon for weapon in rows if weapon.range or weapon.rules)


def _plain(cell: str) -> str:
    """Return a cell without a dash that means "nothing"."""
    return "" if cell in ("–", "-", "—") else cell


def _carried(sheet: Sheet) -> tuple[Glossed, ...]:
    """Return the equipment without the weapons that have a row in the table."""
    rows = {weapon.name for weapon in _weapons(sheet)}
    return tuple(Glossed(item.name, item.note) for item in sheet.equipment if item.name not in rows)


def _groups(
    rules: Ruleset, state: WarbandState, sheets: Mapping[str, Sheet]
) -> tuple[RosterGroup, ...]:
    """Return the rows of the sheet by group. Fighters of no group are in a group without a name."""
    serving = (fighter for fighter in state.fighters.values() if fighter.fate not in GONE)
    return tuple(
        RosterGroup(
            each.group.name if each.group else "",
            tuple(
                _row(rules, state, fighter, sheets[fighter.id], place)
                for fighter, place in each.fighters
            ),
            tuple(Glossed(figure.label, str(figure.value)) for figure in each.group.figures)
            if each.group
            else (),
            _ticked_of(rules, state, each.group) if each.group else (),
        )
        for each in sections(rules.groups(state.roster), serving)
    )


def _ticked_of(rules: Ruleset, state: WarbandState, group: Group) -> tuple[TickBoxes, ...]:
    """Return the boxes to tick for a group as a whole, from a roster of this group alone."""
    members = tuple(fighter for fighter in state.roster.fighters if fighter.id in group.fighters)
    return rules.roster_boxes(replace(state.roster, fighters=members), group.key)


def _row(
    rules: Ruleset, state: WarbandState, fighter: FighterState, sheet: Sheet, place: str
) -> RosterRow:
    held = (post.name for post in held_posts(rules, state, fighter.id))
    return RosterRow(
        name=fighter.name,
        profile=sheet.profile_name,
        figures=columns(rules, sheet),
        place=", ".join(dict.fromkeys(filter(None, (*held, place)))),
        rank=sheet.rank,
        points=fighter.points,
        arms=tuple(_arms(sheet)),
        carried=tuple(item.name for item in (*_unarmed(sheet), *sheet.attributes)),
        ticked=_ticked(rules, state.terms, fighter),
        experience=_experience(rules, state, fighter),
        absence=_absence(fighter),
        apart=not has_columns(rules, sheet),
        id=fighter.id,
    )


def _experience(rules: Ruleset, state: WarbandState, fighter: FighterState) -> str:
    """Return the unspent experience with the cost of the next Rank, "4 / 5"; "4" without one."""
    cost = next_cost(rules, state, fighter)
    return f"{fighter.experience} / {cost}" if cost else str(fighter.experience)


def _absence(fighter: FighterState) -> str:
    """Return why a fighter in service misses battles, or ""."""
    if fighter.fate is Fate.CAPTURED or not fighter.misses:
        return fate(fighter.fate)
    return ngettext(
        "misses the next battle", "misses the next %(number)d battles", fighter.misses
    ) % {"number": fighter.misses}


def _prices(sheets: Iterable[Sheet]) -> tuple[RosterPrice, ...]:
    """Return the parts of the points, once for all fighters with the same ones."""
    alike = Counter(
        (sheet.profile_name, sheet.price.points, price_lines(sheet)) for sheet in sheets
    )
    return tuple(
        RosterPrice(profile, count, points, lines)
        for (profile, points, lines), count in alike.items()
    )


def _ticked(rules: Ruleset, terms: CampaignTerms, fighter: FighterState) -> tuple[TickBoxes, ...]:
    return rules.tick_boxes(fighter.build, terms, fighter.condition)


def _arms(sheet: Sheet) -> Iterator[Weapon]:
    """Yield the weapons that are carried, each as often as it is carried.

    Weapons without a row in the weapons table have a name and a note only.
    """
    rows = {weapon.name: weapon for weapon in _weapons(sheet)}
    for item in sheet.equipment:
        if item.name in rows:
            yield rows[item.name]
        elif item.kind in ARMS:
            yield Weapon(item.name, "", item.note)


def _unarmed(sheet: Sheet) -> Iterator[Item]:
    """Return the equipment that is not a weapon."""
    armed = {weapon.name for weapon in _arms(sheet)}
    return (item for item in sheet.equipment if item.name not in armed)
