// The pronouncing dictionary: a hash table over one string of all words.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "plainwright/syllables.hpp"

namespace plainwright {
namespace {

constexpr std::size_t kSlots = std::size_t{1} << 18;  // the dictionary has 126,000 words

std::uint64_t hash_of(std::string_view word) {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash ^ (hash >> 29);
}

// Vowel phonemes carry a stress digit: "K AE1 T".
int count_stresses(std::string_view phonemes) {
    int count = 0;
    for (const char c : phonemes) {
        if (c == '#') break;
        count += c >= '0' && c <= '9';
    }
    return count;
}

std::mutex dictionary_lock;
std::unique_ptr<const SyllableDictionary> dictionary_owner;
std::atomic<const SyllableDictionary*> dictionary_in_use{nullptr};

}  // namespace

SyllableDictionary::SyllableDictionary(std::string_view text) : slots_(kSlots) {
    words_.reserve(text.size() / 3);
    std::size_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with(";;;")) continue;
        const std::size_t space = line.find(' ');
        if (space == line.npos || space == 0 || space > 255) {
            throw std::invalid_argument("pronouncing dictionary, line " + std::to_string(number) +
                                        ": expected a word, a space and its phonemes");
        }
        const std::string_view word = line.substr(0, space);
        if (word.ends_with(')') && word.size() > 3) continue;  // "word(2)": a further pronunciation
        insert(word, count_stresses(line.substr(space)));
    }
}

std::size_t SyllableDictionary::slot_of(std::string_view word) const {
    std::size_t i = hash_of(word) % kSlots;
    while (slots_[i].length != 0) {
        if (slots_[i].length == word.size() && words_.compare(slots_[i].offset, word.size(), word) == 0) break;
        i = (i + 1) % kSlots;
    }
    return i;
}

void SyllableDictionary::insert(std::string_view word, int syllables) {
    Slot& slot = slots_[slot_of(word)];
    if (slot.length != 0) return;
    if (size_ + 1 >= kSlots) throw std::invalid_argument("pronouncing dictionary: more words than expected");
    slot = {static_cast<std::uint32_t>(words_.size()), static_cast<std::uint8_t>(word.size()),
            static_cast<std::uint8_t>(std::min(syllables, 255))};
    words_ += word;
    ++size_;
}

std::optional<int> SyllableDictionary::find(std::string_view word) const {
    if (word.empty() || word.size() > 255) return std::nullopt;
    const Slot& slot = slots_[slot_of(word)];
    if (slot.length == 0) return std::nullopt;
    return slot.syllables;
}

void load_syllable_dictionary(std::string_view text) {
    const std::lock_guard guard(dictionary_lock);
    if (dictionary_owner) return;
    dictionary_owner = std::make_unique<const SyllableDictionary>(text);
    dictionary_in_use.store(dictionary_owner.get(), std::memory_order_release);
}

const SyllableDictionary* syllable_dictionary() { return dictionary_in_use.load(std::memory_order_acquire); }

}  // namespace plainwright
