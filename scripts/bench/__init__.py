"""`make bench`: the budgets of docs/benchmarks.md, each measured beside a floor in the same run."""
