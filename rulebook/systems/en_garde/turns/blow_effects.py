"""What a blow leaves behind: who is hurt, and a pistol that is empty."""

from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.blows import Blow
from rulebook.systems.en_garde.table.missiles import missile
from rulebook.systems.en_garde.turns.blow_outcomes import STRIKE, grip_in, harmed, is_by_mount
from rulebook.systems.en_garde.turns.combat_events import FreeAttack
from rulebook.systems.en_garde.turns.harm import Means, WoundEvent, harm
from rulebook.systems.en_garde.turns.loading import fired


def harmed_by(state: PlayState, event: STRIKE, logged: LoggedEvent, blow: Blow) -> PlayState:
    """The state with whoever a blow or its riposte has hurt."""
    victim, result = harmed(event, blow)
    if result is None:
        return state
    riposte = blow.riposte is not None
    striking = event.target if riposte else event.attacker
    wound = WoundEvent(
        victim=victim,
        result=result,
        means=means_of(event, riposte),
        attacker=striking,
        weapon="" if is_by_mount(event) and not riposte else grip_in(state, event, striking).weapon,
        subdue=blow.subdued,
        on_mount=blow.on_mount or (riposte and is_by_mount(event)),
        die=event.die,
    )
    return harm(state, logged, wound)


def means_of(event: STRIKE, riposte: bool) -> Means:
    """How the harm of a blow is dealt."""
    if riposte:
        return Means.RIPOSTE
    if isinstance(event, FreeAttack):
        return Means.FREE_ATTACK
    return Means.MOUNT if event.by_mount else Means.MELEE


def pistol_fired(state: PlayState, event: STRIKE) -> PlayState:
    """The state with a pistol emptied, if that is what the blow was struck with. Rule book: "Pistol"."""
    if is_by_mount(event) or grip_in(state, event, event.attacker).weapon != "pistol":
        return state
    return fired(state, event.attacker, "pistol", missile("pistol").reload)
