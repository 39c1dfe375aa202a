"""What the events of a page add up to.

answers    the state of a page, and what it still lacks
fold       from events to that state; refuses what makes no sense on this page

Both are pure: no database, no clock.
"""
