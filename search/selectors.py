"""Search results by kind. Each kind checks who may see its rows at the time of the search."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from typing import Annotated, Any, Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.core.paginator import Page, Paginator
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Value,
    When,
    Window,
)
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy
from msgspec import Struct

from battles.models import Battle, Side
from battles.selectors.battle_rows import name_of
from campaigns.models import Campaign, Enrolment
from clubs.models import Club
from core.compiled_queries import CompiledQuery
from core.display_names import display_name, former_accounts
from core.queries import ids_of_any
from core.search_text import words_of
from core.users import Visibility
from rulebook.registry import system_name
from rulebook.values.described import closed
from search.rulebook_index import RulesEntry, matching_entries, scenario_names, snippet
from warbands.models import Fighter, Warband
from warbands.rulebook_values import faction_name

Asker = User | AnonymousUser

LONGEST_QUERY: Final = 100
SHORTEST: Final = 2
"""The fewest letters of a query: a single one would match nearly everything."""
AT_FIRST: Final = 5
"""The number of results of each kind on the first page."""
MAX_SUGGESTED: Final = 3
PAGE: Final = 25
ANY_WORDS: Final = tuple(f"anyword{place}qzx" for place in range(8))
"""The placeholders for the words of a query in statements that are built once."""
ANY_WORD: Final = re.compile(r"anyword(\d)qzx")


class Hit(Struct, frozen=True):
    """A search result: its name, a detail that distinguishes it, and its URL.

    ``id`` is "" for an entry of a rule system. ``state`` is that of a battle or campaign, or the
    fate of a fighter.
    """

    kind: Annotated[
        str, closed("SearchKind", ("warband", "fighter", "battle", "campaign", "club", "rule"))
    ]
    id: str
    name: str
    detail: str
    ruleset: str
    state: str
    url: str


class SearchResultGroup(Struct, frozen=True):
    """The results of one kind: their total number, and those that are shown."""

    kind: Annotated[
        str, closed("SearchKind", ("warband", "fighter", "battle", "campaign", "club", "rule"))
    ]
    label: str
    count: int
    hits: tuple[Hit, ...]

    @property
    def more(self) -> bool:
        """True if there are more results than shown."""
        return self.count > len(self.hits)


class SearchResults(Struct, frozen=True):
    """All results. ``words`` are the normalised words of the query, empty if it is too short."""

    query: str
    words: tuple[str, ...]
    count: int
    groups: tuple[SearchResultGroup, ...]


class SearchKind(Struct, frozen=True):
    """A kind of result: functions to find its rows in order, and to show one."""

    label: Any
    find: Callable[[Asker, tuple[str, ...]], Any]
    show: Callable[[Any, tuple[str, ...]], Hit]


def clean_query(query: str) -> str:
    """Return a query on one line, cut to its maximum length."""
    return " ".join(query.replace("\0", " ").split())[:LONGEST_QUERY].strip()


def search(user: Asker, query: str) -> SearchResults:
    """Return the first results of each kind, and how many there are.

    One query for each kind of row, two for battles.
    """
    return _found(user, query, _group)


def suggest(user: Asker, query: str) -> SearchResults:
    """Return the best few results of each kind, without counting the others.

    One query for each kind of row, two for battles.
    """
    return _found(user, query, _few)


def page_of(user: Asker, key: str, query: str, number: str) -> tuple[SearchResults, "Page[Any]"]:
    """Return the results of one kind, and the page of them that is nearest to ``number``.

    Two queries, three for battles.
    """
    words = _wanted(query)
    kind = KINDS[key]
    page = Paginator(kind.find(user, words) if words else (), PAGE).get_page(number)
    hits = tuple(kind.show(row, words) for row in page.object_list)
    count = page.paginator.count
    return SearchResults(
        query,
        words,
        count,
        (SearchResultGroup(key, str(kind.label), count, hits),) if count else (),
    ), page


def _found(
    user: Asker, query: str, group_of: Callable[[str, Asker, tuple[str, ...]], SearchResultGroup]
) -> SearchResults:
    """Return the groups of all kinds, without empty ones."""
    words = _wanted(query)
    groups = [group_of(key, user, words) for key in KINDS] if words else []
    non_empty = tuple(group for group in groups if group.count)
    return SearchResults(query, words, sum(group.count for group in non_empty), non_empty)


def _wanted(query: str) -> tuple[str, ...]:
    words = words_of(query)
    return words if sum(map(len, words)) >= SHORTEST else ()


def _group(key: str, user: Asker, words: tuple[str, ...]) -> SearchResultGroup:
    kind = KINDS[key]
    first: Sequence[Any]
    if kind.find is _entries:
        entries = matching_entries(words)
        first, count = entries[:AT_FIRST], len(entries)
    else:
        first = _first_rows(key, user, words, AT_FIRST, counts=True)
        count = first[0].found if first else 0
    return SearchResultGroup(
        key, str(kind.label), count, tuple(kind.show(row, words) for row in first)
    )


def _few(key: str, user: Asker, words: tuple[str, ...]) -> SearchResultGroup:
    kind = KINDS[key]
    first: Sequence[Any]
    if kind.find is _entries:
        first = matching_entries(words)[:MAX_SUGGESTED]
    else:
        first = _first_rows(key, user, words, MAX_SUGGESTED, counts=False)
    shown = tuple(kind.show(row, words) for row in first)
    return SearchResultGroup(key, str(kind.label), len(shown), shown)


def _first_rows(
    key: str, user: Asker, words: tuple[str, ...], most: int, *, counts: bool
) -> list[Any]:
    """Return the first rows of a kind, each with the number of all if it ``counts`` them."""
    if key == "battle" and any(scenario_names(words).values()):
        # This statement lists the scenarios, so it is another one for each query.
        return list(_limited(KINDS[key].find(user, words), most, counts))
    statement = _statement(key, len(words), most, counts)
    return statement.rows("", user, lambda text: ANY_WORD.sub(lambda no: words[int(no[1])], text))


@cache
def _statement(key: str, number: int, most: int, counts: bool) -> CompiledQuery[Any]:
    """Return the statement for queries with this number of words.

    Building it takes three times as long as running it.
    """

    def build(_: UUID, user: Any) -> Any:
        return _limited(KINDS[key].find(user, ANY_WORDS[:number]), most, counts)

    return CompiledQuery(build)


def _limited(rows: Any, most: int, counts: bool) -> Any:
    return (rows.annotate(found=Window(Count("pk"))) if counts else rows)[:most]


def _ranked(rows: Any, words: tuple[str, ...]) -> Any:
    """Annotate rows with ``likeness``, from 0 for the best to 3.

    0: the name is the query or continues it with another word; 1: the name begins with the query;
    2: the name begins with the first word; 3: any other match.
    """
    whole = " ".join(words)
    likeness = Case(
        When(Q(folded=whole) | Q(folded__startswith=f"{whole} "), then=Value(0)),
        When(folded__startswith=whole, then=Value(1)),
        When(folded__startswith=words[0], then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
    return rows.annotate(likeness=likeness)


def _known_or_public(known_rows: Any, public_rows: Any) -> Any:
    """Return the rows of both querysets.

    They are separate because a single condition would read the whole installation. The rows that a
    user knows are few: each is checked for the words. The public rows may be many: the words are
    looked up in the indexes, and the matches are checked for being public.
    """
    return known_rows.model.objects.filter(pk__in=ids_of_any(known_rows, public_rows))


def _warbands(user: Asker, words: tuple[str, ...]) -> Any:
    """Return warbands by name, by player, and by owner.

    The player counts in campaigns that the user sees; the owner is found by account name.
    """
    seen = Exists(Campaign.objects.visible_to(user).filter(pk=OuterRef("campaign")))
    seats = Enrolment.objects.filter(seen)
    known_rows, public_rows = Warband.objects.known_to(user), Warband.objects.public()
    for word in words:
        named, played = Q(folded__has_words=word), seats.filter(player__folded__has_words=word)
        owners = (
            User.objects.filter(username__istartswith=word),
            former_accounts().filter(first_name__istartswith=word),
        )
        owned = [Q(Exists(accounts.filter(pk=OuterRef("owner")))) for accounts in owners]
        known_rows = known_rows.filter(
            named | Exists(played.filter(warband=OuterRef("pk"))) | owned[0] | owned[1]
        )
        owned_by_them = (Warband.objects.filter(owner__in=accounts) for accounts in owners)
        ids = ids_of_any(Warband.objects.filter(named), played.values("warband"), *owned_by_them)
        public_rows = public_rows.filter(pk__in=ids)
    rows = _known_or_public(known_rows, public_rows)
    player = (
        seats.filter(warband=OuterRef("pk"))
        .order_by(F("left_at").desc(nulls_first=True))
        .values("player__name")
    )
    ranked = _ranked(rows.annotate(player=Subquery(player[:1])), words)
    ranked = ranked.order_by(
        "likeness", F("archived_at").asc(nulls_first=True), "name", "pk"
    ).select_related("owner")
    own_columns = ("name", "ruleset", "edition", "faction", "archived_at")
    return ranked.only(*own_columns, "owner__username", "owner__first_name")


def _warband_hit(row: Any, words: tuple[str, ...]) -> Hit:
    return Hit(
        kind="warband",
        id=str(row.pk),
        name=row.name,
        detail=_joined(
            row.player or display_name(row.owner), faction_name(row), system_name(row.ruleset)
        ),
        ruleset=row.ruleset,
        state="archived" if row.archived_at else "",
        url=reverse("warbands:warband", args=[row.pk]),
    )


def _fighters(user: Asker, words: tuple[str, ...]) -> Any:
    fighters = Fighter.objects.filter(folded__has_words=" ".join(words))
    known_rows = Fighter.objects.filter(
        warband__in=Warband.objects.known_to(user), folded__has_words=" ".join(words)
    )
    rows = _known_or_public(known_rows, fighters.filter(warband__visibility=Visibility.PUBLIC))
    ranked = _ranked(rows, words).order_by("likeness", "name", "pk").select_related("warband")
    return ranked.only(
        "name", "profile_name", "fate", "warband__name", "warband__ruleset", "warband__edition"
    )


def _fighter_hit(row: Fighter, words: tuple[str, ...]) -> Hit:
    return Hit(
        kind="fighter",
        id=str(row.pk),
        name=row.name or row.profile_name,
        detail=_joined(row.profile_name if row.name else "", row.warband.name),
        ruleset=row.warband.ruleset,
        state="" if row.fate == "fit" else row.fate,
        url=reverse("warbands:fighter", args=[row.pk]),
    )


def _battles(user: Asker, words: tuple[str, ...]) -> Any:
    """Return battles by title, scenario, warbands and campaign.

    The campaign's name alone does not make each of its battles a result.
    """
    scenarios = scenario_names(words)
    known_rows, public_rows = Battle.objects.known_to(user), Battle.objects.public()
    known_by_own: Any = Q(pk__in=[])
    public_by_own: list[Any] = []
    for word in words:
        named, campaigns = (
            Q(folded__has_words=word),
            Campaign.objects.filter(folded__has_words=word),
        )
        for ruleset, scenario in scenarios[word]:
            named |= Q(ruleset=ruleset, scenario=scenario)
        sides = Side.objects.filter(warband__folded__has_words=word)
        own_match = named | Exists(sides.filter(battle=OuterRef("pk")))
        known_by_own |= own_match
        known_rows = known_rows.filter(
            own_match | Exists(campaigns.filter(pk=OuterRef("campaign")))
        )
        # Each list has public battles only, so that the database can begin with the public ones or
        # with the matches, whichever are fewer.
        public_sides = sides.filter(battle__campaign__in=Campaign.objects.public())
        ids = [Battle.objects.public().filter(named), public_sides.values("battle")]
        public_by_own += ids
        of_campaigns = Battle.objects.filter(campaign__in=campaigns.public())
        public_rows = public_rows.filter(pk__in=ids_of_any(*ids, of_campaigns))
    rows = _known_or_public(
        known_rows.filter(known_by_own), public_rows.filter(pk__in=ids_of_any(*public_by_own))
    )
    by_place = Side.objects.select_related("warband").order_by("place")
    shown = Prefetch("sides", by_place.only("battle", "warband__name"))
    ranked = _ranked(rows, words).order_by("likeness", "-fought_on", "-created_at", "pk")
    return (
        ranked.select_related("campaign")
        .prefetch_related(shown)
        .only("title", "ruleset", "edition", "scenario", "fought_on", "state", "campaign__name")
    )


def _battle_hit(row: Battle, words: tuple[str, ...]) -> Hit:
    day: date = row.fought_on
    return Hit(
        kind="battle",
        id=str(row.pk),
        name=name_of(row),
        detail=_joined(
            " – ".join(side.warband.name for side in row.sides.all()),
            date_format(day, gettext("j F Y")),
            row.campaign.name if row.campaign else "",
        ),
        ruleset=row.ruleset,
        state=row.state,
        url=reverse("battles:battle", args=[row.pk]),
    )


def _campaigns(user: Asker, words: tuple[str, ...]) -> Any:
    named = {"folded__has_words": " ".join(words)}
    rows = _known_or_public(
        Campaign.objects.known_to(user).filter(**named), Campaign.objects.public().filter(**named)
    )
    ranked = _ranked(rows, words).order_by("likeness", "-created_at", "pk").select_related("club")
    return ranked.only("name", "ruleset", "state", "club__name")


def _campaign_hit(row: Campaign, words: tuple[str, ...]) -> Hit:
    return Hit(
        kind="campaign",
        id=str(row.pk),
        name=row.name,
        detail=_joined(row.club.name, system_name(row.ruleset)),
        ruleset=row.ruleset,
        state=row.state,
        url=reverse("leagues:campaign", args=[row.pk]),
    )


def _clubs(user: Asker, words: tuple[str, ...]) -> Any:
    named = {"folded__has_words": " ".join(words)}
    rows = _known_or_public(
        Club.objects.known_to(user).filter(**named), Club.objects.public().filter(**named)
    )
    return _ranked(rows, words).order_by("likeness", "name", "pk").only("name", "story")


def _club_hit(row: Club, words: tuple[str, ...]) -> Hit:
    where = reverse("home:club", args=[row.pk])
    return Hit("club", str(row.pk), row.name, snippet(row.story, words), "", "", where)


def _rules_hit(entry: RulesEntry, words: tuple[str, ...]) -> Hit:
    context = _joined(entry.system, entry.section, snippet(entry.says, words))
    return Hit("rule", "", entry.name, context, entry.ruleset, "", entry.url)


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _entries(user: Asker, words: tuple[str, ...]) -> Sequence[RulesEntry]:
    return matching_entries(words)


KINDS: Final[dict[str, SearchKind]] = {
    "warband": SearchKind(gettext_lazy("Warbands"), _warbands, _warband_hit),
    "fighter": SearchKind(gettext_lazy("Fighters"), _fighters, _fighter_hit),
    "battle": SearchKind(gettext_lazy("Battles"), _battles, _battle_hit),
    "campaign": SearchKind(gettext_lazy("Campaigns"), _campaigns, _campaign_hit),
    "club": SearchKind(gettext_lazy("Clubs"), _clubs, _club_hit),
    "rule": SearchKind(gettext_lazy("Rules"), _entries, _rules_hit),
}
"""The kinds of results in the order in which they are shown."""
