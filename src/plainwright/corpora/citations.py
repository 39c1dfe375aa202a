"""BibTeX of the papers that ask to be cited."""

from __future__ import annotations

__all__ = [
    "ALVA_MANCHEGO_2019",
    "ALVA_MANCHEGO_2020",
    "ALVA_MANCHEGO_2021",
    "BOTHA_2018",
    "JIANG_2020",
    "KIM_2021",
    "MADDELA_2023",
    "MARTIN_2022",
    "NISIOI_2017",
    "SULEM_2018_BLEU",
    "SULEM_2018_SAMSA",
    "SULEM_2018_SPLITTING",
    "XU_2016",
    "ZHANG_2017",
    "ZHU_2010",
]

XU_2016 = """\
@article{xu-etal-2016-optimizing,
  title   = {Optimizing Statistical Machine Translation for Text Simplification},
  author  = {Xu, Wei and Napoles, Courtney and Pavlick, Ellie and Chen, Quanze and Callison-Burch, Chris},
  journal = {Transactions of the Association for Computational Linguistics},
  volume  = {4},
  pages   = {401--415},
  year    = {2016},
}"""

ALVA_MANCHEGO_2020 = """\
@inproceedings{alva-manchego-etal-2020-asset,
  title     = {{ASSET}: A Dataset for Tuning and Evaluation of Sentence Simplification Models with Multiple
               Rewriting Transformations},
  author    = {Alva-Manchego, Fernando and Martin, Louis and Bordes, Antoine and Scarton, Carolina and
               Sagot, Beno{\\^i}t and Specia, Lucia},
  booktitle = {Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics},
  pages     = {4668--4679},
  year      = {2020},
}"""

ALVA_MANCHEGO_2019 = """\
@inproceedings{alva-manchego-etal-2019-easse,
  title     = {{EASSE}: Easier Automatic Sentence Simplification Evaluation},
  author    = {Alva-Manchego, Fernando and Martin, Louis and Scarton, Carolina and Specia, Lucia},
  booktitle = {Proceedings of EMNLP-IJCNLP 2019: System Demonstrations},
  pages     = {49--54},
  year      = {2019},
}"""

ALVA_MANCHEGO_2021 = """\
@article{alva-manchego-etal-2021-un,
  title   = {The (Un)Suitability of Automatic Evaluation Metrics for Text Simplification},
  author  = {Alva-Manchego, Fernando and Scarton, Carolina and Specia, Lucia},
  journal = {Computational Linguistics},
  volume  = {47},
  number  = {4},
  pages   = {861--889},
  year    = {2021},
}"""

SULEM_2018_BLEU = """\
@inproceedings{sulem-etal-2018-bleu,
  title     = {{BLEU} is Not Suitable for the Evaluation of Text Simplification},
  author    = {Sulem, Elior and Abend, Omri and Rappoport, Ari},
  booktitle = {Proceedings of the 2018 Conference on Empirical Methods in Natural Language Processing},
  pages     = {738--744},
  year      = {2018},
}"""

SULEM_2018_SPLITTING = """\
@inproceedings{sulem-etal-2018-simple,
  title     = {Simple and Effective Text Simplification Using Semantic and Neural Methods},
  author    = {Sulem, Elior and Abend, Omri and Rappoport, Ari},
  booktitle = {Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics},
  pages     = {162--173},
  year      = {2018},
}"""

SULEM_2018_SAMSA = """\
@inproceedings{sulem-etal-2018-semantic,
  title     = {Semantic Structural Evaluation for Text Simplification},
  author    = {Sulem, Elior and Abend, Omri and Rappoport, Ari},
  booktitle = {Proceedings of NAACL-HLT 2018},
  pages     = {685--696},
  year      = {2018},
}"""

MADDELA_2023 = """\
@inproceedings{maddela-etal-2023-lens,
  title     = {{LENS}: A Learnable Evaluation Metric for Text Simplification},
  author    = {Maddela, Mounica and Dou, Yao and Heineman, David and Xu, Wei},
  booktitle = {Proceedings of the 61st Annual Meeting of the Association for Computational Linguistics},
  pages     = {16383--16408},
  year      = {2023},
}"""

NISIOI_2017 = """\
@inproceedings{nisioi-etal-2017-exploring,
  title     = {Exploring Neural Text Simplification Models},
  author    = {Nisioi, Sergiu and {\\v{S}}tajner, Sanja and Ponzetto, Simone Paolo and Dinu, Liviu P.},
  booktitle = {Proceedings of the 55th Annual Meeting of the Association for Computational Linguistics},
  pages     = {85--91},
  year      = {2017},
}"""

ZHANG_2017 = """\
@inproceedings{zhang-lapata-2017-sentence,
  title     = {Sentence Simplification with Deep Reinforcement Learning},
  author    = {Zhang, Xingxing and Lapata, Mirella},
  booktitle = {Proceedings of the 2017 Conference on Empirical Methods in Natural Language Processing},
  pages     = {584--594},
  year      = {2017},
}"""

ZHU_2010 = """\
@inproceedings{zhu-etal-2010-monolingual,
  title     = {A Monolingual Tree-based Translation Model for Sentence Simplification},
  author    = {Zhu, Zhemin and Bernhard, Delphine and Gurevych, Iryna},
  booktitle = {Proceedings of the 23rd International Conference on Computational Linguistics},
  pages     = {1353--1361},
  year      = {2010},
}"""

JIANG_2020 = """\
@inproceedings{jiang-etal-2020-neural,
  title     = {Neural {CRF} Model for Sentence Alignment in Text Simplification},
  author    = {Jiang, Chao and Maddela, Mounica and Lan, Wuwei and Zhong, Yang and Xu, Wei},
  booktitle = {Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics},
  pages     = {7943--7960},
  year      = {2020},
}"""

MARTIN_2022 = """\
@inproceedings{martin-etal-2022-muss,
  title     = {{MUSS}: Multilingual Unsupervised Sentence Simplification by Mining Paraphrases},
  author    = {Martin, Louis and Fan, Angela and de la Clergerie, {\\'E}ric and Bordes, Antoine and
               Sagot, Beno{\\^i}t},
  booktitle = {Proceedings of the Thirteenth Language Resources and Evaluation Conference},
  pages     = {1651--1664},
  year      = {2022},
}"""

KIM_2021 = """\
@inproceedings{kim-etal-2021-bisect,
  title     = {{BiSECT}: Learning to Split and Rephrase Sentences with Bitexts},
  author    = {Kim, Joongwon and Maddela, Mounica and Kriz, Reno and Xu, Wei and Callison-Burch, Chris},
  booktitle = {Proceedings of the 2021 Conference on Empirical Methods in Natural Language Processing},
  pages     = {6193--6209},
  year      = {2021},
}"""

BOTHA_2018 = """\
@inproceedings{botha-etal-2018-learning,
  title     = {Learning To Split and Rephrase From {Wikipedia} Edit History},
  author    = {Botha, Jan A. and Faruqui, Manaal and Alex, John and Baldridge, Jason and Das, Dipanjan},
  booktitle = {Proceedings of the 2018 Conference on Empirical Methods in Natural Language Processing},
  pages     = {732--737},
  year      = {2018},
}"""
