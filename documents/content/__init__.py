"""The content of each kind of document: frozen structs that are read once, hashed and printed."""
