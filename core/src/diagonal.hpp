// How far alignment points lie from the diagonal: weights exp(-tension |j/n - i/m|), their sums and means, all from
// tables of exp(tension k/length), so that no exponential is taken for a pair of words.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace plainwright {

class Diagonal {
 public:
    Diagonal() = default;
    Diagonal(double tension, std::size_t longest) : tension_(tension), longest_(longest) {
        starts_.resize(longest + 2, 0);
        for (std::size_t length = 0; length <= longest; ++length) starts_[length + 1] = starts_[length] + length + 1;
        for (auto* column : {&up_, &down_, &up_sum_, &down_sum_, &up_moment_, &down_moment_}) {
            column->assign(starts_[longest + 1], 0.0);
        }
        for (std::size_t length = 1; length <= longest; ++length) fill(length);
    }

    std::size_t longest() const { return longest_; }

    // The weights of one source position i of m (from 1) for all target positions of n.
    struct Slope {
        double up, down;            // exp(±tension i/m)
        const double *ups, *downs;  // exp(±tension j/n), by j

        double operator()(std::size_t j) const {
            const double before = ups[j] * down, after = downs[j] * up;
            return before < after ? before : after;
        }
    };

    Slope slope(std::size_t i, std::size_t m, std::size_t n) const {
        const std::size_t at = starts_[m] + i;
        return {up_[at], down_[at], up_.data() + starts_[n], down_.data() + starts_[n]};
    }

    // Sum of the weights of all source positions for target position j.
    double total(std::size_t j, std::size_t m, std::size_t n) const {
        const std::size_t split = starts_[m] + j * m / n, end = starts_[m] + m, at = starts_[n] + j;
        return down_[at] * up_sum_[split] + up_[at] * (down_sum_[end] - down_sum_[split]);
    }

    // Mean of |j/n - i/m| under those weights.
    double expected_distance(std::size_t j, std::size_t m, std::size_t n) const {
        const std::size_t split = starts_[m] + j * m / n, end = starts_[m] + m, at = starts_[n] + j;
        const double here = static_cast<double>(j) / static_cast<double>(n);
        const double before = down_[at] * (here * up_sum_[split] - up_moment_[split]);
        const double after =
            up_[at] * ((down_moment_[end] - down_moment_[split]) - here * (down_sum_[end] - down_sum_[split]));
        return (before + after) / total(j, m, n);
    }

 private:
    void fill(std::size_t length) {
        const std::size_t first = starts_[length];
        for (std::size_t k = 0; k <= length; ++k) {
            const double share = static_cast<double>(k) / static_cast<double>(length);
            const std::size_t at = first + k;
            up_[at] = std::exp(tension_ * share);
            down_[at] = 1 / up_[at];
            if (k == 0) continue;
            up_sum_[at] = up_sum_[at - 1] + up_[at];
            down_sum_[at] = down_sum_[at - 1] + down_[at];
            up_moment_[at] = up_moment_[at - 1] + share * up_[at];
            down_moment_[at] = down_moment_[at - 1] + share * down_[at];
        }
    }

    double tension_ = 0;
    std::size_t longest_ = 0;
    std::vector<std::size_t> starts_;  // by length
    std::vector<double> up_, down_, up_sum_, down_sum_, up_moment_, down_moment_;
};

}  // namespace plainwright
