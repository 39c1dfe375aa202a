// What one decoding thread knows of its grammars under fixed weights: words, labels and scored rules, kept between
// sentences. Numbers of words and labels depend on what was seen first, so no decision may look at their order.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plainwright/feature_space.hpp"
#include "plainwright/grammar.hpp"
#include "plainwright/hypergraph.hpp"
#include "plainwright/lm_scorer.hpp"

namespace plainwright {

// Numbers strings; a number's text stays where it is until clear().
class Interner {
 public:
    std::uint32_t intern(std::string_view text);
    std::string_view text(std::uint32_t number) const { return *texts_[number]; }
    std::size_t size() const { return texts_.size(); }
    void clear();

 private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<const std::string*> texts_;
};

class RuleBook {
 public:
    RuleBook(const FeatureSpace& features, const LanguageModel* lm) : features_(features), scorer_(lm) {
        link_grammars();
    }

    // Forgets everything once it has grown large; between sentences only.
    void trim();

    std::size_t grammars() const { return features_.grammars().size(); }
    const Grammar& grammar(std::size_t index) const { return *features_.grammars()[index].grammar; }
    const LmScorer& scorer() const { return scorer_; }
    const FeatureSpace& features() const { return features_; }

    TokenId token(std::string_view text);
    std::string_view token_text(TokenId token) const { return tokens_.text(token); }
    std::uint64_t token_hash(TokenId token) const { return token_hashes_[token]; }
    WordId lm_word(TokenId token) const { return lm_words_[token]; }

    LabelId label(std::string_view text) { return labels_.intern(text); }
    std::string_view label_text(LabelId label) const { return labels_.text(label); }
    std::size_t labels() const { return labels_.size(); }
    // The grammar's symbol for a label, or kNoSymbol.
    Symbol symbol(std::size_t grammar, LabelId label);
    LabelId label_of(std::size_t grammar, Symbol symbol);

    // The rules whose source side ends at a node of the trie, one list for each label.
    const std::vector<RuleList>& rules(std::size_t grammar, TrieNode node);
    const RuleList& identity(TokenId token, bool unknown, LabelId label);
    const RuleList& glue(std::uint32_t rule) const { return built_in_[rule]; }

    // Words of a token sequence as the language model sees them.
    double lm_score(std::span<const TokenId> tokens) const;

 private:
    struct Links {
        std::vector<TokenId> tokens;  // by terminal
        std::vector<LabelId> labels;  // by -1 - symbol
        std::vector<Symbol> symbols;  // by label
        std::unordered_map<TrieNode, std::vector<RuleList>> rules;
    };

    void link_grammars();
    TokenId token_of(std::size_t grammar, Symbol terminal);
    RuleOption option(std::size_t grammar, const RuleView& rule);
    void add_language_model(RuleOption& option) const;
    std::span<const std::int32_t> keep_target(std::span<const std::int32_t> target);
    RuleList built_in(std::uint32_t rule, std::span<const std::int32_t> target, double score);

    const FeatureSpace& features_;
    LmScorer scorer_;
    Interner tokens_, labels_;
    std::vector<std::uint64_t> token_hashes_;
    std::vector<WordId> lm_words_;
    std::vector<Links> links_;
    std::vector<RuleList> built_in_;
    std::unordered_map<std::uint64_t, RuleList> identities_;
    std::vector<std::unique_ptr<std::int32_t[]>> target_blocks_;
    std::size_t block_used_ = 0, block_size_ = 0;
    std::vector<float> values_;
    std::vector<std::int32_t> target_;
    std::size_t options_ = 0;
};

}  // namespace plainwright
