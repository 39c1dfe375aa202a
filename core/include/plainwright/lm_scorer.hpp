// The language model over phrases that do not yet know what stands before them.
#pragma once

#include <span>

#include "plainwright/hypergraph.hpp"
#include "plainwright/language_model.hpp"

namespace plainwright {

// Reads words and finished phrases from left to right. The first order - 1 words are scored as far as they can be;
// once the phrase is placed after others, what these words gain or lose is made good.
class PhraseReader {
 public:
    PhraseReader(const LanguageModel& lm, const LmState& before, std::size_t context)
        : lm_(&lm), right_(before), context_(context) {}

    void word(WordId word) {
        LmState next;
        const LmResult result = lm_->score(right_, word, next);
        right_ = next;
        log10_ += result.log10;
        keep_left(word, result.log10);
    }

    // Adds what the phrase's words gain here over what they were given on their own.
    void phrase(const Boundary& phrase) {
        const std::size_t length = phrase.left_length;
        for (std::size_t i = 0; i < length; ++i) {
            // No context from outside is left: from here on the phrase's own scores hold.
            if (right_.length <= i) {
                for (; i < length; ++i) keep_left(phrase.left[i], phrase.partial[i]);
                right_ = phrase.right;
                return;
            }
            LmState next;
            const LmResult result = lm_->score(right_, phrase.left[i], next);
            right_ = next;
            log10_ += static_cast<double>(result.log10) - phrase.partial[i];
            keep_left(phrase.left[i], result.log10);
        }
        if (length == context_) right_ = phrase.right;
    }

    double log10() const { return log10_; }
    Boundary boundary() const {
        Boundary result = left_;
        result.right = right_;
        return result;
    }

 private:
    void keep_left(WordId word, float log10) {
        if (left_.left_length == context_) return;
        left_.left[left_.left_length] = word;
        left_.partial[left_.left_length++] = log10;
    }

    const LanguageModel* lm_;
    LmState right_;
    std::size_t context_;  // order - 1
    Boundary left_;
    double log10_ = 0;
};

// An optional language model with its weight; without one, all phrases look alike.
class LmScorer {
 public:
    explicit LmScorer(const LanguageModel* lm) : lm_(lm), context_(lm == nullptr ? 0 : lm->order() - 1) {}

    const LanguageModel* model() const { return lm_; }
    PhraseReader reader() const { return PhraseReader(*lm_, lm_->empty_state(), context_); }
    PhraseReader sentence_reader() const { return PhraseReader(*lm_, lm_->begin_state(), context_); }

 private:
    const LanguageModel* lm_;
    std::size_t context_;
};

}  // namespace plainwright
