// The packed language model on disk; its writer and its reader share this.
//
// Sections follow the header without gaps other than padding to 8 bytes, so their places follow from the counts:
//   ends of the words' texts (u32) | texts | word table | unigrams | table of order 2 | … | blanks of orders 2, 3, …
//
// A table holds n-grams from the newest word to the oldest: the key of "a b c" is (slot of "b c", a), mixed by a
// one-to-one function, so nothing can collide. Slots are sorted by key, with gaps: a search starts where the key's
// size lets it expect the key and stops at the first larger one. An empty slot has the largest key of all, and the
// last slot is always empty, so a search ends even in a damaged file.
//
// Signs carry two flags, as in KenLM. A probability is stored positive if no longer n-gram ends in this one. A back-off
// of -0.0 means that the n-gram says nothing about what follows: the state can forget it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "plainwright/intrinsics.hpp"
#include "plainwright/language_model.hpp"

namespace plainwright::lm_format {

inline constexpr std::array<char, 8> kMagic = {'P', 'W', '-', 'L', 'M', '\r', '\n', '\x1a'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kEndianMark = 0x01020304;
inline constexpr std::uint64_t kEmptyKey = ~std::uint64_t{0};
inline constexpr std::uint64_t kMaxWords = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << 31;
inline constexpr std::uint64_t kMaxTextBytes = (std::uint64_t{1} << 32) - 1;

struct Header {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t endian_mark;
    std::uint64_t file_bytes;
    std::uint64_t header_checksum;  // of the header with this field 0
    std::uint64_t body_checksum;    // of everything after the header
    std::uint32_t order;
    std::uint32_t words;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t has_unknown;
    std::uint32_t padding;
    std::uint64_t text_bytes;
    std::uint64_t word_slots;
    std::array<std::uint64_t, kMaxLmOrder> entries;  // by order from 1, blanks included
    std::array<std::uint64_t, kMaxLmOrder> slots;    // [0] is 0: unigrams are a plain array
    std::array<std::uint64_t, kMaxLmOrder> blanks;   // n-grams that the ARPA file did not list
};
static_assert(sizeof(Header) == 200);

inline constexpr std::size_t kWordStride = 16;   // key, word, padding
inline constexpr std::size_t kInnerStride = 16;  // key, log10, back-off
inline constexpr std::size_t kLastStride = 12;   // key, log10

inline std::size_t stride_of(std::size_t n, std::size_t order) { return n == order ? kLastStride : kInnerStride; }

// The first slot that a search looks at is below this; the rest of a table is overflow.
inline std::uint64_t range_of(std::uint64_t entries) { return entries + entries / 2 + 1; }

inline std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

constexpr std::uint64_t kMixA = 0x9E3779B97F4A7C15ULL;  // 2^64 divided by the golden ratio
constexpr std::uint64_t kMixB = 0xD6E8FEB86659FD93ULL;  // a large odd number

constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t x = odd;  // right in the lowest 3 bits; each step doubles them
    for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
    return x;
}

constexpr std::uint64_t mix(std::uint64_t value) {
    value *= kMixA;
    value ^= value >> 32;
    return value * kMixB;
}

constexpr std::uint64_t unmix(std::uint64_t value) {
    value *= inverse_of(kMixB);
    value ^= value >> 32;
    return value * inverse_of(kMixA);
}

constexpr std::uint64_t make_key(std::uint64_t parent, WordId word) { return mix(parent << 32 | word); }

static_assert(unmix(mix(0x0123456789abcdefULL)) == 0x0123456789abcdefULL);
// No n-gram has the key that marks an empty slot: its word, or its parent, is out of range.
static_assert((unmix(kEmptyKey) & 0xffffffffU) >= kMaxWords || (unmix(kEmptyKey) >> 32) >= kMaxSlots);

inline std::uint64_t home_of(std::uint64_t key, std::uint64_t range) { return upper_product(key, range); }

// Any single changed word of 8 bytes changes the result, because every step is one-to-one.
class Checksum {
 public:
    // All pieces but the last must be a multiple of 8 bytes.
    void add(const char* data, std::size_t bytes) {
        for (; bytes >= 8; bytes -= 8, data += 8) {
            std::uint64_t word;
            std::memcpy(&word, data, 8);
            step(word);
        }
        if (bytes > 0) step(last_bytes(data, bytes) ^ (std::uint64_t{bytes} << 56));
    }
    // The same for fewer than 8 bytes, of which there is at least one, with 8 that can be read.
    void add_short(const char* data, std::size_t bytes) {
        if constexpr (std::endian::native == std::endian::little) {
            std::uint64_t word;
            std::memcpy(&word, data, 8);
            word &= (std::uint64_t{1} << (8 * bytes)) - 1;
            step(word ^ (std::uint64_t{bytes} << 56));
        } else {
            add(data, bytes);
        }
    }
    std::uint64_t value() const { return value_; }

 private:
    // 1 to 7 bytes as a number, without a call to memcpy.
    static std::uint64_t last_bytes(const char* data, std::size_t bytes) {
        if (bytes >= 4) {
            std::uint32_t low, high;
            std::memcpy(&low, data, 4);
            std::memcpy(&high, data + bytes - 4, 4);
            return low | std::uint64_t{high} << (8 * (bytes - 4));
        }
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < bytes; ++i) word |= std::uint64_t{static_cast<unsigned char>(data[i])} << (8 * i);
        return word;
    }
    void step(std::uint64_t word) { value_ = mix(value_ ^ word) + 1; }
    std::uint64_t value_ = kMixB;
};

inline std::uint64_t checksum_of(const char* data, std::size_t bytes) {
    Checksum sum;
    sum.add(data, bytes);
    return sum.value();
}

inline std::uint64_t header_checksum(Header header) {
    header.header_checksum = 0;
    return checksum_of(reinterpret_cast<const char*>(&header), sizeof header);
}

// The word table's key. The writer refuses two words with one key; that a word outside the vocabulary has the key of
// one inside has a chance of one in 10^13 for a million words.
inline std::uint64_t key_of(const Checksum& word, std::size_t size) {
    const std::uint64_t key = mix(word.value() ^ size);
    return key == kEmptyKey ? 0 : key;
}

inline std::uint64_t key_of(std::string_view word) {
    Checksum sum;
    sum.add(word.data(), word.size());
    return key_of(sum, word.size());
}

// The same, faster for most words if what follows them can be read too.
inline std::uint64_t key_of(std::string_view word, const char* readable_end) {
    if (word.empty() || word.size() >= 8 || readable_end - word.data() < 8) return key_of(word);
    Checksum sum;
    sum.add_short(word.data(), word.size());
    return key_of(sum, word.size());
}

}  // namespace plainwright::lm_format
