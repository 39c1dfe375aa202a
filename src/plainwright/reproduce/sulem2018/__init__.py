"""Sulem, Abend and Rappoport (2018), BLEU is Not Suitable for the Evaluation of Text Simplification."""

from __future__ import annotations

from collections.abc import Mapping

from plainwright.reproduce.sulem2018.comparing_hsplit import SECTION_42, section42
from plainwright.reproduce.sulem2018.sentence_level import TABLE_3, table3
from plainwright.reproduce.sulem2018.splitting import TABLE_1, table1
from plainwright.reproduce.sulem2018.standard_sentences import SENTENCES_42, sentences42
from plainwright.reproduce.sulem2018.system_level import TABLE_2, table2

__all__ = [
    "NEEDS",
    "SECTION_42",
    "SENTENCES_42",
    "TABLE_1",
    "TABLE_2",
    "TABLE_3",
    "section42",
    "sentences42",
    "table1",
    "table2",
    "table3",
]

_TEXTS = ("hsplit/test", "hsplit/outputs.eval70", "sulem2018/outputs.eval70", "turkcorpus/test.nts2017")
_RATED = (*_TEXTS, "hsplit/ratings", "sulem2018/ratings", "xu2016/outputs")
# Registered corpora behind each.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "table1": ("hsplit/outputs", "turkcorpus/test.nts2017"),
    "section4.2": (*_RATED, "hsplit/outputs"),
    "section4.2-sentences": _RATED,
    "table2": (*_RATED, "turkcorpus/test"),
    "table3": (*_RATED, "turkcorpus/test.tok_cased"),
}
