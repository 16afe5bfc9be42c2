"""Each column is signed or listed in docs/proved-columns.md; a change of a proved one is found."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from battles.models import Battle, BattleEvent, Combatant, Revision, Side, StoredOutcome
from battles.services.verification import prove_battle
from campaigns.models import Fixture, SealedOrder, Substitute
from campaigns.services.merging import merge_members
from campaigns.services.proof import check_campaigns
from clubs.services.members import add_guest
from exchange.models import ArchivedPerson, ReceivedPassport, TrustedKey
from exchange.services.key_proof import check_keys
from exchange.signing import public_key
from leagues.services.fixtures import give_walkover
from scripts.packages import APPS_WITH_TABLES
from tests.exchange.worlds import EVERYTHING, RandomClub
from tests.pages import world
from tests.warbands.test_check_chronicle import behind_its_back, check
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, Warband
from warbands.services.verification import ProjectionMismatch, check_rows, prove, unregistered
from warbands.signed import Signed, create_signed, signed_models

PAGE = Path(__file__).parents[2] / "docs" / "proved-columns.md"
ROW = "signature of the row"
ITEM = re.compile(
    r"^- `(\w+\.\w+)`: (.+?)(?:; (free: .+?))?(?=^-|\n\n|\Z)", re.MULTILINE | re.DOTALL
)


def signed_columns(model: Any) -> set[str]:
    """Return the columns that a row's signature covers, and its own."""
    key = model._meta.pk
    return {*model.signed, "row_signature"} | (
        set() if isinstance(key, models.AutoField) else {key.name}
    )


def lines_of_the_page() -> Iterator[tuple[str, str, str]]:
    """Yield table, proof and columns. The proof is the heading, or the reason in the line."""
    columns = PAGE.read_text(encoding="utf-8").partition("\n## Columns\n")[2]
    for section in columns.split("### ")[1:]:
        heading = section.partition("\n")[0]
        for label, names, reason in ITEM.findall(section):
            yield label, reason or heading, names.strip()


@cache
def listed() -> dict[str, dict[str, str]]:
    """Return what proves each column, by table and column: its model's ``signed``, or the page."""
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    for model in signed_models():
        tables[model._meta.label] = dict.fromkeys(signed_columns(model), ROW)
    for label, proof, columns in lines_of_the_page():
        names = re.findall(r"`(\w+)`", columns)
        if columns == "all":
            names = [field.name for field in apps.get_model(label)._meta.concrete_fields]
        for name in names:
            assert name not in tables[label], f"{label}.{name} is listed twice"
            tables[label][name] = proof
    return tables


def proved(label: str, *without: str) -> list[tuple[str, str]]:
    """Return the proved columns of a table, each with its proof."""
    return [
        (name, proof)
        for name, proof in listed()[label].items()
        if not proof.startswith(("free:", *without))
    ]


def test_every_column_is_listed() -> None:
    expected = {
        model._meta.label: {field.name for field in model._meta.concrete_fields}
        for model in apps.get_models()
        if model._meta.app_config.name in APPS_WITH_TABLES
    }
    assert {label: set(columns) for label, columns in listed().items()} == expected


def test_page_lists_no_signature() -> None:
    assert ROW not in {proof for _, proof, _ in lines_of_the_page()}


@pytest.fixture
def club(db: None) -> RandomClub:
    """Return a club with every kind of event."""
    played = RandomClub()
    played.happen(EVERYTHING, all_of_it=True)
    club, alice, bob = played.club, played.alice, played.bob
    guest = add_guest(club_id=club.pk, user=alice, name="Twice")
    merge_members(seat_id=guest.pk, into=club.memberships.get(user=bob).pk, user=alice)
    world.paired(played.campaign, alice)
    fixture = Fixture.objects.filter(round__campaign=played.campaign, away__isnull=False)[0]
    give_walkover(fixture_id=fixture.pk, user=alice, walkover="home", reason="Snow")
    player = add_guest(club_id=club.pk, user=alice, name="Instead")
    create_signed(Substitute, fixture=fixture, enrolment=fixture.home, player=player)
    key = public_key()
    create_signed(
        TrustedKey,
        club=club,
        fingerprint=key.fingerprint,
        public=key.public,
        name="York",
        trusted_by=alice,
    )
    create_signed(ArchivedPerson, user=bob)
    create_signed(
        ReceivedPassport,
        user=bob,
        content=b"{}",
        name="A",
        fingerprint=key.fingerprint,
        origin="York",
        length=1,
    )
    return played


def other(field: Any, value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(field, models.BooleanField):
        return not value
    if field.remote_field:
        target = (
            field.target_field.model._base_manager.exclude(pk=value)
            .values_list("pk", flat=True)
            .first()
        )
        return target or other(field.target_field, value)
    if isinstance(field, models.JSONField):
        return [*value, "forged"] if isinstance(value, list) else {**(value or {}), "forged": 1}
    if isinstance(field, models.UUIDField):
        return uuid4()
    if isinstance(field, models.DateTimeField):
        return (value or timezone.now()) + timedelta(days=1)
    if isinstance(field, models.DateField):
        return (value or date(2026, 1, 1)) + timedelta(days=1)
    if isinstance(field, models.BinaryField):
        return bytes(value or b"")[:-1] + b"forged"
    if isinstance(field, models.IntegerField):
        return (value or 0) + 1
    return "x" if value != "x" else "y"


def forge(row: models.Model, name: str) -> bool:
    """Change a column of a row in the database. Return False if the database refuses it."""
    field: Any = row._meta.get_field(name)
    value = other(field, getattr(row, field.attname))
    rows = type(row)._base_manager.filter(pk=row.pk)
    try:
        with transaction.atomic():
            # Use a plain queryset, so that only this column is written.
            models.QuerySet(type(row)).filter(pk__in=[row.pk]).update(**{field.attname: value})
    except IntegrityError:
        return False
    return bool(rows) or field.primary_key


class Undone(Exception):
    """Raised to roll a forgery back."""


def undone(
    changes: Iterable[tuple[models.Model, str]], proof: Any
) -> tuple[list[bool], list[ProjectionMismatch]]:
    """Return whether each change was accepted, and what the proof finds. Roll the changes back."""
    taken: list[bool] = []
    differences: list[ProjectionMismatch] = []
    try:
        with transaction.atomic():
            taken = [forge(row, name) for row, name in changes]
            differences = list(proof())
            raise Undone
    except Undone:
        return taken, differences


def named(differences: Iterable[ProjectionMismatch]) -> str:
    return "\n".join(difference.where for difference in differences)


def proof_holds(club: RandomClub) -> None:
    assert "all sound." in check()


def signed_rows_are_proved(club: RandomClub) -> None:
    """Check all signed tables at once, column by column: each forged row is reported."""
    rows: dict[type[Signed], Any] = {
        model: model._base_manager.order_by("pk").first() for model in signed_models()
    }
    rows[Fixture] = Fixture.objects.exclude(walkover="").first()
    assert all(rows.values()), rows
    columns = {model: [*model.signed, "row_signature"] for model in rows}
    for number in range(max(map(len, columns.values()))):
        changes = [
            (row, columns[model][number])
            for model, row in rows.items()
            if number < len(columns[model])
        ]
        taken, differences = undone(changes, check_rows)
        assert any(taken)
        for (row, name), written in zip(changes, taken, strict=True):
            # A row with another key is named by that.
            where = (
                f"{row._meta.verbose_name} "
                if row._meta.get_field(name).primary_key
                else f"({row.pk})"
            )
            assert not written or where in named(differences), f"{type(row).__name__}.{name}"


def chronicles_are_proved(club: RandomClub) -> None:
    warband = Warband.objects.get(pk=club.haufen.pk)
    rows: list[models.Model] = [
        warband,
        *Fighter.objects.filter(warband=warband)[:1],
        *ChronicleEntry.objects.filter(warband=warband, kind="fought")[:1],
        *ExperienceEntry.objects.filter(warband=warband)[:1],
    ]

    def proof() -> list[ProjectionMismatch]:
        stored = Warband.objects.filter(pk=warband.pk).first()
        return [*unregistered(), *(prove(stored) if stored else ())]

    assert len(rows) == 4 and not proof()
    with behind_its_back():
        for row in rows:
            for name, _ in proved(row._meta.label, ROW):
                taken, differences = undone([(row, name)], proof)
                assert differences or not all(taken), f"{row._meta.label}.{name}"


def register_is_proved(club: RandomClub) -> None:
    register = apps.get_model("warbands.ChronicleRegister").objects.get()
    for name, _ in proved("warbands.ChronicleRegister"):
        _, differences = undone([(register, name)], unregistered)
        assert "register of chronicles" in named(differences), name


def battles_are_proved(club: RandomClub) -> None:
    battle = Revision.objects.filter(battle__state="confirmed").first().battle
    side = Side.objects.filter(battle=battle, combatants__isnull=False).first()
    assert side is not None
    rows: list[models.Model] = [
        battle,
        side,
        *Combatant.objects.filter(side=side)[:1],
        *BattleEvent.objects.filter(battle=battle)[:1],
    ]

    # The log of a corrected battle is replayed, so its stored outcomes are not shown: take another
    # one's.
    stored = StoredOutcome.objects.filter(battle__state="confirmed", battle__revision=0).first()
    assert stored is not None
    rows.append(stored)

    def proof() -> Iterator[ProjectionMismatch]:
        for key in (battle.pk, stored.battle_id):
            yield from prove_battle(Battle.objects.get(pk=key))

    assert len(rows) == 5 and not list(proof())
    for row in rows:
        for name, _ in proved(row._meta.label, ROW):
            taken, differences = undone([(row, name)], proof)
            expected = stored.battle_id if row == stored else battle.pk
            assert str(expected) in named(differences) or not all(taken), (
                f"{row._meta.label}.{name}"
            )


def orders_are_proved(club: RandomClub) -> None:
    """Check sealed orders that are exchanged, although sealed and signed with the right key."""
    first, second = SealedOrder.objects.order_by("pk")[:2]
    assert not list(check_campaigns())
    SealedOrder.objects.filter(pk=first.pk).update(sealed=second.sealed)
    assert f"sealed order {first.pk}" in named(check_campaigns())


def keys_are_proved(club: RandomClub) -> None:
    key = apps.get_model("exchange.SigningKey").objects.get()
    assert not list(check_keys())
    _, differences = undone([(key, "sealed")], check_keys)
    assert f"signing key {key.number}" in named(differences)


PARTS = (
    proof_holds,
    signed_rows_are_proved,
    chronicles_are_proved,
    register_is_proved,
    battles_are_proved,
    orders_are_proved,
    keys_are_proved,
)


@pytest.mark.soak("kinds of tampering, each found and named", each=len(PARTS), sample=1)
def test_each_proved_column_is_found(club: RandomClub) -> None:
    """In one club, which takes its time to be played."""
    for part in PARTS:
        part(club)
