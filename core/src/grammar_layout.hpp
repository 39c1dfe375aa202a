// Sections and bit fields of a packed grammar, with the checks that make them safe to read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar_format.hpp"
#include "plainwright/grammar.hpp"

namespace plainwright::grammar_format {

[[noreturn]] inline void damaged(const char* what) { throw GrammarError(std::string("damaged: ") + what); }

inline void require(bool condition, const char* what) {
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

struct Field {
    std::size_t byte = 0;
    unsigned shift = 0;
    std::uint64_t mask = 0;
    std::uint32_t values = 0;  // codes are below it
};

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

}  // namespace plainwright::grammar_format
