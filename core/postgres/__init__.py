"""Django's database backend for PostgreSQL, with fewer statements between those of a request."""
