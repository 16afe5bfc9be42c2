"""The log of a battle turn by turn: events that carry their dice, are checked against the state of
play, and resolve themselves by the rules at the table. They share one log with the events of a
result sheet.
"""
