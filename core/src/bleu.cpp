#include "plainwright/bleu.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

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

std::size_t reference_length(const std::vector<std::uint32_t>& lengths, std::size_t candidate, ReferenceLength method) {
    switch (method) {
        case ReferenceLength::shortest:
            return *std::min_element(lengths.begin(), lengths.end());
        case ReferenceLength::mean:
            return std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}) / lengths.size();
        case ReferenceLength::closest:
            break;
    }
    return closest_length(lengths, candidate);
}

}  // namespace

ReferenceLength reference_length_from_name(std::string_view name) {
    if (name == "closest") return ReferenceLength::closest;
    if (name == "shortest") return ReferenceLength::shortest;
    if (name == "mean") return ReferenceLength::mean;
    throw std::invalid_argument("unknown reference length '" + std::string(name) + "'");
}

void bleu_segment(const SegmentIndex& index, const CandidateCounts& counts, ReferenceLength method, double* stats) {
    const std::size_t max_order = index.options().max_order;
    stats[0] = static_cast<double>(counts.length());
    stats[1] = static_cast<double>(reference_length(index.reference_lengths(), counts.length(), method));
    double* correct = stats + 2;
    double* total = correct + max_order;
    std::fill(correct, total, 0.0);
    for (std::size_t n = 0; n < max_order; ++n) total[n] = counts.order(n).total;
    std::size_t n = 0;
    for (const Id id : counts.touched()) {
        while (id >= index.order(n).last) ++n;
        correct[n] += std::min(counts[id], index.counts(id).references);
    }
}

}  // namespace plainwright
