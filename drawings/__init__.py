"""Charts, crests and figures as SVG. Plain values in, one drawing out.

This package uses no Django and no rule system.
"""
