"""The texts and settings of a rule system: its data files, house rules, headings and rulings."""
