"""Reading: pictures for pages."""
