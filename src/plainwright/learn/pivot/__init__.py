"""Bilingual pivoting: English phrases that share their translations are paraphrases (Bannard and Callison-Burch 2005).

    p(e2|e1) = sum over f of p(e2|f) p(f|e1)

The method behind PPDB (Ganitkevitch et al. 2013). Phrase tables of several languages go in, as `learn extract` writes
them with English as the source; rules from English to English come out.

- `options`: what can be set, and what a run reports
- `engines`: DuckDB in this process, or a Spark session; all that differs between them
- `query`: the joins and sums, written once for both
- `character`: pairs that are no paraphrases by their looks
- `similarity`: cosines of the contexts in monolingual text
- `output`: rules as text
"""

from __future__ import annotations

from plainwright.learn.pivot.job import pivot_files
from plainwright.learn.pivot.options import PhraseTable, PivotOptions, PivotReport

__all__ = ["PhraseTable", "PivotOptions", "PivotReport", "pivot_files"]
