"""Forms about warbands and fighters."""
