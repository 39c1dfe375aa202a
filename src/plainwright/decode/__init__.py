"""The Python face of the decoder, k-best lists and reranking."""
