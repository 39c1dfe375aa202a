// Hash tables that number keys and strings in order of arrival while a grammar is packed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace plainwright::grammar_format {

using Number = std::uint32_t;

inline std::vector<Number> identity_order(std::size_t size) {
    std::vector<Number> order(size);
    std::iota(order.begin(), order.end(), Number{0});
    return order;
}

inline std::vector<Number> ranks_of(const std::vector<Number>& order) {
    std::vector<Number> ranks(order.size());
    for (Number rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
    return ranks;
}

inline std::uint64_t scramble(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15ULL;
    return key ^ (key >> 32);
}

// Open addressing from a 64-bit key to a number; `kEmpty` cannot be a key.
class NumberTable {
 public:
    NumberTable() { slots_.resize(1024); }

    // The number of the key, or `fresh` after giving it that number.
    Number find_or_insert(std::uint64_t key, Number fresh) {
        if (size_ * 2 > slots_.size()) grow();
        Slot& slot = slot_of(key);
        if (slot.key == kEmpty) {
            slot = {key, fresh};
            ++size_;
        }
        return slot.number;
    }
    Number& at(std::uint64_t key) { return slot_of(key).number; }

 private:
    static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = kEmpty;
        Number number = 0;
    };

    Slot& slot_of(std::uint64_t key) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = scramble(key) & mask;
        while (slots_[at].key != kEmpty && slots_[at].key != key) at = (at + 1) & mask;
        return slots_[at];
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.key != kEmpty) slot_of(slot.key) = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

// Different texts, numbered as they come.
class StringTable {
 public:
    static constexpr Number kFree = 0xffffffffU;

    StringTable() { slots_.assign(1024, kFree); }

    Number add(std::string_view text) {
        if (size() * 2 > slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash(text) & mask;
        for (; slots_[at] != kFree; at = (at + 1) & mask) {
            if ((*this)[slots_[at]] == text) return slots_[at];
        }
        slots_[at] = static_cast<Number>(size());
        bytes_.append(text);
        ends_.push_back(bytes_.size());
        return slots_[at];
    }
    // kFree if the text is not there.
    Number find(std::string_view text) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash(text) & mask;
        while (slots_[at] != kFree && (*this)[slots_[at]] != text) at = (at + 1) & mask;
        return slots_[at];
    }
    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](Number number) const {
        const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
        return {bytes_.data() + begin, ends_[number] - begin};
    }
    // Numbers in the order of their texts.
    std::vector<Number> sorted() const {
        std::vector<Number> order = identity_order(size());
        std::sort(order.begin(), order.end(), [&](Number a, Number b) { return (*this)[a] < (*this)[b]; });
        return order;
    }

 private:
    static std::size_t hash(std::string_view text) { return scramble(std::hash<std::string_view>{}(text)); }
    void grow() {
        slots_.assign(slots_.size() * 2, kFree);
        const std::size_t mask = slots_.size() - 1;
        for (Number number = 0; number < size(); ++number) {
            std::size_t at = hash((*this)[number]) & mask;
            while (slots_[at] != kFree) at = (at + 1) & mask;
            slots_[at] = number;
        }
    }

    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<Number> slots_;
};

}  // namespace plainwright::grammar_format
