// Alignment and extraction: small texts by hand, damaged input, files instead of memory.
#include <stdexcept>
#include <string>
#include <vector>

#include "../src/diagonal.hpp"
#include "../src/pair_rules.hpp"
#include "check.hpp"
#include "plainwright/aligner.hpp"
#include "plainwright/extractor.hpp"

using namespace plainwright;

namespace {

template <typename Call>
bool refuses(Call&& call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void symbols_keep_their_order() {
    std::string before;
    for (const Symbol symbol :
         {0U, 1U, 127U, 128U, 16383U, 16384U, 2097151U, 2097152U, 268435455U, 268435456U, 0x80000000U, 0xffffffffU}) {
        std::string bytes;
        append_symbol(bytes, symbol);
        std::size_t at = 0;
        CHECK(read_symbol(bytes, at) == symbol);
        CHECK(at == bytes.size());
        CHECK(symbol == 0 || before < bytes);
        before = bytes;
    }
}

void diagonal_equals_its_definition() {
    const double tension = 3.5;
    const Diagonal diagonal(tension, 9);
    for (std::size_t m = 1; m <= 9; ++m) {
        for (std::size_t n = 1; n <= 9; ++n) {
            for (std::size_t j = 1; j <= n; ++j) {
                double total = 0, moment = 0;
                for (std::size_t i = 1; i <= m; ++i) {
                    const double distance = std::fabs(static_cast<double>(j) / static_cast<double>(n) -
                                                      static_cast<double>(i) / static_cast<double>(m));
                    const double weight = std::exp(-tension * distance);
                    CHECK(std::fabs(diagonal.slope(i, m, n)(j) - weight) < 1e-12);
                    total += weight;
                    moment += weight * distance;
                }
                CHECK(std::fabs(diagonal.total(j, m, n) - total) < 1e-12);
                CHECK(std::fabs(diagonal.expected_distance(j, m, n) - moment / total) < 1e-12);
            }
        }
    }
}

void words_find_each_other() {
    ParallelText text(10);
    CHECK(text.add("das haus", "the house") == PairKind::kept);
    CHECK(text.add("das buch", "the book") == PairKind::kept);
    CHECK(text.add("ein buch", "a book") == PairKind::kept);
    CHECK(text.add("", "x") == PairKind::empty);
    CHECK(text.add("a b c d e f g h i j k", "x") == PairKind::too_long);
    DirectionReport report;
    const Links links = align_direction(text.source(), text.target(), {}, nullptr, nullptr, report, {});
    CHECK((links == Links{0, 1, 0, 1, 0, 1}));
    CHECK(report.log_likelihoods.size() == 5);
    AlignerOptions bad;
    bad.iterations = 0;
    CHECK(refuses([&] { align_direction(text.source(), text.target(), bad, nullptr, nullptr, report, {}); }));
    CHECK(refuses([] { ParallelText(0); }));
}

std::vector<std::string> rules(std::size_t memory, std::size_t threads) {
    RuleExtractor extractor(100, LabelledSide::target);
    CHECK(extractor.add("the big dog", "the large dog", "0-0 1-1 2-2", "DT JJ NN\t0-3:NP") == PairKind::kept);
    CHECK(extractor.add("the dog", "the dog", "0-0 1-1", "DT NN\t0-2:NP") == PairKind::kept);
    ExtractionOptions options;
    options.memory = memory;
    options.threads = threads;
    extractor.run(options, {});
    std::vector<std::string> all;
    for (auto some = extractor.next(3); !some.empty(); some = extractor.next(3)) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void rules_do_not_depend_on_memory_and_threads() {
    const std::vector<std::string> all = rules(std::size_t{1} << 20, 1);
    CHECK(all == rules(1, 3));
    CHECK(all.front().starts_with("[JJ] ||| big ||| large ||| Lex(e|f)=0 "));
    bool found = false;
    for (const std::string& line : all) found |= line.starts_with("[NP] ||| the [JJ,1] dog ||| the [JJ,1] dog |||");
    CHECK(found);
}

void damaged_input_is_refused() {
    RuleExtractor extractor(100, LabelledSide::source);
    for (const char* points : {"0", "0-", "-0", "0-1", "1-0", "0-0x", "99999-0", "0-0-0"}) {
        CHECK(refuses([&] { extractor.add("a", "b", points, "NN"); }));
    }
    for (const char* analysis : {"", "NN NN", "NN\t0-2:NP", "NN\t0-0:NP", "NN\t0:NP", "NN\t0-1", "N[N", "NN\t0-1:"}) {
        CHECK(refuses([&] { extractor.add("a", "b", "0-0", analysis); }));
    }
}

}  // namespace

int main() {
    symbols_keep_their_order();
    diagonal_equals_its_definition();
    words_find_each_other();
    rules_do_not_depend_on_memory_and_threads();
    damaged_input_is_refused();
}
