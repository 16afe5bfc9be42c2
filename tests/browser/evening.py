"""A battle logged by taps on two phones: as a list of casualties, and for En Garde! in full.

A touch counts as one tap, and a choice from a native list as two. What a script reads from the
battle to decide its next step is not a tap, as a player sees it on the table.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from playwright.sync_api import Locator, Page, expect

from battles.models import Battle
from battles.rulebook_values import ruleset_of_battle
from battles.stored_play import load_battle_play
from rulebook.battle_log.play import Play, replay
from rulebook.ruleset import Ruleset
from rulebook.values.battles import BattleSetup, LoggedEvent


class Casualty(Struct, frozen=True):
    """A casualty: the button that logs it, and who caused it ("" for nobody)."""

    turn: int
    victim: str
    button: str
    by: str = ""


class Fingers:
    """The number of taps on both phones together."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, what: Locator) -> None:
        """Tap an element once."""
        what.click()
        self.taps += 1

    def so_far(self) -> int:
        """Return the number of taps since the last call."""
        taps, self.taps = self.taps, 0
        return taps


class Evening:
    """A battle in progress on two phones, one for each side."""

    def __init__(self, battle: Battle, phones: Sequence[Page]) -> None:
        self.pk, self.phones, self.fingers = battle.pk, [*phones], Fingers()

    @property
    def battle(self) -> Battle:
        """The battle with its current values."""
        return Battle.objects.for_table().get(pk=self.pk)

    @property
    def rules(self) -> Ruleset:
        """The rule system of the battle."""
        return ruleset_of_battle(self.battle)

    @property
    def play(self) -> Play[Any]:
        """The play after the current log."""
        battle = self.battle
        return load_battle_play(battle, list(battle.sides.all())).play

    def fresh(self, place: int) -> Page:
        """Return a phone once it shows the newest state.

        The page normally updates within two seconds.
        """
        page = self.phones[place % len(self.phones)]
        page.wait_for_load_state()
        expect(page.locator("body[aria-busy]")).to_have_count(0)
        version = str(self.battle.version)
        if page.locator("body").get_attribute("data-version") != version:
            page.goto(f"/battles/{self.pk}/table/")
        return page

    def done(self, page: Page, before: int) -> None:
        """Wait until the tapped action is in the log."""
        page.wait_for_function(
            "number => Number(document.body.dataset.entries) > number && !document.body.ariaBusy",
            arg=before,
        )
        page.wait_for_load_state()

    # Light logging

    def light(self, casualties: Iterable[Casualty], turns: int) -> None:
        """Log the battle by its turns and casualties."""
        all_casualties = [*casualties]
        for turn in range(1, turns + 1):
            page = self.fresh(turn)
            entries = self.battle.last_sequence
            self.fingers.tap(page.locator("[id^=do-light-turn]").first)
            self.done(page, entries)
            for number, each in enumerate(each for each in all_casualties if each.turn == turn):
                self.casualty(self.fresh(turn + number // 3), each)

    def casualty(self, page: Page, casualty: Casualty) -> None:
        """Log a casualty: three taps, or two if nobody caused it."""
        entries = self.battle.last_sequence
        self.fingers.tap(page.locator(f'.of-victim label:has([value="{casualty.victim}"])'))
        group, _, label = casualty.button.rpartition(": ")
        buttons = page.locator(".of-result .casualty-results")
        if group:
            buttons = page.locator(f'.of-result h3:text-is("{group}") + .casualty-results')
        self.fingers.tap(
            buttons.locator(".casualty-name").filter(has_text=re.compile(rf"^\s*{label}\s*$"))
        )
        if self.battle.last_sequence == entries and page.locator(".of-by").is_visible():
            self.fingers.tap(page.locator(f'.of-by button[value="{casualty.by}"]'))
        self.done(page, entries)

    def finish(self, how: str = "") -> None:
        """End battle, submit it on one phone and confirm it on the other."""
        page = self.fresh(0)
        entries = self.battle.last_sequence
        self.fingers.tap(page.locator("#something-else > summary"))
        self.fingers.tap(
            page.locator("#something-else").get_by_role("link", name="End battle").first
        )
        if how:
            self.fingers.tap(page.locator(f'#action .choice:has(input[value="{how}"])'))
        self.fingers.tap(page.locator("button[form=action]"))
        self.done(page, entries)
        self.fingers.tap(page.get_by_role("link", name="Check and submit result"))
        self.fingers.tap(page.get_by_role("button", name="Submit result"))
        expect(
            page.get_by_text("Result submitted. The other side can now confirm or dispute it.")
        ).to_be_visible()

    def confirm(self, page: Page) -> None:
        """Confirm the result, starting from the home page of the other player."""
        page.goto("/")
        self.fingers.tap(page.get_by_role("main").locator(f"a[href='/battles/{self.pk}/']").first)
        self.fingers.tap(page.get_by_role("button", name=re.compile("^Confirm for")).first)
        expect(page.get_by_text("Result confirmed.", exact=True)).to_be_visible()


def of_deeds(play: Play[Any], labels: dict[str, str]) -> list[Casualty]:
    """Return the deeds of a battle's fighters as casualties.

    ``labels`` are the buttons by result.
    """
    deeds = [each for each in play.state.deeds if each.result in labels and each.victim]
    return [
        Casualty(each.turn or 1, str(each.victim), labels[each.result], each.fighter)
        for each in deeds
    ]


def of_losses(
    rules: Ruleset,
    setup: BattleSetup,
    events: tuple[LoggedEvent, ...],
    lost: Callable[[Any, Any, str], Iterator[str]],
) -> tuple[list[Casualty], int]:
    """Return the casualties of a whole log by fighter and turn, and the number of turns.

    ``lost`` yields the buttons for what happened to a combatant, by id, between two states.
    """
    before: dict[int, Any] = {}
    after: dict[int, Any] = {}
    for step in replay(rules.log, setup, events).steps:
        turn = max(step.after.turn, 1)
        before.setdefault(turn, step.before)
        after[turn] = step.after
    casualties, fielded = [], {each.id for side in setup.sides for each in side.fighters}
    for turn, first in before.items():
        # Combatants that exist only in a full log, such as thrown out skirmishers, have no
        # casualties of their own.
        casualties += [
            Casualty(turn, key, button)
            for key in after[turn].combatants
            if key in fielded
            for button in lost(first, after[turn], key)
        ]
    return casualties, max(after)


# Full logging


class InFull(Evening):
    """A battle of En Garde! that is logged in full, following the page.

    The charges follow a simple tactic.
    """

    def offered(self, page: Page) -> Locator:
        """Return what can be done now: the offers of the panel and of the bar."""
        return page.locator("#now, .table-bar")

    def press(self, what: Locator) -> Page:
        """Tap what logs something, and wait until it is logged."""
        page, entries = what.page, self.battle.last_sequence
        self.fingers.tap(what)
        self.done(page, entries)
        return page

    def unfolded(self, page: Page, name: re.Pattern[str]) -> Locator:
        """Return an offered button; open "Other actions" if the button is in it."""
        button = self.offered(page).get_by_role("button", name=name).first
        if not button.is_visible():
            self.fingers.tap(page.locator("#something-else > summary"))
        return button

    def turn(self, number: int, *, charges: int) -> None:
        """Log a turn: Priority, charges, passes, combats, and the actions due at its end."""
        if number == 1:
            self.end_phase()  # Minor objectives are thrown for before the first turn.
        self.press(
            self.unfolded(self.fresh(number), re.compile("^Start turn(?!.*casualties only)"))
        )
        page = self.fresh(number)
        roll = self.offered(page).get_by_role("button", name=re.compile("^Roll"))
        if self.play.state.table.priority == "" and roll.count():
            self.press(roll.first)
        for place, side in enumerate(("a", "b")):
            if charges:
                self.charge(self.fresh(place), side, charges)
        self.pass_on()
        self.combats()
        self.end_phase()

    def charge(self, page: Page, side: str, most: int) -> None:
        """Log the charges of a side on one form, each with the fighter and the target."""
        pairs = self.pairs(side)[:most]
        form = page.locator("a[id^=some-move-]").filter(has_text=self.play.state.side(side).name)
        if not pairs or not form.count():
            return
        entries = self.battle.last_sequence
        self.fingers.tap(form.first)
        for fighter, foe in pairs:
            fold = page.locator("#action details").filter(
                has=page.locator(f"summary:text-is('{fighter}')")
            )
            self.fingers.tap(fold.locator("summary"))
            self.fingers.tap(fold.locator(".choice").filter(has_text=foe).first)
        self.fingers.tap(page.locator("button[form=action]"))
        self.done(page, entries)

    def pairs(self, side: str) -> list[tuple[str, str]]:
        """Return the chargers of a side and their targets: free fighters, paired with free enemies."""
        state = self.play.state

        def free(key: str) -> list[str]:
            standing = [each for each in state.own(key) if each.standing]
            states = ((each.fighter.name, state.table.of(each.fighter.id)) for each in standing)
            return [name for name, each in states if not (each.contacts or each.has("acted"))]

        return [*zip(free(side), free("b" if side == "a" else "a"), strict=False)]

    def pass_on(self) -> None:
        """Pass all remaining moves, both sides with one tap if the page offers it."""
        for place in range(3):
            page = self.fresh(place)
            both = self.offered(page).get_by_role("button", name=re.compile("^Pass: "))
            button = self.offered(page).get_by_role("button", name=re.compile("^Pass"))
            if not button.count():
                return
            self.press(both.first if both.count() else button.first)

    def combats(self) -> None:
        """Log every combat with its form and the most likely counters."""
        for place in range(40):
            page = self.fresh(place)
            fight = self.offered(page).get_by_role("link", name=re.compile("^Start combat"))
            if not fight.count() or not fight.first.is_visible():
                return
            entries = self.battle.last_sequence
            self.fingers.tap(fight.first)
            page.wait_for_load_state()
            for fieldset in page.locator("#action fieldset:has(input[name^='counters.'])").all():
                if not fieldset.locator("input:checked").count():
                    choices = fieldset.locator(".choice")
                    self.fingers.tap(choices.nth(choices.count() // 2))
            self.fingers.tap(page.locator("button[form=action]"))
            self.done(page, entries)

    def end_phase(self) -> None:
        """Roll for everything that is due before the next turn."""
        for place in range(40):
            page = self.fresh(place)
            roll = self.offered(page).get_by_role("button", name=re.compile("^Roll"))
            if not roll.count() or not roll.first.is_visible():
                return
            self.press(roll.first)
