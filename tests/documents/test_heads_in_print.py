"""A printed campaign ends with the heads of its chronicles, and so an old print proves a later
forgery."""

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from battles.models import Battle, BattleEvent
from battles.selectors.log_heads import LogsHead
from battles.services.corrections import Correction, correct_battle
from battles.services.verification import seal_anew, sign_battles
from campaigns.models import Campaign
from documents.content.campaigns import campaign_content
from documents.content.print_jobs import plans
from documents.printing import markup
from tests.battles.field import confirmed, struck
from tests.warbands.test_check_chronicle import behind_its_back
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import seal_of
from warbands.services.verification import sign_chronicles

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("chain_heads", *arguments, stdout=out)
    return out.getvalue()


def test_an_old_print_proves_a_forgery_that_has_all_keys(
    campaign: Campaign, battle: Battle, reds: Warband
) -> None:
    printed = campaign_content(Campaign.objects.select_related("club").get(pk=campaign.pk))
    reds.refresh_from_db()
    mine = next(head for head in printed.heads if head.name == reds.name)
    assert (mine.sequence, mine.seal.replace(" ", "")) == (reds.sequence, reds.head_seal[:20])
    ending = markup(plans(printed)[-1])
    assert all(head.seal in ending for head in printed.heads)
    shown = told(str(campaign.pk))
    *of_chronicles, of_logs = shown.splitlines()
    assert of_chronicles == [f"{head.name} {head.sequence} · {head.seal}" for head in printed.heads]
    assert (
        printed.logs is not None and printed.logs.seal in ending and printed.logs.moment in ending
    )
    assert of_logs == f"log of the only battle, {printed.logs.moment} · {printed.logs.seal}"
    args = [str(campaign.pk), "--printed", str(mine.sequence), mine.seal]
    assert f"is in the chronicle of {reds.name}" in told(*args)

    last = ChronicleEntry.objects.get(warband=reds, sequence=reds.sequence)
    last.payload["victory_points"] = 1000
    last.seal = seal_of(last, last.previous_seal)
    with behind_its_back():
        last.save()
    Warband.objects.filter(pk=reds.pk).update(head_seal=last.seal)
    sign_chronicles(trusting=True)
    with pytest.raises(CommandError, match="1 of 1 not found"):
        told(*args)


def test_an_old_print_holds_when_battles_go_on_and_proves_that_a_log_was_forged_or_is_gone(
    campaign: Campaign, battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    def printed() -> LogsHead:
        logs = campaign_content(Campaign.objects.select_related("club").get(pk=campaign.pk)).logs
        assert logs is not None
        return logs

    before_all = timezone.now() - timedelta(hours=2)
    # What was printed an hour ago: everything of the battle happened before.
    Battle.objects.filter(pk=battle.pk).update(confirmed_at=before_all)
    battle.events.update(recorded_at=before_all)
    battle.refresh_from_db()
    seal_anew(battle)
    Battle.objects.filter(pk=battle.pk).update(log_seal=battle.log_seal)
    old = printed()
    args = [str(campaign.pk), "--logs", str(old.battles), old.moment, old.seal]
    confirmed(alice, campaign, reds, blues)
    correct_battle(
        battle_id=battle.pk, user=alice, correction=Correction((struck(1),), "A slip of the pen.")
    )
    assert printed().battles == 2 and printed().seal != old.seal
    assert "The log of the only battle" in told(*args)

    with pytest.raises(CommandError, match="Example"):
        told(str(campaign.pk), "--logs", "1", "yesterday", old.seal)
    event = battle.events.order_by("sequence")[0]
    with transaction.atomic():
        BattleEvent.objects.filter(pk=event.pk).update(data={**event.data, "forged": "true"})
        seal_anew(battle)
        Battle.objects.filter(pk=battle.pk).update(log_seal=battle.log_seal)
        sign_battles(trusting=True)
        with pytest.raises(CommandError, match="differ from the print"):
            told(*args)
        transaction.set_rollback(True)
    assert "The log of the only battle" in told(*args)
    with behind_its_back():
        Battle.objects.filter(pk=battle.pk).delete()
    with pytest.raises(CommandError, match="differ from the print"):
        told(*args)
    with pytest.raises(CommandError):
        call_command("check_chronicle", stderr=(complaints := StringIO()))
    assert f"battle {battle.pk}: stored none" in complaints.getvalue()
