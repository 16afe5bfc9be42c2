"""What documents know that pages tell as well."""
