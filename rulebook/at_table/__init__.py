"""The table during play: actions, what is due, outcomes, sentences."""
