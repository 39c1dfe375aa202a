// Lexical probabilities: how often a word is aligned to another, over how often it is aligned to anything (Koehn, Och
// and Marcu 2003). A word without a point counts as aligned to nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plainwright {

class Lexicon {
 public:
    // Words are numbers up to `words`; 0 is nothing.
    explicit Lexicon(std::size_t words) : source_totals_(words + 1, 0), target_totals_(words + 1, 0) {}

    void add(std::uint32_t source, std::uint32_t target) { keys_.push_back(std::uint64_t{source} << 32 | target); }

    void finish() {
        std::sort(keys_.begin(), keys_.end());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < keys_.size();) {
            const std::uint64_t key = keys_[i];
            std::size_t end = i;
            while (end < keys_.size() && keys_[end] == key) ++end;
            const auto count = static_cast<std::uint32_t>(end - i);
            counts_.push_back(count);
            source_totals_[key >> 32] += count;
            target_totals_[key & 0xffffffffU] += count;
            keys_[kept++] = key;
            i = end;
        }
        keys_.resize(kept);
        keys_.shrink_to_fit();
    }

    double target_given_source(std::uint32_t source, std::uint32_t target) const {
        return count(source, target) / static_cast<double>(source_totals_[source]);
    }
    double source_given_target(std::uint32_t source, std::uint32_t target) const {
        return count(source, target) / static_cast<double>(target_totals_[target]);
    }

 private:
    double count(std::uint32_t source, std::uint32_t target) const {
        const std::uint64_t key = std::uint64_t{source} << 32 | target;
        const auto found = std::lower_bound(keys_.begin(), keys_.end(), key);
        return counts_[static_cast<std::size_t>(found - keys_.begin())];
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint64_t> source_totals_, target_totals_;
};

}  // namespace plainwright
