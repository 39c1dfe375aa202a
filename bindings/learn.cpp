// Word alignment and extraction of rules. One call per batch of lines.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plainwright/aligner.hpp"
#include "plainwright/extractor.hpp"
#include "strings.hpp"

using namespace plainwright;
using namespace plainwright_python;
using namespace nb::literals;

namespace {

Heuristic heuristic_of(const std::string& name) {
    static const std::map<std::string, Heuristic> known = {
        {"forward", Heuristic::forward},
        {"backward", Heuristic::backward},
        {"intersection", Heuristic::intersection},
        {"union", Heuristic::union_},
        {"grow-diag", Heuristic::grow_diag},
        {"grow-diag-final", Heuristic::grow_diag_final},
        {"grow-diag-final-and", Heuristic::grow_diag_final_and},
    };
    const auto found = known.find(name);
    if (found == known.end()) throw nb::value_error(("unknown heuristic " + name).c_str());
    return found->second;
}

std::string pharaoh(const std::vector<Point>& points) {
    std::string line;
    for (const auto& [i, j] : points) {
        if (!line.empty()) line += ' ';
        line += std::to_string(i) + '-' + std::to_string(j);
    }
    return line;
}

struct Skips {
    std::size_t empty = 0;
    std::vector<std::size_t> too_long;  // indices in the batch
};

// Log-likelihood before each iteration, tension, entries of the table.
using Report = std::tuple<std::vector<double>, double, std::size_t>;

class Aligner {
 public:
    explicit Aligner(std::size_t max_tokens) : text_(max_tokens) {}

    std::tuple<std::size_t, std::vector<std::size_t>> add(nb::handle sources, nb::handle targets) {
        const StringList source(sources, "sources"), target(targets, "targets");
        if (source.size() != target.size()) throw nb::value_error("sources and targets must have one entry per pair");
        const nb::gil_scoped_release release;
        Skips skips;
        for (std::size_t i = 0; i < source.size(); ++i) {
            const PairKind kind = text_.add(source[i], target[i]);
            if (kind == PairKind::empty) ++skips.empty;
            if (kind == PairKind::too_long) skips.too_long.push_back(i);
        }
        return {skips.empty, std::move(skips.too_long)};
    }

    const ParallelText& text() const { return text_; }

    void set_lemmas(Lemmas source, Lemmas target) {
        if (source.size() != text_.source().vocabulary.size() || target.size() != text_.target().vocabulary.size()) {
            throw nb::value_error("lemmas must have one entry per word");
        }
        for (Lemmas* side : {&source, &target}) {
            for (auto& lemmas : *side) std::sort(lemmas.begin(), lemmas.end());
        }
        source_lemmas_ = std::move(source);
        target_lemmas_ = std::move(target);
        has_lemmas_ = true;
    }

    std::pair<Report, Report> run(const AlignerOptions& options, nb::handle progress) {
        const nb::gil_scoped_release release;
        const Report forward = run_direction(options, progress, true);
        return {forward, run_direction(options, progress, false)};
    }

    std::vector<std::string> lines(std::size_t first, std::size_t last, const std::string& heuristic) const {
        if (forward_.size() != text_.target().tokens.size()) throw nb::value_error("run before asking for lines");
        const Heuristic way = heuristic_of(heuristic);
        const nb::gil_scoped_release release;
        std::vector<std::string> shown;
        std::vector<Point> forward, backward;
        for (std::size_t i = first; i < std::min(last, text_.sentences()); ++i) {
            const std::size_t m = text_.source().length(i), n = text_.target().length(i);
            forward.clear();
            backward.clear();
            for (std::uint16_t k = 0; k < n; ++k) {
                const std::uint16_t link = forward_[text_.target().starts[i] + k];
                if (link != kNull) forward.emplace_back(link, k);
            }
            for (std::uint16_t k = 0; k < m; ++k) {
                const std::uint16_t link = backward_[text_.source().starts[i] + k];
                if (link != kNull) backward.emplace_back(k, link);
            }
            shown.push_back(pharaoh(symmetrise(m, n, forward, backward, way)));
        }
        return shown;
    }

 private:
    Report run_direction(const AlignerOptions& options, nb::handle progress, bool forward) {
        const auto tell = [&](std::size_t iteration) {
            const nb::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (!progress.is_none()) progress((forward ? 0 : options.iterations) + iteration, 2 * options.iterations);
        };
        const TextSide& source = forward ? text_.source() : text_.target();
        const TextSide& target = forward ? text_.target() : text_.source();
        const Lemmas* lemmas = has_lemmas_ ? (forward ? &source_lemmas_ : &target_lemmas_) : nullptr;
        const Lemmas* others = has_lemmas_ ? (forward ? &target_lemmas_ : &source_lemmas_) : nullptr;
        DirectionReport report;
        (forward ? forward_ : backward_) = align_direction(source, target, options, lemmas, others, report, tell);
        return {report.log_likelihoods, report.tension, report.entries};
    }

    ParallelText text_;
    Lemmas source_lemmas_, target_lemmas_;
    bool has_lemmas_ = false;
    Links forward_, backward_;
};

void register_alignment(nb::module_& m) {
    nb::class_<Aligner>(m, "Aligner", "Aligns the words of sentence pairs, in both directions.")
        .def(nb::init<std::size_t>(), "max_tokens"_a)
        .def("add", &Aligner::add, "sources"_a, "targets"_a,
             "How many pairs have an empty side, and the indices of those that are too long; both stay as empty pairs.",
             nb::sig("def add(self, sources: collections.abc.Sequence[str], targets: collections.abc.Sequence[str]) -> "
                     "tuple[int, list[int]]"))
        .def_prop_ro("sentences", [](const Aligner& self) { return self.text().sentences(); })
        .def_prop_ro("tokens",
                     [](const Aligner& self) {
                         return std::pair{self.text().source().tokens.size(), self.text().target().tokens.size()};
                     })
        .def("source_words", [](const Aligner& self) { return self.text().source().vocabulary.words(); })
        .def("target_words", [](const Aligner& self) { return self.text().target().vocabulary.words(); })
        .def("set_lemmas", &Aligner::set_lemmas, "source"_a, "target"_a, "The numbers of each word's lemmas.")
        .def(
            "run",
            [](Aligner& self, std::size_t iterations, double null_probability, double tension, bool fit_tension,
               double alpha, double likeness, std::size_t threads, nb::handle progress) {
                const AlignerOptions options{iterations, null_probability, tension, fit_tension,
                                             alpha,      likeness,         threads};
                return self.run(options, progress);
            },
            nb::kw_only(), "iterations"_a, "null_probability"_a, "tension"_a, "fit_tension"_a, "alpha"_a, "likeness"_a,
            "threads"_a, "progress"_a = nb::none(),
            "For each direction: log-likelihood before each iteration, tension, entries of the table.",
            nb::sig("def run(self, *, iterations: int, null_probability: float, tension: float, fit_tension: bool, "
                    "alpha: float, likeness: float, threads: int, progress: collections.abc.Callable[[int, int], None] "
                    "| None = None) -> tuple[tuple[list[float], float, int], tuple[list[float], float, int]]"))
        .def("lines", &Aligner::lines, "first"_a, "last"_a, "heuristic"_a, "Alignments of a range, as in `0-0 1-2`.");
    m.def(
        "symmetrise",
        [](std::size_t source_length, std::size_t target_length, const std::vector<Point>& forward,
           const std::vector<Point>& backward, const std::string& heuristic) {
            return symmetrise(source_length, target_length, forward, backward, heuristic_of(heuristic));
        },
        "source_length"_a, "target_length"_a, "forward"_a, "backward"_a, "heuristic"_a,
        "Joins the points of two directions.");
    m.def(
        "spelling_likeness", [](const std::string& a, const std::string& b) { return spelling_likeness(a, b); }, "a"_a,
        "b"_a);
}

LabelledSide side_of(const std::string& name) {
    if (name == "none") return LabelledSide::none;
    if (name == "source") return LabelledSide::source;
    if (name == "target") return LabelledSide::target;
    throw nb::value_error(("unknown side " + name).c_str());
}

// Empty pairs, indices of pairs that are too long, and the index of the first bad pair with what is wrong with it.
using Added = std::tuple<std::size_t, std::vector<std::size_t>, std::optional<std::pair<std::size_t, std::string>>>;

Added add_pairs(RuleExtractor& self, nb::handle sources, nb::handle targets, nb::handle points, nb::handle analyses) {
    const StringList source(sources, "sources"), target(targets, "targets"), point(points, "points");
    const StringList analysis(analyses.is_none() ? nb::handle(nb::make_tuple()) : analyses, "analyses");
    if (source.size() != target.size() || source.size() != point.size() ||
        (!analyses.is_none() && source.size() != analysis.size())) {
        throw nb::value_error("sources, targets, points and analyses must have one entry per pair");
    }
    const nb::gil_scoped_release release;
    Skips skips;
    for (std::size_t i = 0; i < source.size(); ++i) {
        try {
            const std::string_view known = analysis.size() == 0 ? std::string_view() : analysis[i];
            const PairKind kind = self.add(source[i], target[i], point[i], known);
            if (kind == PairKind::empty) ++skips.empty;
            if (kind == PairKind::too_long) skips.too_long.push_back(i);
        } catch (const std::invalid_argument& error) {
            return {skips.empty, std::move(skips.too_long), std::pair{i, std::string(error.what())}};
        }
    }
    return {skips.empty, std::move(skips.too_long), std::nullopt};
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> run_extraction(RuleExtractor& self,
                                                                       const ExtractionOptions& options,
                                                                       nb::handle progress) {
    const nb::gil_scoped_release release;
    const ExtractionReport report = self.run(options, [&](const char* stage, std::size_t done, std::size_t total) {
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!progress.is_none()) progress(stage, done, total);
    });
    return {report.occurrences, report.distinct, report.written};
}

// All labels of one sentence, [first][last - first - 1].
std::vector<std::vector<std::string>> span_labels(std::size_t tokens, const std::string& analysis) {
    LabelNames names;
    const SentenceAnalysis parsed = parse_analysis(analysis, tokens, names);
    SpanLabels labels;
    labels.assign(tokens, parsed.tags.data(), parsed.constituents.data(), parsed.constituents.size());
    std::vector<std::vector<std::string>> shown(tokens);
    for (std::size_t first = 0; first < tokens; ++first) {
        for (std::size_t last = first + 1; last <= tokens; ++last) {
            shown[first].push_back(names.text(labels(first, last)));
        }
    }
    return shown;
}

void register_extraction(nb::module_& m) {
    nb::class_<RuleExtractor>(m, "RuleExtractor", "Extracts rules from aligned sentence pairs.")
        .def(
            "__init__",
            [](RuleExtractor* self, std::size_t max_tokens, const std::string& labelled) {
                new (self) RuleExtractor(max_tokens, side_of(labelled));
            },
            "max_tokens"_a, "labelled"_a)
        .def("add", &add_pairs, "sources"_a, "targets"_a, "points"_a, "analyses"_a.none(),
             "Empty pairs, indices of those that are too long, and the first bad one with what is wrong with it.",
             nb::sig("def add(self, sources: collections.abc.Sequence[str], targets: collections.abc.Sequence[str], "
                     "points: collections.abc.Sequence[str], analyses: collections.abc.Sequence[str] | None) -> "
                     "tuple[int, list[int], tuple[int, str] | None]"))
        .def_prop_ro("sentences", [](const RuleExtractor& self) { return self.text().sentences(); })
        .def(
            "run",
            [](RuleExtractor& self, std::size_t max_span, std::size_t max_symbols, std::size_t nonterminals, bool loose,
               bool adjacent, bool identity, std::size_t min_count, std::size_t max_targets, std::size_t threads,
               std::size_t memory, const std::string& directory, bool deletions, nb::handle progress) {
                const ExtractionOptions options{max_span,  max_symbols, nonterminals, loose,  adjacent,  identity,
                                                min_count, max_targets, threads,      memory, directory, deletions};
                return run_extraction(self, options, progress);
            },
            nb::kw_only(), "max_span"_a, "max_symbols"_a, "nonterminals"_a, "loose"_a, "adjacent"_a, "identity"_a,
            "min_count"_a, "max_targets"_a, "threads"_a, "memory"_a, "directory"_a, "deletions"_a = false,
            "progress"_a = nb::none(), "Occurrences of rules, distinct rules, rules to be written.",
            nb::sig("def run(self, *, max_span: int, max_symbols: int, nonterminals: int, loose: bool, adjacent: bool, "
                    "identity: bool, min_count: int, max_targets: int, threads: int, memory: int, directory: str, "
                    "deletions: bool = False, progress: collections.abc.Callable[[str, int, int], None] | None = None) "
                    "-> tuple[int, int, int]"))
        .def("next", &RuleExtractor::next, "most"_a, nb::call_guard<nb::gil_scoped_release>(),
             "The next rules as lines of PPDB text; an empty list at the end.");
    m.def("span_labels", &span_labels, "tokens"_a, "analysis"_a,
          "The label of every span of a sentence: result[first][last - first - 1] for [first, last).");
}

}  // namespace

void register_learn(nb::module_& m) {
    register_alignment(m);
    register_extraction(m);
}
