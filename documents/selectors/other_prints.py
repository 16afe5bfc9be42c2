"""The other documents that can be printed about the same subject."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from battles.models import BattleState
from campaigns.models import CampaignState, Fixture
from documents.content.battles import TOLD
from documents.content.registry import subjects
from documents.models import SUBJECT_OF, DocumentKind, SubjectKind, kinds_about
from rulebook.ruleset import Fate
from warbands.models import Warband
from warbands.rulebook_values import read_state, ruleset_of_warband


def _has_rank_ups(warband: Warband) -> bool:
    rules = ruleset_of_warband(warband)
    return rules.visible_numbers(read_state(warband).settings).rises


CONDITIONS: dict[DocumentKind, Callable[[Any], bool]] = {
    DocumentKind.BATTLE: lambda battle: battle.state in TOLD,
    DocumentKind.RESULT_CARD: lambda battle: battle.state == BattleState.CONFIRMED,
    DocumentKind.RESULT_SHEET: lambda battle: battle.state != BattleState.VOID,
    DocumentKind.MEMORIAL: lambda fighter: fighter.fate == Fate.DEAD,
    DocumentKind.RANK_UPS: _has_rank_ups,
    DocumentKind.HISTORY: lambda warband: warband.fighters.filter(battles__gt=0).exists(),
    DocumentKind.CERTIFICATE: lambda campaign: campaign.state == CampaignState.FINISHED,
    DocumentKind.FIXTURES: lambda campaign: Fixture.objects.filter(
        round__campaign=campaign
    ).exists(),
}
"""When there is something to print, for kinds of documents that cannot always be printed."""


def other_prints(kind: DocumentKind, subject: UUID) -> list[DocumentKind]:
    """Return the other kinds of documents that can be printed about a subject now.

    Two queries at most. Checks no permission; a subject that does not exist has none.
    """
    about = SUBJECT_OF[kind]
    others = [each for each in kinds_about(about) if each != kind]
    if about in (SubjectKind.RULESET, SubjectKind.EVENING) or not others:
        return others
    row = subjects(about).filter(pk=subject).first()
    if row is None:
        return []
    return [each for each in others if each not in CONDITIONS or CONDITIONS[each](row)]
