"""Who did what in a club: written by the services of all rooms, read by its organisers, kept for
ever."""
