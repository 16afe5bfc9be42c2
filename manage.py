#!/usr/bin/env python
"""Django's command line for Muster."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import Error

from core.outage import is_outage, reason_of


def main(arguments: list[str]) -> None:
    """Run the command. A database that is away is a sentence, and a traceback only where ``--traceback`` asks."""
    try:
        execute_from_command_line(arguments)
    except Error as error:
        if not is_outage(error) or "--traceback" in arguments:
            raise
        sys.exit(f"The database cannot be used: {reason_of(error)} Start it, or check DATABASE_URL.")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv)
