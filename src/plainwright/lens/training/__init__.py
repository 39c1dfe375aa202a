"""From ratings to a model: everything behind `plainwright lens train`.

    data         ratings and references become examples: texts and the mean z-score of an output
    corruptions  more examples: texts spoilt on purpose, with a z-score below that of what was spoilt
    folds        which examples train and which judge, such that no source (and no system) is on both sides
    inputs       what the members see of the examples: vectors and features, computed once
    network      the feed-forward head in torch; loop: one training of it, with checkpoints
    tuning       the encoder itself, or its top layers, trained with a head
    boosting     gradient-boosted trees; linear: ridge regression; both on the features of the whole set of references
    stacking     how much each member counts, from predictions for sources that it never saw
    results      how far the members and their mix agree with people, with intervals
    job          all of it in order, resumable

Needs the extra `train`; nothing of torch or scikit-learn is imported before it is used.
"""
