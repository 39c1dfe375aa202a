#include "plainwright/grammar_builder.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "grammar_format.hpp"
#include "plainwright/grammar.hpp"
#include "plainwright/grammar_text.hpp"

namespace plainwright {

using namespace grammar_format;

namespace {

using Number = std::uint32_t;
constexpr std::uint32_t kAbsent = 0x7fc00001U;  // two NaNs, which text cannot spell
constexpr std::uint32_t kNotAvailable = 0x7fc00002U;

std::uint64_t scramble(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15ULL;
    return key ^ (key >> 32);
}

// Open addressing from a 64-bit key to a number; `kEmpty` cannot be a key.
class NumberTable {
 public:
    NumberTable() { slots_.resize(1024); }

    // The number of the key, or `fresh` after giving it that number.
    Number find_or_insert(std::uint64_t key, Number fresh) {
        if (size_ * 2 > slots_.size()) grow();
        Slot& slot = slot_of(key);
        if (slot.key == kEmpty) {
            slot = {key, fresh};
            ++size_;
        }
        return slot.number;
    }
    Number& at(std::uint64_t key) { return slot_of(key).number; }

 private:
    static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = kEmpty;
        Number number = 0;
    };

    Slot& slot_of(std::uint64_t key) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = scramble(key) & mask;
        while (slots_[at].key != kEmpty && slots_[at].key != key) at = (at + 1) & mask;
        return slots_[at];
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.key != kEmpty) slot_of(slot.key) = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

// Different texts, numbered as they come.
class Interner {
 public:
    static constexpr Number kFree = 0xffffffffU;

    Interner() { slots_.assign(1024, kFree); }

    Number add(std::string_view text) {
        if (size() * 2 > slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash(text) & mask;
        for (; slots_[at] != kFree; at = (at + 1) & mask) {
            if ((*this)[slots_[at]] == text) return slots_[at];
        }
        slots_[at] = static_cast<Number>(size());
        bytes_.append(text);
        ends_.push_back(bytes_.size());
        return slots_[at];
    }
    // kFree if the text is not there.
    Number find(std::string_view text) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash(text) & mask;
        while (slots_[at] != kFree && (*this)[slots_[at]] != text) at = (at + 1) & mask;
        return slots_[at];
    }
    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](Number number) const {
        const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
        return {bytes_.data() + begin, ends_[number] - begin};
    }
    // Numbers in the order of their texts.
    std::vector<Number> sorted() const {
        std::vector<Number> order(size());
        std::iota(order.begin(), order.end(), Number{0});
        std::sort(order.begin(), order.end(), [&](Number a, Number b) { return (*this)[a] < (*this)[b]; });
        return order;
    }

 private:
    static std::size_t hash(std::string_view text) { return scramble(std::hash<std::string_view>{}(text)); }
    void grow() {
        slots_.assign(slots_.size() * 2, kFree);
        const std::size_t mask = slots_.size() - 1;
        for (Number number = 0; number < size(); ++number) {
            std::size_t at = hash((*this)[number]) & mask;
            while (slots_[at] != kFree) at = (at + 1) & mask;
            slots_[at] = number;
        }
    }

    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<Number> slots_;
};

std::vector<Number> ranks_of(const std::vector<Number>& order) {
    std::vector<Number> ranks(order.size());
    for (Number rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
    return ranks;
}

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
    void texts(SectionName offsets, SectionName bytes, const Interner& texts, const std::vector<Number>& order) {
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

// Strings of bits, one for each rule.
class Records {
 public:
    Records(std::size_t rules, std::size_t bits)
        : record_bytes_((bits + 7) / 8), bytes_(rules * record_bytes_ + kRecordPadding) {}

    // The next field of every rule; `code(r)` is below 2^bits.
    template <typename Code>
    void field(unsigned bits, std::size_t rules, Code&& code) {
        for (std::size_t r = 0; bits > 0 && r < rules; ++r) {
            unsigned char* at = bytes_.data() + r * record_bytes_ + position_ / 8;
            std::uint64_t word;
            std::memcpy(&word, at, sizeof word);
            word |= std::uint64_t{code(r)} << (position_ % 8);
            std::memcpy(at, &word, sizeof word);
        }
        position_ += bits;
    }
    std::size_t record_bytes() const { return record_bytes_; }
    const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
    std::size_t record_bytes_;
    std::vector<unsigned char> bytes_;
    std::size_t position_ = 0;
};

// How the values of one feature become codes.
class Encoder {
 public:
    Encoder(const std::vector<std::uint32_t>& values, unsigned bits) {
        const std::size_t most = std::size_t{1} << bits;
        collect(values, most);
        Number special = 0;
        column_.absent_code = absent_ ? special++ : kNoCode;
        column_.na_code = not_available_ ? special++ : kNoCode;
        column_.exact = table_.size() + special <= most;
        if (column_.exact) {
            make_table(special);
        } else {
            make_grid(values, special, most);
        }
    }

    Number code(std::uint32_t value) {
        if (value == kAbsent) return column_.absent_code;
        if (value == kNotAvailable) return column_.na_code;
        if (column_.exact) return codes_.at(value);
        const double place = (double{std::bit_cast<float>(value)} - column_.low) / column_.step;
        return column_.specials() + std::min<Number>(column_.count - 1, static_cast<Number>(std::lround(place)));
    }
    unsigned bits() const { return width(std::uint64_t{column_.count} + column_.specials()); }
    Column& column() { return column_; }
    const std::vector<float>& table() const { return table_; }

 private:
    // Stops remembering values once there are more than `most`.
    void collect(const std::vector<std::uint32_t>& values, std::size_t most) {
        for (const std::uint32_t value : values) {
            absent_ |= value == kAbsent;
            not_available_ |= value == kNotAvailable;
            if (value == kAbsent || value == kNotAvailable || table_.size() > most) continue;
            const auto fresh = static_cast<Number>(table_.size());
            if (codes_.find_or_insert(value, fresh) == fresh) table_.push_back(std::bit_cast<float>(value));
        }
    }
    void make_table(Number first_code) {
        std::sort(table_.begin(), table_.end());
        column_.count = static_cast<Number>(table_.size());
        column_.low = table_.empty() ? 0 : table_.front();
        for (Number k = 0; k < column_.count; ++k) codes_.at(std::bit_cast<std::uint32_t>(table_[k])) = first_code + k;
    }
    void make_grid(const std::vector<std::uint32_t>& values, Number special, std::size_t most) {
        table_.clear();
        float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
        for (const std::uint32_t value : values) {
            if (value == kAbsent || value == kNotAvailable) continue;
            low = std::min(low, std::bit_cast<float>(value));
            high = std::max(high, std::bit_cast<float>(value));
        }
        column_.count = static_cast<Number>(most) - special;
        column_.low = low;
        column_.step = column_.count > 1 ? (double{high} - low) / (column_.count - 1) : 1.0;
    }

    Column column_{};
    bool absent_ = false;
    bool not_available_ = false;
    std::vector<float> table_;
    NumberTable codes_;
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

    Interner words_, labels_, targets_, alignments_, entailments_, names_;
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
        if (number == Interner::kFree) {
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
    const auto write = [&](SectionName offsets, SectionName bytes, const Interner& texts) {
        const std::vector<Number> order = texts.sorted();
        file.texts(offsets, bytes, texts, order);
        return ranks_of(order);
    };
    ranks.words = write(kWordOffsets, kWordBytes, words_);
    ranks.labels = write(kLabelOffsets, kLabelBytes, labels_);
    ranks.alignments = write(kAlignmentOffsets, kAlignmentBytes, alignments_);
    ranks.entailments = write(kEntailmentOffsets, kEntailmentBytes, entailments_);
    std::vector<Number> names(names_.size());
    std::iota(names.begin(), names.end(), Number{0});
    file.texts(kNameOffsets, kNameBytes, names_, names);
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
    std::vector<Number> order(targets_.size());
    std::iota(order.begin(), order.end(), Number{0});
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
    std::vector<Number> order(rules_.size());
    std::iota(order.begin(), order.end(), Number{0});
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
