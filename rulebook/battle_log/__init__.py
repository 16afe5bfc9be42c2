"""The engine of every log: kinds of event, replay, corrections, overruling, dice, forms."""
