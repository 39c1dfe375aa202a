#include <algorithm>
#include <array>
#include <stdexcept>

#include "likeness.hpp"
#include "plainwright/aligner.hpp"

namespace plainwright {

namespace {

constexpr std::array<std::array<int, 2>, 8> kNeighbours = {
    {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

// A matrix of points: bit 1 for the forward direction, bit 2 for the backward one, bit 4 for the result.
class Grid {
 public:
    Grid(std::size_t source_length, std::size_t target_length, std::span<const Point> forward,
         std::span<const Point> backward)
        : m_(source_length),
          n_(target_length),
          cells_(m_ * n_, 0),
          source_aligned_(m_, false),
          target_aligned_(n_, false) {
        for (const auto& [i, j] : forward) mark(i, j, 1);
        for (const auto& [i, j] : backward) mark(i, j, 2);
    }

    // Adds all points that have every one of `bits`, or any of them.
    void take_all(unsigned bits) {
        for_each([&](std::size_t i, std::size_t j) {
            if ((cell(i, j) & bits) == bits) take(i, j);
        });
    }
    void take_any(unsigned bits) {
        for_each([&](std::size_t i, std::size_t j) {
            if ((cell(i, j) & bits) != 0) take(i, j);
        });
    }

    // Adds points of the union beside points of the result, while one of their words has none.
    void grow() {
        for (bool added = true; added;) {
            added = false;
            for_each([&](std::size_t i, std::size_t j) {
                if (!(cell(i, j) & 4U)) return;
                for (const auto& [di, dj] : kNeighbours) added |= grow_to(i, j, di, dj);
            });
        }
    }

    // Adds points of one direction whose words have none: one of the two, or both.
    void finish(unsigned direction, bool both) {
        for_each([&](std::size_t i, std::size_t j) {
            if (!(cell(i, j) & direction)) return;
            if (both ? !source_aligned_[i] && !target_aligned_[j] : !source_aligned_[i] || !target_aligned_[j]) {
                take(i, j);
            }
        });
    }

    std::vector<Point> points() const {
        std::vector<Point> points;
        for (std::size_t i = 0; i < m_; ++i) {
            for (std::size_t j = 0; j < n_; ++j) {
                if (cells_[i * n_ + j] & 4U) points.emplace_back(i, j);
            }
        }
        return points;
    }

 private:
    template <typename Take>
    void for_each(Take&& take) {
        for (std::size_t j = 0; j < n_; ++j) {
            for (std::size_t i = 0; i < m_; ++i) take(i, j);
        }
    }

    unsigned char& cell(std::size_t i, std::size_t j) { return cells_[i * n_ + j]; }

    void mark(std::size_t i, std::size_t j, unsigned char bit) {
        if (i >= m_ || j >= n_) throw std::invalid_argument("alignment point outside the sentence");
        cell(i, j) |= bit;
    }

    void take(std::size_t i, std::size_t j) {
        cell(i, j) |= 4U;
        source_aligned_[i] = target_aligned_[j] = true;
    }

    bool grow_to(std::size_t i, std::size_t j, int di, int dj) {
        if ((di < 0 && i == 0) || (dj < 0 && j == 0)) return false;
        const std::size_t to_i = i + static_cast<std::size_t>(di), to_j = j + static_cast<std::size_t>(dj);
        if (to_i >= m_ || to_j >= n_ || (cell(to_i, to_j) & 4U) || !(cell(to_i, to_j) & 3U)) return false;
        if (source_aligned_[to_i] && target_aligned_[to_j]) return false;
        take(to_i, to_j);
        return true;
    }

    std::size_t m_, n_;
    std::vector<unsigned char> cells_;
    std::vector<bool> source_aligned_, target_aligned_;
};

}  // namespace

std::vector<Point> symmetrise(std::size_t source_length, std::size_t target_length, std::span<const Point> forward,
                              std::span<const Point> backward, Heuristic heuristic) {
    Grid grid(source_length, target_length, forward, backward);
    switch (heuristic) {
        case Heuristic::forward:
            grid.take_all(1);
            break;
        case Heuristic::backward:
            grid.take_all(2);
            break;
        case Heuristic::intersection:
            grid.take_all(3);
            break;
        case Heuristic::union_:
            grid.take_any(3);
            break;
        case Heuristic::grow_diag:
        case Heuristic::grow_diag_final:
        case Heuristic::grow_diag_final_and:
            grid.take_all(3);
            grid.grow();
            if (heuristic != Heuristic::grow_diag) {
                const bool both = heuristic == Heuristic::grow_diag_final_and;
                grid.finish(1, both);
                grid.finish(2, both);
            }
    }
    return grid.points();
}

double spelling_likeness(std::string_view a, std::string_view b) {
    return Likeness::spelling(Likeness::lowered(a), Likeness::lowered(b));
}

}  // namespace plainwright
