#include "plainwright/span_labels.hpp"

#include <charconv>
#include <stdexcept>

#include "plainwright/language_model.hpp"

namespace plainwright {

namespace {

enum Operator : Label { kPlain, kPlus, kSlash, kBackslash, kPlusPlus };

Label pack(Operator how, Label a, Label b = 0, Label c = 0) { return how << 24 | a << 16 | b << 8 | c; }

[[noreturn]] void fail(const std::string& message) { throw std::invalid_argument(message); }

std::uint16_t position(std::string_view text, std::size_t tokens) {
    std::uint16_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > tokens) {
        fail("a position from 0 to " + std::to_string(tokens) + " expected, got '" + std::string(text) + "'");
    }
    return value;
}

Constituent parse_constituent(std::string_view text, std::size_t tokens, LabelNames& names) {
    const std::size_t dash = text.find('-'), colon = text.find(':');
    if (dash == std::string_view::npos || colon == std::string_view::npos || dash > colon) {
        fail("a constituent as in 0-2:NP expected, got '" + std::string(text) + "'");
    }
    const std::uint16_t first = position(text.substr(0, dash), tokens);
    const std::uint16_t last = position(text.substr(dash + 1, colon - dash - 1), tokens);
    if (first >= last) fail("a constituent of at least one token expected, got '" + std::string(text) + "'");
    return {first, last, names.add(text.substr(colon + 1))};
}

}  // namespace

std::uint8_t LabelNames::add(std::string_view name) {
    if (name.empty()) fail("a label expected, got an empty one");
    if (name.find_first_of("[] \t|") != std::string_view::npos) {
        fail("a label without brackets, bars and spaces expected, got '" + std::string(name) + "'");
    }
    if (name == "X") return 0;  // says as little as no label
    const TokenId id = names_.add(name);
    if (id > 255) fail("at most 255 different labels expected, got one more: '" + std::string(name) + "'");
    return static_cast<std::uint8_t>(id);
}

std::string LabelNames::text(Label label) const {
    const std::string &a = names_.word(label >> 16 & 255), &b = names_.word(label >> 8 & 255),
                      &c = names_.word(label & 255);
    switch (label >> 24) {
        case kPlus:
            return a + '+' + b;
        case kSlash:
            return a + '/' + b;
        case kBackslash:
            return a + '\\' + b;
        case kPlusPlus:
            return a + '+' + b + '+' + c;
        default:
            return label == 0 ? "X" : a;
    }
}

SentenceAnalysis parse_analysis(std::string_view text, std::size_t tokens, LabelNames& names) {
    SentenceAnalysis analysis;
    const std::size_t tab = text.find('\t');
    for_each_token(text.substr(0, tab), [&](std::string_view tag) { analysis.tags.push_back(names.add(tag)); });
    if (analysis.tags.size() != tokens) {
        fail("an analysis of " + std::to_string(tokens) + " tokens expected, got one of " +
             std::to_string(analysis.tags.size()));
    }
    if (tab == std::string_view::npos) return analysis;
    for_each_token(text.substr(tab + 1), [&](std::string_view piece) {
        analysis.constituents.push_back(parse_constituent(piece, tokens, names));
    });
    return analysis;
}

void SpanLabels::assign(std::size_t tokens, const std::uint8_t* tags, const Constituent* constituents,
                        std::size_t count) {
    tokens_ = tokens;
    known_ = tags != nullptr;
    if (!known_) return;
    cells_.assign((tokens + 1) * (tokens + 1), 0);
    // A single token has its tag, whatever else it is; of equal spans, the first counts.
    for (std::size_t i = 0; i < tokens; ++i) cells_[i * (tokens + 1) + i + 1] = tags[i];
    for (std::size_t i = 0; i < count; ++i) {
        std::uint8_t& cell = cells_[constituents[i].first * (tokens + 1) + constituents[i].last];
        if (cell == 0) cell = constituents[i].label;
    }
}

Label SpanLabels::operator()(std::size_t first, std::size_t last) const {
    if (!known_) return 0;
    if (const std::uint8_t label = at(first, last)) return pack(kPlain, label);
    for (std::size_t end = last + 1; end <= tokens_; ++end) {
        if (at(first, end) && at(last, end)) return pack(kSlash, at(first, end), at(last, end));
    }
    for (std::size_t begin = first; begin-- > 0;) {
        if (at(begin, last) && at(begin, first)) return pack(kBackslash, at(begin, last), at(begin, first));
    }
    for (std::size_t middle = first + 1; middle < last; ++middle) {
        if (at(first, middle) && at(middle, last)) return pack(kPlus, at(first, middle), at(middle, last));
    }
    for (std::size_t one = first + 1; one < last; ++one) {
        if (!at(first, one)) continue;
        for (std::size_t two = one + 1; two < last; ++two) {
            if (at(one, two) && at(two, last)) return pack(kPlusPlus, at(first, one), at(one, two), at(two, last));
        }
    }
    return 0;
}

}  // namespace plainwright
