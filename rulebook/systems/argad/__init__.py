"""Argad!, a skirmish sheet of pike and shot: companies of characters, each with a class and what he
carries."""
