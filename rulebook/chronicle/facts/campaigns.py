"""Facts about the terms of a warband: its rule system, campaigns, house rules and editions."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.chronicle.facts.base import CampaignFact, Fact
from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import WarbandState
from rulebook.chronicle.wording import Wording, gettext_noop, with_reason


class Mustered(Fact, frozen=True, tag="mustered"):
    """A warband is created under an edition of a rule system."""

    label = gettext_noop("Mustered")
    concerns_everybody = True
    correctable = False

    ruleset: str = ""
    edition: str = ""
    faction: str = ""
    name: str = ""
    extras: Mapping[str, Any] = {}

    def rules_key(self, state: WarbandState) -> tuple[str, str]:
        return self.ruleset, self.edition

    def apply(self, draft: StateDraft) -> None:
        draft.state = replace(
            draft.state,
            ruleset=self.ruleset,
            edition=self.edition,
            faction=self.faction,
            name=self.name,
            extras=self.extras,
        )

    def phrase(self, wording: Wording) -> str:
        return wording.gettext("was created")


class Enrolled(CampaignFact, frozen=True, tag="enrolled"):
    """The warband enters a campaign: its house rules apply, and games played start from 0.

    ``reason`` is the organiser's reason for an override, if the rules forbid the roster.
    """

    label = gettext_noop("Entered a campaign")
    concerns_everybody = True

    campaign_name: str = ""
    agreed_points: int | None = None
    settings: Mapping[str, Any] = {}
    reason: str = ""

    def campaign_name_after(self, before: str) -> str:
        return self.campaign_name

    def apply(self, draft: StateDraft) -> None:
        elsewhere = draft.state.campaign is not None
        if elsewhere and draft.add_conflict(
            "already-enrolled", "The warband is in another campaign."
        ):
            return
        draft.state = replace(
            draft.state, campaign=self.campaign, agreed_points=self.agreed_points, games_played=0
        )
        for fighter in list(draft.fighters.values()):
            draft.fighters[fighter.id] = replace(fighter, joined_after=0)
        draft.serve_on(settings=self.settings)

    def phrase(self, wording: Wording) -> str:
        text = wording.gettext("entered %(campaign)s")
        if self.agreed_points is not None:
            text = wording.ngettext(
                "entered %(campaign)s with %(points)s point",
                "entered %(campaign)s with %(points)s points",
                self.agreed_points,
            )
        campaign = self.campaign_name or wording.gettext("a campaign")
        return with_reason(text % {"campaign": campaign, "points": self.agreed_points}, self.reason)


class Withdrawn(CampaignFact, frozen=True, tag="withdrawn"):
    """The warband leaves its campaign, or the campaign has ended."""

    label = gettext_noop("Left a campaign")
    concerns_everybody = True

    reason: str = ""

    def campaign_name_after(self, before: str) -> str:
        return ""

    def apply(self, draft: StateDraft) -> None:
        elsewhere = draft.state.campaign != self.campaign
        if elsewhere and draft.add_conflict("not-enrolled", "The warband is not in this campaign."):
            return
        draft.state = replace(draft.state, campaign=None, agreed_points=None)

    def phrase(self, wording: Wording) -> str:
        return with_reason(wording.gettext("left the campaign"), self.reason)


class RulesChanged(Fact, frozen=True, tag="rules-changed"):
    """The campaign's house rules change."""

    label = gettext_noop("House rules changed")
    concerns_everybody = True

    settings: Mapping[str, Any] = {}
    reason: str = ""

    def apply(self, draft: StateDraft) -> None:
        draft.serve_on(settings=self.settings)

    def phrase(self, wording: Wording) -> str:
        if not wording.rule_changes:
            return with_reason(wording.gettext("now plays under changed house rules"), self.reason)
        text = wording.gettext("now plays under changed house rules: %(changes)s")
        text %= {"changes": "; ".join(wording.rule_changes)}
        return f"{text} ({self.reason})" if self.reason else text


class EditionAdopted(Fact, frozen=True, tag="edition-adopted"):
    """A newer edition of the rule system's data applies."""

    label = gettext_noop("Edition adopted")
    concerns_everybody = True

    edition: str = ""

    def rules_key(self, state: WarbandState) -> tuple[str, str]:
        return state.ruleset, self.edition

    def apply(self, draft: StateDraft) -> None:
        draft.serve_on(edition=self.edition)

    def phrase(self, wording: Wording) -> str:
        return wording.gettext("moved to edition %(edition)s of the rules") % {
            "edition": self.edition
        }
