"""Write every playthrough again: `make playthroughs`."""

from tests.playthroughs.corpus import write_all

write_all()
