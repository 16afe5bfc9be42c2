"""Charts, crests and figures as SVG: plain values in, one drawing out. Knows no Django and no rule
system."""
