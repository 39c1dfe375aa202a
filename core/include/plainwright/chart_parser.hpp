// CKY+ parsing (Chappelier and Rajman, 1998) over the source tries of one or several grammars.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plainwright/hypergraph.hpp"
#include "plainwright/rule_book.hpp"

namespace plainwright {

struct LabelledSpan {
    std::uint32_t begin, end;
    std::string label;
};

struct Sentence {
    std::vector<std::string_view> tokens;
    std::vector<LabelledSpan> analysis;  // may be empty
};

struct ParserSettings {
    std::size_t span_limit = 20;  // of a rule's source; glue rules have none
    std::size_t unary_limit = 3;  // rules that rename a whole span may follow one another so often
    std::string default_label = "X";
    bool longest_match = false;  // where a phrase of a grammar stands, no rule applies to a part of it
    bool strict_labels = false;  // rules with another label apply only where the input's own analysis has that label
};

// Fills the parse layer of `graph`: every node has a bundle, and the groups are in the order they can be searched in.
class ChartParser {
 public:
    ChartParser(RuleBook& rules, const ParserSettings& settings) : rules_(rules), settings_(settings) {}

    void parse(const Sentence& sentence, Hypergraph& graph);

 private:
    // A rule's source side read up to some point.
    struct Dot {
        SourceNode* node;
        std::array<NodeId, 2> tails;
        std::uint8_t grammar;
        std::uint8_t tails_read;
    };
    // Nodes are those that larger spans may use, one for each label. Words that stay as they are fill gaps for the
    // labels that the analysis gives them; glue puts them side by side by their default label, so never by these.
    // Dots that cannot go on are not kept.
    struct Cell {
        std::vector<NodeId> nodes;
        std::vector<NodeId> kept;          // one for each label of the analysis that fills gaps
        NodeId kept_words = kNone;         // what these are made of
        std::uint64_t label_bits = 0;      // of nodes and kept
        std::vector<Dot> read_next_token;  // have read the token after the cell already
        std::vector<Dot> expect_phrase;
    };
    struct LabelSlot {
        std::uint64_t stamp = 0;
        NodeId node = 0;
    };

    void start(const Sentence& sentence, Hypergraph& graph);
    void cast_shadows();
    void parse_cell(std::size_t begin, std::size_t end);
    void read_token(std::size_t begin, std::size_t end);
    void read_phrases(std::size_t begin, std::size_t end);
    void read_phrase(const Dot& dot, const Cell& phrases, std::size_t begin, std::size_t end);
    void read_first_phrase(std::size_t begin, std::size_t end);
    void complete(const Dot& dot, std::size_t begin, std::size_t end);
    void keep(const Dot& dot, std::size_t begin, std::size_t end);
    void add_identity(std::size_t begin);
    void want_kept();
    void keep_words(std::size_t begin, std::size_t end);
    void keep_labelled(std::size_t begin, std::size_t end, LabelId label);
    void add_kept_bundle(NodeId head, std::size_t begin, std::size_t end);
    NodeId new_node(LabelId label, std::size_t begin, std::size_t end);
    void rename(std::size_t begin, std::size_t end);
    void rename_level(std::size_t first, std::size_t last);
    void gather_levels(std::size_t first, std::size_t begin, std::size_t end);
    void add_glue(std::size_t end);
    void add_goal(std::size_t length);

    void open_group();
    void close_group();
    NodeId node_for(LabelId label, std::size_t begin, std::size_t end);
    void add_bundle(const RuleList& rules, NodeId head, NodeId first, NodeId second);
    bool agrees(LabelId label, std::size_t begin, std::size_t end) const;
    bool allowed(LabelId label, std::size_t begin, std::size_t end) const;
    bool shadowed(std::size_t begin, std::size_t end) const;
    NodeId labelled(const std::vector<NodeId>& nodes, LabelId label) const;
    Cell& cell(std::size_t begin, std::size_t end) { return cells_[begin * width_ + end - begin]; }

    RuleBook& rules_;
    ParserSettings settings_;
    Hypergraph* graph_ = nullptr;
    std::size_t width_ = 0;
    std::vector<Cell> cells_;                   // by begin, then length; length 0 holds the dots of nothing read
    std::vector<std::vector<Symbol>> symbols_;  // of the tokens, for each grammar
    std::vector<TokenId> tokens_;
    std::vector<bool> unknown_;
    std::vector<NodeId> prefix_;  // glue's node for the first tokens
    struct Analysed {
        std::uint32_t begin, end;
        LabelId label;
        auto operator<=>(const Analysed&) const = default;
    };
    std::vector<Analysed> analysis_;  // sorted
    std::vector<bool> wanted_;        // entries of analysis_ whose label fills gaps; empty: none does
    std::vector<std::size_t> reach_;  // for each token, the end of the longest wanted span of several that begins there
    std::vector<LabelId> kept_labels_;
    bool several_ = false;          // tokens in some wanted span
    std::vector<bool> shadowed_;    // spans inside a longer phrase, by begin, then length; empty unless asked for
    std::vector<LabelSlot> slots_;  // node of each label in the open group
    std::uint64_t stamp_ = 0;
    LabelId default_label_ = 0, glue_label_ = 0;
};

}  // namespace plainwright
