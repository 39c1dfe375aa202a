// Lazy k-best derivations (Huang and Chiang, 2005, algorithm 3).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plainwright/hypergraph.hpp"
#include "plainwright/rule_book.hpp"

namespace plainwright {

// An edge and which derivation of each of its tails.
struct Derivation {
    double score;
    std::uint32_t edge;
    std::array<std::uint32_t, 2> ranks;
};

// Derivations of equal score come in the order in which search made their edges, then by the ranks of their tails.
class KBest {
 public:
    // With `distinct`, of the derivations of an item that give the same words only the best is seen.
    KBest(const RuleBook& rules, bool distinct) : rules_(rules), distinct_(distinct) {}

    void start(const Hypergraph& graph);

    // The derivation of this rank (from 0), or null if there are not so many. Valid until the next call.
    const Derivation* get(ItemId item, std::uint32_t rank);

 private:
    // A hash of words in a row, from which that of a longer row can be computed.
    struct Words {
        std::uint64_t hash = 0;
        std::uint64_t power = 1;
        void append(const Words& words);
        bool operator==(const Words&) const = default;
    };
    struct Ranking {
        std::vector<Derivation> found;
        std::vector<Words> words;  // of those found, if distinct
        std::vector<Derivation> heap;
        std::vector<std::uint32_t> table;  // of `words`, once there are many: places from 1, open addressing
        bool started = false;
        bool expanded = true;  // the successors of the last one popped are in the heap
        Derivation last{};

        void reset();
        bool add(const Words& added);  // false if it is there already
        void fill_table(std::size_t slots);
        std::size_t slot_of(const Words& wanted) const;
    };

    Ranking& ranking(ItemId item);
    void add_edges(ItemId item);
    void add_successors(ItemId item, const Derivation& derivation);
    void add(ItemId item, std::uint32_t edge, std::uint32_t first, std::uint32_t second);
    bool accept(ItemId item, const Derivation& derivation);
    Words words_of(const Derivation& derivation);

    const RuleBook& rules_;
    bool distinct_;
    const Hypergraph* graph_ = nullptr;
    std::vector<std::uint32_t> numbers_;  // of the rankings, by item
    std::vector<Ranking> rankings_;       // those from rankings_used_ on wait to be used again
    std::size_t rankings_used_ = 0;
};

}  // namespace plainwright
