"""Questions that a rule system answers outside battles: their descriptions, inputs and answers."""
