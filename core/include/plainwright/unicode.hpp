// UTF-8 and the facts about characters that the text layer needs, equal to Python's `str` and the `regex`
// module.
//
// Bytes that are not UTF-8 never crash: each such byte counts as one replacement character and is copied as
// it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plainwright {

enum Trait : std::uint8_t {
    kPunctuation = 1,     // \p{P}
    kSymbol = 2,          // \p{S}
    kNumber = 4,          // \p{N}
    kCased = 8,           // cased and not case-ignorable
    kCaseIgnorable = 16,  // looked through when a capital sigma looks for its neighbours
    kLetter = 32,         // str.isalpha
    kUpper = 64,          // upper or title case
};

// Bits of `Trait`.
std::uint8_t traits(char32_t character);

inline bool has_trait(char32_t character, unsigned wanted) { return (traits(character) & wanted) != 0; }

// What str.split() splits at: wider than ASCII, and it includes \x1c to \x1f.
inline bool is_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000;
}

struct Decoded {
    char32_t character;
    unsigned length;  // bytes, at least 1
};

// The character that starts at byte `position`, which must lie inside `text`.
inline Decoded decode(std::string_view text, std::size_t position) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
    const auto continues = [&](std::size_t i) { return position + i < text.size() && (byte(i) & 0xc0) == 0x80; };
    const char32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    if (lead >= 0xc2 && lead < 0xe0 && continues(1)) return {(lead & 0x1f) << 6 | (byte(1) & 0x3fu), 2};
    if (lead >= 0xe0 && lead < 0xf0 && continues(1) && continues(2)) {
        return {(lead & 0x0f) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu), 3};
    }
    if (lead >= 0xf0 && lead < 0xf5 && continues(1) && continues(2) && continues(3)) {
        return {(lead & 0x07) << 18 | (byte(1) & 0x3fu) << 12 | (byte(2) & 0x3fu) << 6 | (byte(3) & 0x3fu), 4};
    }
    return {0xfffd, 1};
}

// The character that ends just before byte `position`, which must not be 0.
Decoded decode_before(std::string_view text, std::size_t position);

void append_utf8(char32_t character, std::string& out);

bool is_ascii(std::string_view text);

// Length of the well-formed UTF-8 sequence at `at`, 0 if there is none. As Python: no surrogates, no long forms.
std::size_t sequence_length(std::string_view text, std::size_t at);

// Whether all of `text` is well-formed, so that Python can make a string of it.
bool is_utf8(std::string_view text);

// Number of code points.
std::size_t count_characters(std::string_view text);

// `text` without white space at its end, as str.rstrip() leaves it.
std::string_view strip_right(std::string_view text);

// One character's lower case where that is one character; U+0130 is returned unchanged.
char32_t lower_character(char32_t character);

// Appends str.lower() of `text`, with its final sigma and its dotted capital I.
void append_lower(std::string_view text, std::string& out);

}  // namespace plainwright
