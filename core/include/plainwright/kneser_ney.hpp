// Interpolated modified Kneser-Ney estimation (Chen and Goodman 1998; Heafield et al. 2013 for the details of pruning
// and of unknown words).
//
// Everything is kept in memory: 4 bytes for each running word, and about 35 bytes for each distinct n-gram of any
// order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plainwright/ngram_model.hpp"

namespace plainwright {

using Discounts = std::array<double, 3>;  // for n-grams seen once, twice, more often

struct KneserNeyOptions {
    std::size_t order = 5;
    // By order: n-grams seen at most that often are left out. The last holds for higher orders; the first is 0, and
    // none is smaller than the one before. Counted are occurrences, not contexts.
    std::vector<std::uint32_t> prune = {0};
    // Where the counts of counts give no discounts: too little text, or text with duplicates.
    Discounts fallback = {0.5, 1.0, 1.5};
};

struct OrderReport {
    std::size_t counted = 0;  // distinct n-grams of the text
    std::size_t kept = 0;
    Discounts discounts{};
    bool fallback = false;
};

class KneserNeyEstimator {
 public:
    KneserNeyEstimator();
    // A sentence of tokens separated by white space. Throws std::invalid_argument if one of them is <s>, </s> or <unk>.
    void add(std::string_view line);

    std::size_t sentences() const { return sentences_; }
    std::size_t tokens() const { return words_.size() - 2 * sentences_; }
    std::size_t types() const { return vocabulary_.size(); }

    // Throws std::invalid_argument for options that make no sense, and if there is no text.
    NgramModel estimate(const KneserNeyOptions& options, std::vector<OrderReport>& report) const;

 private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    std::vector<std::string> vocabulary_;
    std::unordered_map<std::string, WordId, TextHash, std::equal_to<>> ids_;
    std::vector<WordId> words_;  // each sentence with <s> and </s>
    std::size_t sentences_ = 0;
};

}  // namespace plainwright
