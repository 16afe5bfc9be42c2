"""Every service is recorded in the activity log, or listed here with a reason."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).parents[2]
RECORDING = {"audit.services.recording.record", "pictures.subjects.record_subject"}

READS = "It reads, checks or reckons, and writes nothing."
PART = "A part of other verbs, which record what they are there for."
OWN = "It concerns its user alone, and changes nothing in a club."
KEEPING = (
    "Muster's own upkeep: nobody asked for it, and what it makes follows from what is recorded."
)
SAID_THERE = "Its rows name who wrote them and when; what is overruled in them is recorded."
UNSEEN = (
    "A secret of one side: that somebody has chosen is shown in the battle, and what is opened "
    "stands in its log."
)
PRINTED = "A print of what is there already: who asked for it changes nothing in a club."

NOT_RECORDED = {
    "accounts.services.deletion": {"preview_leaving": READS},
    "accounts.services.tokens": {"make_token": OWN, "revoke_token": OWN, "unknown_token": READS},
    "accounts.services.bots": {"bot_tokens": READS},
    "battles.services.planned_fixture": dict.fromkeys(
        ("expect_open", "fixture_for", "is_between"), READS
    ),
    "warbands.services.references": dict.fromkeys(("check_references", "own_models"), READS),
    "battles.services.confirmation": {"write_confirmation": PART, "confirmation_impact": READS},
    "battles.services.correction_conflicts": dict.fromkeys(
        ("clean_answers", "later_conflicts", "refuse_idle_answers", "refuse_open"), READS
    ),
    "battles.services.correction_impact": dict.fromkeys(("answered", "difference_between"), READS),
    "battles.services.dependents": dict.fromkeys(
        (
            "consequences",
            "derived",
            "fixture_effects",
            "fixture_is_free",
            "lock_planned",
            "pairing",
            "results_of",
        ),
        READS,
    ),
    "battles.services.days": {"set_day": PART}
    | dict.fromkeys(("clean_day", "is_correction"), READS),
    "battles.services.disputes": dict.fromkeys(("raise_disputes", "answer_disputes"), PART),
    "battles.services.correction_differences": dict.fromkeys(
        ("side_differences", "fighter_differences", "table_differences", "figures_of"), READS
    ),
    "battles.services.fielding": {
        "check_force": READS,
        "fates_pending": READS,
        "field_all": PART,
    },
    "leagues.services.fixtures": dict.fromkeys(
        ("current_ladder", "linkable_battles", "clean_deadline"), READS
    ),
    "battles.services.classic_forces": dict.fromkeys(
        ("may_fight", "may_be_named", "force_problems", "extras_of"), READS
    ),
    "battles.services.late_battles": dict.fromkeys(
        ("is_late", "may_be_late", "late_impact", "expect_seen"), READS
    ),
    "battles.services.account_deletion": {"unsettled_one_offs": READS},
    "battles.services.locking": dict.fromkeys(
        (
            "lock_battle_in_campaign",
            "lock_battle",
            "lock_sides",
            "expect_version",
            "expect_shared_version",
            "expect_state",
            "expect_logger",
            "expect_organiser",
            "is_organiser",
            "find_side",
        ),
        READS,
    )
    | {"save_battle": PART},
    "battles.services.logbook": dict.fromkeys(
        ("expect_place", "clean_events", "known_events", "fresh_events"), READS
    )
    | {"append_events": SAID_THERE},
    "battles.services.outcomes": {"write_sides": PART}
    | dict.fromkeys(("with_recovery_dice", "recovery_die", "outcome_columns"), READS),
    "battles.services.secret_choices": {"roll_private_dice": UNSEEN},
    "battles.services.verification": dict.fromkeys(
        ("check_battles", "is_result", "prove_battle"), READS
    )
    | dict.fromkeys(("sign_battles", "seal_anew", "forget_wrong_plays"), KEEPING),
    "battles.services.reporting": dict.fromkeys(
        ("score_form", "ending_form", "players_say_who_won"), READS
    ),
    "battles.services.review": {"preview_confirming": READS},
    "leagues.services.rounds": dict.fromkeys(("draft_rounds", "swiss_records"), READS),
    "outbox.services.deliveries": {
        "deliver": KEEPING,
        "send_again": "The page of deliveries shows each attempt; nothing in the club changes.",
    },
    "outbox.services.discord_accounts": {
        "link_code": READS,
        "link_account": OWN,
        "unlink_account": OWN,
    },
    "outbox.services.discord_posts": dict.fromkeys(("learn_guild", "post_change"), KEEPING)
    | {"post_of": READS},
    "outbox.services.relay": dict.fromkeys(
        ("forget_old_deliveries", "queue_due", "relay_changes"), KEEPING
    ),
    "outbox.services.webhooks": {"expect_address": READS},
    "battles.services.sheet_preview": {"preview_sheet": READS},
    "battles.services.substitutes": {"bring_substitutes": PART},
    "battles.services.validation": dict.fromkeys(
        ("legal_course", "legal_events", "batch_slot", "tried_events"), READS
    ),
    "campaigns.services.reopening": {"preview_reopening": READS},
    "clubs.services.history": {"preview_history": READS},
    "clubs.services.permissions": dict.fromkeys(
        (
            "find",
            "expect_row",
            "organised_club",
            "locked_evening",
            "present_member",
            "expect_organiser",
            "locked",
        ),
        READS,
    ),
    "campaigns.services.permissions": dict.fromkeys(("battles_open", "organised_campaign"), READS),
    "campaigns.services.classic_setup": {"classic_of": READS}
    | dict.fromkeys(("choose_scenarios", "cast_lot", "parts_by_lot"), PART),
    "clubs.services.clubs": dict.fromkeys(("clean_time_zone", "account_name"), READS),
    "campaigns.services.enrolments": {"check_enrolment": READS},
    "clubs.services.evenings": {
        "clean_moment": READS,
        "keep_hours": PART,
        "make_calendar_link": OWN,
        "revoke_calendar_link": OWN,
    },
    "campaigns.services.hand_overs": {"find_player": READS},
    "campaigns.services.house_rules": {"preview_house_rules": READS},
    "clubs.services.invitations": dict.fromkeys(("already_member", "find_invitation"), READS),
    "campaigns.services.leaving": dict.fromkeys(
        ("clubs_left", "expect_organisers", "warbands_left"), READS
    ),
    "clubs.services.members": dict.fromkeys(
        ("free_name", "free_variant", "preview_removal"), READS
    ),
    "campaigns.services.merging": {"preview_merge": READS},
    "campaigns.services.table_games": {"release_player": PART},
    "campaigns.services.proof": {"check_campaigns": READS},
    "campaigns.services.returning": {"give_up_fixtures": PART},
    "leagues.services.sealed_orders": dict.fromkeys(
        (
            "running_classic",
            "enrolments_in",
            "order_of",
            "is_sealed",
            "enrolment_to_seal",
            "order_problems",
        ),
        READS,
    )
    | dict.fromkeys(("write_order", "open_orders"), PART),
    "exchange.services.exports": {"make_export": PRINTED, "run_archive_job": KEEPING}
    | dict.fromkeys(("expect_exportable", "exporter_of", "open_export"), READS),
    "exchange.services.imports": dict.fromkeys(
        ("upload_archive", "choose_people", "carry_out"), OWN
    )
    | dict.fromkeys(("candidates", "preview_of"), READS)
    | dict.fromkeys(("queue_import", "forget_upload"), KEEPING),
    "exchange.services.passports": dict.fromkeys(("issue_fighter", "issue_warband"), PRINTED)
    | {"expect_unforged": READS, "receive_passport": OWN},
    "exchange.services.trust": dict.fromkeys(("key_file", "may_trust", "read_key"), READS),
    "pictures.services.decoding": dict.fromkeys(("decode_picture", "format_of"), READS),
    "pictures.services.files": dict.fromkeys(("folder_of", "named_files"), READS)
    | dict.fromkeys(("store_files", "forget_pictures", "delete_files", "count_for_clubs"), PART),
    "pictures.services.pictures": {"expect_editable": READS},
    "pictures.services.sweeping": {"sweep_pictures": KEEPING},
    "warbands.services.import_chronicle": {"adopt_warband": PART}
    | dict.fromkeys(("recorded_at", "first_broken", "recruits_of"), READS),
    "warbands.services.chronicle": dict.fromkeys(
        (
            "preview_corrections",
            "preview_late",
            "late_battles",
            "with_answer",
            "read_chronicle",
            "recorded_of",
            "subject_of",
            "seal_of",
        ),
        READS,
    )
    | dict.fromkeys(
        ("append_facts", "write_facts", "append_series", "correct_facts", "enter_chronicles"), PART
    ),
    "warbands.services.warbands": {"with_new_ids": READS},
    "warbands.services.drafts": dict.fromkeys(
        ("change_draft", "undo_draft", "save_template", "use_template", "delete_template"), OWN
    )
    | dict.fromkeys(("draft_row", "draft_content", "expect_version", "sent_before"), READS)
    | {"keep_draft": PART},
    "warbands.services.account_deletion": dict.fromkeys(("never_played", "warbands_of"), READS),
    "warbands.services.locking": dict.fromkeys(
        (
            "lock_warbands",
            "lock_warband",
            "lock_warband_of",
            "warband_of",
            "expect_overruling",
            "overruled",
            "expect_editor",
            "in_play_refusal",
        ),
        READS,
    ),
    "warbands.services.rank_up_offers": dict.fromkeys(
        ("append_fact", "append_all", "append_in_rank_order", "keep_rank_order", "correct_fact"),
        PART,
    )
    | dict.fromkeys(("prepare_offers", "queue_offers"), KEEPING),
    "warbands.services.projection": dict.fromkeys(("write_projections", "project_warband"), PART)
    | {"earned": READS},
    "warbands.services.ledger": {
        "ledger_rows": READS,
        "overspent_by": READS,
        "write_changed_lines": PART,
    },
    "warbands.services.verification": dict.fromkeys(
        (
            "check_warbands",
            "check_all_warbands",
            "check_rows",
            "prove",
            "broken_seals",
            "unregistered",
            "guarded",
            "keys_of",
            "complete",
            "as_json",
        ),
        READS,
    )
    | dict.fromkeys(("rebuild_projection", "sign_chronicles"), KEEPING),
    "warbands.services.roster": dict.fromkeys(
        ("reason_to_recruit", "fighter_ids", "fighter_names", "illegal_roster"), READS
    ),
}
WHOLE_ROOMS = {"documents": PRINTED, "home": OWN}
"""Rooms that change nothing in a club."""
WHOLE_MODULES = {
    "exchange.services.maintenance": KEEPING,
    "exchange.services.key_proof": READS,
    "exchange.services.import_rows": PART,
    "exchange.services.archive_people": READS,
    "exchange.services.picture_files": READS,
    "exchange.services.verify_import": READS,
    "exchange.services.read_archive": READS,
    "exchange.services.export_scope": READS,
    "exchange.services.compare_rows": PART,
    "exchange.services.write_archive": READS,
}
"""Modules in which nobody changes anything in a club."""


class Function:
    """A function of a services module with the names that it uses."""

    def __init__(self, module: str, node: ast.FunctionDef, imported: dict[str, str]) -> None:
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - {node.name}
        self.module, self.name = module, node.name
        self.names = {imported.get(name, f"{module}.{name}") for name in names}


def functions() -> Iterator[Function]:
    """Yield all functions of all services."""
    for path in sorted([*ROOT.glob("*/services/*.py"), *ROOT.glob("*/services.py")]):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if (
            module.partition(".")[0] in (*WHOLE_ROOMS, "audit", "scripts")
            or module in WHOLE_MODULES
        ):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
        imported = {
            each.asname or each.name: f"{node.module}.{each.name}"
            for node in imports
            for each in node.names
        }
        yield from (
            Function(module, node, imported)
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
        )


def recorded(all_functions: list[Function]) -> set[str]:
    """Return the functions that record something, directly or by what they call."""
    reach = set(RECORDING)
    while True:
        more = {
            f"{each.module}.{each.name}" for each in all_functions if each.names & reach
        } - reach
        if not more:
            return reach
        reach |= more


def test_every_public_verb_of_a_service_is_recorded_or_says_why_not() -> None:
    all_functions = [*functions()]
    recording = recorded(all_functions)
    public = {
        f"{each.module}.{each.name}" for each in all_functions if not each.name.startswith("_")
    }
    excused = {f"{module}.{name}" for module, names in NOT_RECORDED.items() for name in names}
    forgotten = sorted(public - recording - excused)
    assert not forgotten, (
        f"record them (audit.services.recording), or say here why not: {', '.join(forgotten)}"
    )
    assert sorted(excused - public) == [], "excused, and not there any more"
    assert sorted(excused & recording) == [], "excused, and recorded all the same"
    assert len(public & recording) > 60


def test_every_verb_is_recorded_somewhere() -> None:
    from audit.verbs import Verb

    files = [*ROOT.glob("*/services/*.py"), *ROOT.glob("*/admin.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert [verb.name for verb in Verb if f"Verb.{verb.name}" not in code] == []
