"""What the fields of a turn's events are for, in a few words: forms show it, and the API tells it with the kinds.

Keys are "kind.field", or the field alone where it means the same everywhere.
"""

from collections.abc import Mapping

HELP: Mapping[str, str] = {
    "resolve": "A fighter of a Wavering warband who wants contact, or of a Routing one, throws it first.",
    "nerve": "Lower than the own Rank, or its courage fails.",
    "lucky": "Once a battle: one die of a shot or blow that concerns the Lucky is thrown again.",
    "luck": "Only with a Lucky re-roll.",
    "die": "Only if the result asks for one.",
    "reroll": "Only if a die is thrown again.",
    "rider_die": "For a hit on a rider: 1 to 4 strikes the mount.",
    "defence_reroll": "Only if a defending Weapon Master throws his lowest die again.",
    "words": "Whatever is worth telling.",
    "move.terrain": "The worst that it crosses.",
    "move.passes_enemy": "Then it goes no faster than at a normal move.",
    "move.place": "Where it moves: the field, a building, a ship.",
    "move.extra_turns": "For ships, wagons and mounts that turn on the spot.",
    "move.doors": "Each takes some of the move.",
    "move.jumps": "On top of the inches walked. More than 1 inch takes a Dexterity Check.",
    "move.climbs": "Takes a Dexterity Check; who fails falls as far as it has climbed.",
    "move.falls": "How deep it would fall.",
    "move.in_water": "Who is Stunned there may drown.",
    "move.undergrowth": "The spell slows it.",
    "move.enters_ground": "In a Duel, whoever does it first pays victory points.",
    "move.gun": "The gun that it pushes along.",
    "move.handler_away": "A hound more than 12 inches from its handler moves on a 4 or more only.",
    "move.leash": "For a hound without its handler: 4 or more.",
    "move.dexterity": "Two dice, for a jump, a climb or a leap aboard.",
    "move.fall_dice": "Two dice, if the check failed.",
    "order.target": "The enemy at whom those ordered may shoot.",
    "order.inches": "3 at most, to the farthest of those who are ordered.",
    "action.cover": "Whoever hides is in cover of some sort.",
    "order.near": "They may be shot at as well.",
    "shot.cover": "What the target stands behind.",
    "shot.shelter": "A wall, a window, a doorway.",
    "shot.between": "Those whose bases the line of sight crosses.",
    "shot.foliage": "Light cover that the line of sight crosses.",
    "shot.moved": "A short move goes with a shot, and makes it harder.",
    "shot.twice": "An Archer with a bow may shoot twice, each at one less.",
    "shot.from_behind": "Then a shield does not count.",
    "shot.at_point": "Whom it reaches is the target; the inches are those to the point.",
    "shot.wide_of": "A miss into a combat may strike somebody else there: whom it was meant for.",
    "shot.beside": "A blast or spray strikes everybody near: the one at whom it was fired.",
    "spell.resisted_by": "The target itself, or an enemy Magician.",
    "spell.victims": "Everybody within 6 inches of the Magician.",
    "spell.counters": "Half a die for each of them, rounded up.",
    "spell.named": "For somebody summoned.",
    "object.heavy": "A heavy thing takes an action and both hands.",
    "combat.indoors": "Long weapons are of little use there.",
    "combat.doorway": "Only one enemy reaches it.",
    "combat.window": "Only one enemy reaches it.",
    "combat.rider": "The one who rides by; only where two could.",
    "combat.moved_on": "It brings the counters that were left, less one.",
    "combat.in_river": "Who fights out of the water is worse off.",
    "attack.again": "A Fast fighter, once a round.",
    "attack.at_mount": "Fighters on foot may strike at the mount.",
    "free_attack.weapon": "Empty: the one in hand.",
    "water.drift": "Two dice, if the river sweeps it on.",
    "water.drowning": "For who is Stunned in the water.",
    "challenge.inches": "6 at most.",
    "scout.inches": "How far ahead it begins.",
}


def help_of(kind: str, field: str) -> str:
    """What a field is for; "" where its label says enough."""
    return HELP.get(f"{kind}.{field}") or HELP.get(field, "")
