#include "plainwright/kbest.hpp"

#include <algorithm>
#include <bit>

#include "plainwright/intrinsics.hpp"

namespace plainwright {

namespace {

constexpr std::uint64_t kPrime = (1ULL << 61) - 1;
constexpr std::uint64_t kBase = 0x1b873593cc9e2d51ULL % kPrime;
constexpr std::size_t kFewWords = 8;       // are compared one by one
constexpr std::size_t kKeptCapacity = 16;  // of a ranking, from sentence to sentence: most are no longer

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t lower = a * b;
    const std::uint64_t sum = (lower & kPrime) + (upper_product(a, b) << 3 | lower >> 61);
    return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a + b >= kPrime ? a + b - kPrime : a + b; }

bool worse(const Derivation& a, const Derivation& b) {
    if (a.score != b.score) return a.score < b.score;
    return a.edge != b.edge ? a.edge > b.edge : a.ranks > b.ranks;
}

}  // namespace

void KBest::Words::append(const Words& words) {
    hash = plus(times(hash, words.power), words.hash);
    power = times(power, words.power);
}

void KBest::Ranking::reset() {
    if (found.capacity() > kKeptCapacity || heap.capacity() > 2 * kKeptCapacity) {
        *this = Ranking();
        return;
    }
    found.clear();
    words.clear();
    heap.clear();
    table.clear();
    started = false;
    expanded = true;
}

bool KBest::Ranking::add(const Words& added) {
    if (table.empty()) {
        if (std::find(words.begin(), words.end(), added) != words.end()) return false;
        words.push_back(added);
        if (words.size() > kFewWords) fill_table(4 * words.size());
        return true;
    }
    const std::size_t slot = slot_of(added);
    if (table[slot] != 0) return false;
    words.push_back(added);
    table[slot] = static_cast<std::uint32_t>(words.size());
    if (words.size() * 2 > table.size()) fill_table(4 * words.size());
    return true;
}

void KBest::Ranking::fill_table(std::size_t slots) {
    table.assign(std::bit_ceil(slots), 0);
    for (std::size_t i = 0; i < words.size(); ++i) table[slot_of(words[i])] = static_cast<std::uint32_t>(i + 1);
}

std::size_t KBest::Ranking::slot_of(const Words& wanted) const {
    std::size_t slot = (wanted.hash ^ wanted.power) & (table.size() - 1);
    while (table[slot] != 0 && words[table[slot] - 1] != wanted) slot = (slot + 1) & (table.size() - 1);
    return slot;
}

void KBest::start(const Hypergraph& graph) {
    graph_ = &graph;
    numbers_.assign(graph.items.size(), kNone);
    for (std::size_t i = 0; i < rankings_used_; ++i) rankings_[i].reset();
    rankings_used_ = 0;
}

KBest::Ranking& KBest::ranking(ItemId item) {
    if (numbers_[item] == kNone) {
        numbers_[item] = static_cast<std::uint32_t>(rankings_used_++);
        if (rankings_used_ > rankings_.size()) rankings_.emplace_back();
    }
    return rankings_[numbers_[item]];
}

const Derivation* KBest::get(ItemId item, std::uint32_t rank) {
    if (!ranking(item).started) add_edges(item);
    // Asking for tails may move the rankings, so this one is looked up again each time.
    while (ranking(item).found.size() <= rank) {
        if (!ranking(item).expanded) {
            ranking(item).expanded = true;
            add_successors(item, Derivation(ranking(item).last));
        }
        Ranking& here = ranking(item);
        if (here.heap.empty()) return nullptr;
        std::pop_heap(here.heap.begin(), here.heap.end(), worse);
        const Derivation best = here.heap.back();
        here.heap.pop_back();
        here.last = best;
        here.expanded = false;
        if (accept(item, best)) ranking(item).found.push_back(best);
    }
    return &ranking(item).found[rank];
}

void KBest::add_edges(ItemId item) {
    Ranking& here = ranking(item);
    here.started = true;
    for (std::uint32_t edge = graph_->items[item].first_edge; edge != kNone; edge = graph_->edges[edge].next) {
        // The best derivation of a tail has the score of the item: no need to ask for it yet.
        const Edge& made = graph_->edges[edge];
        double score = made.gain;
        for (const ItemId tail : made.tails) {
            if (tail != kNone) score += graph_->items[tail].score;
        }
        here.heap.push_back({comparable(score), edge, {0, 0}});
    }
    std::make_heap(here.heap.begin(), here.heap.end(), worse);
}

void KBest::add_successors(ItemId item, const Derivation& derivation) {
    const auto [first, second] = derivation.ranks;
    const Edge& edge = graph_->edges[derivation.edge];
    if (edge.tails[1] != kNone) add(item, derivation.edge, first, second + 1);
    if (edge.tails[0] != kNone && second == 0) add(item, derivation.edge, first + 1, 0);
}

void KBest::add(ItemId item, std::uint32_t number, std::uint32_t first, std::uint32_t second) {
    const Edge& edge = graph_->edges[number];
    double score = edge.gain;
    for (std::size_t tail = 0; tail < 2 && edge.tails[tail] != kNone; ++tail) {
        const Derivation* below = get(edge.tails[tail], tail == 0 ? first : second);
        if (below == nullptr) return;
        score += below->score;
    }
    Ranking& here = ranking(item);
    here.heap.push_back({comparable(score), number, {first, second}});
    std::push_heap(here.heap.begin(), here.heap.end(), worse);
}

bool KBest::accept(ItemId item, const Derivation& derivation) {
    if (!distinct_) return true;
    const Words words = words_of(derivation);
    return ranking(item).add(words);
}

KBest::Words KBest::words_of(const Derivation& derivation) {
    const Edge& edge = graph_->edges[derivation.edge];
    const RuleOption& option = graph_->bundles[edge.bundle].rules->options[edge.option];
    Words words;
    for (const std::int32_t symbol : option.target) {
        if (symbol >= 0) {
            words.append({rules_.token_hash(static_cast<TokenId>(symbol)) % kPrime, kBase});
        } else {
            const auto tail = static_cast<std::size_t>(-1 - symbol);
            get(edge.tails[tail], derivation.ranks[tail]);
            words.append(ranking(edge.tails[tail]).words[derivation.ranks[tail]]);
        }
    }
    return words;
}

}  // namespace plainwright
