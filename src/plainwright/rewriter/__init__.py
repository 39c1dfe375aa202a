"""The rewriter: a small language model that puts whole sentences in plainer words.

`finding.py` says which one is meant, `model.py` opens it. Those that were trained here (`training/`) are run by
`decoding.py`, those that `convert.py` makes of other language models by `ctranslate.py`.
"""
