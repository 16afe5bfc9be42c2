"""A player who uses only the page of the live log: reads its proposals, taps, and fills in forms.

It is independent of rule systems. A test passes wishes: kinds of action to try, and answers where the form
has a choice. Everything else comes from the page: the button of the bar, the possible actions, the
cards and their offers.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct
from playwright.sync_api import Locator, Page, TimeoutError, expect

WIDTH = 390
MAX_TRIES = 4
"""The number of times that a refused form is filled in differently before the player goes back."""
LONGEST_WAIT = 30_000
"""The time in milliseconds in which the page must resend what a slow server has not answered."""
MAX_OWED = 30
"""The maximum number of actions due at the end of a battle, one after another."""
OFFERED = """() => [...document.querySelectorAll('#now .due-one, #next .due-one, #now .batch')].flatMap(due => {
  const said = (due.querySelector('p') || due).textContent.replace(/\\s+/g, ' ').trim();
  return [...due.querySelectorAll('button[id], a[id]:not([href*="some=1"])')].map(one => ({
    id: one.id, said, address: one.closest('form')?.getAttribute('action') ?? one.getAttribute('href'),
    pressing: !one.classList.contains('second'), bar: Boolean(one.closest('#next')),
    several: due.classList.contains('batch'),
  }));
})"""
"""All actions that the page proposes as due: the id of the button, its text and its link."""
ACTIONS = """() => [...document.querySelectorAll('#now .action-list a')].map(one => ({
  address: one.getAttribute('href'), said: one.textContent.replace(/\\s+/g, ' ').trim(),
  hurdle: Boolean(one.querySelector('small')),
}))"""
CARDS = """() => [...document.querySelectorAll('#board a[id^="tap-"]')].map(one => ({
  id: one.id, out: one.classList.contains('out'), side: one.closest('.table-side').getAttribute('aria-labelledby'),
  said: one.textContent.replace(/\\s+/g, ' ').trim(),
}))"""
FIELDS = """() => {
  const groups = new Map();
  for (const one of document.querySelectorAll('#action [name]')) {
    if (one.type === 'hidden' || one.closest('.typed-dice') || one.closest('.overrule')) continue;
    if (!groups.has(one.name)) groups.set(one.name, []);
    groups.get(one.name).push({
      type: one.tagName === 'SELECT' ? 'select' : one.type, value: one.value, id: one.id, checked: one.checked,
      least: one.min ?? '', folded: Boolean(one.closest('details:not([open])')), required: one.required,
      options: one.tagName === 'SELECT' ? [...one.options].map(each => each.value) : [],
      label: (one.closest('label') ?? document.querySelector(`label[for="${one.id}"]`))?.textContent.trim() ?? '',
    });
  }
  return [...groups];
}"""


class Wish(Struct, frozen=True):
    """A kind of action to try ``often`` times, with the cards to look at and the answers.

    ``answers`` maps a pattern of field names to a pattern of the answer's label or value, or to
    the text to type.
    """

    kind: str
    often: int = 1
    cards: str = ""
    answers: Mapping[str, str] = {}


class Stuck(Struct, frozen=True):
    """An action that failed: what was tried, and the page's message."""

    action: str
    sentence: str


def settled(page: Page) -> None:
    """Wait until the page has been answered and loaded. It resends if the server is slow."""
    expect(page.locator("body[aria-busy]")).to_have_count(0)
    expect(page.locator("#unsent-list:not(.refused) [data-slot=all] li")).to_have_count(0)
    page.wait_for_load_state()


def follow(page: Page, what: Locator) -> None:
    """Tap a link and wait for the next page, or for the browser to require an input."""
    page.evaluate("document.documentElement.dataset.left = true")
    what.click()
    page.locator("html:not([data-left]), #action :user-invalid").first.wait_for(state="attached")
    settled(page)


def kind_of(address: str) -> str:
    """Return the kind of action of a link."""
    do = parse_qs(urlsplit(address).query).get("do", [""])[0]
    return do.split(".")[0]


class TablePlayer:
    """One person with two phones, or two with one each. The player whose turn it is taps."""

    def __init__(
        self, phones: Mapping[str, Page], wishes: tuple[Wish, ...], seed: int, folder: Any = None
    ) -> None:
        self.phones, self.wishes, self.luck = dict(phones), wishes, random.Random(seed)
        self.names = list(phones)
        self.done = Counter[str]()
        self.refused: list[Stuck] = []
        self.looked: set[tuple[str, ...]] = set()
        self.taps = 0
        self.turn = 0
        self.page = phones[self.names[0]]
        self.folder = folder
        self.pictures: set[str] = set()

    # Reading the page

    @property
    def where(self) -> str:
        """Return the turn and phase that the page shows."""
        return " ".join(
            f"{self.page.locator('h1').inner_text()} "
            f"{self.page.locator('#phase').inner_text()}".split()
        )

    def offered(self) -> list[dict[str, Any]]:
        """Return the proposals of the page, those of the bar first."""
        settled(self.page)
        offers = [each | {"kind": kind_of(each["address"])} for each in self.page.evaluate(OFFERED)]
        return sorted(offers, key=lambda each: not each["bar"])

    def is_over(self) -> bool:
        """Return whether the end of the battle is logged."""
        settled(self.page)
        return self.page.get_by_text("The battle has ended.").count() > 0

    # Acting

    def tap(self, what: Locator) -> None:
        """Open the folds around an element, tap it, and wait for the answer."""
        for fold in what.locator("xpath=ancestor::details[not(@open)]").all():
            fold.locator("> summary").first.click()
            self.taps += 1
        follow(self.page, what)
        self.taps += 1
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= WIDTH, f"{wide} pixels wide: {self.page.url}"

    def to_the_table(self) -> None:
        """Leave a form or a card."""
        for _ in range(3):
            back = self.page.locator("#back")
            if not back.count():
                return
            self.tap(back)

    def take_over(self, name: str) -> None:
        """Continue on another phone, after it shows the latest entries."""
        entries, other = (
            self.page.locator("body").get_attribute("data-entries") or "0",
            self.phones[name],
        )
        if other is not self.page:
            expect(other.locator("body")).to_have_attribute("data-entries", entries)
            self.page = other
            settled(other)

    def press(self, due: Mapping[str, Any]) -> bool:
        """Press a proposal, and fill in its form. Return whether it was logged."""
        before = self.logged()
        self.tap(self.page.locator(f"[id='{due['id']}']").first)
        return self.answer(due["kind"], due["said"], before)

    def logged(self) -> int:
        """Return the number of entries in the log."""
        return int(self.page.locator("body").get_attribute("data-entries") or 0)

    def answer(self, kind: str, label: str, before: int) -> bool:
        """Fill in the open form, if there is one, until it is accepted. Return whether it was."""
        for number in range(MAX_TRIES):
            form = self.page.locator("#action")
            if not form.count():
                break
            self.picture(f"form-{kind}")
            self.fill(kind, number)
            self.tap(self.page.locator(".table-bar button[form=action]"))
            if self.page.locator("#change-my-mind").count():
                self.let_the_other_choose(kind)
        errors = self.page.locator("#action .notice.bad, #action .error, .messages")
        if self.logged() == before and not errors.count():
            # The page resends to a slow server automatically, and then shows the result.
            with suppress(TimeoutError):
                self.page.locator(f"body:not([data-entries='{before}'])").wait_for(
                    timeout=LONGEST_WAIT
                )
        if self.logged() > before:
            self.done[kind] += 1
            self.picture(f"after-{kind}")
            return True
        self.picture(f"refused-{kind}")
        sentence = " / ".join(" ".join(each.split()) for each in errors.all_inner_texts())
        self.refused.append(Stuck(f"{self.where}: {kind}: {label}", sentence))
        self.to_the_table()
        return False

    def let_the_other_choose(self, kind: str) -> None:
        """Make the other player's secret choice on their phone."""
        self.picture(f"waits-{kind}")
        self.take_over(next(each for each in self.names if self.phones[each] is not self.page))
        due = next(each for each in self.offered() if each["kind"] == kind)
        self.tap(self.page.locator(f"[id='{due['id']}']").first)
        self.fill(kind, 0)
        self.tap(self.page.locator(".table-bar button[form=action]"))

    def fill(self, kind: str, number: int) -> None:
        """Fill in the form: wishes first, then present values, then anything.

        Later tries change the choices.
        """
        wish = next((each for each in self.wishes if each.kind == kind), Wish(kind))
        for name, controls in self.page.evaluate(FIELDS):
            first = controls[0]
            answer = next(
                (text for key, text in wish.answers.items() if re.fullmatch(key, name)), ""
            )
            if first["folded"] and not answer:
                continue
            if first["type"] == "radio":
                self.choose(controls, answer, again=number > 0)
            elif first["type"] == "select":
                real = [each for each in first["options"] if each]
                fitting = [each for each in real if answer and re.search(answer, each)] or real
                if real and (answer or not first["value"] or number > 1):
                    self.page.locator(f"[id='{first['id']}']").select_option(
                        self.luck.choice(fitting)
                    )
            elif first["type"] == "checkbox":
                self.tick(controls, answer, number)
            elif answer or (not first["value"] and (first["required"] or number > 0)):
                usual = (
                    "We agreed."
                    if first["type"] == "text"
                    else str(max(1, int(first["least"] or 0)))
                )
                self.page.locator(f"[id='{first['id']}']").fill(answer or usual)

    def choose(self, controls: list[dict[str, Any]], pattern: str, *, again: bool) -> None:
        """Choose a wished option; else any option if none is chosen, or if ``again``."""
        real = [each for each in controls if each["value"]]
        fitting = [
            each
            for each in real
            if pattern and re.search(pattern, f"{each['value']} {each['label']}")
        ]
        chosen = any(each["checked"] for each in controls)
        if fitting and not again:
            self.mark(self.luck.choice(fitting))
        elif real and (again or not chosen):
            self.mark(self.luck.choice(real))

    def tick(self, controls: list[dict[str, Any]], pattern: str, number: int) -> None:
        """Tick wished boxes; in a list of several, tick any box in later tries."""
        for each in controls:
            if (
                pattern
                and re.search(pattern, f"{each['value']} {each['label']}")
                and not each["checked"]
            ):
                self.mark(each)
        if len(controls) > 1 and number > 0 and not any(each["checked"] for each in controls):
            self.mark(self.luck.choice(controls))

    def mark(self, control: Mapping[str, Any]) -> None:
        """Tap a choice by its label, after opening its folds."""
        for fold in (
            self.page.locator(f"[id='{control['id']}']")
            .locator("xpath=ancestor::details[not(@open)]")
            .all()
        ):
            fold.locator("> summary").first.click()
            self.taps += 1
        self.page.locator(f"label[for='{control['id']}']").first.click()
        self.taps += 1

    # A whole battle

    def wished(self) -> Iterator[Wish]:
        """Yield the wishes that are not fulfilled yet."""
        for wish in self.wishes:
            if self.done[wish.kind] < wish.often:
                yield wish

    def one_step(self, *, last: bool) -> bool:
        """Do one thing: a pressing action, else a wish, else the proposal of the bar.

        Return whether anything was done. In the last turn, no other turn is begun.
        """
        due, where = self.offered(), self.where
        bar = next((each for each in due if each["bar"]), None)
        self.picture(re.sub(r"\W+", "-", where.lower()))
        bar = None if bar and last and bar["kind"] == "turn" else bar
        if bar and bar["pressing"] and self.once(where, bar["id"], str(self.logged())):
            self.press(bar)
            return True
        kinds = [each.kind for each in self.wished()]
        for each in due:
            if each["kind"] in kinds and not each["several"] and self.once(where, each["id"]):
                self.press(each)
                return True
        if self.from_a_card(where):
            return True
        return self.go_on([each for each in due if not (last and each["kind"] == "turn")])

    def go_on(self, due: list[dict[str, Any]]) -> bool:
        """Press the bar's proposal, or any other that continues the battle."""
        for each in due:
            if (
                each["kind"] != "ended"
                and self.once("on", each["id"], str(self.logged()))
                and self.press(each)
            ):
                return True
        return False

    def once(self, *moment: str) -> bool:
        """Return whether this is the first try."""
        if moment in self.looked:
            return False
        self.looked.add(moment)
        return True

    def from_a_card(self, where: str) -> bool:
        """Open the cards that a wish names, each once per phase, and fulfil the wishes there."""
        for wish in [each for each in self.wished() if each.cards]:
            for card in self.page.evaluate(CARDS):
                names = re.search(wish.cards, card["said"])
                if card["out"] or not names or not self.once(where, card["id"]):
                    continue
                self.tap(self.page.locator(f"[id='{card['id']}']"))
                self.picture("card")
                if self.from_the_panel(card["said"]):
                    return True
                self.to_the_table()
        return False

    def from_the_panel(self, heading: str) -> bool:
        """Do the first action of the open card that is wished for and has no obstacle."""
        kinds = [
            each.kind for each in self.wished() if each.cards and re.search(each.cards, heading)
        ]
        for action in self.page.evaluate(ACTIONS):
            kind = kind_of(action["address"])
            if kind in kinds and not action["hurdle"]:
                before = self.logged()
                self.tap(self.page.locator(f"#now .action-list a[href='{action['address']}']"))
                self.answer(kind, f"{heading}: {action['said']}", before)
                return True
        return False

    def play(
        self, turns: int, most_turns: int, enough: Callable[[], bool], most_steps: int = 600
    ) -> None:
        """Play this many turns, each on the next player's phone, then more until ``enough``.

        Then end the battle.
        """
        for _ in range(most_steps):
            if self.is_over():
                return
            if self.done["turn"] != self.turn:
                self.turn = self.done["turn"]
                self.take_over(self.names[self.turn % len(self.names)])
            last = self.turn >= most_turns or (self.turn >= turns and enough())
            if not self.one_step(last=last):
                break
        self.end()

    def end(self) -> None:
        """End battle as the page offers it, after everything due is done.

        If the page refuses the end, the bar leads to what it is waiting for.
        """
        for _ in range(MAX_OWED):
            if self.press_the_bar(pressing=True):
                continue
            before = self.logged()
            self.tap(self.page.locator("#something-else a[href*='do=ended']"))
            if self.answer("ended", "End battle", before):
                return
            if not self.press_the_bar(pressing=False):
                break
        raise AssertionError(self.refused)

    def press_the_bar(self, *, pressing: bool) -> bool:
        """Press the bar's proposals, but begin no turn. Return whether one was logged.

        ``pressing`` restricts them to necessary ones.
        """
        due = [
            each for each in self.offered() if each["bar"] and each["kind"] not in ("turn", "ended")
        ]
        return any(self.press(each) for each in due if each["pressing"] or not pressing)

    def picture(self, name: str) -> None:
        """Save a screenshot of the page in both themes, once per name."""
        if self.folder is None or name in self.pictures:
            return
        self.pictures.add(name)
        for theme in ("light", "dark"):
            self.page.emulate_media(color_scheme=theme)
            path = self.folder / f"{len(self.pictures):03}-{name}-{theme}.png"
            self.page.screenshot(path=path, full_page=True, animations="disabled")
        self.page.emulate_media(color_scheme=None)
