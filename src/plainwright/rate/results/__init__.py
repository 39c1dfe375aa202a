"""From what raters did to what a study found.

record         finished pages: what the log adds up to, without a database
loading        those pages from a database
table          one row a judgement; one row a comparison where raters chose between two
export         the rows as files that `plainwright study` and `lens train` read
simpeval       the same in the layout of SimpEval
normalisation  what z-scores are made with
controls       what damaged copies, sources, references and repeats say about a rater
quality        how carefully each rater worked: controls, repeats, time, agreement
findings       which raters stand out, a sentence each
bias           whether the place at which an output was shown moved its score
systems        means of systems, and which of them differ
analysis       all of that, and agreement by the functions of `plainwright.study`
"""
