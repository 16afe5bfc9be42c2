"""After the battle: the house rules *Out of action check* and *Renown*, both Muster's own and off by default."""

from rulebook.ruleset import Award, Deed, Fate, Record, Settings
from rulebook.systems.argad.book import setting

CHECK = "House rule: Out of action check"
RENOWN = "House rule: Renown"
DEAD_UP_TO = 2


def fate_after(record: Record, settings: Settings) -> tuple[Fate, int]:
    """What becomes of a fighter, and how many battles he misses. Who was killed stays dead unless the check says no."""
    if record.fighter not in recovery_dice((record,), settings) or record.recovery_roll is None:
        return record.fate, 0
    return (Fate.DEAD if record.recovery_roll <= DEAD_UP_TO else Fate.FIT), 0


def recovery_dice(records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
    """Those for whom a die is thrown: everybody killed or put out of action, where the check is played."""
    if not setting(settings, "out_of_action_check"):
        return ()
    return tuple(each.fighter for each in records if each.fate is Fate.DEAD or each.wounds == "out")


def awards(records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings) -> tuple[Award, ...]:
    """The Renown of a battle: 1 for surviving, 1 for each kill of an enemy of equal or higher class. Else nothing."""
    if not setting(settings, "renown"):
        return ()
    alive = {each.fighter for each in records if fate_after(each, settings)[0] is not Fate.DEAD}
    survived = (
        Award(each.fighter, 1, "survived", "Survived the battle.", RENOWN) for each in records if each.fighter in alive
    )
    kills = (
        Award(each.fighter, 1, "kill", f"Killed {each.victim_name} (class {each.victim_rank}).", RENOWN)
        for each in deeds
        if each.fighter in alive and each.killed and not each.friendly and each.victim_rank >= each.rank
    )
    return (*survived, *kills)


def raised_class(class_: int, renown: int, settings: Settings) -> int | None:
    """The class that so much Renown may raise somebody to, None where it does not suffice or the ceiling is reached."""
    reached = setting(settings, "renown") and renown >= setting(settings, "renown_threshold")
    return class_ + 1 if reached and class_ < setting(settings, "renown_ceiling") else None
