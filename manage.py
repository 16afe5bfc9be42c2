#!/usr/bin/env python
"""Django's command line for Muster."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import Error

from core.outage import is_outage, lacks_table, reason_of


def main(arguments: list[str]) -> None:
    """Run the command. A database that is away or empty is a sentence: a traceback only with
    ``--traceback``."""
    try:
        execute_from_command_line(arguments)
    except Error as error:
        if "--traceback" in arguments:
            raise
        if is_outage(error):
            sys.exit(
                f"The database cannot be used: {reason_of(error)} Start it, or check DATABASE_URL."
            )
        if lacks_table(error):
            sys.exit(
                f"The database lacks a table: {reason_of(error)} Run `manage.py migrate`, or check "
                "DATABASE_URL and "
                "VAR_DIR."
            )
        raise


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv)
