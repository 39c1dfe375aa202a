// From tokens to the best outputs under a linear model: parse or take phrases, search, k-best.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "plainwright/chart_parser.hpp"
#include "plainwright/feature_space.hpp"
#include "plainwright/grammar.hpp"
#include "plainwright/language_model.hpp"
#include "plainwright/phrase_search.hpp"

namespace plainwright {

enum class SearchKind {
    chart,    // parses with rules of any kind, cube pruning
    phrases,  // rules without gaps, in any order that the distortion limit allows
};

struct DecoderSettings {
    SearchKind search = SearchKind::chart;
    std::size_t pop_limit = 100;         // edges made for each span, or hypotheses kept on each stack; 0: all
    std::size_t candidates = 1;          // at most so many for each sentence
    bool distinct = true;                // no two candidates with the same words
    std::size_t derivations = SIZE_MAX;  // so many candidates, best first, carry their derivation
    std::size_t max_tokens = 300;        // longer sentences are not decoded
    ParserSettings parser;
    PhraseSettings phrases;
};

// A use of a rule. Glue is left out.
struct Step {
    std::int32_t grammar;  // -1: built in
    std::uint32_t rule;    // in its grammar; kIdentityRule or kUnknownWordRule if built in
    std::uint32_t label;   // in DecodeResult::labels
    std::uint32_t depth;   // of nesting, from 0; a step's parts follow it
    std::uint32_t source_begin, source_end;
    std::uint32_t target_begin, target_end;
};

struct Candidate {
    double score;
    std::uint32_t first_token, last_token;  // in DecodeResult::tokens
    std::uint32_t first_step, last_step;    // in DecodeResult::steps
};

// Candidates by falling score; those of equal score by their words. Where the cut falls among equal scores, and
// which derivation stands for its words among equal ones, the order of KBest decides.
struct DecodeResult {
    bool too_long = false;
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> tokens;  // in words
    std::vector<Step> steps;
    std::vector<double> features;  // unweighted, a row for each candidate
    std::vector<std::string> words;
    std::vector<std::string> labels;
};

// The part of the search space that leads to an output, for inspection.
struct Forest {
    struct Item {
        std::uint32_t begin, end;
        std::string label;
        double score;
    };
    struct Edge {
        std::uint32_t head;
        std::vector<std::uint32_t> tails;
        std::int32_t grammar;
        std::uint32_t rule;
        std::vector<std::string> target;  // a tail is [1] or [2]
        double gain;
    };
    std::vector<Item> items;  // the goal is the last one
    std::vector<Edge> edges;
};

class DecoderWorker;

// Immutable but for the workers' memories; may be used by several threads at once.
class Decoder {
 public:
    // `lm` may be null. Throws std::invalid_argument for unknown weights and settings out of range.
    Decoder(std::vector<GrammarBlock> grammars, std::shared_ptr<const LanguageModel> lm,
            const std::vector<std::pair<std::string, double>>& weights, DecoderSettings settings);
    ~Decoder();

    const FeatureSpace& features() const { return features_; }
    const DecoderSettings& settings() const { return settings_; }

    // Results do not depend on the number of threads.
    std::vector<DecodeResult> decode(const std::vector<Sentence>& sentences, std::size_t threads) const;
    Forest forest(const Sentence& sentence) const;

 private:
    std::unique_ptr<DecoderWorker> take_worker() const;
    void give_back(std::unique_ptr<DecoderWorker> worker) const;

    FeatureSpace features_;
    std::shared_ptr<const LanguageModel> lm_;
    DecoderSettings settings_;
    mutable std::mutex lock_;
    mutable std::vector<std::unique_ptr<DecoderWorker>> idle_;
};

}  // namespace plainwright
