"""Services that change warbands."""
