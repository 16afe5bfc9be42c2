"""Questions that a rule system answers beside its battles: how they are described, asked, and
answered in words."""
