"""Judging the judges: ratings, agreement, correlation, planning, and published tables computed again.

    ratings/       what people said: the long table, its files, z-scores
    agreement/     do raters agree: alpha, kappa, pairs of raters; raters.py: does one stand out
    correlation    metrics against people: scores and scoring (a metric's values of rated outputs), levels (system,
                   sentence, item, pair), taulike, operations, comparisons (many tests at once)
    tradeoff       one aspect against another
    resample       how many sentences and raters would have been enough
    plan           how many will be: components and spread (where ratings vary), student (power of a t-test)
    estimate       every result: a value with its interval, or why there is none

Below them: coefficients, and what makes a resample one matrix product (draws, weighted, sums).
"""
