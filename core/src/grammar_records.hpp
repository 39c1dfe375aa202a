// Packs rules into bit strings, and encodes the values of their features.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "grammar_format.hpp"
#include "grammar_tables.hpp"

namespace plainwright::grammar_format {

inline constexpr std::uint32_t kAbsent = 0x7fc00001U;  // two NaNs, which text cannot spell
inline constexpr std::uint32_t kNotAvailable = 0x7fc00002U;

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

}  // namespace plainwright::grammar_format
