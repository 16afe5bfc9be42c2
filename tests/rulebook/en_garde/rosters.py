"""Short notation for terms, builds and rosters of En Garde! in tests."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rulebook.ruleset import (
    CampaignTerms,
    Problem,
    Roster,
    RosterFighter,
    RosterPurpose,
    RulesError,
)
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.roster_problems import roster_problems

DATA = Path(__file__).parent.parent / "data"


def rows(name: str) -> list[list[str]]:
    """Return the rows of a plain-text table, split at the bars."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [
        [cell.strip() for cell in line.split("|")]
        for line in lines
        if line and not line.startswith("#")
    ]


def terms(
    faction: str, /, *, extras: Mapping[str, Any] | None = None, **settings: Any
) -> CampaignTerms:
    """Return terms with these house rules."""
    return CampaignTerms(faction, extras or {}, settings)


def build(raw: str | Mapping[str, Any], on: CampaignTerms) -> dict[str, Any]:
    """Return the canonical build of a form, or of a profile key."""
    return dict(clean_build({"profile": raw} if isinstance(raw, str) else raw, on))


def problems(raw: str | Mapping[str, Any], on: CampaignTerms) -> list[Problem]:
    """Return the problems of a form."""
    try:
        build(raw, on)
    except RulesError as error:
        return list(error.problems)
    return []


def codes(raw: str | Mapping[str, Any], on: CampaignTerms) -> list[str]:
    """Return the codes of the problems of a form."""
    return [problem.code for problem in problems(raw, on)]


def fighter(
    number: int, raw: str | Mapping[str, Any], on: CampaignTerms, **more: Any
) -> RosterFighter:
    """Return a fighter with the id "f<number>"."""
    return RosterFighter(f"f{number}", f"Fighter {number}", build(raw, on), **more)


def roster(on: CampaignTerms, raws: Iterable[str | Mapping[str, Any]], **more: Any) -> Roster:
    """Return a roster of these forms, led by its last fighter."""
    fighters = tuple(fighter(number, raw, on) for number, raw in enumerate(raws))
    return Roster(
        on, fighters, **{"posts": {"leader": (fighters[-1].id,)} if fighters else {}, **more}
    )


def found(checked: Roster, purpose: RosterPurpose = RosterPurpose.ENROL) -> dict[str, Problem]:
    """Return the problems of a roster by code."""
    return {problem.code: problem for problem in roster_problems(checked, purpose)}
