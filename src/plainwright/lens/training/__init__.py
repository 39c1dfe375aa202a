"""From ratings to a model: everything behind `plainwright lens train`.

    data         ratings and references become examples: texts and the mean z-score of an output
    fewer        more examples: rated outputs beside fewer of their references
    spoilt       more examples: texts spoilt on purpose, with a z-score below that of what was spoilt
    folds        which examples train and which judge, such that no source (and no system) is on both sides
    inputs       what the members see of the examples: vectors and features, computed once
    network      the feed-forward head in torch; heads: on vectors that stay as they are
    loop         one training with torch, with checkpoints
    tuning       the encoder itself, or its top layers, trained with a head
    boosting     gradient-boosted trees; linear: ridge regression; both on the features of the whole set of references
    stacking     how much each member counts, from predictions for sources that it never saw
    results      how far the members and their mix agree with people, with intervals
    fits         every fit, in several processes; run: those of all folds; work: what is kept, to go on later
    settings     all that decides what is learnt; needs: whether all that it takes is installed
    job          all of it in order; card: what the model says of itself

Needs the extra `train`; nothing of torch or scikit-learn is imported before it is used.
"""
