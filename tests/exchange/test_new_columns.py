"""A column that a model gets is exported and imported without being listed anywhere."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.validators import URLValidator
from django.db import connection, models

from accounts.data_export.tables import OWN_DATA_TABLES
from clubs.models import Club, Membership
from core.errors import InvalidInput
from exchange import tables
from exchange.tables import find_table
from operations.move_database import _columns
from tests.exchange.archives import (
    changed,
    files_in,
    preview_of,
    reference_of,
    rows_in,
    written_and_gone,
)
from tests.exchange.test_importing_archives import imported
from tests.exchange.worlds import RandomClub

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ADDRESS = "https://swords.example/"
AddColumn = Callable[..., None]


@contextmanager
def added(model: Any, name: str, field: "models.Field[Any, Any]", sql: str) -> Iterator[None]:
    """Add a column to a model and its table inside the block."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {model._meta.db_table} ADD COLUMN {name} {sql}")
    model.add_to_class(name, field)
    forget()
    try:
        yield
    finally:
        model._meta.local_fields.remove(field)
        model._meta._expire_cache()
        delattr(model, name)
        forget()


def forget() -> None:
    """Clear the caches of what follows from the models."""
    for cached in (tables._columns_of, tables._links_of, tables.row_type, tables.validated_columns):
        cached.cache_clear()


@pytest.fixture
def add_column(db: None) -> Iterator[AddColumn]:
    """Yield a function that adds a column until the test has ended.

    The test's transaction removes it from the database.
    """
    with ExitStack() as stack:

        def add(
            model: Any, name: str, field: Any, sql: str = "varchar(200) NOT NULL DEFAULT ''"
        ) -> None:
            stack.enter_context(added(model, name, field, sql))

        yield add


def club_with(**columns: Any) -> bytes:
    """Return the archive of a club that is rolled back."""

    def make() -> tuple[str, Any, User]:
        source = RandomClub(".there")
        Club.objects.filter(pk=source.club.pk).update(**columns)
        return "club", source.club, source.alice

    return written_and_gone(make)


def homepages() -> list[str]:
    """Return the addresses of all clubs."""
    clubs: Any = Club.objects
    return list(clubs.values_list("homepage", flat=True))


def with_homepage(address: str) -> Callable[[list[dict[str, Any]]], Any]:
    return lambda rows: rows[0].update(homepage=address)


def test_new_column_goes_out_and_comes_back(add_column: AddColumn, charlie: User) -> None:
    add_column(Club, "homepage", models.URLField(blank=True, default=""))
    archive = club_with(homepage=ADDRESS)
    files = files_in(archive)
    assert rows_in(files, "clubs")[0]["homepage"] == ADDRESS
    assert (
        ADDRESS in files["csv/clubs.csv"].decode() and b'"homepage"' in files["schema/clubs.json"]
    )
    imported(archive, charlie, {reference_of(archive, "alice.there"): charlie.pk})
    assert homepages() == [ADDRESS]


def test_new_column_is_in_own_data_and_backups(add_column: AddColumn) -> None:
    add_column(Membership, "nickname", models.CharField(max_length=200, blank=True, default=""))
    (memberships,) = [table for table in OWN_DATA_TABLES if table.model == "clubs.Membership"]
    assert "nickname" in memberships.columns()
    assert "nickname" in [column.name for column in _columns(Membership)]


LINKS: dict[str, Callable[[], Any]] = {
    "URL": lambda: models.URLField(blank=True, default=""),
    "text": lambda: models.TextField(blank=True, default="", validators=[URLValidator()]),
}


@pytest.mark.parametrize("kind", LINKS)
def test_import_refuses_link_that_runs_script(
    kind: str, add_column: AddColumn, charlie: User
) -> None:
    add_column(Club, "homepage", LINKS[kind]())
    archive = club_with(homepage=ADDRESS)
    for address in (
        "javascript:alert(1)",
        "JaVaScRiPt://x/%0Aalert(1)",
        "data:text/html,x",
        " https://x.example",
        "x",
    ):
        with pytest.raises(InvalidInput) as refused:
            preview_of(changed(archive, "clubs", with_homepage(address)), charlie)
        assert refused.value.code == "bad-row"
        assert refused.value.sentence == "clubs, row 1, column homepage: Enter a valid URL."
    for address in ("", "http://swords.example/hall?day=5"):
        assert preview_of(changed(archive, "clubs", with_homepage(address)), charlie).importable


def test_older_archive_gets_default_of_new_column(add_column: AddColumn, charlie: User) -> None:
    archive = club_with()
    sql = "varchar(200) NOT NULL DEFAULT 'x'"
    add_column(Club, "homepage", models.URLField(default="https://none.example"), sql)
    imported(archive, charlie, {})
    assert homepages() == ["https://none.example"]


def test_older_archive_without_required_column_is_refused(
    add_column: AddColumn, charlie: User
) -> None:
    archive = club_with()
    add_column(Club, "homepage", models.URLField())
    with pytest.raises(InvalidInput) as refused:
        preview_of(archive, charlie)
    assert refused.value.sentence.startswith("clubs, row 1, column homepage: ")


def test_column_that_could_be_secret_or_a_file_has_to_be_declared(add_column: AddColumn) -> None:
    fields = {
        "contact": models.EmailField(),
        "crest": models.FileField(),
        "badge": models.BinaryField(),
    }
    for name, field in fields.items():
        add_column(Club, name, field)
        with pytest.raises(
            tables.NoTypeError, match=rf"clubs\.{name}: .*COLUMNS of exchange/registry\.py"
        ):
            tables.column_type(find_table("clubs"), name)
