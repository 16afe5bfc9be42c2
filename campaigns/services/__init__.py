"""What can be done to clubs and campaigns: ``clubs``, ``members``, ``invitations``, ``campaigns``,
``house_rules``, ``enrolments``. Each verb checks who asks, locks, checks, writes."""
