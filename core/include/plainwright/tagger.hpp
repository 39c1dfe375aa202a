// Parts of speech: a greedy tagger, left to right, with the weights of an averaged perceptron (Collins 2002).
//
// Each word gets the tag with the largest sum of weights over its features: the word, its ending, its shape, its
// neighbours, the two tags before. Weights are whole numbers, so the result is the same on every machine. Frequent
// words that almost always have one tag are looked up instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plainwright/intrinsics.hpp"

namespace plainwright {

using TagId = std::uint8_t;
inline constexpr std::size_t kMaxTags = 250;  // the numbers above stand for what is not there

// What one feature says for one tag.
struct TagWeight {
    TagId tag;
    std::int8_t weight;
};

// Finds numbers of 32 bits in a set that never changes once it is built.
class KeyTable {
 public:
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t first = 0;  // of its weights
        std::uint32_t count = 0;  // 0: an empty slot
    };
    KeyTable() : KeyTable(0) {}
    explicit KeyTable(std::size_t keys);
    // Throws std::invalid_argument for a key that would stand far from its place, where searches take long: that
    // happens to keys that were made up, and not to hashes.
    void add(Slot slot);
    const Slot* find(std::uint32_t key) const {
        for (std::size_t at = key >> shift_;; ++at) {
            const Slot& slot = slots_[at];
            if (slot.count == 0) return nullptr;
            if (slot.key == key) return &slot;
        }
    }
    void prefetch(std::uint32_t key) const { plainwright::prefetch(&slots_[key >> shift_]); }

 private:
    std::vector<Slot> slots_;  // the last one is empty, so that a search ends
    unsigned shift_;
};

class Tagger {
 public:
    // From the bytes of a file. Throws std::invalid_argument that says what is wrong with them; no bytes do harm.
    explicit Tagger(std::string_view bytes);

    const std::vector<std::string>& tags() const { return tags_; }
    std::size_t features() const { return features_; }
    std::size_t dictionary_words() const { return dictionary_words_; }

    // Writes the number of the tag of each word; both have the same size.
    void tag(std::span<const std::string_view> words, std::span<TagId> found) const;

 private:
    std::vector<std::string> tags_;
    KeyTable dictionary_;  // where the "weights" of a word are the number of its tag
    std::size_t dictionary_words_ = 0;
    KeyTable table_;
    std::size_t features_ = 0;
    std::vector<TagWeight> weights_;
};

struct TaggerOptions {
    std::size_t passes = 8;
    std::size_t min_count = 2;          // features that occur less often are not learnt
    std::size_t max_bytes = 2'000'000;  // of the file: the weights that matter least go
    double lower_share = 0.3;           // of the sentences, also learnt from in lower case
    std::uint64_t seed = 1;
};

// Learns a tagger from sentences whose tags are known.
class TaggerTrainer {
 public:
    // Throws std::invalid_argument if there are not as many tags as words, or too many different tags.
    void add(std::span<const std::string_view> words, std::span<const std::string_view> tags);

    std::size_t sentences() const { return ends_.size(); }
    std::size_t tokens() const { return tags_.size(); }

    // The bytes of a tagger, which depend on nothing but the sentences and the options. `report` is told how many
    // sentences were done of how many.
    std::string train(const TaggerOptions& options, const std::function<void(std::size_t, std::size_t)>& report) const;

 private:
    friend class TaggerLearner;
    std::string text_;                    // of all words
    std::vector<std::size_t> word_ends_;  // in `text_`
    std::vector<TagId> tags_;             // one for each word, numbered as in `tag_names_`
    std::vector<std::size_t> ends_;       // of sentences, in words
    std::vector<std::string> tag_names_;  // in order of appearance
};

}  // namespace plainwright
