#include "plainwright/grammar.hpp"

#include <algorithm>
#include <charconv>

#include "files.hpp"
#include "grammar_layout.hpp"
#include "plainwright/grammar_builder.hpp"
#include "plainwright/grammar_text.hpp"

namespace plainwright {

using namespace grammar_format;

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
