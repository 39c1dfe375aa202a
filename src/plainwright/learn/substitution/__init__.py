"""From the written corpus and readers' choices to a model of substitution: `plainwright learn substitution`.

`recipe` says what is learnt from what, `examples` makes examples of it, `network` and `loop` are the training in
torch, `run` does all stages.
"""

from plainwright.learn.substitution.recipe import read_recipe
from plainwright.learn.substitution.run import STAGES, SubstitutionOutcome, learn_substitution, substitution_status

__all__ = ["STAGES", "SubstitutionOutcome", "learn_substitution", "read_recipe", "substitution_status"]
