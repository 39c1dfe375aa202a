// All rules of one aligned sentence pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plainwright/extractor.hpp"

namespace plainwright {

// A word's number, or a nonterminal: the top bit, its label, and its index less one. 0 ends a side.
using Symbol = std::uint32_t;
constexpr Symbol kNonterminal = 0x80000000U;

inline Symbol nonterminal(Label label, unsigned index) { return kNonterminal | label << 1 | index; }

// Prefix code of 1 to 5 bytes whose order is that of the numbers.
inline void append_symbol(std::string& out, Symbol symbol) {
    const auto byte = [&](Symbol value) { out.push_back(static_cast<char>(value & 0xff)); };
    if (symbol < 0x80) {
        byte(symbol);
    } else if (symbol < 0x4000) {
        byte(0x80 | symbol >> 8);
        byte(symbol);
    } else if (symbol < 0x200000) {
        byte(0xc0 | symbol >> 16);
        byte(symbol >> 8);
        byte(symbol);
    } else if (symbol < 0x10000000) {
        byte(0xe0 | symbol >> 24);
        for (const int shift : {16, 8, 0}) byte(symbol >> shift);
    } else {
        byte(0xf0);
        for (const int shift : {24, 16, 8, 0}) byte(symbol >> shift);
    }
}

inline Symbol read_symbol(std::string_view bytes, std::size_t& at) {
    const auto byte = [&]() { return static_cast<Symbol>(static_cast<unsigned char>(bytes[at++])); };
    const Symbol lead = byte();
    if (lead < 0x80) return lead;
    unsigned more = 4;
    Symbol symbol = 0;
    if (lead < 0xc0) {
        more = 1;
        symbol = lead & 0x3f;
    } else if (lead < 0xe0) {
        more = 2;
        symbol = lead & 0x1f;
    } else if (lead < 0xf0) {
        more = 3;
        symbol = lead & 0x0f;
    }
    for (; more > 0; --more) symbol = symbol << 8 | byte();
    return symbol;
}

// Behind the end of the side that starts at `at`.
inline std::size_t side_end(std::string_view bytes, std::size_t at) {
    while (read_symbol(bytes, at) != 0) {
    }
    return at;
}

// The parts of a rule's bytes: source and target with their ends, label, alignment (two bytes a point).
struct RuleParts {
    std::string_view source, target, label, alignment;

    explicit RuleParts(std::string_view bytes) {
        const std::size_t one = side_end(bytes, 0), two = side_end(bytes, one);
        std::size_t three = two;
        read_symbol(bytes, three);
        source = bytes.substr(0, one);
        target = bytes.substr(one, two - one);
        label = bytes.substr(two, three - two);
        alignment = bytes.substr(three);
    }
};

class PairRules {
 public:
    explicit PairRules(const ExtractionOptions& options) : options_(options) {}

    // Calls `take(bytes)` for each rule. A word with the number 0 is one that no rule can carry.
    template <typename Take>
    void extract(std::span<const Symbol> source, std::span<const Symbol> target, std::span<const Point> points,
                 const SpanLabels& labels, bool label_source, Take&& take) {
        source_ = source;
        target_ = target;
        points_ = points;
        measure();
        find_phrases(labels, label_source);
        for (const Phrase& phrase : phrases_) {
            emit(phrase, nullptr, nullptr, take);
            if (options_.nonterminals > 0) with_gaps(phrase, take);
        }
        if (options_.deletions) deletions(labels, label_source, take);
    }

 private:
    struct Phrase {
        std::size_t source_first, source_last, target_first, target_last;  // spans [first, last)
        Label label;

        std::size_t words() const { return source_last - source_first; }
        bool holds(const Phrase& other) const {
            return other.source_first >= source_first && other.source_last <= source_last &&
                   other.target_first >= target_first && other.target_last <= target_last;
        }
    };
    struct Reach {
        std::size_t first = SIZE_MAX, last = 0;  // the positions on the other side lie in [first, last)
        bool aligned() const { return first < last; }
        void add(std::size_t position) {
            first = std::min(first, position);
            last = std::max(last, position + 1);
        }
        void add(const Reach& other) {
            first = std::min(first, other.first);
            last = std::max(last, other.last);
        }
    };

    void measure() {
        source_reach_.assign(source_.size(), {});
        target_reach_.assign(target_.size(), {});
        for (const auto& [i, j] : points_) {
            source_reach_[i].add(j);
            target_reach_[j].add(i);
        }
        aligned_before_.assign(source_.size() + 1, 0);
        for (std::size_t i = 0; i < source_.size(); ++i) {
            aligned_before_[i + 1] = aligned_before_[i] + (source_reach_[i].aligned() ? 1 : 0);
        }
    }

    void find_phrases(const SpanLabels& labels, bool label_source) {
        phrases_.clear();
        first_phrase_.assign(1, 0);
        for (std::size_t first = 0; first < source_.size(); ++first) {
            phrases_from(first);
            first_phrase_.push_back(phrases_.size());
        }
        for (Phrase& phrase : phrases_) {
            phrase.label = label_source ? labels(phrase.source_first, phrase.source_last)
                                        : labels(phrase.target_first, phrase.target_last);
        }
    }

    void phrases_from(std::size_t first) {
        if (!options_.loose && !source_reach_[first].aligned()) return;
        Reach reach;
        const std::size_t end = std::min(source_.size(), first + options_.max_span);
        for (std::size_t last = first + 1; last <= end; ++last) {
            reach.add(source_reach_[last - 1]);
            if (!reach.aligned() || (!options_.loose && !source_reach_[last - 1].aligned())) continue;
            if (reach.last - reach.first > options_.max_span) return;
            Reach back;
            for (std::size_t j = reach.first; j < reach.last; ++j) back.add(target_reach_[j]);
            if (back.first < first) return;  // longer phrases have that word, too
            if (back.last <= last) add_phrases(first, last, reach);
        }
    }

    // The target span, and with loose edges also its extensions over words that are not aligned.
    void add_phrases(std::size_t first, std::size_t last, const Reach& reach) {
        for (std::size_t begin = reach.first;; --begin) {
            for (std::size_t end = reach.last; end - begin <= options_.max_span; ++end) {
                phrases_.push_back({first, last, begin, end, 0});
                if (!options_.loose || end == target_.size() || target_reach_[end].aligned()) break;
            }
            if (!options_.loose || begin == 0 || target_reach_[begin - 1].aligned()) return;
            if (reach.last - begin >= options_.max_span) return;
        }
    }

    std::size_t aligned(const Phrase& phrase) const {
        return aligned_before_[phrase.source_last] - aligned_before_[phrase.source_first];
    }

    // Phrases of words that are not aligned (Coster and Kauchak, 2011).
    template <typename Take>
    void deletions(const SpanLabels& labels, bool label_source, Take& take) {
        for (std::size_t first = 0; first < source_.size(); ++first) {
            const std::size_t end = std::min(source_.size(), first + options_.max_span);
            for (std::size_t last = first + 1; last <= end && !source_reach_[last - 1].aligned(); ++last) {
                emit({first, last, 0, 0, label_source ? labels(first, last) : Label{0}}, nullptr, nullptr, take);
            }
        }
    }

    template <typename Take>
    void with_gaps(const Phrase& phrase, Take& take) {
        gaps_.clear();
        for (std::size_t i = first_phrase_[phrase.source_first]; i < first_phrase_[phrase.source_last]; ++i) {
            const Phrase& gap = phrases_[i];
            if (phrase.holds(gap) && aligned(gap) < aligned(phrase)) gaps_.push_back(&gap);
        }
        for (std::size_t i = 0; i < gaps_.size(); ++i) {
            emit(phrase, gaps_[i], nullptr, take);
            if (options_.nonterminals < 2) continue;
            for (std::size_t k = i + 1; k < gaps_.size(); ++k) {
                if (fit_together(phrase, *gaps_[i], *gaps_[k])) emit(phrase, gaps_[i], gaps_[k], take);
            }
        }
    }

    // Gaps come by their first source word, so `one` starts no later than `two`.
    bool fit_together(const Phrase& phrase, const Phrase& one, const Phrase& two) const {
        if (two.source_first < one.source_last) return false;
        if (two.source_first == one.source_last && !options_.adjacent) return false;
        if (two.target_first < one.target_last && one.target_first < two.target_last) return false;
        return aligned(one) + aligned(two) < aligned(phrase);
    }

    template <typename Take>
    void emit(const Phrase& phrase, const Phrase* one, const Phrase* two, Take& take) {
        std::size_t symbols = phrase.words();
        for (const Phrase* gap : {one, two}) symbols -= gap == nullptr ? 0 : gap->words() - 1;
        if (symbols > options_.max_symbols) return;
        bytes_.clear();
        if (!append_side(source_, phrase.source_first, phrase.source_last, one, two, true, source_places_)) return;
        if (!append_side(target_, phrase.target_first, phrase.target_last, one, two, false, target_places_)) return;
        append_symbol(bytes_, phrase.label);
        append_alignment(phrase);
        take(std::string_view(bytes_));
    }

    // Words and nonterminals of one side, and for each position of the sentence the place of its symbol.
    bool append_side(std::span<const Symbol> words, std::size_t first, std::size_t last, const Phrase* one,
                     const Phrase* two, bool is_source, std::vector<std::uint8_t>& places) {
        places.resize(words.size());
        std::uint8_t place = 0;
        for (std::size_t i = first; i < last; ++place) {
            const Phrase* here = nullptr;
            for (const Phrase* gap : {one, two}) {
                if (gap != nullptr && (is_source ? gap->source_first : gap->target_first) == i) here = gap;
            }
            if (here == nullptr) {
                if (words[i] == 0) return false;
                append_symbol(bytes_, words[i]);
                places[i++] = place;
                continue;
            }
            append_symbol(bytes_, nonterminal(here->label, here == two ? 1 : 0));
            const std::size_t end = is_source ? here->source_last : here->target_last;
            while (i < end) places[i++] = place;
        }
        append_symbol(bytes_, 0);
        return true;
    }

    void append_alignment(const Phrase& phrase) {
        placed_.clear();
        for (const auto& [i, j] : points_) {
            if (i < phrase.source_first || i >= phrase.source_last || phrase.target_first == phrase.target_last)
                continue;
            placed_.emplace_back(source_places_[i], target_places_[j]);
        }
        std::sort(placed_.begin(), placed_.end());
        placed_.erase(std::unique(placed_.begin(), placed_.end()), placed_.end());  // those within a gap
        for (const auto& [i, j] : placed_) {
            bytes_.push_back(static_cast<char>(i));
            bytes_.push_back(static_cast<char>(j));
        }
    }

    const ExtractionOptions& options_;
    std::span<const Symbol> source_, target_;
    std::span<const Point> points_;
    std::vector<Reach> source_reach_, target_reach_;
    std::vector<std::size_t> aligned_before_;
    std::vector<Phrase> phrases_;
    std::vector<std::size_t> first_phrase_;  // by first source word
    std::vector<const Phrase*> gaps_;
    std::vector<std::uint8_t> source_places_, target_places_;
    std::vector<std::pair<std::uint8_t, std::uint8_t>> placed_;
    std::string bytes_;
};

}  // namespace plainwright
