// What one decoding thread knows of its grammars under fixed weights: words, labels and scored rules, kept between
// sentences. Numbers of words and labels depend on what was seen first, so no decision may look at their order.
#pragma once

#include <deque>
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

// A node of a grammar's trie that parsing has reached: what the file says of it, gathered once.
struct SourceNode {
    TrieNode number = kNoNode;
    TrieChildren next;
    std::unique_ptr<SourceNode*[]> children;  // of next, null where not yet reached
    std::uint64_t label_bits = 0;             // of next.labels, see label_bit()
    bool has_rules = false;
    bool rules_read = false;
    std::vector<RuleList> rules;  // that end here, one list for each label; use RuleBook::rules
};

// Two sets of labels whose bits do not meet have no label in common.
inline std::uint64_t label_bit(LabelId label) { return std::uint64_t{1} << (label % 64); }

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
    // The grammar's symbols for a label and a token, or kNoSymbol.
    Symbol symbol(std::size_t grammar, LabelId label);
    Symbol word_symbol(std::size_t grammar, TokenId token);
    LabelId label_of(std::size_t grammar, Symbol symbol);
    // Whether a rule of some grammar has a gap for phrases with this label.
    bool fills_gaps(LabelId label);

    // Where a source side leads that starts with a token or label, or goes on with a symbol; null if nowhere.
    SourceNode* first_word(std::size_t grammar, TokenId token);
    SourceNode* first_label(std::size_t grammar, LabelId label);
    SourceNode* next_word(std::size_t grammar, SourceNode& node, Symbol word);
    SourceNode* next_label(std::size_t grammar, SourceNode& node, Symbol label);
    // The child for the `index`-th of a node's labels and words.
    SourceNode* child_at(std::size_t grammar, SourceNode& node, std::size_t index) {
        if (node.children != nullptr && node.children[index] != nullptr) return node.children[index];
        return reach(grammar, node, index);
    }

    // The rules whose source side ends at a node, one list for each label.
    const std::vector<RuleList>& rules(std::size_t grammar, SourceNode& node) {
        if (!node.rules_read) read_rules(grammar, node);
        return node.rules;
    }
    const RuleList& identity(TokenId token, bool unknown, LabelId label);
    const RuleList& glue(std::uint32_t rule) const { return built_in_[rule]; }

    // Words of a token sequence as the language model sees them.
    double lm_score(std::span<const TokenId> tokens) const;

 private:
    struct Start {
        bool asked = false;
        Symbol symbol = kNoSymbol;
        SourceNode* node = nullptr;  // at the first step from the root
    };
    struct Links {
        std::vector<TokenId> tokens;     // by terminal
        std::vector<LabelId> labels;     // by -1 - symbol
        std::vector<Start> label_start;  // by label
        std::vector<Start> word_start;   // by token
        std::vector<bool> gaps;          // by -1 - symbol; empty until somebody asks
        std::deque<SourceNode> nodes;
    };

    void link_grammars();
    TokenId token_of(std::size_t grammar, Symbol terminal);
    const Start& label_start(std::size_t grammar, LabelId label);
    const Start& word_start(std::size_t grammar, TokenId token);
    void fill(std::size_t grammar, Start& start, Symbol symbol);
    SourceNode* reach(std::size_t grammar, SourceNode& parent, std::size_t index);
    SourceNode* add_source_node(std::size_t grammar, TrieNode number);
    void read_rules(std::size_t grammar, SourceNode& node);
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
    std::size_t options_ = 0, trie_bytes_ = 0;
};

}  // namespace plainwright
