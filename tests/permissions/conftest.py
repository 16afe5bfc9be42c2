"""A private club with one of everything. Charlie, a stranger, must not learn that it exists."""

from typing import NamedTuple
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.services.bots import make_bot_token
from audit.models import Change
from audit.services.recording import audit_suppressed
from battles.models import Battle
from campaigns.models import Campaign, Enrolment, HandOver, Method
from campaigns.services.journal import write_entry
from campaigns.services.merging import merge_members
from clubs.models import Club, HistoryImport, Membership, Merge
from clubs.services.check_in import forbid_pair
from clubs.services.clubs import edit_club
from clubs.services.invitations import invite
from clubs.services.members import add_guest
from core.tokens import TokenTerms, create_token
from documents.models import DocumentKind, Language
from documents.services.requesting import request_document
from exchange.models import ArchiveKind, ReceivedPassport, TrustedKey
from exchange.services.exports import request_export
from exchange.services.imports import upload_archive
from exchange.services.passports import issue_warband
from leagues.services.rounds import RoundTerms, make_rounds
from outbox.models import Delivery, DeliveryState, Webhook
from outbox.signing import fresh_webhook_secret
from pictures.models import Picture
from pictures.services.pictures import add_picture
from pictures.subjects import PictureKind
from tests.pages import world
from tests.pages.world import evening_of
from tests.pictures.samples import scene, sent, written
from warbands.models import Fighter, RosterTemplate

SECRET = "Xanadu"
"""A word in every name, which only members of the club may read."""


class PrivateWorld(NamedTuple):
    """The rows of a private club."""

    club: Club
    campaign: Campaign
    battle: Battle
    begun: Battle
    ids: dict[str, str]
    """The values for the brackets of routes: ids by the word before the bracket, others by name.
    """


def _merged(club: Club, organiser: User) -> Merge:
    """Return the merge of a guest player into Bob."""
    guest = add_guest(club_id=club.pk, user=organiser, name=f"Porlock of {SECRET}")
    into = Membership.objects.get(club=club, name="bob").pk
    return merge_members(seat_id=guest.pk, into=into, user=organiser)


def _kept_apart(club: Club, organiser: User) -> UUID:
    """Return the id of a pair that the organiser keeps apart."""
    first, second = club.memberships.order_by("name")[:2]
    return forbid_pair(club_id=club.pk, user=organiser, first_id=first.pk, second_id=second.pk).pk


@pytest.fixture
def private(alice: User, bob: User, charlie: User, dora: User) -> PrivateWorld:
    """Return Alice's private club with Bob and Dora.

    It has a campaign, two warbands, battles, an invitation and a document, all private.
    """
    club = world.club_of(alice, players=[bob], spectators=[dora])
    edit_club(club_id=club.pk, user=alice, name=f"The {SECRET} Club", story=f"Of {SECRET}")
    roll = [
        ("officer", f"Kubla of {SECRET}"),
        ("guard", f"Alph of {SECRET}"),
        ("guard", f"Abora of {SECRET}"),
    ]
    guards = world.warband_of(alice, f"The Guards of {SECRET}", "cardinals-guard", roll)
    haufen = world.warband_of(
        bob, f"The Lances of {SECRET}", "landsknechts", [("landsknecht", f"Bob of {SECRET}")] * 3
    )
    campaign = world.campaign_of(
        club, alice, guards, haufen, name=f"The Road to {SECRET}", story=f"To {SECRET}"
    )
    battle = world.confirmed_battle(
        alice, alice, campaign, guards, haufen, title=f"The Ford of {SECRET}"
    )
    begun = world.begun_battle(alice, campaign, guards, haufen, title=f"Before {SECRET}")
    paired = make_rounds(
        campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN)
    )
    document = request_document(user=alice, kind=DocumentKind.CAMPAIGN, subject=campaign.pk)
    template = RosterTemplate.objects.create(
        owner=alice, name=f"The usual of {SECRET}", ruleset="en-garde", faction="cardinals-guard"
    )
    small = written(scene(8, 6))
    photo: Picture = add_picture(
        user=alice,
        kind=PictureKind.BATTLE,
        subject=begun.pk,
        file=sent(small),
        size=len(small),
        caption=SECRET,
    )
    webhook = Webhook(club=club, name=f"The Bell of {SECRET}")
    webhook.seal(f"https://example.org/{SECRET}", fresh_webhook_secret())
    webhook.save()
    # Without an entry: the activity log has a page of entries already.
    with audit_suppressed():
        bot_token, _ = make_bot_token(club_id=club.pk, user=alice, terms=TokenTerms())
    ids = {
        "webhooks": webhook.pk,
        "deliveries": Delivery.objects.create(
            webhook=webhook,
            change=Change.objects.earliest("entry"),
            state=DeliveryState.SENT,
        ).pk,
        "pictures": photo.pk,
        "templates": template.pk,
        "roster-templates": template.pk,
        "clubs": club.pk,
        "members": Membership.objects.get(club=club, name="bob").pk,
        "merges": _merged(club, alice).pk,
        "invitations": invite(club_id=club.pk, user=alice).invitation.pk,
        "evenings": evening_of(club, alice, place=f"The {SECRET} Arms").pk,
        **dict.fromkeys(("pairs", "forbidden-pairs"), _kept_apart(club, alice)),
        "walk-ins": Membership.objects.get(club=club, name="bob").pk,
        "games": world.game_of(
            campaign, alice, *(Membership.objects.get(club=club, name=n) for n in ("alice", "bob"))
        ).pk,
        "campaigns": campaign.pk,
        "journal": write_entry(
            campaign_id=campaign.pk, user=alice, text=f"In {SECRET} did Kubla"
        ).pk,
        "enrolments": Enrolment.objects.filter(campaign=campaign).earliest("enrolled_at").pk,
        "hand-overs": HandOver.objects.create(
            warband=haufen, giver=bob, receiver=alice, made_by=bob, made_at=timezone.now()
        ).pk,
        "rounds": paired[0].pk,
        "fixtures": paired[0].fixtures.get().pk,
        "warbands": guards.pk,
        "fighters": Fighter.objects.get(warband=guards, place=0).pk,
        "battles": begun.pk,
        "documents": document.pk,
        "keys": TrustedKey.objects.create(
            club=club, fingerprint="0" * 32, public="0" * 64, name=f"The Fellows of {SECRET}"
        ).pk,
        "passports": ReceivedPassport.objects.create(
            user=alice,
            content=issue_warband(warband_id=guards.pk, user=alice),
            name=SECRET,
            fingerprint="0" * 32,
        ).pk,
        "exports": request_export(user=alice, kind=ArchiveKind.CLUB, subject=club.pk).pk,
        "tables": "warbands",
        "imports": upload_archive(
            user=alice,
            file=ContentFile(b"PK"),
            size=2,
            name=f"{SECRET}.zip",
            language=Language.ENGLISH,
        ).pk,
        "tokens": create_token(user=alice, terms=TokenTerms())[0].pk,
        "bot-tokens": bot_token.pk,
        "history-imports": HistoryImport.objects.create(club=club, made_by=alice, number=0).pk,
        "sides": "a",
        "log": "1",
        "rulesets": "en-garde",
        "health": "database",
        "recruit": "cardinals-guard",
        "profile": "officer",
    }
    return PrivateWorld(
        club, campaign, battle, begun, {name: str(key) for name, key in ids.items()}
    )
