#include "plainwright/search.hpp"

#include <algorithm>

namespace plainwright {

namespace {

constexpr std::size_t kTableStart = 256;  // slots, a power of two

}  // namespace

void Search::run(Hypergraph& graph) {
    graph_ = &graph;
    for (const Group& group : graph.groups) search_group(group);
}

void Search::search_group(const Group& group) {
    const std::size_t first_item = graph_->items.size();
    table_.assign(kTableStart, kNone);
    table_used_ = 0;
    if (pop_limit_ == 0) {
        make_all(group);
    } else {
        make_best(group);
    }
    rank_items(first_item);
}

void Search::make_all(const Group& group) {
    for (std::uint32_t b = group.first_bundle; b < group.last_bundle; ++b) {
        const Bundle& bundle = graph_->bundles[b];
        const auto options = static_cast<std::uint32_t>(bundle.rules->options.size());
        for (std::uint32_t option = 0; option < options; ++option) {
            for (std::uint32_t first = 0; first < width(bundle, 0); ++first) {
                for (std::uint32_t second = 0; second < width(bundle, 1); ++second) {
                    make(score({b, option, {first, second}}));
                }
            }
        }
    }
}

void Search::make_best(const Group& group) {
    corners_.clear();
    scored_.clear();
    guessed_.heap.clear();
    ready_.heap.clear();
    for (std::uint32_t bundle = group.first_bundle; bundle < group.last_bundle; ++bundle) {
        const Corner corner{bundle, 0, {0, 0}};
        guessed_.heap.push_back({guess(corner), static_cast<std::uint32_t>(corners_.size())});
        corners_.push_back(corner);
    }
    std::make_heap(guessed_.heap.begin(), guessed_.heap.end());
    for (std::size_t pops = 0; pops < pop_limit_; ++pops) {
        score_promising();
        if (ready_.heap.empty()) return;
        const std::uint32_t best = ready_.pop();
        make(scored_[best]);
        push_neighbours(Corner(scored_[best].corner));
    }
    serve_empty_nodes();
}

// Asking the language model is most of the work, so it is only asked about corners whose guess is not behind.
void Search::score_promising() {
    while (!guessed_.heap.empty() &&
           (ready_.heap.empty() || guessed_.heap.front().score >= ready_.heap.front().score)) {
        scored_.push_back(score(corners_[guessed_.pop()]));
        ready_.push(scored_.back().score, scored_.size() - 1);
    }
}

// No node may stay without an item: what was parsed must be found.
void Search::serve_empty_nodes() {
    const auto empty = [this](const Corner& corner) {
        return graph_->nodes[graph_->bundles[corner.bundle].head].last_item == 0;
    };
    const auto best_first = [](const Waiting& a, const Waiting& b) { return b < a; };
    std::erase_if(ready_.heap, [&](const Waiting& w) { return !empty(scored_[w.number].corner); });
    std::sort(ready_.heap.begin(), ready_.heap.end(), best_first);
    for (const Waiting& waiting : ready_.heap) {
        if (empty(scored_[waiting.number].corner)) make(scored_[waiting.number]);
    }
    std::erase_if(guessed_.heap, [&](const Waiting& w) { return !empty(corners_[w.number]); });
    std::sort(guessed_.heap.begin(), guessed_.heap.end(), best_first);
    for (const Waiting& waiting : guessed_.heap) {
        if (empty(corners_[waiting.number])) make(score(corners_[waiting.number]));
    }
}

std::size_t Search::width(const Bundle& bundle, std::size_t tail) const {
    return bundle.tails[tail] == kNone ? 1 : graph_->items_of(bundle.tails[tail]).size();
}

ItemId Search::tail_item(const Bundle& bundle, const Corner& corner, std::size_t tail) const {
    return bundle.tails[tail] == kNone ? kNone : graph_->items_of(bundle.tails[tail])[corner.ranks[tail]];
}

void Search::Queue::push(double score, std::size_t number) {
    heap.push_back({score, static_cast<std::uint32_t>(number)});
    std::push_heap(heap.begin(), heap.end());
}

std::uint32_t Search::Queue::pop() {
    std::pop_heap(heap.begin(), heap.end());
    const std::uint32_t number = heap.back().number;
    heap.pop_back();
    return number;
}

void Search::push(const Corner& corner) {
    guessed_.push(guess(corner), corners_.size());
    corners_.push_back(corner);
}

// Each corner has one parent: the one a step back along the last axis on which it has moved.
void Search::push_neighbours(const Corner& corner) {
    const Bundle& bundle = graph_->bundles[corner.bundle];
    const auto [first, second] = corner.ranks;
    if (second + 1 < width(bundle, 1)) push({corner.bundle, corner.option, {first, second + 1}});
    if (second > 0) return;
    if (first + 1 < width(bundle, 0)) push({corner.bundle, corner.option, {first + 1, 0}});
    if (first > 0) return;
    if (corner.option + 1 < bundle.rules->options.size()) push({corner.bundle, corner.option + 1, {0, 0}});
}

double Search::guess(const Corner& corner) const {
    const Bundle& bundle = graph_->bundles[corner.bundle];
    double score = corner.option == 0 ? bundle.best_key : bundle.rules->options[corner.option].order_key;
    if (bundle.label_agrees) score += rules_.features().weight(kLabelAgrees);
    for (std::size_t tail = 0; tail < 2 && bundle.tails[tail] != kNone; ++tail) {
        score += graph_->ranking_scores[graph_->nodes[bundle.tails[tail]].first_item + corner.ranks[tail]];
    }
    return comparable(score);
}

Search::Scored Search::score(const Corner& corner) const {
    const Bundle& bundle = graph_->bundles[corner.bundle];
    const RuleOption& option = bundle.rules->options[corner.option];
    Scored scored{corner, guess(corner), {}};
    if (rules_.scorer().model() == nullptr) return scored;
    if (option.lexical && bundle.head != graph_->goal) {
        scored.boundary = option.boundary;
    } else {
        scored.score += option.score - option.order_key;
        read_target(bundle, option, scored);
    }
    return scored;
}

void Search::read_target(const Bundle& bundle, const RuleOption& option, Scored& scored) const {
    const LmScorer& scorer = rules_.scorer();
    const bool goal = bundle.head == graph_->goal;
    PhraseReader reader = goal ? scorer.sentence_reader() : scorer.reader();
    for (const std::int32_t symbol : option.target) {
        if (symbol >= 0) {
            reader.word(rules_.lm_word(static_cast<TokenId>(symbol)));
        } else {
            const ItemId tail = tail_item(bundle, scored.corner, static_cast<std::size_t>(-1 - symbol));
            reader.phrase(graph_->items[tail].boundary);
        }
    }
    if (goal) {
        reader.word(scorer.model()->end_sentence());
    } else {
        scored.boundary = reader.boundary();
    }
    scored.score = comparable(scored.score + reader.log10() * rules_.features().weight(kLm));
}

void Search::make(const Scored& scored) {
    const Corner& corner = scored.corner;
    const Bundle& bundle = graph_->bundles[corner.bundle];
    ItemId& slot = place(bundle.head, scored.boundary);
    if (slot == kNone) {
        slot = static_cast<ItemId>(graph_->items.size());
        graph_->items.push_back({scored.boundary, bundle.head, kNone, kNone, scored.score});
        graph_->nodes[bundle.head].last_item = 1;  // until rank_items
        ++table_used_;
    }
    Item& item = graph_->items[slot];
    const auto number = static_cast<std::uint32_t>(graph_->edges.size());
    Edge edge{corner.bundle, corner.option, {kNone, kNone}, kNone, scored.score};
    for (std::size_t tail = 0; tail < 2 && bundle.tails[tail] != kNone; ++tail) {
        edge.tails[tail] = tail_item(bundle, corner, tail);
        edge.gain -= graph_->items[edge.tails[tail]].score;
    }
    graph_->edges.push_back(edge);
    if (item.first_edge == kNone) {
        item.first_edge = number;
    } else {
        graph_->edges[item.last_edge].next = number;
    }
    item.last_edge = number;
    item.score = std::max(item.score, scored.score);
}

// Where the item of a node with this state stands in the table, or shall stand.
ItemId& Search::place(NodeId node, const Boundary& boundary) {
    const auto find = [this](NodeId wanted, const Boundary& state) -> ItemId& {
        const std::uint64_t hash = (state.hash() ^ wanted) * 0x9E3779B97F4A7C15ULL;
        std::size_t at = (hash >> 20) & (table_.size() - 1);
        while (table_[at] != kNone) {
            const Item& item = graph_->items[table_[at]];
            if (item.node == wanted && item.boundary == state) break;
            at = (at + 1) & (table_.size() - 1);
        }
        return table_[at];
    };
    if (table_used_ * 2 >= table_.size()) {
        std::vector<ItemId> old(table_.size() * 2, kNone);
        old.swap(table_);
        for (const ItemId item : old) {
            if (item != kNone) find(graph_->items[item].node, graph_->items[item].boundary) = item;
        }
    }
    return find(node, boundary);
}

void Search::rank_items(std::size_t first) {
    order_.clear();
    for (std::size_t i = first; i < graph_->items.size(); ++i) order_.push_back(static_cast<ItemId>(i));
    std::sort(order_.begin(), order_.end(), [this](ItemId a, ItemId b) {
        const Item &x = graph_->items[a], &y = graph_->items[b];
        if (x.node != y.node) return x.node < y.node;
        return x.score != y.score ? x.score > y.score : a < b;
    });
    for (const ItemId item : order_) {
        Node& node = graph_->nodes[graph_->items[item].node];
        const auto at = static_cast<std::uint32_t>(graph_->ranking.size());
        if (at == 0 || graph_->items[graph_->ranking.back()].node != graph_->items[item].node) node.first_item = at;
        node.last_item = at + 1;
        graph_->ranking.push_back(item);
        graph_->ranking_scores.push_back(graph_->items[item].score);
    }
}

}  // namespace plainwright
