"""The file format of passports (docs/passports.md) and their verification."""
