// Which words of two vocabularies look as if they were one: the same word, forms of one lemma, or similar spelling.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "plainwright/aligner.hpp"
#include "plainwright/unicode.hpp"

namespace plainwright {

struct LikePair {
    std::uint32_t entry;  // of the row
    float share;          // of the pseudo-counts that a word has with itself
};

class Likeness {
 public:
    Likeness(const Vocabulary& source, const Vocabulary& target, const Lemmas* source_lemmas,
             const Lemmas* target_lemmas)
        : source_(characters(source)),
          target_(characters(target)),
          source_lemmas_(source_lemmas),
          target_lemmas_(target_lemmas) {}

    std::vector<LikePair> row(TokenId source, std::span<const TokenId> targets) const {
        std::vector<LikePair> alike;
        for (std::size_t entry = 0; entry < targets.size(); ++entry) {
            const float share = of(source, targets[entry]);
            if (share > 0) alike.push_back({static_cast<std::uint32_t>(entry), share});
        }
        return alike;
    }

    static double spelling(const std::u32string& a, const std::u32string& b) {
        const std::size_t longer = std::max(a.size(), b.size());
        return longer == 0 ? 1.0 : 1 - static_cast<double>(distance(a, b)) / static_cast<double>(longer);
    }

    static std::u32string lowered(std::string_view word) {
        std::u32string out;
        for (std::size_t at = 0; at < word.size();) {
            const Decoded next = decode(word, at);
            out.push_back(lower_character(next.character));
            at += next.length;
        }
        return out;
    }

 private:
    // Chosen by looking: words that differ in more than three letters of ten are rarely related, and among short
    // words one letter makes another word.
    static constexpr std::size_t kShortest = 4;
    static constexpr double kSimilar = 0.7;
    static constexpr float kLemmaShare = 0.5F, kSpellingShare = 0.25F;

    float of(TokenId source, TokenId target) const {
        const std::u32string &a = source_[source], &b = target_[target];
        if (a == b) return 1;
        if (share_lemma(source, target)) return kLemmaShare;
        const std::size_t shorter = std::min(a.size(), b.size()), longer = std::max(a.size(), b.size());
        if (shorter < kShortest || static_cast<double>(shorter) < kSimilar * static_cast<double>(longer)) return 0;
        if (a[0] != b[0] && a[1] != b[1]) return 0;
        return spelling(a, b) >= kSimilar ? kSpellingShare : 0;
    }

    bool share_lemma(TokenId source, TokenId target) const {
        if (source_lemmas_ == nullptr || target_lemmas_ == nullptr) return false;
        for (const std::uint32_t lemma : (*source_lemmas_)[source]) {
            const auto& others = (*target_lemmas_)[target];
            if (std::binary_search(others.begin(), others.end(), lemma)) return true;
        }
        return false;
    }

    static std::vector<std::u32string> characters(const Vocabulary& vocabulary) {
        std::vector<std::u32string> words;
        words.reserve(vocabulary.size());
        for (const std::string& word : vocabulary.words()) words.push_back(lowered(word));
        return words;
    }

    static std::size_t distance(const std::u32string& a, const std::u32string& b) {
        std::vector<std::size_t> row(b.size() + 1);
        for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= a.size(); ++i) {
            std::size_t diagonal = row[0]++;
            for (std::size_t j = 1; j <= b.size(); ++j) {
                const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
            }
        }
        return row[b.size()];
    }

    std::vector<std::u32string> source_, target_;
    const Lemmas* source_lemmas_;
    const Lemmas* target_lemmas_;
};

}  // namespace plainwright
