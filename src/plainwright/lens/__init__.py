"""Metrics that are learnt from people's ratings, and what they rest on.

- `encoders`: text to vectors, by models that lie on this machine.
- `features`: what overlap, length, frequency and a language model say of an output beside its source and references.
- `head`: the network of LENS, beside which stand trees (`plainwright.boosted`); `model` is the directory that holds
  them; `scorer` applies them.
- `metric`: LENS as a metric of the package; `bertscore`: BERTScore over the same encoders.
- `training`: from ratings to a model; `published`: the authors' checkpoint.

Nothing heavy is imported before it is used.
"""
