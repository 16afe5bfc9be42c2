"""Pages of exports, imports, passports and keys."""
