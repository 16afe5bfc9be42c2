"""Acts that can be recorded in a club: a permanent code for each, and the sentence that shows it.

In the sentences, ``who`` is the person who acted and ``what`` is the thing or member that was
affected. Other names come from the entry's details. Never change a code or give it another meaning:
entries are permanent. The part of the code before the dot is the kind of act, by which people
filter.
"""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Verb(TextChoices):
    """The code of an act; its label is the sentence, in the reader's language."""

    CLUB_FOUNDED = "club.founded", _("%(who)s created the club")
    MENDED_BY_SUPPORT = (
        "club.mended-by-support",
        _("%(who)s, as server support, corrected %(what)s"),
    )
    DELETED_BY_SUPPORT = (
        "club.deleted-by-support",
        _("%(who)s, as server support, deleted %(what)s"),
    )
    CLUB_CHANGED = "club.changed", _("%(who)s changed the settings of the club")

    HISTORY_IMPORTED = "club.history-imported", _("%(who)s imported old seasons")
    HISTORY_UNDONE = "club.history-undone", _("%(who)s undid an import of old seasons")
    HISTORY_COUNTED = (
        "club.history-counted",
        _("%(who)s made the all-time records count imported results"),
    )
    HISTORY_NOT_COUNTED = (
        "club.history-not-counted",
        _("%(who)s made the all-time records leave out imported results"),
    )

    INVITATION_MADE = "invitation.made", _("%(who)s created an invitation")
    SEAT_OFFERED = (
        "invitation.seat-offered",
        _("%(who)s created an invitation for %(what)s"),
    )
    INVITATION_WITHDRAWN = "invitation.withdrawn", _("%(who)s revoked an invitation")
    INVITATION_ACCEPTED = "invitation.accepted", _("%(who)s joined the club")
    SEAT_TAKEN = "invitation.seat-taken", _("%(who)s joined the club as this guest player")

    GUEST_ADDED = "member.guest-added", _("%(who)s added the guest player %(what)s")
    BOT_TOKEN_MADE = "member.bot-token-made", _("%(who)s created a token for the club’s bot")
    BOT_TOKEN_REVOKED = "member.bot-token-revoked", _("%(who)s revoked a token of the club’s bot")
    MADE_ORGANISER = "member.made-organiser", _("%(who)s made %(what)s an organiser")
    MADE_PLAYER = "member.made-player", _("%(who)s made %(what)s a player")
    MADE_SPECTATOR = "member.made-spectator", _("%(who)s made %(what)s a spectator")
    MEMBER_RENAMED = "member.renamed", _("%(who)s changed the name of %(what)s in the club")
    MEMBERS_MERGED = "member.merged", _("%(who)s merged %(seat)s into %(what)s")
    MERGE_UNDONE = "member.merge-undone", _("%(who)s undid the merge of %(seat)s into %(what)s")
    MEMBER_LEFT = "member.left", _("%(who)s left the club")
    MEMBER_REMOVED = "member.removed", _("%(who)s removed %(what)s from the club")

    CAMPAIGN_PLANNED = "campaign.planned", _("%(who)s created the campaign %(what)s")
    CAMPAIGN_FOLLOWED = (
        "campaign.followed",
        _("%(who)s created %(what)s as the next season of a campaign"),
    )
    CAMPAIGN_CHANGED = "campaign.changed", _("%(who)s changed the settings of %(what)s")
    HOUSE_RULES_CHANGED = (
        "campaign.house-rules-changed",
        _("%(who)s changed the house rules of %(what)s"),
    )
    CAMPAIGN_STARTED = "campaign.started", _("%(who)s started the campaign %(what)s")
    CAMPAIGN_FINISHED = "campaign.finished", _("%(who)s finished the campaign %(what)s")
    CAMPAIGN_REOPENED = "campaign.reopened", _("%(who)s reopened the campaign %(what)s")
    CAMPAIGN_CANCELLED = "campaign.cancelled", _("%(who)s cancelled the campaign %(what)s")
    EXAMPLE_CHOSEN = (
        "campaign.example-chosen",
        _("%(who)s made %(what)s the example on the front page"),
    )

    WARBAND_ENROLLED = "enrolment.entered", _("%(who)s entered %(what)s")
    WARBAND_WITHDRAWN = "enrolment.withdrawn", _("%(who)s withdrew %(what)s from the campaign")
    PLAYER_NAMED = "enrolment.player-named", _("%(who)s chose another player for %(what)s")
    WARBAND_RECOLOURED = "enrolment.recoloured", _("%(who)s chose another colour for %(what)s")

    ORDER_SEALED = "order.sealed", _("%(who)s sealed an order for %(what)s")
    ORDERS_REVEALED = (
        "order.revealed",
        _("%(who)s sealed an order for %(what)s, and all orders were revealed"),
    )

    ROUNDS_MADE = "fixture.rounds-made", _("%(who)s created rounds for %(what)s")
    ROUND_CHANGED = "fixture.round-changed", _("%(who)s changed a round of %(what)s")
    ROUND_DELETED = (
        "fixture.round-deleted",
        _("%(who)s deleted a round of %(what)s with its fixtures"),
    )
    FIXTURE_ADDED = "fixture.added", _("%(who)s added a fixture to %(what)s")
    FIXTURE_CHANGED = "fixture.changed", _("%(who)s changed the deadline of a fixture of %(what)s")
    ENTRANTS_SWAPPED = "fixture.entrants-swapped", _("%(who)s changed pairings in %(what)s")
    FIXTURE_DELETED = "fixture.deleted", _("%(who)s deleted a fixture of %(what)s")
    WALKOVER_GIVEN = (
        "fixture.walkover-given",
        _("%(who)s gave a walkover in %(what)s"),
    )
    FIXTURE_REOPENED = "fixture.reopened", _("%(who)s reopened a fixture in %(what)s")
    WALKOVER_TAKEN_BACK = (
        "fixture.walkover-taken-back",
        _("%(who)s undid a walkover in %(what)s"),
    )
    LATECOMER_ADDED = (
        "fixture.latecomer-added",
        _("%(who)s added fixtures for a latecomer to %(what)s"),
    )
    CHALLENGED = "fixture.challenged", _("%(who)s challenged a player in %(what)s")
    FIXTURE_SUBSTITUTE = (
        "fixture.substitute-named",
        _("%(who)s added a substitute to a fixture of %(what)s"),
    )
    FIXTURE_NO_SUBSTITUTE = (
        "fixture.substitute-removed",
        _("%(who)s removed a substitute from a fixture of %(what)s"),
    )
    BATTLE_LINKED = "fixture.battle-linked", _("%(who)s linked the battle %(what)s to a fixture")

    EVENINGS_MADE = "evening.made", _("%(who)s added a club night on %(what)s")
    SERIES_MADE = (
        "evening.series-made",
        _("%(who)s added %(number)s club nights, from %(what)s"),
    )
    EVENING_CHANGED = "evening.changed", _("%(who)s changed the club night on %(what)s")
    EVENING_CANCELLED = "evening.cancelled", _("%(who)s cancelled the club night on %(what)s")
    EVENING_RESTORED = (
        "evening.restored",
        _("%(who)s restored the club night on %(what)s"),
    )
    EVENING_ANSWERED = "evening.answered", _("%(who)s answered for the club night on %(what)s")
    CHECKED_IN = "evening.checked-in", _("%(who)s checked in at the club night on %(what)s")
    NO_SHOW = "evening.no-show", _("%(who)s marked a no-show at the club night on %(what)s")
    PAIRINGS_DRAWN = (
        "evening.pairings-drawn",
        _("%(who)s drew pairings for the club night on %(what)s"),
    )
    PAIRINGS_CHANGED = (
        "evening.pairings-changed",
        _("%(who)s changed pairings of the club night on %(what)s"),
    )
    PAIRINGS_PUBLISHED = (
        "evening.pairings-published",
        _("%(who)s published the pairings of the club night on %(what)s"),
    )
    PAIR_FORBIDDEN = (
        "member.pair-forbidden",
        _("%(who)s keeps %(what)s and another member apart at club nights"),
    )
    PAIR_ALLOWED = (
        "member.pair-allowed",
        _("%(who)s allows %(what)s and another member to be paired again"),
    )

    ENTRY_WRITTEN = "journal.written", _("%(who)s wrote in the journal of %(what)s")
    ENTRY_CHANGED = "journal.changed", _("%(who)s changed an entry in the journal of %(what)s")
    ENTRY_REMOVED = "journal.removed", _("%(who)s removed an entry from the journal of %(what)s")

    BATTLE_PLANNED = "battle.planned", _("%(who)s planned the battle %(what)s")
    BATTLE_DESCRIBED = (
        "battle.described",
        _("%(who)s edited the title or report of the battle %(what)s"),
    )
    DAY_CHANGED = "battle.day-changed", _("%(who)s changed the day of the battle %(what)s")
    BATTLE_COUNTED = "battle.counted", _("%(who)s counted the battle %(what)s in the campaign")
    BATTLE_SET_UP = "battle.set-up", _("%(who)s set up the battle %(what)s")
    FORCE_FIELDED = "battle.force-fielded", _("%(who)s chose a line-up for %(what)s")
    SUBSTITUTE_NAMED = (
        "battle.substitute-named",
        _("%(who)s added a substitute to a side of %(what)s"),
    )
    SUBSTITUTE_REMOVED = (
        "battle.substitute-removed",
        _("%(who)s removed a side's substitute in %(what)s"),
    )
    BATTLE_STARTED = "battle.started", _("%(who)s started the battle %(what)s")
    EVENT_OVERRULED = "battle.overruled", _("%(who)s overrode the rules in the log of %(what)s")
    BATTLE_SUBMITTED = "battle.submitted", _("%(who)s submitted the battle %(what)s")
    SUBMITTED_AND_CONFIRMED = (
        "battle.submitted-and-confirmed",
        _("%(who)s submitted and confirmed the battle %(what)s"),
    )
    SIDE_CONFIRMED = (
        "battle.side-confirmed",
        _("%(who)s confirmed the battle %(what)s for one side"),
    )
    BATTLE_CONFIRMED = "battle.confirmed", _("%(who)s confirmed the battle %(what)s")
    BATTLE_DISPUTED = "battle.disputed", _("%(who)s disputed the battle %(what)s")
    BATTLE_DECIDED = "battle.decided", _("%(who)s decided that %(what)s counts as recorded")
    BATTLE_REOPENED = "battle.reopened", _("%(who)s reopened the log of %(what)s")
    BATTLE_CORRECTED = "battle.corrected", _("%(who)s corrected the battle %(what)s")
    BATTLE_VOIDED = "battle.voided", _("%(who)s voided the battle %(what)s")
    BATTLE_RESTORED = "battle.restored", _("%(who)s restored the battle %(what)s")

    WARBAND_MUSTERED = "warband.mustered", _("%(who)s created %(what)s")
    WARBAND_COPIED = "warband.copied", _("%(who)s created %(what)s as a copy")
    WARBAND_CHANGED = "warband.changed", _("%(who)s edited the details of %(what)s")
    WARBAND_ARCHIVED = "warband.archived", _("%(who)s archived %(what)s")
    WARBAND_FETCHED_BACK = (
        "warband.fetched-back",
        _("%(who)s restored %(what)s from the archive"),
    )
    WARBAND_HANDED_OVER = "warband.handed-over", _("%(who)s transferred %(what)s to %(person)s")
    HAND_OVER_OFFERED = "warband.hand-over-offered", _("%(who)s offered %(what)s to %(person)s")
    HAND_OVER_DECLINED = "warband.hand-over-declined", _("%(who)s declined to take over %(what)s")
    HAND_OVER_WITHDRAWN = (
        "warband.hand-over-withdrawn",
        _("%(who)s withdrew the offer of %(what)s to %(person)s"),
    )
    DRAFT_CARRIED_OUT = "warband.draft-carried-out", _("%(who)s applied the draft of %(what)s")
    FIGHTERS_RECRUITED = "warband.recruited", _("%(who)s recruited %(number)s for %(what)s")
    FIGHTER_EQUIPPED = (
        "warband.equipped",
        _("%(who)s changed the equipment of %(fighter)s in %(what)s"),
    )
    FIGHTER_CHANGED = (
        "warband.fighter-changed",
        _("%(who)s edited %(fighter)s in %(what)s"),
    )
    FIGHTER_RELEASED = "warband.released", _("%(who)s removed %(fighter)s from %(what)s")
    FIGHTER_ADJUSTED = "warband.adjusted", _("%(who)s adjusted %(fighter)s in %(what)s")
    WARBAND_FURNISHED = "warband.furnished", _("%(who)s changed the warband purchases of %(what)s")
    POSTS_FILLED = "warband.posts-filled", _("%(who)s changed the roles in %(what)s")
    WARBAND_ARRANGED = "warband.arranged", _("%(who)s sorted the roster of %(what)s")
    RANK_UP_TAKEN = "warband.rank-up-taken", _("%(who)s ranked up %(fighter)s in %(what)s")
    RANK_UP_UNDONE = (
        "warband.rank-up-undone",
        _("%(who)s undid a rank-up of %(fighter)s in %(what)s"),
    )

    KEY_TRUSTED = "key.trusted", _("%(who)s trusted the key of %(what)s, %(fingerprint)s")
    TRUST_WITHDRAWN = (
        "key.withdrawn",
        _("%(who)s stopped trusting the key of %(what)s, %(fingerprint)s"),
    )
    WARBAND_TAKEN_ON = (
        "warband.taken-on",
        _("%(who)s imported %(what)s with a passport from %(origin)s"),
    )

    PICTURE_ADDED = "picture.added", _("%(who)s added a picture to %(what)s")
    PICTURE_CAPTIONED = (
        "picture.captioned",
        _("%(who)s changed the caption of a picture of %(what)s"),
    )
    PICTURE_REMOVED = "picture.removed", _("%(who)s removed a picture of %(what)s")

    WEBHOOK_ADDED = "webhook.added", _("%(who)s added the webhook %(what)s to %(host)s")
    WEBHOOK_CHANGED = "webhook.changed", _("%(who)s changed the webhook %(what)s")
    WEBHOOK_PAUSED = "webhook.paused", _("%(who)s paused the webhook %(what)s")
    WEBHOOK_RESUMED = "webhook.resumed", _("%(who)s resumed the webhook %(what)s")
    WEBHOOK_REMOVED = "webhook.removed", _("%(who)s removed the webhook %(what)s")

    ARCHIVE_ASKED_FOR = "archive.asked-for", _("%(who)s exported %(what)s")
    ARCHIVE_IMPORTED = "archive.imported", _("%(who)s imported %(what)s from an archive")

    @property
    def kind(self) -> str:
        """The kind of act: the part of the code before the dot."""
        return self.value.partition(".")[0]


TRAVELLING = frozenset(
    {
        Verb.CAMPAIGN_PLANNED,
        Verb.CAMPAIGN_FOLLOWED,
        Verb.CAMPAIGN_CHANGED,
        Verb.HOUSE_RULES_CHANGED,
        Verb.CAMPAIGN_STARTED,
        Verb.CAMPAIGN_FINISHED,
        Verb.CAMPAIGN_REOPENED,
        Verb.CAMPAIGN_CANCELLED,
        Verb.WARBAND_ENROLLED,
        Verb.WARBAND_WITHDRAWN,
        Verb.ROUNDS_MADE,
        Verb.ROUND_CHANGED,
        Verb.ROUND_DELETED,
        Verb.FIXTURE_ADDED,
        Verb.FIXTURE_CHANGED,
        Verb.ENTRANTS_SWAPPED,
        Verb.FIXTURE_DELETED,
        Verb.WALKOVER_GIVEN,
        Verb.FIXTURE_REOPENED,
        Verb.WALKOVER_TAKEN_BACK,
        Verb.LATECOMER_ADDED,
        Verb.CHALLENGED,
        Verb.BATTLE_LINKED,
        Verb.EVENINGS_MADE,
        Verb.SERIES_MADE,
        Verb.EVENING_CHANGED,
        Verb.EVENING_CANCELLED,
        Verb.EVENING_RESTORED,
        Verb.PAIRINGS_PUBLISHED,
        Verb.BATTLE_PLANNED,
        Verb.BATTLE_DESCRIBED,
        Verb.DAY_CHANGED,
        Verb.BATTLE_COUNTED,
        Verb.BATTLE_STARTED,
        Verb.BATTLE_SUBMITTED,
        Verb.SUBMITTED_AND_CONFIRMED,
        Verb.BATTLE_CONFIRMED,
        Verb.BATTLE_DISPUTED,
        Verb.BATTLE_DECIDED,
        Verb.BATTLE_REOPENED,
        Verb.BATTLE_CORRECTED,
        Verb.BATTLE_VOIDED,
        Verb.BATTLE_RESTORED,
        Verb.RANK_UP_TAKEN,
        Verb.RANK_UP_UNDONE,
    }
)
"""The acts that other programs can read about (``audit.models.Change``): results, and what is
planned.

They concern a battle, campaign, warband or club night, which decides who may read of them. Acts
about members, secret choices and the settings of the club stay here.
"""
KINDS = {
    "club": _("Club"),
    "member": _("Members"),
    "invitation": _("Invitations"),
    "campaign": _("Campaigns"),
    "enrolment": _("Warbands in campaigns"),
    "fixture": _("Fixtures"),
    "order": _("Orders"),
    "battle": _("Battles"),
    "warband": _("Rosters"),
    "picture": _("Pictures"),
    "key": _("Trusted keys"),
    "evening": _("Club nights"),
    "journal": _("Journal"),
    "archive": _("Archives"),
    "webhook": _("Webhooks"),
}
"""The labels of the kinds of acts, in the order in which the filter lists them."""
