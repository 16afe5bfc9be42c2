"""The frozen values that go in and out of a rule system."""
