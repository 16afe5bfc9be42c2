"""The log of a battle of Wards: what each kind of event does, what is refused, and the result it
comes to."""

import pytest
from msgspec.structs import replace

from rulebook.battle_log.play import open_play
from rulebook.ruleset import Fate, LoggedEvent, Outcome
from rulebook.systems.wards.ending import ArrowsRecovered, Lost, OrderRestored, WardsRestored
from rulebook.systems.wards.events import GeneralActed, WardMoved
from rulebook.systems.wards.log import LOG, losses_in_words, read_result
from rulebook.systems.wards.state import ward_name, wards_of
from tests.rulebook.wards.field import Field, setup

VAN, REAR, ENEMY = "red/Van", "red/Rearguard", "blue/Van"


@pytest.fixture
def field() -> Field:
    return Field().tell("turn", side="red")


def test_only_losses_are_logged_before_first_turn() -> None:
    assert Field().refused("morale", ward=VAN) == ["no-turn"]
    assert Field().refused("loss", fighter="red-bows", halves=1) == []


def test_wards_are_those_with_units_on_the_table(field: Field) -> None:
    assert [ward_name(each) for each in wards_of(field.play.state, "red")] == [
        "Van",
        "Rearguard",
        "Cavalry",
    ]
    assert field.refused("morale", ward="red/Nowhere") == ["unknown-ward"]


def test_unit_in_another_ward_has_the_key_of_that_ward(field: Field) -> None:
    bows = field.of("red-bows")
    assert bows.key == f"red/{bows.ward}"
    assert replace(bows, ward="Rearguard").key == "red/Rearguard"
    assert replace(bows, ward="").key == ""


def test_the_steps_of_a_turn_go_in_their_order_and_the_first_seven_are_the_active_players(
    field: Field,
) -> None:
    assert field.refused("morale", ward=ENEMY, dice=[]) == ["not-active"]
    field.tell("order")
    assert field.refused("morale", ward=VAN) == ["step-over"]
    assert field.refused("morale", ward=VAN, overruled="We forgot it.") == []
    field.tell("turn", side="blue")
    assert field.refused("morale", ward=ENEMY) == []


@pytest.mark.parametrize(
    ("dice", "morale", "out"),
    [([1, 2, 3], "steady", False), ([4, 1, 1], "hesitation", True), ([4, 5, 1], "stand", True)],
)
def test_morale_takes_markers_away_and_may_put_the_ward_out_of_order(
    field: Field, dice: list[int], morale: str, out: bool
) -> None:
    field.tell("morale", ward=REAR, hostile_faces=3, dice=dice)
    assert field.play.state.ward(REAR).morale == morale
    assert field.of("red-pikes").out_of_order is out
    assert field.refused("morale", ward=REAR, hostile_faces=3, dice=[1, 1, 1]) == ["already"]


def test_a_rout_costs_half_bases_and_guns_and_the_ward_neither_moves_nor_shoots(
    field: Field,
) -> None:
    field.tell("morale", ward=REAR, hostile_faces=3, dice=[4, 5, 6], rout=[1, 2], keeps=True)
    assert [field.of(f"red-{each}").halves for each in ("levies", "shots", "pikes")] == [6, 3, 7]
    assert field.of("red-bombard").gone == "lost"
    assert field.refused("shoot", ward=REAR, target=ENEMY) == ["routs"]
    assert field.refused("move", ward=REAR) == ["stands"]
    assert field.refused("fight", ward=REAR, target=ENEMY) == ["stands"]


def test_the_owner_of_a_rout_names_who_loses_bases_and_may_throw_again(field: Field) -> None:
    kwargs = {"ward": REAR, "hostile_faces": 3, "dice": [4, 5, 6], "rout": [6, 6]}
    assert field.refused("morale", **kwargs) == ["wrong-dice"]
    field.tell("morale", **kwargs, rout_again=[1, 1], losses=["red-pikes", "red-pikes"])
    assert (field.of("red-pikes").halves, field.of("red-levies").halves) == (6, 7)


def test_a_general_makes_dice_be_thrown_again_where_he_stands(field: Field) -> None:
    field.tell("general", fighter="red-duke", does="attach", to="red-spears")
    kwargs = {"ward": VAN, "hostile_faces": 4, "dice": [4, 4]}
    assert field.refused("morale", **kwargs) == ["wrong-dice"]
    assert field.refused("morale", **kwargs, again=[1, 1]) == []


def test_attaching_is_free_and_by_house_rule_takes_a_die(field: Field) -> None:
    assert field.refused(
        "general", fighter="red-duke", does="attach", to="red-spears", dice=[4]
    ) == ["wrong-dice"]
    strict = Field(general_actions=True).tell("turn", side="red")
    strict.tell("general", fighter="red-duke", does="attach", to="red-spears", dice=[1])
    assert strict.of("red-duke").stands_with == ""
    assert strict.told == ("Reds duke fails on a 1.",)


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        ({"fighter": "red-spears", "does": "detach"}, ["wrong-arm"]),
        ({"fighter": "red-duke", "to": "blue-spears"}, ["no-unit"]),
        ({"fighter": "red-duke", "to": "red-scouts"}, ["unit-off-table"]),
        ({"fighter": "red-duke", "does": "detach"}, ["not-attached"]),
    ],
)
def test_generals_join_units_of_their_own_that_are_there(
    field: Field, data: dict[str, str], codes: list[str]
) -> None:
    assert field.refused("general", **data) == codes


def test_a_volley_leaves_casualties_disorder_and_empty_quivers(field: Field) -> None:
    kwargs = {
        "ward": VAN,
        "target": ENEMY,
        "mode": "intense",
        "dice": [4, 1, 1, 1, 1, 6],
        "target_hit": ["blue-bows"],
    }
    field.tell("shoot", **kwargs, saves=[3, 6], disorder=[5], low=[3, 4, 1])
    assert field.told == ("2 hits.", "Casualties: Blues bows 1.", "Out of order: Blues bows.")
    assert (field.of("blue-bows").casualties, field.of("blue-spears").casualties) == (1, 0)
    assert [field.of(f"red-{each}").low for each in ("spears", "bills", "bows")] == [
        True,
        False,
        True,
    ]
    field.tell("turn", side="red")
    assert field.refused("shoot", ward=VAN, target=ENEMY, mode="intense") == ["low-on-arrows"]
    field.tell("arrows", dice=[5, 4])
    assert [field.of(f"red-{each}").low for each in ("spears", "bows")] == [False, True]


def test_a_ward_shoots_once_and_at_enemies(field: Field) -> None:
    assert field.refused("shoot", ward=VAN, target=REAR) == ["own-side"]
    field.tell("shoot", ward=VAN, target=ENEMY, who=["red-bows"], dice=[1, 1])
    assert field.refused("shoot", ward=VAN, target=ENEMY, who=["red-bows"]) == ["already"]
    assert field.refused("shoot", ward=VAN, target=ENEMY, dice=[1, 1, 1, 1]) == []
    field.tell("shoot", ward=VAN, target=ENEMY)
    assert field.refused("shoot", ward=VAN, target=ENEMY) == ["nobody-shoots"]
    kwargs = {"ward": REAR, "target": ENEMY, "target_hit": ["red-bows"]}
    assert field.refused("shoot", **kwargs) == ["not-in-ward"]


def test_guns_kill_without_saves_and_are_turned_until_they_are_loaded(field: Field) -> None:
    field.tell("gun", fighter="red-culverin", target=ENEMY, dice=[6, 1], again=[6], disorder=[1, 1])
    assert [field.of(f"blue-{each}").casualties for each in ("spears", "bills")] == [1, 1]
    field.tell("loading", fighter="red-culverin", dice=[5, 6, 1], again=[5])
    assert field.of("red-culverin").faces == 4
    assert field.refused("loading", fighter="red-bombard", dice=[1, 1, 1], again=[5]) == [
        "wrong-dice"
    ]
    assert field.refused("gun", fighter="red-spears", target=ENEMY) == ["wrong-arm"]


def test_an_empty_gun_is_refused_only_where_a_club_says_what_a_full_load_is() -> None:
    for full, codes in ((0, []), (3, ["not-loaded"])):
        field = Field(full_load=full).tell("turn", side="red")
        field.tell("gun", fighter="red-bombard", target=ENEMY).tell("turn", side="red")
        assert field.refused("gun", fighter="red-bombard", target=ENEMY) == codes
    field.tell("loading", fighter="red-bombard", dice=[5, 5, 5]).tell("turn", side="red")
    assert field.refused("gun", fighter="red-bombard", target=ENEMY) == []


def test_hand_gunners_kill_half_bases(field: Field) -> None:
    field.tell("hand-gunners", fighter="red-shots", at="blue-bills", dice=[6, 6])
    assert field.of("blue-bills").halves == 4
    assert field.refused("hand-gunners", fighter="red-bows", at="blue-bills") == ["wrong-arm"]


def test_a_ward_that_fails_to_move_sideways_is_out_of_order_and_has_four_dice_next_time(
    field: Field,
) -> None:
    field.tell("move", ward=VAN, move="sideways", dice=[3, 3, 4])
    assert field.of("red-bows").out_of_order
    field.tell("order", dice=[4, 3, 4, 1, 1]).tell("turn", side="red")
    assert [field.of(f"red-{each}").out_of_order for each in ("spears", "bills", "bows")] == [
        False,
        True,
        False,
    ]
    assert field.refused("move", ward=VAN, move="sideways", dice=[3, 3, 5]) == ["wrong-dice"]
    field.tell("move", ward=VAN, move="sideways", dice=[3, 3, 4, 1])
    assert field.told == ("11: Van succeeds.",)


def test_front_and_rear_are_swapped(field: Field) -> None:
    field.tell("move", ward=VAN, move="swap")
    assert [field.of(f"red-{each}").place for each in ("spears", "bills", "bows")] == [
        "rear",
        "rear",
        "front",
    ]
    assert field.refused("move", ward=VAN) == ["already"]


def fight(field: Field, own: list[int], other: list[int], **kwargs: object) -> Field:
    """Log an assault of the red van on the blue one, with all hits saved and nobody restored."""
    hits, against = (sum(die >= 5 for die in dice) for dice in (own, other))
    saves = {"saves": [6] * against, "target_saves": [6] * hits, "order": [1, 1, 1]}
    return field.tell(
        "fight", ward=VAN, target=ENEMY, dice=own, target_dice=other, **{**saves, **kwargs}
    )


def test_a_fight_is_won_by_two_hits_more_and_leaves_marks_and_disorder(field: Field) -> None:
    own, other = [5, 5, 1, 1, 1, 1, 1, 1, 1, 1], [1] * 10
    fight(field, own, other, order=[4, 1, 1])
    assert field.told[0] == "Hits 2 to 0: Van (Reds) wins."
    assert [field.of(f"red-{each}").out_of_order for each in ("spears", "bills", "bows")] == [
        False,
        True,
        True,
    ]
    assert field.of("blue-spears").out_of_order
    assert [field.of(f"red-{each}").winning for each in ("spears", "bills", "bows")] == [
        True,
        True,
        False,
    ]
    won = [deed.fighter for deed in field.play.state.deeds if deed.kind == "won"]
    assert won == ["red-spears", "red-bills"]
    assert field.play.state.ward(VAN).fights_won == 1
    assert field.refused("fight", ward=VAN, target=ENEMY) == ["already"]


def test_one_hit_more_is_the_defenders_and_the_winner_loses_his_markers(field: Field) -> None:
    fight(field, [5] + [1] * 9, [1] * 10, target_saves=[1], target_hit=["blue-bills"])
    assert field.play.state.ward(ENEMY).fights_won == 1
    assert field.of("blue-bills").casualties == 0
    assert field.told[-1] == "Casualties: Blues bills 1."


def test_the_dice_of_a_fight_stand_line_by_line(field: Field) -> None:
    fight(field, [1] * 10, [1] * 10)
    outcome = field.play.outcome()
    assert outcome is not None
    assert [each.total for each in outcome.sums] == [10, 10]
    assert [line.amount for line in outcome.sums[0].lines] == [3, 3, 3, 2, -1]


def test_an_unreliable_general_may_not_fight_at_all(field: Field) -> None:
    field.tell("general", fighter="red-baron", does="attach", to="red-spears")
    field.tell("fight", ward=VAN, target=ENEMY, unreliable=[1, 3])
    assert field.told == ("Van (Reds) does not fight (Ruling W-U1).",)
    assert not field.of("red-spears").out_of_order


def test_the_fifth_hit_strikes_the_general_who_may_fall_with_two_casualties(field: Field) -> None:
    field.tell("general", fighter="red-earl", does="attach", to="red-spears")
    fight(field, [1] * 12, [5] * 5 + [1] * 5, order=[1, 1, 1], leading=1)
    assert field.play.state.struck == (("red-earl", True),)
    assert field.refused("turn", side="blue") == ["still-open"]
    assert field.refused("ended", winner="red") == ["still-open"]
    assert field.refused("ended", winner="red", overruled="The Blues give up.") == []
    field.tell("general-hit", fighter="red-earl", dice=[2], leaves=[6, 1, 1])
    assert field.of("red-earl").gone == "killed"
    assert (field.of("red-spears").place, field.of("red-spears").halves) == ("reserve", 7)
    assert not list(field.play.state.struck)
    field.tell("new-general", fighter="red-earl", dice=[1, 2, 3])
    assert (field.of("red-earl").gone, field.of("red-earl").place) == ("", "reserve")


def test_cavalry_charges_once_and_goes_to_the_reserves_with_half_a_base_less(field: Field) -> None:
    kwargs = {"dice": [5, 5, 5, 1, 1], "target_dice": [1] * 10, "target_saves": [6, 6, 6]}
    field.tell("charge", ward="red/Cavalry", target=ENEMY, **kwargs, leaves=[5, 1, 1])
    knights = field.of("red-knights")
    assert (knights.place, knights.halves, knights.out_of_order, knights.winning) == (
        "reserve",
        5,
        False,
        True,
    )
    assert field.of("blue-spears").gone == "destroyed"


def test_a_ward_may_fall_back_before_cavalry(field: Field) -> None:
    field.tell("fall-back", ward=ENEMY, saves=[1, 6, 6, 6], leaves=[1, 5, 1])
    assert field.of("blue-spears").casualties == 1
    assert [field.of(f"blue-{each}").gone for each in ("bills", "bows")] == ["destroyed", ""]


def test_reserves_are_pulled_in_once_and_arrive_with_their_share_of_dice(field: Field) -> None:
    field.tell("pull-in", fighter="red-scouts", ward=VAN, place="rear")
    assert (field.of("red-scouts").place, field.of("red-scouts").out_of_order) == ("rear", True)
    assert field.refused("pull-in", fighter="red-scouts", ward=VAN) == ["already"]
    field.tell("arrivals", side="blue", fighters=["blue-scouts"], dice=[4])
    assert field.of("blue-scouts").place == "rear"
    assert field.refused("arrivals", side="blue", fighters=["blue-scouts"]) == ["not-waiting"]
    assert field.refused("arrivals", side="red", fighters=["blue-scouts"]) == ["not-waiting"]


def test_order_of_wards_is_a_house_rule() -> None:
    for settings, out in (({}, True), ({"restored_wards": True}, False)):
        field = Field(**settings).tell("turn", side="red")
        field.tell("move", ward=VAN, move="sideways", dice=[1, 1, 1]).tell(
            "wards", dice=[3, 3, 3, 1, 1]
        )
        assert field.of("red-bows").out_of_order is out


def test_players_end_battle_and_result_lists_losses(
    field: Field,
) -> None:
    field.tell("loss", fighter="blue-spears", halves=3).tell(
        "loss", fighter="blue-duke", gone="killed"
    )
    field.tell("loss", fighter="blue-bombard", gone="lost").tell(
        "ended", winner="red", reason="They ran."
    )
    assert field.refused("loss", fighter="blue-bows", halves=1) == ["battle-over"]
    state = field.play.state
    assert losses_in_words(state, "blue") == "1½ of 26½ bases, 1 General, 1 gun, 0 fights won"
    result = read_result(state, field.play.setup)
    assert result.verdict.startswith(
        "Reds won, by the players’ word (They ran). Losses: Reds 0 of 26½ bases"
    )
    assert [side.outcome for side in result.sides] == [Outcome.WON, Outcome.LOST]
    assert {record.fate for side in result.sides for record in side.records} == {Fate.FIT}


@pytest.mark.parametrize("stays", [True, False])
def test_records_name_the_bases_that_were_lost(stays: bool) -> None:
    field = Field(losses_stay=stays).tell("loss", fighter="blue-spears", halves=3)
    records = {
        each.fighter: each
        for each in read_result(field.play.state, field.play.setup).sides[1].records
    }
    (loss,) = records["blue-spears"].losses
    assert (loss.amount, loss.of, loss.parts) == ("1½", "4", "bases")
    assert records["blue-bills"].losses == ()


def test_losses_last_only_by_house_rule() -> None:
    for stays, carried, fate in ((False, {}, Fate.FIT), (True, {"lost": 3}, Fate.DEAD)):
        field = Field(losses_stay=stays).tell("loss", fighter="blue-spears", halves=3)
        field.tell("loss", fighter="blue-duke", gone="killed").tell(
            "loss", fighter="blue-bills", halves=6
        )
        records = {
            each.fighter: each
            for each in read_result(field.play.state, field.play.setup).sides[1].records
        }
        assert records["blue-spears"].condition == carried
        assert records["blue-duke"].fate == records["blue-bills"].fate == fate


def test_units_refit_after_the_battle_where_a_club_plays_it() -> None:
    field = (
        Field(losses_stay=True, refit=True)
        .tell("loss", fighter="blue-spears", halves=3)
        .tell("ended")
    )
    field.tell("refit", fighter="blue-spears", dice=[5, 4, 6])
    assert field.of("blue-spears").halves == 7
    assert field.refused("refit", fighter="blue-spears", dice=[1]) == ["already"]
    assert Field().refused("refit", fighter="blue-spears", dice=[]) == ["no-refit", "not-over"]


def test_nobody_is_asked_about_who_is_gone(field: Field) -> None:
    field.tell("loss", fighter="red-duke", gone="killed")
    assert field.refused("general", fighter="red-duke", does="detach") == ["gone", "not-attached"]
    assert setup().scenario == "battle"


def test_who_stands_two_bases_wide_in_front_is_out_of_order_until_a_die_restores_it(
    field: Field,
) -> None:
    assert field.of("red-shots").out_of_order
    field.tell("order", dice=[4, 1])
    assert not field.of("red-shots").out_of_order
    field.tell("loss", fighter="red-bills", halves=2)
    assert field.of("red-bills").out_of_order
    assert not field.of("red-shots").out_of_order


@pytest.mark.parametrize(
    ("kind", "data", "codes"),
    [
        ("gun", {"fighter": "red-bombard", "target": VAN}, ["own-side"]),
        ("hand-gunners", {"fighter": "red-shots", "at": "red-bows"}, ["own-side"]),
        ("hand-gunners", {"fighter": "red-shots", "at": "blue-duke"}, ["no-unit"]),
        ("pull-in", {"fighter": "red-scouts", "ward": ENEMY}, ["not-its-side"]),
        ("pull-in", {"fighter": "red-knights", "ward": VAN}, ["wrong-arm"]),
        ("charge", {"ward": VAN, "target": ENEMY}, ["wrong-kind-of-fight"]),
        ("fight", {"ward": "red/Cavalry", "target": ENEMY}, ["wrong-kind-of-fight"]),
        ("fight", {"ward": VAN, "target": REAR}, ["same-side"]),
        (
            "charge",
            {"ward": "red/Cavalry", "target": ENEMY, "into_ground": True},
            ["no-ground-for-cavalry"],
        ),
        ("move", {"ward": "red/Cavalry", "move": "back"}, ["cavalry-forward"]),
        ("gun-move", {"fighter": "red-bombard"}, ["heavy-gun-moves"]),
        ("gun-move", {"fighter": "red-culverin", "ground": "other"}, ["no-ground-for-guns"]),
        ("fall-back", {"ward": VAN}, ["not-charged"]),
        ("shoot", {"ward": VAN, "target": ENEMY, "who": ["red-pikes"]}, ["not-in-ward"]),
        ("new-general", {"fighter": "red-duke"}, ["not-fallen"]),
        ("loss", {"fighter": "red-spears", "halves": 9}, ["not-so-many-bases"]),
        ("loss", {"fighter": "red-duke", "won": 1}, ["no-ward"]),
    ],
)
def test_what_the_sheet_does_not_allow_is_refused(
    field: Field, kind: str, data: dict[str, object], codes: list[str]
) -> None:
    assert field.refused(kind, **data) == codes


@pytest.mark.parametrize("kind", ["arrows", "order", "wards", "clock"])
def test_a_step_of_both_players_is_taken_once_a_turn(field: Field, kind: str) -> None:
    field.tell(kind)
    assert field.refused(kind) == ["already"]
    assert field.tell("turn", side="blue").refused(kind) == []


def test_a_general_who_leaves_the_table_has_to_arrive_before_he_acts(field: Field) -> None:
    field.tell("general", fighter="red-duke", to="red-spears")
    field.tell("general", fighter="red-duke", does="leave", dice=[2])
    assert (field.of("red-duke").place, field.of("red-duke").stands_with) == ("off", "")
    assert field.refused("general", fighter="red-duke", to="red-spears") == ["general-off-table"]
    field.tell("arrivals", side="red", fighters=["red-duke"], dice=[4]).tell("turn", side="red")
    assert field.refused("general", fighter="red-duke", to="red-spears") == []


def test_a_general_joins_cavalry_from_no_unit_and_is_back_after_the_charge(field: Field) -> None:
    field.tell("general", fighter="red-duke", to="red-spears")
    assert field.refused("general", fighter="red-duke", to="red-knights") == ["attached-already"]
    field.tell("general", fighter="red-earl", to="red-knights")
    field.tell(
        "charge",
        ward="red/Cavalry",
        target=ENEMY,
        leaves=[6],
        dice=[1] * 5,
        target_dice=[1] * 10,
        order=[1] * 3,
    )
    assert field.of("red-knights").gone == "destroyed"
    assert (field.of("red-earl").stands_with, field.of("red-earl").gone) == ("", "")


def test_a_charge_is_won_without_dice_for_order_and_the_cavalry_keeps_its_marker(
    field: Field,
) -> None:
    kwargs = {
        "dice": [5, 5, 5, 1, 1],
        "target_dice": [1] * 10,
        "target_saves": [6, 6, 6],
        "leaves": [6, 1, 1],
    }
    assert field.refused("charge", ward="red/Cavalry", target=ENEMY, **kwargs, order=[4]) == [
        "wrong-dice"
    ]
    field.tell("charge", ward="red/Cavalry", target=ENEMY, **kwargs)
    assert field.of("red-knights").winning
    (loss,) = (deed for deed in field.play.state.deeds if deed.kind == "loss")
    assert (loss.fighter, loss.victim, loss.killed, loss.friendly) == (
        "red-knights",
        "blue-spears",
        True,
        False,
    )


def test_unit_off_table_is_not_low_on_arrows(field: Field) -> None:
    field.tell("shoot", ward=VAN, target=ENEMY, mode="intense", dice=[1] * 6, low=[1, 1, 1])
    field.tell("turn", side="blue").tell("turn", side="red")
    field.tell("general", fighter="red-earl", to="red-spears")
    own = {"dice": [1] * 10, "target_dice": [5] * 5 + [1] * 5, "saves": [6] * 5, "order": [1, 1, 1]}
    field.tell("fight", ward=VAN, target=ENEMY, **{**own, "dice": [1] * 11})
    field.tell("general-hit", fighter="red-earl", dice=[1], leaves=[6, 1, 1])
    assert (field.of("red-spears").place, field.of("red-spears").low) == ("reserve", False)
    assert field.of("red-bills").low


def test_hand_gunners_lose_a_base_whenever_their_general_is_hit(field: Field) -> None:
    field.tell("general", fighter="red-earl", to="red-levies")
    kwargs = {
        "dice": [1] * 10,
        "target_dice": [5] * 5 + [1] * 5,
        "saves": [6] * 5,
        "order": [1, 1, 1],
    }
    field.tell("fight", ward=REAR, target=ENEMY, **{**kwargs, "dice": [1] * 8})
    field.tell("general-hit", fighter="red-earl", dice=[6])
    assert field.of("red-shots").halves == 2


def test_a_light_gun_goes_where_it_is_moved(field: Field) -> None:
    field.tell("gun-move", fighter="red-culverin", beside="Rearguard")
    assert field.of("red-culverin").key == REAR
    assert field.refused("gun-move", fighter="red-culverin") == ["already"]


def test_a_result_sheet_tells_the_fights_that_a_ward_won() -> None:
    field = (
        Field(steadiness=True).tell("loss", fighter="red-bows", won=2).tell("ended", winner="red")
    )
    assert losses_in_words(field.play.state, "red") == "0 of 26½ bases, 2 fights won"
    deeds = read_result(field.play.state, field.play.setup).sides[0].deeds
    assert [deed.fighter for deed in deeds] == ["red-spears"] * 2 + ["red-bills"] * 2


def test_who_routs_keeps_its_bases_and_who_is_destroyed_has_none(field: Field) -> None:
    field.tell("loss", fighter="blue-bows", gone="routed").tell(
        "loss", fighter="blue-bills", gone="destroyed"
    )
    assert (field.of("blue-bows").halves, field.of("blue-bills").halves) == (10, 0)
    assert (
        losses_in_words(field.play.state, "blue") == "3 of 26½ bases, 1 unit routed, 0 fights won"
    )


def test_a_gun_that_is_gone_is_gone_for_good_where_losses_stay() -> None:
    field = Field(losses_stay=True).tell("loss", fighter="red-culverin", gone="destroyed")
    records = {
        each.fighter: each
        for each in read_result(field.play.state, field.play.setup).sides[0].records
    }
    assert records["red-culverin"].fate is Fate.DEAD


def test_no_form_of_an_event_has_two_fields_of_one_name() -> None:
    for form in LOG.forms():
        labels = [each.label for each in form.fields]
        assert len(set(labels)) == len(labels), form.key


def test_outcome_names_destroyed_and_reserve_units(
    field: Field,
) -> None:
    field.tell("fall-back", ward="blue/Van", saves=[6] * 4, leaves=[5, 1, 6])
    assert field.told[-2:] == ("Blues spears: destroyed.", "Blues bows: destroyed.")
    field.tell("charge", ward="red/Cavalry", target="blue/Van")
    assert "Reds knights: in reserve." in field.told


def test_losses_are_counted_from_what_a_side_has_brought() -> None:
    whole = setup(losses_stay=True)
    worn = [
        replace(each, condition={"lost": 3} if each.id == "red-spears" else {})
        for each in whole.sides[0].fighters
    ]
    play = open_play(
        LOG, replace(whole, sides=(replace(whole.sides[0], fighters=tuple(worn)), whole.sides[1]))
    )
    assert losses_in_words(play.state, "red") == "0 of 25 bases, 0 fights won"
    play = play.after(LoggedEvent(1, "loss", {"fighter": "red-spears", "halves": 1}))
    assert losses_in_words(play.state, "red") == "½ of 25 bases, 0 fights won"


def test_loss_sentence_joins_three_effects() -> None:
    lost = Lost(fighter="foot", halves=2, gone="routed", won=1)
    assert (
        lost.sentence({"foot": "Foot"})
        == "Foot won 1 fight alongside its Ward, lost 1 base and is routed"
    )
    assert Lost(fighter="foot").sentence({"foot": "Foot"}) == "Foot is unchanged"


def test_event_without_effect_says_so():
    field = (
        Field()
        .tell("turn", side="red")
        .tell("hand-gunners", fighter="red-shots", at="blue-bows", dice=[1, 1])
    )
    assert field.told == ("Blues bows loses no half-bases.",)
    field.tell("order", dice=[1, 1])
    assert field.told == ("Back in order: none.",)
    field.tell("wards", dice=[6, 6])
    assert field.told[-1] == "The sheet does not say what comes of it: nobody's order changes."
    field.tell("arrivals", side="red", fighters=["red-scouts"], dice=[1])
    assert field.told == ("No arrivals.",)


def test_a_general_who_fails_is_said_to_have_tried():
    names = {"red-duke": "Reds duke", "red-bows": "Reds bows", "red": "Reds"}
    sentences = [
        GeneralActed(fighter="red-duke", does="move", joins="red/Van", dice=(1,)).sentence(names),
        GeneralActed(fighter="red-duke", does="move", dice=(2,)).sentence(names),
        GeneralActed(fighter="red-duke", to="red-bows").sentence(names),
    ]
    assert sentences == [
        "Reds duke tries to move to Van (Reds)",
        "Reds duke moves by himself",
        "Reds duke joins Reds bows",
    ]


def test_a_ward_that_fails_is_said_to_have_tried():
    names = {"red/Van": "Van", "red": "Reds"}
    for move, succeeds, fails in (
        ("sideways", "moves one Zone sideways", "tries to move one Zone sideways"),
        ("scenery", "moves out of scenery", "tries to move out of scenery"),
        ("assault-sideways", "assaults, sideways", "tries to assault sideways"),
        ("assault-scenery", "assaults, out of scenery", "tries to assault out of scenery"),
    ):
        for dice, words in (((4, 4, 4), succeeds), ((1, 1, 1), fails)):
            assert (
                WardMoved(ward="red/Van", move=move, dice=dice).sentence(names)
                == f"Van (Reds) {words}"
            )


def test_no_headline_says_that_all_recover_before_the_dice_have_shown_it():
    headlines = [
        kind(dice=()).sentence({}) for kind in (ArrowsRecovered, OrderRestored, WardsRestored)
    ]
    assert all(each.startswith("Units roll to ") for each in headlines), headlines


def test_repeated_loss_or_won_fight_is_refused(field: Field) -> None:
    field.tell("loss", fighter="red-spears", gone="destroyed", by="blue-spears")
    for again in ({"halves": 2}, {"gone": "destroyed", "overruled": "It stood up again."}):
        assert field.refused("loss", fighter="red-spears", **again) == ["already-logged"]
    field.tell("loss", fighter="blue-spears", won=1)
    assert field.refused("loss", fighter="blue-bills", won=1) == ["already-logged"]
    assert field.refused("loss", fighter="blue-bills", halves=1) == []
    field.tell("turn", side="blue")
    assert field.refused("loss", fighter="blue-bills", won=1) == []


def test_a_general_who_was_replaced_may_fall_again(field: Field) -> None:
    field.tell("loss", fighter="red-earl", gone="killed")
    assert field.refused("loss", fighter="red-earl", gone="killed") == ["already-logged"]
    field.tell("new-general", fighter="red-earl", dice=[1, 2, 3])
    assert field.refused("loss", fighter="red-earl", gone="killed") == []
