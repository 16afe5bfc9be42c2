"""What each kind of document holds: frozen structures, read once, that a template prints and a hash
names."""
