"""Reads of warbands as frozen values, for pages, documents and the API.

Each needs a fixed number of queries. Start with ``warband_page``, ``fighter_page``,
``explain_fighter``, ``chronicle_lines`` and ``ledger_lines``.
"""
