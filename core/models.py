"""Abstract rows and fields that every app uses: search text beside a name, JSON, jobs; tables that
no app owns."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string

from core.search_text import found_by_words

BATCH = 1000


class FoldedField(models.TextField):
    """A column that holds the fold of others, computed whenever the row is written."""

    def pre_save(self, row: models.Model, add: bool) -> str:
        """What the row is found by, folded."""
        folded = folded_name(row, type(row).found_by)  # type: ignore[attr-defined]
        setattr(row, self.attname, folded)
        return folded

    def deconstruct(self) -> Any:
        """As migrations see it: a text."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.TextField", arguments, options


@FoldedField.register_lookup
class HasWords(models.Lookup):
    """Whether every word begins a word of the column: full text with an index on PostgreSQL, LIKE
    on SQLite.

    The right side is a folded query; a word of it holds letters and digits alone, and so nothing to
    escape.
    """

    lookup_name = "has_words"
    prepare_rhs = False

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Words of the index that ``index_words`` makes."""
        column, parameters = self.process_lhs(compiler, connection)
        prefixes = " & ".join(f"'{word}':*" for word in self.rhs.split())
        return f"to_tsvector('simple', {column}) @@ to_tsquery('simple', %s)", (
            *parameters,
            prefixes,
        )

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """A scan of one short column."""
        column, parameters = self.process_lhs(compiler, connection)
        patterns = [f"% {word}%" for word in self.rhs.split()]
        sql = " AND ".join([f"(' ' || {column}) LIKE %s"] * len(patterns)) or "1 = 1"
        return f"({sql})", tuple(each for pattern in patterns for each in (*parameters, pattern))


class Searchable(models.Model):
    """A row that is found by the words of some of its columns."""

    found_by: ClassVar[tuple[str, ...]] = ("name",)
    folded = FoldedField(blank=True, default="", editable=False)
    """What it is found by, folded."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **named: Any) -> None:
        """Save the row, and what it is found by with whatever else is saved."""
        if named.get("update_fields") is not None:
            named["update_fields"] = {*named["update_fields"], "folded"}
        super().save(*args, **named)


def folded_name(row: models.Model, found_by: Iterable[str]) -> str:
    """What a row is found by."""
    return found_by_words(" ".join(str(getattr(row, column)) for column in found_by))


def fold_rows(model: Any, found_by: tuple[str, ...]) -> int:
    """Fold the names of every row anew, and return how many were not as they should be. In pieces,
    for any number."""
    changed, number = [], 0
    for row in model.objects.order_by().only("pk", "folded", *found_by).iterator(BATCH):
        folded = folded_name(row, found_by)
        if row.folded != folded:
            row.folded = folded
            changed.append(row)
        if len(changed) == BATCH:
            number += model.objects.bulk_update(changed, ["folded"])
            changed = []
    return number + (model.objects.bulk_update(changed, ["folded"]) if changed else 0)


class PlainJSONField(models.JSONField):
    """JSON whose values are sent one by one.

    Of many rows Django makes one array for each column, and quoting JSON inside an array takes
    longer than everything else that is done to write it. The column is that of any JSONField.
    """

    def get_placeholder(self, value: Any, compiler: Any, connection: Any) -> str:
        """Where a value goes in a statement: a field that has a say in this is not put into
        arrays."""
        return "%s"

    def deconstruct(self) -> Any:
        """As migrations see it: a JSONField, since it makes the same column."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, options


class Job(models.Model):
    """What a worker takes in hand: it notes its task in ``claimed_by``, and every write of the
    worker asks whether that claim, of which ``attempts`` is the number, still stands
    (``core.jobs.claims``)."""

    attempts = models.PositiveIntegerField(default=0)
    claimed_by = models.CharField(max_length=50, blank=True, default="")
    claimed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class SentRequest(models.Model):
    """Something that was sent with a key, and how it was answered: sent again, it gets that answer.

    ``path`` is where it was sent to, ``digest`` tells what was sent, ``answer`` is locked under the
    installation's key.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    path = models.CharField(max_length=300)
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    answer = models.BinaryField(default=b"")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("user", "path", "key"), name="request_answered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.path} {self.key}"


class AccountSession(AbstractBaseSession):
    """A session, and the account that is signed in with it; None for a visitor
    (``accounts.sessions``)."""

    # Without a constraint: a request may save its session after somebody has deleted the account.
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, db_constraint=False, related_name="+"
    )

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """The store that reads and writes these rows."""
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")
