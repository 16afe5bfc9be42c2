"""Clubs with random histories, for archives that must hold everything."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from io import BytesIO
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction

from battles.models import Battle, BattleState
from battles.services.corrections import Correction, correct_battle, void_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.review import (
    Decision,
    decide_battle,
    dispute_side,
    reopen_battle,
    submit_battle,
)
from battles.services.substitutes import name_substitute
from campaigns.models import Campaign, CampaignState, JournalEntry
from campaigns.services.campaigns import edit_campaign, finish_campaign, follow_campaign
from campaigns.services.hand_overs import hand_over_warband, name_player
from campaigns.services.house_rules import change_house_rules
from campaigns.services.journal import edit_entry, remove_entry, write_entry
from clubs.models import Club, Evening
from clubs.services.evenings import answer_evening, cancel_evening
from clubs.services.members import add_guest
from core.errors import MusterError
from pictures.services.pictures import add_picture
from pictures.subjects import PictureKind
from rulebook.ruleset import RulesError
from tests.leagues.classic import world as classic
from tests.pages import world
from tests.pictures import samples
from warbands.models import Fighter, Warband
from warbands.services.warbands import write_warband_story
from warbands.signed import update_signed


class RandomClub:
    """A club of Alice's with random events, driven by the numbers that are passed in."""

    def __init__(self, tag: str = "") -> None:
        self.alice, self.bob, self.dora = (
            User.objects.create(username=f"{name}{tag}") for name in ("alice", "bob", "dora")
        )
        self.club = world.club_of(self.alice, players=[self.bob], spectators=[self.dora])
        self.haufen, self.guards = world.landsknechts(self.bob), world.guards(self.alice)
        self.campaign = world.campaign_of(self.club, self.alice, self.guards, self.haufen)

    def happen(self, events: Sequence[tuple[str, int]], *, all_of_it: bool = False) -> None:
        """Let events happen in this order.

        Events that the rules forbid are left out, or raise an error with ``all_of_it``.
        """
        for name, number in events:
            with suppress(*(() if all_of_it else (MusterError, RulesError))), transaction.atomic():
                EVENTS[name](self, number)

    def _battle(self, *states: BattleState) -> Battle | None:
        return (
            Battle.objects.filter(campaign=self.campaign, state__in=states)
            .order_by("created_at")
            .last()
        )

    def plan(self, number: int) -> None:
        world.planned_battle(
            self.bob, self.campaign, self.haufen, self.guards, title="=SUM(1)" if number % 2 else ""
        )

    def begin(self, number: int) -> None:
        battle = world.begun_battle(self.bob, self.campaign, self.haufen, self.guards)
        self._log(battle, number)

    def _fielded(self, battle: Battle) -> tuple[list[Fighter], list[Fighter]]:
        """Return the fighters of either side."""
        sides = battle.sides.order_by("place")
        ours, theirs = (
            list(Fighter.objects.filter(appearances__side=side).order_by("place")) for side in sides
        )
        return ours, theirs

    def _log(self, battle: Battle, number: int) -> None:
        ours, theirs = self._fielded(battle)
        results = ("light", "grievous")
        blows = [
            world.wound(
                ours[(number + turn) % len(ours)],
                theirs[(number * turn) % len(theirs)],
                results[number % 2],
            )
            for turn in range(number % 3 + 1)
        ]
        note = NewEvent(uuid4(), "note", {"text": f"Ö {number}"})
        log_events(battle_id=battle.pk, events=[*blows, note], user=self.bob)

    def submit(self, number: int) -> None:
        self.begin(number)
        if battle := self._battle(BattleState.UNDER_WAY):
            submit_battle(battle_id=battle.pk, user=self.bob)

    def dispute(self, number: int) -> None:
        if battle := self._battle(BattleState.SUBMITTED):
            dispute_side(battle_id=battle.pk, user=self.alice, reason="It was raining.")

    def reopen(self, number: int) -> None:
        if battle := self._battle(BattleState.SUBMITTED, BattleState.DISPUTED):
            reopen_battle(battle_id=battle.pk, user=self.bob)
            self._log(battle, number)

    def confirm(self, number: int) -> None:
        self.submit(number)
        if battle := self._battle(BattleState.SUBMITTED, BattleState.DISPUTED):
            decide_battle(battle_id=battle.pk, user=self.alice, decision=Decision.AS_LOGGED)

    def correct(self, number: int) -> None:
        if battle := self._battle(BattleState.CONFIRMED):
            ours, theirs = self._fielded(battle)
            correction = Correction((world.wound(ours[0], theirs[0]),), "Forgotten.")
            correct_battle(battle_id=battle.pk, user=self.alice, correction=correction)

    def void(self, number: int) -> None:
        states = (
            (BattleState.CONFIRMED,)
            if number % 2
            else (BattleState.UNDER_WAY, BattleState.SUBMITTED)
        )
        if battle := self._battle(*states):
            void_battle(battle_id=battle.pk, user=self.alice, reason="Too dark.")

    def meet(self, number: int) -> None:
        evening = world.evening_of(
            self.club, self.alice, days=number % 20 + 1, place="Hall", note="\n- Brot\n+ Wein"
        )
        answer_evening(
            evening_id=evening.pk,
            user=self.bob,
            answer=("coming", "perhaps", "not-coming")[number % 3],
        )

    def cancel(self, number: int) -> None:
        if evening := Evening.objects.filter(club=self.club).first():
            cancel_evening(evening_id=evening.pk, user=self.alice, reason="Snow")

    def write(self, number: int) -> None:
        write_entry(
            campaign_id=self.campaign.pk,
            user=self.bob,
            text=f"@day {number}: “plague” 🐀",
            on=date(2026, 3, 1 + number % 28),
        )

    def rewrite(self, number: int) -> None:
        if entry := JournalEntry.objects.filter(campaign=self.campaign, removed_at=None).first():
            if number % 2:
                remove_entry(entry_id=entry.pk, user=self.alice)
            else:
                edit_entry(
                    entry_id=entry.pk, user=self.alice, version=entry.version, text="Better."
                )

    def pair(self, number: int) -> None:
        world.paired(self.campaign, self.alice)

    def picture(self, number: int) -> None:
        fighter = Fighter.objects.filter(warband=self.haufen).order_by("place")[0]
        battle = self._battle(*BattleState)
        subjects = [
            (PictureKind.FIGHTER, fighter.pk, self.bob), (PictureKind.WARBAND, self.guards.pk, self.alice),
            (PictureKind.CLUB, self.club.pk, self.alice),
            *([(PictureKind.BATTLE, battle.pk, self.bob)] if battle else []),
        ]  # fmt: skip
        kind, subject, user = subjects[number % len(subjects)]
        content = samples.png_with_words() if number % 2 else samples.phone_photo()
        add_picture(
            user=user,
            kind=kind,
            subject=subject,
            file=BytesIO(content),
            size=len(content),
            caption=f"Nr. {number}",
        )

    def tell(self, number: int) -> None:
        write_warband_story(
            warband_id=self.haufen.pk, user=self.bob, story=f"Once, {number} years ago …"
        )
        Fighter.objects.filter(warband=self.haufen, place=0).update(
            story=f"A cook for {number} years."
        )

    def change_rules(self, number: int) -> None:
        campaign = Campaign.objects.get(pk=self.campaign.pk)
        rules = {**campaign.house_rules, "missile_limit": ("long-range", "all")[number % 2]}
        change_house_rules(
            campaign_id=campaign.pk,
            version=campaign.version,
            user=self.alice,
            house_rules=rules,
            reason="Talk",
        )

    def rename(self, number: int) -> None:
        campaign = Campaign.objects.get(pk=self.campaign.pk)
        edit_campaign(
            campaign_id=campaign.pk,
            version=campaign.version,
            user=self.alice,
            name=f"Summer {number}",
            story="*Hot*",
        )

    def season(self, number: int) -> None:
        """End the campaign, and continue with the same warbands in a next one."""
        if self._battle(
            BattleState.PLANNED, BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED
        ):
            return
        finish_campaign(campaign_id=self.campaign.pk, user=self.alice)
        following = follow_campaign(
            campaign_id=self.campaign.pk, user=self.alice, name=f"Season {number}"
        )
        for warband in (self.haufen, self.guards):
            classic.enrol(following, warband, self.alice)
        update_signed(Campaign.objects.filter(pk=following.pk), state=CampaignState.RUNNING)
        self.campaign = following

    def guest(self, number: int) -> None:
        add_guest(club_id=self.club.pk, user=self.alice, name=f"Guest {number}")

    def transfer(self, number: int) -> None:
        """Transfer Bob's warband to a guest player, and back to Bob."""
        enrolment = self.campaign.enrolments.get(warband=self.haufen)
        guest = add_guest(club_id=self.club.pk, user=self.alice, name=f"Stand-in {number}")
        name_player(enrolment_id=enrolment.pk, player_id=guest.pk, user=self.alice)
        hand_over_warband(warband_id=self.haufen.pk, player=self.bob.username, user=self.alice)

    def substitute(self, number: int) -> None:
        """Let a guest player play a battle for Bob."""
        if battle := self._battle(*BattleState):
            guest = add_guest(club_id=self.club.pk, user=self.alice, name=f"Substitute {number}")
            side = battle.sides.get(warband=self.haufen)
            name_substitute(battle_id=battle.pk, side=side.key, player_id=guest.pk, user=self.alice)

    def alone(self, number: int) -> None:
        """Play a one-off battle between warbands of the club."""
        world.warbands_see_each_other(self.haufen, self.guards)
        world.begun_battle(self.bob, None, self.haufen, self.guards, friendly=bool(number % 2))

    def two_companies(self, number: int) -> None:
        """Start a classic campaign with all, some, or none of its orders open."""
        companies = [
            classic.guards(user, f"{user.username}’s {number}") for user in (self.alice, self.bob)
        ]
        campaign = classic.classic(self.club, self.alice, *companies)
        for warband in companies[: number % 3]:
            assert warband.owner is not None
            classic.sealed(campaign, warband.owner, warband)

    def publish(self, number: int) -> None:
        visibility = ("private", "unlisted", "public")[number % 3]
        update_signed(Warband.objects.filter(pk=self.haufen.pk), visibility=visibility)
        update_signed(
            Club.objects.filter(pk=self.club.pk), visibility="public", story="=HYPERLINK(1)"
        )


Happen = Callable[[RandomClub, int], Any]
EVENTS: dict[str, Happen] = {
    name: value
    for name, value in vars(RandomClub).items()
    if callable(value) and not name.startswith("_") and name != "happen"
}
EVERYTHING = [
    ("guest", 1), ("write", 2), ("write", 3), ("rewrite", 0), ("rewrite", 1), ("meet", 4), ("meet", 5), ("cancel", 0),
    ("pair", 0), ("tell", 3), ("change_rules", 1), ("confirm", 1), ("picture", 0), ("picture", 1), ("picture", 2),
    ("picture", 3), ("correct", 0), ("confirm", 2), ("void", 1), ("begin", 1), ("void", 0), ("season", 2),
    ("confirm", 4), ("submit", 3), ("reopen", 2), ("submit", 5), ("dispute", 0), ("alone", 1), ("two_companies", 1),
    ("two_companies", 2), ("publish", 2), ("rename", 7), ("submit", 4), ("begin", 2), ("plan", 1),
    ("transfer", 1), ("substitute", 1),
]  # fmt: skip
"""A history with every kind of event."""
