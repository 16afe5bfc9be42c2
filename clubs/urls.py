"""URLs of members and of invitations."""

from django.urls import path

from clubs.views import history, invitations, members

app_name = "clubs"

urlpatterns = [
    path("clubs/<uuid:pk>/guests/", members.guest, name="guest"),
    path("clubs/<uuid:pk>/history/", history.history, name="history"),
    path("clubs/<uuid:pk>/history/import/", history.bring, name="import-history"),
    path("clubs/<uuid:pk>/history/count/", history.count, name="count-history"),
    path("history-imports/<uuid:pk>/undo/", history.undo, name="undo-history"),
    path("members/<uuid:pk>/", members.member, name="member"),
    path("members/<uuid:pk>/role/", members.role, name="role"),
    path("members/<uuid:pk>/remove/", members.remove, name="remove-member"),
    path("clubs/<uuid:pk>/invite/", invitations.invite_people, name="invite"),
    path("clubs/<uuid:pk>/invitations/", invitations.invitations, name="invitations"),
    path("invitations/<uuid:pk>/", invitations.invitation, name="invitation"),
    path("invitations/<uuid:pk>/revoke/", invitations.revoke, name="revoke"),
    path("join/", invitations.join, name="join"),
    path("join/sign-up/", invitations.sign_up, name="join-sign-up"),
    path("join/accept/", invitations.accept, name="accept"),
]
