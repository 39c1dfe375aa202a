// The bytes of a packed grammar, shared by its writer and its reader. Little endian.
//
// A header, then sections, each at a multiple of eight bytes:
//   words, labels, alignments, entailments, feature names: sorted texts (names in order), as offsets and bytes;
//   the trie: nodes in breadth-first order, so the children of a node are neighbours, sorted by symbol;
//   targets: different target sides, sorted; columns and tables: how features are stored;
//   records: for each rule, in the order of nodes, a string of bits: label, target, alignment, entailment, features.
// A field that can have n values takes ceil(log2 n) bits, so a feature that never varies takes none.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace plainwright::grammar_format {

inline constexpr char kMagic[8] = {'P', 'W', 'G', 'R', 'A', 'M', '\r', '\n'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint32_t kNoCode = 0xffffffffU;
inline constexpr std::uint32_t kMostFeatures = 1000;
inline constexpr std::size_t kRecordPadding = 8;  // a field is read with one load of eight bytes

enum SectionName : std::size_t {
    kWordOffsets,
    kWordBytes,
    kLabelOffsets,
    kLabelBytes,
    kAlignmentOffsets,
    kAlignmentBytes,
    kEntailmentOffsets,
    kEntailmentBytes,
    kNameOffsets,
    kNameBytes,
    kSymbols,     // on the edge into each node
    kFirstChild,  // and one more at the end
    kFirstRule,   // and one more at the end
    kTargetOffsets,
    kTargetSymbols,
    kColumns,
    kTables,
    kRecords,
    kSections
};

struct Section {
    std::uint64_t offset;
    std::uint64_t size;
};

struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t byte_order;
    std::uint64_t file_size;
    std::uint64_t checksum;  // of all bytes after the header
    std::uint32_t nodes, rules, words, labels, targets, alignments, entailments, features;
    std::uint32_t record_bytes;
    std::uint32_t reserved;
    Section sections[kSections];
    std::uint64_t header_checksum;  // of all bytes before it
};
static_assert(sizeof(Header) % 8 == 0);

// Codes of one feature: perhaps one for "not named", perhaps one for "NA", then the values, rising.
struct Column {
    std::uint32_t exact;  // 1: values are tables[first + k]; 0: low + step * k
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t absent_code;  // kNoCode if no rule needs it
    std::uint32_t na_code;
    float low;
    double step;

    std::uint32_t specials() const { return (absent_code != kNoCode) + (na_code != kNoCode); }
};
static_assert(sizeof(Column) == 32);

// Bits for a field with `values` different values.
inline unsigned width(std::uint64_t values) {
    return values < 2 ? 0 : static_cast<unsigned>(std::bit_width(values - 1));
}

// A 64-bit checksum in eight lanes, which a processor works on at once; one changed word always changes it. `size` is
// a multiple of eight.
inline std::uint64_t checksum(const void* data, std::size_t size) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
    constexpr std::size_t kLanes = 8;
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::uint64_t lanes[kLanes] = {1, 2, 3, 4, 5, 6, 7, 8};
    const auto mix = [&](std::size_t lane, std::size_t at) {
        std::uint64_t word;
        std::memcpy(&word, bytes + at, sizeof word);
        lanes[lane] = std::rotl(lanes[lane] ^ word, 29) * kOdd;
    };
    std::size_t at = 0;
    for (; at + 8 * kLanes <= size; at += 8 * kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) mix(lane, at + 8 * lane);
    }
    for (; at < size; at += 8) mix(0, at);
    std::uint64_t sum = size;
    for (const std::uint64_t lane : lanes) sum = (std::rotl(sum, 17) ^ lane) * kOdd;
    return sum ^ (sum >> 29);
}

}  // namespace plainwright::grammar_format
