// Upper envelopes of straight lines: the line search of minimum error rate training (Och, 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plainwright {

// Where one line hands over to the next, going right.
struct Corner {
    double at;
    std::int64_t from, to;  // numbers of lines
};

// Lines are `heights[i] + slopes[i] x`; those from `firsts[g]` up to `firsts[g + 1]` form a group.
struct Envelopes {
    std::vector<std::int64_t> leftmost;  // of each group, the line that is highest far to the left
    std::vector<Corner> corners;         // group by group, left to right
};

// Of equal lines the first one counts. Groups must not be empty.
Envelopes upper_envelopes(std::span<const double> slopes, std::span<const double> heights,
                          std::span<const std::int64_t> firsts);

}  // namespace plainwright
