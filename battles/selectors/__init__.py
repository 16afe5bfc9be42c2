"""What there is to read about battles: frozen structures, fixed numbers of queries."""
