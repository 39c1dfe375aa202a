"""From two translation models to a rewriter that reads a sentence twice: as it stands, and in French.

recipe     all that decides what is learnt, read from TOML
marian     the translation models to begin with; pieces: their vocabulary, cut down
french     the corpus in French
batches    what each step of the training reads
network    encoder and decoder in torch; process: how the loop of all trainings runs them
export     the directory that `PivotRewriter` opens
run        all stages in order
"""
