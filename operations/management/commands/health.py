"""`manage.py health [component ...]`: report which components work."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.health import COMPONENTS, examine


class Command(BaseCommand):
    help = "Check the components of this server. Fails if one of them is unhealthy."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "components", nargs="*", metavar="component", help=f"some of: {', '.join(COMPONENTS)}"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        names = options["components"] or list(COMPONENTS)
        unknown = [name for name in names if name not in COMPONENTS]
        if unknown:
            raise CommandError(
                f"Unknown component: {', '.join(unknown)}. Use one of: {', '.join(COMPONENTS)}."
            )
        states = examine(*names)
        for name, answer in states.items():
            self.stdout.write(f"{name}: {answer['detail']}")
        unwell = [name for name, answer in states.items() if not answer["healthy"]]
        if unwell:
            raise CommandError(f"Unhealthy: {', '.join(unwell)}.")
