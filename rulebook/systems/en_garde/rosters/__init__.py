"""Fighters and warbands as they are built: builds, points, cards, and what makes a roster legal."""
