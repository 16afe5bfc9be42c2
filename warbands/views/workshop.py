"""What the pages that build a roster have in common: the warband as it stands, and its rules' catalogue."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.http import Http404
from msgspec import Struct
from msgspec.structs import replace

from core.ruleset_words import spoken
from core.views import MemberRequest, editable
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import AS_RECRUITED, BuildData, Condition, RosterTotals, RulesError, Ruleset, Sheet
from rulebook.values.reference import ListSection
from warbands.forms.builds import BuildForm
from warbands.models import Warband
from warbands.reading import open_lists, read_state, rules_of

Entry = Mapping[str, Any]


class Workshop(Struct, frozen=True):
    """A warband on the bench: the row, how it stands, its rules and their catalogue."""

    warband: Warband
    state: WarbandState
    rules: Ruleset
    catalogue: Entry

    @property
    def lists(self) -> list[Entry]:
        """The lists from which it recruits, its own first, each with the profiles that are open to it."""
        return open_lists(self.catalogue, self.warband.faction)

    @property
    def sections(self) -> list[ListSection]:
        """The lists with what is open to it, as people browse them."""
        known = {section.key: section for section in self.rules.reference(self.state.settings).lists}
        sections = []
        for entry in self.lists:
            section, open_to_it = known[entry["key"]], {profile["key"] for profile in entry["profiles"]}
            profiles = tuple(profile for profile in section.profiles if profile.key in open_to_it)
            sections.append(replace(section, profiles=profiles))
        return sections

    @property
    def totals(self) -> RosterTotals:
        """The roster's sums."""
        return self.rules.roster_totals(self.state.roster)

    @property
    def context(self) -> dict[str, Any]:
        """What every page of the workshop shows."""
        shown = {
            "warband": self.warband,
            "state": self.state,
            "totals": self.totals,
            "words": spoken(self.rules.words),
            "shown": self.rules.shown(self.state.settings),
        }
        return {**shown, "section": "warbands"}

    def sheet_of(self, build: BuildData, condition: Condition = AS_RECRUITED) -> Sheet:
        """How a fighter of this build looks in this condition. Raises RulesError with every problem of the build."""
        terms = self.state.terms
        return self.rules.sheet(self.rules.clean_build(build, terms), terms, condition)

    def look(self, form: BuildForm, condition: Condition = AS_RECRUITED) -> Sheet | None:
        """The sheet of what was filled in, of the bare profile if nothing was; None if it makes no sense."""
        if form.is_bound and not form.is_valid():
            return None
        try:
            return self.sheet_of(form.build if form.is_bound else form.before, condition)
        except RulesError as error:
            form.add_errors(error)
            return None


def open_workshop(request: MemberRequest, pk: UUID) -> Workshop:
    """The warband on the bench. Raises Http404 if it is hidden, PermissionDenied if it is not the asker's."""
    warband = editable(Warband.objects, request.user, pk)
    state = read_state(warband)
    rules = rules_of(warband)
    return Workshop(warband, state, rules, rules.catalogue(state.settings))


def keyed(entries: Iterable[Entry], key: str) -> Entry:
    """The entry of that key. Raises Http404."""
    found = next((each for each in entries if each["key"] == key), None)
    if found is None:
        raise Http404
    return found
