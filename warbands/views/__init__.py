"""The pages of warbands and fighters."""
