// Counts how often each 32-bit key occurs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plainwright {

class KeyCounts {
 public:
    void add(std::uint32_t key) {
        if (2 * used_ >= slots_.size()) grow();
        Entry& entry = find(key);
        if (entry.count++ == 0) {
            entry.key = key;
            ++used_;
        }
    }
    struct Entry {
        std::uint32_t key = 0;
        std::uint32_t count = 0;
    };

    // Those that occur at least so often, by key.
    std::vector<Entry> at_least(std::size_t count) const {
        std::vector<Entry> found;
        for (const Entry& entry : slots_) {
            if (entry.count >= count && entry.count > 0) found.push_back(entry);
        }
        std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
        return found;
    }

 private:
    Entry& find(std::uint32_t key) {
        std::size_t at = key & (slots_.size() - 1);
        while (slots_[at].count != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }
    void grow() {
        std::vector<Entry> old(std::max<std::size_t>(1024, 2 * slots_.size()));
        old.swap(slots_);
        for (const Entry& entry : old) {
            if (entry.count != 0) find(entry.key) = entry;
        }
    }

    std::vector<Entry> slots_;
    std::size_t used_ = 0;
};

}  // namespace plainwright
