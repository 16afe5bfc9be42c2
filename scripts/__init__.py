"""The work behind the Makefile's targets. Each module runs by itself: `python -m
scripts.<name>`."""
