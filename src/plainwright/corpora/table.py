"""The table of corpora: what each is called, which files it has and in which role.

Sizes and digests come from `files.tsv`, which `tools/make_corpora_registry.py` writes. A registered name is
never reused for other content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from plainwright.corpora import citations
from plainwright.corpora.card import Card, FileEntry, Role, Text

__all__ = ["build"]

# Makes the entry of a path from files.tsv, given its role and label.
Entry = Callable[..., FileEntry]

_GPL = "GPL-3.0 (licence of the repository)"
_NONE = "none stated: measure with it, do not redistribute it"
_ASSET = "CC-BY-NC-4.0"


def _words(text: str) -> list[str]:
    return text.split()


_XU_OUTPUTS = {
    "PBMT-R": "moses.test.output.1rerank",
    "SBMT-BLEU": "bleu30it.test.output.1best",
    "SBMT-FKBLEU": "glbleu30it.test.output.1best",
    "SBMT-SARI": "sari30it.test.output.1best",
}
_SULEM_ALL = _words(
    """
    DSS Moses Moses_LM NTSh1_default_model NTSh1_w2v_model NTSh4_default_model NTSh4_w2v_model SEMoses
    SEMoses_LM SENTSh1_default_model SENTSh1_w2v_model SENTSh4_default_model SENTSh4_w2v_model
    SETrain1-Moses SETrain1-Moses_LM SETrain2-Moses SETrain2-Moses_LM
    """
)
_SULEM_EVAL = _words(
    """
    DSS DSS^m Moses NTS-h1_default_model NTS-h1_w2v_model NTS-h4_default_model NTS-h4_w2v_model SEMoses
    SEMoses^m SEMoses_LM SEMoses_LM^m SENTS-h1^m_default_model SENTS-h1^m_w2v_model
    SENTS-h1_default_model SENTS-h1_w2v_model SENTS-h4^m_default_model SENTS-h4^m_w2v_model
    SENTS-h4_default_model SENTS-h4_w2v_model SETrain1-Moses SETrain1-Moses_LM SETrain2-Moses
    SETrain2-Moses_LM
    """
)
_EASSE_DETOK = _words(
    """
    ACCESS BTRLTS BTRLTS10 BTTS BTTS10 BTTS100 DMASS-DCSS Dress Dress-Ls EditNTS Hybrid NTS-SARI PBMT-R
    RM+EX RM+EX+LS RM+EX+LS+RO RM+EX+RO SBMT-SARI UNMT UNTS UNTS_10K
    """
)
_EASSE_LOWER = sorted([*_EASSE_DETOK, "DCSS", "DMASS", "EncDecA"])
_NTS = _words(
    """
    NTS-w2v_BLEU_b12_h1 NTS-w2v_SARI_b12_h2 NTS-w2v_default_b5_h1 NTS_BLEU_b12_h1 NTS_SARI_b5_h2
    NTS_default_b5_h1
    """
)
_NTS_COMPARED = {
    "LightLS": "LightLS-output.txt",
    "PBMT-R": "Moses-output-Wubben.txt",
    "SBMT-SARI": "SARI-output.txt",
}
_DRESS = ("Dress", "Dress-Ls", "EncDecA", "Hybrid", "PBMT-R")
_PWKP = _words(
    """
    Dress-Ls.tok Dress.tok EditNTS.tok.low EncDecA.tok Hybrid.tok.low Moses.tok.low PBMT-R.tok
    QG+ILP.tok TSM.tok UNSUP.tok
    """
)
_WIKIAUTO = [
    f"{model}.{data}_train.txt"
    for model in ("editnts", "lstm", "transformer_bert", "transformer_random")
    for data in ("new", "old")
]
_BISECT = _words(
    """
    copy512_bisect.txt copy512_wiki.txt dissim.txt our_model_bisect.txt our_model_bisect_wiki.txt
    transformer_bisect.txt transformer_wiki.txt
    """
)
_MUSS = {
    "muss_bart_access_mined": (25589234, 25589235, 25589236, 25589237, 25589238),
    "muss_bart_access_wikilarge": (25681095, 25681096, 25681097, 25681098, 25681099),
    "muss_bart_access_wikilarge_mined": (25589239, 25589240, 25589241, 25589243, 25589244),
    "seq2seq_wikilarge": (25654841, 25654842, 25654843, 25654844, 25654845),
}
_SUFFIXES = (".txt", ".tok.low", ".tok")


def build(entry: Entry) -> Iterator[Card]:
    """Yield all cards, in the order in which they are listed."""
    yield from _turkcorpus(entry)
    yield from _asset(entry)
    yield from _hsplit(entry)
    yield from _splitting_and_wikismall(entry)
    yield from _released_outputs(entry)
    yield from _collected_outputs(entry)
    yield from _ratings(entry)


def _turkcorpus(entry: Entry) -> Iterator[Card]:
    for part, segments in (("test", 359), ("tune", 2000)):
        folder = "turkcorpus/tok_lower"
        systems = [_output(entry, f"{folder}/{part}.simp", "Simple Wikipedia")]
        if part == "test":
            systems += _xu_outputs(entry)
        yield Card(
            name=f"turkcorpus/{part}",
            aliases=(f"turkcorpus/{part}.tok_lower",),
            kind="set",
            title=f"TurkCorpus {part} as released with Xu et al. 2016",
            segments=segments,
            references=8,
            licence=_GPL,
            citation=citations.XU_2016,
            text="tokenised-lower",
            files=(
                _source(entry, f"{folder}/{part}.norm"),
                *_references(entry, f"{folder}/{part}.turk.{{}}", range(8)),
                *systems,
            ),
            note="PTB tokens, brackets as -lrb-. Simple Wikipedia is the aligned sentence, not a system.",
        )
        folder = "turkcorpus/tok_truecased_gem"
        yield Card(
            name=f"turkcorpus/{part}.tok_cased",
            kind="set",
            title=f"TurkCorpus {part}, cased, from the GEM folder",
            segments=segments,
            references=8,
            licence=_GPL,
            citation=citations.XU_2016,
            text="tokenised-cased",
            files=(
                _source(entry, f"{folder}/{part}.norm"),
                *_references(entry, f"{folder}/{part}.turk.{{}}", range(8)),
            ),
            note="The references stand in another order than in the lower-cased release.",
        )
        yield Card(
            name=f"turkcorpus/{part}.tsv_cased",
            kind="set",
            title=f"TurkCorpus {part}, cased, one table",
            segments=segments,
            references=8,
            licence=_GPL,
            citation=citations.XU_2016,
            text="tokenised-cased",
            files=(entry(f"turkcorpus/truecased_tsv/{part}.tsv", role="table"),),
            columns=("id", "source", *["reference"] * 8),
            note="Differs from the GEM folder in some sources and in the order of the references.",
        )
        folder = "turkcorpus/detok_truecased"
        yield Card(
            name=f"turkcorpus/{part}.detok",
            kind="set",
            title=f"TurkCorpus {part}, cased and detokenised, as prepared for EASSE",
            segments=segments,
            references=8,
            licence=_GPL,
            citation=f"{citations.XU_2016}\n\n{citations.ALVA_MANCHEGO_2019}",
            text="raw",
            files=(
                _source(entry, f"{folder}/{part}.orig"),
                *_references(entry, f"{folder}/{part}.simp.{{}}", range(8)),
            ),
        )
    folder = "turkcorpus/nts2017_refs"
    prepared = Card(
        name="turkcorpus/test.nts2017",
        kind="set",
        title="TurkCorpus test as prepared by Nisioi et al. 2017",
        segments=359,
        references=8,
        licence=_NONE,
        citation=f"{citations.XU_2016}\n\n{citations.NISIOI_2017}",
        text="tokenised-lower",
        files=(
            _source(entry, f"{folder}/test.en"),
            *_references(entry, f"{folder}/ref{{}}", range(8)),
            _output(entry, f"{folder}/test_lwcase.sen", "Simple Wikipedia"),
        ),
        lower=True,
        note="Its sources are cased and its references are not, so loading lower-cases it. "
        "The references that fit the figures of Sulem et al. 2018 best.",
    )
    yield prepared
    yield replace(
        prepared,
        name="turkcorpus/test.eval70",
        title="The 70 sentences of TurkCorpus test that were rated by Sulem et al. 2018",
        segments=70,
        head=True,
        note="The first 70 segments of turkcorpus/test.nts2017, and lower-cased like it.",
    )


def _asset(entry: Entry) -> Iterator[Card]:
    for part, segments in (("valid", 2000), ("test", 359)):
        yield Card(
            name=f"asset/{part}",
            kind="set",
            title=f"ASSET {part}: ten references with several kinds of rewriting",
            segments=segments,
            references=10,
            licence=_ASSET,
            citation=citations.ALVA_MANCHEGO_2020,
            text="raw",
            files=(
                _source(entry, f"asset/{part}.orig"),
                *_references(entry, f"asset/{part}.simp.{{}}", range(10)),
            ),
        )


def _hsplit(entry: Entry) -> Iterator[Card]:
    note = "The splits keep capitals in names only."
    yield Card(
        name="hsplit/test",
        kind="set",
        title="HSplit: four manual sentence splittings of TurkCorpus test",
        segments=359,
        references=4,
        licence="CC-BY-SA-3.0",
        citation=citations.SULEM_2018_BLEU,
        text="tokenised-lower",
        files=(
            _source(entry, "hsplit/test.src"),
            *_references(entry, "hsplit/test.hsplit.{}", range(1, 5)),
        ),
        lower=True,
        note=f"{note} The source has none, so loading lower-cases the set. The source is {_GPL.split()[0]}.",
    )
    yield _outputs(
        entry,
        name="hsplit/outputs",
        title="HSplit as four systems, case as released",
        of="turkcorpus/test.nts2017",
        segments=359,
        licence="CC-BY-SA-3.0",
        citation=citations.SULEM_2018_BLEU,
        text="tokenised-cased",
        paths={f"HSplit{k}": f"hsplit/test.hsplit.{k}" for k in range(1, 5)},
        note=note,
    )
    yield _outputs(
        entry,
        name="hsplit/outputs.eval70",
        title="HSplit on the 70 sentences that were rated",
        of="turkcorpus/test.eval70",
        segments=70,
        licence="CC-BY-SA-3.0",
        citation=citations.SULEM_2018_BLEU,
        text="tokenised-cased",
        paths={f"HSplit{k}": f"hsplit/eval70/HSplit{k}" for k in range(1, 5)},
        note="A few lines differ from the head of hsplit/outputs.",
    )


def _splitting_and_wikismall(entry: Entry) -> Iterator[Card]:
    for part in ("tune", "validation", "test"):
        yield Card(
            name=f"wikisplit/{part}",
            kind="set",
            title=f"WikiSplit {part}: one sentence and its two-sentence form, from Wikipedia's edit history",
            segments=5000,
            references=1,
            licence="CC-BY-SA-4.0",
            citation=citations.BOTHA_2018,
            text="tokenised-cased",
            files=(entry(f"wiki_split/{part}.tsv.gz", role="table"),),
            columns=("source", "reference"),
            split_mark="<::::>",
            note="The file marks the split with <::::>; loading puts a space there.",
        )
    yield Card(
        name="wikismall/test",
        kind="set",
        title="WikiSmall (PWKP) test, one reference",
        segments=100,
        references=1,
        licence=_NONE,
        citation=f"{citations.ZHU_2010}\n\n{citations.ZHANG_2017}",
        text="tokenised-cased",
        files=(
            _source(entry, "wikismall/test.src"),
            *_references(entry, "wikismall/test.dst", range(1)),
        ),
    )


def _released_outputs(entry: Entry) -> Iterator[Card]:
    yield Card(
        name="xu2016/outputs",
        kind="outputs",
        title="The four outputs released with Xu et al. 2016",
        of="turkcorpus/test",
        segments=359,
        references=0,
        licence=_GPL,
        citation=citations.XU_2016,
        text="tokenised-lower",
        files=tuple(_xu_outputs(entry)),
        note="SBMT-BLEU is another output than the one in the paper's Table 5, whose row equals the input.",
    )
    yield _outputs(
        entry,
        name="sulem2018/outputs",
        title="Outputs of Sulem et al. (ACL 2018) on all of TurkCorpus test",
        of="turkcorpus/test.nts2017",
        segments=359,
        licence="CC-BY-SA-3.0",
        citation=citations.SULEM_2018_SPLITTING,
        text="tokenised-cased",
        paths={name: f"sulem2018/all359/{name}_all" for name in _SULEM_ALL},
    )
    yield _outputs(
        entry,
        name="sulem2018/outputs.eval70",
        title="Outputs of Sulem et al. (ACL 2018) on the 70 sentences that were rated",
        of="turkcorpus/test.eval70",
        segments=70,
        licence="CC-BY-SA-3.0",
        citation=citations.SULEM_2018_SPLITTING,
        text="tokenised-cased",
        paths={name: f"sulem2018/eval70/{name}" for name in _SULEM_EVAL},
        note="MosesLM was rated, but has no file here: take the head of Moses_LM in sulem2018/outputs.",
    )
    yield _outputs(
        entry,
        name="nts2017/outputs",
        title="Outputs of Nisioi et al. 2017 and of the systems they compare with",
        of="turkcorpus/test.nts2017",
        segments=359,
        licence=_NONE,
        citation=citations.NISIOI_2017,
        text="tokenised-lower",
        paths={
            system: f"system_outputs/nts2017/{file}"
            for system, file in [*_NTS_COMPARED.items(), *zip(_NTS, _NTS, strict=True)]
        },
    )
    yield _outputs(
        entry,
        name="dress2017/outputs",
        title="Outputs on TurkCorpus test from the DRESS paper",
        of="turkcorpus/test",
        segments=359,
        licence="MIT",
        citation=citations.ZHANG_2017,
        text="tokenised-cased",
        paths=_stems("system_outputs/dress2017_wikilarge/test", [*_DRESS, "SBMT-SARI"]),
    )
    yield _outputs(
        entry,
        name="dress2017/outputs.wikismall",
        title="Outputs on WikiSmall test from the DRESS paper",
        of="wikismall/test",
        segments=100,
        licence="MIT",
        citation=citations.ZHANG_2017,
        text="tokenised-cased",
        paths=_stems("system_outputs/dress2017_wikismall/test", _DRESS),
    )
    yield _outputs(
        entry,
        name="wikiauto2020/outputs",
        title="Outputs on TurkCorpus test from the Wiki-Auto paper",
        of="turkcorpus/test",
        segments=359,
        licence=_NONE,
        citation=citations.JIANG_2020,
        text="tokenised-lower",
        paths=_stems("system_outputs/wikiauto2020_turkcorpus", _WIKIAUTO),
    )
    for of, folder in (("turkcorpus/test.detok", "turkcorpus"), ("asset/test", "asset")):
        yield _outputs(
            entry,
            name=f"muss/outputs.{folder}",
            title=f"Outputs of MUSS on {of}, four models with five seeds",
            of=of,
            segments=359,
            licence="CC-BY-NC-4.0",
            citation=citations.MARTIN_2022,
            text="raw",
            paths={
                f"{model}.{seed}": f"system_outputs/muss/{folder}_test/{model}/{seed}.pred"
                for model, seeds in _MUSS.items()
                for seed in seeds
            },
        )
    yield _outputs(
        entry,
        name="bisect2021/outputs",
        title="Outputs of splitting systems from the BiSECT paper",
        of="hsplit/test",
        segments=359,
        licence=_NONE,
        citation=citations.KIM_2021,
        text="tokenised-cased",
        paths=_stems("system_outputs/bisect2021_hsplit", _BISECT),
        note="Some systems mark splits with <SEP>.",
    )


def _collected_outputs(entry: Entry) -> Iterator[Card]:
    note = "UNTS has three empty lines."
    yield _outputs(
        entry,
        name="turkcorpus/outputs.detok",
        title="21 systems on TurkCorpus test, detokenised, collected by EASSE",
        of="turkcorpus/test.detok",
        segments=359,
        licence=_GPL,
        citation=citations.ALVA_MANCHEGO_2019,
        text="raw",
        paths=_stems("system_outputs/turkcorpus_test/detok", _EASSE_DETOK),
        note=note,
    )
    yield _outputs(
        entry,
        name="turkcorpus/outputs.tok_lower",
        title="24 systems on TurkCorpus test, lower-cased tokens, collected by EASSE",
        of="turkcorpus/test",
        segments=359,
        licence=_GPL,
        citation=citations.ALVA_MANCHEGO_2019,
        text="tokenised-lower",
        paths=_stems("system_outputs/turkcorpus_test/tok_lower", _EASSE_LOWER),
        note=note,
    )
    yield _outputs(
        entry,
        name="pwkp/outputs",
        title="Ten systems on PWKP test, collected by EASSE",
        of="wikismall/test",
        segments=100,
        licence=_GPL,
        citation=citations.ALVA_MANCHEGO_2019,
        text="tokenised-cased",
        paths=_stems("system_outputs/pwkp_test", _PWKP),
        note="EditNTS, Hybrid and Moses are lower-cased.",
    )


def _ratings(entry: Entry) -> Iterator[Card]:
    yield _rated(
        entry,
        name="asset/ratings",
        title="Fluency, adequacy and simplicity of 100 simplifications, 15 raters an aspect, 0-100",
        paths=["asset/human_ratings/human_ratings.csv"],
        of="asset/test",
        segments=100,
        licence=_ASSET,
        citation=citations.ALVA_MANCHEGO_2020,
        text="raw",
    )
    yield _rated(
        entry,
        name="asset/pairwise",
        title="Pairwise judgements of references: ASSET against TurkCorpus and HSplit",
        paths=["asset/human_ratings/asset_pairwise_comparisons_with_turkcorpus_and_hsplit.csv"],
        of="asset/test",
        segments=None,
        licence=_ASSET,
        citation=citations.ALVA_MANCHEGO_2020,
        text="raw",
    )
    yield _rated(
        entry,
        name="hsplit/ratings",
        title="G, M, S, StS of the four HSplits: 70 sentences, three raters",
        paths=["hsplit/eval70/human_ratings.csv"],
        of="hsplit/outputs.eval70",
        segments=70,
        licence="CC-BY-SA-3.0",
        citation=citations.SULEM_2018_BLEU,
        text=None,
    )
    yield _rated(
        entry,
        name="sulem2018/ratings",
        title="G, M, S, StS of 28 systems: 70 sentences, three raters",
        paths=["sulem2018/human_ratings.csv"],
        of="sulem2018/outputs.eval70",
        segments=70,
        licence="CC-BY-SA-3.0",
        citation=f"{citations.SULEM_2018_SPLITTING}\n\n{citations.SULEM_2018_BLEU}",
        text=None,
    )
    yield _rated(
        entry,
        name="samsa2018/ratings",
        title="Four questions (qa-qd, 1-3) on seven systems: 100 PWKP sentences, five raters",
        paths=["samsa2018/human_ratings.csv"],
        of="pwkp/outputs",
        segments=100,
        licence=_GPL,
        citation=citations.SULEM_2018_SAMSA,
        text=None,
    )
    for part, title, segments in (
        ("past", "24 systems rated 0-100 by five raters: 100 TurkCorpus sentences", 100),
        ("2022", "Four systems and two writers ranked and rated 0-100 by three raters: 60 sentences", 60),
    ):
        yield _rated(
            entry,
            name=f"simpeval/{part}",
            title=title,
            paths=[f"simpeval/simpeval_{part}.csv"],
            of=None,
            segments=segments,
            licence=_NONE,
            citation=citations.MADDELA_2023,
            text="raw",
        )
    for part, scale in (("simpDA_2022", "0-100"), ("simplikert_2022", "1-5")):
        yield _rated(
            entry,
            name=f"simpeval/{part}",
            title=f"Adequacy, fluency, simplicity ({scale}) of SimpEval 2022's six outputs: 60 sentences",
            paths=[f"simpeval/{part}.csv"],
            of=None,
            segments=60,
            licence=_NONE,
            citation=citations.MADDELA_2023,
            text="raw",
        )
    for name, file in (
        ("simplicity-da", "simplicity_DA"),
        ("structural-simplicity", "structural_simplicity"),
    ):
        yield _rated(
            entry,
            name=f"{name}/ratings",
            title=f"{name} ratings of Alva-Manchego et al. 2021: each rater's, and the table by sentence",
            paths=[f"metaeval/{file}_ratings.csv", f"metaeval/{file}.csv"],
            of=None,
            segments=None,
            licence="not checked: see the repository",
            citation=citations.ALVA_MANCHEGO_2021,
            text=None,
        )


def _source(entry: Entry, path: str) -> FileEntry:
    return entry(path, role="source")


def _output(entry: Entry, path: str, system: str) -> FileEntry:
    return entry(path, role="output", system=system)


def _references(entry: Entry, pattern: str, numbers: Iterable[int]) -> list[FileEntry]:
    return [entry(pattern.format(k), role="reference", reference=i) for i, k in enumerate(numbers)]


def _xu_outputs(entry: Entry) -> list[FileEntry]:
    folder = "turkcorpus/xu2016_system_outputs"
    return [_output(entry, f"{folder}/{file}", system) for system, file in _XU_OUTPUTS.items()]


def _stems(folder: str, files: Iterable[str]) -> dict[str, str]:
    """System name -> path; the name is the file's without the suffixes that say nothing."""
    paths = {}
    for file in files:
        system = PurePosixPath(file).name
        for suffix in _SUFFIXES:
            system = system.removesuffix(suffix)
        paths[system] = f"{folder}/{file}"
    return paths


def _outputs(
    entry: Entry,
    *,
    name: str,
    title: str,
    of: str,
    segments: int,
    licence: str,
    citation: str,
    text: Text,
    paths: dict[str, str],
    note: str = "",
) -> Card:
    return Card(
        name=name,
        kind="outputs",
        title=title,
        of=of,
        segments=segments,
        references=0,
        licence=licence,
        citation=citation,
        text=text,
        files=tuple(_output(entry, path, system) for system, path in paths.items()),
        note=note,
    )


def _rated(
    entry: Entry,
    *,
    name: str,
    title: str,
    paths: list[str],
    of: str | None,
    segments: int | None,
    licence: str,
    citation: str,
    text: Text | None,
) -> Card:
    role: Role = "ratings"
    return Card(
        name=name,
        kind="ratings",
        title=title,
        of=of,
        segments=segments,
        references=0,
        licence=licence,
        citation=citation,
        text=text,
        files=tuple(entry(path, role=role) for path in paths),
    )
