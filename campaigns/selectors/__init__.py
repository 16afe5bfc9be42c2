"""What there is to read about clubs and campaigns: frozen structures, fixed numbers of queries."""
