#include "grammar_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plainwright/grammar_text.hpp"
#include "plainwright/unicode.hpp"

namespace plainwright::grammar_format {

namespace {

// Texts as lines of rules may have them, so that a line made of them can be read again; a word is no empty text and
// has no space in it.
void check_texts(const Texts& texts, bool words) {
    const std::string_view all(texts.bytes, texts.offsets.back());
    const auto has = [&](char c) { return all.find(c) != all.npos; };
    require(is_utf8(all) && !has('\0') && !has('\r') && !has('\n') && !(words && has(' ')), "a table of texts");
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string_view text = texts[i];
        require(text.size() <= kMaxRuleLine && !(words && (text.empty() || text == "|||")), "a table of texts");
        require(text.empty() || (text.front() & 0xc0) != 0x80, "a table of texts");  // not within a character
    }
}

bool rises(std::span<const std::uint32_t> numbers, std::uint64_t last) {
    return std::is_sorted(numbers.begin(), numbers.end()) && !numbers.empty() && numbers.back() == last;
}

}  // namespace

void Layout::check_header() {
    if (available < sizeof kMagic || std::memcmp(data, kMagic, sizeof kMagic) != 0) {
        throw GrammarError("not a packed grammar");
    }
    require(available >= sizeof(Header), "the file is truncated");
    std::memcpy(&header, data, sizeof header);
    if (header.byte_order != kByteOrder)
        throw GrammarError("packed on a machine with another byte order; pack it here");
    if (header.version != kVersion) {
        throw GrammarError("a packed grammar of version " + std::to_string(header.version) + ", this program reads " +
                           std::to_string(kVersion) + "; pack it again");
    }
    require(header.header_checksum == checksum(&header, offsetof(Header, header_checksum)),
            "the header's checksum differs");
    require(header.file_size == available,
            available < header.file_size ? "the file is truncated" : "the file is too long");
    require(available % 8 == 0, "sizes disagree");
    for (const Section& section : header.sections) {
        require(section.offset % 8 == 0 && section.offset <= available && section.size <= available - section.offset,
                "a section lies outside the file");
    }
}

Texts Layout::texts(SectionName offsets, SectionName bytes) const {
    Texts found{section<std::uint32_t>(offsets), reinterpret_cast<const char*>(data + header.sections[bytes].offset)};
    require(!found.offsets.empty() && found.offsets.front() == 0 && rises(found.offsets, header.sections[bytes].size),
            "a table of texts");
    return found;
}

void Layout::find_sections() {
    words = texts(kWordOffsets, kWordBytes);
    labels = texts(kLabelOffsets, kLabelBytes);
    alignments = texts(kAlignmentOffsets, kAlignmentBytes);
    entailments = texts(kEntailmentOffsets, kEntailmentBytes);
    names = texts(kNameOffsets, kNameBytes);
    symbols = section<Symbol>(kSymbols);
    first_child = section<std::uint32_t>(kFirstChild);
    first_rule = section<std::uint32_t>(kFirstRule);
    target_offsets = section<std::uint32_t>(kTargetOffsets);
    target_symbols = section<Symbol>(kTargetSymbols);
    columns = section<Column>(kColumns);
    tables = section<float>(kTables);
    records = data + header.sections[kRecords].offset;
}

void Layout::check_sizes() const {
    const auto& h = header;
    require(words.size() == h.words && labels.size() == h.labels && alignments.size() == h.alignments &&
                entailments.size() == h.entailments && names.size() == h.features && columns.size() == h.features,
            "sizes disagree");
    require(h.nodes > 0 && symbols.size() == h.nodes && first_child.size() == std::size_t{h.nodes} + 1 &&
                first_rule.size() == std::size_t{h.nodes} + 1 && target_offsets.size() == std::size_t{h.targets} + 1,
            "sizes disagree");
    require(h.sections[kRecords].size == std::uint64_t{h.rules} * h.record_bytes + kRecordPadding, "sizes disagree");
}

// All but the records: some bytes for each word, node and target, not for each rule.
void Layout::check_tables() const {
    check_sizes();
    // Children come after their parents, so no walk down the trie can turn in a circle.
    require(first_child.front() == 1 && rises(first_child, header.nodes), "the trie");
    for (std::size_t node = 0; node < header.nodes; ++node) {
        require(first_child[node] > node, "the trie");
        const bool known = symbols[node] >= 0 ? static_cast<std::uint32_t>(symbols[node]) < header.words || node == 0
                                              : -1 - std::int64_t{symbols[node]} < std::int64_t{header.labels};
        require(known, "the trie");
    }
    require(first_rule.front() == 0 && rises(first_rule, header.rules), "the trie");
    require(target_offsets.front() == 0 && rises(target_offsets, target_symbols.size()), "the targets");
    for (std::size_t i = 0; i < header.targets; ++i) {
        require(target_offsets[i + 1] - target_offsets[i] <= kMaxRuleSide, "the targets");
    }
    for (const Symbol symbol : target_symbols) {
        require(symbol >= -2 && symbol < static_cast<std::int64_t>(header.words), "the targets");
    }
    for (const Texts* texts : {&words, &labels, &names}) check_texts(*texts, true);
    for (const Texts* texts : {&alignments, &entailments}) check_texts(*texts, false);
    check_columns();
}

void Layout::check_columns() const {
    require(columns.size() <= kMostFeatures, "the features");
    require(std::all_of(tables.begin(), tables.end(), [](float value) { return std::isfinite(value); }),
            "the features");
    for (const Column& column : columns) {
        const double last = column.low + column.step * (std::max(column.count, 1U) - 1);
        require(column.exact == 1 || (std::isfinite(column.low) && std::isfinite(column.step) &&
                                      std::abs(last) <= std::numeric_limits<float>::max()),
                "the features");
        require(column.exact <= 1 && column.count <= 1U << 16, "the features");
        require(!column.exact || (column.first <= tables.size() && column.count <= tables.size() - column.first),
                "the features");
        require((column.absent_code == kNoCode || column.absent_code == 0) &&
                    (column.na_code == kNoCode || column.na_code == column.specials() - 1),
                "the features");
    }
}

void Layout::place_fields() {
    std::size_t position = 0;
    const auto place = [&](std::uint64_t values) {
        const unsigned bits = width(values);
        const Field field{position / 8, static_cast<unsigned>(position % 8), (std::uint64_t{1} << bits) - 1,
                          static_cast<std::uint32_t>(values)};
        position += bits;
        return field;
    };
    lhs_field = place(header.labels);
    target_field = place(header.targets);
    alignment_field = place(header.alignments);
    entailment_field = place(header.entailments);
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
        feature_fields.push_back(place(std::uint64_t{columns[i].count} + columns[i].specials()));
        if (columns[i].specials() == 0) continue;
        missing.push_back(i);
        missing_names.push_back(std::string(names[i]) + "?missing");
    }
    require(header.record_bytes == (position + 7) / 8, "sizes disagree");
}

// How many nonterminals a target has; each stands there once, and no second one without a first.
unsigned Layout::target_gaps(std::uint32_t number) const {
    unsigned counts[2] = {0, 0};
    for (const Symbol symbol : target(number)) {
        if (symbol < 0) ++counts[-1 - symbol];
    }
    require(counts[0] <= 1 && counts[1] <= counts[0], "the targets");
    return counts[0] + counts[1];
}

TrieNode Layout::parent(TrieNode node) const {
    return static_cast<TrieNode>(std::upper_bound(first_child.begin(), first_child.end(), node) - first_child.begin() -
                                 1);
}

// What `verify` does for all rules, for those of one source: a decoder follows nonterminals blindly.
void Layout::check_rules(TrieNode node) const {
    unsigned gaps = 0;
    std::size_t depth = 0;
    for (TrieNode up = node; up != 0; up = parent(up)) {
        gaps += symbols[up] < 0;
        require(++depth <= kMaxRuleSide, "the trie");
    }
    for (std::uint32_t rule = first_rule[node]; rule < first_rule[node + 1]; ++rule) {
        require(target_gaps(code(rule, target_field)) == gaps, "a rule's sides disagree");
    }
}

// Every rule's target has as many nonterminals as its source.
void Layout::verify() const {
    require(header.checksum == checksum(data + sizeof(Header), available - sizeof(Header)), "the checksum differs");
    std::vector<std::uint8_t> target_shape(header.targets);
    for (std::uint32_t t = 0; t < header.targets; ++t) {
        target_shape[t] = static_cast<std::uint8_t>(target_gaps(t));
    }
    std::vector<std::uint8_t> source_shape(header.nodes, 0);
    std::uint32_t level_end = 1;  // nodes come level by level
    std::size_t depth = 0;
    for (std::uint32_t node = 0; node < header.nodes; ++node) {
        if (node == level_end) {
            require(++depth <= kMaxRuleSide, "the trie");
            level_end = first_child[node];
        }
        const std::uint8_t shape = source_shape[node];
        for (std::uint32_t child = first_child[node]; child < first_child[node + 1]; ++child) {
            source_shape[child] = static_cast<std::uint8_t>(std::min(3, shape + (symbols[child] < 0)));
        }
        bool agree = true;
        for (std::uint32_t rule = first_rule[node]; rule < first_rule[node + 1]; ++rule) {
            agree &= target_shape[code(rule, target_field)] == shape;
        }
        require(agree, "a rule's sides disagree");
    }
}

}  // namespace plainwright::grammar_format
