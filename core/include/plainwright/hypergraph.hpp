// The packed forest of one sentence, in two layers.
//
// The parse layer has nodes (span, label) and bundles: all rules with one source side and one label over the same
// tails. The search layer splits a node into items, one for each language-model state, and a bundle into edges, one
// for each rule and choice of tail items that search has looked at. Items of equal state recombine.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "plainwright/language_model.hpp"

namespace plainwright {

using TokenId = std::uint32_t;
using LabelId = std::uint32_t;
using NodeId = std::uint32_t;
using ItemId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffU;

// A score that can be compared: what is no number, because infinite parts met in it, counts as the worst.
inline double comparable(double score) { return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score; }

// What a larger phrase needs to know of the words of a smaller one.
struct Boundary {
    std::array<WordId, kMaxLmOrder - 1> left{};    // its first words, at most order - 1
    std::array<float, kMaxLmOrder - 1> partial{};  // log10 of each, as far as known without what stands before
    LmState right;
    std::uint8_t left_length = 0;

    bool operator==(const Boundary& other) const;
    std::uint64_t hash() const;
};

// One target side, with its weighted features that need no context.
struct RuleOption {
    std::uint32_t number;                  // in its grammar
    std::span<const std::int32_t> target;  // token, or -1 and -2 for the first and second tail
    double score;                          // weighted; that of lexical rules has the language model's part
    double order_key;                      // score with the language model's guess for the terminals
    bool lexical;                          // no tails in the target
    Boundary boundary;                     // of lexical rules
};

inline constexpr std::uint32_t kIdentityRule = 0;
inline constexpr std::uint32_t kUnknownWordRule = 1;
inline constexpr std::uint32_t kGlueFirst = 2;  // S -> X
inline constexpr std::uint32_t kGlueNext = 3;   // S -> S X
inline constexpr std::uint32_t kGoalRule = 4;   // goal -> S, scores the sentence boundaries
inline constexpr std::uint32_t kEmptyGoalRule = 5;
inline constexpr std::uint32_t kKeepNext = 6;  // kept words -> kept words, a kept word
inline constexpr std::uint8_t kBuiltInGrammar = 0xff;

// Options with the same source side and label, best first.
struct RuleList {
    std::vector<RuleOption> options;
    double best_key = 0;  // order_key of the first
    LabelId label = 0;
    std::uint8_t grammar = kBuiltInGrammar;
};

struct Node {
    std::uint32_t begin, end;  // of the source
    LabelId label;
    std::uint32_t first_item = 0, last_item = 0;  // in Hypergraph::ranking
};

struct Bundle {
    const RuleList* rules;
    double best_key;  // of the rules: where all bundles of a span are compared, rules need not be fetched
    std::array<NodeId, 2> tails;
    NodeId head;
    bool label_agrees;  // with the input's own analysis
};

// Nodes that share a pop limit: their bundles are consecutive, and all their tails lie in earlier groups.
struct Group {
    std::uint32_t first_bundle, last_bundle;
};

struct Edge {
    std::uint32_t bundle;
    std::uint32_t option;
    std::array<ItemId, 2> tails;
    std::uint32_t next;  // edge of the same item, or kNone
    double gain;         // score of the best derivation through this edge, less the scores of its tails
};

struct Item {
    Boundary boundary;
    NodeId node;
    std::uint32_t first_edge = kNone, last_edge = kNone;
    double score;  // of its best derivation
};

struct Hypergraph {
    std::vector<Node> nodes;
    std::vector<Bundle> bundles;
    std::vector<Group> groups;
    std::vector<Item> items;
    std::vector<Edge> edges;
    std::vector<ItemId> ranking;         // of each node's items, best first
    std::vector<double> ranking_scores;  // their scores: search looks at many more of these than of items
    NodeId goal = kNone;

    void clear();
    std::span<const ItemId> items_of(NodeId node) const {
        return {ranking.data() + nodes[node].first_item, ranking.data() + nodes[node].last_item};
    }
    ItemId goal_item() const { return ranking[nodes[goal].first_item]; }
};

}  // namespace plainwright
