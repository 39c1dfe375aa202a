"""The rewriter: a small language model that puts whole sentences in plainer words.

`finding.py` says which one is meant, `model.py` opens it, `decoding.py` runs it.
"""
