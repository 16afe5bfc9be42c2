"""Builds, cards, prices, rosters, rank-ups and awards as text."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rulebook.ruleset import BuildData, CampaignTerms, RankUp, Roster, RulesError, Ruleset, Sheet
from tests.playthroughs.asked import (
    AskedAwards,
    AskedBuild,
    AskedExtras,
    AskedRankUps,
    AskedRoster,
    AskedStep,
    read_rows,
)
from tests.playthroughs.battle_text import rank_up_lines
from tests.playthroughs.plain_text import Glossary, compact, gathered, problem_line, words


def profile_lines(rules: Ruleset) -> Iterator[str]:
    """Yield every profile of every faction without options: figures, price and card."""
    glossary = Glossary()
    for faction in rules.catalogue({})["factions"]:
        terms = CampaignTerms(faction["key"])
        yield f"== {faction['key']}"
        for profile in faction["profiles"]:
            yield from build_lines(rules, {"profile": profile["key"]}, terms, glossary)
    yield from glossary.lines()


def asked_build_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield the forms of a file, each with its build or its problems."""
    glossary = Glossary()
    for row in read_rows(path, AskedBuild):
        yield from build_lines(rules, row.raw, row.terms, glossary)
    yield from glossary.lines()


def build_lines(
    rules: Ruleset, raw: Any, terms: CampaignTerms, glossary: Glossary
) -> Iterator[str]:
    """Yield a form with its build or its problems."""
    yield (
        f"{compact(raw)} on "
        f"{words(faction=terms.faction, extras=terms.extras, settings=terms.settings)}"
    )
    try:
        build = rules.clean_build(raw, terms)
    except RulesError as error:
        yield from (f"  problem {problem_line(each)}" for each in error.problems)
        return
    facts = rules.fighter_facts(build, terms)
    cost = rules.progression.rank_up_cost(build, terms)
    yield f"  is {compact(build)}" if build != raw else "  is as it was asked for"
    yield f"  {facts.profile_name}, Rank {facts.rank}, {facts.points} points, next step {cost}"
    yield from (f"  {line}" for line in _card(rules.sheet(build, terms), glossary))


def _card(card: Sheet, glossary: Glossary) -> Iterator[str]:
    price = ", ".join(f"{line.points:+d} {line.label} [{line.source}]" for line in card.price.lines)
    printed = "" if card.price.printed is None else f" (printed {card.price.printed})"
    yield f"price {card.price.points}{printed}: {price}"
    yield f"card {card.profile} {words(unique=card.unique, leads='leader' not in card.unfit_for)}"
    notes = (
        (each.label, each.abbreviation, each.note, each.source) for each in card.characteristics
    )
    numbers = (
        f"{each.key} {each.value} {glossary.mark(compact(note))}"
        for each, note in zip(card.characteristics, notes, strict=True)
    )
    yield f"numbers {', '.join(numbers)}"
    for kind, items in (("equipment", card.equipment), ("attributes", card.attributes)):
        if items:
            yield (
                f"{kind} "
                f"{', '.join(f'{item.key} {glossary.mark(compact(item))}' for item in items)}"
            )
    yield from (f"weapon {glossary.mark(compact(weapon))}" for weapon in card.weapons)


def extras_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield the extras of warbands in canonical form, or with their problems."""
    for row in read_rows(path, AskedExtras):
        terms = row.terms
        yield (
            f"{compact(row.raw)} on "
            f"{words(faction=terms.faction, extras=terms.extras, settings=terms.settings)}"
        )
        try:
            yield f"  is {compact(rules.clean_extras(row.raw, terms))}"
        except RulesError as error:
            yield from (f"  problem {problem_line(each)}" for each in error.problems)


def roster_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield rosters with their fighters, totals and problems."""
    for row in read_rows(path, AskedRoster):
        yield from _roster(row.roster)
        yield f"  totals {compact(rules.roster_totals(row.roster))}"
        if rules.classic is not None:
            yield f"  small warbands {rules.classic.bounds(row.roster)}"
        problems = rules.roster_problems(row.roster, row.purpose)
        yield from (f"  {row.purpose} problem {problem_line(each)}" for each in problems)


def _roster(roster: Roster) -> Iterator[str]:
    terms = roster.terms
    more = words(
        extras=terms.extras,
        settings=terms.settings,
        leader=roster.holder("leader"),
        limit=roster.points_limit,
        games=roster.games_played,
    )
    yield f"roster {terms.faction} {more}"
    lines = []
    for fighter in roster.fighters:
        facts = words(
            experience=fighter.experience,
            recruited_after=fighter.recruited_after,
            promoted=fighter.promoted,
            fate="" if fighter.fate == "fit" else fighter.fate,
        )
        lines.append((fighter.id, f"{compact(fighter.build)} {facts}".rstrip()))
    yield from (f"  {line}" for line in gathered(lines))


def rank_ups_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield fighters with every step that they are offered, and the result of each."""
    for row in read_rows(path, AskedRankUps):
        yield from _roster(row.roster)
        fighter, terms = row.fighter, row.roster.terms
        yield f"  rank-ups of {fighter.id} with {fighter.experience}, {compact(fighter.build)}"
        yield from (f"    {line}" for line in rank_up_lines(rules, fighter, row.roster))
        for offered in rules.progression.rank_ups(fighter, row.roster):
            for picks in _picks(offered):
                yield from step_lines(rules, fighter.build, terms, offered.key, picks)


def _picks(offered: RankUp) -> Iterator[Mapping[str, Any]]:
    """Yield no pick, and then the first and the last choice of each pick alone."""
    yield {}
    for pick in offered.picks:
        for key, _ in (pick.choices[:1] + pick.choices[-1:])[: len(pick.choices)]:
            yield {pick.key: key if pick.key == "choice" else [key]}


def steps_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield steps with their picks, and the resulting build or the problems."""
    for row in read_rows(path, AskedStep):
        terms = row.terms
        yield f"{compact(row.build)} on {words(faction=terms.faction, settings=terms.settings)}"
        yield from step_lines(rules, row.build, terms, row.key, row.picks)


def step_lines(
    rules: Ruleset, build: BuildData, terms: CampaignTerms, key: str, picks: Any
) -> Iterator[str]:
    """Yield the build after a step, or its problems."""
    yield f"    takes {key} with {compact(picks)}"
    try:
        yield f"      becomes {compact(rules.progression.take_rank_up(build, terms, key, picks))}"
    except RulesError as error:
        yield from (f"      problem {problem_line(each)}" for each in error.problems)


def award_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield the awards of battles, the fates of fighters, and the fighters who roll dice."""
    for row in read_rows(path, AskedAwards):
        yield f"battle {words(settings=row.settings)}"
        for record in row.records:
            fate, misses = rules.progression.fate_after(record, row.settings)
            yield f"  record {compact(record)} becomes {fate}, misses {misses}"
        yield from (f"  deed {compact(deed)}" for deed in row.deeds)
        for award in rules.progression.awards(row.records, row.deeds, row.settings):
            yield (
                f"  award {award.fighter} {award.amount:+d} {award.sentence} [{award.rule}] "
                f"{award.code}"
            )
        dice = rules.progression.recovery_dice(row.records, row.settings)
        if dice:
            yield f"  recovery dice for {', '.join(dice)}"
