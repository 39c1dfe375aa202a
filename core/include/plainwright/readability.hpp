// The counts that readability formulas are made of.
#pragma once

#include <array>
#include <string_view>

namespace plainwright {

enum class ReadabilityMode {
    tokenized,  // tokens between white space, one line is one sentence, every token is a word, vowel-group
                // syllables
    plain,      // raw text: sentences are found, words hold a letter or a digit, spoken syllables
};

// "tokenised" or "plain"; throws std::invalid_argument for any other name.
ReadabilityMode readability_mode_from_name(std::string_view name);

// Sentences, words, syllables, characters (all but white space), letters, words of three or more syllables.
constexpr std::size_t kReadabilityCounts = 6;
using ReadabilityCounts = std::array<double, kReadabilityCounts>;

ReadabilityCounts readability_counts(std::string_view text, ReadabilityMode mode);

}  // namespace plainwright
