// Language models: querying, ARPA in and out, packing. One call per batch of lines, or per word for those who search.
#include "lm.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plainwright/kneser_ney.hpp"
#include "plainwright/ngram_model.hpp"
#include "plainwright/parallel.hpp"
#include "strings.hpp"

using namespace plainwright;
using namespace plainwright_python;
using namespace nb::literals;

namespace {

constexpr std::size_t kLineChunk = 256;
constexpr std::size_t kLineColumns = 4;

Matrix score_lines(const SharedLanguageModel& self, nb::handle lines, bool begin, bool end, std::size_t threads) {
    const StringList list(lines, "lines");
    std::vector<double> rows(list.size() * kLineColumns);
    {
        const nb::gil_scoped_release release;
        threads = std::clamp<std::size_t>(threads, 1, 256);
        parallel_chunks(list.size(), threads, kLineChunk, [&](std::size_t, std::size_t first, std::size_t last) {
            std::vector<LineScore> scores(last - first);
            self.model->score_lines(list.data() + first, last - first, scores.data(), begin, end);
            for (std::size_t i = first; i < last; ++i) {
                const LineScore& score = scores[i - first];
                double* row = rows.data() + i * kLineColumns;
                row[0] = score.log10;
                row[1] = score.unknown_log10;
                row[2] = score.tokens;
                row[3] = score.unknown;
            }
        });
    }
    return to_numpy(std::move(rows), {list.size(), kLineColumns});
}

using WordScore = std::tuple<std::string, float, int, bool>;

std::vector<WordScore> word_scores(const SharedLanguageModel& self, std::string_view line, bool begin, bool end) {
    const LanguageModel& model = *self.model;
    std::vector<WordScore> scores;
    LmState state = begin ? model.begin_state() : model.empty_state();
    const auto add = [&](std::string_view text, WordId word) {
        const LmResult result = model.score(state, word, state);
        scores.emplace_back(text, result.log10, result.ngram_length, word != kUnknownWord);
    };
    for_each_token(line, [&](std::string_view token) { add(token, model.word(token)); });
    if (end) add("</s>", model.end_sentence());
    return scores;
}

std::tuple<float, int, LmState> score_word(const SharedLanguageModel& self, const LmState& state,
                                           std::string_view word) {
    LmState next;
    const LmResult result = self.model->score(state, self.model->word(word), next);
    return {result.log10, result.ngram_length, next};
}

std::vector<std::string> state_words(const SharedLanguageModel& self, const LmState& state) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < state.length; ++i) {
        words.emplace_back(self.model->text(state.words[i]));
        if (!is_utf8(words.back())) throw std::runtime_error("damaged: a word is not UTF-8 text");
    }
    return words;
}

// Calls Python's `write(bytes)`; the GIL is held only then.
Sink sink_of(nb::handle write) {
    return [write](std::string_view piece) {
        const nb::gil_scoped_acquire acquire;
        write(nb::bytes(piece.data(), piece.size()));
    };
}

std::vector<std::size_t> counts_of(const NgramModel& model) {
    std::vector<std::size_t> counts;
    for (const NgramOrder& order : model.orders) counts.push_back(order.size());
    if (!model.has_unknown) --counts[0];
    return counts;
}

void register_query(nb::module_& m) {
    nb::class_<LmState>(m, "LmState", "The context that still matters to a language model: a value.")
        .def(
            "__eq__", [](const LmState& a, const LmState& b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const LmState& state) { return std::hash<LmState>{}(state) >> 2; })
        .def("__len__", [](const LmState& state) { return state.length; });
    nb::class_<SharedLanguageModel>(m, "LanguageModel", "A packed language model, memory-mapped.")
        .def_static(
            "open", [](const std::string& path) { return SharedLanguageModel{LanguageModel::open(path)}; }, "path"_a)
        .def_prop_ro("order", [](const SharedLanguageModel& self) { return self.model->order(); })
        .def_prop_ro("words", [](const SharedLanguageModel& self) { return self.model->words(); })
        .def_prop_ro("bytes", [](const SharedLanguageModel& self) { return self.model->bytes(); })
        .def(
            "ngrams", [](const SharedLanguageModel& self, std::size_t n) { return self.model->ngrams(n); }, "order"_a)
        .def("word", [](const SharedLanguageModel& self, std::string_view text) { return self.model->word(text); })
        .def("begin_state", [](const SharedLanguageModel& self) { return self.model->begin_state(); })
        .def("empty_state", [](const SharedLanguageModel& self) { return self.model->empty_state(); })
        .def("state_words", &state_words, "state"_a, "Words of a state, newest first.")
        .def("score_word", &score_word, "state"_a, "word"_a, "log10, order of the n-gram found, next state.")
        .def("word_scores", &word_scores, "line"_a, "begin"_a, "end"_a, "Token, log10, order found, known.")
        .def("score_lines", &score_lines, "lines"_a, nb::kw_only(), "begin"_a = true, "end"_a = true, "threads"_a = 1,
             "log10, log10 of unknown words, tokens, unknown words of every line.",
             nb::sig("def score_lines(self, lines: collections.abc.Sequence[str], *, begin: bool = True, end: bool = "
                     "True, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]"))
        .def(
            "verify", [](const SharedLanguageModel& self) { self.model->verify(); },
            nb::call_guard<nb::gil_scoped_release>())
        .def(
            "unpack", [](const SharedLanguageModel& self) { return self.model->unpack(); },
            nb::call_guard<nb::gil_scoped_release>());
}

void register_files(nb::module_& m) {
    nb::class_<NgramModel>(m, "NgramModel", "A language model as n-grams in memory.")
        .def_prop_ro("order", [](const NgramModel& self) { return self.order(); })
        .def_prop_ro("counts", &counts_of)
        .def(
            "write_arpa",
            [](const NgramModel& self, nb::callable write) {
                const nb::gil_scoped_release release;
                write_arpa(self, sink_of(write));
            },
            "write"_a)
        .def(
            "write_packed",
            [](const NgramModel& self, nb::callable write) {
                const nb::gil_scoped_release release;
                write_packed(self, sink_of(write));
            },
            "write"_a);
    nb::class_<ArpaReader>(m, "ArpaReader", "Reads an ARPA file that arrives in pieces.")
        .def(nb::init<>())
        .def(
            "feed",
            [](ArpaReader& self, nb::bytes piece) {
                const std::string_view view(piece.c_str(), piece.size());
                const nb::gil_scoped_release release;
                self.feed(view);
            },
            "piece"_a)
        .def("finish", &ArpaReader::finish);
}

using Report = std::tuple<std::size_t, std::size_t, std::vector<double>, bool>;

std::pair<NgramModel, std::vector<Report>> estimate(const KneserNeyEstimator& self, std::size_t order,
                                                    const std::vector<std::uint32_t>& prune,
                                                    const std::tuple<double, double, double>& fallback) {
    const auto [one, two, more] = fallback;
    std::vector<OrderReport> reports;
    NgramModel model = self.estimate({order, prune, {one, two, more}}, reports);
    std::vector<Report> shown;
    for (const OrderReport& report : reports) {
        const std::vector<double> discounts(report.discounts.begin(), report.discounts.end());
        shown.emplace_back(report.counted, report.kept, discounts, report.fallback);
    }
    return {std::move(model), std::move(shown)};
}

// The number of the first line that cannot be added and what is wrong with it, if there is one.
std::optional<std::pair<std::size_t, std::string>> add_lines(KneserNeyEstimator& self, nb::handle lines) {
    const StringList list(lines, "lines");
    const nb::gil_scoped_release release;
    for (std::size_t i = 0; i < list.size(); ++i) {
        try {
            self.add(list[i]);
        } catch (const std::invalid_argument& error) {
            return std::pair{i, std::string(error.what())};
        }
    }
    return std::nullopt;
}

void register_estimation(nb::module_& m) {
    nb::class_<KneserNeyEstimator>(m, "KneserNeyEstimator", "Counts n-grams of sentences, then estimates a model.")
        .def(nb::init<>())
        .def("add", &add_lines, "lines"_a, "The index of the first bad line and what is wrong with it, or None.",
             nb::sig("def add(self, lines: collections.abc.Sequence[str]) -> tuple[int, str] | None"))
        .def_prop_ro("sentences", &KneserNeyEstimator::sentences)
        .def_prop_ro("tokens", &KneserNeyEstimator::tokens)
        .def_prop_ro("types", &KneserNeyEstimator::types)
        .def("estimate", &estimate, nb::kw_only(), "order"_a, "prune"_a, "fallback"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "The model, and for each order: n-grams counted and kept, discounts, whether these are the fall-back.");
}

}  // namespace

void register_lm(nb::module_& m) {
    register_query(m);
    register_files(m);
    register_estimation(m);
}
