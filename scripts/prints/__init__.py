"""`make prints`: every kind of document, of the demonstration and of hard cases."""
