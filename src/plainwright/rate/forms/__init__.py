"""What raters fill in: one file for each form, and what the events of a page add up to.

base       what a form is; as it stands, one that asks for scores
rank, likert, direct, sulem, gain, pairwise
           the forms of the package; `questions` are what several of them ask
writing    the forms of the package whose raters write; `limits` are those of what they write
registry   forms by name
answers    the state of a page, and what it still lacks
sheet      what a page asks; what one event makes of the answers, or why it is refused
page       from events to that state: undo, time, finishing

All are pure: no database, no clock.
"""
