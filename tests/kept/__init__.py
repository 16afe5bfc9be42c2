"""Installations of earlier releases, and the tests that this Muster reads and upgrades them.

Each release has a folder here, such as ``1.0.0/``, written once by ``make keep-release``:

- ``sqlite.xz`` and ``postgres.xz``: the same small installation on SQLite, and as a
  dump of PostgreSQL (``tests.kept.databases``);
- ``club.archive.zip`` and ``warband.passport.json``: a club's archive and a passport, as members
  downloaded them;
- ``release.json``: the secret key and a token of that installation, which exists nowhere else, and
  the number of its rows (``tests.kept.releases``);
- ``api.json.xz`` and ``answers.json.xz``: the form of its API (``tests.kept.api_forms``), and what
  it answered;
- ``forms.json``: all kinds of facts and events with their fields (``tests.kept.stored_forms``);
- ``migrations.json``: fingerprints of its migrations (``tests.kept.migrations``).
"""
