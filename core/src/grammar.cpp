#include "plainwright/grammar.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "files.hpp"
#include "grammar_format.hpp"
#include "plainwright/grammar_builder.hpp"
#include "plainwright/grammar_text.hpp"
#include "plainwright/unicode.hpp"

namespace plainwright {

using namespace grammar_format;

namespace {

[[noreturn]] void damaged(const char* what) { throw GrammarError(std::string("damaged: ") + what); }

void require(bool condition, const char* what) {
    if (!condition) damaged(what);
}

// Sorted texts as the file has them.
struct Texts {
    std::span<const std::uint32_t> offsets;
    const char* bytes = nullptr;

    std::size_t size() const { return offsets.size() - 1; }
    std::string_view operator[](std::size_t number) const {
        return {bytes + offsets[number], offsets[number + 1] - offsets[number]};
    }
    // The number of `text`, or size().
    std::size_t find(std::string_view text) const {
        std::size_t low = 0, high = size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if ((*this)[middle] < text) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < size() && (*this)[low] == text ? low : size();
    }
};

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

struct Field {
    std::size_t byte = 0;
    unsigned shift = 0;
    std::uint64_t mask = 0;
    std::uint32_t values = 0;  // codes are below it
};

bool rises(std::span<const std::uint32_t> numbers, std::uint64_t last) {
    return std::is_sorted(numbers.begin(), numbers.end()) && !numbers.empty() && numbers.back() == last;
}

}  // namespace

namespace grammar_format {

struct Layout {
    Layout(const unsigned char* bytes, std::size_t size) : data(bytes), available(size) {
        check_header();
        find_sections();
        check_tables();
        place_fields();
    }

    void verify() const;
    TrieNode parent(TrieNode node) const;
    unsigned target_gaps(std::uint32_t number) const;
    void check_rules(TrieNode node) const;

    template <typename T>
    std::span<const T> section(SectionName name) const {
        const Section& where = header.sections[name];
        return {reinterpret_cast<const T*>(data + where.offset), where.size / sizeof(T)};
    }
    std::uint32_t code(std::uint32_t rule, const Field& field) const {
        std::uint64_t word;
        std::memcpy(&word, records + std::size_t{rule} * header.record_bytes + field.byte, sizeof word);
        const auto found = static_cast<std::uint32_t>((word >> field.shift) & field.mask);
        if (found >= field.values) damaged("a rule's record is out of range");
        return found;
    }
    std::span<const Symbol> target(std::uint32_t number) const {
        return target_symbols.subspan(target_offsets[number], target_offsets[number + 1] - target_offsets[number]);
    }
    bool is_special(const Column& column, std::uint32_t code) const { return code < column.specials(); }
    float value(const Column& column, std::uint32_t code) const {
        const std::uint32_t k = code - column.specials();
        return column.exact ? tables[column.first + k] : static_cast<float>(column.low + column.step * k);
    }
    void check_number(std::uint32_t rule) const {
        if (rule >= header.rules) throw GrammarError("no rule has the number " + std::to_string(rule));
    }

    const unsigned char* data;
    std::size_t available;
    Header header{};
    Texts words, labels, alignments, entailments, names;
    std::span<const Symbol> symbols;
    std::span<const std::uint32_t> first_child, first_rule, target_offsets;
    std::span<const Symbol> target_symbols;
    std::span<const Column> columns;
    std::span<const float> tables;
    const unsigned char* records = nullptr;
    Field lhs_field, target_field, alignment_field, entailment_field;
    std::vector<Field> feature_fields;
    std::vector<std::uint32_t> missing;  // columns with a "?missing" feature
    std::vector<std::string> missing_names;

 private:
    void check_header();
    void find_sections();
    void check_sizes() const;
    void check_tables() const;
    void check_columns() const;
    void place_fields();
    Texts texts(SectionName offsets, SectionName bytes) const;
};

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

}  // namespace grammar_format

PackedGrammar::PackedGrammar() = default;

PackedGrammar::~PackedGrammar() = default;

void PackedGrammar::attach(const unsigned char* data, std::size_t size, bool verify) {
    layout_ = std::make_unique<Layout>(data, size);
    if (verify) layout_->verify();
    verified_ = verify;
}

std::unique_ptr<PackedGrammar> PackedGrammar::open(const std::string& path, bool verify) {
    std::unique_ptr<PackedGrammar> grammar(new PackedGrammar);
    grammar->file_ = std::make_unique<const MappedFile>(path);
    const MappedFile& file = *grammar->file_;
    if (file.data() == nullptr) throw GrammarError("not a packed grammar");
    grammar->attach(reinterpret_cast<const unsigned char*>(file.data()), file.size(), verify);
    file.release_pages();  // checking touched them
    return grammar;
}

Symbol PackedGrammar::terminal(std::string_view text) const {
    const std::size_t number = layout_->words.find(text);
    return number < layout_->words.size() ? static_cast<Symbol>(number) : kNoSymbol;
}

Symbol PackedGrammar::label(std::string_view text) const {
    const std::size_t number = layout_->labels.find(text);
    return number < layout_->labels.size() ? -1 - static_cast<Symbol>(number) : kNoSymbol;
}

std::string_view PackedGrammar::text(Symbol symbol) const {
    const Texts& texts = symbol >= 0 ? layout_->words : layout_->labels;
    const auto number = static_cast<std::size_t>(symbol >= 0 ? symbol : -(symbol + 1));
    return number < texts.size() ? texts[number] : std::string_view{};
}

TrieNode PackedGrammar::child(TrieNode node, Symbol symbol) const {
    if (node >= layout_->header.nodes) return kNoNode;
    const auto begin = layout_->symbols.begin() + layout_->first_child[node];
    const auto end = layout_->symbols.begin() + layout_->first_child[node + 1];
    const auto found = std::lower_bound(begin, end, symbol);
    if (found == end || *found != symbol) return kNoNode;
    return static_cast<TrieNode>(found - layout_->symbols.begin());
}

TrieChildren PackedGrammar::children(TrieNode node) const {
    if (node >= layout_->header.nodes) return {};
    const TrieNode first = layout_->first_child[node];
    const auto begin = layout_->symbols.begin() + first;
    const auto end = layout_->symbols.begin() + layout_->first_child[node + 1];
    const auto words = std::lower_bound(begin, end, 0);  // labels are negative, so they come first
    return {{begin, words}, {words, end}, first};
}

std::vector<bool> PackedGrammar::gap_labels() const {
    std::vector<bool> found(labels());
    for (std::size_t node = 1; node < layout_->header.nodes; ++node) {
        const auto number = static_cast<std::size_t>(-(layout_->symbols[node] + 1));
        if (layout_->symbols[node] < 0 && number < found.size()) found[number] = true;
    }
    return found;
}

std::pair<std::uint32_t, std::uint32_t> PackedGrammar::rules(TrieNode node) const {
    if (node >= layout_->header.nodes) return {0, 0};
    if (!verified_) layout_->check_rules(node);
    return {layout_->first_rule[node], layout_->first_rule[node + 1]};
}

RuleView PackedGrammar::rule(std::uint32_t number) const {
    layout_->check_number(number);
    const auto lhs = static_cast<Symbol>(layout_->code(number, layout_->lhs_field));
    return {number, -1 - lhs, layout_->target(layout_->code(number, layout_->target_field))};
}

std::size_t PackedGrammar::feature_count() const { return layout_->columns.size() + layout_->missing.size(); }

std::string_view PackedGrammar::feature_name(std::size_t i) const {
    const std::size_t stored = layout_->columns.size();
    if (i >= feature_count()) return {};
    return i < stored ? layout_->names[i] : std::string_view(layout_->missing_names[i - stored]);
}

void PackedGrammar::features(std::uint32_t number, float* values) const {
    layout_->check_number(number);
    float* flag = values + layout_->columns.size();
    for (std::size_t i = 0; i < layout_->columns.size(); ++i) {
        const Column& column = layout_->columns[i];
        const std::uint32_t code = layout_->code(number, layout_->feature_fields[i]);
        const bool special = layout_->is_special(column, code);
        values[i] = special ? 0 : layout_->value(column, code);
        if (column.specials() > 0) *flag++ = special;
    }
}

std::size_t PackedGrammar::size() const { return layout_->header.rules; }
std::size_t PackedGrammar::nodes() const { return layout_->header.nodes; }
std::size_t PackedGrammar::words() const { return layout_->header.words; }
std::size_t PackedGrammar::labels() const { return layout_->header.labels; }
std::size_t PackedGrammar::bytes() const { return layout_->available; }
std::size_t PackedGrammar::record_bytes() const { return layout_->header.record_bytes; }
std::size_t PackedGrammar::stored_features() const { return layout_->columns.size(); }

FeatureStorage PackedGrammar::storage(std::size_t feature) const {
    if (feature >= stored_features()) throw std::out_of_range("no such feature");
    const Column& column = layout_->columns[feature];
    return {column.exact == 1,
            width(std::uint64_t{column.count} + column.specials()),
            column.count,
            column.low,
            column.exact == 1 ? 0 : column.step,
            column.specials() > 0};
}

std::string_view PackedGrammar::label_text(std::size_t number) const {
    return number < labels() ? layout_->labels[number] : std::string_view{};
}

TrieNode PackedGrammar::node_of(std::uint32_t number) const {
    layout_->check_number(number);
    const auto& first = layout_->first_rule;
    return static_cast<TrieNode>(std::upper_bound(first.begin(), first.end(), number) - first.begin() - 1);
}

std::vector<Symbol> PackedGrammar::source(std::uint32_t number) const {
    std::vector<Symbol> symbols;
    for (TrieNode node = node_of(number); node != 0; node = layout_->parent(node)) {
        require(symbols.size() < kMaxRuleSide, "the trie");
        symbols.push_back(layout_->symbols[node]);
    }
    std::reverse(symbols.begin(), symbols.end());
    return symbols;
}

std::string_view PackedGrammar::alignment(std::uint32_t number) const {
    layout_->check_number(number);
    return layout_->alignments[layout_->code(number, layout_->alignment_field)];
}

std::string_view PackedGrammar::entailment(std::uint32_t number) const {
    layout_->check_number(number);
    return layout_->entailments[layout_->code(number, layout_->entailment_field)];
}

namespace {

void append_nonterminal(std::string_view label, int index, std::string& out) {
    out.append("[").append(label).append(",").append(std::to_string(index)).append("]");
}

void append_value(float value, std::string& out) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

}  // namespace

void PackedGrammar::append_line(std::uint32_t number, std::string& out) const {
    const RuleView view = rule(number);
    std::string_view labels[3];
    int found = 0;
    out.append("[").append(text(view.lhs)).append("] |||");
    for (const Symbol symbol : source(number)) {
        out.append(" ");
        if (symbol >= 0) {
            out.append(text(symbol));
        } else {
            labels[found = std::min(found + 1, 2)] = text(symbol);
            append_nonterminal(text(symbol), found, out);
        }
    }
    out.append(view.target.empty() ? " ||| " : " |||");
    for (const Symbol symbol : view.target) {
        out.append(" ");
        if (symbol >= 0) {
            out.append(text(symbol));
        } else {
            append_nonterminal(labels[-symbol], -symbol, out);
        }
    }
    out.append(" ||| ");
    const std::size_t before = out.size();
    for (std::size_t i = 0; i < layout_->columns.size(); ++i) {
        const Column& column = layout_->columns[i];
        const std::uint32_t code = layout_->code(number, layout_->feature_fields[i]);
        if (code == column.absent_code) continue;
        if (out.size() > before) out.append(" ");
        out.append(layout_->names[i]).append("=");
        if (code == column.na_code) {
            out.append("NA");
        } else {
            append_value(layout_->value(column, code), out);
        }
    }
    out.append(" ||| ").append(alignment(number));
    if (!entailment(number).empty()) out.append(" ||| ").append(entailment(number));
}

MemoryGrammar::MemoryGrammar(std::string_view lines) {
    GrammarBuilder builder;
    for (std::size_t number = 1; !lines.empty(); ++number) {
        const std::size_t end = lines.find('\n');
        const std::string_view line = lines.substr(0, end);
        if (const char* problem = builder.add(line)) {
            throw std::invalid_argument("line " + std::to_string(number) + ": " + problem);
        }
        lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
    }
    std::size_t size = 0;
    packed_ = builder.finish(size);
    attach(reinterpret_cast<const unsigned char*>(packed_.data()), size, true);
}

MemoryGrammar::MemoryGrammar(std::vector<std::uint64_t> packed, std::size_t size) : packed_(std::move(packed)) {
    if (size > packed_.size() * sizeof(std::uint64_t)) throw GrammarError("damaged: the file is truncated");
    attach(reinterpret_cast<const unsigned char*>(packed_.data()), size, true);
}

}  // namespace plainwright
