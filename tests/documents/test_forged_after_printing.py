"""Somebody with the database and the installation's key can forge without a trace in either. A
print reveals it."""

import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from battles.models import Battle
from campaigns.models import Campaign
from documents.models import DocumentKind
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import text
from tests.documents.test_heads_in_print import told
from tests.warbands.test_check_chronicle import behind_its_back
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import seal_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def forge(warband: Warband) -> None:
    """Change a name in an old fact, and forge all later seals, projections and signatures."""
    entries = list(ChronicleEntry.objects.filter(warband=warband).order_by("sequence"))
    joined = next(entry for entry in entries if entry.kind == "recruited")
    joined.payload["recruits"][0]["name"] = "Milord"
    seal = entries[0].previous_seal
    with behind_its_back():
        for entry in entries:
            entry.previous_seal, seal = seal, seal_of(entry, seal)
            entry.seal = seal
            entry.save()
    Warband.objects.filter(pk=warband.pk).update(head_seal=seal)
    call_command("sign_chronicles", stdout=StringIO())
    call_command("rebuild_projections", stdout=StringIO())


@pytest.mark.soak("kinds of tampering, each found and named", each=1, sample=1)
def test_a_forgery_with_the_installations_own_key_is_found_out_by_a_printed_summary(
    campaign: Campaign, battle: Battle, reds: Warband, alice: User
) -> None:
    paper = text(made(ask(alice, DocumentKind.CAMPAIGN, campaign.pk)).file.read())
    heads = re.findall(r"(\d+)\s+((?:[0-9a-f]{5} ?){4})", paper)
    printed = [word for sequence, seal in heads for word in ("--printed", sequence, seal.strip())]
    assert told(str(campaign.pk), *printed).count("is in the chronicle of") == 2
    forge(reds)
    call_command("check_chronicle", stdout=StringIO())
    with pytest.raises(CommandError, match="1 of 2 not found"):
        told(str(campaign.pk), *printed)
