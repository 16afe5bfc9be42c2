"""Passports: their form, byte for byte (docs/passports.md), and whether one holds."""
