// Cube pruning (Chiang, 2007): fills the search layer of a hypergraph, best items first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plainwright/hypergraph.hpp"
#include "plainwright/rule_book.hpp"

namespace plainwright {

class Search {
 public:
    // `pop_limit` edges are made for each group of nodes, and at least one for each node; 0 makes all there are.
    Search(const RuleBook& rules, std::size_t pop_limit) : rules_(rules), pop_limit_(pop_limit) {}

    void run(Hypergraph& graph);

 private:
    // An edge that could be made: which option of which bundle, with which items of its tails.
    struct Corner {
        std::uint32_t bundle;
        std::uint32_t option;
        std::array<std::uint32_t, 2> ranks;
    };
    struct Scored {
        Corner corner;
        double score;
        Boundary boundary;
    };
    // A corner in one of the two queues; older ones go first when scores are equal.
    struct Waiting {
        double score;
        std::uint32_t number;
        bool operator<(const Waiting& other) const {
            return score != other.score ? score < other.score : number > other.number;
        }
    };
    struct Queue {
        std::vector<Waiting> heap;
        void push(double score, std::size_t number);
        std::uint32_t pop();
    };

    void search_group(const Group& group);
    void make_all(const Group& group);
    void make_best(const Group& group);
    void serve_empty_nodes();
    void push(const Corner& corner);
    void push_neighbours(const Corner& corner);
    void score_promising();
    double guess(const Corner& corner) const;
    Scored score(const Corner& corner) const;
    void read_target(const Bundle& bundle, const RuleOption& option, Scored& scored) const;
    void make(const Scored& scored);
    void rank_items(std::size_t first);
    std::size_t width(const Bundle& bundle, std::size_t tail) const;
    ItemId tail_item(const Bundle& bundle, const Corner& corner, std::size_t tail) const;
    ItemId& place(NodeId node, const Boundary& boundary);

    const RuleBook& rules_;
    std::size_t pop_limit_;
    Hypergraph* graph_ = nullptr;
    std::vector<Corner> corners_;
    std::vector<Scored> scored_;
    Queue guessed_;              // of corners_, by their scores without the language model's joints
    Queue ready_;                // of scored_
    std::vector<ItemId> table_;  // items of the group by node and state, open addressing
    std::size_t table_used_ = 0;
    std::vector<ItemId> order_;
};

}  // namespace plainwright
