"""Who has won a classic campaign, for whatever shows a campaign in a line."""

from battles.selectors.classic_games import verdict_sentence
from campaigns.models import Campaign


def winner_in_words(campaign: Campaign) -> str:
    """Who has won, and why; "" for a campaign that is not classic. Three queries, none for such a one."""
    return verdict_sentence(campaign)
