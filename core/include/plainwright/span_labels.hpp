// Labels of the spans of a sentence, from its constituents, as in syntax-augmented translation (Zollmann and Venugopal
// 2006): a constituent's own label, A/B for an A that lacks a B at its right end (the smallest such A), A\B for one
// that lacks a B at its left, A+B for two side by side, A+B+C for three; X where nothing fits. PPDB prefers A/B to A+B.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plainwright/parallel_text.hpp"

namespace plainwright {

// A value that sorts and compares: an operator and up to three basic labels. 0 is X.
using Label = std::uint32_t;

// The basic labels of all sentences; number 0 stands for "none".
class LabelNames {
 public:
    LabelNames() { names_.add(""); }
    // Throws std::invalid_argument for names that rules cannot carry, and for more than 255 of them.
    std::uint8_t add(std::string_view name);
    std::string text(Label label) const;

 private:
    Vocabulary names_;
};

struct Constituent {
    std::uint16_t first, last;  // the span [first, last)
    std::uint8_t label;
};

// Tags of the tokens, then constituents, the outermost of equal spans first: "DT NN VBD\t0-3:S 0-2:NP".
struct SentenceAnalysis {
    std::vector<std::uint8_t> tags;
    std::vector<Constituent> constituents;
};

// Throws std::invalid_argument for text that is not such, or that has not `tokens` tags.
SentenceAnalysis parse_analysis(std::string_view text, std::size_t tokens, LabelNames& names);

class SpanLabels {
 public:
    // Starts a new sentence; without tags, every span is X.
    void assign(std::size_t tokens, const std::uint8_t* tags, const Constituent* constituents, std::size_t count);
    // Of the span [first, last), which must not be empty.
    Label operator()(std::size_t first, std::size_t last) const;

 private:
    std::uint8_t at(std::size_t first, std::size_t last) const { return cells_[first * (tokens_ + 1) + last]; }

    std::size_t tokens_ = 0;
    bool known_ = false;
    std::vector<std::uint8_t> cells_;
};

}  // namespace plainwright
