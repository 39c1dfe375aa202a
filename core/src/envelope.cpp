#include "plainwright/envelope.hpp"

#include <algorithm>
#include <numeric>

namespace plainwright {

namespace {

// Adds the envelope of the lines `order`, sorted by slope and the highest first among parallel ones.
void add_envelope(std::span<const double> slopes, std::span<const double> heights, std::span<const std::int64_t> order,
                  Envelopes& result) {
    std::int64_t last = order.front();
    std::int64_t leftmost = last;
    const std::size_t start = result.corners.size();
    for (const std::int64_t line : order.subspan(1)) {
        if (slopes[line] == slopes[last]) continue;  // parallel and not higher
        double at = 0;
        for (;;) {
            at = (heights[last] - heights[line]) / (slopes[line] - slopes[last]);
            if (result.corners.size() == start || at > result.corners.back().at) break;
            last = result.corners.back().from;  // was never highest
            result.corners.pop_back();
        }
        result.corners.push_back({at, last, line});
        last = line;
    }
    result.leftmost.push_back(leftmost);
}

}  // namespace

Envelopes upper_envelopes(std::span<const double> slopes, std::span<const double> heights,
                          std::span<const std::int64_t> firsts) {
    Envelopes result;
    std::vector<std::int64_t> order;
    for (std::size_t group = 0; group + 1 < firsts.size(); ++group) {
        order.resize(static_cast<std::size_t>(firsts[group + 1] - firsts[group]));
        std::iota(order.begin(), order.end(), firsts[group]);
        std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
            if (slopes[a] != slopes[b]) return slopes[a] < slopes[b];
            return heights[a] != heights[b] ? heights[a] > heights[b] : a < b;
        });
        add_envelope(slopes, heights, order, result);
    }
    return result;
}

}  // namespace plainwright
