"""The scripts behind the Makefile's targets. Run a module with `python -m scripts.<name>`."""
