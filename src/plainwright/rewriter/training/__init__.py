"""From written rewrites to a rewriter: everything behind `plainwright learn rewriter`.

    recipe       all that decides what is learnt, read from TOML
    base         the language model to begin with, read from GGUF
    corpus       the written rewrites, and which of them are held out
    vocabulary   the pieces of the base that are kept, and the tokens of controls
    pairs        the rewrites as tokens, with their ratios; batches: what each step reads of them
    network      the decoder in torch; rounding: its weights as they will be kept
    layout       where the weights stand in the memory that all processes share
    loop         the training itself; checkpoints: what it goes on from
    minimum_risk training by the reward of candidates; candidates: what the model writes; rewards: what it is worth
    self_training  training on rewrites of its own that judges chose
    continuing   trainings that go on from trained weights
    averaging    the mean of the last weights, and its loss on held-out pairs
    export       the directory that `Rewriter` opens
    run          all stages in order

Needs the extra `train`; nothing of torch is imported before it is used.
"""
