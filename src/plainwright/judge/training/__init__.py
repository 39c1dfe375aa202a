"""From ratings to a judge: everything behind `plainwright learn judge`.

    recipe    all that decides what is learnt, read from TOML
    ratings   the rated rewrites, and which sources are held out
    network   the cross-encoder in torch
    loop      the training itself, and the state that it goes on from
    report    how the judge agrees with ratings of sources that it did not see
    run       all stages in order

Needs the extra `train`; nothing of torch is imported before it is used.
"""
