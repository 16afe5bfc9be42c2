"""What a list limits: missile weapons, allies, unique figures, servants, hounds, options for some only, size."""

from collections import Counter
from collections.abc import Iterator

from rulebook.ruleset import Problem, Severity
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Option, Share
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, Member, ids, within
from rulebook.systems.en_garde.rosters.builds import plain
from rulebook.systems.en_garde.rosters.loadouts import may_handle


def limit_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Every breach of a limit."""
    yield from _size(roster)
    yield from _missiles(roster)
    yield from _allies(roster)
    yield from _unique(roster)
    yield from _servants(roster)
    yield from handler_problems(roster)
    yield from _all_mounted(roster)
    yield from _shares(roster)


def _size(roster: AssembledRoster) -> Iterator[Problem]:
    most = catalogue.catalogue().calculator.most_fighters
    if not roster.members:
        yield Problem(code="no-fighters", sentence="A warband needs fighters: recruit some.", field="fighters")
    if roster.size > most:
        severity = Severity.FORBIDS if roster.rules.size_limit == "forbid" else Severity.WARNS
        sentence = f"A warband has up to {most} fighters; this one has {roster.size}."
        yield Problem("too-many-fighters", sentence, severity, field="fighters", source="Ruling P9")


def shoots(member: Member, roster: AssembledRoster) -> bool:
    """Whether the list's limit on missile weapons counts this fighter (Ruling P10)."""
    named = roster.army.composition.missile_weapons
    if named:
        return any(member.outfit.carries(key) for key in named)
    missiles = catalogue.catalogue().arms.missiles
    every = roster.rules.missile_limit == "all"
    return any(key in missiles and (every or missiles[key].long_range) for key in member.outfit.gear)


def _missiles(roster: AssembledRoster) -> Iterator[Problem]:
    share = roster.army.composition.missile_share
    if not share:
        return
    shooters = [member for member in roster.members if shoots(member, roster)]
    if not within(len(shooters), share, roster.size):
        most = roster.size * share[0] // share[1]
        sentence = f"At most {most} of {roster.size} may have missile weapons, not {len(shooters)}."
        yield Problem(code="too-many-missiles", sentence=sentence, fighters=ids(shooters), source="Ruling P10")


def _allies(roster: AssembledRoster) -> Iterator[Problem]:
    share = roster.army.composition.allies_share
    allies = [member for member in roster.members if member.build.list_key == roster.army.composition.allies]
    if share and not within(len(allies), share, roster.size):
        most = roster.size * share[0] // share[1]
        sentence = f"At most {most} of {roster.size} may be allies, not {len(allies)}."
        yield Problem(code="too-many-allies", sentence=sentence, fighters=ids(allies), source=roster.army.name)


def _unique(roster: AssembledRoster) -> Iterator[Problem]:
    names = Counter(member.build.profile for member in roster.members if member.outfit.profile.unique)
    for profile, count in names.items():
        if count > 1:
            twins = [member for member in roster.members if member.build.profile == profile]
            sentence = f"There is only one {twins[0].outfit.profile.name}, not {count}."
            yield Problem(code="unique-twice", sentence=sentence, fighters=ids(twins), source="Ruling D10")


def _servants(roster: AssembledRoster) -> Iterator[Problem]:
    composition = roster.army.composition
    if not composition.servants:
        return
    own = [(member.build.profile.partition("/")[2], member) for member in roster.members]
    servants = [member for key, member in own if key == composition.servants]
    masters = len({key for key, _ in own if key in composition.masters})
    if len(servants) > masters:
        sentence = f"Each master has one servant: {masters} masters, {len(servants)} servants."
        yield Problem(code="too-many-servants", sentence=sentence, fighters=ids(servants), source="Ruling P22")


def is_handler(member: Member) -> bool:
    """Whether a fighter of the roster may mind hounds. Ruling P20."""
    return may_handle(member.outfit)


def handler_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Whether there are handlers enough for the hounds. Ruling P20."""
    hounds = [member for member in roster.members if member.outfit.profile.fighters_per_handler]
    if not hounds:
        return
    needed = -(-len(hounds) // hounds[0].outfit.profile.fighters_per_handler)
    handlers = sum(is_handler(member) for member in roster.members)
    if handlers < needed:
        sentence = (
            f"{len(hounds)} hounds need {needed} on foot without optional equipment to mind them, not {handlers}."
        )
        yield Problem(code="too-few-handlers", sentence=sentence, fighters=ids(hounds), source="Ruling P20")


def _all_mounted(roster: AssembledRoster) -> Iterator[Problem]:
    riders = [member for member in roster.members if _needs_all_mounted(member)]
    walkers = [m for m in roster.members if not m.outfit.mounted and not m.outfit.profile.fighters_per_handler]
    if riders and walkers:
        sentence = f"{riders[0].outfit.profile.name} rides only if everybody does; {len(walkers)} walk."
        yield Problem(code="not-all-mounted", sentence=sentence, fighters=ids((*riders, *walkers)), source="Ruling P23")


def _needs_all_mounted(member: Member) -> bool:
    return any(line.if_all_mounted and member.build.picks(line.key) for line in member.outfit.profile.options)


def _shares(roster: AssembledRoster) -> Iterator[Problem]:
    profiles = {member.build.profile: member.outfit.profile for member in roster.members}
    for reference, profile in profiles.items():
        lines = [line for line in profile.options if line.share]
        if lines:
            same = [member for member in roster.members if member.build.profile == reference]
            for line in lines:
                yield from _share(roster, line, same)


def _share(roster: AssembledRoster, line: Option, same: list[Member]) -> Iterator[Problem]:
    takers = [member for member in same if _takes(member, line)]
    most = _most(line.share or (1, 1), len(same), roster)
    if len(takers) > most:
        what = catalogue.attribute_name(line.share_of) if line.share_of else f"the option “{line.key}”"
        sentence = f"At most {most} of {len(same)} {same[0].outfit.profile.name} may have {what}, not {len(takers)}."
        yield Problem(
            code="share-exceeded", sentence=sentence, fighters=ids(takers), value=line.key, source="Rulings P12, P13"
        )


def _takes(member: Member, line: Option) -> bool:
    picks = member.build.picks(line.key)
    return line.share_of in map(plain, picks) if line.share_of else bool(picks)


def _most(share: Share, total: int, roster: AssembledRoster) -> int:
    exact = total * share[0] // share[1]
    return max(exact, 1) if roster.rules.share_rounding == "at-least-one" else exact
