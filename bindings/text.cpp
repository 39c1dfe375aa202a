// Text functions: tokenisers, sentences, syllables, readability counts.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plainwright/parallel.hpp"
#include "plainwright/ptb.hpp"
#include "plainwright/readability.hpp"
#include "plainwright/sentences.hpp"
#include "plainwright/syllables.hpp"
#include "plainwright/tokenize.hpp"
#include "plainwright/unicode.hpp"
#include "strings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using plainwright_python::Matrix;
using plainwright_python::StringList;
using plainwright_python::to_numpy;
using plainwright_python::view_of;
using StringSequence = nb::typed<nb::sequence, nb::str>;

nb::str to_python(std::string_view text) { return nb::str(text.data(), text.size()); }

// Turns growing byte offsets into offsets in characters, which is what Python counts in.
class CharacterOffsets {
 public:
    explicit CharacterOffsets(std::string_view text) : text_(text) {}

    std::size_t at(std::size_t byte) {
        for (; byte_ < byte; ++characters_) byte_ += plainwright::decode(text_, byte_).length;
        return characters_;
    }

 private:
    std::string_view text_;
    std::size_t byte_ = 0;
    std::size_t characters_ = 0;
};

enum class SyllableMethod { cmu, vowel_groups };

SyllableMethod syllable_method_from_name(std::string_view name) {
    if (name == "cmu") return SyllableMethod::cmu;
    if (name == "vowel-groups") return SyllableMethod::vowel_groups;
    throw std::invalid_argument("method must be cmu or vowel-groups; got '" + std::string(name) + "'");
}

int syllables_of(std::string_view word, SyllableMethod method) {
    return method == SyllableMethod::cmu ? plainwright::spoken_syllables(word)
                                         : plainwright::vowel_group_syllables(word);
}

int line_syllables(std::string_view line, SyllableMethod method) {
    int count = 0;
    std::string tokens;
    plainwright::tokenize(plainwright::Tokenizer::none, false, line, tokens);
    for (std::size_t start = 0; start < tokens.size();) {
        const std::size_t end = std::min(tokens.find(' ', start), tokens.size());
        count += syllables_of(std::string_view(tokens).substr(start, end - start), method);
        start = end + 1;
    }
    return count;
}

constexpr std::size_t kLinesPerChunk = 256;

using IntegerColumn = plainwright_python::Array<std::int64_t, 1>;

Matrix readability_table(StringSequence lines, std::string_view mode, std::size_t threads) {
    const auto how = plainwright::readability_mode_from_name(mode);
    const StringList texts(lines, "lines");
    constexpr std::size_t width = plainwright::kReadabilityCounts;
    const std::size_t n = texts.size();
    std::vector<double> table(n * width);
    {
        const nb::gil_scoped_release release;
        plainwright::parallel_chunks(n, threads, kLinesPerChunk, [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const auto counts = plainwright::readability_counts(texts[i], how);
                std::copy(counts.begin(), counts.end(), table.data() + i * width);
            }
        });
    }
    return to_numpy(std::move(table), {n, width});
}

IntegerColumn syllable_column(StringSequence lines, std::string_view method, std::size_t threads) {
    const auto how = syllable_method_from_name(method);
    const StringList texts(lines, "lines");
    const std::size_t n = texts.size();
    std::vector<std::int64_t> column(n);
    {
        const nb::gil_scoped_release release;
        plainwright::parallel_chunks(n, threads, kLinesPerChunk, [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) column[i] = line_syllables(texts[i], how);
        });
    }
    return to_numpy(std::move(column), {n});
}

using PtbTriple = nb::typed<nb::tuple, nb::str, int, int>;

nb::typed<nb::list, PtbTriple> ptb_triples(nb::str text, bool directed_quotes, bool escape_brackets) {
    const std::string_view raw = view_of(text, "the text");
    nb::list result;
    CharacterOffsets offsets(raw);
    for (const auto& token : plainwright::ptb_tokenize(raw, {directed_quotes, escape_brackets})) {
        const std::size_t start = offsets.at(token.start);
        result.append(nb::make_tuple(to_python(token.text), start, offsets.at(token.end)));
    }
    return result;
}

std::vector<std::pair<std::size_t, std::size_t>> sentence_pairs(nb::str text, std::optional<bool> tokenised) {
    const std::string_view raw = view_of(text, "the text");
    std::vector<std::pair<std::size_t, std::size_t>> result;
    CharacterOffsets offsets(raw);
    const bool as_tokens = tokenised.value_or(plainwright::looks_tokenized(raw));
    for (const auto& span : plainwright::sentence_spans(raw, as_tokens)) {
        const std::size_t start = offsets.at(span.start);
        result.emplace_back(start, offsets.at(span.end));
    }
    return result;
}

}  // namespace

void register_text(nb::module_& m) {
    m.def(
        "tokenize",
        [](nb::str line, std::string_view tokenizer, bool lowercase) {
            std::string out;
            plainwright::tokenize(plainwright::tokenizer_from_name(tokenizer), lowercase, view_of(line, "the line"),
                                  out);
            return to_python(out);
        },
        "line"_a, "tokenizer"_a, nb::kw_only(), "lowercase"_a = false,
        "The tokens of one line, joined by single spaces.");
    m.def(
        "tokenize_lines",
        [](StringSequence lines, std::string_view tokenizer, bool lowercase) -> nb::typed<nb::list, nb::str> {
            const auto kind = plainwright::tokenizer_from_name(tokenizer);
            nb::list result;
            std::string out;
            const StringList texts(lines, "lines");
            for (std::size_t i = 0; i < texts.size(); ++i) {
                out.clear();
                plainwright::tokenize(kind, lowercase, texts[i], out);
                result.append(to_python(out));
            }
            return result;
        },
        "lines"_a, "tokenizer"_a, nb::kw_only(), "lowercase"_a = false,
        "The tokens of each line, joined by single spaces.");
    m.def(
        "lower",
        [](nb::str text) {
            std::string out;
            plainwright::append_lower(view_of(text, "the text"), out);
            return to_python(out);
        },
        "text"_a, "Lower case, as `str.lower` gives it.");
    m.def("ptb_tokenize", &ptb_triples, "text"_a, nb::kw_only(), "directed_quotes"_a = true,
          "escape_brackets"_a = false,
          "Penn-Treebank-style tokens as (text, start, end), offsets in characters of `text`.");
    m.def(
        "ptb_detokenize",
        [](StringSequence tokens) {
            const StringList texts(tokens, "tokens");
            return to_python(plainwright::ptb_detokenize({texts.data(), texts.data() + texts.size()}));
        },
        "tokens"_a, "Text as it is written, from Penn-Treebank-style tokens.");
    m.def("sentence_spans", &sentence_pairs, "text"_a, nb::kw_only(), "tokenised"_a = nb::none(),
          "(start, end) of each sentence in characters; None finds out whether the text is tokenised.");
    m.def(
        "load_syllable_dictionary",
        [](nb::bytes text) {
            plainwright::load_syllable_dictionary({static_cast<const char*>(text.data()), text.size()});
        },
        "text"_a, "Reads the content of cmudict.dict; only the first call has an effect.");
    m.def(
        "has_syllable_dictionary", [] { return plainwright::syllable_dictionary() != nullptr; },
        "Whether `load_syllable_dictionary` has been called.");
    m.def(
        "count_syllables",
        [](nb::str word, std::string_view method) {
            return syllables_of(view_of(word, "the word"), syllable_method_from_name(method));
        },
        "word"_a, "method"_a, "Syllables of one word; method cmu or vowel-groups.");
    m.def(
        "rule_syllables",
        [](nb::str word) {
            std::string lower;
            plainwright::append_lower(view_of(word, "the word"), lower);
            return plainwright::rule_syllables(lower);
        },
        "word"_a, "Syllables of one word by the rule for words outside the dictionary.");
    m.def("count_line_syllables", &syllable_column, "lines"_a, "method"_a, nb::kw_only(), "threads"_a = 1,
          "Syllables of each line's tokens between white space, int64 of shape (n,).");
    m.def("readability_counts", &readability_table, "lines"_a, "mode"_a, nb::kw_only(), "threads"_a = 1,
          "Sentences, words, syllables, characters, letters and polysyllables of each line, float64 of shape "
          "(n, 6); mode tokenised or plain.");
}
