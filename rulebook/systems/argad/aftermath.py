"""After the battle: the house rules *Out of action check* and *Renown*, both Muster's own and off
by default."""

from rulebook.ruleset import OneStep
from rulebook.systems.argad.book import settled
from rulebook.systems.argad.roster import read_build, sheet
from rulebook.values.battles import Award, Deed, Record
from rulebook.values.problems import Settings
from rulebook.values.rosters import BuildData, CampaignTerms, Fate, RankUpStep

RENOWN = "House rule: Renown"


def fate_after(record: Record, settings: Settings) -> tuple[Fate, int]:
    """Return a fighter's fate after the battle, and how many battles he misses.

    Who was killed stays dead unless the check says no.
    """
    if record.fighter not in recovery_dice((record,), settings) or record.recovery_roll is None:
        return record.fate, 0
    return (Fate.DEAD if record.recovery_roll <= 2 else Fate.FIT), 0


def recovery_dice(records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
    """Return the fighters who roll a die: everybody killed or put out of action, if the check is
    played."""
    if not settled(settings).out_of_action_check:
        return ()
    return tuple(each.fighter for each in records if each.fate is Fate.DEAD or each.wounds == "out")


def awards(
    records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings
) -> tuple[Award, ...]:
    """Return the Renown of a battle: 1 for surviving, 1 for each kill of an enemy of equal or
    higher class.

    Anything else earns nothing.
    """
    if not settled(settings).renown:
        return ()
    alive = {each.fighter for each in records if fate_after(each, settings)[0] is not Fate.DEAD}
    # With the check, a victim's die may find it alive.
    felled = "Struck down" if settled(settings).out_of_action_check else "Killed"
    survived = (
        Award(each.fighter, 1, "survived", "Survived the battle.", RENOWN)
        for each in records
        if each.fighter in alive
    )
    kills = (
        Award(
            each.fighter,
            1,
            "kill",
            f"{felled} {each.victim_name} (class {each.victim_rank}).",
            RENOWN,
        )
        for each in deeds
        if each.fighter in alive
        and each.killed
        and not each.friendly
        and each.victim_rank >= each.rank
    )
    return (*survived, *kills)


class Renown(OneStep):
    """Progression by house rule alone: no ranks, but a class more for enough Renown, up to the
    club's ceiling."""

    awards = staticmethod(awards)
    fate_after = staticmethod(fate_after)
    recovery_dice = staticmethod(recovery_dice)
    card = staticmethod(sheet)

    def experience(self, settings: Settings) -> bool:
        return settled(settings).renown

    def next_step(self, build: BuildData, terms: CampaignTerms) -> tuple[str, RankUpStep] | None:
        rules = settled(terms.settings)
        better = read_build(build, rules).class_ + 1
        if not rules.renown or better > min(rules.renown_ceiling, rules.highest_class):
            return None
        made, name = {**build, "class": better}, f"Class {better}"
        return f"class-{better}", RankUpStep(made, better, 0, rules.renown_threshold, name, RENOWN)
