// An n-gram language model with back-off, queried from a memory-mapped file.
//
// All scores are logarithms to base 10. A state is a plain value: the words that can still matter, and no more, so
// that two hypotheses with equal states have equal futures.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "plainwright/unicode.hpp"

namespace plainwright {

struct NgramModel;
class MappedFile;

using WordId = std::uint32_t;  // 0 is <unk>
inline constexpr WordId kUnknownWord = 0;
inline constexpr std::size_t kMaxLmOrder = 5;

// The context that still matters, newest word first.
struct LmState {
    std::array<WordId, kMaxLmOrder - 1> words{};
    std::uint8_t length = 0;
    // Of the contexts of 1, 2, … words: what `score` would have to look up again. A state made by hand leaves the
    // first one unknown. They follow from the words, so they take no part in comparison.
    std::array<float, kMaxLmOrder - 1> backoffs{std::numeric_limits<float>::quiet_NaN()};

    friend bool operator==(const LmState& a, const LmState& b) {
        return a.length == b.length && std::equal(a.words.begin(), a.words.begin() + a.length, b.words.begin());
    }
};

struct LmResult {
    float log10;
    std::uint8_t ngram_length;  // order of the n-gram that was found
};

struct LineScore {
    double log10 = 0;          // of all tokens
    double unknown_log10 = 0;  // of the unknown ones
    std::uint32_t tokens = 0;  // with the end of the sentence, if that was asked for
    std::uint32_t unknown = 0;
};

// Immutable, so any number of threads may share it.
class LanguageModel {
 public:
    // Throws std::runtime_error, with a sentence that names the file, for anything that is not an intact model.
    // The header and all sizes are checked always; `verify()` reads every byte.
    static std::shared_ptr<const LanguageModel> open(const std::string& path);
    ~LanguageModel();
    LanguageModel(const LanguageModel&) = delete;
    LanguageModel& operator=(const LanguageModel&) = delete;

    std::size_t order() const { return order_; }
    WordId word(std::string_view text) const;  // 0 if unknown
    WordId begin_sentence() const { return begin_; }
    WordId end_sentence() const { return end_; }
    LmState begin_state() const;  // after <s>
    LmState empty_state() const { return {}; }

    // log10 p(word | state). `next` may be the same object as `state`.
    LmResult score(const LmState& state, WordId word, LmState& next) const;
    // A sentence of tokens separated by white space, from <s> and to </s> unless told otherwise.
    LineScore score_line(std::string_view line, bool begin = true, bool end = true) const;
    // Many sentences at once, which is faster.
    void score_lines(const std::string_view* lines, std::size_t size, LineScore* scores, bool begin = true,
                     bool end = true) const;

    std::size_t words() const { return words_; }
    std::string_view text(WordId word) const;
    std::uint64_t ngrams(std::size_t n) const;  // of order n from 1, as in the ARPA file
    std::uint64_t bytes() const { return size_; }

    // Throws std::runtime_error if the checksum of the whole file is wrong, or what it holds is no model.
    void verify() const;
    NgramModel unpack() const;

 private:
    class BatchScorer;
    struct Weights {
        float log10;
        float backoff;
    };
    struct Table {
        const char* data = nullptr;
        std::uint64_t slots = 0;
        std::uint64_t range = 0;
        std::size_t stride = 0;
    };

    explicit LanguageModel(const std::string& path);
    void check_header();
    void place_sections();
    struct Place {
        std::uint64_t slot;
        bool found;  // the slot has the key; otherwise the first larger one
    };
    static Place seek(const Table& table, std::uint64_t key);
    static std::uint64_t find(const Table& table, std::uint64_t key);
    static void prefetch(const Table& table, std::uint64_t key);
    WordId word_of_key(std::uint64_t key) const;
    LmState with_backoffs(LmState state) const;
    Weights weights_at(std::size_t n, std::uint64_t slot) const;
    void verify_words() const;
    void verify_table(std::size_t n) const;
    void verify_keys(const Table& table) const;
    void verify_weights(Weights weights) const;
    bool is_blank(std::size_t n, std::uint64_t slot) const;
    void unpack_order(std::size_t n, NgramModel& model) const;

    std::string path_;
    std::unique_ptr<const MappedFile> file_;
    const char* data_ = nullptr;
    std::uint64_t size_ = 0;
    std::size_t order_ = 0;
    WordId words_ = 0, begin_ = 0, end_ = 0;
    const Weights* unigrams_ = nullptr;
    std::array<Table, kMaxLmOrder + 1> tables_{};  // by order; the first two are unused
    std::array<const std::uint32_t*, kMaxLmOrder + 1> blanks_{};
    Table word_table_{};
    const std::uint32_t* text_ends_ = nullptr;
    const char* text_ = nullptr;
};

// Where the next byte is that may be white space: a blank, a control or a part of a character beyond ASCII.
inline std::size_t next_not_plain(std::string_view line, std::size_t at) {
    constexpr std::uint64_t kEach = 0x0101010101010101ULL;
    if constexpr (std::endian::native == std::endian::little) {
        for (; at + 8 <= line.size(); at += 8) {  // eight bytes at a time
            std::uint64_t bytes;
            std::memcpy(&bytes, line.data() + at, 8);
            const std::uint64_t plain = (bytes & 0x7f * kEach) + 0x5f * kEach;  // highest bit: above the blank
            const std::uint64_t others = (~plain | bytes) & 0x80 * kEach;
            if (others != 0) return at + static_cast<std::size_t>(std::countr_zero(others)) / 8;
        }
    }
    while (at < line.size() && static_cast<signed char>(line[at]) > ' ') ++at;
    return at;
}

// Calls `take(token)` for each token of `line`, split as Python's str.split() does.
template <typename Take>
void for_each_token(std::string_view line, Take&& take) {
    std::size_t begin = 0;
    for (std::size_t at = next_not_plain(line, 0); at < line.size(); at = next_not_plain(line, at)) {
        const bool blank = line[at] == ' ';  // almost always
        const Decoded next = blank ? Decoded{U' ', 1} : decode(line, at);
        if (blank || is_space(next.character)) {
            if (at > begin) take(line.substr(begin, at - begin));
            begin = at + next.length;
        }
        at += next.length;
    }
    if (begin < line.size()) take(line.substr(begin));
}

}  // namespace plainwright

template <>
struct std::hash<plainwright::LmState> {
    std::size_t operator()(const plainwright::LmState& state) const noexcept {
        std::uint64_t value = state.length;
        for (std::size_t i = 0; i < state.length; ++i) {
            value = (value ^ state.words[i]) * 0x9E3779B97F4A7C15ULL;
            value ^= value >> 32;
        }
        return static_cast<std::size_t>(value);
    }
};
