// N-gram identities of one segment: every distinct n-gram of its sentences gets a small dense number.
//
// Scoring a segment touches a few hundred distinct n-grams, so the tables stay in the first-level cache. They are
// cleared by moving to a new epoch instead of by writing to them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "plainwright/tokenize.hpp"

namespace plainwright {

using Id = std::uint32_t;
inline constexpr Id kNoId = 0xffffffffU;

// Maps a pair (prefix, token) to a dense number. Both must be below 2^26.
class PairTable {
 public:
    static constexpr Id kMaxId = (1U << 26) - 1;

    // `capacity` slots to start with, a power of two.
    explicit PairTable(std::size_t capacity = 512) { resize(capacity); }

    void clear() {
        size_ = 0;
        if (++epoch_ == kEpochs) {
            std::fill(slots_.begin(), slots_.end(), Slot{});
            epoch_ = 1;
        }
    }

    // The number of the pair, or `fresh` if it was not there; then it is there with that number.
    Id find_or_insert(Id prefix, Id token, Id fresh) {
        const std::uint64_t key = make_key(prefix, token);
        std::size_t at = place(key);
        while (slots_[at].key != key) {
            if (!is_current(slots_[at])) {
                slots_[at] = {key, fresh};
                if (++size_ * 2 > slots_.size()) resize(slots_.size() * 2);
                return fresh;
            }
            at = (at + 1) & mask_;
        }
        return slots_[at].id;
    }

    Id find(Id prefix, Id token) const {
        const std::uint64_t key = make_key(prefix, token);
        for (std::size_t at = place(key); is_current(slots_[at]); at = (at + 1) & mask_) {
            if (slots_[at].key == key) return slots_[at].id;
        }
        return kNoId;
    }

 private:
    struct Slot {
        std::uint64_t key = 0;
        Id id = 0;
    };
    static constexpr std::uint64_t kEpochs = 1U << 12;

    std::uint64_t make_key(Id prefix, Id token) const { return (epoch_ << 52) | (std::uint64_t{prefix} << 26) | token; }
    bool is_current(const Slot& slot) const { return (slot.key >> 52) == epoch_; }
    std::size_t place(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15ULL) >> shift_; }
    void resize(std::size_t capacity);

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::uint64_t shift_ = 0;  // 64 bits wide, so that stores of numbers cannot alias it
    std::size_t size_ = 0;
    std::uint64_t epoch_ = 1;
};

// Maps a token's text to a dense number. Texts are not copied: they must outlive the table's epoch.
class TokenTable {
 public:
    explicit TokenTable(std::size_t capacity = 128) { resize(capacity); }

    void clear() {
        size_ = 0;
        if (++epoch_ == 0) {
            for (auto& slot : slots_) slot.epoch = 0;
            epoch_ = 1;
        }
    }

    // `text` must be readable for 8 bytes from its start (see TokenText).
    Id find_or_insert(std::string_view text, Id fresh) {
        const std::uint64_t hash = hash_of(text);
        std::size_t at = hash >> shift_;
        for (; slots_[at].epoch == epoch_; at = (at + 1) & mask_) {
            if (matches(slots_[at], hash, text)) return slots_[at].id;
        }
        slots_[at] = {hash, text.data(), static_cast<std::uint32_t>(text.size()), fresh, epoch_};
        if (++size_ * 2 > slots_.size()) resize(slots_.size() * 2);
        return fresh;
    }

    Id find(std::string_view text) const {
        const std::uint64_t hash = hash_of(text);
        for (std::size_t at = hash >> shift_; slots_[at].epoch == epoch_; at = (at + 1) & mask_) {
            if (matches(slots_[at], hash, text)) return slots_[at].id;
        }
        return kNoId;
    }

 private:
    struct Slot {
        std::uint64_t hash = 0;
        const char* text = nullptr;
        std::uint32_t length = 0;
        Id id = 0;
        std::uint32_t epoch = 0;
    };

    static bool matches(const Slot& slot, std::uint64_t hash, std::string_view text) {
        // Up to 8 bytes the hash is one-to-one for a given length, so equal hashes mean equal texts.
        return slot.hash == hash && slot.length == text.size() &&
               (text.size() <= 8 || std::memcmp(slot.text, text.data(), text.size()) == 0);
    }
    static std::uint64_t hash_of(std::string_view text);
    void resize(std::size_t capacity);

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::uint64_t shift_ = 0;  // 64 bits wide, so that stores of numbers cannot alias it
    std::size_t size_ = 0;
    std::uint32_t epoch_ = 1;
};

// The tokenised sentences of one segment, kept in one buffer. Token texts stay valid until clear().
class TokenText {
 public:
    void clear() {
        used_ = 0;
        tokens_.clear();
        sentence_ends_.clear();
    }
    // Splits `line` into tokens as `tokenize` does and appends it as one more sentence.
    void add_sentence(Tokenizer tokenizer, bool lowercase, std::string_view line);

    std::size_t sentences() const { return sentence_ends_.size(); }
    std::size_t begin_of(std::size_t sentence) const { return sentence == 0 ? 0 : sentence_ends_[sentence - 1]; }
    std::size_t end_of(std::size_t sentence) const { return sentence_ends_[sentence]; }
    std::size_t tokens() const { return tokens_.size(); }
    // Readable for 8 bytes from its start, as TokenTable asks.
    std::string_view token(std::size_t index) const {
        return {buffer_.data() + tokens_[index].begin, tokens_[index].length};
    }

 private:
    struct Span {
        std::uint32_t begin;
        std::uint32_t length;
    };

    bool add_plain_ascii(bool lowercase, std::string_view line);
    void add_tokenized(Tokenizer tokenizer, bool lowercase, std::string_view line);
    char* make_room(std::size_t size);

    std::vector<char> buffer_;  // `used_` bytes of text, then at least 8 more
    std::size_t used_ = 0;
    std::string tokenized_;
    std::vector<Span> tokens_;
    std::vector<std::size_t> sentence_ends_;
};

// What is counted of an n-gram over several references.
enum class ReferenceCount {
    sum,        // all its occurrences
    maximum,    // its occurrences in the reference that has most of it
    sentences,  // the references that have it
};

// How text becomes n-grams.
struct NgramOptions {
    Tokenizer tokenizer = Tokenizer::none;
    bool lowercase = false;
    std::size_t max_order = 4;
    ReferenceCount reference_count = ReferenceCount::sum;

    friend bool operator==(const NgramOptions&, const NgramOptions&) = default;
};

// What is fixed while candidates for one segment are scored: the numbered n-grams of source and references.
// Numbers are dense, grouped by order and, within an order, source before references.
class SegmentIndex {
 public:
    struct Order {
        Id first;        // n-grams of the source: [first, source_last)
        Id source_last;  // n-grams of the references alone: [source_last, last)
        Id last;
    };
    struct Counts {
        std::uint32_t source = 0;
        std::uint32_t references = 0;  // see ReferenceCount
    };

    explicit SegmentIndex(const NgramOptions& options) : options_(options) {}
    SegmentIndex(const SegmentIndex&) = delete;  // the token table points into the text
    SegmentIndex& operator=(const SegmentIndex&) = delete;

    // `source` may be null for metrics that do not look at it.
    void build(const std::string_view* source, const std::string_view* references, std::size_t n_references);

    const NgramOptions& options() const { return options_; }
    const Order& order(std::size_t n) const { return orders_[n]; }  // n from 0 for unigrams
    const Counts& counts(Id id) const { return counts_[id]; }
    std::size_t size() const { return size_; }
    std::size_t references() const { return reference_lengths_.size(); }
    const std::vector<std::uint32_t>& reference_lengths() const { return reference_lengths_; }

    Id find_token(std::string_view text) const { return tokens_.find(text); }
    Id find_pair(Id prefix, Id token) const { return pairs_.find(prefix, token); }

 private:
    // While counting: how often the reference last seen, from 1, has the n-gram.
    struct Seen {
        std::uint32_t reference = 0;
        std::uint32_t count = 0;
    };

    void read_text(const std::string_view* source, const std::string_view* references, std::size_t n_references);
    template <ReferenceCount kCount>
    void number_and_count(bool has_source);
    // One order: `number(i, fresh)` gives the number of the n-gram that starts at token i.
    template <ReferenceCount kCount, typename Number>
    void number_order(std::size_t n, bool has_source, Number&& number);

    NgramOptions options_;
    TokenText text_;
    TokenTable tokens_;
    PairTable pairs_;
    std::vector<Id> token_ids_;
    std::vector<Id> current_;  // number of the n-gram that starts at each token
    std::vector<Order> orders_;
    std::vector<Counts> counts_;  // the first `size_` are in use
    std::vector<Seen> seen_;
    std::size_t size_ = 0;
    std::vector<std::uint32_t> reference_lengths_;
};

// One candidate's n-grams against a SegmentIndex.
class CandidateCounts {
 public:
    struct Order {
        std::uint32_t total = 0;               // n-grams of the candidate
        std::uint32_t distinct_novel = 0;      // distinct ones found in neither source nor references
        std::uint32_t distinct_reference = 0;  // distinct ones found in references but not in the source
    };

    // With `number_novel` false, `distinct_novel` stays 0, which is all that BLEU needs.
    void count(const SegmentIndex& index, std::string_view candidate, bool number_novel);

    std::size_t length() const { return length_; }
    const Order& order(std::size_t n) const { return orders_[n]; }
    std::uint32_t operator[](Id id) const { return counts_[id]; }
    const std::vector<Id>& touched() const { return touched_; }  // distinct known n-grams, by order

 private:
    void reset(const SegmentIndex& index);

    TokenText text_;
    TokenTable novel_tokens_{16};
    PairTable novel_pairs_{16};
    std::vector<Id> token_ids_;
    std::vector<Id> current_;
    std::vector<std::uint32_t> counts_;
    std::vector<Id> touched_;
    std::vector<Order> orders_;
    std::size_t length_ = 0;
};

}  // namespace plainwright
