#include "plainwright/unicode.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace plainwright {
namespace {

#include "unicode_tables.inc"

constexpr char32_t kCapitalSigma = 0x3a3;
constexpr char32_t kCapitalDottedI = 0x130;

bool followed_by_cased(std::string_view text, std::size_t position) {
    while (position < text.size()) {
        const auto [character, length] = decode(text, position);
        const auto found = traits(character);
        if (!(found & kCaseIgnorable)) return (found & kCased) != 0;
        position += length;
    }
    return false;
}

}  // namespace

std::uint8_t traits(char32_t character) {
    if (character >= 0x110000) return 0;
    return kTraits[kBlockIndex[character / kBlock] * kBlock + character % kBlock];
}

Decoded decode_before(std::string_view text, std::size_t position) {
    for (unsigned length = 2; length <= 4 && length <= position; ++length) {
        const auto lead = static_cast<unsigned char>(text[position - length]);
        if ((lead & 0xc0) == 0x80) continue;
        const auto found = decode(text, position - length);
        if (found.length == length) return found;
        break;
    }
    const auto last = static_cast<unsigned char>(text[position - 1]);
    return {last < 0x80 ? char32_t{last} : char32_t{0xfffd}, 1};
}

void append_utf8(char32_t c, std::string& out) {
    const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += {static_cast<char>(0xc0 | (c >> 6)), tail(0)};
    } else if (c < 0x10000) {
        out += {static_cast<char>(0xe0 | (c >> 12)), tail(6), tail(0)};
    } else {
        out += {static_cast<char>(0xf0 | (c >> 18)), tail(12), tail(6), tail(0)};
    }
}

std::size_t sequence_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned char {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
    };
    const auto continues = [](unsigned char byte) { return (byte & 0xc0) == 0x80; };
    const unsigned char lead = byte(0), second = byte(1);
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4 || !continues(second)) return 0;
    if (lead < 0xe0) return 2;
    if (!continues(byte(2))) return 0;
    if (lead < 0xf0) {
        const bool wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f);
        return wrong ? 0 : 3;
    }
    const bool wrong = (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
    return wrong || !continues(byte(3)) ? 0 : 4;
}

bool is_utf8(std::string_view text) {
    if (is_ascii(text)) return true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequence_length(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

bool is_ascii(std::string_view text) {
    std::uint64_t seen = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (; end - at >= 8; at += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, at, 8);
        seen |= eight;
    }
    for (; at != end; ++at) seen |= static_cast<unsigned char>(*at);
    return (seen & 0x8080808080808080u) == 0;
}

std::size_t count_characters(std::string_view text) {
    if (is_ascii(text)) return text.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); i += decode(text, i).length) ++count;
    return count;
}

std::string_view strip_right(std::string_view text) {
    while (!text.empty()) {
        const auto [character, length] = decode_before(text, text.size());
        if (!is_space(character)) break;
        text.remove_suffix(length);
    }
    return text;
}

char32_t lower_character(char32_t c) {
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    const auto* found = std::partition_point(std::begin(kLowerRanges), std::end(kLowerRanges),
                                             [&](const LowerRange& range) { return range.last < c; });
    if (found == std::end(kLowerRanges) || c < found->first || (c - found->first) % found->step != 0) return c;
    return static_cast<char32_t>(static_cast<std::int64_t>(c) + found->delta);
}

void append_lower(std::string_view text, std::string& out) {
    out.reserve(out.size() + text.size());
    bool after_cased = false;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto [character, length] = decode(text, i);
        if (byte < 0x80) {
            out += static_cast<char>(lower_character(character));
        } else if (character == kCapitalSigma) {
            const bool is_final = after_cased && !followed_by_cased(text, i + length);
            append_utf8(is_final ? 0x3c2 : 0x3c3, out);
        } else if (character == kCapitalDottedI) {
            out += "i\xcc\x87";  // i and a combining dot above
        } else if (const char32_t lower = lower_character(character); lower != character) {
            append_utf8(lower, out);
        } else {
            out.append(text, i, length);
        }
        const auto found = traits(character);
        if (!(found & kCaseIgnorable)) after_cased = (found & kCased) != 0;
        i += length;
    }
}

}  // namespace plainwright
