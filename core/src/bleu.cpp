#include "plainwright/bleu.hpp"

#include <algorithm>

namespace plainwright {

namespace {

// Ties between a shorter and a longer reference go to the shorter one.
std::size_t closest_length(const std::vector<std::uint32_t>& lengths, std::size_t candidate) {
    auto distance = [candidate](std::size_t length) {
        return length > candidate ? length - candidate : candidate - length;
    };
    std::size_t best = lengths.front();
    for (const std::size_t length : lengths) {
        if (distance(length) < distance(best) || (distance(length) == distance(best) && length < best)) {
            best = length;
        }
    }
    return best;
}

}  // namespace

void bleu_segment(const SegmentIndex& index, const CandidateCounts& counts, double* stats) {
    const std::size_t max_order = index.options().max_order;
    stats[0] = static_cast<double>(counts.length());
    stats[1] = static_cast<double>(closest_length(index.reference_lengths(), counts.length()));
    double* correct = stats + 2;
    double* total = correct + max_order;
    std::fill(correct, total, 0.0);
    for (std::size_t n = 0; n < max_order; ++n) total[n] = counts.order(n).total;
    std::size_t n = 0;
    for (const Id id : counts.touched()) {
        while (id >= index.order(n).last) ++n;
        correct[n] += std::min(counts[id], index.counts(id).reference_max);
    }
}

}  // namespace plainwright
