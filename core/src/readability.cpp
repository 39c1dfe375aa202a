#include "plainwright/readability.hpp"

#include <stdexcept>
#include <string>

#include "plainwright/sentences.hpp"
#include "plainwright/syllables.hpp"
#include "plainwright/unicode.hpp"

namespace plainwright {
namespace {

enum Column { kSentences, kWords, kSyllables, kCharacters, kLetters, kPolysyllables };

constexpr int kPolysyllable = 3;

void add_word(int syllables, ReadabilityCounts& counts) {
    counts[kWords] += 1;
    counts[kSyllables] += syllables;
    counts[kPolysyllables] += syllables >= kPolysyllable;
}

bool is_word(std::string_view token) {
    for (std::size_t i = 0; i < token.size();) {
        const auto [character, length] = decode(token, i);
        if (has_trait(character, kLetter | kNumber)) return true;
        i += length;
    }
    return false;
}

// Calls `body` for the runs between white space and, with `at_dashes`, between dashes that join two words.
template <typename Body>
void for_each_token(std::string_view text, bool at_dashes, Body&& body) {
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size();) {
        std::size_t gap = 0;
        if (i == text.size()) {
            gap = 1;
        } else {
            const auto [character, length] = decode(text, i);
            if (is_space(character) || (at_dashes && (character == 0x2014 || character == 0x2026))) gap = length;
            if (at_dashes && text.substr(i, 2) == "--") gap = 2;
            if (gap == 0) {
                i += length;
                continue;
            }
        }
        if (i > start) body(text.substr(start, i - start));
        i += gap;
        start = i;
    }
}

void count_characters(std::string_view text, ReadabilityCounts& counts) {
    for (std::size_t i = 0; i < text.size();) {
        const auto [character, length] = decode(text, i);
        counts[kCharacters] += !is_space(character);
        counts[kLetters] += has_trait(character, kLetter);
        i += length;
    }
}

}  // namespace

ReadabilityMode readability_mode_from_name(std::string_view name) {
    if (name == "tokenised") return ReadabilityMode::tokenized;
    if (name == "plain") return ReadabilityMode::plain;
    throw std::invalid_argument("mode must be tokenised or plain; got '" + std::string(name) + "'");
}

ReadabilityCounts readability_counts(std::string_view text, ReadabilityMode mode) {
    ReadabilityCounts counts{};
    count_characters(text, counts);
    if (mode == ReadabilityMode::tokenized) {
        for_each_token(text, false, [&](std::string_view token) { add_word(vowel_group_syllables(token), counts); });
        counts[kSentences] = counts[kWords] > 0;
        return counts;
    }
    for (const auto& [start, end] : sentence_spans(text, looks_tokenized(text))) {
        const double words_before = counts[kWords];
        for_each_token(text.substr(start, end - start), true, [&](std::string_view token) {
            if (is_word(token)) add_word(spoken_syllables(token), counts);
        });
        counts[kSentences] += counts[kWords] > words_before;
    }
    return counts;
}

}  // namespace plainwright
