"""Every table and figure of the four papers, and what became of each: `plainwright reproduce --list`.

`reproduced` is computed from the paper's own data; `on other data` answers the same question elsewhere, because the
paper's data or systems are not public; `not possible` says why. A test keeps the list complete.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["INVENTORY", "PAPERS", "Listed", "Status"]

Status = Literal["reproduced", "on other data", "not possible"]

PAPERS = {
    "xu2016": "Xu et al. (2016), Optimizing Statistical Machine Translation for Text Simplification",
    "sulem2018": "Sulem et al. (2018), BLEU is Not Suitable for the Evaluation of Text Simplification",
    "lens2023": "Maddela et al. (2023), LENS: A Learnable Evaluation Metric for Text Simplification",
    "human-evaluation": "On human evaluation for text simplification: simplicity against adequacy",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """One table, figure or section of a paper: what it shows, whether it can be had, by which command."""

    paper: str
    place: str
    shows: str
    status: Status
    command: str = ""  # empty only where it is not possible
    remark: str = ""  # which other data; why it is not possible; what is left out

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "paper": self.paper,
            "place": self.place,
            "shows": self.shows,
            "status": self.status,
            "command": self.command,
            "remark": self.remark,
        }


_NO_DIGITS = "our copy of the paper lacks the digits of this table"
_NOT_IN_COPY = "our copy of the paper does not hold it"

INVENTORY: tuple[Listed, ...] = (
    Listed(
        "xu2016",
        "Figure 1",
        "the regions of source, output and references that SARI counts",
        "not possible",
        remark="a drawing without numbers; docs/metrics/sari.md has its regions as formulas",
    ),
    Listed(
        "xu2016",
        "Table 1",
        "rules of the Paraphrase Database that simplify",
        "on other data",
        "plainwright reproduce xu2016-table1",
        "the nine rules, applied to sentences of ours: PPDB itself is no longer offered for download",
    ),
    Listed(
        "xu2016",
        "Table 2",
        "one sentence by every system",
        "reproduced",
        "plainwright reproduce xu2016-table2",
        "from the released outputs, of which two are of another run",
    ),
    Listed(
        "xu2016",
        "Table 3",
        "candidates for two words, ranked by the model",
        "on other data",
        "plainwright reproduce xu2016-table3",
        "the authors' weights without the features that came with PPDB; and the rules of a model of ours",
    ),
    Listed(
        "xu2016",
        "Table 4",
        "ratings, length and edit distance of the systems",
        "reproduced",
        "plainwright reproduce xu2016-table4",
        "without the three columns of ratings, which are not public",
    ),
    Listed(
        "xu2016",
        "Table 5",
        "FK, BLEU, iBLEU, FKBLEU and SARI of the systems",
        "reproduced",
        "plainwright reproduce xu2016-table5",
    ),
    Listed(
        "xu2016",
        "Table 6",
        "time of BLEU, FKBLEU and SARI per candidate",
        "reproduced",
        "plainwright reproduce xu2016-table6",
        "on your machine",
    ),
    Listed(
        "xu2016",
        "Table 7",
        "correlation of metrics with ratings, sentence by sentence",
        "on other data",
        "plainwright reproduce xu2016-figure3",
        "the ratings of Sulem et al. (2018), ASSET, SimpDA_2022 and SimpEval_past: the paper's are not public",
    ),
    Listed(
        "xu2016",
        "Figure 2",
        "BLEU against SARI, sentence by sentence",
        "reproduced",
        "plainwright reproduce xu2016-figure2",
        "as numbers, also on other data",
    ),
    Listed(
        "xu2016",
        "Figure 3",
        "metrics against ratings, sentence by sentence",
        "on other data",
        "plainwright reproduce xu2016-figure3",
        "the ratings of Sulem et al. (2018), ASSET, SimpDA_2022 and SimpEval_past: the paper's are not public",
    ),
    Listed(
        "sulem2018",
        "Table 1",
        "how much the HSplit corpora split",
        "reproduced",
        "plainwright reproduce sulem2018-table1",
    ),
    Listed(
        "sulem2018",
        "Section 4.2",
        "BLEU of the input and of HSplit, raters' scores, their agreement",
        "reproduced",
        "plainwright reproduce sulem2018-section4.2",
    ),
    Listed(
        "sulem2018",
        "Section 4.2, sentences",
        "what is said, without numbers, of correlations sentence by sentence",
        "reproduced",
        "plainwright reproduce sulem2018-section4.2-sentences",
    ),
    Listed(
        "sulem2018",
        "Table 2",
        "correlation of metrics with ratings, system by system",
        "reproduced",
        "plainwright reproduce sulem2018-table2",
    ),
    Listed(
        "sulem2018",
        "Table 3",
        "the same sentence by sentence, with references that split",
        "reproduced",
        "plainwright reproduce sulem2018-table3",
    ),
    Listed(
        "lens2023",
        "Figure 1",
        "metrics and raters on a few simplifications of one sentence",
        "not possible",
        remark="our copy of the paper has its caption, but neither the sentence nor the scores",
    ),
    Listed(
        "lens2023",
        "Figure 2",
        "people, a copy and three damaged copies under each metric",
        "on other data",
        "plainwright reproduce lens2023-figure2",
        "ASSET valid: the paper does not name its sentences",
    ),
    Listed(
        "lens2023",
        "Figure 3",
        "intervals of the correlations of Table 2",
        "reproduced",
        "plainwright reproduce lens2023-table2",
        "SimpEval_2022 alone: Wiki-DA is kept for a blind measurement, Newsela-Likert needs a licence",
    ),
    Listed(
        "lens2023",
        "Figure 4",
        "LENS with one to ten references",
        "on other data",
        "plainwright reproduce lens2023-figure4",
        "SimpEval_past, on sources that were left out, and ASSET's ratings: Wiki-DA is kept for a blind measurement",
    ),
    Listed(
        "lens2023",
        "Figure 5",
        "the page on which raters rank and rate",
        "reproduced",
        "plainwright rate demo",
        "as a page to try, not as numbers",
    ),
    Listed(
        "lens2023",
        "Table 1",
        "sizes of SimpEval_past and SimpEval_2022",
        "reproduced",
        "plainwright reproduce lens2023-table1",
        "beside the numbers of the paper's text: our copy lacks the digits of the table",
    ),
    Listed(
        "lens2023",
        "Table 2",
        "correlation of metrics with ratings",
        "reproduced",
        "plainwright reproduce lens2023-table2",
        "SimpEval_2022 alone; BERTScore and LENS are other models than the paper's",
    ),
    Listed(
        "lens2023",
        "Table 3",
        "LENS as the objective of training and of decoding",
        "on other data",
        "plainwright reproduce lens2023-table3",
        "our rewriters on ASSET valid: the paper's outputs are not public",
    ),
    Listed(
        "lens2023",
        "Table 4",
        "LENS in decoding, by size of model and of beam",
        "on other data",
        "plainwright reproduce lens2023-table4",
        "our rewriters on ASSET valid: the paper's outputs are not public",
    ),
    Listed("lens2023", "Table 5", "unknown to us", "not possible", remark=f"{_NOT_IN_COPY}, not even its caption"),
    Listed(
        "lens2023",
        "Table 6",
        "LENS over different encoders",
        "on other data",
        "plainwright reproduce lens2023-table6",
        f"the paper's data, but MiniLM and MPNet as encoders: RoBERTa and BERT cannot be had here; {_NO_DIGITS}",
    ),
    Listed(
        "lens2023",
        "Table 7",
        "how three ways of rating rank six systems",
        "reproduced",
        "plainwright reproduce lens2023-table7",
        "from the paper's ratings; our copy lacks the digits of the table",
    ),
    Listed(
        "lens2023",
        "Appendix E",
        "more correlations of LENS",
        "not possible",
        remark=_NOT_IN_COPY,
    ),
    Listed(
        "lens2023",
        "Appendix F",
        "the steps of rating, and the instructions",
        "reproduced",
        "plainwright rate demo",
        "as a page to try, not as numbers",
    ),
    Listed(
        "human-evaluation",
        "Figure 1",
        "simplicity against adequacy",
        "on other data",
        "plainwright reproduce human-evaluation",
        "five public sets of ratings: the paper's are not public",
    ),
    Listed(
        "human-evaluation",
        "Figure 2",
        "how many sentences and raters give the same ranking",
        "on other data",
        "plainwright reproduce human-evaluation",
        "three public sets of ratings: the paper's are not public",
    ),
)
