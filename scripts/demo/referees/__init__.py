"""Referees: programs that play whole battles, so that the demonstration has events to log.

To add a rule system to the demonstration:

1. ``data/<key>.toml``: its campaign, armies and battles, in the form of ``CampaignPlan`` in
  ``campaigns.py``.
2. ``referees/<key>.py``: a ``Referee`` whose ``play_on`` plays a battle to its end.
3. A line in ``campaigns.REFEREES``.

Everything else (rosters, enrolment, line-ups, logging over HTTP, confirming, rank-ups,
replacements, prints) is the same for every system, and so are its tests:
``tests/demo/test_demo_campaigns.py`` runs for each line of ``REFEREES``.

The club of En Garde! plays whole campaigns (``playing.py``): ``en_garde.py`` plays its battles turn
by turn, ``quick_result.py`` invents results.
"""
