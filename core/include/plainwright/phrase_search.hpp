// Phrase-based search (Koehn, Och and Marcu, 2003): hypotheses grow from left to right in the output, and take phrases
// of the input in any order that the distortion limit allows.
//
// Hypotheses stand on stacks, by how many words of the input they cover. Those with the same words covered, the same
// end of their last phrase and the same language-model state recombine. What is still to be covered is estimated by
// the best phrases that could do it. The result is a hypergraph of the kind that parsing and cube pruning make: every
// step puts a phrase behind a hypothesis, as glue does.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "plainwright/chart_parser.hpp"
#include "plainwright/hypergraph.hpp"
#include "plainwright/rule_book.hpp"

namespace plainwright {

inline constexpr std::size_t kMostDistortion = 60;  // what lies ahead of the first gap has one bit for each word

struct PhraseSettings {
    std::size_t distortion_limit = 6;  // words between the end of one phrase and the start of the next; 0: monotone
    std::size_t phrase_options = 20;   // targets tried for each source phrase; 0: all
};

// Whether some rule of the grammar has a nonterminal in its source.
bool has_gaps(const Grammar& grammar);

class PhraseSearch {
 public:
    // `stack_limit` hypotheses of each stack are kept; 0 keeps all, which is exact.
    PhraseSearch(RuleBook& rules, const ParserSettings& parser, const PhraseSettings& settings, std::size_t stack_limit)
        : rules_(rules), parser_(parser), settings_(settings), stack_limit_(stack_limit) {}

    // Fills `graph`; every sentence has an output.
    void run(const Sentence& sentence, Hypergraph& graph);

 private:
    // Which words are translated: all before `gap`, not `gap` itself, and gap + 1 + i for each bit i of `ahead`.
    struct Coverage {
        std::uint32_t gap = 0;
        std::uint64_t ahead = 0;

        std::uint64_t bits(std::uint32_t begin, std::uint32_t end) const;
        bool free(std::uint32_t begin, std::uint32_t end) const { return (ahead & bits(begin, end)) == 0; }
        Coverage with(std::uint32_t begin, std::uint32_t end) const;
        bool operator==(const Coverage&) const = default;
    };
    struct State {
        Coverage coverage;
        std::uint32_t end = 0;  // of the last phrase
        LmState lm;
        bool operator==(const State&) const = default;
    };
    struct StateHash {
        std::size_t operator()(const State& state) const;
    };
    struct Hypothesis {
        State state;
        double score = 0;   // of its best derivation
        double future = 0;  // estimate for the words not covered
        ItemId item = kNone;
        double total() const { return comparable(score + future); }
    };
    struct Stack {
        std::vector<Hypothesis> hypotheses;
        std::unordered_map<State, std::size_t, StateHash> places;
        double worst_kept = -std::numeric_limits<double>::infinity();
        std::size_t next_count = 0;  // hypotheses at which worst_kept is found anew
    };
    // A target of a source phrase; the graph has an item for it.
    struct PhraseOption {
        const RuleList* list;
        std::uint32_t index;  // in the list
        ItemId item = kNone;
        const RuleOption& rule() const { return list->options[index]; }
    };

    void start(const Sentence& sentence, Hypergraph& graph);
    void find_phrases(std::size_t begin);
    void add_options(std::size_t begin, std::size_t end);
    void estimate_futures();
    double best_phrase(std::size_t begin, std::size_t length) const;
    double future(const Coverage& coverage) const;
    void extend(const Hypothesis& hypothesis, std::size_t covered);
    void extend_over(const Hypothesis& hypothesis, std::uint32_t begin, std::uint32_t end, Stack& stack);
    void place_behind(const Hypothesis& hypothesis, const PhraseOption& phrase, double step, Hypothesis& made) const;
    void add(const Hypothesis& before, const PhraseOption& phrase, const Hypothesis& made, Stack& stack);
    void keep_best(Stack& stack) const;
    void raise_threshold(Stack& stack) const;
    void add_goal(const Stack& last);
    double end_score(const LmState& state) const;
    ItemId add_item(NodeId node, double score);
    NodeId add_node(std::size_t begin, std::size_t end, LabelId label);
    std::uint32_t add_bundle(const RuleList& rules, NodeId head);
    void add_edge(ItemId item, std::uint32_t bundle, std::uint32_t option, std::array<ItemId, 2> tails, double score);

    RuleBook& rules_;
    ParserSettings parser_;
    PhraseSettings settings_;
    std::size_t stack_limit_;
    Hypergraph* graph_ = nullptr;
    std::vector<TokenId> tokens_;
    std::size_t longest_ = 1;                         // phrase that this sentence may have
    std::vector<std::vector<PhraseOption>> phrases_;  // best first, by begin, then length
    std::vector<SourceNode*> reading_;                // of each grammar
    std::vector<double> suffix_futures_;              // of all words from a place on
    std::vector<double> span_futures_;                // by begin, then length, of spans inside the distortion limit
    std::vector<NodeId> ends_;                        // nodes of hypotheses, by the end of their last phrase
    std::vector<Stack> stacks_;
    std::uint32_t first_glue_ = 0, next_glue_ = 0;  // bundles
    LabelId default_label_ = 0, glue_label_ = 0;
};

}  // namespace plainwright
