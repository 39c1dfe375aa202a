// Synchronous grammars as the decoder sees them: a trie over source sides, rules at its nodes, dense features.
//
// `PackedGrammar` reads one memory-mapped file that `GrammarBuilder` wrote; nothing is parsed or copied when it is
// opened, and processes share its pages. `MemoryGrammar` is the same over memory, for tests and small hand-made
// grammars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plainwright {

using Symbol = std::int32_t;  // terminals >= 0, numbers in this grammar's vocabulary; labels < 0: -1 - label number
inline constexpr Symbol kNoSymbol = INT32_MIN;
using TrieNode = std::uint32_t;  // 0 is the root
inline constexpr TrieNode kNoNode = 0xffffffffU;

// A file that is damaged, truncated, foreign or of another version.
struct GrammarError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct RuleView {          // points into the file or memory; valid while the grammar lives
    std::uint32_t number;  // stable number of the rule in this grammar
    Symbol lhs;            // a label (< 0)
    std::span<const std::int32_t>
        target;  // terminal >= 0, or -1 / -2: the first / second nonterminal of the SOURCE side
};

// What can be read next at a node; the child for the i-th of labels and words together is first + i.
struct TrieChildren {
    std::span<const Symbol> labels, words;  // each rising
    TrieNode first = kNoNode;
};

class Grammar {
 public:
    virtual ~Grammar() = default;
    virtual Symbol terminal(std::string_view text) const = 0;  // kNoSymbol if the grammar has no such word
    virtual Symbol label(std::string_view text) const = 0;
    virtual std::string_view text(Symbol symbol) const = 0;          // empty for an unknown symbol
    virtual TrieNode child(TrieNode node, Symbol symbol) const = 0;  // kNoNode if none; nonterminals by label
    virtual TrieChildren children(TrieNode node) const = 0;
    virtual std::vector<bool> gap_labels() const = 0;  // by label number: whether a source side has such a gap
    virtual std::pair<std::uint32_t, std::uint32_t> rules(TrieNode node) const = 0;  // [first, last) that end here
    virtual RuleView rule(std::uint32_t number) const = 0;
    virtual std::size_t feature_count() const = 0;  // dense features of this grammar
    virtual std::string_view feature_name(std::size_t i) const = 0;
    virtual void features(std::uint32_t number, float* values) const = 0;  // unweighted, feature_count() values
};

// How one feature is stored.
struct FeatureStorage {
    bool exact;              // every value is in a table; otherwise values lie on an even grid
    std::uint32_t bits;      // of each rule's record
    std::uint32_t distinct;  // values of the table or points of the grid
    float low;               // smallest value
    double step;             // of the grid; a value is off by at most half of it; 0 if exact
    bool has_missing;        // some rule lacks a value
};

namespace grammar_format {
struct Layout;
}
class MappedFile;

// The file: see grammar_format.hpp. Features come first in the order in which the text named them; then, for each
// that some rule lacks, "NAME?missing", which is 1 for those rules (the feature itself is 0 there) and 0 for others.
class PackedGrammar : public Grammar {
 public:
    // Throws GrammarError, or std::system_error if the file cannot be read. `verify` compares the checksum of the
    // whole file and every rule's shape; without it only the header and the tables are checked.
    static std::unique_ptr<PackedGrammar> open(const std::string& path, bool verify = true);
    ~PackedGrammar() override;
    PackedGrammar(const PackedGrammar&) = delete;
    PackedGrammar& operator=(const PackedGrammar&) = delete;

    Symbol terminal(std::string_view text) const override;
    Symbol label(std::string_view text) const override;
    std::string_view text(Symbol symbol) const override;
    TrieNode child(TrieNode node, Symbol symbol) const override;
    TrieChildren children(TrieNode node) const override;
    std::vector<bool> gap_labels() const override;
    std::pair<std::uint32_t, std::uint32_t> rules(TrieNode node) const override;
    RuleView rule(std::uint32_t number) const override;  // throws GrammarError for a number or record out of range
    std::size_t feature_count() const override;
    std::string_view feature_name(std::size_t i) const override;
    void features(std::uint32_t number, float* values) const override;

    std::size_t size() const;  // rules
    std::size_t nodes() const;
    std::size_t words() const;
    std::size_t labels() const;
    std::size_t bytes() const;
    std::size_t record_bytes() const;
    std::size_t stored_features() const;  // without "?missing"
    FeatureStorage storage(std::size_t feature) const;
    std::string_view label_text(std::size_t number) const;

    TrieNode node_of(std::uint32_t number) const;                    // where the rule's source ends
    std::vector<Symbol> source(std::uint32_t number) const;          // from the root to that node
    std::string_view alignment(std::uint32_t number) const;          // "0-0 1-1", as it was given
    std::string_view entailment(std::uint32_t number) const;         // empty in PPDB 1.0
    void append_line(std::uint32_t number, std::string& out) const;  // PPDB text, without line end

 protected:
    PackedGrammar();
    void attach(const unsigned char* data, std::size_t size, bool verify);

 private:
    std::unique_ptr<const MappedFile> file_;  // none if the grammar is in memory
    std::unique_ptr<grammar_format::Layout> layout_;
    bool verified_ = false;  // otherwise the shapes of rules are checked when they are asked for
};

// A grammar from lines of PPDB text.
class MemoryGrammar : public PackedGrammar {
 public:
    // Throws std::invalid_argument, with the line number, for a malformed line.
    explicit MemoryGrammar(std::string_view lines);
    // Takes the bytes of a packed file; throws GrammarError.
    explicit MemoryGrammar(std::vector<std::uint64_t> packed, std::size_t size);

 private:
    std::vector<std::uint64_t> packed_;
};

}  // namespace plainwright
