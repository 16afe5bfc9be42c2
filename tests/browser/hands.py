"""Hands that use a page: with a pointer, or with the keyboard alone. Both count what they press."""

from playwright.sync_api import Locator, Page

MAX_STEPS = 150
"""So many times somebody presses Tab before giving up."""
DIRECTION = """target => {
  const here = document.activeElement;
  if (here === target) return 0;
  if (!here || here === document.body) return null;
  return here.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? -1 : 1;
}"""
"""Where a thing lies from what is focused: 0 is itself, -1 before it, 1 after it, null unknown."""


class Hand:
    """A pointer, or a finger."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def press(self, what: Locator) -> None:
        """Click or tap it."""
        what.click()
        self.pressed += 1

    def write(self, field: Locator, text: str) -> None:
        """Put this into a field, in the place of what stands there."""
        field.fill(text)

    def choose_first(self, field: Locator) -> None:
        """Take the first of what a list offers after nothing."""
        field.select_option(index=1)
        self.pressed += 1

    def so_far(self) -> int:
        """How often something was pressed since this was asked last."""
        pressed, self.pressed = self.pressed, 0
        return pressed


class Keyboard(Hand):
    """Tab, Shift and Tab, Enter, and letters."""

    def press(self, what: Locator) -> None:
        """Go there, and press Enter."""
        self.reach(what)
        # Unlike a keyboard's, a control's waits for the page that it leads to; it has the focus
        # already.
        what.press("Enter")
        self.pressed += 1

    def write(self, field: Locator, text: str) -> None:
        """Go there, and type."""
        self.reach(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose_first(self, field: Locator) -> None:
        """Go there, and one down."""
        self.reach(field)
        self.page.keyboard.press("ArrowDown")
        self.pressed += 1

    def reach(self, what: Locator) -> None:
        """Step to it from whatever is focused, and see that the focus is there to be seen."""
        step = "Tab"
        for _ in range(MAX_STEPS):
            direction = what.evaluate(DIRECTION)
            if direction == 0:
                return
            if direction is not None:
                step = "Tab" if direction > 0 else "Shift+Tab"
            self.page.keyboard.press(step)
        raise AssertionError(f"the keyboard does not reach {what}")
