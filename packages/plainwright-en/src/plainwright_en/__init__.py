"""Data of plainwright for English: `rewriter/` is the model that rewrites sentences."""
