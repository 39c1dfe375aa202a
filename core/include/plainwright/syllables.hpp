// Syllables of English words: the CMU Pronouncing Dictionary, a rule for words outside it, and the simpler
// counter of the scorer released with Xu et al. (2016).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plainwright {

// Word -> syllables of its first pronunciation; built from the text of cmudict.dict.
class SyllableDictionary {
 public:
    // Throws std::invalid_argument, with the line number, where `text` is not in the dictionary's format.
    explicit SyllableDictionary(std::string_view text);

    // `word` in lower case.
    std::optional<int> find(std::string_view word) const;

    std::size_t size() const { return size_; }

 private:
    struct Slot {
        std::uint32_t offset = 0;
        std::uint8_t length = 0;  // 0: empty
        std::uint8_t syllables = 0;
    };

    void insert(std::string_view word, int syllables);
    std::size_t slot_of(std::string_view word) const;

    std::string words_;
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

// The dictionary of this process. The first call of `load` wins, later ones change nothing; both may be
// called from any thread. `syllable_dictionary` is null before that, and then only the rule counts.
void load_syllable_dictionary(std::string_view text);
const SyllableDictionary* syllable_dictionary();

// The rule for one unknown word of letters, in lower case.
int rule_syllables(std::string_view word);

// Syllables as spoken: dictionary, else rule; hyphenated words by parts, numbers read out ("1990" is four),
// acronyms spelt. A word without letter or digit has none.
int spoken_syllables(std::string_view word);

// The released scorer's count: groups of vowels, less a final "e" after a consonant, at least one; words with
// hyphens by parts, split as Java's String.split does, so "--" has none.
int vowel_group_syllables(std::string_view token);

}  // namespace plainwright
