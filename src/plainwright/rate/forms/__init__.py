"""What the events of a page add up to.

answers    the state of a page, and what it still lacks
sheet      what a page asks; what one event makes of the answers, or why it is refused
page       from events to that state: undo, time, finishing

All are pure: no database, no clock.
"""
