"""All that Muster holds of a member, as a zip archive (docs/privacy.md)."""
