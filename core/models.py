"""Abstract models and fields for all apps (search text, JSON, jobs) and tables that no app owns."""

import uuid
from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from core.search_text import found_by_words

BATCH = 1000


class FoldedField(models.TextField):
    """A column with the folded text of other columns, computed whenever the row is saved."""

    def pre_save(self, row: models.Model, add: bool) -> str:
        """Return the folded text of the columns in ``found_by``, and set it on the row."""
        folded = folded_name(row, type(row).found_by)  # type: ignore[attr-defined]
        setattr(row, self.attname, folded)
        return folded

    def deconstruct(self) -> Any:
        """Return a TextField for migrations."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.TextField", arguments, options


@FoldedField.register_lookup
class HasWords(models.Lookup):
    """A lookup that matches if every word of the query starts a word of the column.

    Uses full-text search with an index on PostgreSQL and LIKE on SQLite. The right side is a folded
    query: its words contain only letters and digits, so nothing needs escaping.
    """

    lookup_name = "has_words"
    prepare_rhs = False

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return SQL that uses the index of ``core.database_objects.word_indexes``."""
        column, parameters = self.process_lhs(compiler, connection)
        prefixes = " & ".join(f"'{word}':*" for word in self.rhs.split())
        return f"to_tsvector('simple', {column}) @@ to_tsquery('simple', %s)", (
            *parameters,
            prefixes,
        )

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return SQL that scans one short column."""
        column, parameters = self.process_lhs(compiler, connection)
        patterns = [f"% {word}%" for word in self.rhs.split()]
        sql = " AND ".join([f"(' ' || {column}) LIKE %s"] * len(patterns)) or "1 = 1"
        return f"({sql})", tuple(each for pattern in patterns for each in (*parameters, pattern))


class Searchable(models.Model):
    """A row that can be found by the words of some of its columns."""

    found_by: ClassVar[tuple[str, ...]] = ("name",)
    folded = FoldedField(blank=True, default="", editable=False)
    """The folded text of the columns in ``found_by``."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **named: Any) -> None:
        """Save the row, always including ``folded``."""
        if named.get("update_fields") is not None:
            named["update_fields"] = {*named["update_fields"], "folded"}
        super().save(*args, **named)


def folded_name(row: models.Model, found_by: Iterable[str]) -> str:
    """Return the search text of a row from these columns."""
    return found_by_words(" ".join(str(getattr(row, column)) for column in found_by))


def fold_rows(model: Any, found_by: tuple[str, ...]) -> int:
    """Recompute the folded names of all rows in batches. Return how many were wrong."""
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
    """A JSONField whose values are sent one by one.

    For bulk inserts Django sends one array per column, and quoting JSON inside an array takes
    longer than the rest of the insert. The column is the same as that of a JSONField.
    """

    def get_placeholder(self, value: Any, compiler: Any, connection: Any) -> str:
        """Return the placeholder of a value. Django sends no arrays for fields with this method."""
        return "%s"

    def deconstruct(self) -> Any:
        """Return a JSONField for migrations, since the column is the same."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, options


class Job(models.Model):
    """A job for a worker, which stores its task in ``claimed_by``.

    ``attempts`` is the number of the claim. Every write of the worker is conditional on that claim
    (``core.jobs.claims``).
    """

    attempts = models.PositiveIntegerField(default=0)
    claimed_by = models.CharField(max_length=50, blank=True, default="")
    claimed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class SentRequest(models.Model):
    """A request that was sent with a key, and its answer, which is repeated if it is sent again.

    ``path`` is the address of the request and ``digest`` a hash of its content. ``answer`` is
    encrypted with the installation's key.
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
    """A session and the account that is signed in with it, or None for a visitor
    (``accounts.sessions``)."""

    # No constraint: a request may save its session after its account was deleted.
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, db_constraint=False, related_name="+"
    )

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the store that reads and writes these rows."""
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")


class Scope(models.TextChoices):
    """The rights of a token. Each scope includes those before it."""

    READ = "read", _("Read only")
    LOG = "log", _("Read, and log battles")
    ORGANISE = "organise", _("Everything that the account may do")


class TokenDetails(models.Model):
    """The name, scope and last use of an API token. A token without this row may do everything."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token = models.OneToOneField(AuthToken, models.CASCADE, related_name="details")
    name = models.CharField(max_length=80, blank=True, default="")
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.ORGANISE)
    last_used_at = models.DateTimeField(null=True, blank=True)
    """When the token was last used, to within a minute."""

    def __str__(self) -> str:
        return self.name or self.token.token_key
