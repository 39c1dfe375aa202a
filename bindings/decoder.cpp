// The decoder: one call for many sentences; results stay native until they are looked at.
#include "plainwright/decoder.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <memory>

#include "lm.hpp"
#include "strings.hpp"

using namespace plainwright;
using namespace plainwright_python;
using namespace nb::literals;

namespace {

constexpr std::size_t kMostThreads = 256;

// Sentences whose tokens point into Python strings; the strings live as long as this.
class Batch {
 public:
    Batch(nb::handle sentences, nb::handle analyses) : rows_(as_tuple(sentences, "sentences")) {
        const std::size_t size = tuple_size(rows_);
        lists_.reserve(size);
        for (std::size_t i = 0; i < size; ++i) {
            const std::string where = "sentences[" + std::to_string(i) + "]";
            lists_.emplace_back(nb::handle(PyTuple_GetItem(rows_.ptr(), static_cast<Py_ssize_t>(i))), where.c_str());
            const StringList& tokens = lists_.back();
            this->sentences.push_back({{tokens.data(), tokens.data() + tokens.size()}, {}});
        }
        if (!analyses.is_none()) read_analyses(as_tuple(analyses, "analyses"));
    }

    std::vector<Sentence> sentences;

 private:
    void read_analyses(nb::object rows) {
        if (tuple_size(rows) != sentences.size()) {
            throw nb::value_error("analyses must have one entry per sentence");
        }
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            for (nb::handle span : nb::handle(PyTuple_GetItem(rows.ptr(), static_cast<Py_ssize_t>(i)))) {
                const nb::tuple parts = nb::cast<nb::tuple>(span);
                if (parts.size() != 3) throw nb::value_error("a labelled span is (start, end, label)");
                sentences[i].analysis.push_back({nb::cast<std::uint32_t>(parts[0]), nb::cast<std::uint32_t>(parts[1]),
                                                 nb::cast<std::string>(parts[2])});
            }
        }
    }

    nb::object rows_;
    std::vector<StringList> lists_;
};

DecoderSettings settings_of(const nb::dict& values) {
    DecoderSettings settings;
    for (const auto& [name, value] : values) {
        const auto key = nb::cast<std::string>(name);
        if (key == "search") {
            const auto kind = nb::cast<std::string>(value);
            if (kind != "chart" && kind != "phrases") throw nb::value_error("search must be chart or phrases");
            settings.search = kind == "chart" ? SearchKind::chart : SearchKind::phrases;
        } else if (key == "default_label") {
            settings.parser.default_label = nb::cast<std::string>(value);
        } else if (key == "distinct") {
            settings.distinct = nb::cast<bool>(value);
        } else if (key == "longest_match") {
            settings.parser.longest_match = nb::cast<bool>(value);
        } else if (key == "strict_labels") {
            settings.parser.strict_labels = nb::cast<bool>(value);
        } else {
            std::size_t* number = key == "pop_limit"          ? &settings.pop_limit
                                  : key == "candidates"       ? &settings.candidates
                                  : key == "derivations"      ? &settings.derivations
                                  : key == "max_tokens"       ? &settings.max_tokens
                                  : key == "span_limit"       ? &settings.parser.span_limit
                                  : key == "unary_limit"      ? &settings.parser.unary_limit
                                  : key == "distortion_limit" ? &settings.phrases.distortion_limit
                                  : key == "phrase_options"   ? &settings.phrases.phrase_options
                                                              : nullptr;
            if (number == nullptr) throw nb::value_error(("unknown setting '" + key + "'").c_str());
            *number = nb::cast<std::size_t>(value);
        }
    }
    return settings;
}

std::vector<GrammarBlock> blocks_of(const nb::list& grammars) {
    std::vector<GrammarBlock> blocks;
    for (nb::handle pair : grammars) {
        const nb::tuple parts = nb::cast<nb::tuple>(pair);
        blocks.push_back({nb::cast<std::shared_ptr<PackedGrammar>>(parts[0]), nb::cast<std::string>(parts[1])});
    }
    return blocks;
}

std::vector<std::pair<std::string, double>> weights_of(const nb::dict& weights) {
    std::vector<std::pair<std::string, double>> pairs;
    for (const auto& [name, weight] : weights) {
        pairs.emplace_back(nb::cast<std::string>(name), nb::cast<double>(weight));
    }
    return pairs;
}

// The candidates of one sentence.
struct CandidateList {
    DecodeResult result;
    std::size_t width;

    const Candidate& at(std::size_t rank) const {
        if (rank >= result.candidates.size()) throw nb::index_error();
        return result.candidates[rank];
    }
    const std::string& word(std::uint32_t token) const { return result.words[result.tokens[token]]; }

    nb::list tokens(std::size_t rank) const {
        nb::list words;
        for (std::uint32_t i = at(rank).first_token; i < at(rank).last_token; ++i) words.append(word(i));
        return words;
    }
    nb::list texts() const {
        nb::list texts;
        std::string text;
        for (const Candidate& candidate : result.candidates) {
            text.clear();
            for (std::uint32_t i = candidate.first_token; i < candidate.last_token; ++i) {
                if (i > candidate.first_token) text += ' ';
                text += word(i);
            }
            texts.append(text);
        }
        return texts;
    }
    nb::list row(std::size_t rank) const {
        at(rank);
        nb::list values;
        for (std::size_t f = 0; f < width; ++f) values.append(result.features[rank * width + f]);
        return values;
    }
    Matrix features() const {
        return to_numpy(std::vector<double>(result.features), {result.candidates.size(), width});
    }
    nb::list steps(std::size_t rank) const {
        nb::list steps;
        for (std::uint32_t i = at(rank).first_step; i < at(rank).last_step; ++i) {
            const Step& step = result.steps[i];
            steps.append(nb::make_tuple(step.grammar, step.rule, result.labels[step.label], step.depth,
                                        step.source_begin, step.source_end, step.target_begin, step.target_end));
        }
        return steps;
    }
};

class PythonDecoder {
 public:
    PythonDecoder(const nb::list& grammars, nb::handle lm, const nb::dict& weights, const nb::dict& settings)
        : decoder_(blocks_of(grammars), lm.is_none() ? nullptr : nb::cast<const SharedLanguageModel&>(lm).model,
                   weights_of(weights), settings_of(settings)) {}

    nb::list decode(nb::handle sentences, nb::handle analyses, std::size_t threads) const {
        const Batch batch(sentences, analyses);
        std::vector<DecodeResult> results;
        {
            const nb::gil_scoped_release release;
            results = decoder_.decode(batch.sentences, std::clamp<std::size_t>(threads, 1, kMostThreads));
        }
        nb::list lists;
        for (DecodeResult& result : results) {
            lists.append(nb::cast(CandidateList{std::move(result), decoder_.features().size()}));
        }
        return lists;
    }

    nb::dict forest(nb::handle sentence, nb::handle analysis) const {
        nb::object analyses = nb::none();
        if (!analysis.is_none()) analyses = nb::make_tuple(nb::borrow(analysis));
        const Batch batch(nb::make_tuple(nb::borrow(sentence)), analyses);
        const Forest forest = decoder_.forest(batch.sentences[0]);
        nb::list items, edges;
        for (const Forest::Item& item : forest.items) {
            nb::dict shown;
            shown["span"] = nb::make_tuple(item.begin, item.end);
            shown["label"] = item.label;
            shown["score"] = item.score;
            items.append(shown);
        }
        for (const Forest::Edge& edge : forest.edges) edges.append(show(edge));
        nb::dict both;
        both["items"] = items;
        both["edges"] = edges;
        return both;
    }

    nb::list feature_names() const {
        nb::list names;
        for (const std::string& name : decoder_.features().names()) names.append(name);
        return names;
    }

 private:
    static nb::dict show(const Forest::Edge& edge) {
        nb::list tails, target;
        for (const std::uint32_t tail : edge.tails) tails.append(tail);
        for (const std::string& word : edge.target) target.append(word);
        nb::dict shown;
        shown["head"] = edge.head;
        shown["tails"] = tails;
        shown["grammar"] = edge.grammar;
        shown["rule"] = edge.rule;
        shown["target"] = target;
        shown["gain"] = edge.gain;
        return shown;
    }

    Decoder decoder_;
};

}  // namespace

void register_decoder(nb::module_& m) {
    m.attr("IDENTITY_RULE") = kIdentityRule;
    m.attr("UNKNOWN_WORD_RULE") = kUnknownWordRule;
    m.attr("MOST_DISTORTION") = kMostDistortion;
    nb::class_<MemoryGrammar, PackedGrammar>(m, "MemoryGrammar", "A small grammar from lines of PPDB text.")
        .def(nb::init<std::string_view>(), "lines"_a);
    nb::class_<CandidateList>(m, "CandidateList", "The candidates of one sentence, best first.")
        .def("__len__", [](const CandidateList& self) { return self.result.candidates.size(); })
        .def_prop_ro("too_long", [](const CandidateList& self) { return self.result.too_long; })
        .def(
            "score", [](const CandidateList& self, std::size_t rank) { return self.at(rank).score; }, "rank"_a)
        .def("tokens", &CandidateList::tokens, "rank"_a, nb::sig("def tokens(self, rank: int) -> list[str]"))
        .def("texts", &CandidateList::texts, "Tokens joined by spaces, of every candidate.",
             nb::sig("def texts(self) -> list[str]"))
        .def("row", &CandidateList::row, "rank"_a, "Unweighted features of one candidate.",
             nb::sig("def row(self, rank: int) -> list[float]"))
        .def("features", &CandidateList::features, "Unweighted, a row for each candidate.",
             nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float64]"))
        .def("steps", &CandidateList::steps, "rank"_a,
             "Grammar (-1: built in), rule, label, depth, source and target span of every rule used.",
             nb::sig("def steps(self, rank: int) -> list[tuple[int, int, str, int, int, int, int, int]]"));
    nb::class_<PythonDecoder>(m, "Decoder", "Grammars, language model and weights, ready to decode.")
        .def(nb::init<const nb::list&, nb::handle, const nb::dict&, const nb::dict&>(), "grammars"_a, "lm"_a.none(),
             "weights"_a, "settings"_a)
        .def("decode", &PythonDecoder::decode, "sentences"_a, "analyses"_a.none() = nb::none(), "threads"_a = 1,
             "Candidates of every tokenised sentence.",
             nb::sig("def decode(self, sentences: collections.abc.Sequence[collections.abc.Sequence[str]], "
                     "analyses: collections.abc.Sequence[collections.abc.Sequence[tuple[int, int, str]]] | None = "
                     "None, threads: int = 1) -> list[CandidateList]"))
        .def("forest", &PythonDecoder::forest, "sentence"_a, "analysis"_a.none() = nb::none(),
             "Items and edges that lead to an output.",
             nb::sig("def forest(self, sentence: collections.abc.Sequence[str], analysis: "
                     "collections.abc.Sequence[tuple[int, int, str]] | None = None) -> dict[str, typing.Any]"))
        .def_prop_ro("feature_names", &PythonDecoder::feature_names, nb::sig("def feature_names(self) -> list[str]"));
}
