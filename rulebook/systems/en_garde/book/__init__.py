"""What the rule book prints, read from ``data/``: catalogue, lists, scenarios, house rules, headings."""
