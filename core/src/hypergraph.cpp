#include "plainwright/hypergraph.hpp"

#include <algorithm>

namespace plainwright {

bool Boundary::operator==(const Boundary& other) const {
    return left_length == other.left_length &&
           std::equal(left.begin(), left.begin() + left_length, other.left.begin()) && right == other.right;
}

std::uint64_t Boundary::hash() const {
    std::uint64_t value = left_length * 8U + right.length;
    const auto mix = [&value](WordId word) { value = (value ^ word) * 0x9E3779B97F4A7C15ULL, value ^= value >> 29; };
    for (std::size_t i = 0; i < left_length; ++i) mix(left[i]);
    for (std::size_t i = 0; i < right.length; ++i) mix(right.words[i]);
    return value;
}

void Hypergraph::clear() {
    nodes.clear();
    bundles.clear();
    groups.clear();
    items.clear();
    edges.clear();
    ranking.clear();
    ranking_scores.clear();
    goal = kNone;
}

}  // namespace plainwright
