"""The contents of the rule book, read from ``data/``: catalogue, lists, scenarios, house rules, headings."""
