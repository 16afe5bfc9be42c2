"""Count the words of all stories: `python -m scripts.prints.stories`.

Reads the configured database, and exits with 1 if a story is too long, or too short for its log.
"""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from campaigns.models import Campaign  # noqa: E402 - Django has to be set up first
from documents.content.documents import CampaignSummary  # noqa: E402
from documents.content.registry import read_content  # noqa: E402
from documents.languages import speaking  # noqa: E402
from documents.models import DocumentKind, Language  # noqa: E402
from scripts.prints.measures import story_lengths  # noqa: E402


def main() -> int:
    """Print the number of words of each battle in each language; return 1 if one does not fit."""
    failed = 0
    for campaign in Campaign.objects.order_by("created_at"):
        for language in Language:
            with speaking(language):
                book = read_content(DocumentKind.CAMPAIGN, campaign.pk, ())
            if not isinstance(book, CampaignSummary):
                continue
            for each in story_lengths(book):
                source = "log" if each.from_log else "result"
                failed += not each.fits
                mark = "" if each.fits else "  DOES NOT FIT"
                print(f"{language} {each.words:4} words ({source}) {each.battle}{mark}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
