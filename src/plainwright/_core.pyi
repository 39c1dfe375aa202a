"""
Native core of plainwright: tokenisers, n-gram statistics, grammars, language models.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray


class GrammarPacker:
    """Packs blocks of PPDB lines."""

    def __init__(self, *, bits: int = 16) -> None: ...

    def feed(self, block: bytes, *, lenient: bool = False) -> list[tuple[int, bytes]]:
        """
        Add whole lines; returns the refused ones as (line number, bytes), the first alone unless lenient.
        """

    def finish(self) -> numpy.typing.NDArray[numpy.uint8]:
        """The bytes of the packed file."""

    @property
    def lines(self) -> int:
        """Lines fed so far, refused ones included."""

    def __len__(self) -> int: ...

class PackedGrammar:
    """A grammar in one memory-mapped file."""

    @staticmethod
    def open(path: str, *, verify: bool = True) -> PackedGrammar:
        """Map the file; RuntimeError if it is no good."""

    def __len__(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def words(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def record_bytes(self) -> int: ...

    @property
    def labels(self) -> list[str]: ...

    @property
    def gap_labels(self) -> list[str]: ...

    @property
    def feature_names(self) -> list[str]: ...

    @property
    def has_gaps(self) -> bool:
        """Whether the source of some rule has a nonterminal."""

    def label_counts(self) -> list[int]:
        """Rules for each label of `labels`."""

    def storage(self) -> list[tuple[str, bool, int, int, float, bool]]:
        """
        (name, exact, bits, distinct values, step, has missing) of each stored feature.
        """

    def find(self, symbols: Sequence[str], gaps: Sequence[bool]) -> tuple[int, int]:
        """
        The rules [first, last) with this source; `gaps` says which symbols are labels.
        """

    def lines(self, first: int, last: int) -> list[str]:
        """
        PPDB text of the rules [first, last), or of as many of the first of them as make some megabytes.
        """

    def features(self, first: int, last: int) -> numpy.typing.NDArray[numpy.float32]:
        """Feature values of the rules [first, last), one row each."""

class Aligner:
    """Aligns the words of sentence pairs, in both directions."""

    def __init__(self, max_tokens: int) -> None: ...

    def add(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[int, list[int]]:
        """
        How many pairs have an empty side, and the indices of those that are too long; both stay as empty pairs.
        """

    @property
    def sentences(self) -> int: ...

    @property
    def tokens(self) -> tuple[int, int]: ...

    def source_words(self) -> list[str]: ...

    def target_words(self) -> list[str]: ...

    def set_lemmas(self, source: Sequence[Sequence[int]], target: Sequence[Sequence[int]]) -> None:
        """The numbers of each word's lemmas."""

    def run(self, *, iterations: int, null_probability: float, tension: float, fit_tension: bool, alpha: float, likeness: float, threads: int, progress: Callable[[int, int], None] | None = None) -> tuple[tuple[list[float], float, int], tuple[list[float], float, int]]:
        """
        For each direction: log-likelihood before each iteration, tension, entries of the table.
        """

    def lines(self, first: int, last: int, heuristic: str) -> list[str]:
        """Alignments of a range, as in `0-0 1-2`."""

def symmetrise(source_length: int, target_length: int, forward: Sequence[tuple[int, int]], backward: Sequence[tuple[int, int]], heuristic: str) -> list[tuple[int, int]]:
    """Joins the points of two directions."""

def spelling_likeness(a: str, b: str) -> float: ...

class RuleExtractor:
    """Extracts rules from aligned sentence pairs."""

    def __init__(self, max_tokens: int, labelled: str) -> None: ...

    def add(self, sources: Sequence[str], targets: Sequence[str], points: Sequence[str], analyses: Sequence[str] | None) -> tuple[int, list[int], tuple[int, str] | None]:
        """
        Empty pairs, indices of those that are too long, and the first bad one with what is wrong with it.
        """

    @property
    def sentences(self) -> int: ...

    def run(self, *, max_span: int, max_symbols: int, nonterminals: int, loose: bool, adjacent: bool, identity: bool, min_count: int, max_targets: int, threads: int, memory: int, directory: str, deletions: bool = False, progress: Callable[[str, int, int], None] | None = None) -> tuple[int, int, int]:
        """Occurrences of rules, distinct rules, rules to be written."""

    def next(self, most: int) -> list[str]:
        """The next rules as lines of PPDB text; an empty list at the end."""

def span_labels(tokens: int, analysis: str) -> list[list[str]]:
    """
    The label of every span of a sentence: result[first][last - first - 1] for [first, last).
    """

class LmState:
    """The context that still matters to a language model: a value."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __len__(self) -> int: ...

class LanguageModel:
    """A packed language model, memory-mapped."""

    @staticmethod
    def open(path: str) -> LanguageModel: ...

    @property
    def order(self) -> int: ...

    @property
    def words(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    def ngrams(self, order: int) -> int: ...

    def word(self, arg: str, /) -> int: ...

    def begin_state(self) -> LmState: ...

    def empty_state(self) -> LmState: ...

    def state_words(self, state: LmState) -> list[str]:
        """Words of a state, newest first."""

    def score_word(self, state: LmState, word: str) -> tuple[float, int, LmState]:
        """log10, order of the n-gram found, next state."""

    def word_scores(self, line: str, begin: bool, end: bool) -> list[tuple[str, float, int, bool]]:
        """Token, log10, order found, known."""

    def score_lines(self, lines: Sequence[str], *, begin: bool = True, end: bool = True, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
        """log10, log10 of unknown words, tokens, unknown words of every line."""

    def verify(self) -> None: ...

    def unpack(self) -> NgramModel: ...

class NgramModel:
    """A language model as n-grams in memory."""

    @property
    def order(self) -> int: ...

    @property
    def counts(self) -> list[int]: ...

    def write_arpa(self, write: Callable) -> None: ...

    def write_packed(self, write: Callable) -> None: ...

class ArpaReader:
    """Reads an ARPA file that arrives in pieces."""

    def __init__(self) -> None: ...

    def feed(self, piece: bytes) -> None: ...

    def finish(self) -> NgramModel: ...

class KneserNeyEstimator:
    """Counts n-grams of sentences, then estimates a model."""

    def __init__(self) -> None: ...

    def add(self, lines: Sequence[str]) -> tuple[int, str] | None:
        """The index of the first bad line and what is wrong with it, or None."""

    @property
    def sentences(self) -> int: ...

    @property
    def tokens(self) -> int: ...

    @property
    def types(self) -> int: ...

    def estimate(self, *, order: int, prune: Sequence[int], fallback: tuple[float, float, float]) -> tuple[NgramModel, list[tuple[int, int, list[float], bool]]]:
        """
        The model, and for each order: n-grams counted and kept, discounts, whether these are the fall-back.
        """

def sari_stats(sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]], *, variant: str, tokenizer: str, lowercase: bool, max_order: int = 4, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
    """
    SARI statistics of every segment; `references[i]` belongs to segment i.
    """

def bleu_stats(outputs: Sequence[str], references: Sequence[Sequence[str]], *, tokenizer: str, lowercase: bool, max_order: int = 4, reference_length: str = "closest", threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
    """
    BLEU statistics of every segment: lengths, then matches and totals for each order.
    """

def bleu_sentence(output: str, references: Sequence[str], *, tokenizer: str, lowercase: bool, max_order: int, reference_length: str, smoothing: str, smooth_value: float, effective_order: bool) -> list[float]:
    """BLEU, the precisions and the brevity penalty of one sentence."""

def bleu_values(stats: numpy.typing.NDArray[numpy.float64], *, smoothing: str, smooth_value: float, effective_order: bool) -> numpy.typing.NDArray[numpy.float64]:
    """
    BLEU, the precisions and the brevity penalty of every row of summed statistics.
    """

class PreparedSari:
    """Source and references of one segment, ready for many candidates."""

    def __init__(self, source: str, references: Sequence[str], *, variant: str, tokenizer: str, lowercase: bool, max_order: int = 4) -> None: ...

    def stats(self, candidates: Sequence[str], *, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
        """Statistics of every candidate."""

class PreparedBleu:
    """References of one segment, ready for many candidates."""

    def __init__(self, references: Sequence[str], *, tokenizer: str, lowercase: bool, max_order: int = 4, reference_length: str = "closest") -> None: ...

    def stats(self, candidates: Sequence[str], *, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
        """Statistics of every candidate."""

class Tagger:
    """Parts of speech of words."""

    def __init__(self, content: bytes) -> None: ...

    @property
    def tags(self) -> list[str]: ...

    @property
    def features(self) -> int: ...

    @property
    def dictionary_words(self) -> int: ...

    def tag(self, sentences: Sequence[Sequence[str]], threads: int = 1) -> list[list[str]]:
        """The tags of the words of every sentence."""

class TaggerTrainer:
    """Learns a tagger from sentences whose tags are known."""

    def __init__(self) -> None: ...

    def add(self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> None: ...

    @property
    def sentences(self) -> int: ...

    @property
    def tokens(self) -> int: ...

    def train(self, *, passes: int, min_count: int, max_bytes: int, lower_share: float, seed: int, report: Callable[[int, int], None] | None = None) -> bytes:
        """The bytes of the tagger."""

def tokenize(line: str, tokenizer: str, *, lowercase: bool = False) -> str:
    """The tokens of one line, joined by single spaces."""

def tokenize_lines(lines: Sequence[str], tokenizer: str, *, lowercase: bool = False) -> list[str]:
    """The tokens of each line, joined by single spaces."""

def lower(text: str) -> str:
    """Lower case, as `str.lower` gives it."""

def ptb_tokenize(text: str, *, directed_quotes: bool = True, escape_brackets: bool = False) -> list[tuple[str, int, int]]:
    """
    Penn-Treebank-style tokens as (text, start, end), offsets in characters of `text`.
    """

def ptb_detokenize(tokens: Sequence[str]) -> str:
    """Text as it is written, from Penn-Treebank-style tokens."""

def sentence_spans(text: str, *, tokenised: bool | None = None) -> list[tuple[int, int]]:
    """
    (start, end) of each sentence in characters; None finds out whether the text is tokenised.
    """

def load_syllable_dictionary(text: bytes) -> None:
    """Reads the content of cmudict.dict; only the first call has an effect."""

def has_syllable_dictionary() -> bool:
    """Whether `load_syllable_dictionary` has been called."""

def count_syllables(word: str, method: str) -> int:
    """Syllables of one word; method cmu or vowel-groups."""

def rule_syllables(word: str) -> int:
    """Syllables of one word by the rule for words outside the dictionary."""

def count_line_syllables(lines: Sequence[str], method: str, *, threads: int = 1) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Syllables of each line's tokens between white space, int64 of shape (n,).
    """

def readability_counts(lines: Sequence[str], mode: str, *, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Sentences, words, syllables, characters, letters and polysyllables of each line, float64 of shape (n, 6); mode tokenised or plain.
    """

def upper_envelopes(slopes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], heights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], firsts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
    """
    Of groups of lines: the leftmost line of each, then position, left and right line of every corner.
    """

IDENTITY_RULE: int = 0

UNKNOWN_WORD_RULE: int = 1

MOST_DISTORTION: int = 60

class MemoryGrammar(PackedGrammar):
    """A small grammar from lines of PPDB text."""

    def __init__(self, lines: str) -> None: ...

class CandidateList:
    """The candidates of one sentence, best first."""

    def __len__(self) -> int: ...

    @property
    def too_long(self) -> bool: ...

    def score(self, rank: int) -> float: ...

    def tokens(self, rank: int) -> list[str]: ...

    def texts(self) -> list[str]:
        """Tokens joined by spaces, of every candidate."""

    def row(self, rank: int) -> list[float]:
        """Unweighted features of one candidate."""

    def features(self) -> numpy.typing.NDArray[numpy.float64]:
        """Unweighted, a row for each candidate."""

    def steps(self, rank: int) -> list[tuple[int, int, str, int, int, int, int, int]]:
        """
        Grammar (-1: built in), rule, label, depth, source and target span of every rule used.
        """

class Decoder:
    """Grammars, language model and weights, ready to decode."""

    def __init__(self, grammars: list, lm: object | None, weights: dict, settings: dict) -> None: ...

    def decode(self, sentences: Sequence[Sequence[str]], analyses: Sequence[Sequence[tuple[int, int, str]]] | None = None, threads: int = 1) -> list[CandidateList]:
        """Candidates of every tokenised sentence."""

    def forest(self, sentence: Sequence[str], analysis: Sequence[tuple[int, int, str]] | None = None) -> dict[str, Any]:
        """Items and edges that lead to an output."""

    @property
    def feature_names(self) -> list[str]: ...
