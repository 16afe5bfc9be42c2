"""Replies to commands in Discord: what is next, standings, odds, as far as the sender may see."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from battles.models import Battle, BattleState, Side, Verdict
from battles.selectors.standings import standings
from campaigns.models import Campaign
from clubs.models import Answer, Club, Evening
from outbox.discord_text import escaped
from outbox.selectors.discord_accounts import can_connect
from rulebook.registry import find_ruleset

MOST_CAMPAIGNS, MOST_ROWS, MOST_BATTLES = 3, 10, 4
"""The limits of a message: Discord allows 2,000 characters and five rows of buttons."""
BUTTON, ROW, SUCCESS, PRIMARY = 2, 1, 3, 1


def next_reply(club: Club, user: User | AnonymousUser) -> dict[str, Any]:
    """Return the next club night and the battles that the user can confirm, with buttons.

    Without a linked account, the reply also says how to link one.
    """
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    evening = next_evening(club, user)
    if evening is None:
        lines.append(gettext("No club night is planned."))
    else:
        lines.append(evening_line(evening))
        label = gettext("Going")
        rows.append(_button(f"going:{evening.pk}:{Answer.COMING}", label, SUCCESS))
    for battle in _to_confirm(club, user):
        name = escaped(battle.title) or gettext("Battle")
        url = _page("battles:battle", battle.pk)
        waiting = gettext("[%(name)s](%(url)s) waits for your confirmation.")
        lines.append(waiting % {"name": name, "url": url})
        label = gettext("Confirm: %(name)s") % {"name": battle.title or gettext("Battle")}
        rows.append(_button(f"confirm:{battle.pk}:{battle.shared_version}", label[:80], PRIMARY))
    if isinstance(user, AnonymousUser):
        lines.append(link_words())
    return _reply(lines, rows)


def standings_reply(club: Club, user: User | AnonymousUser) -> dict[str, Any]:
    """Return the first rows of the standings of running campaigns."""
    lines: list[str] = []
    campaigns = Campaign.objects.visible_to(user).filter(club=club).running().order_by("name")
    for campaign in campaigns[:MOST_CAMPAIGNS]:
        url = _page("leagues:standings", campaign.pk)
        lines.append(f"**[{escaped(campaign.name)}]({url})**")
        lines += [
            f"{row.position}\\. {escaped(row.name)}: {row.points}"
            for row in standings(campaign).rows[:MOST_ROWS]
        ]
    return _reply(lines or [gettext("No running campaign that you can see.")])


def odds_reply(club: Club, user: User | AnonymousUser) -> dict[str, Any]:
    """Return links to the odds of the games that the club's campaigns play."""
    campaigns = Campaign.objects.visible_to(user).filter(club=club).running()
    games = sorted(set(campaigns.order_by().values_list("ruleset", "edition")))
    lines = []
    for ruleset, edition in games:
        rules = find_ruleset(ruleset, edition)
        links = [
            f"[{escaped(str(each.name))}]({_calculator(ruleset, each.key)})"
            for each in rules.calculators.all()
            if each.group == "odds" and each.about == "numbers"
        ]
        if links:
            lines.append(f"{escaped(rules.name)}: {', '.join(links)}")
    return _reply(lines or [gettext("No running campaign that you can see.")])


def next_evening(club: Club, user: User | AnonymousUser) -> Evening | None:
    """Return the next club night that is not cancelled and that the user may see."""
    rows = Evening.objects.visible_to(user).filter(club=club, cancelled_at=None)
    return rows.ahead(timezone.now()).first()


def evening_line(evening: Evening) -> str:
    """Return when and where a club night is; Discord shows the time in each reader's zone."""
    start = int(evening.starts_at.timestamp())
    label = gettext("Club night")
    link = f"[{label}]({_page('home:evening', evening.pk)})"
    return f"{link}: <t:{start}:F> {escaped(evening.place)}".strip()


def link_words() -> str:
    """Return how somebody connects or links their account."""
    page = f"{_site()}{reverse('outbox:discord-account')}"
    if can_connect():
        words = gettext("Connect your account first: choose “Connect Discord” at %(page)s.")
        return words % {"page": page}
    words = gettext("Link your account first: get a code at %(page)s and send it with /link.")
    return words % {"page": page}


def plain_reply(text: str) -> dict[str, Any]:
    """Return a reply with a text that only the sender reads."""
    return _reply([text])


def _to_confirm(club: Club, user: User | AnonymousUser) -> list[Battle]:
    if isinstance(user, AnonymousUser):
        return []
    unsaid = Side.objects.open_for(user).filter(verdict=Verdict.WAITING)
    rows = Battle.objects.filter(
        pk__in=unsaid.values("battle"), state=BattleState.SUBMITTED, campaign__club=club
    )
    return list(rows.order_by("fought_on", "pk")[:MOST_BATTLES])


def _reply(lines: list[str], rows: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "content": "\n".join(lines)[:2000],
        # Only the sender reads it: it shows what only they may see.
        "flags": 64,
        "components": rows or [],
        "allowed_mentions": {"parse": []},
    }


def _button(custom_id: str, label: str, style: int) -> dict[str, Any]:
    button = {"type": BUTTON, "style": style, "label": label, "custom_id": custom_id}
    return {"type": ROW, "components": [button]}


def _page(name: str, key: UUID) -> str:
    return f"{_site()}{reverse(name, args=[key])}"


def _calculator(ruleset: str, key: str) -> str:
    return f"{_site()}{reverse('reference:ask', args=[ruleset, key])}"


def _site() -> str:
    return settings.SITE_URL.rstrip("/")
