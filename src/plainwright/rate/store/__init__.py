"""The database: SQLite for one machine, PostgreSQL for teams; the same code and the same tests for both.

schema       the tables
migrations/  how they came to be, version by version
database     opening, checking, transactions; many writers share one commit
log          appending events, reading them back, auditing
studies      a study's settings and material, saved and loaded
people       organisers, raters, invitations, sessions; erasure
assignment   who rates what next

One database holds one study. Functions take an open connection and the time; `database` decides when to commit.
"""
