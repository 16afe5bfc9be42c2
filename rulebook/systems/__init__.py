"""The rule systems, a folder each. None knows another."""
