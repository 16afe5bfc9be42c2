"""What a rule system says in words and settings: its data files, house rules, headings and
rulings."""
