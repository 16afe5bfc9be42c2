"""`make bench`: the budgets of docs/benchmarks.md, each measured with a floor in the same run."""
