"""What documents tell in whole sentences: facts in, prose out, a file for each language."""
