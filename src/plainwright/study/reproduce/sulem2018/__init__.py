"""Sulem, Abend and Rappoport (2018), BLEU is Not Suitable for the Evaluation of Text Simplification."""

from __future__ import annotations

from plainwright.study.reproduce.sulem2018.comparing_hsplit import SECTION_42, section42
from plainwright.study.reproduce.sulem2018.sentence_level import TABLE_3, table3
from plainwright.study.reproduce.sulem2018.splitting import TABLE_1, table1
from plainwright.study.reproduce.sulem2018.system_level import TABLE_2, table2

__all__ = ["SECTION_42", "TABLE_1", "TABLE_2", "TABLE_3", "section42", "table1", "table2", "table3"]
