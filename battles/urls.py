"""Addresses of battles."""

from django.urls import path

from battles.views import (
    all_events,
    batch_actions,
    battles,
    corrections,
    days,
    dice,
    entry_corrections,
    fielding,
    odds,
    planning,
    reporting,
    result_sheet,
    review,
    substitutes,
    table,
)

app_name = "battles"

urlpatterns = [
    path("battles/", battles.battles, name="battles"),
    path("campaigns/<uuid:pk>/battles/", battles.campaign, name="campaign"),
    path("fixtures/<uuid:pk>/result/", reporting.fixture_result, name="fixture-result"),
    path(
        "fixtures/<uuid:pk>/substitute/", substitutes.fixture_substitute, name="fixture-substitute"
    ),
    path("battles/<uuid:pk>/", battles.battle, name="battle"),
    path("battles/<uuid:pk>/describe/", planning.describe, name="describe"),
    path("battles/<uuid:pk>/day/", days.day, name="day"),
    path("battles/<uuid:pk>/count-in/", planning.count_in, name="count-in"),
    path("battles/<uuid:pk>/sides/<slug:key>/", fielding.field, name="field"),
    path(
        "battles/<uuid:pk>/sides/<slug:key>/substitute/", substitutes.substitute, name="substitute"
    ),
    path("battles/<uuid:pk>/start/", fielding.start, name="start"),
    path("battles/<uuid:pk>/set-up/", planning.set_up, name="set-up"),
    path("battles/<uuid:pk>/dice/", dice.dice, name="dice"),
    path("battles/<uuid:pk>/dice/file/", dice.dice_file, name="dice-file"),
    path("battles/<uuid:pk>/table/", table.table, name="table"),
    path("battles/<uuid:pk>/table/several/", batch_actions.several, name="several"),
    path("battles/<uuid:pk>/table/by-hand/", all_events.by_hand, name="by-hand"),
    path("battles/<uuid:pk>/table/undo/", table.undo, name="undo"),
    path("battles/<uuid:pk>/table/secret/", table.secret, name="secret"),
    path("battles/<uuid:pk>/log/", result_sheet.sheet, name="sheet"),
    path("battles/<uuid:pk>/log/<int:sequence>/strike/", result_sheet.strike, name="strike"),
    path(
        "battles/<uuid:pk>/log/<int:sequence>/correct/",
        entry_corrections.correct_entry,
        name="correct-entry",
    ),
    path("battles/<uuid:pk>/review/", result_sheet.review, name="review"),
    path("battles/<uuid:pk>/submit/", review.submit, name="submit"),
    path("battles/<uuid:pk>/confirm/", review.confirm, name="confirm"),
    path("battles/<uuid:pk>/dispute/", review.dispute, name="dispute"),
    path("battles/<uuid:pk>/decide/", review.decide, name="decide"),
    path("battles/<uuid:pk>/reopen/", review.reopen, name="reopen"),
    path("battles/<uuid:pk>/correct/", corrections.correct, name="correct"),
    path("battles/<uuid:pk>/void/", corrections.void, name="void"),
    path("battles/<uuid:pk>/restore/", corrections.restore, name="restore"),
    path("fighters/<uuid:pk>/odds/", odds.between, name="odds"),
    path("battles/<uuid:pk>/odds/", odds.in_battle, name="odds-in-battle"),
]
