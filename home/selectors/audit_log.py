"""The audit of a club as its organisers read it: each act a sentence, what it rested on, and a way
to its subject."""

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
"""The page of a subject, by its kind."""


class AuditPiece(Struct, frozen=True):
    """A piece of a sentence: plain words, or what stands for ``part`` of it ("who", "what", ...),
    with its page."""

    text: str
    part: str = ""
    url: str = ""


class AuditSubject(Struct, frozen=True):
    """What it was done to: its kind, its id, and what it was called then; of a member what they are
    called now."""

    kind: str
    id: UUID | None
    name: str


class AuditArchive(Struct, frozen=True):
    """The archive with which an act came here: ``key`` has signed it, ``origin`` has recorded the
    act, as it says.

    Both are fingerprints of keys; of an installation it is that of the first key. The names are
    those that the club or this installation gave to keys that they trust; empty for others.
    """

    key: str
    name: str
    origin: str
    origin_name: str
    imported_at: datetime
    own: bool
    """Whether this installation has signed it."""

    @property
    def sentence(self) -> str:
        """Where the act comes from, in words."""
        words = {
            "key": self.key,
            "name": self.name,
            "day": date_format(self.imported_at, gettext("j F Y")),
        }
        if self.own:
            sentence = gettext("From an archive of this installation, imported on %(day)s") % words
        elif self.name:
            sentence = gettext("From the archive of %(name)s, imported on %(day)s") % words
        else:
            sentence = (
                gettext("From the archive of the unknown key %(key)s, imported on %(day)s") % words
            )
        if self.key == self.origin or (self.name and self.name == self.origin_name):
            return sentence
        return gettext("%(archive)s; first recorded by %(origin)s") % {
            "archive": sentence, "origin": self.origin_name or self.origin
        }  # fmt: skip


class AuditLine(Struct, frozen=True):
    """One act. ``sentence`` tells it in words, ``facts`` what else is known of it; ``details`` say
    so to machines.

    ``actor`` is the number of the account and ``who`` its name: in the club, else the account's;
    empty for Muster. ``url`` leads to the subject, as long as it is there and the reader may see
    it. ``request`` is the id under which the server's log has the request.
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
    """Of a battle who plays it and when, as many are called alike."""
    archive: AuditArchive | None = None
    """Of an act that came with an archive: which one. Nobody here has seen it done."""

    @property
    def beside(self) -> tuple[str, ...]:
        """What a page tells beside the act: which battle it was, its campaign, unless it speaks of
        that, and any face that is no page."""
        campaign = "" if self.subject.kind == "campaign" else self.campaign_name
        face = "" if self.face == Origin.PAGE else gettext("by %(face)s") % {"face": self.face_name}
        return tuple(each for each in (self.battle, campaign, face) if each)


class AuditQuery(Struct, frozen=True):
    """Which entries: those of an account, of a kind of act, of a campaign, from one day to another
    by the club's clocks, and with this text in the name of what they speak of."""

    actor: int | None = None
    kind: str = ""
    campaign: UUID | None = None
    since: date | None = None
    until: date | None = None
    text: str = ""


class _Known(Struct, frozen=True):
    """What the names and addresses of a page of entries are read from."""

    members: Mapping[UUID, str]
    people: Mapping[int, str]
    campaigns: Mapping[UUID, tuple[str, Mapping[str, HouseRule]]]
    there: Mapping[str, frozenset[UUID]]
    battles: Mapping[UUID, str]
    keys: Mapping[str, str]
    """What keys are called that are trusted here."""
    own_keys: frozenset[str]


def audit_entries(club: Club, audit_filter: AuditQuery = AuditQuery()) -> QuerySet[AuditEntry]:  # noqa: B008 - it is frozen
    """The entries of a club that are wanted, newest first: to be cut into pages and given to
    ``audit_lines``."""
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
    """The acts that are wanted, as this organiser reads them."""
    entries = audit_entries(club, audit_filter)
    return History(entries=entries, read=lambda rows: audit_lines(club, rows, user))


def of_kind(entries: QuerySet[AuditEntry], kind: str) -> QuerySet[AuditEntry]:
    """The entries of a kind of act."""
    return entries.filter(verb__startswith=f"{kind}.")


def about(entries: QuerySet[AuditEntry], text: str) -> QuerySet[AuditEntry]:
    """The entries about something that was called so, in part, or a member who is."""
    members = Membership.objects.filter(club=OuterRef("club"), name__icontains=text).values("pk")
    return entries.filter(
        Q(subject_name__icontains=text) | Q(subject_kind=MEMBER, subject_id__in=members)
    )


def audit_lines(club: Club, entries: Iterable[AuditEntry], user: User) -> tuple[AuditLine, ...]:
    """The entries as this organiser reads them, in their order. Ten queries at most."""
    rows = list(entries)
    lookups = _by_id(club, rows, user)
    return tuple(_line(row, lookups) for row in rows)


def actors_of(club: Club) -> list[tuple[int, str]]:
    """Whoever has done something in the club, by number and name, those called first in front.
    Three queries."""
    numbers = (
        AuditEntry.objects.filter(club=club.pk, actor__isnull=False)
        .order_by()
        .values_list("actor", flat=True)
    )
    people = _people(Membership.objects.filter(club=club), numbers.distinct())
    return sorted(people.items(), key=lambda each: each[1].casefold())


def kept_since(club: Club) -> datetime:
    """Since when this installation keeps the audit of the club. One query."""
    applied = MigrationRecorder.Migration.objects.filter(app="audit", name="0001_initial")
    begun: datetime | None = applied.values_list("applied", flat=True).first()
    return max(begun, club.created_at) if begun else club.created_at


def kind_names() -> list[tuple[str, str]]:
    """The kinds of acts with what people call them."""
    return [(kind, str(name)) for kind, name in KINDS.items()]


def _by_id(club: Club, rows: list[AuditEntry], user: User) -> _Known:
    members = Membership.objects.filter(club=club)
    numbers = {
        number for row in rows for number in (row.actor_id, row.person_id) if number is not None
    }
    # An entry of an archive may name whatever it likes: nothing of others is told by its id.
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
    """The names of trusted keys, those of the club's first, and the keys of this installation that
    have signed or recorded. Two queries, none where no row came with an archive."""
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
    """What tells battles apart that are called alike: who plays, and when. One query, none without
    battles."""
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
    """The names of accounts: in the club, else the account's. Two queries."""
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
    names = {**dict.fromkeys(lookups.own_keys, gettext("this installation")), **lookups.keys}
    return AuditArchive(
        key=row.brought_by,
        name=names.get(row.brought_by, ""),
        origin=row.origin,
        origin_name=names.get(row.origin, ""),
        imported_at=row.imported_at,
        own=row.brought_by in lookups.own_keys,
    )


def _pieces(row: AuditEntry, lookups: _Known) -> Iterable[AuditPiece]:
    """The sentence of the act, cut at its placeholders. A verb of a later version is told by its
    code."""
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
    shown = page and row.subject_id in lookups.there.get(row.subject_kind, ())
    return reverse(page, args=[row.subject_id]) if page and shown else ""


def _name(number: int, lookups: _Known) -> str:
    return lookups.people.get(number) or gettext("somebody whose account is gone")


def _subject_name(row: AuditEntry, lookups: _Known) -> str:
    """What the subject was called then; of a member what they are called now."""
    if row.subject_kind == "evening":
        return date_format(date.fromisoformat(row.subject_name), gettext("j F Y"))
    if row.subject_kind != MEMBER:
        return row.subject_name
    now = lookups.members.get(row.subject_id) if row.subject_id else None
    if now is None and row.person_id is not None:
        return _name(row.person_id, lookups)
    return now or row.subject_name or gettext("a former member")
