"""Export and import of a club's data: archives, passports, and the keys that sign both."""
