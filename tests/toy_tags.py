"""A few tagged sentences, written by hand, in which words change their tag with their neighbours."""

from __future__ import annotations

from plainwright.learn.tagger import TaggedSentence, TaggerOptions

SMALL = TaggerOptions(passes=10, min_count=1, lower_share=0.5)


def _parse(line: str) -> TaggedSentence:
    pairs = [item.rpartition("_") for item in line.split()]
    return [word for word, _, _ in pairs], [tag for _, _, tag in pairs]


SENTENCES = [
    _parse(line)
    for line in (
        "The_DT dog_NN can_MD bark_VB ._.",
        "The_DT can_NN fell_VBD ._.",
        "A_DT bark_NN woke_VBD Ann_NNP ._.",
        "Ann_NNP can_MD (_-LRB- slowly_RB )_-RRB- bark_VB ._.",
        "``_`` May_MD I_PRP leave_VB ?_. ''_'' asked_VBD Ann_NNP in_IN May_NNP ._.",
        "Two_CD dogs_NNS saw_VBD 3,000_CD dogs_NNS on_IN leave_NN ._.",
    )
]


def as_lines(sentences: list[TaggedSentence]) -> list[str]:
    """One line of word_TAG tokens for each."""
    return [" ".join(f"{word}_{tag}" for word, tag in zip(*sentence, strict=True)) for sentence in sentences]
