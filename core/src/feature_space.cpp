#include "plainwright/feature_space.hpp"

#include <cmath>
#include <stdexcept>

namespace plainwright {

FeatureSpace::FeatureSpace(std::vector<GrammarBlock> grammars, bool distortion)
    : grammars_(std::move(grammars)),
      names_{"lm_0", "lm_0_oov", "WordPenalty", "OOVPenalty", "tm_glue_0", "IdentityRule", "LabelAgrees"} {
    if (distortion) names_.emplace_back("Distortion");
    const std::size_t built_in = names_.size();
    for (std::size_t i = 0; i < built_in; ++i) numbers_[names_[i]] = i;
    for (const GrammarBlock& block : grammars_) {
        std::vector<std::size_t>& indices = indices_.emplace_back();
        for (std::size_t f = 0; f < block.grammar->feature_count(); ++f) {
            const std::string name = block.prefix + std::string(block.grammar->feature_name(f));
            const auto [entry, fresh] = numbers_.try_emplace(name, names_.size());
            if (fresh) names_.push_back(name);
            if (entry->second < built_in) {
                throw std::invalid_argument("grammar feature '" + name +
                                            "' has the name of a built-in one; give the grammar a prefix");
            }
            indices.push_back(entry->second);
        }
    }
    set_weights({});
}

void FeatureSpace::set_weights(const std::vector<std::pair<std::string, double>>& weights) {
    weights_.assign(names_.size(), 0.0);
    for (const auto& [name, weight] : weights) {
        const auto found = numbers_.find(name);
        if (found == numbers_.end()) throw std::invalid_argument("unknown feature '" + name + "'");
        if (!std::isfinite(weight)) throw std::invalid_argument("the weight of '" + name + "' is not a finite number");
        weights_[found->second] = weight;
    }
    block_weights_.clear();
    for (const auto& indices : indices_) {
        std::vector<double>& block = block_weights_.emplace_back();
        for (const std::size_t index : indices) block.push_back(weights_[index]);
    }
}

double FeatureSpace::rule_score(std::size_t grammar, const float* values) const {
    const std::vector<double>& weights = block_weights_[grammar];
    double score = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) score += weights[i] * values[i];
    return score;
}

}  // namespace plainwright
