// Sentence pairs as numbers: what alignment and extraction work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace plainwright {

using TokenId = std::uint32_t;

// Numbers words in the order in which they first occur.
class Vocabulary {
 public:
    TokenId add(std::string_view word);
    std::size_t size() const { return words_.size(); }
    const std::string& word(TokenId id) const { return words_[id]; }
    const std::vector<std::string>& words() const { return words_; }

 private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::vector<std::string> words_;
    std::unordered_map<std::string, TokenId, TextHash, std::equal_to<>> ids_;
};

// One language of the text: the tokens of all sentences, one after the other.
struct TextSide {
    Vocabulary vocabulary;
    std::vector<TokenId> tokens;
    std::vector<std::uint64_t> starts = {0};

    std::size_t sentences() const { return starts.size() - 1; }
    std::size_t length(std::size_t sentence) const { return starts[sentence + 1] - starts[sentence]; }
    std::span<const TokenId> sentence(std::size_t number) const {
        return {tokens.data() + starts[number], length(number)};
    }
};

enum class PairKind { kept, empty, too_long };

// Pairs that are left out stay as pairs of empty sentences, so that numbers agree with those of lines.
class ParallelText {
 public:
    // Positions in a sentence have 16 bits, and tables of lengths grow with the square.
    static constexpr std::size_t kLongest = 1000;

    // Throws std::invalid_argument if `max_tokens` is not from 1 to kLongest.
    explicit ParallelText(std::size_t max_tokens);

    // Tokens are separated by white space.
    PairKind add(std::string_view source, std::string_view target);

    std::size_t sentences() const { return source_.sentences(); }
    const TextSide& source() const { return source_; }
    const TextSide& target() const { return target_; }

 private:
    std::size_t max_tokens_;
    TextSide source_, target_;
    std::vector<std::string_view> source_words_, target_words_;  // scratch
};

}  // namespace plainwright
