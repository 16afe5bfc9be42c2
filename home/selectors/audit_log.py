"""The activity log of a club for its organisers: each act with a sentence, details and a link."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext
from msgspec import Struct

from audit.models import AuditEntry
from audit.origin import Origin
from audit.verbs import KINDS, Verb
from battles.models import Battle, Side
from campaigns.models import Campaign
from campaigns.selectors.audit_details import facts_of
from clubs.models import Club, Evening, Membership
from core.display_names import longer_name
from core.history import History, days_between, narrow
from exchange.models import SigningKey, TrustedKey
from rulebook.registry import find_ruleset
from rulebook.ruleset import HouseRule
from rulebook.values.described import closed
from warbands.models import Warband

MEMBER = "membership"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
PAGES = {
    "battle": "battles:battle",
    "campaign": "leagues:campaign",
    "club": "home:club",
    "evening": "home:evening",
    MEMBER: "clubs:member",
    "warband": "warbands:warband",
}
"""The URL name of the page of a subject, by its kind."""


class AuditPiece(Struct, frozen=True):
    """A piece of a sentence: plain text, or the value of a ``part`` with its link.

    Parts are "who", "what" and others.
    """

    text: str
    part: str = ""
    url: str = ""


class AuditSubject(Struct, frozen=True):
    """The subject of an act: its kind, its id, and its name at that time.

    A member has their current name instead.
    """

    kind: str
    id: UUID | None
    name: str


class AuditArchive(Struct, frozen=True):
    """The archive that an act was imported with.

    ``key`` has signed the archive, and ``origin`` has recorded the act, according to the archive.
    Both are fingerprints of keys; ``origin`` is that of the first key of an installation. The
    names are those that the club or this installation gave to keys that they trust; empty for
    other keys.
    """

    key: str
    name: str
    origin: str
    origin_name: str
    imported_at: datetime
    own: bool
    """True if this installation has signed it."""

    @property
    def sentence(self) -> str:
        """The origin of the act, as a sentence."""
        words = {
            "key": self.key,
            "name": self.name,
            "day": date_format(self.imported_at, gettext("j F Y")),
        }
        if self.own:
            sentence = gettext("Imported on %(day)s from an export of this site") % words
        elif self.name:
            sentence = gettext("Imported on %(day)s from an export of %(name)s") % words
        else:
            sentence = (
                gettext("Imported on %(day)s from an export signed with unknown key %(key)s")
                % words
            )
        if self.key == self.origin or (self.name and self.name == self.origin_name):
            return sentence
        return gettext("%(archive)s; first recorded by %(origin)s") % {
            "archive": sentence, "origin": self.origin_name or self.origin
        }  # fmt: skip


class AuditLine(Struct, frozen=True):
    """An act: ``sentence`` describes it, ``facts`` and ``details`` give details.

    ``facts`` are text and ``details`` data. ``actor`` is the id of the account, and ``who`` the
    name in the club, or else that of the account; empty for Muster. ``url`` leads to the subject
    if it exists and the reader may see it. ``request`` is the request's id in the server's log.
    """

    id: int
    at: datetime
    verb: Annotated[str, closed("Verb", Verb)]
    kind: Annotated[str, closed("VerbKind", dict.fromkeys(verb.partition(".")[0] for verb in Verb))]
    sentence: str
    pieces: tuple[AuditPiece, ...]
    facts: tuple[str, ...]
    actor: int | None
    who: str
    subject: AuditSubject
    url: str
    campaign: UUID | None
    campaign_name: str
    details: dict[str, Any]
    face: Annotated[str, closed("Face", Origin)]
    face_name: str
    request: str
    battle: str = ""
    """For a battle, who played it and when, as many battles have the same name."""
    archive: AuditArchive | None = None
    """For an imported act, its archive. Nobody on this installation has observed the act."""

    @property
    def context(self) -> tuple[str, ...]:
        """The texts that a page shows next to the act: its battle, campaign, and how it was made.

        The campaign is left out if it is the subject, and an act made on a page is not marked.
        """
        campaign = "" if self.subject.kind == "campaign" else self.campaign_name
        face = "" if self.face == Origin.PAGE else gettext("by %(face)s") % {"face": self.face_name}
        return tuple(each for each in (self.battle, campaign, face) if each)


class AuditQuery(Struct, frozen=True):
    """A filter of entries, by the fields that are set.

    The fields are account, kind of act, campaign, first and last day in the club's time zone, and
    a text in the name of the subject.
    """

    actor: int | None = None
    kind: str = ""
    campaign: UUID | None = None
    since: date | None = None
    until: date | None = None
    text: str = ""


class _Known(Struct, frozen=True):
    """The lookups for the names and links of a page of entries."""

    members: Mapping[UUID, str]
    people: Mapping[int, str]
    campaigns: Mapping[UUID, tuple[str, Mapping[str, HouseRule]]]
    existing: Mapping[str, frozenset[UUID]]
    battles: Mapping[UUID, str]
    keys: Mapping[str, str]
    """Names of trusted keys by fingerprint."""
    own_keys: frozenset[str]


def audit_entries(club: Club, audit_filter: AuditQuery = AuditQuery()) -> QuerySet[AuditEntry]:  # noqa: B008 - it is frozen
    """Return the filtered entries of a club, newest first.

    Paginate them, and pass a page to ``audit_lines``.
    """
    entries = narrow(
        AuditEntry.objects.filter(club=club.pk),
        actor=audit_filter.actor,
        campaign=audit_filter.campaign,
        **days_between("at", audit_filter.since, audit_filter.until, club.zone),
    )
    if audit_filter.kind:
        entries = of_kind(entries, audit_filter.kind)
    if audit_filter.text:
        entries = about(entries, audit_filter.text)
    return entries.order_by("-at", "-id")


def audit_history(
    club: Club,
    user: User,
    audit_filter: AuditQuery = AuditQuery(),  # noqa: B008
) -> History[AuditLine]:
    """Return the filtered acts as this organiser sees them."""
    entries = audit_entries(club, audit_filter)
    return History(entries=entries, read=lambda rows: audit_lines(club, rows, user))


def of_kind(entries: QuerySet[AuditEntry], kind: str) -> QuerySet[AuditEntry]:
    """Return the entries of a kind of act."""
    return entries.filter(verb__startswith=f"{kind}.")


def about(entries: QuerySet[AuditEntry], text: str) -> QuerySet[AuditEntry]:
    """Return the entries whose subject had this text in its name, or is a member who has it now."""
    members = Membership.objects.filter(club=OuterRef("club"), name__icontains=text).values("pk")
    return entries.filter(
        Q(subject_name__icontains=text) | Q(subject_kind=MEMBER, subject_id__in=members)
    )


def audit_lines(club: Club, entries: Iterable[AuditEntry], user: User) -> tuple[AuditLine, ...]:
    """Return the entries as this organiser sees them, in the same order. Ten queries at most."""
    rows = list(entries)
    lookups = _by_id(club, rows, user)
    return tuple(_line(row, lookups) for row in rows)


def actors_of(club: Club) -> list[tuple[int, str]]:
    """Return the id and name of every user who has acted in the club, sorted by name.

    Three queries.
    """
    numbers = (
        AuditEntry.objects.filter(club=club.pk, actor__isnull=False)
        .order_by()
        .values_list("actor", flat=True)
    )
    people = _people(Membership.objects.filter(club=club), numbers.distinct())
    return sorted(people.items(), key=lambda each: each[1].casefold())


def kept_since(club: Club) -> datetime:
    """Return since when this installation records the activity log of the club. One query."""
    applied = MigrationRecorder.Migration.objects.filter(app="audit", name="0001_initial")
    begun: datetime | None = applied.values_list("applied", flat=True).first()
    return max(begun, club.created_at) if begun else club.created_at


def kind_names() -> list[tuple[str, str]]:
    """Return the kinds of acts with their user-facing names."""
    return [(kind, str(name)) for kind, name in KINDS.items()]


def _by_id(club: Club, rows: list[AuditEntry], user: User) -> _Known:
    members = Membership.objects.filter(club=club)
    numbers = {
        number for row in rows for number in (row.actor_id, row.person_id) if number is not None
    }
    # An imported entry may name any id: show no data of other clubs for it.
    campaigns = Campaign.objects.filter(club=club, pk__in={row.campaign for row in rows})
    campaign_rows = campaigns.values_list("pk", "name", "ruleset", "edition")
    seen = {
        "battle": Battle.objects.visible_to(user),
        "warband": Warband.objects.visible_to(user),
        "evening": Evening.objects.visible_to(user),
    }
    existing = {kind: _still_there(queryset, kind, rows) for kind, queryset in seen.items()}
    called = dict(members.values_list("pk", "name"))
    named = {
        pk: (name, _house_rules(ruleset, edition)) for pk, name, ruleset, edition in campaign_rows
    }
    existing |= {
        MEMBER: frozenset(called),
        "campaign": frozenset(named),
        "club": frozenset({club.pk}),
    }
    keys, own_keys = _keys(club, rows)
    return _Known(
        called,
        _people(members, numbers),
        named,
        existing,
        _battles(existing["battle"]),
        keys,
        own_keys,
    )


def _keys(club: Club, rows: list[AuditEntry]) -> tuple[dict[str, str], frozenset[str]]:
    """Return the names of trusted keys, and which of the keys are this installation's own.

    A name given by the club takes precedence. Two queries, or none if no entry was imported.
    """
    fingerprints = {key for row in rows for key in (row.origin, row.brought_by) if key is not None}
    if not fingerprints:
        return {}, frozenset()
    trusted = TrustedKey.objects.in_force().filter(
        Q(club=club) | Q(club__isnull=True), fingerprint__in=fingerprints
    )
    names = dict(
        trusted.order_by(F("club").asc(nulls_first=True)).values_list("fingerprint", "name")
    )
    own_keys = SigningKey.objects.filter(fingerprint__in=fingerprints).values_list(
        "fingerprint", flat=True
    )
    return names, frozenset(own_keys)


def _battles(battle_ids: frozenset[UUID]) -> dict[UUID, str]:
    """Return who played each battle and when, as battles may have the same name.

    One query, or none without battles.
    """
    warbands_of: dict[UUID, list[str]] = {}
    days: dict[UUID, date] = {}
    if battle_ids:
        sides = Side.objects.filter(battle__in=battle_ids).order_by("battle", "place")
        for battle, day, warband in sides.values_list(
            "battle", "battle__fought_on", "warband__name"
        ):
            warbands_of.setdefault(battle, []).append(warband)
            days[battle] = day
    versus = gettext(" v. ")
    return {
        key: f"{versus.join(names)}, {date_format(days[key], gettext('j F Y'))}"
        for key, names in warbands_of.items()
    }


def _still_there(queryset: QuerySet[Any], kind: str, rows: list[AuditEntry]) -> frozenset[UUID]:
    ids = {row.subject_id for row in rows if row.subject_kind == kind}
    return (
        frozenset(queryset.filter(pk__in=ids).values_list("pk", flat=True)) if ids else frozenset()
    )


def _people(members: QuerySet[Membership], numbers: Iterable[int]) -> dict[int, str]:
    """Return the names of accounts: in the club, or else that of the account. Two queries."""
    user_ids = list(numbers)
    accounts = {user.pk: longer_name(user) for user in User.objects.filter(pk__in=user_ids)}
    return accounts | dict(members.filter(user__in=user_ids).values_list("user_id", "name"))


def _house_rules(ruleset: str, edition: str) -> dict[str, HouseRule]:
    return {rule.key: rule for rule in find_ruleset(ruleset, edition).house_rules()}


def _line(row: AuditEntry, lookups: _Known) -> AuditLine:
    campaign_name, rules = (
        lookups.campaigns.get(row.campaign, ("", {})) if row.campaign else ("", {})
    )
    pieces = tuple(_pieces(row, lookups))
    return AuditLine(
        id=row.pk,
        at=row.at,
        verb=row.verb,
        kind=row.verb.partition(".")[0],
        sentence="".join(piece.text for piece in pieces),
        pieces=pieces,
        facts=facts_of(row.details, rules),
        actor=row.actor_id,
        who="" if row.actor_id is None else _name(row.actor_id, lookups),
        subject=AuditSubject(row.subject_kind, row.subject_id, _subject_name(row, lookups)),
        url=_url(row, lookups),
        campaign=row.campaign,
        campaign_name=campaign_name,
        details=row.details,
        face=row.face,
        face_name=str(Origin(row.face).label),
        request=row.request,
        battle=lookups.battles.get(row.subject_id, "")
        if row.subject_kind == "battle" and row.subject_id
        else "",
        archive=_archive(row, lookups),
    )


def _archive(row: AuditEntry, lookups: _Known) -> AuditArchive | None:
    if row.origin is None or row.brought_by is None or row.imported_at is None:
        return None
    names = {**dict.fromkeys(lookups.own_keys, gettext("this site")), **lookups.keys}
    return AuditArchive(
        key=row.brought_by,
        name=names.get(row.brought_by, ""),
        origin=row.origin,
        origin_name=names.get(row.origin, ""),
        imported_at=row.imported_at,
        own=row.brought_by in lookups.own_keys,
    )


def _pieces(row: AuditEntry, lookups: _Known) -> Iterable[AuditPiece]:
    """Yield the sentence of the act, split at its placeholders.

    A verb that this version does not know is shown as its code.
    """
    label = (
        str(Verb(row.verb).label) if row.verb in Verb.values else f"%(who)s: {row.verb}, %(what)s"
    )
    words = {
        "who": "Muster" if row.actor_id is None else _name(row.actor_id, lookups),
        "what": _subject_name(row, lookups),
        "person": "" if row.person_id is None else _name(row.person_id, lookups),
    }
    for place, text in enumerate(PLACEHOLDER.split(label)):
        if place % 2:
            yield AuditPiece(
                words.get(text) or str(row.details.get(text, "…")),
                text,
                _url_in(text, row, lookups),
            )
        elif text:
            yield AuditPiece(text)


def _url_in(part: str, row: AuditEntry, lookups: _Known) -> str:
    return _url(row, lookups) if part == "what" else ""


def _url(row: AuditEntry, lookups: _Known) -> str:
    page = PAGES.get(row.subject_kind)
    shown = page and row.subject_id in lookups.existing.get(row.subject_kind, ())
    return reverse(page, args=[row.subject_id]) if page and shown else ""


def _name(number: int, lookups: _Known) -> str:
    return lookups.people.get(number) or gettext("someone who deleted their account")


def _subject_name(row: AuditEntry, lookups: _Known) -> str:
    """Return the subject's name at the time of the act; for a member, their current name."""
    if row.subject_kind == "evening":
        return date_format(date.fromisoformat(row.subject_name), gettext("j F Y"))
    if row.subject_kind != MEMBER:
        return row.subject_name
    now = lookups.members.get(row.subject_id) if row.subject_id else None
    if now is None and row.person_id is not None:
        return _name(row.person_id, lookups)
    return now or row.subject_name or gettext("former member")
