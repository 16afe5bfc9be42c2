"""What is read of warbands: frozen structures in a fixed number of queries, for pages, documents
and the API alike.

``warband_page``, ``fighter_page``, ``explain_fighter``, ``chronicle_lines``, ``ledger_lines``.
"""
