"""Players of a campaign get a card for changed rules, with the old and the new values."""

from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from audit.models import AuditEntry
from campaigns.models import Campaign
from campaigns.services.campaigns import edit_campaign
from campaigns.services.house_rules import change_house_rules
from clubs.models import Club
from home.models import Mail
from home.selectors.cards import cards_for
from home.selectors.waiting import number_waiting
from home.services.letters import write_at_once
from home.services.preferences import dismiss, prefer
from home.services.recipients import concerned
from tests.home.conftest import the_card
from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband

SENTENCE = (
    "alice changed the rules. Experience for wounds: Once for each enemy (was: Each wound). "
    "Reason: agreed on Thursday"
)


@pytest.fixture
def campaign(club: Club, alice: User, guards: Warband, haufen: Warband) -> Campaign:
    return world.campaign_of(club, alice, guards, haufen)


def changed(
    campaign: Campaign, user: User, reason: str = "agreed on Thursday", **rules: object
) -> Campaign:
    campaign.refresh_from_db()
    change_house_rules(
        campaign_id=campaign.pk,
        version=campaign.version,
        user=user,
        house_rules=rules,
        reason=reason,
    )
    return campaign


def told(user: User) -> list[str]:
    """Return what the cards of a user say about changed rules."""
    today = timezone.localdate()
    assert number_waiting(user, today) == len(cards_for(user, today))
    return [card.sentence for card in cards_for(user, today) if card.kind == "terms"]


def test_changed_house_rule_card_names_both_values(
    campaign: Campaign, alice: User, bob: User, charlie: User, dora: User, browsers: Clients
) -> None:
    changed(campaign, alice, experience_per_wound="enemy")
    assert told(bob) == [SENTENCE]
    assert told(alice) == told(charlie) == told(dora) == []
    card = the_card(bob, "terms")
    assert (card.title, card.url) == (campaign.name, f"/campaigns/{campaign.pk}/log/")
    assert card.subject == UUID(int=AuditEntry.objects.get(verb="campaign.house-rules-changed").pk)
    html = browsers.bob.get("/").content.decode()
    assert "Once for each enemy (was: Each wound)" in html
    assert "Dismiss" in html
    assert bob in concerned("campaign", campaign.pk)


def test_each_change_is_dismissed_for_itself(campaign: Campaign, alice: User, bob: User) -> None:
    changed(campaign, alice, experience_per_wound="enemy")
    dismiss(user=bob, kind="terms", subject=the_card(bob, "terms").subject)
    assert told(bob) == []
    changed(campaign, alice, "As before.")
    (sentence,) = told(bob)
    assert "Each wound (was: Once for each enemy)" in sentence


def test_changed_scoring_card_lists_each_number(campaign: Campaign, alice: User, bob: User) -> None:
    campaign.refresh_from_db()
    scoring = {"win": 4, "tie_breakers": ["won", "difference"]}
    edit_campaign(
        campaign_id=campaign.pk, version=campaign.version, user=alice, scoring=scoring, games=5
    )
    (sentence,) = told(bob)
    assert "Games: 5 (was: –)" in sentence
    assert "Points for a win: 4 (was: 3)" in sentence
    assert "Tie-breakers: battles won, victory point difference (was: " in sentence
    assert "draw" not in sentence


def test_renamed_campaign_makes_no_card(campaign: Campaign, alice: User, bob: User) -> None:
    campaign.refresh_from_db()
    edit_campaign(
        campaign_id=campaign.pk, version=campaign.version, user=alice, name="Another name"
    )
    assert told(bob) == []


def test_the_letter_names_what_has_changed(campaign: Campaign, alice: User, bob: User) -> None:
    prefer(user=bob, mail=Mail.AT_ONCE)
    write_at_once(user_id=bob.pk)
    mail.outbox.clear()
    changed(campaign, alice, experience_per_wound="enemy")
    assert write_at_once(user_id=bob.pk)
    (letter,) = mail.outbox
    assert SENTENCE in letter.body
    assert not write_at_once(user_id=bob.pk)


def test_chronicle_and_campaign_log_name_the_rule_with_both_values(
    campaign: Campaign, alice: User, haufen: Warband, browsers: Clients
) -> None:
    changed(campaign, alice, experience_per_wound="enemy")
    changed(campaign, alice, "too hard", experience_per_wound="once", legality="warn")
    for address in (f"/warbands/{haufen.pk}/chronicle/", f"/campaigns/{campaign.pk}/log/"):
        html = " ".join(browsers.bob.get(address).content.decode().split())
        assert (
            "Experience for wounds: Once for each enemy (was: Each wound) (agreed on Thursday)"
            in html
        )
        assert "Experience for wounds: " in html
        assert "(was: Once for each enemy)" in html
        assert "(too hard)" in html
        assert html.count("(agreed on Thursday)") == 1
