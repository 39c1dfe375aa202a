"""Rank & Rate: people see all outputs for a sentence at once, group, compare, rank and rate them; everything is kept.

    settings       what a study is: form, aspects, controls, training
    study_file     study.toml, read and written (`study_writing`); `checks` of settings
    material       what is rated: items, cards (distinct outputs), units (what one page asks), controls
    building       from outputs to cards (`degrading`: damaged copies; `material_checks`); `simpeval`: from tables
    creation       from a study file to a database; `demonstration` makes a study to play with
    highlight      which words of an output were changed: `words`, their `alignment`, and the `comparison` by it
    events         everything that a rater can do, as typed messages; `telling` says them in sentences
    forms/         one file for each form, and what the events of a page add up to: answers, and what they still lack
    store/         the database: the append-only log, people, assignment; migrations
    web/           the pages; `api` describes what they answer to
    overview/      how far a study is, who needs attention; `links` for raters
    results/       export, analysis, quality of raters, bias of position

The log of events is the record; all else is derived from it and can be derived again.
"""
