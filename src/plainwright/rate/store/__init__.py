"""The database: SQLite for one machine, PostgreSQL for teams; the same code and the same tests for both.

schema       the tables
migrations/  how they came to be, version by version
versions     which of them a database has, and how it gets to ours
engines      connections that keep what they were told to keep
writer       group commit: those who write at once share one
database     all of these together: making, opening, checking; transactions
history      the events of a page, and the digests that chain them
log          appending events, and what they add up to
audit        whether the log is what it was when it was written
replay       the log page by page, for people who read it
studies      a study's settings and material, saved and loaded
people       organisers, raters, invitations, sessions; erasure
reviewing    whom the organiser lets on after the training
assignment   who rates what next; `choosing` which unit and in what order, `releasing` what is taken back
own_pages    what a rater sees of their own work

One database holds one study. Functions take an open connection and the time; `database` decides when to commit.
"""
