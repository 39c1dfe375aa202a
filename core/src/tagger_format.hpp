// The file of a tagger; its writer and its reader share this.
//
// Sections follow the header, each padded to 8 bytes, so their places follow from the counts:
//   names of tags, separated by spaces | dictionary: keys (u32), tags (u8) | features: keys (u32), how many weights
//   each has (u8) | weights: tags (u8), values (i8)
// Keys are sorted and differ. All numbers have the byte order of the machine, which the header names.
#pragma once

#include <array>
#include <cstdint>

#include "lm_format.hpp"

namespace plainwright::tagger_format {

inline constexpr std::array<char, 8> kMagic = {'P', 'W', '-', 'T', 'A', 'G', '\n', '\x1a'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kEndianMark = 0x01020304;

struct Header {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t endian_mark;
    std::uint64_t file_bytes;
    std::uint64_t checksum;  // of all bytes, with this field 0
    std::uint32_t name_bytes;
    std::uint32_t words;
    std::uint32_t features;
    std::uint32_t weights;
};
static_assert(sizeof(Header) == 48);

// `bytes` must hold at least a header.
inline std::uint64_t checksum_of(const char* bytes, std::size_t size) {
    Header header;
    std::memcpy(&header, bytes, sizeof header);
    header.checksum = 0;
    lm_format::Checksum sum;
    sum.add(reinterpret_cast<const char*>(&header), sizeof header);
    sum.add(bytes + sizeof header, size - sizeof header);
    return sum.value();
}

}  // namespace plainwright::tagger_format
