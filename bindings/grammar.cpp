// Grammars: packing text, asking the packed form. One call per block of lines or per range of rules.
#include "plainwright/grammar.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plainwright/grammar_builder.hpp"
#include "plainwright/phrase_search.hpp"
#include "strings.hpp"

using namespace plainwright;
using namespace plainwright_python;
using namespace nb::literals;

namespace {

using Bytes = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>>;

// Feeds blocks of whole lines to a builder and remembers which lines it refused.
class Packer {
 public:
    explicit Packer(unsigned bits) : builder_(bits) {}

    // Returns the refused lines, as (line number, bytes); with `lenient` false it stops at the first.
    std::vector<std::pair<std::size_t, nb::bytes>> feed(const nb::bytes& block, bool lenient) {
        std::vector<std::pair<std::size_t, std::string_view>> refused;
        {
            std::string_view rest(block.c_str(), block.size());
            const nb::gil_scoped_release release;
            while (!rest.empty() && (lenient || refused.empty())) {
                const std::size_t end = rest.find('\n');
                std::string_view line = rest.substr(0, end);
                rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
                ++lines_;
                if (line.ends_with('\r')) line.remove_suffix(1);
                if (builder_.add(line) != nullptr) refused.emplace_back(lines_, line);
            }
        }
        std::vector<std::pair<std::size_t, nb::bytes>> found;
        for (const auto& [number, line] : refused) found.emplace_back(number, nb::bytes(line.data(), line.size()));
        return found;
    }

    Bytes finish() {
        std::size_t size = 0;
        auto words = std::make_unique<std::vector<std::uint64_t>>();
        {
            const nb::gil_scoped_release release;
            *words = builder_.finish(size);
        }
        auto* owned = words.release();
        nb::capsule owner(owned,
                          [](void* pointer) noexcept { delete static_cast<std::vector<std::uint64_t>*>(pointer); });
        return Bytes(reinterpret_cast<const std::uint8_t*>(owned->data()), {size}, owner);
    }

    std::size_t size() const { return builder_.size(); }
    std::size_t lines() const { return lines_; }

 private:
    GrammarBuilder builder_;
    std::size_t lines_ = 0;
};

void check_range(const PackedGrammar& grammar, std::uint32_t first, std::uint32_t last) {
    if (first > last || last > grammar.size()) throw std::out_of_range("no such rules");
}

// Many rules may share a long text, so lines are counted by their bytes.
std::vector<std::string> lines(const PackedGrammar& grammar, std::uint32_t first, std::uint32_t last) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    check_range(grammar, first, last);
    const nb::gil_scoped_release release;
    std::vector<std::string> found;
    std::size_t bytes = 0;
    for (std::uint32_t rule = first; rule < last && bytes < kMostBytes; ++rule) {
        grammar.append_line(rule, found.emplace_back());
        bytes += found.back().size();
    }
    return found;
}

using Values = nb::ndarray<nb::numpy, float, nb::ndim<2>>;

Values features(const PackedGrammar& grammar, std::uint32_t first, std::uint32_t last) {
    check_range(grammar, first, last);
    const std::size_t width = grammar.feature_count();
    auto values = std::make_unique<std::vector<float>>((last - first) * width);
    for (std::uint32_t rule = first; rule < last; ++rule) {
        grammar.features(rule, values->data() + (rule - first) * width);
    }
    auto* owned = values.release();
    nb::capsule owner(owned, [](void* pointer) noexcept { delete static_cast<std::vector<float>*>(pointer); });
    return Values(owned->data(), {last - first, width}, owner);
}

// The rules whose source is `words`, or "[LABEL]" where a word names a label so.
std::pair<std::uint32_t, std::uint32_t> find(const PackedGrammar& grammar, const std::vector<std::string>& symbols,
                                             const std::vector<bool>& gaps) {
    TrieNode node = 0;
    for (std::size_t i = 0; i < symbols.size() && node != kNoNode; ++i) {
        node = grammar.child(node, gaps.at(i) ? grammar.label(symbols[i]) : grammar.terminal(symbols[i]));
    }
    return grammar.rules(node);
}

std::vector<std::string> feature_names(const PackedGrammar& grammar) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < grammar.feature_count(); ++i) names.emplace_back(grammar.feature_name(i));
    return names;
}

nb::list storage(const PackedGrammar& grammar) {
    nb::list found;
    for (std::size_t i = 0; i < grammar.stored_features(); ++i) {
        const FeatureStorage how = grammar.storage(i);
        found.append(nb::make_tuple(std::string(grammar.feature_name(i)), how.exact, how.bits, how.distinct, how.step,
                                    how.has_missing));
    }
    return found;
}

std::vector<std::string> labels(const PackedGrammar& grammar) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < grammar.labels(); ++i) found.emplace_back(grammar.label_text(i));
    return found;
}

std::vector<std::string> gap_labels(const PackedGrammar& grammar) {
    std::vector<std::string> found;
    const std::vector<bool> used = grammar.gap_labels();
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i]) found.emplace_back(grammar.label_text(i));
    }
    return found;
}

std::vector<std::size_t> label_counts(const PackedGrammar& grammar) {
    std::vector<std::size_t> counts(grammar.labels());
    const nb::gil_scoped_release release;
    for (std::uint32_t rule = 0; rule < grammar.size(); ++rule) ++counts[-1 - grammar.rule(rule).lhs];
    return counts;
}

}  // namespace

void register_grammar(nb::module_& m) {
    nb::class_<Packer>(m, "GrammarPacker", "Packs blocks of PPDB lines.")
        .def(nb::init<unsigned>(), nb::kw_only(), "bits"_a = 16)
        .def("feed", &Packer::feed, "block"_a, nb::kw_only(), "lenient"_a = false,
             "Add whole lines; returns the refused ones as (line number, bytes), the first alone unless lenient.")
        .def("finish", &Packer::finish, "The bytes of the packed file.",
             nb::sig("def finish(self) -> numpy.typing.NDArray[numpy.uint8]"))
        .def_prop_ro("lines", &Packer::lines, "Lines fed so far, refused ones included.")
        .def("__len__", &Packer::size);

    nb::class_<PackedGrammar>(m, "PackedGrammar", "A grammar in one memory-mapped file.")
        .def_static("open", &PackedGrammar::open, "path"_a, nb::kw_only(), "verify"_a = true,
                    nb::call_guard<nb::gil_scoped_release>(), "Map the file; RuntimeError if it is no good.")
        .def("__len__", &PackedGrammar::size)
        .def_prop_ro("nodes", &PackedGrammar::nodes)
        .def_prop_ro("words", &PackedGrammar::words)
        .def_prop_ro("bytes", &PackedGrammar::bytes)
        .def_prop_ro("record_bytes", &PackedGrammar::record_bytes)
        .def_prop_ro("labels", &labels)
        .def_prop_ro("gap_labels", &gap_labels)
        .def_prop_ro("feature_names", &feature_names)
        .def_prop_ro(
            "has_gaps", [](const PackedGrammar& grammar) { return has_gaps(grammar); },
            "Whether the source of some rule has a nonterminal.")
        .def("label_counts", &label_counts, "Rules for each label of `labels`.")
        .def("storage", &storage, "(name, exact, bits, distinct values, step, has missing) of each stored feature.",
             nb::sig("def storage(self) -> list[tuple[str, bool, int, int, float, bool]]"))
        .def("find", &find, "symbols"_a, "gaps"_a,
             "The rules [first, last) with this source; `gaps` says which symbols are labels.")
        .def("lines", &lines, "first"_a, "last"_a,
             "PPDB text of the rules [first, last), or of as many of the first of them as make some megabytes.")
        .def("features", &features, "first"_a, "last"_a, "Feature values of the rules [first, last), one row each.",
             nb::sig("def features(self, first: int, last: int) -> numpy.typing.NDArray[numpy.float32]"));
}
