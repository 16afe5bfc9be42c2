"""The state of play, and what the events of a result sheet do to it."""
