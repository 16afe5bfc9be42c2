"""The columns of a roster's spreadsheet, from the rule system's fields for builds and purchases."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop
from msgspec import Struct
from msgspec.structs import replace

from core.ruleset_words import translated_words
from rulebook.ruleset import BuildData, CampaignTerms, Roster, RosterFighter, RulesError, Ruleset
from rulebook.values.fields import Field
from warbands.rulebook_values import open_lists
from warbands.spreadsheets.cell_codec import in_words, plain

NAME, PROFILE, POSTS, FURTHER = (
    gettext_noop("Name"),
    gettext_noop("Profile"),
    gettext_noop("Posts"),
    gettext_noop("Further"),
)
"""Muster's own columns, in contrast to those of the rule system."""


class Use(StrEnum):
    """The use of a column."""

    NAME = "name"
    PROFILE = "profile"
    BUILD = "build"
    POSTS = "posts"
    PURCHASE = "purchase"
    CREW = "crew"
    FURTHER = "further"


class Column(Struct, frozen=True):
    """A column: its heading, all spellings of it, the ``key`` of its field, and what it accepts."""

    use: Use
    heading: str
    names: frozenset[str]
    key: str = ""
    takes: str = ""


class OpenProfile(Struct, frozen=True):
    """A profile that a warband may recruit.

    ``name`` is its name in a cell, ``names`` are all spellings of it.
    """

    name: str
    names: tuple[str, ...]
    build: BuildData


class Layout(Struct, frozen=True):
    """The columns for a warband on these terms, and the profiles that it may recruit."""

    columns: tuple[Column, ...]
    profiles: tuple[OpenProfile, ...]

    def knows(self, heading: str) -> bool:
        """Return whether there is a column with this name."""
        return self.column(heading) is not None

    def column(self, heading: str) -> Column | None:
        """Return the column with this name, or None."""
        return next((each for each in self.columns if plain(heading) in each.names), None)

    def profile(self, build: BuildData) -> OpenProfile | None:
        """Return the profile of a build, or None if the warband may not recruit it.

        If there is only one profile, builds need not name it.
        """
        if len(self.profiles) == 1 and "profile" not in build:
            return self.profiles[0]
        return next((each for each in self.profiles if each.build.items() <= build.items()), None)


def layout_of(
    rules: Ruleset,
    terms: CampaignTerms,
    fighters: tuple[RosterFighter, ...] = (),
    catalogue: Mapping[str, Any] | None = None,
) -> Layout:
    """Return the columns, in order, for a warband on these terms and with these fighters."""
    lists = open_lists(catalogue or rules.catalogue(terms.settings), terms.faction)
    profiles = _profiles(rules, lists)
    columns = [_own(Use.NAME, NAME, gettext("optional: if blank, the profile and a number"))]
    if len(profiles) > 1:
        shown = gettext("one of these: %(some)s") % {
            "some": "; ".join(each.name for each in profiles)
        }
        columns.append(_own(Use.PROFILE, PROFILE, shown))
    columns += _of_builds(rules, terms, profiles)
    if posts := rules.posts(terms):
        shown = gettext("one or more, separated by “;”: %(some)s") % {
            "some": "; ".join(post.name for post in posts)
        }
        # Spreadsheets of earlier versions have the German heading "Ämter".
        columns.append(_own(Use.POSTS, POSTS, shown, "Post", "Ämter"))
    columns += purchases_of(rules, Roster(terms, fighters))
    columns.append(_own(Use.FURTHER, FURTHER, gettext("other details, as Muster writes them")))
    return Layout(tuple(_distinct(columns)), tuple(profiles))


def purchases_of(rules: Ruleset, roster: Roster) -> list[Column]:
    """Return the columns for what a roster can buy as a whole.

    Crew members are marked in their own rows.
    """
    warband, named = translated_words(rules.words).warband, [rules.words.warband]
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            named.append(translated_words(rules.words).warband)
    fighter_ids = {each.id for each in roster.fighters}
    return [
        Column(
            Use.CREW,
            field.label,
            _names(field.label, field.key),
            field.key,
            gettext("yes for its crew"),
        )
        if is_of_fighters(field, fighter_ids)
        else Column(
            Use.PURCHASE,
            f"{_first(warband)}: {_short(field.label)}",
            _names(*(f"{word}: {_short(field.label)}" for word in named), field.label, field.key),
            field.key,
            gettext("once, in any row: %(wanted)s") % {"wanted": in_words(field)},
        )
        for field in rules.extras_fields(roster)
    ]


def is_of_fighters(field: Field, fighters: Iterable[str]) -> bool:
    """Return whether a field chooses among fighters of the roster."""
    return (
        field.kind == "list" and bool(field.choices) and set(dict(field.choices)) <= set(fighters)
    )


def _own(use: Use, name: str, takes: str, *more: str) -> Column:
    """Return one of Muster's own columns, which is recognised in every language."""
    names = {name, use.value, *more}
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            names |= set(map(gettext, (name, *more)))
    return Column(use, gettext(name), _names(*names), takes=takes)


def _profiles(rules: Ruleset, lists: Sequence[Mapping[str, Any]]) -> list[OpenProfile]:
    """Return the open profiles, those of the warband's own list first.

    A name that is in two lists is written with its list.
    """
    open_profiles: list[OpenProfile] = []
    taken: set[str] = set()
    for list_entry in lists:
        for profile in list_entry["profiles"]:
            whole = f"{list_entry['name']}: {profile['name']}"
            name = whole if plain(profile["name"]) in taken else profile["name"]
            taken.add(plain(name))
            names = (name, whole, f"{list_entry['key']}/{profile['key']}", profile["key"])
            open_profiles.append(
                OpenProfile(name, names, rules.bare_build(list_entry["key"], profile["key"]))
            )
    return open_profiles


def _of_builds(
    rules: Ruleset, terms: CampaignTerms, profiles: Iterable[OpenProfile]
) -> list[Column]:
    """Return a column for each field of these profiles' builds."""
    fields_by_key: dict[str, list[Field]] = {}
    for profile in profiles:
        try:
            for field in rules.build_fields(profile.build, terms):
                fields_by_key.setdefault(field.key, []).append(field)
        except RulesError:
            continue
    return [_of_build(key, fields) for key, fields in fields_by_key.items()]


def _of_build(key: str, fields: Sequence[Field]) -> Column:
    labels = [*dict.fromkeys(_short(field.label) for field in fields)]
    last = key.rpartition(".")[2].replace("-", " ").replace("_", " ")
    heading = labels[0] if len(labels) == 1 else _first(last)
    everything = dict(choice for field in fields for choice in field.choices)
    takes = in_words(replace(fields[0], choices=tuple(everything.items())))
    whole = [field.label for field in fields]
    return Column(Use.BUILD, heading, _names(heading, last, key, *labels, *whole), key, takes)


def _distinct(columns: Iterable[Column]) -> list[Column]:
    """Return the columns so that each name belongs to one column.

    Headings go before other spellings, earlier columns before later ones.
    """
    distinct = [*columns]
    headings: set[str] = set()
    for place, column in enumerate(distinct):
        if plain(column.heading) in headings:
            distinct[place] = replace(column, heading=column.key, names=_names(column.key))
        headings.add(plain(distinct[place].heading))
    taken = set(headings)
    for place, column in enumerate(distinct):
        names = {plain(column.heading)} | (column.names - taken)
        taken |= names
        distinct[place] = replace(column, names=frozenset(names))
    return distinct


def _names(*names: str) -> frozenset[str]:
    return frozenset(plain(name) for name in names if name)


def _short(label: str) -> str:
    """Return a label without the price and conditions after it."""
    return label.partition(";")[0].partition(" (")[0]


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]
