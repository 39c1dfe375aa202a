// Packing, opening and asking a grammar; damaged files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "../src/grammar_format.hpp"
#include "check.hpp"
#include "plainwright/grammar.hpp"
#include "plainwright/grammar_builder.hpp"

using namespace plainwright;

namespace {

const char* const kLines =
    "[NN] ||| the purchase of [NP,1] ||| buying [NP,1] ||| p(e|f)=1.5 Identity=0 ||| 1-0 3-1\n"
    "[NN] ||| purchase ||| buy ||| p(e|f)=0.25 Identity=0 ||| 0-0\n"
    "[VB] ||| purchase ||| buy ||| p(e|f)=0.75 Identity=0 ||| 0-0\n"
    "[NN] ||| purchase ||| purchase ||| Identity=1 ||| 0-0\n"
    "[NN] ||| rather ||| ||| Identity=0 p(e|f)=NA ||| \n"
    "[S/PP] ||| [NP,2] of [VP,1] ||| [VP,1] 's [NP,2] ||| p(e|f)=-2e-3 ||| 0-2 2-0 ||| Equivalence";

// The line with an empty target needs its two spaces; the editor above must not hide them.
std::string lines() {
    std::string text = kLines;
    const std::string short_form = "rather ||| ||| ";
    return text.replace(text.find(short_form), short_form.size(), "rather |||  ||| ");
}

TrieNode walk(const Grammar& grammar, const std::vector<Symbol>& symbols) {
    TrieNode node = 0;
    for (const Symbol symbol : symbols) node = node == kNoNode ? kNoNode : grammar.child(node, symbol);
    return node;
}

std::string target_text(const Grammar& grammar, const RuleView& rule) {
    std::string out;
    for (const Symbol symbol : rule.target) {
        out += symbol >= 0 ? std::string(grammar.text(symbol)) : std::to_string(symbol);
        out += ' ';
    }
    return out;
}

void test_lookup() {
    const MemoryGrammar grammar(lines());
    CHECK(grammar.size() == 6);
    const TrieNode node = walk(grammar, {grammar.terminal("purchase")});
    const auto [first, last] = grammar.rules(node);
    CHECK(last - first == 3);
    CHECK(grammar.text(grammar.rule(first).lhs) == "NN" && grammar.text(grammar.rule(first + 2).lhs) == "VB");
    CHECK(target_text(grammar, grammar.rule(first)) == "buy ");
    CHECK(grammar.terminal("sale") == kNoSymbol && grammar.label("XX") == kNoSymbol);
    CHECK(grammar.child(0, kNoSymbol) == kNoNode && grammar.child(kNoNode, 0) == kNoNode);
    CHECK(grammar.text(kNoSymbol).empty() && grammar.text(1 << 30).empty());
    CHECK(grammar.rules(walk(grammar, {grammar.terminal("the")})).first ==
          grammar.rules(walk(grammar, {grammar.terminal("the")})).second);
}

void test_nonterminals_are_numbered_by_source_order() {
    const MemoryGrammar grammar(lines());
    const auto labels = grammar.children(0).labels;
    CHECK(labels.size() == 1 && grammar.text(labels[0]) == "NP");
    const auto [of, words, first] = grammar.children(grammar.child(0, labels[0]));
    CHECK(of.empty() && words.size() == 1 && first == walk(grammar, {labels[0], grammar.terminal("of")}));
    const TrieNode node = walk(grammar, {grammar.label("NP"), grammar.terminal("of"), grammar.label("VP")});
    const RuleView rule = grammar.rule(grammar.rules(node).first);
    CHECK(target_text(grammar, rule) == "-2 's -1 ");
    CHECK(grammar.text(rule.lhs) == "S/PP" && grammar.entailment(rule.number) == "Equivalence");
    std::string line;
    grammar.append_line(rule.number, line);
    CHECK(line == "[S/PP] ||| [NP,1] of [VP,2] ||| [VP,2] 's [NP,1] ||| p(e|f)=-0.002 ||| 0-2 2-0 ||| Equivalence");
}

void test_missing_values_are_features_of_their_own() {
    const MemoryGrammar grammar(lines());
    CHECK(grammar.feature_count() == 4);
    CHECK(grammar.feature_name(0) == "p(e|f)" && grammar.feature_name(1) == "Identity");
    CHECK(grammar.feature_name(2) == "p(e|f)?missing" && grammar.feature_name(3) == "Identity?missing");
    const auto values = [&](std::vector<Symbol> source, std::uint32_t offset) {
        std::vector<float> found(4);
        grammar.features(grammar.rules(walk(grammar, source)).first + offset, found.data());
        return found;
    };
    const Symbol purchase = grammar.terminal("purchase"), rather = grammar.terminal("rather");
    CHECK((values({purchase}, 0) == std::vector<float>{0.25F, 0, 0, 0}));
    CHECK((values({purchase}, 1) == std::vector<float>{0, 1, 1, 0}));  // not named
    CHECK((values({rather}, 0) == std::vector<float>{0, 0, 1, 0}));    // NA
    CHECK(grammar.rule(grammar.rules(walk(grammar, {rather})).first).target.empty());
}

void test_malformed_lines_are_refused_and_leave_no_trace() {
    GrammarBuilder builder, clean;
    const char* const wrong[] = {
        "",
        "[X] ||| a ||| b ||| F=1",
        "[X] ||| a ||| b ||| F=1 |||  ||| E ||| E",
        "X ||| a ||| b ||| F=1 ||| ",
        "[X] |||  ||| b ||| F=1 ||| ",
        "[X] ||| a  b ||| b ||| F=1 ||| ",
        "[X] ||| a ||| ||| F=1 ||| ",
        "[X] ||| [A,1] ||| b ||| F=1 ||| ",
        "[X] ||| a ||| [A,1] ||| F=1 ||| ",
        "[X] ||| [A,1] ||| [B,1] ||| F=1 ||| ",
        "[X] ||| [A,3] ||| [A,3] ||| F=1 ||| ",
        "[X] ||| [A,1] [B,1] ||| [A,1] ||| F=1 ||| ",
        "[X] ||| a ||| b ||| F ||| ",
        "[X] ||| a ||| b ||| =1 ||| ",
        "[X] ||| a ||| b ||| F=one ||| ",
        "[X] ||| a ||| b ||| F=nan ||| ",
        "[X] ||| a ||| b ||| F=1e39 ||| ",
        "[X] ||| a ||| b ||| G=1 G=1 ||| ",
        "[X] ||| a ||| b ||| F=1 ||| 0-1",
        "[X] ||| a ||| b ||| F=1 ||| 0",
        "[X] ||| a ||| \xff ||| F=1 ||| ",
    };
    for (const char* line : wrong) CHECK(builder.add(line) != nullptr);
    const char* const right = "[X] ||| a ||| b ||| F=1 ||| 0-0";
    CHECK(builder.add(right) == nullptr && clean.add(right) == nullptr);
    std::size_t size = 0, clean_size = 0;
    CHECK(builder.finish(size) == clean.finish(clean_size) && size == clean_size);
}

// 2,000 rules with as many different values in 8 bits: within half a step of the grid.
void test_grid() {
    GrammarBuilder builder(8);
    std::vector<float> given;
    for (int i = 0; i < 2000; ++i) {
        given.push_back(static_cast<float>(std::sqrt(i)));
        char line[100];
        std::snprintf(line, sizeof line, "[X] ||| w%04d ||| v ||| root=%.6f count=%d ||| ", i, given.back(), i % 7);
        CHECK(builder.add(line) == nullptr);
    }
    std::size_t size = 0;
    std::vector<std::uint64_t> packed = builder.finish(size);
    const MemoryGrammar grammar(std::move(packed), size);
    CHECK(!grammar.storage(0).exact && grammar.storage(0).bits == 8 && grammar.storage(1).exact);
    for (std::uint32_t i = 0; i < 2000; ++i) {
        float values[2];
        grammar.features(i, values);
        CHECK(std::abs(values[0] - given[i]) <= grammar.storage(0).step / 2 + 1e-5);
        CHECK(values[1] == static_cast<float>(i % 7));
    }
}

void test_empty_grammar() {
    const MemoryGrammar grammar("");
    CHECK(grammar.size() == 0 && grammar.child(0, 0) == kNoNode && grammar.feature_count() == 0);
    CHECK(grammar.rules(0) == std::pair(0U, 0U));
    CHECK(grammar.children(0).labels.empty() && grammar.children(0).words.empty());
}

// Uses everything a file can offer; whatever it holds, this must end, in an answer or in GrammarError.
void use(const PackedGrammar& grammar) {
    std::vector<float> values(grammar.feature_count());
    std::vector<TrieNode> stack = {0};
    for (std::size_t steps = 0; !stack.empty() && steps < 1000; ++steps) {
        const TrieNode node = stack.back();
        stack.pop_back();
        for (const Symbol label : grammar.children(node).labels) stack.push_back(grammar.child(node, label));
        for (Symbol word = 0; word < static_cast<Symbol>(grammar.words()); ++word) {
            const TrieNode child = grammar.child(node, word);
            if (child != kNoNode) stack.push_back(child);
        }
    }
    for (std::uint32_t rule = 0; rule < grammar.size() && rule < 1000; ++rule) {
        std::string line;
        grammar.append_line(rule, line);
        grammar.features(rule, values.data());
    }
}

bool opens(std::vector<std::uint64_t> packed, std::size_t size) {
    try {
        use(MemoryGrammar(std::move(packed), size));
        return true;
    } catch (const GrammarError&) {
        return false;
    }
}

std::vector<std::uint64_t> pack(std::size_t& size) {
    GrammarBuilder builder;
    std::string text = lines();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        CHECK(builder.add(std::string_view(text).substr(begin, end - begin)) == nullptr);
        begin = end + 1;
    }
    return builder.finish(size);
}

void test_every_flipped_bit_is_noticed() {
    std::size_t size = 0;
    const std::vector<std::uint64_t> packed = pack(size);
    CHECK(opens(packed, size));
    for (std::size_t bit = 0; bit < size * 8; ++bit) {
        std::vector<std::uint64_t> copy = packed;
        copy[bit / 64] ^= std::uint64_t{1} << (bit % 64);
        CHECK(!opens(copy, size));
    }
    for (std::size_t shorter = 0; shorter < size; ++shorter) CHECK(!opens(packed, shorter));
}

void repair(std::vector<std::uint64_t>& packed, std::size_t size) {
    auto* bytes = reinterpret_cast<unsigned char*>(packed.data());
    grammar_format::Header header;
    std::memcpy(&header, bytes, sizeof header);
    header.checksum = grammar_format::checksum(bytes + sizeof header, size - sizeof header);
    header.header_checksum = grammar_format::checksum(&header, offsetof(grammar_format::Header, header_checksum));
    std::memcpy(bytes, &header, sizeof header);
}

// With `value` at the start of a section, and right checksums.
template <typename Value>
bool opens_with(grammar_format::SectionName section, std::size_t at, Value value) {
    std::size_t size = 0;
    std::vector<std::uint64_t> packed = pack(size);
    grammar_format::Header header;
    std::memcpy(&header, packed.data(), sizeof header);
    CHECK(header.sections[section].size >= at + sizeof value);
    std::memcpy(reinterpret_cast<char*>(packed.data()) + header.sections[section].offset + at, &value, sizeof value);
    repair(packed, size);
    return opens(packed, size);
}

void test_texts_and_numbers_that_no_line_can_have_are_refused() {
    using namespace grammar_format;
    for (const SectionName texts : {kWordBytes, kLabelBytes, kNameBytes}) {
        CHECK(opens_with(texts, 0, 'x'));
        for (const char bad : {'\xff', '\x80', '\0', '\r', '\n', ' '}) CHECK(!opens_with(texts, 0, bad));
    }
    for (const SectionName texts : {kAlignmentBytes, kEntailmentBytes}) {
        CHECK(opens_with(texts, 0, ' '));
        for (const char bad : {'\xff', '\0', '\n'}) CHECK(!opens_with(texts, 0, bad));
    }
    CHECK(opens_with(kTables, 0, 2.5F));
    CHECK(!opens_with(kTables, 0, std::nanf("")));
    CHECK(!opens_with(kTables, 0, -INFINITY));
}

void test_sides_have_a_limit() {
    const auto rule = [](std::size_t source, std::size_t target) {
        std::string line = "[X] |||";
        for (std::size_t i = 0; i < source; ++i) line += " a";
        line += " |||";
        for (std::size_t i = 0; i < target; ++i) line += " b";
        return line + " ||| p=1 ||| ";
    };
    GrammarBuilder builder;
    CHECK(builder.add(rule(300, 300)) == nullptr);
    CHECK(builder.add(rule(301, 1)) != nullptr && builder.add(rule(1, 301)) != nullptr);
    CHECK(builder.add("[X] ||| b ||| a ||| p=1 ||| ") == nullptr);
    std::size_t size = 0;
    std::vector<std::uint64_t> packed = builder.finish(size);
    CHECK(opens(packed, size));
    // All nodes in one chain, which is longer than a side.
    grammar_format::Header header;
    std::memcpy(&header, packed.data(), sizeof header);
    CHECK(header.nodes == 302);
    auto* first_child = reinterpret_cast<char*>(packed.data()) + header.sections[grammar_format::kFirstChild].offset;
    for (std::uint32_t node = 0; node < header.nodes; ++node) {
        const std::uint32_t next = node + 1;
        std::memcpy(first_child + node * sizeof next, &next, sizeof next);
    }
    repair(packed, size);
    CHECK(!opens(packed, size));
}

// A forger repairs the checksums, so the checks behind them must hold.
void test_forged_files_never_crash() {
    std::size_t size = 0;
    const std::vector<std::uint64_t> packed = pack(size);
    std::mt19937_64 random(7);
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::uint64_t> copy = packed;
        auto* bytes = reinterpret_cast<unsigned char*>(copy.data());
        for (int change = 0; change < 1 + round % 4; ++change) {
            const std::size_t at = random() % (size / 4) * 4;
            const std::uint32_t values[] = {0, 1, 0xffffffffU, 0x7fffffffU, static_cast<std::uint32_t>(random() % 64)};
            std::memcpy(bytes + at, &values[random() % 5], 4);
        }
        repair(copy, size);
        opens(std::move(copy), size);
    }
}

}  // namespace

int main() {
    test_lookup();
    test_nonterminals_are_numbered_by_source_order();
    test_missing_values_are_features_of_their_own();
    test_malformed_lines_are_refused_and_leave_no_trace();
    test_grid();
    test_empty_grammar();
    test_every_flipped_bit_is_noticed();
    test_texts_and_numbers_that_no_line_can_have_are_refused();
    test_sides_have_a_limit();
    test_forged_files_never_crash();
    std::puts("grammar: all passed");
}
