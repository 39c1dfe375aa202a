"""What was decided before the numbers were looked at: where a paper leaves a choice open, or its data are not public.

These were written and committed before the code that computes the numbers. A later change of mind is a change of
this file, and shows in its history.
"""

from __future__ import annotations

__all__ = ["HUMAN_EVALUATION", "LENS2023_TABLE2", "XU2016_FIGURE2", "XU2016_FIGURE3"]

LENS2023_TABLE2 = (
    "Known beforehand: a rough check had given SARI's tau in 17 settings, from -0.06 to 0.33. The protocols are "
    "therefore taken from what the paper says and from what its code does, and from nothing else.",
    "Ratings: the raw 0-100 scores of SimpEval_2022, since the smallest difference of 5 is in points of that scale. "
    "Kind of an output (paraphrase, split, deletion): the published label, which raters could correct.",
    "Stated protocol: all three raters give the same order, each by more than 5 points; any two outputs of a source "
    "make a pair for `all`, two of the same kind for `paraphrase` and `split`; one writer is the reference and is "
    "left out of the systems, the other stays as a system. The paper does not say which: both are shown, and Human 1, "
    "whose text is the released reference file, comes first.",
    "Released protocol: more than half of the raters give the same order, each by more than 5 points; only outputs of "
    "the same kind make a pair, `all` pools the three kinds; Human 1 is the reference and stays a system.",
    "A pair on which the metric ties counts as discordant in both: the code does so, the paper is silent.",
    "Metrics on raw text, lower-cased, with 13a tokens: SARI with F1 for add and keep, precision for delete; BLEU of a "
    "sentence with exponential smoothing; FKGL as the grade itself, so that a positive tau means that raters prefer "
    "the harder text. The rest are metrics of ours that the paper does not have.",
    "Intervals: 95 %, 1,000 bootstrap samples of the 60 sources, seed 12345. Alpha: interval distance on the published "
    "z-scores, one unit an output, bootstrap over sources.",
)

XU2016_FIGURE2 = (
    "The figure needs no ratings: its points are sentence scores of outputs, and three of the systems' outputs are "
    "public. Those are the paper's own data; the other sets are not.",
    "The paper does not say which outputs its points are. We take those of PBMT-R, SBMT+FKBLEU, SBMT+SARI and Simple "
    "Wikipedia, each alone and the four together; not the unchanged input, and not a Turk reference against itself.",
    "Sentence BLEU and SARI are those of Table 5 for the paper's set; on raw text the same with 13a tokens and lower "
    "case. A BLEU of 99.995 or more counts as perfect.",
    "`Many diverge`: the share of sentences whose places in the two rankings are more than a quarter of the list apart "
    "(9/16 of them if the scores had nothing to do with each other), and Spearman's correlation.",
    "`Few of the perfect get a high SARI`: of the sentences with a perfect BLEU, the share in the highest quarter by "
    "SARI. The claim holds if the interval lies below 25 %, the share of any sentence.",
    "`A range of scores`: the 5th, 50th and 95th percentile of SARI where BLEU is perfect.",
    "Other sets: the 70 sentences of Sulem et al. 2018 (8 references), SimpEval_past (the 8 TurkCorpus references). "
    "Intervals: 95 %, 1,000 bootstrap samples of the sources, seed 12345.",
)

XU2016_FIGURE3 = (
    "The ratings behind the figure are not public. These are other sentences, systems and raters: Sulem et al. 2018, "
    "ASSET and SimpDA_2022, which asked for the same three aspects. SimpEval_past asked for one score of quality and "
    "is shown beside them.",
    "The figure prints no numbers; Table 7 does, for the same points. A point is an output, with the mean of its "
    "raters; Spearman's rho over all points.",
    "Simplicity in the paper counts successful paraphrases (Simplicity+); elsewhere it is a scale. Grammar is asked as "
    "fluency in ASSET and SimpDA.",
    "References: TurkCorpus's eight for Sulem, ASSET and SimpEval_past; for SimpDA the text of Human 1, whose own "
    "outputs are left out. All outputs that have both a text and ratings, the unchanged input included.",
    "Claims tested: BLEU goes with grammar and with meaning, and less with simplicity; SARI goes with simplicity, and "
    "more so than BLEU; outputs nearer to the input (-LD by token, for each token of the longer) have the higher BLEU, "
    "grammar and meaning, but not the higher simplicity; SARI does not reward nearness. A claim holds or fails if the "
    "interval of its number lies on one side of zero, and is open otherwise.",
    "Intervals: 95 %, 1,000 bootstrap samples of the sources, seed 12345.",
)

HUMAN_EVALUATION = (
    "The paper's ratings (5 systems, 100 sentences, 10 raters) were not found in public. None of the numbers below is "
    "computed from them: they say whether the findings hold elsewhere.",
    "Aspects: one point an output, the mean of its raters' raw scores; R2 of a straight line, sign and p as in the "
    "paper. A finding holds if the 95 % interval of Pearson's r (1,000 bootstrap samples of the sources) lies on the "
    "side of zero that the paper names; `no relation` holds if the interval contains zero. Data with three aspects: "
    "ASSET, SimpDA_2022, SimpLikert_2022, Sulem et al. 2018, SAMSA. SimpEval_past and SimpEval_2022 asked for one "
    "score and cannot answer.",
    "Test-set size and raters need several systems on the same sentences: SimpEval_past (24 systems, 5 raters), SAMSA "
    "(7, 5), Sulem et al. 2018 (28, 3). ASSET has 15 raters but one output a sentence, and cannot answer. Aspect: "
    "adequacy as in the paper, the overall score for SimpEval_past.",
    "Size: 10, 20 ... sentences up to all, 1,000 samples with replacement, paired t-test at 0.01, Kendall's tau with "
    "the verdicts of the full data. It levels off at the smallest size from which every further ten sentences add "
    "less than 0.02.",
    "Raters: all sentences, 1, 2 ... ratings an output up to as many as there are raters, drawn with replacement anew "
    "for each output, 1,000 samples. More raters stop helping if the full number adds less than 0.02 to two.",
    "Budget: 100 ratings a system, by 1, 2 ... raters for each sentence, sentences rounded down and drawn with "
    "replacement. The finding is that tau falls at every step.",
    "All 28 systems, or 24, make more pairs than the paper's five, and closer ones. So the same is also computed on "
    "five systems spread evenly over the ranking of the means, first and last included.",
)
