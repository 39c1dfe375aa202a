// Rules from aligned sentence pairs: phrase pairs, and hierarchical rules with up to two nonterminals (Chiang 2007).
//
// Every occurrence of a rule is one record of bytes that sorts by source, target, label. Records go into partitions,
// which move to unnamed files when they get too large; each partition is sorted and summed on its own, once by source
// and once by target, for the marginal counts of both. All counts are whole numbers, so nothing depends on the order
// of work: same text, same rules, whatever the memory and the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plainwright/aligner.hpp"
#include "plainwright/parallel_text.hpp"
#include "plainwright/span_labels.hpp"

namespace plainwright {

struct ExtractionOptions {
    std::size_t max_span = 10;     // words of an initial phrase, on either side
    std::size_t max_symbols = 5;   // words and nonterminals of a rule's source
    std::size_t nonterminals = 2;  // at most
    bool loose = false;            // whether phrases may begin and end with words that are not aligned
    bool adjacent = false;         // whether nonterminals may stand side by side in the source
    bool identity = true;          // whether rules that change nothing are written; they count in any case
    std::size_t min_count = 1;     // occurrences that a rule needs to be written
    std::size_t max_targets = 0;   // the most frequent rules of each source that are written; 0 for all
    std::size_t threads = 1;
    std::size_t memory = std::size_t{1} << 29;  // bytes of records before they move to files
    std::string directory = ".";                // for these files
    bool deletions = false;                     // whether runs of words that went become rules without a target
};

enum class LabelledSide { none, source, target };

struct ExtractionReport {
    std::uint64_t occurrences = 0;  // of rules
    std::uint64_t distinct = 0;
    std::uint64_t written = 0;
};

class RuleExtractor {
 public:
    RuleExtractor(std::size_t max_tokens, LabelledSide labelled);
    ~RuleExtractor();

    // `points` as in "0-0 1-2"; `analysis` is for the labelled side. Throws std::invalid_argument for what is wrong
    // with either.
    PairKind add(std::string_view source, std::string_view target, std::string_view points, std::string_view analysis);

    const ParallelText& text() const { return text_; }

    // Extracts, counts and sorts; `progress` gets the stage and how much of it is done, of how much. Throws
    // std::invalid_argument for options out of range, std::runtime_error if files cannot be written.
    ExtractionReport run(const ExtractionOptions& options,
                         const std::function<void(const char*, std::size_t, std::size_t)>& progress);

    // Up to `most` next rules as lines of PPDB text, without line ends; none at the end.
    std::vector<std::string> next(std::size_t most);

 private:
    struct Work;

    void drop_repeated_points();

    ParallelText text_;
    LabelledSide labelled_;
    LabelNames names_;
    std::vector<Point> points_;
    std::vector<std::uint64_t> point_starts_ = {0};
    std::vector<std::uint8_t> tags_;  // of the tokens of the labelled side
    std::vector<Constituent> constituents_;
    std::vector<std::uint64_t> constituent_starts_ = {0};
    std::unique_ptr<Work> work_;
};

}  // namespace plainwright
