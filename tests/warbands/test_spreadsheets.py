"""Rosters as spreadsheets: they come back as they went, whatever program had them, and every wrong
cell is named."""

import csv
from io import StringIO
from random import Random
from typing import Any
from uuid import UUID

import pytest

from core.csv_files import MAX_ROWS, CellError, UnreadableSpreadsheet, column_name, read_grid
from rulebook.chronicle.facts import AnyFact, Appointed, Furnished, Mustered, Recruit, Recruited
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import WarbandState
from rulebook.registry import RULESETS, find_ruleset, newest_ruleset
from rulebook.ruleset import CampaignTerms, RulesError, Ruleset
from rulebook.values.fields import Field, nested
from warbands.drafts.changes import merged
from warbands.drafts.values import Draft, drafted
from warbands.rulebook_values import open_lists
from warbands.services.warbands import with_new_ids
from warbands.spreadsheets.drafting import draft_of_spreadsheet
from warbands.spreadsheets.writing import template, written_roster

FACTIONS = [
    (key, each["key"]) for key in RULESETS for each in newest_ruleset(key).catalogue({})["factions"]
]
ODD = ("=1+1", 'Étienne; "der Lange"', "+49", "'=x", "#1", "-", "@home", "a, b")
"""Names and words that a spreadsheet, or a careless reader, would take for something else."""


def state_of(*facts: AnyFact) -> WarbandState:
    state = WarbandState()
    for fact in facts:
        state = step(state, fact, find_ruleset, sequence=state.sequence).state
    return state


def mustered(ruleset: str, faction: str) -> WarbandState:
    edition = newest_ruleset(ruleset).edition
    return state_of(Mustered(ruleset=ruleset, edition=edition, faction=faction, name="Of a sheet"))


LANDSKNECHTS = mustered("en-garde", "landsknechts")


def read(sent: bytes | str, state: WarbandState = LANDSKNECHTS, **how: Any) -> WarbandState:
    return drafted(draft_of_spreadsheet(sent, state, Draft(), **how)[0], state)


def wrong(sent: bytes | str, state: WarbandState = LANDSKNECHTS) -> list[CellError]:
    with pytest.raises(UnreadableSpreadsheet) as refused:
        read(sent, state)
    return [*refused.value.cells]


def by_chance(field: Field, luck: Random) -> Any:
    if field.kind == "flag":
        return luck.choice((True, False))
    if field.kind == "number":
        return luck.randint(field.least or 0, 9 if field.most is None else field.most)
    if field.kind == "text":
        return luck.choice(("", "Elite", *ODD))
    keys = [key for key, _ in field.choices]
    if field.kind == "list":
        return luck.sample(keys, min(len(keys), luck.randint(0, 2)))
    chosen = luck.choice(keys)
    return chosen if field.kind == "choice" else [each for each in chosen.split(",") if each]


def builds_by_chance(rules: Ruleset, faction: str, luck: Random) -> list[Any]:
    """Return builds of every available profile, with and without random choices."""
    terms, builds = CampaignTerms(faction=faction), []
    for each in open_lists(rules.catalogue({}), faction):
        for profile in each["profiles"]:
            bare = rules.bare_build(each["key"], profile["key"])
            for chance in (0, 0.3, 0.6, 0.6):
                fields = [
                    field for field in rules.build_fields(bare, terms) if luck.random() < chance
                ]
                try:
                    values = nested({field.key: by_chance(field, luck) for field in fields})
                    builds.append(rules.clean_build(merged(bare, values), terms))
                except RulesError:
                    continue
    return builds


def bought(field: Field, luck: Random) -> Any:
    """Return one gun, two to serve it, and a random value for any other field."""
    if field.kind == "list":
        return [choice for choice, _ in field.choices][:2]
    if field.kind == "number":
        return int(luck.choice(field.choices)[0]) if field.choices else 1
    return by_chance(field, luck)


def roster_by_chance(ruleset: str, faction: str) -> WarbandState:
    """Return a roster with odd names, every profile, posts and purchases."""
    luck, rules, state = Random(faction), newest_ruleset(ruleset), mustered(ruleset, faction)
    builds = builds_by_chance(rules, faction, luck)
    names = [
        f"{ODD[place % len(ODD)]} {place}" if place % 2 else f"No. {place}"
        for place in range(len(builds))
    ]
    recruits = [
        Recruit(str(UUID(int=place + 1)), names[place], build) for place, build in enumerate(builds)
    ]
    state = step(state, Recruited(recruits=tuple(recruits)), find_ruleset).state
    for _ in range(2):
        fields = {field.key: field for field in rules.extras_fields(state.roster)}
        values = {key: bought(field, luck) for key, field in fields.items()}
        guns = [
            key for key, field in fields.items() if field.kind == "number" and not field.choices
        ]
        values |= dict.fromkeys(guns[1:], 0)
        extras = rules.clean_extras(
            nested({key: value for key, value in values.items() if value}), state.terms
        )
        state = step(state, Furnished(extras=extras), find_ruleset).state
    posts = {}
    for post in rules.posts(state.terms):
        able = [
            each.id
            for each in state.fighters.values()
            if not rules.post_problem(post.key, each.build, state.terms)
        ]
        posts[post.key] = tuple(able[: min(post.most, 2)]) if post.open else ()
    return step(
        state, Appointed(posts={post: held for post, held in posts.items() if held}), find_ruleset
    ).state


@pytest.mark.parametrize(("ruleset", "faction"), FACTIONS)
def test_a_roster_of_every_list_comes_back_as_it_went(ruleset: str, faction: str) -> None:
    before, empty_one = roster_by_chance(ruleset, faction), mustered(ruleset, faction)
    text = written_roster(before)
    after = read(text, empty_one)
    assert [(each.name, each.build) for each in after.fighters.values()] == [
        (each.name, each.build) for each in before.fighters.values()
    ]
    ids = dict(zip(after.fighters, before.fighters, strict=True))
    assert with_new_ids(after.extras, ids) == with_new_ids(before.extras, {})
    assert with_new_ids(after.posts, ids) == with_new_ids(before.posts, {})
    assert "Further" not in text.splitlines()[0], "what is chosen has columns of its own"
    assert draft_of_spreadsheet(text, before, Draft(), in_place=True)[0].empty
    assert written_roster(after) == text
    headings = next(csv.reader(StringIO(template(ruleset, faction))))
    assert set(headings) <= {each for row in csv.reader(StringIO(text)) for each in row}


def test_a_veteran_keeps_what_no_column_says() -> None:
    """A recruit cannot choose gains of a rank-up, so they have a column of their own."""
    rules = newest_ruleset("en-garde")
    bare = rules.clean_build({"profile": "landsknechts/landsknecht"}, LANDSKNECHTS.terms)
    (step_up, *_) = rules.progression.rank_ups(
        drafted(
            draft_of_spreadsheet("Name,Profile\nHans,Landsknecht", LANDSKNECHTS, Draft())[0],
            LANDSKNECHTS,
        ).roster.fighters[0],
        LANDSKNECHTS.roster,
    )
    risen = rules.clean_build(step_up.build, LANDSKNECHTS.terms)
    assert risen != bare
    recruits = (Recruit(str(UUID(int=1)), "Hans", risen), Recruit(str(UUID(int=2)), "Veit", bare))
    before = step(LANDSKNECHTS, Recruited(recruits=recruits), find_ruleset).state
    assert [each.build for each in read(written_roster(before)).fighters.values()] == [risen, bare]


TABLE = (
    ("Name", "Profile", "Instead of medium armour", "Attributes", "Posts", "Warband: A banner"),
    ("Götz", "Oberst", "", "Fast; Inspiring; Tough", "Leader", "yes"),
    ("Hans, genannt Langer", "Doppelsoldner", "Heavy armour", "", "", ""),
    ("", "Landsknecht", "", "", "", ""),
)


def as_text(separator: str, newline: str = "\r\n") -> str:
    written = StringIO()
    csv.writer(written, delimiter=separator, lineterminator=newline).writerows(TABLE)
    return written.getvalue()


COMMAS = as_text(",")


@pytest.mark.parametrize(
    ("sent", "encoding", "separator"),
    [
        (COMMAS, None, ","),
        (COMMAS.encode(), "UTF-8", ","),
        (COMMAS.encode("utf-8-sig"), "UTF-8", ","),
        (as_text(";").encode("cp1252"), "Windows-1252", ";"),
        (as_text("\t").encode("utf-16"), "UTF-16", "\t"),
        (as_text("\t").encode("utf-16-le"), "UTF-16", "\t"),
        (as_text("\t").encode("utf-16-be"), "UTF-16", "\t"),
        (as_text("\t", "\n"), None, "\t"),
        (as_text(";", "\r"), None, ";"),
        ("sep=;\r\n" + as_text(";"), None, ";"),
        (
            "\r\n,,,\r\n# a note, of the club\r\n"
            + COMMAS.replace("\r\n", ",,,\r\n")
            + "\r\n,,\r\n",
            None,
            ",",
        ),
        (COMMAS.replace("Name,", "NAME ,").replace("Attributes", " options.attributes"), None, ","),
        (
            COMMAS.replace("Name,Profile", "name,PROFIL")
            .replace("Posts", "Ämter")
            .replace("yes", "ja"),
            None,
            ",",
        ),
        (COMMAS.replace("Doppelsoldner", "doppelsöldner").replace("; ", "|"), None, ","),
        (COMMAS.replace("Fast; Inspiring; Tough", '"fast, inspiring, TOUGH"'), None, ","),
        (COMMAS.replace("Fast; Inspiring; Tough", '"Fast\nInspiring\nTough"'), None, ","),
    ],
)
def test_every_dialect_says_the_same(
    sent: bytes | str, encoding: str | None, separator: str
) -> None:
    draft, result = draft_of_spreadsheet(sent, LANDSKNECHTS, Draft())
    after = drafted(draft, LANDSKNECHTS)
    assert (result.grid.encoding, result.grid.separator) == (encoding, separator)
    assert [each.name for each in after.fighters.values()] == [
        "Götz",
        "Hans, genannt Langer",
        "Landsknecht 1",
    ]
    oberst, second, _ = after.fighters.values()
    assert oberst.build["options"] == {"attributes": ["fast", "inspiring", "tough"]}
    assert second.build["options"] == {"exchange-medium-armour": ["heavy-armour"]}
    assert (after.posts, after.extras["banner"]) == ({"leader": (oberst.id,)}, True)


def test_numbers_flags_and_nothing_are_said_in_many_ways() -> None:
    argad, france = mustered("argad", "company"), mustered("avant-garde", "france")
    (fighter,) = read(
        "Class;Trained to receive cavalry with a pole weapon\n4,0;x", argad
    ).fighters.values()
    assert (fighter.build["class"], fighter.build["trained"]) == (4, True)
    states = [
        read(f"Profile,Colours\nInfantry,{word}", france)
        for word in ("", "ja", "nein", "none", "Colours")
    ]
    assert [each.build["colours"] for state in states for each in state.fighters.values()] == [
        True,
        True,
        False,
        False,
        True,
    ]
    (gunner,) = read(
        "Profile,Pistol\nHorse,pistol; Pistol", mustered("en-garde", "english-civil-war")
    ).fighters.values()
    assert gunner.build["options"]["pistol"] == ["pistol", "pistol"]


def test_every_wrong_cell_is_named_with_what_was_found_and_the_nearest() -> None:
    rows = (
        "Nmae,Profile,Instead of medium armour,Attributes,Posts,Warband: A banner,,Profile",
        'Götz,Oberst,,"Inspiring; Tuogh",Leader,perhaps,stray,',
        ",,,,,,,",
        "Hans,Dopelsoldner,,,,,,",
        ",Landsknecht,Heavy armour,,Leder,,,",
        ",Oberst,Heavy armour,Commander,Leader,,,",
        f"{'x' * 90}{'y' * 20},,,,,,,",
    )
    by_cell = {each.cell: (each.code, each.nearest) for each in wrong("\n".join(rows))}
    assert by_cell == {
        "A1": ("unknown-heading", "Name"),
        "H1": ("heading-twice", ""),
        "D2": ("unknown-word", "Tough"),
        "F2": ("not-a-flag", ""),
        "G2": ("no-heading", ""),
        "B4": ("unknown-profile", "Doppelsoldner"),
        "C5": ("not-for-this-profile", ""),
        "B7": ("no-profile", ""),
        "E5": ("unknown-post", "Leader"),
        "D6": ("attribute-twice", ""),
    }
    (tough,) = [each for each in wrong("\n".join(rows)) if each.cell == "D2"]
    assert (tough.found, tough.sentence) == (
        "Inspiring; Tuogh",
        "Unknown value “Tuogh”. Did you mean “Tough”?",
    )
    text = "Name,Profile,Posts\nGötz,Oberst,Leder\nVeit,Oberst,Leader\nKunz,Oberst,Leader"
    assert [(each.cell, each.code, each.nearest) for each in wrong(text)] == [
        ("C2", "unknown-post", "Leader"),
        ("C4", "too-many-holders", ""),
    ]
    bought = "Profile,Warband: A banner\nOberst,yes\nOberst,no"
    assert [(each.cell, each.code) for each in wrong(bought)] == [("B3", "said-twice")]
    guns = "Profile,Warband: Swivel gun,Swivel gun 1: crew\nOberst,1,yes\nLandsknecht,,x"
    assert [(each.cell, each.code) for each in wrong(guns)] == [("C2", "cannot-serve")]
    served = guns.replace("1,yes", "1,")
    assert [len(gun["crew"]) for gun in read(served).extras["ordnance"]] == [1]
    lengthy = wrong(f"Name,Profile\n{'x' * 101},Oberst")
    assert [(each.cell, each.code) for each in lengthy] == [("A2", "too-long")]


def test_what_is_no_roster_at_all_is_refused_as_a_whole() -> None:
    many = "Name,Profile\n" + "Hans,Landsknecht\n" * (MAX_ROWS + 1)
    whole = {
        b"\x89PNG\r\n\x1a\n\x81\x8d\x8f\x90\x9d" + bytes(range(256)): "not-text",
        b"PK\x03\x04 a workbook": "unreadable-workbook",
        "Name\0": "not-text",
        "": "no-rows",
        ",,,\n\n# nothing": "no-rows",
        many: "too-many-rows",
        "Name,Profile\n" + "x" * 300_000: "too-large",
        b"Name,Profile\n" + b"x" * 300_000: "too-large",
        "Name,Profile\n" + "," * 200 + "x": "too-many-columns",
        'Name,Profile\nHans,"Landsknecht\n': "open-quotes",
    }
    for sent, code in whole.items():
        with pytest.raises(UnreadableSpreadsheet) as refused:
            read(sent)  # type: ignore[arg-type]
        assert (refused.value.code, refused.value.cells, refused.value.field) == (code, (), "csv")
    assert [each.code for each in wrong(f"Name,Profile\n{'x' * 2001},Oberst")] == ["too-long"]
    assert [(each.cell, each.code) for each in wrong("Name,Profile\n")] == [("A2", "nobody-in-it")]


def test_no_text_of_any_kind_breaks_the_reader() -> None:
    luck, letters = Random(7), "Nam,Profile;|\n\t\"'=#ö\0\r x1-–\ud83d"
    for _ in range(120):
        text = "".join(luck.choice(letters) for _ in range(luck.randint(0, 60)))
        try:
            read(luck.choice(("", "Name,Profile\n")) + text)
        except UnreadableSpreadsheet as refused:
            assert all(each.cell and each.sentence for each in refused.cells)


def test_the_whole_roster_takes_the_place_of_the_one_before() -> None:
    before = read(COMMAS)
    text = written_roster(before)
    changed = text.replace("Heavy armour", "").replace("Landsknecht 1", "Veit")
    draft, _ = draft_of_spreadsheet(changed, before, Draft(), in_place=True)
    after = drafted(draft, before)
    assert (len(draft.joining), len(draft.struck), len(draft.builds)) == (0, 0, 1)
    assert [*draft.names.values()] == ["Veit"]
    assert [each.name for each in after.fighters.values()] == [
        "Götz",
        "Hans, genannt Langer",
        "Veit",
    ]
    assert after.posts == before.posts
    more = read("Name,Profile,Posts\nKunz,Oberst,Leader", before)
    assert [each.name for each in more.fighters.values()][-1] == "Kunz" and len(more.fighters) == 4
    assert more.fighters[more.posts["leader"][0]].name == "Kunz" and more.extras == before.extras


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("D’Artagnan", "D'Artagnan"), ("D'Artagnan", "D´Artagnan"), ("Jörg", "Jo\u0308rg"),
        ("Jean–Luc", "Jean-Luc"), ("Hans\u00a0Kurz", "Hans  Kurz"), ("Ma\u00adrie", "Marie"),
    ],
)  # fmt: skip
def test_reimported_roster_keeps_names_with_other_signs(written: str, typed: str) -> None:
    before = read(f"Name,Profile\n{written},Oberst\nKunz,Oberst")
    draft, _ = draft_of_spreadsheet(
        f"Name,Profile\n{typed},Oberst\nKunz,Oberst", before, Draft(), in_place=True
    )
    assert (draft.joining, draft.struck, draft.builds) == ((), (), {})


def test_reimported_roster_tells_names_apart_that_differ_by_a_sign() -> None:
    before = read("Name,Profile\nO'Brien,Oberst\nO’Brien,Landsknecht")
    text = "Name,Profile\nO’Brien,Landsknecht\nO'Brien,Oberst"
    draft, _ = draft_of_spreadsheet(text, before, Draft(), in_place=True)
    assert (draft.joining, draft.struck, draft.builds) == ((), (), {})
    draft, _ = draft_of_spreadsheet(
        "Name,Profile\nO’Brien,Landsknecht", before, Draft(), in_place=True
    )
    assert [before.fighters[key].name for key in draft.struck] == ["O'Brien"]
    draft, _ = draft_of_spreadsheet(
        "Name,Profile\nJose,Oberst", read("Name,Profile\nJosé,Oberst"), Draft(), in_place=True
    )
    assert (draft.joining, draft.struck) == ((), ())
    assert [*draft.names.values()] == ["Jose"], "an accent makes another name"


def test_reimported_roster_renames_the_only_one_of_a_build() -> None:
    before = read("Name,Profile\nKunz,Oberst\nHans,Landsknecht\nVeit,Landsknecht")
    text = "Name,Profile\nUtz,Oberst\nJost,Landsknecht\nLenz,Landsknecht"
    draft, _ = draft_of_spreadsheet(text, before, Draft(), in_place=True)
    assert [*draft.names.values()] == ["Utz"]
    assert len(draft.joining) == len(draft.struck) == 2, "nobody knows who is who"


def test_column_of_profile_names_is_the_profile_column() -> None:
    state = read("Type,Name\nOberst,Kunz\ndoppelsöldner,Hans")
    assert [each.profile_name for each in state.fighters.values()] == ["Oberst", "Doppelsoldner"]
    (error,) = wrong("Name,Type\nKunz,Oberst\nHans,Cook")[:1]
    assert (error.cell, error.code) == ("B1", "unknown-heading")


def test_cells_are_named_as_spreadsheets_name_them() -> None:
    assert [column_name(place) for place in (0, 25, 26, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]
    assert read_grid("a\n\n\nb", lambda _: True).rows[0].number == 4
