// Inverted index: where each word of one side of the text occurs, in text order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plainwright/parallel_text.hpp"

namespace plainwright {

struct Postings {
    static constexpr std::size_t kBlock = 32768;  // sentences; fixed, so that sums do not depend on threads

    std::vector<std::uint64_t> starts;      // by word
    std::vector<std::uint32_t> sentences;   // by occurrence
    std::vector<std::uint16_t> positions;   // by occurrence
    std::vector<std::uint64_t> block_ends;  // by block, then word: end of its occurrences in the block

    explicit Postings(const TextSide& side) {
        const std::size_t words = side.vocabulary.size();
        starts.assign(words + 1, 0);
        for (const TokenId token : side.tokens) ++starts[token + 1];
        for (std::size_t word = 0; word < words; ++word) starts[word + 1] += starts[word];
        sentences.resize(side.tokens.size());
        positions.resize(side.tokens.size());
        std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
        for (std::size_t sentence = 0; sentence < side.sentences(); ++sentence) {
            const auto tokens = side.sentence(sentence);
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                const std::uint64_t at = next[tokens[i]]++;
                sentences[at] = static_cast<std::uint32_t>(sentence);
                positions[at] = static_cast<std::uint16_t>(i);
            }
            if ((sentence + 1) % kBlock == 0 || sentence + 1 == side.sentences()) {
                block_ends.insert(block_ends.end(), next.begin(), next.end());
            }
        }
    }

    std::size_t words() const { return starts.size() - 1; }
    std::uint64_t block_begin(std::size_t block, std::size_t word) const {
        return block == 0 ? starts[word] : block_ends[(block - 1) * words() + word];
    }
    std::uint64_t block_end(std::size_t block, std::size_t word) const { return block_ends[block * words() + word]; }

    // Calls `take(sentence)` once for each sentence that has the word.
    template <typename Take>
    void for_each_sentence(std::size_t word, Take&& take) const {
        for (std::uint64_t at = starts[word]; at < starts[word + 1]; ++at) {
            const std::uint32_t sentence = sentences[at];
            if (at > starts[word] && sentences[at - 1] == sentence) continue;
            take(sentence);
        }
    }
};

}  // namespace plainwright
