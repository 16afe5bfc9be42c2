"""A club's data leave and come back: archives, passports, and the keys that vouch for both."""
