"""Table 3 of Sulem et al. (2018) and section 4.3: BLEU with HSplit as references, on systems that split sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plainwright import corpora
from plainwright.metrics.base import Array
from plainwright.reproduce.choices import SULEM2018_TABLE3
from plainwright.reproduce.sulem2018 import texts
from plainwright.reproduce.sulem2018.alternatives import CHOSEN, comparison, explaining
from plainwright.reproduce.sulem2018.cells import correlation_cell
from plainwright.reproduce.sulem2018.findings import difference, in_words, shown, survivors
from plainwright.reproduce.sulem2018.measures import NltkVersion, Unit, bleu, sentence_measures
from plainwright.reproduce.sulem2018.people import described
from plainwright.reproduce.sulem2018.resampling import Setting, correlated
from plainwright.reproduce.sulem2018.splitting import CITATION
from plainwright.reproduce.table import Block, Finding, Reproduction, Sampling
from plainwright.study.levels import SentenceLevel, SystemLevel

__all__ = ["TABLE_3", "table3"]

TABLE_3 = "Sulem et al. (2018), Table 3: sentence-level Spearman correlation with HSplit as references"
_SENTENCES = "Sentence level: 420 outputs"
_SYSTEMS = "System level (section 4.3): 6 systems"
# G, M, S, StS, each with its p-value as printed; * in the paper is p < 1e-5.
_PAPER = """
BLEU   0.36 <1e-05  0.43 <1e-05  0.17 3e-04  0.17 3e-04
iBLEU  0.32 <1e-05  0.40 <1e-05  0.15 8e-04  0.15 8e-04
SARI  -0.05 0.2    -0.11 0.02    0.18 1e-04  0.19 6e-05
-LD    0.65 <1e-05  0.66 <1e-05  0.21 <1e-05 0.20 1e-05
"""
_PAPER_SYSTEMS = {"G": (0.57, "0.1"), "M": (0.11, "0.4"), "S": (-0.70, "0.06"), "StS": (-0.60, "0.1")}
_PAPER_PEOPLE = {
    "G": (0.16, 0.06, 0.99, 1, 5),
    "M": (0.37, 0.15, 0.88, 1, 5),
    "S": (0.41, 0.20, 0.63, -2, 2),
    "StS": (0.41, 0.19, 0.63, -2, 2),
}
_NOTES = (
    "The files released for SEMosesm and SEMosesLMm are the same, byte for byte; their ratings are not: 70 of the 210 "
    "judgements differ in some score. One of the two files may be the wrong one; both are used as released.",
    "Sentence BLEU, tried afterwards on text with and without capitals, with entities decoded and with 's joined, "
    "with both releases of HSplit, in some 250 settings: single references, their mean, their best, all as one text, "
    "the source as a fifth; the roles of output and reference exchanged; n-grams of characters, words taken for "
    "references; two smoothings, the shortest reference's length; fewer orders. Words alone (BLEU-1) come nearest, "
    "within 0.05 of all four, which among so many is weak evidence.",
    "Every output has a 4-gram in common with a reference, so the release of NLTK makes no difference here.",
)


@dataclass(frozen=True, kw_only=True)
class _Choice:
    """What may be chosen otherwise."""

    texts: texts.Texts
    references: Sequence[Sequence[str]]  # four of each sentence
    nltk: NltkVersion = "3.2.5"
    unit: Unit = "characters"
    lowercase: bool = True


def table3(data: Path | None = None, sampling: Sampling | None = None) -> Reproduction:
    """Compute Table 3 and the system level of section 4.3 from the released outputs and ratings."""
    sampling = sampling or Sampling()
    sums = texts.score_sums(texts.ratings(data), texts.SPLITTING, texts.rated_items())
    choices = dict(_choices(data))
    chosen = choices.pop(CHOSEN)
    others = {label: (_block(_sentence_level(choice, sums, None), {}),) for label, choice in choices.items()}
    sentences, systems = _sentence_level(chosen, sums, sampling), _system_level(chosen, sums, sampling)
    block = _block(sentences, others)
    return Reproduction(
        name="sulem2018-table3",
        title=TABLE_3,
        citation=CITATION,
        protocol=SULEM2018_TABLE3,
        blocks=(
            block,
            _system_block(systems),
            described("People's scores: 6 systems, 420 sentences", sums, _PAPER_PEOPLE),
            comparison({CHOSEN: (block,), **others}),
        ),
        notes=_NOTES,
        findings=(_lower_than_distance(sentences), _positive(sentences), _fails_simplicity(systems)),
        sampling=sampling,
    )


def _choices(data: Path | None) -> Iterator[tuple[str, _Choice]]:
    chosen = _choice(data, texts.lowered)
    yield CHOSEN, chosen
    yield "NLTK 3.3", _Choice(texts=chosen.texts, references=chosen.references, nltk="3.3")
    cased = _choice(data, str.strip, sources="turkcorpus/test.tok_cased")
    yield "capitals as released", _Choice(texts=cased.texts, references=cased.references, lowercase=False)
    yield "distance in tokens", _Choice(texts=chosen.texts, references=chosen.references, unit="tokens")
    yield "entities decoded (tried afterwards)", _choice(data, texts.decoded)
    yield "entities decoded, 's joined (tried afterwards)", _choice(data, texts.joined)


def _choice(data: Path | None, prepare: texts.Preparation, *, sources: str = "hsplit/test") -> _Choice:
    loaded = texts.load_texts(texts.SPLITTING, data=data, prepare=prepare, sources=sources)
    released = corpora.load_outputs("hsplit/outputs.eval70", data=data)
    references = tuple(zip(*(map(prepare, released[name]) for name in texts.HSPLIT), strict=True))
    return _Choice(texts=loaded, references=references)


def _sentence_level(choice: _Choice, sums: Mapping[str, Array], sampling: Sampling | None) -> Setting:
    measured = sentence_measures(
        choice.texts.rated(), choice.references, nltk=choice.nltk, unit=choice.unit, lowercase=choice.lowercase
    )
    return correlated(_SENTENCES, SentenceLevel, measured, sums, sampling)


def _system_level(choice: _Choice, sums: Mapping[str, Array], sampling: Sampling) -> Setting:
    measured = {"BLEU": bleu(choice.texts.rated(), choice.references)}
    return correlated(_SYSTEMS, SystemLevel, measured, sums, sampling)


def _block(setting: Setting, others: Mapping[str, Sequence[Block]]) -> Block:
    cells = []
    for line in _PAPER.strip().splitlines():
        metric, *numbers = line.split()
        for aspect, value, p in zip(setting.aspects, numbers[::2], numbers[1::2], strict=True):
            cell = correlation_cell(
                setting.correlations[metric, aspect],
                row=metric,
                column=aspect,
                paper=(float(value), p),
                note=explaining(setting.title, metric, aspect, others) or _unknown(metric),
            )
            cells.append(cell)
    return Block(title=setting.title, cells=tuple(cells), signs=True)


def _unknown(metric: str) -> str:
    if "BLEU" not in metric:
        return "unknown"
    return "unknown; the notes say what was tried"


def _system_block(setting: Setting) -> Block:
    cells = [
        correlation_cell(
            setting.correlations["BLEU", aspect],
            row="BLEU",
            column=aspect,
            paper=paper,
            note="unknown; among six systems one change of places moves rho by 0.06 at least, a tie by 0.03",
        )
        for aspect, paper in _PAPER_SYSTEMS.items()
    ]
    return Block(title=setting.title, cells=tuple(cells), signs=True)


def _positive(setting: Setting) -> Finding:
    found = {f"{metric} {a}": setting.correlations[metric, a] for metric in ("BLEU", "iBLEU") for a in setting.aspects}
    numbers = [in_words(f"BLEU with {a}", setting.correlations["BLEU", a]) for a in setting.aspects]
    return Finding(
        "sentence-level correlations of BLEU and iBLEU are positive",
        f"{survivors(found, 'above')}. {', '.join(numbers)} (inputs and systems resampled).",
    )


def _lower_than_distance(setting: Setting) -> Finding:
    parts = []
    for aspect in setting.aspects:
        gain = difference(setting.correlations["-LD", aspect], setting.correlations["BLEU", aspect])
        parts.append(f"{in_words(aspect, gain)} {'shown' if shown(gain, 'above') else 'open'}")
    return Finding(
        "sentence-level correlations of BLEU are lower than those of -LD, which needs no references",
        f"-LD less BLEU: {', '.join(parts)} (inputs and systems resampled).",
    )


def _fails_simplicity(setting: Setting) -> Finding:
    found = {aspect: setting.correlations["BLEU", aspect] for aspect in setting.aspects}
    simple = {aspect: found[aspect] for aspect in ("S", "StS")}
    numbers = [in_words(aspect, sampled) for aspect, sampled in found.items()]
    return Finding(
        "even with references that split, BLEU of systems correlates negatively with S and StS",
        f"{', '.join(numbers)}. With S and StS, {survivors(simple, 'below')}.",
    )
