// Looks n-grams up in the tables of a packed language model.
#pragma once

#include <cstring>

#include "lm_format.hpp"
#include "plainwright/intrinsics.hpp"

namespace plainwright {

namespace lm_format {

inline constexpr std::uint64_t kNotFound = ~std::uint64_t{0};

template <typename Value>
Value load(const char* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

}  // namespace lm_format

inline LanguageModel::Place LanguageModel::seek(const Table& table, std::uint64_t key) {
    std::uint64_t at = lm_format::home_of(key, table.range);
    const auto key_at = [&table](std::uint64_t slot) {
        return lm_format::load<std::uint64_t>(table.data + slot * table.stride);
    };
    // How many steps it takes is chance, so the first two are made without a branch. The last slot has the largest key.
    at += key_at(at) < key ? 1 : 0;
    at += key_at(at) < key ? 1 : 0;
    std::uint64_t found = key_at(at);
    while (found < key) found = key_at(++at);
    return {at, found == key};
}

inline std::uint64_t LanguageModel::find(const Table& table, std::uint64_t key) {
    const Place place = seek(table, key);
    return place.found ? place.slot : lm_format::kNotFound;
}

inline void LanguageModel::prefetch(const Table& table, std::uint64_t key) {
    const char* home = table.data + lm_format::home_of(key, table.range) * table.stride;
    plainwright::prefetch(home);
    plainwright::prefetch(home + 3 * table.stride);  // a search often runs into the next line of the cache
}

inline LanguageModel::Weights LanguageModel::weights_at(std::size_t n, std::uint64_t slot) const {
    const char* at = tables_[n].data + slot * tables_[n].stride + 8;
    return {lm_format::load<float>(at), n == order_ ? -0.0F : lm_format::load<float>(at + 4)};
}

}  // namespace plainwright
