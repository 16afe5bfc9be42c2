"""`manage.py discord_commands`: tell Discord which commands this installation answers."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from clubs.models import Answer
from outbox.failures import SENTENCES
from outbox.safe_requests import NoAnswer, Refused, send

TEXT = 3
COMMANDS: list[dict[str, Any]] = [
    {
        "name": "next",
        "description": "The next club night, and results to confirm",
        "description_localizations": {"de": "Nächster Spielabend und offene Ergebnisse"},
    },
    {
        "name": "standings",
        "description": "Standings of the running campaigns",
        "description_localizations": {"de": "Tabellen der laufenden Kampagnen"},
    },
    {
        "name": "odds",
        "description": "Calculators of odds for your games",
        "description_localizations": {"de": "Wahrscheinlichkeiten für eure Spiele"},
    },
    {
        "name": "going",
        "description": "Answer for the next club night",
        "description_localizations": {"de": "Für den nächsten Spielabend zu- oder absagen"},
        "options": [
            {
                "type": TEXT,
                "name": "answer",
                "description": "Are you going?",
                "description_localizations": {"de": "Kommst du?"},
                "required": False,
                "choices": [
                    {
                        "name": "Going",
                        "name_localizations": {"de": "Ich komme"},
                        "value": Answer.COMING.value,
                    },
                    {
                        "name": "Maybe",
                        "name_localizations": {"de": "Vielleicht"},
                        "value": Answer.PERHAPS.value,
                    },
                    {
                        "name": "Not going",
                        "name_localizations": {"de": "Ich komme nicht"},
                        "value": Answer.NOT_COMING.value,
                    },
                ],
            }
        ],
    },
    {
        "name": "link",
        "description": "Link your account in Muster",
        "description_localizations": {"de": "Dein Konto in Muster verknüpfen"},
        "options": [
            {
                "type": TEXT,
                "name": "code",
                "description": "The code from your account page in Muster",
                "description_localizations": {"de": "Der Code von deiner Kontoseite in Muster"},
                "required": True,
            }
        ],
    },
]


class Command(BaseCommand):
    help = "Register the commands with Discord. Needs DISCORD_APPLICATION_ID and DISCORD_BOT_TOKEN."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DISCORD_APPLICATION_ID or not settings.DISCORD_BOT_TOKEN:
            raise CommandError("Set DISCORD_APPLICATION_ID and DISCORD_BOT_TOKEN first.")
        url = f"{settings.DISCORD_API}/applications/{settings.DISCORD_APPLICATION_ID}/commands"
        headers = {
            "Authorization": f"Bot {settings.DISCORD_BOT_TOKEN}",
            "Content-Type": "application/json",
        }
        try:
            answer = send("PUT", url, body=json.dumps(COMMANDS).encode(), headers=headers)
        except (Refused, NoAnswer) as error:
            raise CommandError(f"Discord cannot be reached: {SENTENCES[str(error)]}") from error
        if answer.status >= 300:
            text = answer.body[:300].decode(errors="replace")
            raise CommandError(f"Discord refused ({answer.status}): {text}")
        names = ", ".join(f"/{command['name']}" for command in COMMANDS)
        self.stdout.write(f"Registered {names}.")
