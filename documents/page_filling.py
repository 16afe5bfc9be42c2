"""Choose the forms of battles and the pages that they share, from their measured heights.

A form (``BattleForm``) says how a battle is printed: casualties in rows or in a paragraph, the size
of its photos, the height of its chart, the space between its blocks. A battle that fits on a page
is never divided, short ones share a page, and the pages are as full as possible. The order of the
battles never changes. All heights are in millimetres.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from documents.content.print_jobs import CHART, BattleForm, PhotoSize
from documents.print_resources import MAIN_WIDTH, TEXT_WIDTH

GAP, MAX_GAP, STEP = 4.0, 9.0, 0.25
"""The usual and the greatest space between the blocks of a battle, and the step between them.

The usual space must match ``--gap`` in static/print/print.css.
"""
BETWEEN = 10.0
"""The space between two battles, as in static/print/print.css."""
MAX_CHART = 64.0
"""The greatest height of a chart."""
ON_ITS_PAGE: tuple[PhotoSize, ...] = ("large", "row", "margin")
"""The sizes of photos on the page of their battle, the largest first."""
OF_DIVIDED: tuple[PhotoSize, ...] = (*ON_ITS_PAGE, "end")
"""The sizes of photos of a battle that page breaks divide; "end" puts them on its last page."""
SIZES: tuple[PhotoSize, ...] = (*OF_DIVIDED, "after")
"""All sizes of photos; "after" puts them on the page after their battle."""
MAX_TOGETHER = 4
"""The maximum number of battles on a page."""
LEAST_LOW_HEAD = 0.5
"""The share of the height of a head below which a low one never is: only its margins and its score
are smaller."""
SLACK = 0.4
"""The height that stays free on each page, because heights are rounded."""
UNDIVIDED = 15.0
"""The height that page breaks may leave free in a divided battle, whose blocks stay whole.

Casualties in paragraphs add half of their height: those of a side stay together.
"""
ROOMY = 32.0
"""The free height on a page from which a chart that is in the column of the text becomes wide."""
SHORT_JOURNAL = 0.4
"""The share of a page below which journal entries stay on one page, above their battle.

Longer entries "flow": they run from page to page, and their battle follows them.
"""


class Blocks(Struct, frozen=True):
    """The heights of the blocks of a battle, 0 for those that it does not have.

    ``head`` is the title with the score, ``low_head`` the same in less height, which only battles
    that may share a page have. ``text`` is the stories. ``rows`` and ``run`` are the casualties in
    rows and in paragraphs, and ``beside`` those in rows of the narrow column. ``aside`` is what
    else is in that column, next to text and casualties. ``hits`` is the chart of hits in its usual
    height, which is printed if there is room, and ``highest_chart`` the height from which it would
    only be stretched. ``strength`` is the chart of the strength turn by turn, which is printed if
    there is still room. ``photos`` are the heights of the photos in each size. ``journal`` is the
    height of the journal entries before the battle.
    """

    head: float
    low_head: float = 0
    text: float = 0
    rows: float = 0
    run: float = 0
    beside: float = 0
    aside: float = 0
    hits: float = 0
    highest_chart: float = MAX_CHART
    strength: float = 0
    photos: Mapping[PhotoSize, float] = {}
    journal: float = 0

    def tall(self, form: BattleForm, gap: float) -> float:
        """Return the height of the battle in a form, with this space between its blocks."""
        below = form.run and self.text > 0
        main = self.text if below else self.run if form.run else self.text + self.rows
        aside = self.aside
        if form.beside:
            main, aside = self.text, aside + self.beside
            if form.chart and not form.wide:
                main += gap + self.hits - CHART + form.chart
        blocks = [self.low_head if form.low else self.head]
        if form.photos == "margin":
            aside += self.photos["margin"]
        elif self.photos and form.photos in ON_ITS_PAGE:
            blocks.append(self.photos[form.photos])
        blocks.append(max(main, aside))
        if below:
            blocks.append(self.run)
        if form.chart and not form.chart_in_text:
            blocks.append(self.hits - CHART + form.chart)
        if form.strength:
            blocks.append(self.strength - CHART + form.strength)
        return sum(blocks) + gap * (len(blocks) - 1)

    def chart_room(self, form: BattleForm) -> float:
        """Return the height of a chart below the text that makes both columns equally high."""
        if not form.chart_in_text:
            return 0
        return self.aside + self.beside - self.text - GAP - (self.hits - CHART)

    def most_of_chart(self, form: BattleForm) -> float:
        """Return the height of the chart in a form from which it would only be stretched."""
        narrower = MAIN_WIDTH / TEXT_WIDTH if form.chart_in_text else 1
        return max(self.highest_chart * narrower, CHART)

    def is_hollow(self, form: BattleForm) -> bool:
        """Return whether the narrow column is empty in a form, although casualties fit there."""
        pinned = form.photos == "margin" and bool(self.photos)
        return bool(self.beside and self.text) and not (self.aside or form.beside or pinned)

    @property
    def forms(self) -> Iterator[BattleForm]:
        """The forms that the battle can have, the most spacious first."""
        runs = (False, True) if self.run else (False,)
        sizes = ON_ITS_PAGE if self.photos else ON_ITS_PAGE[:1]
        for run, size in product(runs, sizes):
            yield BattleForm(run=run, photos=size)
        if self.beside and self.text and not self.photos:
            yield BattleForm(beside=True)


class BattlePage(Struct, frozen=True):
    """A page with battles: their forms, and the height that remains free.

    ``start`` is the place of the first battle in the list of all battles.
    """

    start: int
    forms: tuple[BattleForm, ...]
    free: float


class PageFiller:
    """Finds the pages for battles that leave the least height free.

    ``measured`` has the heights of each battle, and ``tall`` is the height of a page. ``first`` is
    the height that is used on the first page before the first battle, and ``ending`` that of the
    journal entries after the last one. ``last`` is the weight of the free height on the last page:
    below 1 it may be less full than the others.
    """

    def __init__(
        self,
        measured: Sequence[Blocks],
        tall: float,
        first: float = 0,
        ending: float = 0,
        last: float = 1,
    ) -> None:
        self.measured, self.tall, self.first, self.ending = measured, tall, first, ending
        self.last = last
        self._best = cache(self._cheapest)

    def pages(self) -> tuple[BattlePage, ...]:
        """Return the best pages: those with the least cost."""
        return self._best(0, round(self.first, 1))[1]

    @property
    def cost(self) -> float:
        """The sum of the squares of the free heights of the best pages."""
        return self._best(0, round(self.first, 1))[0]

    @property
    def is_title_alone(self) -> bool:
        """True if the first battle does not fit below what is above it on the first page."""
        return self.pages()[0].forms[0].fresh

    def _cheapest(
        self, start: int, used: float, noted: bool = False
    ) -> tuple[float, tuple[BattlePage, ...]]:
        """Return the least cost of the battles from ``start`` on, and their pages.

        The cost is the sum of the squares of the free heights. ``used`` is the height used on the
        present page. ``noted`` is True if the journal entries before the battle are on the page
        before. This is dynamic programming: ``_best`` caches the result for each combination of
        these arguments, and each option is a page and the best pages after it.
        """
        if start == len(self.measured):
            # Journal entries at the end need a page of their own, or the rest of the present page.
            alone = (self.tall - self.ending % self.tall) ** 2
            return (0.0 if noted or used or not self.ending else alone), ()
        if noted:
            options = list(self._here(start, 0, begins=True, noted=True))
            options = options or [self._alone(start, 0)]
            return min(options, key=lambda option: option[0])
        flows = self._flows(start)
        if flows:
            # Long journal entries run from page to page, and the battle follows them.
            used = (used + self.measured[start].journal + BETWEEN) % self.tall
        options = list(self._here(start, used, begins=start > 0 and not flows and not used))
        if used:
            waste = (self.tall - used) ** 2
            overleaf = self._here(start, 0, begins=True)
            options += [(waste + cost, pages) for cost, pages in overleaf]
            journal = self._journal_at(start)
            if start and journal and not flows and used + journal <= self.tall:
                # Journal entries end the page of a divided battle, and theirs begins the next one.
                waste = (self.tall - used - journal) ** 2
                cost, pages = self._best(start, 0, True)
                options.append((waste + cost, pages))
        if not options:
            options.append(self._alone(start, used))
        return min(options, key=lambda option: option[0])

    def _here(
        self, start: int, used: float, *, begins: bool, noted: bool = False
    ) -> Iterator[tuple[float, tuple[BattlePage, ...]]]:
        """Yield an option for each number of battles that fit on the present page.

        An option is the cost and the pages from the present one to the end. If the next battle has
        short journal entries, they can be at the end of this page or at the top of the next one,
        which are two options. ``begins`` is True if a page break comes before the first battle.
        """
        for end in range(start + 1, min(start + MAX_TOGETHER, len(self.measured)) + 1):
            if end > start + 1 and self._flows(end - 1):
                return
            group, flows = self.measured[start:end], noted or self._flows(start)
            following = self._journal_at(end)
            for below in dict.fromkeys((0.0, following + BETWEEN if following else 0.0)):
                chosen = filled(group, self.tall - used - SLACK - below, flowing=flows)
                if chosen is None:
                    continue
                forms, free = chosen
                first = replace(forms[0], fresh=begins, flows=flows)
                page = BattlePage(start, (first, *forms[1:]), free)
                yield self._with_rest(page, end, noted=below > 0)

    def _journal_at(self, place: int) -> float:
        """Return the height of the journal entries before a battle, or after the last battle.

        Returns 0 if they are long: then they run from page to page.
        """
        last = place == len(self.measured)
        journal = self.ending if last else self.measured[place].journal
        return journal if journal < SHORT_JOURNAL * self.tall else 0

    def _with_rest(
        self, page: BattlePage, end: int, *, noted: bool = False
    ) -> tuple[float, tuple[BattlePage, ...]]:
        """Return the cost and the pages from this page on; the next battle is number ``end``.

        ``noted`` is True if the journal entries before that battle are on this page.
        """
        if noted:
            cost, rest = self._best(end, 0, True)
        elif end < len(self.measured) and self._flows(end):
            # Long journal entries before the next battle fill the rest of the page.
            cost, rest = self._best(end, round(self.tall - page.free, 1))
            return cost, (page, *rest)
        else:
            cost, rest = self._best(end, 0)
        weight = self.last if end == len(self.measured) else 1
        return cost + weight * page.free**2, (page, *rest)

    def _alone(self, start: int, used: float) -> tuple[float, tuple[BattlePage, ...]]:
        """Return the cost and the pages from a battle on that is too long for a page.

        If it fits without its photos, they begin the next page. Otherwise page breaks divide it.
        """
        blocks = self.measured[start]
        flows = self._flows(start)
        bare = replace(blocks, photos={})
        for taken in dict.fromkeys((used, 0.0)):
            chosen = filled([bare], self.tall - taken - SLACK, flowing=flows)
            if chosen and blocks.photos:
                (form,), free = chosen
                fresh = start > 0 if not taken or not flows else False
                form = replace(form, fresh=fresh, flows=flows, photos="after")
                cost, rest = self._best(start + 1, round(blocks.photos["after"] + BETWEEN, 1))
                return cost + free**2, (BattlePage(start, (form,), free), *rest)
        sizes: tuple[PhotoSize, ...] = OF_DIVIDED if blocks.photos else ("large",)
        choices = product(sizes, (False, True))
        options = [self._divided(start, used, *choice) for choice in choices]
        return min(
            (option for option in options if option is not None), key=lambda option: option[0]
        )

    def _divided(
        self, start: int, used: float, size: PhotoSize, charted: bool
    ) -> tuple[float, tuple[BattlePage, ...]] | None:
        """Return the cost and the pages from a battle on that page breaks divide.

        ``size`` is that of its photos. With "end" they follow the battle on its last page. With
        ``charted``, its charts fill that page. The result is None if they do not fit there.
        """
        blocks, flows = self.measured[start], self._flows(start)
        form = BattleForm(
            fresh=start > 0 and not flows,
            divided=True,
            flows=flows,
            run=bool(blocks.run),
            photos=size,
        )
        begun = 0 if form.fresh else used
        below = (begun + blocks.tall(form, GAP)) % self.tall + BETWEEN
        undivided = UNDIVIDED + blocks.run / 2
        if size == "end":
            below += blocks.photos["end"] + BETWEEN
            if below + undivided > self.tall:
                return None
        if charted:
            room = self.tall - below - undivided
            plain = blocks.tall(form, GAP)
            (with_charts,) = _with_all_charts(
                (blocks,), (form,), room, lambda forms, gap: blocks.tall(forms[0], gap) - plain
            )
            if with_charts == form:
                return None
            form = with_charts
            below += blocks.tall(form, GAP) - plain
        page = BattlePage(start, (form,), self.tall - below)
        if start + 1 == len(self.measured) or self._flows(start + 1):
            return self._with_rest(page, start + 1)
        # The next battle can begin below the end of this one, so no height counts as free here.
        cost, rest = self._best(start + 1, round(below + undivided, 1))
        return cost, (page, *rest)

    def _flows(self, place: int) -> bool:
        """Return whether the journal entries before a battle run from page to page."""
        blocks = self.measured[place]
        least = min(blocks.tall(form, GAP) for form in blocks.forms) + BETWEEN
        return blocks.journal >= SHORT_JOURNAL * self.tall or (
            blocks.journal > 0 and blocks.journal + least > self.tall
        )


def may_share_page(measured: Sequence[Blocks], tall: float) -> set[int]:
    """Return the places of battles that may fit on a page with one next to them.

    Their low heads are not yet measured, so each counts as the least height that it can have.
    """
    least = [
        min(blocks.tall(form, GAP) for form in blocks.forms) - (1 - LEAST_LOW_HEAD) * blocks.head
        for blocks in measured
    ]
    pairs = (
        (place, place + 1)
        for place, (upper, lower) in enumerate(pairwise(least))
        if upper + BETWEEN + lower <= tall
    )
    return {place for pair in pairs for place in pair}


def filled(
    group: Sequence[Blocks], room: float, *, flowing: bool = False
) -> tuple[tuple[BattleForm, ...], float] | None:
    """Return the forms with which battles fill the ``room`` on a page best, and the height left.

    Returns None if they do not fit. If there is still room in the most spacious forms, charts
    become higher and the spaces between the blocks wider. ``flowing`` is True if the journal
    entries before the first battle flow: their height is not counted.
    """
    journals = [each.journal for each in (group[1:] if flowing else group) if each.journal]
    fixed = sum(journals) + BETWEEN * (len(journals) + len(group) - 1)

    def tall(forms: Sequence[BattleForm], gap: float) -> float:
        pairs = zip(group, forms, strict=True)
        return fixed + sum(blocks.tall(form, gap) for blocks, form in pairs)

    choices = [*product(*(tuple(each.forms) for each in group))]
    fitting = [forms for forms in choices if tall(forms, GAP) <= room]
    if not fitting and len(group) > 1 and all(blocks.low_head for blocks in group):
        lower = (tuple(replace(form, low=True) for form in forms) for forms in choices)
        fitting = [forms for forms in lower if tall(forms, GAP) <= room]
    if not fitting:
        return None

    def fullness(forms: Sequence[BattleForm]) -> tuple[int, float]:
        hollow = sum(blocks.is_hollow(form) for blocks, form in zip(group, forms, strict=True))
        return -hollow, tall(forms, GAP)

    best = max(fitting, key=fullness)
    forms = _with_all_charts(group, best, room, tall)
    if room - tall(forms, GAP) > ROOMY:
        wide = tuple(replace(form, wide=form.beside) for form in best)
        with_wide = _with_all_charts(group, wide, room, tall)
        forms = max(forms, with_wide, key=lambda each: tall(each, GAP))
    gap = GAP
    while gap < MAX_GAP and tall(forms, gap + STEP) <= room:
        gap += STEP
    wider = gap if gap > GAP else 0
    return tuple(replace(form, gap=wider) for form in forms), room - tall(forms, gap)


def _with_all_charts(
    group: Sequence[Blocks],
    forms: tuple[BattleForm, ...],
    room: float,
    tall: Callable[[Sequence[BattleForm], float], float],
) -> tuple[BattleForm, ...]:
    return _with_strength(group, _with_charts(group, forms, room, tall), room, tall)


def _with_charts(
    group: Sequence[Blocks],
    forms: tuple[BattleForm, ...],
    room: float,
    tall: Callable[[Sequence[BattleForm], float], float],
) -> tuple[BattleForm, ...]:
    """Return the forms with a chart of hits for each battle, as far as there is room.

    The rest of the room makes these charts higher, as far as that makes their marks larger.
    """
    for place, blocks in enumerate(group):
        if blocks.hits:
            charted = (*forms[:place], replace(forms[place], chart=CHART), *forms[place + 1 :])
            forms = charted if tall(charted, GAP) <= room else forms
    count = sum(form.chart > 0 for form in forms)
    if not count:
        return forms
    share = (room - tall(forms, GAP)) / count
    higher_forms = []
    for blocks, form in zip(group, forms, strict=True):
        higher = max(CHART, blocks.chart_room(form)) + share
        height = floor(min(higher, blocks.most_of_chart(form))) if form.chart else 0
        higher_forms.append(replace(form, chart=height))
    return tuple(higher_forms)


def _with_strength(
    group: Sequence[Blocks],
    forms: tuple[BattleForm, ...],
    room: float,
    tall: Callable[[Sequence[BattleForm], float], float],
) -> tuple[BattleForm, ...]:
    """Return the forms with a chart of the strength turn by turn for each battle, if all fit.

    The rest of the room makes these charts higher. Battles on the same page are alike.
    """
    if not all(blocks.strength for blocks in group):
        return forms
    charted = tuple(replace(form, strength=CHART) for form in forms)
    share = (room - tall(charted, GAP)) / len(group)
    if share < 0:
        return forms
    height = floor(min(CHART + share, MAX_CHART))
    return tuple(replace(form, strength=height) for form in charted)
