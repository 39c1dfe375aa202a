#include "plainwright/grammar_builder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "grammar_records.hpp"
#include "grammar_tables.hpp"
#include "plainwright/grammar.hpp"
#include "plainwright/grammar_text.hpp"

namespace plainwright {

using namespace grammar_format;

namespace {

Number checked(std::size_t size) {
    if (size >= kNoCode) throw std::length_error("the grammar is too large for one packed file; split it");
    return static_cast<Number>(size);
}

// Sections one after the other, each padded to eight bytes.
class FileWriter {
 public:
    FileWriter() : bytes_(sizeof(Header)) {}

    void section(SectionName name, const void* data, std::size_t size, std::size_t padding = 0) {
        header.sections[name] = {bytes_.size(), size + padding};
        bytes_.resize((bytes_.size() + size + padding + 7) / 8 * 8);
        if (size > 0) std::memcpy(bytes_.data() + header.sections[name].offset, data, size);
    }
    template <typename T>
    void section(SectionName name, const std::vector<T>& items) {
        section(name, items.data(), items.size() * sizeof(T));
    }
    void texts(SectionName offsets, SectionName bytes, const StringTable& texts, const std::vector<Number>& order) {
        std::vector<Number> starts = {0};
        std::string joined;
        for (const Number number : order) {
            joined.append(texts[number]);
            starts.push_back(checked(joined.size()));
        }
        section(offsets, starts);
        section(bytes, joined.data(), joined.size());
    }
    std::vector<std::uint64_t> finish(std::size_t& size) {
        size = bytes_.size();
        std::memcpy(header.magic, kMagic, sizeof kMagic);
        header.version = kVersion;
        header.byte_order = kByteOrder;
        header.file_size = size;
        header.checksum = checksum(bytes_.data() + sizeof(Header), size - sizeof(Header));
        header.header_checksum = checksum(&header, offsetof(Header, header_checksum));
        std::memcpy(bytes_.data(), &header, sizeof header);
        std::vector<std::uint64_t> words(size / 8);
        std::memcpy(words.data(), bytes_.data(), size);
        return words;
    }

    Header header{};

 private:
    std::vector<unsigned char> bytes_;
};

}  // namespace

class GrammarBuilder::State {
 public:
    const char* add(std::string_view line);
    std::vector<std::uint64_t> finish(unsigned bits, std::size_t& size);
    std::size_t size() const { return rules_.size(); }

 private:
    struct Rule {
        Number node, lhs, target, alignment, entailment;
    };
    struct Ranks {
        std::vector<Number> words, labels, targets, alignments, entailments;

        Symbol symbol(Symbol number) const {
            return number >= 0 ? static_cast<Symbol>(words[number]) : -1 - static_cast<Symbol>(labels[-1 - number]);
        }
    };

    const char* read_features();
    Number add_source();
    Number add_target();
    Number child(Number node, Symbol symbol);
    void write_texts(FileWriter& file, Ranks& ranks) const;
    void write_targets(FileWriter& file, Ranks& ranks) const;
    std::vector<Number> write_trie(FileWriter& file, const Ranks& ranks) const;  // returns new numbers of nodes
    std::vector<Number> order_rules(const std::vector<Number>& nodes, const Ranks& ranks) const;
    void write_first_rules(FileWriter& file, const std::vector<Number>& nodes, const std::vector<Number>& order) const;
    void write_records(FileWriter& file, const std::vector<Number>& order, const Ranks& ranks, unsigned bits);

    StringTable words_, labels_, targets_, alignments_, entailments_, names_;
    NumberTable children_;
    std::vector<Number> parents_ = {0};
    std::vector<Symbol> symbols_ = {0};
    std::vector<Rule> rules_;
    std::vector<std::vector<std::uint32_t>> columns_;  // bits of the values, or kAbsent, kNotAvailable

    RuleText text_;  // scratch space of the line at hand
    std::vector<std::uint32_t> row_;
    std::vector<std::string_view> fresh_names_;
    std::vector<Symbol> sequence_;
};

// Features usually come in the same order, so the name expected next is tried before the table of names. New names
// are only noted: the line may still be rejected.
const char* GrammarBuilder::State::read_features() {
    row_.assign(names_.size(), kAbsent);
    fresh_names_.clear();
    Number expected = 0;
    for (const RuleText::Feature& feature : text_.features) {
        const bool as_before = expected < names_.size() && names_[expected] == feature.name;
        const Number number = as_before ? expected : names_.find(feature.name);
        const std::uint32_t value = feature.available ? std::bit_cast<std::uint32_t>(feature.value) : kNotAvailable;
        if (number == StringTable::kFree) {
            if (std::ranges::find(fresh_names_, feature.name) != fresh_names_.end()) return "a feature is named twice";
            fresh_names_.push_back(feature.name);
            row_.push_back(value);
            continue;
        }
        if (std::exchange(row_[number], value) != kAbsent) return "a feature is named twice";
        expected = number + 1;
    }
    return row_.size() > kMostFeatures ? "more than 1,000 different features" : nullptr;
}

Number GrammarBuilder::State::child(Number node, Symbol symbol) {
    const auto fresh = checked(parents_.size());
    const std::uint64_t key = std::uint64_t{node} << 32 | static_cast<std::uint32_t>(symbol);
    const Number found = children_.find_or_insert(key, fresh);
    if (found == fresh) {
        parents_.push_back(node);
        symbols_.push_back(symbol);
    }
    return found;
}

Number GrammarBuilder::State::add_source() {
    Number node = 0;
    for (const RuleText::Item& item : text_.source) {
        const auto number = static_cast<Symbol>(item.index == 0 ? words_.add(item.text) : labels_.add(item.text));
        node = child(node, item.index == 0 ? number : -1 - number);
    }
    return node;
}

Number GrammarBuilder::State::add_target() {
    sequence_.clear();
    for (const RuleText::Item& item : text_.target) {
        sequence_.push_back(item.index == 0 ? static_cast<Symbol>(words_.add(item.text)) : -item.index);
    }
    return targets_.add({reinterpret_cast<const char*>(sequence_.data()), sequence_.size() * sizeof(Symbol)});
}

const char* GrammarBuilder::State::add(std::string_view line) {
    if (const char* problem = parse_rule(line, text_)) return problem;
    if (const char* problem = read_features()) return problem;
    checked(rules_.size() + 1);
    for (const std::string_view name : fresh_names_) {
        names_.add(name);
        columns_.emplace_back(rules_.size(), kAbsent);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(row_[i]);
    const Number node = add_source();
    rules_.push_back({node, labels_.add(text_.lhs), add_target(), alignments_.add(text_.alignment),
                      entailments_.add(text_.entailment)});
    return nullptr;
}

void GrammarBuilder::State::write_texts(FileWriter& file, Ranks& ranks) const {
    const auto write = [&](SectionName offsets, SectionName bytes, const StringTable& texts) {
        const std::vector<Number> order = texts.sorted();
        file.texts(offsets, bytes, texts, order);
        return ranks_of(order);
    };
    ranks.words = write(kWordOffsets, kWordBytes, words_);
    ranks.labels = write(kLabelOffsets, kLabelBytes, labels_);
    ranks.alignments = write(kAlignmentOffsets, kAlignmentBytes, alignments_);
    ranks.entailments = write(kEntailmentOffsets, kEntailmentBytes, entailments_);
    file.texts(kNameOffsets, kNameBytes, names_, identity_order(names_.size()));
}

void GrammarBuilder::State::write_targets(FileWriter& file, Ranks& ranks) const {
    std::vector<Number> starts = {0};
    std::vector<Symbol> pool;
    for (Number number = 0; number < targets_.size(); ++number) {
        const std::string_view bytes = targets_[number];
        const std::size_t begin = pool.size();
        pool.resize(begin + bytes.size() / sizeof(Symbol));
        if (!bytes.empty()) std::memcpy(pool.data() + begin, bytes.data(), bytes.size());
        for (std::size_t i = begin; i < pool.size(); ++i) {
            if (pool[i] >= 0) pool[i] = static_cast<Symbol>(ranks.words[pool[i]]);
        }
        starts.push_back(checked(pool.size()));
    }
    const auto side = [&](Number n) { return std::span(pool).subspan(starts[n], starts[n + 1] - starts[n]); };
    std::vector<Number> order = identity_order(targets_.size());
    std::sort(order.begin(), order.end(), [&](Number a, Number b) {
        const auto left = side(a), right = side(b);
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    ranks.targets = ranks_of(order);
    std::vector<Number> offsets = {0};
    std::vector<Symbol> sorted;
    for (const Number number : order) {
        sorted.insert(sorted.end(), side(number).begin(), side(number).end());
        offsets.push_back(static_cast<Number>(sorted.size()));
    }
    file.section(kTargetOffsets, offsets);
    file.section(kTargetSymbols, sorted);
}

std::vector<Number> GrammarBuilder::State::write_trie(FileWriter& file, const Ranks& ranks) const {
    const auto n = static_cast<Number>(parents_.size());
    std::vector<Number> depth(n, 0), numbers(n, 0), children(n, 0);
    std::vector<std::vector<Number>> levels(1, {0});
    for (Number node = 1; node < n; ++node) {  // parents come before their children
        depth[node] = depth[parents_[node]] + 1;
        if (depth[node] == levels.size()) levels.emplace_back();
        levels[depth[node]].push_back(node);
    }
    std::vector<Symbol> symbols;
    symbols.reserve(n);
    for (auto& level : levels) {
        std::sort(level.begin(), level.end(), [&](Number a, Number b) {
            return std::pair(numbers[parents_[a]], ranks.symbol(symbols_[a])) <
                   std::pair(numbers[parents_[b]], ranks.symbol(symbols_[b]));
        });
        for (const Number node : level) {
            numbers[node] = static_cast<Number>(symbols.size());
            symbols.push_back(node == 0 ? 0 : ranks.symbol(symbols_[node]));
            if (node != 0) ++children[numbers[parents_[node]]];
        }
    }
    std::vector<Number> first_child = {1};
    for (const Number count : children) first_child.push_back(first_child.back() + count);
    file.section(kSymbols, symbols);
    file.section(kFirstChild, first_child);
    return numbers;
}

std::vector<Number> GrammarBuilder::State::order_rules(const std::vector<Number>& nodes, const Ranks& ranks) const {
    const auto key = [&](Number r) {
        const Rule& rule = rules_[r];
        return std::tuple(nodes[rule.node], ranks.labels[rule.lhs], ranks.targets[rule.target], r);
    };
    std::vector<Number> order = identity_order(rules_.size());
    std::sort(order.begin(), order.end(), [&](Number a, Number b) { return key(a) < key(b); });
    return order;
}

void GrammarBuilder::State::write_first_rules(FileWriter& file, const std::vector<Number>& nodes,
                                              const std::vector<Number>& order) const {
    std::vector<Number> first(nodes.size() + 1, 0);
    for (const Number r : order) ++first[nodes[rules_[r].node] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    file.section(kFirstRule, first);
}

void GrammarBuilder::State::write_records(FileWriter& file, const std::vector<Number>& order, const Ranks& ranks,
                                          unsigned bits) {
    const unsigned widths[] = {width(labels_.size()), width(targets_.size()), width(alignments_.size()),
                               width(entailments_.size())};
    std::size_t total = std::accumulate(std::begin(widths), std::end(widths), std::size_t{0});
    std::vector<Encoder> encoders;
    std::vector<Column> columns;
    std::vector<float> tables;
    for (const auto& values : columns_) {
        Encoder& encoder = encoders.emplace_back(values, bits);
        encoder.column().first = static_cast<Number>(tables.size());
        tables.insert(tables.end(), encoder.table().begin(), encoder.table().end());
        columns.push_back(encoder.column());
        total += encoder.bits();
    }
    Records records(order.size(), total);
    const auto field = [&](unsigned n_bits, auto&& code) {
        records.field(n_bits, order.size(), [&](std::size_t r) { return code(order[r]); });
    };
    field(widths[0], [&](Number r) { return ranks.labels[rules_[r].lhs]; });
    field(widths[1], [&](Number r) { return ranks.targets[rules_[r].target]; });
    field(widths[2], [&](Number r) { return ranks.alignments[rules_[r].alignment]; });
    field(widths[3], [&](Number r) { return ranks.entailments[rules_[r].entailment]; });
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        field(encoders[i].bits(), [&](Number r) { return encoders[i].code(columns_[i][r]); });
        columns_[i] = {};
    }
    file.section(kColumns, columns);
    file.section(kTables, tables);
    file.section(kRecords, records.bytes());
    file.header.record_bytes = static_cast<Number>(records.record_bytes());
}

std::vector<std::uint64_t> GrammarBuilder::State::finish(unsigned bits, std::size_t& size) {
    FileWriter file;
    Ranks ranks;
    write_texts(file, ranks);
    write_targets(file, ranks);
    const std::vector<Number> nodes = write_trie(file, ranks);
    const std::vector<Number> order = order_rules(nodes, ranks);
    write_first_rules(file, nodes, order);
    write_records(file, order, ranks, bits);
    file.header.nodes = static_cast<Number>(nodes.size());
    file.header.rules = static_cast<Number>(order.size());
    file.header.words = static_cast<Number>(words_.size());
    file.header.labels = static_cast<Number>(labels_.size());
    file.header.targets = static_cast<Number>(targets_.size());
    file.header.alignments = static_cast<Number>(alignments_.size());
    file.header.entailments = static_cast<Number>(entailments_.size());
    file.header.features = static_cast<Number>(columns_.size());
    return file.finish(size);
}

GrammarBuilder::GrammarBuilder(unsigned bits) : state_(std::make_unique<State>()), bits_(bits) {
    if (bits < 1 || bits > 16) throw std::invalid_argument("bits must be from 1 to 16");
}
GrammarBuilder::~GrammarBuilder() = default;

const char* GrammarBuilder::add(std::string_view line) { return state_->add(line); }
std::size_t GrammarBuilder::size() const { return state_->size(); }

std::vector<std::uint64_t> GrammarBuilder::finish(std::size_t& size) {
    const auto state = std::exchange(state_, std::make_unique<State>());
    return state->finish(bits_, size);
}

}  // namespace plainwright
