"""What is read of keys, passports and archives: frozen structures in a fixed number of queries."""
