"""Everything that makes a model from text."""
