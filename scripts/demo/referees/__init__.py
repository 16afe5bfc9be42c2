"""Referees: for each rule system one who plays whole battles, so that a club of made-up people has
something to log.

To add a rule system to the demonstration:

1. ``data/<key>.toml``: its campaign, armies and battles, as ``CampaignPlan`` of ``campaigns.py``
  reads them.
2. ``referees/<key>.py``: a ``Referee`` that says in ``play_on`` how a battle goes on to its end.
3. A line in ``campaigns.REFEREES``.

Everything else (rosters, enrolment, fielding, logging over HTTP, confirming, rank-ups,
replacements, prints) is the same for every system, and so are its tests:
``tests/demo/test_demo_campaigns.py`` runs for each line of ``REFEREES``.

The club of En Garde! plays whole campaigns (``playing.py``): ``en_garde.py`` plays its battles turn
by turn, ``quick_result.py`` invents result sheets.
"""
