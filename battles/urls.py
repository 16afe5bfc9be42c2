"""Addresses of battles."""

from django.urls import path

from battles.views import (
    battles,
    classic,
    corrections,
    dice,
    entries,
    fielding,
    planning,
    review,
    setting_up,
    sheet,
    table,
)

app_name = "battles"

urlpatterns = [
    path("battles/", battles.battles, name="battles"),
    path("battles/plan/", planning.plan, name="plan"),
    path("campaigns/<uuid:pk>/battles/", battles.campaign, name="campaign"),
    path("campaigns/<uuid:pk>/classic/", classic.classic, name="classic"),
    path("campaigns/<uuid:pk>/order/", classic.seal, name="seal"),
    path("campaigns/<uuid:pk>/final/", classic.final, name="final"),
    path("campaigns/<uuid:pk>/again/", classic.again, name="again"),
    path("battles/<uuid:pk>/", battles.battle, name="battle"),
    path("battles/<uuid:pk>/describe/", planning.describe, name="describe"),
    path("battles/<uuid:pk>/count-in/", planning.count_in, name="count-in"),
    path("battles/<uuid:pk>/sides/<slug:key>/", fielding.field, name="field"),
    path("battles/<uuid:pk>/start/", fielding.start, name="start"),
    path("battles/<uuid:pk>/set-up/", setting_up.set_up, name="set-up"),
    path("battles/<uuid:pk>/dice/", dice.dice, name="dice"),
    path("battles/<uuid:pk>/dice/file/", dice.dice_file, name="dice-file"),
    path("battles/<uuid:pk>/table/", table.table, name="table"),
    path("battles/<uuid:pk>/table/undo/", table.undo, name="undo"),
    path("battles/<uuid:pk>/table/secret/", table.secret, name="secret"),
    path("battles/<uuid:pk>/log/", sheet.sheet, name="sheet"),
    path("battles/<uuid:pk>/log/<int:sequence>/strike/", sheet.strike, name="strike"),
    path("battles/<uuid:pk>/log/<int:sequence>/correct/", entries.correct_entry, name="correct-entry"),
    path("battles/<uuid:pk>/review/", sheet.review, name="review"),
    path("battles/<uuid:pk>/submit/", review.submit, name="submit"),
    path("battles/<uuid:pk>/confirm/", review.confirm, name="confirm"),
    path("battles/<uuid:pk>/dispute/", review.dispute, name="dispute"),
    path("battles/<uuid:pk>/decide/", review.decide, name="decide"),
    path("battles/<uuid:pk>/reopen/", review.reopen, name="reopen"),
    path("battles/<uuid:pk>/correct/", corrections.correct, name="correct"),
    path("battles/<uuid:pk>/void/", corrections.void, name="void"),
]
