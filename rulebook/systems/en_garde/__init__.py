"""The rule system En Garde!: facts in ``data/``, and small modules named for what they decide."""
