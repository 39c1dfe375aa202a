// What a tagger looks at: every feature is a number of 32 bits, the hash of its template and its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lm_format.hpp"
#include "plainwright/tagger.hpp"
#include "plainwright/unicode.hpp"

namespace plainwright {

inline constexpr TagId kNoTag = 255;  // before the first word

class TaggerFeatures {
 public:
    // Looks at the words of a sentence; they are not needed afterwards.
    void read(std::span<const std::string_view> words) {
        const bool caseless = is_caseless(words);
        tokens_.assign(words.size() + 2 * kMargin, Token{});
        for (std::size_t i = 0; i < words.size(); ++i) fill(tokens_[i + kMargin], words[i], caseless);
    }

    // The key of a word with its capitals, for the dictionary.
    std::uint32_t word_key(std::size_t i) const { return key(0, tokens_[i + kMargin].word); }

    // Features that no tag has a part in.
    void append_fixed(std::size_t i, std::vector<std::uint32_t>& keys) const {
        const Token* at = &tokens_[i + kMargin];
        const Token &before = at[-1], &second_before = at[-2], &here = at[0], &after = at[1], &second_after = at[2];
        keys.push_back(key(1, here.word));
        keys.push_back(key(2, here.lower));
        for (std::size_t n = 0; n < kEndings; ++n) keys.push_back(key(3 + n, here.endings[n]));
        keys.push_back(key(8, here.beginning));
        keys.push_back(key(9, here.shape));
        keys.push_back(key(10, before.casing, here.casing, after.casing));
        keys.push_back(key(11, before.lower));
        keys.push_back(key(12, after.lower));
        keys.push_back(key(13, second_before.lower));
        keys.push_back(key(14, second_after.lower));
        keys.push_back(key(15, before.lower, here.lower));
        keys.push_back(key(16, here.lower, after.lower));
        keys.push_back(key(17, before.lower, after.lower));
        keys.push_back(key(18, before.endings[2]));
        keys.push_back(key(19, after.endings[2]));
        keys.push_back(key(20, after.lower, second_after.lower));
        keys.push_back(key(21, here.endings[2], before.lower));
        keys.push_back(key(22, here.endings[2], after.lower));
        keys.push_back(key(23, here.endings[2], here.casing, before.casing));
        keys.push_back(key(24, here.lower, second_before.lower, before.lower));
    }

    // Features with the tag before, `last`, and the one before that.
    void append_tagged(std::size_t i, TagId last, TagId second_last, std::vector<std::uint32_t>& keys) const {
        const Token* at = &tokens_[i + kMargin];
        const std::uint64_t one = last + 1U, two = one << 8 | (second_last + 1U);
        keys.push_back(key(32, one));
        keys.push_back(key(33, two));
        keys.push_back(key(34, one, at[0].lower));
        keys.push_back(key(35, one, at[1].lower));
        keys.push_back(key(36, one, at[0].endings[2]));
        keys.push_back(key(37, two, at[0].lower));
        keys.push_back(key(38, one, at[0].casing, at[1].casing));
        keys.push_back(key(39, one, at[1].endings[1]));
        keys.push_back(key(40, two, at[0].endings[1]));
    }

 private:
    static constexpr std::size_t kMargin = 2;
    static constexpr std::size_t kEndings = 5;

    enum Casing : std::uint64_t { kLower = 1, kInitial, kAllCapitals, kMixed, kUnknownCase };

    struct Token {
        std::uint64_t word = 0;                // with its capitals
        std::uint64_t lower = 0;               // without them, every digit a 0
        std::uint64_t endings[kEndings] = {};  // of 1, 2, … bytes
        std::uint64_t beginning = 0;
        std::uint64_t shape = 0;
        std::uint64_t casing = 0;
    };

    static std::uint64_t join(std::uint64_t a, std::uint64_t b) { return lm_format::mix(a ^ (b + lm_format::kMixB)); }
    template <typename... Values>
    static std::uint32_t key(std::uint64_t number, Values... values) {
        std::uint64_t hash = number;
        ((hash = join(hash, values)), ...);
        return static_cast<std::uint32_t>(lm_format::mix(hash) >> 32);
    }
    static std::uint64_t hash_of(std::string_view text) { return lm_format::checksum_of(text.data(), text.size()); }

    // Whether capitals say nothing here: text in lower case throughout, or in upper case.
    static bool is_caseless(std::span<const std::string_view> words) {
        bool upper = false, lower = false;
        for (const std::string_view word : words) {
            if (is_bracket(word)) continue;
            for (std::size_t i = 0; i < word.size();) {
                const auto [character, length] = decode(word, i);
                if (is_upper(character)) {
                    upper = true;
                } else if (is_lower(character)) {
                    lower = true;
                }
                if (upper && lower) return false;
                i += length;
            }
        }
        return true;
    }

    static bool is_upper(char32_t c) { return c < 0x80 ? c >= 'A' && c <= 'Z' : has_trait(c, kUpper); }
    static bool is_lower(char32_t c) { return c < 0x80 ? c >= 'a' && c <= 'z' : has_trait(c, kCased) && !is_upper(c); }
    static bool is_letter(char32_t c) {
        return c < 0x80 ? (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') : has_trait(c, kLetter);
    }

    // -LRB- and the like, in any case.
    static bool is_bracket(std::string_view word) {
        return word.size() == 5 && word[0] == '-' && word[4] == '-' && (word[3] | 32) == 'b' &&
               ((word[1] | 32) == 'l' || (word[1] | 32) == 'r');
    }

    static std::string_view plain_bracket(std::string_view word) {
        const bool left = (word[1] | 32) == 'l';
        switch (word[2] | 32) {
            case 'r':
                return left ? "(" : ")";
            case 's':
                return left ? "[" : "]";
            case 'c':
                return left ? "{" : "}";
            default:
                return word;
        }
    }

    void fill(Token& token, std::string_view word, bool caseless) {
        if (is_bracket(word)) word = plain_bracket(word);
        lower_.clear();
        append_lower(word, lower_);
        for (char& c : lower_) {
            if (c >= '0' && c <= '9') c = '0';
        }
        const std::string_view lower = lower_;
        token.lower = hash_of(lower);
        token.casing = caseless ? std::uint64_t{kUnknownCase} : look_at(word);
        if (caseless) look_at(lower);  // for the shape
        token.shape = join(hash_of(shape_), token.casing);
        token.word = join(token.lower, token.casing);
        for (std::size_t n = 1; n <= kEndings; ++n) {
            // A word that is no longer than the ending says so, rather than look like the ending of another.
            const bool whole = lower.size() <= n;
            token.endings[n - 1] = join(hash_of(whole ? lower : lower.substr(lower.size() - n)), whole);
        }
        token.beginning = hash_of(lower.substr(0, 3));
    }

    // Where capitals, letters and digits stand, runs of a kind written once; leaves it in `shape_`.
    std::uint64_t look_at(std::string_view word) {
        shape_.clear();
        std::size_t letters = 0, capitals = 0;
        bool initial = false;
        for (std::size_t i = 0; i < word.size();) {
            const auto [character, length] = decode(word, i);
            char kind = character < 0x80 ? word[i] : '?';
            if (is_upper(character)) {
                initial |= letters == 0;
                ++letters, ++capitals;
                kind = 'X';
            } else if (is_letter(character)) {
                ++letters;
                kind = 'x';
            } else if (kind >= '0' && kind <= '9') {
                kind = '0';
            }
            if (shape_.empty() || shape_.back() != kind) shape_ += kind;
            i += length;
        }
        if (capitals == 0) return kLower;
        if (capitals == letters && letters > 1) return kAllCapitals;
        return initial && capitals == 1 ? kInitial : kMixed;
    }

    std::vector<Token> tokens_;
    std::string lower_, shape_;
};

}  // namespace plainwright
