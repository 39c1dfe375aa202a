// SARI and BLEU statistics: one call per corpus, or per list of candidates for one prepared segment.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "plainwright/bleu.hpp"
#include "plainwright/parallel.hpp"
#include "plainwright/sari.hpp"
#include "strings.hpp"

using namespace plainwright;
using namespace plainwright_python;
using namespace nb::literals;

namespace {

constexpr std::size_t kCandidateChunk = 64;
constexpr std::size_t kSegmentChunk = 256;  // some thousand strings: worth the hand-over of the GIL
constexpr std::size_t kMostThreads = 256;

std::size_t workers(std::size_t threads) { return std::clamp<std::size_t>(threads, 1, kMostThreads); }

struct Worker {
    explicit Worker(const NgramOptions& options) : index(options) {}
    SegmentIndex index;
    CandidateCounts counts;
    Segments::Chunk chunk;
};

// Runs `score(worker, k, row)` for every segment, the k-th of the worker's chunk, rows of `width` statistics each.
template <typename Score>
Matrix corpus_stats(const Segments& segments, std::size_t width, std::size_t threads, const NgramOptions& options,
                    Score&& score) {
    threads = workers(threads);
    std::vector<double> stats(segments.size() * width);
    std::vector<std::unique_ptr<Worker>> pool(threads);  // outlives the release: chunks hold Python objects
    {
        const nb::gil_scoped_release release;
        parallel_chunks(segments.size(), threads, kSegmentChunk,
                        [&](std::size_t number, std::size_t first, std::size_t last) {
                            if (!pool[number]) pool[number] = std::make_unique<Worker>(options);
                            Worker& worker = *pool[number];
                            // Also for one thread, whose range is everything: memory stays flat.
                            for (; first < last; first += kSegmentChunk) {
                                const std::size_t end = std::min(last, first + kSegmentChunk);
                                {
                                    const nb::gil_scoped_acquire acquire;
                                    segments.load(first, end, worker.chunk);
                                }
                                for (std::size_t i = first; i < end; ++i) {
                                    score(worker, i - first, stats.data() + i * width);
                                }
                            }
                        });
    }
    return to_numpy(std::move(stats), {segments.size(), width});
}

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

std::size_t checked_order(std::size_t max_order) {
    require(max_order >= 1 && max_order <= 16, "max_order must be from 1 to 16");
    return max_order;
}

NgramOptions bleu_options(std::string_view tokenizer, bool lowercase, std::size_t max_order) {
    checked_order(max_order);
    return {tokenizer_from_name(tokenizer), lowercase, max_order, ReferenceCount::maximum};
}

void build_index(Worker& worker, std::size_t k) {
    const Segments::Chunk& chunk = worker.chunk;
    worker.index.build(chunk.sources.empty() ? nullptr : &chunk.sources[k], &chunk.references[chunk.firsts[k]],
                       chunk.firsts[k + 1] - chunk.firsts[k]);
}

Matrix sari_corpus_stats(nb::handle sources, nb::handle outputs, nb::handle references, std::string_view variant,
                         std::string_view tokenizer, bool lowercase, std::size_t max_order, std::size_t threads) {
    const SariVariant chosen = sari_variant_from_name(variant);
    const NgramOptions options =
        sari_options(chosen, tokenizer_from_name(tokenizer), lowercase, checked_order(max_order));
    require(!sources.is_none(), "SARI needs sources");
    const Segments segments(sources, outputs, references);
    return corpus_stats(segments, sari_stats(chosen, max_order), threads, options,
                        [&](Worker& worker, std::size_t k, double* row) {
                            build_index(worker, k);
                            worker.counts.count(worker.index, worker.chunk.outputs[k], true);
                            sari_segment(chosen, worker.index, worker.counts, row);
                        });
}

Matrix bleu_corpus_stats(nb::handle outputs, nb::handle references, std::string_view tokenizer, bool lowercase,
                         std::size_t max_order, std::string_view reference_length, std::size_t threads) {
    const NgramOptions options = bleu_options(tokenizer, lowercase, max_order);
    const ReferenceLength method = reference_length_from_name(reference_length);
    const Segments segments(nb::none(), outputs, references);
    return corpus_stats(segments, bleu_stats(max_order), threads, options,
                        [&](Worker& worker, std::size_t k, double* row) {
                            build_index(worker, k);
                            worker.counts.count(worker.index, worker.chunk.outputs[k], false);
                            bleu_segment(worker.index, worker.counts, method, row);
                        });
}

using ConstMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Matrix bleu_values(const ConstMatrix& stats, std::string_view smoothing, double smooth_value, bool effective_order) {
    const std::size_t rows = stats.shape(0), columns = stats.shape(1);
    require(columns >= 4 && columns % 2 == 0, "BLEU statistics are two lengths, then matches and totals");
    const BleuFormula formula{(columns - 2) / 2, smoothing_from_name(smoothing), smooth_value, effective_order};
    const std::size_t width = 2 + formula.max_order;
    std::vector<double> values(rows * width);
    for (std::size_t i = 0; i < rows; ++i) {
        bleu_from_stats(stats.data() + i * columns, formula, values.data() + i * width);
    }
    return to_numpy(std::move(values), {rows, width});
}

// Space for one sentence at a time, kept between calls unless a huge sentence has blown it up.
struct SentenceSpace {
    NgramOptions options;
    SegmentIndex index;
    CandidateCounts counts;
    explicit SentenceSpace(const NgramOptions& wanted) : options(wanted), index(wanted) {}

    static SentenceSpace& of_this_thread(const NgramOptions& wanted) {
        constexpr std::size_t kHuge = 1U << 20;
        thread_local std::unique_ptr<SentenceSpace> space;
        if (!space || !(space->options == wanted) || space->index.size() > kHuge) {
            space = std::make_unique<SentenceSpace>(wanted);
        }
        return *space;
    }
};

std::vector<double> bleu_sentence(nb::handle output, nb::handle references, std::string_view tokenizer, bool lowercase,
                                  std::size_t max_order, std::string_view reference_length, std::string_view smoothing,
                                  double smooth_value, bool effective_order) {
    SentenceSpace& space = SentenceSpace::of_this_thread(bleu_options(tokenizer, lowercase, max_order));
    const StringList list(references, "references");
    require(list.size() > 0, "a segment needs at least one reference");
    space.index.build(nullptr, list.data(), list.size());
    space.counts.count(space.index, view_of(output, "output"), false);
    std::vector<double> stats(bleu_stats(max_order)), values(2 + max_order);
    bleu_segment(space.index, space.counts, reference_length_from_name(reference_length), stats.data());
    bleu_from_stats(stats.data(), {max_order, smoothing_from_name(smoothing), smooth_value, effective_order},
                    values.data());
    return values;
}

// Candidates of one segment: the index is shared and read only, each thread counts into its own space.
template <typename Segment>
Matrix candidate_stats(const SegmentIndex& index, const StringList& candidates, std::size_t width, std::size_t threads,
                       bool number_novel, Segment&& segment) {
    std::vector<double> stats(candidates.size() * width);
    {
        const nb::gil_scoped_release release;
        std::vector<CandidateCounts> counts(workers(threads));
        parallel_chunks(candidates.size(), workers(threads), kCandidateChunk,
                        [&](std::size_t worker, std::size_t first, std::size_t last) {
                            for (std::size_t i = first; i < last; ++i) {
                                counts[worker].count(index, candidates[i], number_novel);
                                segment(counts[worker], stats.data() + i * width);
                            }
                        });
    }
    return to_numpy(std::move(stats), {candidates.size(), width});
}

class PreparedSari {
 public:
    PreparedSari(nb::handle source, nb::handle references, std::string_view variant, std::string_view tokenizer,
                 bool lowercase, std::size_t max_order)
        : variant_(sari_variant_from_name(variant)),
          index_(sari_options(variant_, tokenizer_from_name(tokenizer), lowercase, checked_order(max_order))) {
        const StringList list(references, "references");
        require(list.size() > 0, "a segment needs at least one reference");
        const std::string_view text = view_of(source, "source");
        index_.build(&text, list.data(), list.size());
    }

    Matrix stats(nb::handle candidates, std::size_t threads) const {
        const StringList list(candidates, "candidates");
        return candidate_stats(
            index_, list, sari_stats(variant_, index_.options().max_order), threads, true,
            [&](const CandidateCounts& counts, double* row) { sari_segment(variant_, index_, counts, row); });
    }

 private:
    SariVariant variant_;
    SegmentIndex index_;
};

class PreparedBleu {
 public:
    PreparedBleu(nb::handle references, std::string_view tokenizer, bool lowercase, std::size_t max_order,
                 std::string_view reference_length)
        : method_(reference_length_from_name(reference_length)), index_(bleu_options(tokenizer, lowercase, max_order)) {
        const StringList list(references, "references");
        require(list.size() > 0, "a segment needs at least one reference");
        index_.build(nullptr, list.data(), list.size());
    }

    Matrix stats(nb::handle candidates, std::size_t threads) const {
        const StringList list(candidates, "candidates");
        return candidate_stats(
            index_, list, bleu_stats(index_.options().max_order), threads, false,
            [&](const CandidateCounts& counts, double* row) { bleu_segment(index_, counts, method_, row); });
    }

 private:
    ReferenceLength method_;
    SegmentIndex index_;
};

}  // namespace

void register_metrics(nb::module_& m) {
    m.def("sari_stats", &sari_corpus_stats, "sources"_a, "outputs"_a, "references"_a, nb::kw_only(), "variant"_a,
          "tokenizer"_a, "lowercase"_a, "max_order"_a = kSariOrder, "threads"_a = 1,
          "SARI statistics of every segment; `references[i]` belongs to segment i.",
          nb::sig("def sari_stats(sources: collections.abc.Sequence[str], outputs: collections.abc.Sequence[str], "
                  "references: collections.abc.Sequence[collections.abc.Sequence[str]], *, variant: str, tokenizer: "
                  "str, lowercase: bool, max_order: int = 4, "
                  "threads: int = 1) -> numpy.typing.NDArray[numpy.float64]"));
    m.def("bleu_stats", &bleu_corpus_stats, "outputs"_a, "references"_a, nb::kw_only(), "tokenizer"_a, "lowercase"_a,
          "max_order"_a = 4, "reference_length"_a = "closest", "threads"_a = 1,
          "BLEU statistics of every segment: lengths, then matches and totals for each order.",
          nb::sig("def bleu_stats(outputs: collections.abc.Sequence[str], references: "
                  "collections.abc.Sequence[collections.abc.Sequence[str]], *, "
                  "tokenizer: str, lowercase: bool, max_order: int = 4, reference_length: str = \"closest\", "
                  "threads: int = 1) -> numpy.typing.NDArray[numpy.float64]"));

    m.def("bleu_sentence", &bleu_sentence, "output"_a, "references"_a, nb::kw_only(), "tokenizer"_a, "lowercase"_a,
          "max_order"_a, "reference_length"_a, "smoothing"_a, "smooth_value"_a, "effective_order"_a,
          "BLEU, the precisions and the brevity penalty of one sentence.",
          nb::sig("def bleu_sentence(output: str, references: collections.abc.Sequence[str], *, tokenizer: str, "
                  "lowercase: bool, max_order: int, reference_length: str, smoothing: str, smooth_value: float, "
                  "effective_order: bool) -> list[float]"));
    m.def("bleu_values", &bleu_values, "stats"_a, nb::kw_only(), "smoothing"_a, "smooth_value"_a, "effective_order"_a,
          "BLEU, the precisions and the brevity penalty of every row of summed statistics.",
          nb::sig("def bleu_values(stats: numpy.typing.NDArray[numpy.float64], *, smoothing: str, "
                  "smooth_value: float, effective_order: bool) -> numpy.typing.NDArray[numpy.float64]"));

    nb::class_<PreparedSari>(m, "PreparedSari", "Source and references of one segment, ready for many candidates.")
        .def(nb::init<nb::handle, nb::handle, std::string_view, std::string_view, bool, std::size_t>(), "source"_a,
             "references"_a, nb::kw_only(), "variant"_a, "tokenizer"_a, "lowercase"_a, "max_order"_a = kSariOrder,
             nb::sig("def __init__(self, source: str, references: collections.abc.Sequence[str], *, variant: str, "
                     "tokenizer: str, lowercase: bool, max_order: int = 4) -> None"))
        .def("stats", &PreparedSari::stats, "candidates"_a, nb::kw_only(), "threads"_a = 1,
             "Statistics of every candidate.",
             nb::sig("def stats(self, candidates: collections.abc.Sequence[str], *, threads: int = 1) -> "
                     "numpy.typing.NDArray[numpy.float64]"));
    nb::class_<PreparedBleu>(m, "PreparedBleu", "References of one segment, ready for many candidates.")
        .def(
            nb::init<nb::handle, std::string_view, bool, std::size_t, std::string_view>(), "references"_a,
            nb::kw_only(), "tokenizer"_a, "lowercase"_a, "max_order"_a = 4, "reference_length"_a = "closest",
            nb::sig("def __init__(self, references: collections.abc.Sequence[str], *, tokenizer: str, lowercase: bool, "
                    "max_order: int = 4, reference_length: str = \"closest\") -> None"))
        .def("stats", &PreparedBleu::stats, "candidates"_a, nb::kw_only(), "threads"_a = 1,
             "Statistics of every candidate.",
             nb::sig("def stats(self, candidates: collections.abc.Sequence[str], *, threads: int = 1) -> "
                     "numpy.typing.NDArray[numpy.float64]"));
}
