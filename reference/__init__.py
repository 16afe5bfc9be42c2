"""Rule systems as pages and in the API, and their calculators."""
