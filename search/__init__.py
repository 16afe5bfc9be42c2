"""Finding things by their names. It reads all rooms and keeps nothing: what may be seen is asked of
each row."""
