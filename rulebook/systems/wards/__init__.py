"""Wards: medieval battles of Wards, units in bases, and three Generals."""
