// The features of a decoder by name, and their weights.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plainwright/grammar.hpp"

namespace plainwright {

// A grammar and what its feature names start with. Blocks that give a feature the same full name share it.
struct GrammarBlock {
    std::shared_ptr<const Grammar> grammar;
    std::string prefix;
};

// Built-in features come first, in this order. All but the language model's score are counts.
enum BuiltInFeature : std::size_t {
    kLm,           // lm_0: log10 probability of the output with its sentence boundaries
    kLmUnknown,    // lm_0_oov: output words that the language model does not know
    kWordPenalty,  // WordPenalty: output words
    kOovPenalty,   // OOVPenalty: input words for which no grammar has a rule, kept
    kGlue,         // tm_glue_0: times that two phrases were simply put side by side
    kIdentity,     // IdentityRule: input words kept by the built-in rule
    kLabelAgrees,  // LabelAgrees: rules whose label is the input's own for that span
    kBuiltInFeatures,
    kDistortion = kBuiltInFeatures,  // Distortion, of phrase search alone: words that phrases were moved by
};

class FeatureSpace {
 public:
    // Throws std::invalid_argument for a grammar feature named as a built-in one.
    explicit FeatureSpace(std::vector<GrammarBlock> grammars, bool distortion = false);

    // Features not named get the weight 0. Throws std::invalid_argument for an unknown name or a weight not finite.
    void set_weights(const std::vector<std::pair<std::string, double>>& weights);

    const std::vector<GrammarBlock>& grammars() const { return grammars_; }
    const std::vector<std::string>& names() const { return names_; }
    std::size_t size() const { return names_.size(); }
    double weight(std::size_t feature) const { return weights_[feature]; }
    // The numbers in names() of a grammar's own features.
    const std::vector<std::size_t>& indices(std::size_t grammar) const { return indices_[grammar]; }

    // Weighted sum of a rule's values, as Grammar::features gives them.
    double rule_score(std::size_t grammar, const float* values) const;

 private:
    std::vector<GrammarBlock> grammars_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::vector<std::size_t>> indices_;
    std::vector<std::vector<double>> block_weights_;
    std::vector<double> weights_;
};

}  // namespace plainwright
