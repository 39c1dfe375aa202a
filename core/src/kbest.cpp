#include "plainwright/kbest.hpp"

#include <algorithm>

namespace plainwright {

namespace {

constexpr std::uint64_t kPrime = (1ULL << 61) - 1;
constexpr std::uint64_t kBase = 0x1b873593cc9e2d51ULL % kPrime;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    const std::uint64_t sum = static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
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

void KBest::start(const Hypergraph& graph) {
    graph_ = &graph;
    numbers_.assign(graph.items.size(), kNone);
    rankings_.clear();
}

KBest::Ranking& KBest::ranking(ItemId item) {
    if (numbers_[item] == kNone) {
        numbers_[item] = static_cast<std::uint32_t>(rankings_.size());
        rankings_.emplace_back();
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
    ranking(item).started = true;
    for (std::uint32_t edge = graph_->items[item].first_edge; edge != kNone; edge = graph_->edges[edge].next) {
        // The best derivation of a tail has the score of the item: no need to ask for it yet.
        const Edge& made = graph_->edges[edge];
        double score = made.gain;
        for (const ItemId tail : made.tails) {
            if (tail != kNone) score += graph_->items[tail].score;
        }
        ranking(item).heap.push_back({score, edge, {0, 0}});
    }
    Ranking& here = ranking(item);
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
    here.heap.push_back({score, number, {first, second}});
    std::push_heap(here.heap.begin(), here.heap.end(), worse);
}

bool KBest::accept(ItemId item, const Derivation& derivation) {
    if (!distinct_) return true;
    const Words words = words_of(derivation);
    Ranking& here = ranking(item);
    if (!here.seen.insert(words).second) return false;
    here.words.push_back(words);
    return true;
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
