"""What people fill in about warbands and fighters."""
