"""Use a page with a pointer or with the keyboard only. Both count the presses."""

from playwright.sync_api import Locator, Page

MAX_STEPS = 150
"""The number of Tab presses before giving up."""
DIRECTION = """target => {
  const here = document.activeElement;
  if (here === target) return 0;
  if (!here || here === document.body) return null;
  return here.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? -1 : 1;
}"""
"""The place of an element relative to the focus.

0 is the focused element, -1 before it, 1 after it, and null unknown.
"""


class Hand:
    """A mouse or a finger."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def press(self, what: Locator) -> None:
        """Click or tap an element."""
        what.click()
        self.pressed += 1

    def write(self, field: Locator, text: str) -> None:
        """Replace the text of a field."""
        field.fill(text)

    def choose_first(self, field: Locator) -> None:
        """Choose the first option after the empty one."""
        field.select_option(index=1)
        self.pressed += 1

    def so_far(self) -> int:
        """Return the number of presses since the last call."""
        pressed, self.pressed = self.pressed, 0
        return pressed


class Keyboard(Hand):
    """Tab, Shift+Tab, Enter, and letters."""

    def press(self, what: Locator) -> None:
        """Move the focus to an element, and press Enter."""
        self.reach(what)
        # Unlike ``keyboard.press``, ``Locator.press`` waits for the next page. The element has the
        # focus already.
        what.press("Enter")
        self.pressed += 1

    def write(self, field: Locator, text: str) -> None:
        """Move the focus to a field, and type."""
        self.reach(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose_first(self, field: Locator) -> None:
        """Move the focus to a list, and press the down arrow."""
        self.reach(field)
        self.page.keyboard.press("ArrowDown")
        self.pressed += 1

    def reach(self, what: Locator) -> None:
        """Press Tab until an element has the focus, and check that the focus is visible."""
        step = "Tab"
        for _ in range(MAX_STEPS):
            direction = what.evaluate(DIRECTION)
            if direction == 0:
                return
            if direction is not None:
                step = "Tab" if direction > 0 else "Shift+Tab"
            self.page.keyboard.press(step)
        raise AssertionError(f"the keyboard does not reach {what}")
