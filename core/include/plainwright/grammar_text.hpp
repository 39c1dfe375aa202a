// One line of PPDB text, taken apart: [LHS] ||| source ||| target ||| features ||| alignment (||| entailment).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace plainwright {

struct RuleText {
    struct Item {
        std::string_view text;  // a word, or the label of a nonterminal
        int index;              // 0: a word; on the source side 1 or 2 as written; on the target side the place
                                // among the source's nonterminals
    };
    struct Feature {
        std::string_view name;
        float value;
        bool available;  // false: written as NA
    };

    std::string_view lhs;
    std::vector<Item> source;
    std::vector<Item> target;
    std::vector<Feature> features;
    std::string_view alignment;
    std::string_view entailment;
};

// Longest line, in bytes.
inline constexpr std::size_t kMaxRuleLine = 100'000;
// Most words and nonterminals of a side. Many rules may share one: what they take together must be bounded, too.
inline constexpr std::size_t kMaxRuleSide = 300;

// Reads one line (no line end) into `rule`, whose views point into it. Returns null, or what is wrong.
const char* parse_rule(std::string_view line, RuleText& rule);

}  // namespace plainwright
