"""What was decided before the numbers were looked at: where a paper leaves a choice open, or its data are not public.

These were written and committed before the code that computes the numbers. A later change of mind is a change of
this file, and shows in its history. Those of Table 6 of Xu et al. came with their code, before it ran.
"""

from __future__ import annotations

__all__ = [
    "HUMAN_EVALUATION",
    "LENS2023_FIGURE2",
    "LENS2023_FIGURE4",
    "LENS2023_GENERATION",
    "LENS2023_TABLE2",
    "LENS2023_TABLE6",
    "SULEM2018_SECTION42",
    "SULEM2018_SENTENCES",
    "SULEM2018_TABLE1",
    "SULEM2018_TABLE2",
    "SULEM2018_TABLE3",
    "XU2016_FIGURE2",
    "XU2016_FIGURE3",
    "XU2016_TABLE6",
]

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
    "Intervals: 95 %, 1,000 bootstrap samples of the 60 sources, seed 12345; `both` draws systems too (Deutsch et al. "
    "2021) and was added when the numbers were known. Alpha: interval distance on the published "
    "z-scores, one unit an output, bootstrap over sources. For SimpDA and SimpLikert (section 6.2) there are none: z "
    "by rater and aspect, one unit an output and aspect, since the paper does not say how three aspects make one.",
    "Added with the learned metrics, before their values were known: a third reading of the paper, in which all raters "
    "give the same order and the difference of more than 5 points is that of the means, with all six systems and "
    "without the writer of the reference. BERTScore is F1 over the layers of the encoder that comes with LENS, not "
    "over RoBERTa; LENS is the model that comes with plainwright, not the authors'.",
)

LENS2023_FIGURE2 = (
    "The paper does not name the sentences of its figure. We take the 2,000 sources of ASSET valid: no rating of "
    "SimpEval, from which LENS learns, is of them.",
    "Human is one of the ten references of a sentence, drawn by the seed; all five systems are scored against the nine "
    "others, so that nobody is compared with itself and nobody has more references than another. Copy is the source.",
    "Drop 10 %, Scramble 5 % and Split in the middle are made of the source. A share is rounded to whole words, at "
    "least one to drop and two to scramble; scrambled words take each other's places; the period stands behind the "
    "middle word and changes no case; marks at the end stay there. Seen beforehand: the scrambled system that was "
    "rated in SimpEval_past has moved about a third of the words; we follow what the paper says.",
    "Scores are means over sentences, raw text: SARI lower-cased with 13a tokens, F1 for add and keep, precision for "
    "delete; BLEU of a sentence, lower-cased, exponential smoothing; BERTScore F1 over the encoder that comes with "
    "LENS; LENS from 0 to 100. SARI (EASSE), whose counts are pooled, is shown beside.",
    "A difference holds or fails if its 95 % interval lies on one side of zero, and is open otherwise: 1,000 bootstrap "
    "samples of the sources, the same for all systems and metrics.",
)

LENS2023_TABLE6 = (
    "BERT and RoBERTa, the encoders of the paper, could not be had. The question is put to MiniLM (6 layers, 22 "
    "million weights) and MPNet (12 layers, 109 million), frozen and tuned, each with k = n and with the 3 highest "
    "values.",
    "Seeds: five models of each kind. Each leaves out another fifth of the 100 sources of SimpEval_past, and has "
    "another start and order; of the same number they are pairs. So five models serve as five seeds, and each output "
    "of SimpEval_past is judged by the one model that never saw its source.",
    "All settings of training were chosen by the loss on sources within the training part of the first fold, and none"
    " by SimpEval_2022, on which every model is scored once.",
    "Tau by the released and by the stated protocol of `lens2023-table2`, Human 1 the reference. It is the mean over "
    "models, never that of a mean of models. Pearson on SimpEval_past: z of the outputs that were left out, all "
    "pooled.",
    "Intervals: 95 %, bootstrap over sources, the same draws for all models; `both` draws models, too. A difference "
    "is that of models of the same fold, and is called one if its interval over both lies on one side of zero.",
)

LENS2023_FIGURE4 = (
    "The paper's ratings, Wiki-DA, are kept for a blind measurement, and so are most references of ASSET's test set. "
    "In their place stand SimpEval_past, whose ten references of ASSET are had and whose outputs each model judges "
    "where it never saw the source; and the ratings published with ASSET, of the same aspects and scale as Wiki-DA, "
    "without the sources that any model learnt from, beside the eight references of TurkCorpus.",
    "Fewer references: ten random orders of all references, of which the first one, two, … of a source are taken; the"
    " same for all models. An output that is itself a reference is compared with the others only.",
    "The paper does not say which aspect its figure shows. Of ASSET's ratings simplicity, which it calls the most "
    "important one, is shown for every number; fluency and meaning for one reference and for all. LENS from 0 to 100 "
    "beside the mean of the raw ratings; on SimpEval_past z beside the mean of z.",
    "Pearson over all outputs, mean over orders and models; intervals as in `lens2023-table6`.",
)

LENS2023_GENERATION = (
    "The generator is ours, a rewriter of whole sentences, where the paper has T5 of three sizes. The sentences are "
    "drawn by the seed from ASSET valid: LENS learnt from no rating of them, and none is a source of the corpus.",
    "MLE is the likeliest wording, token by token: the decoder has no beam. MRT-LENS is the same of a rewriter that "
    "went on by minimum risk (equations 3 and 4). MBR-LENS takes of the candidates of MLE, the likeliest wording and "
    "samples at a temperature of 0.5, the one with the highest mean LENS beside all, weighing the same (equation 5).",
    "Where the paper's Table 4 has a larger beam, the likeliest of so many candidates is taken, by the mean "
    "log-probability of a token. A sentence for which there is no candidate stays as it is.",
    "All ten references serve LENS, SARI and BLEU. LENS is the model that comes with plainwright, not the authors'. "
    "A high LENS of MBR-LENS says little, since it was chosen by it: other columns and readers have to say more.",
    "A claim holds or fails if the 95 % interval of its difference lies on one side of zero, and is open otherwise: "
    "bootstrap samples of the sources, the same for all systems and metrics.",
    "Blind reading: 50 of the sentences, two readers, 0 to 100; up to 5 points apart count as equal.",
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

XU2016_TABLE6 = (
    "The paper says neither what the time contains nor how many candidates a sentence had. We take the six files that "
    "hold an output for each sentence of the test set, the source among them, and all eight references.",
    "Two ways: many candidates of one source, as tuning asks for them, and one candidate after the other. Text in, "
    "value out: tokens and counts are part of the time, reading files is not.",
    "Processor time of one thread; the median of five rounds after one that only warms up.",
)

HUMAN_EVALUATION = (
    "The paper's ratings (5 systems, 100 sentences, 10 raters) were not found in public. None of the numbers below is "
    "computed from them: they say whether the findings hold elsewhere.",
    "Aspects: one point an output, the mean of its raters' raw scores; R2 of a straight line, sign and p as in the "
    "paper. A finding holds if the 95 % interval of Pearson's r (1,000 bootstrap samples of the sources) lies on the "
    "side of zero that the paper names; `no relation` holds if the interval contains zero. Data with three aspects: "
    "ASSET, SimpDA_2022, SimpLikert_2022, Sulem et al. 2018, SAMSA. SimpEval_past and SimpEval_2022 asked for one "
    "score and cannot answer.",
    "SAMSA asked whether an output adds and whether it removes information, 1 to 3; adequacy is 4 minus the mean of "
    "the two for each rater. Its simplicity leaves out the difficulty of words.",
    "Test-set size and raters need several systems on the same sentences: SimpEval_past (24 systems, 5 raters), SAMSA "
    "(7, 5), Sulem et al. 2018 (28, 3). ASSET has 15 raters but one output a sentence, and cannot answer. Aspect: "
    "adequacy as in the paper, the overall score for SimpEval_past.",
    "Size: 10, 20 ... sentences up to all, 1,000 samples with replacement, paired t-test at 0.01, Kendall's tau-b "
    "of the pairs' verdicts (better, worse, none) with those of the full data, 0 if a sample shows no difference. It "
    "levels off at the smallest size from which every further ten sentences add less than 0.02.",
    "Raters: all sentences, 1, 2 ... ratings an output up to as many as there are raters, drawn with replacement anew "
    "for each output, 1,000 samples. More raters stop helping if the full number adds less than 0.02 to two.",
    "Budget: 100 ratings a system, by 1, 2 ... raters for each sentence, sentences rounded down and drawn with "
    "replacement. The finding is that tau falls at every step.",
    "All 28 systems, or 24, make more pairs than the paper's five, and closer ones. So the same is also computed on "
    "five systems spread evenly over the ranking of the means, first and last included.",
)

_SULEM2018_KNOWN = (
    "Known beforehand: a rough check on lower-cased text, with tokens between white space, had come within 0.02 "
    "sentences of Table 1 and 0.05 of Identity's BLEU, met BLEU-8ref without splits, and came near Table 3 in two "
    "settings. Nothing else had been tried."
)

_SULEM2018_TEXT = (
    "Text: outputs as released for the 70 rated sentences; Identity is the source that comes with HSplit; references "
    "are the eight and the Simple Wikipedia sentence of the test set as prepared by Nisioi et al. 2017. Those have no "
    "capitals, so everything is lower-cased. White space at the ends of lines is cut; entities such as &apos; stay, "
    "because neither multi-bleu nor NLTK decodes them."
)

_SULEM2018_CHANGED = (
    "Changed after a first look: the source was to be that of Nisioi et al., too. It writes two words of the 70 "
    "sentences in one token each, HSplit's source in two, and gives Identity a BLEU-1ref of 59.37 on the 70 sentences "
    "(59.85 in the paper) where HSplit's gives 59.81. The files named by the rough check had been misread."
)

_SULEM2018_BLEU = (
    "System-level BLEU is that of multi-bleu: tokens between white space, counts summed over the sentences, closest "
    "reference length, no smoothing."
)

_SULEM2018_SPEARMAN = (
    "Spearman's rho with mean ranks for ties. Scores of people are summed as whole numbers before they are divided, so "
    "that equal means tie. p-values are one-sided in the direction observed, by Student's t: the printed ones fit no "
    "other (0.61 among 7 systems gives 0.07 one-sided and 0.15 two-sided)."
)

_SULEM2018_INTERVALS = (
    "Intervals: 95 %, by bootstrap over the inputs, over the systems, and over both at once. Signs are those of the "
    "printed digits, and 0.00 is a sign of its own. A correlation counts as shown only if its interval over both lies "
    "on one side of zero; otherwise the question is open."
)

SULEM2018_TABLE1 = (
    _SULEM2018_KNOWN,
    "Sentences are found by our own rules for tokenised text, in HSplit as released (359 lines, capitals kept). An "
    "input counts as split if its output has more sentences than the source has by the same rules.",
    "Intervals: 95 %, by bootstrap over the 359 inputs.",
    "Footnote 6 (Wilcoxon's test) does not say what is paired. We take, for each input, the mean difference between "
    "the two annotators of a set and the mean difference between annotators of different sets; two-sided.",
)

SULEM2018_SECTION42 = (
    _SULEM2018_KNOWN,
    _SULEM2018_TEXT,
    _SULEM2018_CHANGED,
    _SULEM2018_BLEU
    + " HSplit is the mean of the four corpora's BLEU: on 70 sentences the files that were rated, on 359 the corpus.",
    "People's scores: the mean of three raters is the score of a sentence, the mean over 70 sentences that of a "
    "system; the HSplit average is a system of its own with the mean score of the four, on each sentence and on the "
    "whole. Sigma divides by n.",
    "Agreement: all 28 systems and four HSplit corpora, every sentence; one rater drawn against the rounded mean of "
    "the two others, halves rounded to even; quadratic weights; 1,000 repetitions, median and 95 % interval.",
    "Intervals: 95 %, by bootstrap over the inputs.",
)

SULEM2018_TABLE2 = (
    _SULEM2018_KNOWN,
    _SULEM2018_TEXT,
    _SULEM2018_CHANGED,
    "Seven systems without splits: Identity, Moses, SBMT-SARI (the output released by Xu et al. 2016, its first 70 "
    "lines) and NTS with hypothesis 1 or 4, with the default model or word2vec; ratings of NTS that name no model are "
    "those of word2vec. All: these, HSplit1 to HSplit4, and their average as a twelfth, whose scores by people and by "
    "metrics are the means of the four.",
    _SULEM2018_BLEU,
    "iBLEU is 0.9 BLEU with the references less 0.1 BLEU with the source, both system-level.",
    "-FK is the negated grade of Kincaid et al. 1975 over all sentences of a system: counts summed, sentences by our "
    "rules, words with a letter or digit, syllables by the CMU dictionary. Only here entities are decoded, since "
    "&apos; would be a word.",
    "SARI is the mean of the released scorer's sentence scores, with eight references.",
    "-LD is the negated distance in characters, as NLTK computes it for strings, mean over the sentences.",
    _SULEM2018_SPEARMAN,
    _SULEM2018_INTERVALS,
    "Three other choices are shown beside, to see what hangs on them: entities decoded and 's joined to its "
    "apostrophe; TurkCorpus as released by Xu et al. 2016 for sources and references; distances in tokens.",
)

SULEM2018_SENTENCES = (
    "Known beforehand: Tables 2 and 3 as we had computed them. The choices are theirs, and no other was tried.",
    _SULEM2018_TEXT,
    _SULEM2018_CHANGED,
    "Systems as in Table 2: seven without splits; with HSplit1 to HSplit4 and their average, twelve. One rank "
    "correlation over all outputs of a setting; of the average, people's and the metrics' scores of a sentence are the "
    "means of the four.",
    "Sentence BLEU, iBLEU, SARI and -LD as in Table 3, with one or eight references as in Table 2. -FK is left out: "
    "the paper computes it for systems only.",
    _SULEM2018_SPEARMAN,
    _SULEM2018_INTERVALS,
    "The last claim is also tested on text with entities decoded and 's joined, the form that fits Table 2.",
)

SULEM2018_TABLE3 = (
    _SULEM2018_KNOWN,
    _SULEM2018_CHANGED,
    "Text: the outputs released for the 70 rated sentences, lower-cased, ends of lines cut, entities left; references "
    "are the four HSplit files of these sentences, treated alike; the source is that of HSplit.",
    "Six systems: DSS, DSSm, SEMoses, SEMosesm, SEMosesLM, SEMosesLMm; 420 outputs, the score of each the mean of "
    "three raters. One rank correlation over all 420.",
    "Sentence BLEU is that of NLTK 3.2.5, the release from September 2017 to May 2018: tokens between white space, no "
    "smoothing, orders from the first without a match on are left out but their weight is not given to the others. "
    "(NLTK 3.3, of May 2018, counts them as 2e-308.)",
    "iBLEU is 0.9 BLEU with the references less 0.1 BLEU with the source, both of the sentence. SARI is the released "
    "scorer's sentence score with four references; -LD the negated distance in characters.",
    "The system level of section 4.3 takes multi-bleu's BLEU with the same references, as in Table 2.",
    _SULEM2018_SPEARMAN,
    _SULEM2018_INTERVALS,
    "Three other choices are shown beside: NLTK 3.3; capitals as released (the source's too); distances in tokens.",
)
