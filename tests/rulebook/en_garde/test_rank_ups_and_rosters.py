"""Effects of a rank-up on the roster and in a campaign. Rulings C17, C19, X17."""

from rulebook.ruleset import Roster, RosterFighter, Severity
from rulebook.systems.en_garde.experience.rank_ups import rank_ups, take_rank_up
from tests.rulebook.en_garde.rising import step
from tests.rulebook.en_garde.rosters import build, fighter, terms


def test_second_rank_5_warns_unless_forbidden():
    for setting, severity in (("warn", Severity.WARNS), ("forbid", Severity.FORBIDS)):
        on = terms("landsknechts", second_rank_5=setting)
        riser = fighter(0, "hauptmann", on)
        (rank_up,) = rank_ups(riser, Roster(on, (riser, fighter(1, "oberst", on))))
        assert [(each.code, each.severity) for each in rank_up.problems] == [
            ("too-many-rank-5", severity)
        ]
        (alone,) = rank_ups(riser, Roster(on, (riser,)))
        assert alone.problems == ()


def test_rank_up_breaking_composition_warns_unless_forbidden():
    for setting, severity in (("warn", Severity.WARNS), ("forbid", Severity.FORBIDS)):
        on = terms("aztecs", later_composition=setting)
        riser = fighter(0, "macehualli", on)
        (rank_up,) = rank_ups(riser, Roster(on, (riser, fighter(1, "noble", on))))
        assert [(each.code, each.severity) for each in rank_up.problems] == [
            ("too-few-low-ranks", severity)
        ]


def test_custom_recruit_ranks_up_in_hiring_list():
    """Ruling C17."""
    raw = {"profile": "custom/rank-1", "equipment": ["hand-weapon", "sling"]}
    on = terms("landsknechts", rank_1_recruits="base")
    rank_up = step("landsknechts", raw, rank_1_recruits="base")
    assert (rank_up.key, rank_up.keeps) == ("landsknechts/landsknecht", ("Hand weapon", "Sling"))
    assert (rank_up.points_before, rank_up.points_after) == (4 + 2 + 1, 15 + 2)
    taken = take_rank_up(build(raw, on), on, rank_up.key, {})
    assert taken.build == rank_up.build


def test_who_is_left_of_a_house_rule_that_has_gone_rises_by_the_base_profile_with_its_arms():
    raw = build(
        {"profile": "custom/rank-1", "equipment": ["sling"]},
        terms("landsknechts", rank_1_recruits="base"),
    )
    on = terms("landsknechts")
    (rank_up,) = rank_ups(RosterFighter("f0", "Hans", raw), Roster(on, ()))
    assert (rank_up.key, rank_up.keeps) == ("custom/rank-2", ("Sling",))
    assert take_rank_up(raw, on, rank_up.key, {}).build == rank_up.build


def test_what_was_broken_before_is_not_blamed_on_the_step():
    on = terms("aztecs")
    riser = fighter(0, "macehualli", on)
    others = (fighter(1, "chieftain", on), fighter(2, "chieftain", on))
    (rank_up,) = rank_ups(riser, Roster(on, (riser, *others)))
    assert rank_up.problems == ()


def test_a_crewman_who_rises_leaves_the_gun():
    on = terms("swashbucklers", extras={"ordnance": [{"gun": "swivel-gun", "crew": ["f0", "f1"]}]})
    riser = fighter(0, "able-seaman", on)
    (rank_up,) = rank_ups(
        riser, Roster(on, (riser, fighter(1, "able-seaman", on), fighter(2, "seaman", on)))
    )
    assert "gun-crew-not-eligible" in [each.code for each in rank_up.problems]
