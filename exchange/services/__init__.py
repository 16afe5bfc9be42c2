"""Services that write exports, imports, passports and keys."""
