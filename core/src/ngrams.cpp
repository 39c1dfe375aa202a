#include "plainwright/ngrams.hpp"

#include <bit>
#include <stdexcept>

namespace plainwright {

namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;

std::uint64_t load8(const char* text) {
    std::uint64_t word;
    std::memcpy(&word, text, 8);
    return word;
}

unsigned shift_for(std::size_t capacity) { return 64U - static_cast<unsigned>(std::countr_zero(capacity)); }

}  // namespace

void PairTable::resize(std::size_t capacity) {
    std::vector<Slot> old(capacity);
    old.swap(slots_);
    mask_ = capacity - 1;
    shift_ = shift_for(capacity);
    for (const Slot& slot : old) {
        if (!is_current(slot)) continue;
        std::size_t at = place(slot.key);
        while (is_current(slots_[at])) at = (at + 1) & mask_;
        slots_[at] = slot;
    }
}

std::uint64_t TokenTable::hash_of(std::string_view text) {
    const std::size_t n = text.size();
    std::uint64_t word = load8(text.data());
    if (n < 8) {
        // Little-endian: the token's bytes are the low ones.
        word &= (std::uint64_t{1} << (8 * n)) - 1;
    }
    std::uint64_t hash = word * kMultiplier;
    for (std::size_t at = 8; at < n; at += 8) {
        const std::size_t left = n - at;
        word = left >= 8 ? load8(text.data() + at) : load8(text.data() + n - 8);
        hash = (std::rotl(hash, 23) ^ word) * kMultiplier;
    }
    return hash;
}

void TokenTable::resize(std::size_t capacity) {
    std::vector<Slot> old(capacity);
    old.swap(slots_);
    mask_ = capacity - 1;
    shift_ = shift_for(capacity);
    for (const Slot& slot : old) {
        if (slot.epoch != epoch_) continue;
        std::size_t at = slot.hash >> shift_;
        while (slots_[at].epoch == epoch_) at = (at + 1) & mask_;
        slots_[at] = slot;
    }
}

void TokenText::add_sentence(Tokenizer tokenizer, bool lowercase, std::string_view line) {
    std::size_t at = buffer_.size();
    tokenize(tokenizer, lowercase, line, buffer_);
    if (buffer_.size() > 0xffffff00U) throw std::invalid_argument("a segment must be shorter than 4 GB");
    const char* text = buffer_.data();
    const std::size_t end = buffer_.size();
    while (at < end) {
        std::size_t stop = at;
        while (stop < end && text[stop] != ' ') ++stop;
        tokens_.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(stop - at)});
        at = stop + 1;
    }
    sentence_ends_.push_back(tokens_.size());
}

void SegmentIndex::count(std::size_t sentence, bool has_source, Id id) {
    Counts& counts = counts_[id];
    if (has_source && sentence == 0) {
        ++counts.source;
        return;
    }
    const auto reference = static_cast<std::uint32_t>(sentence + (has_source ? 0 : 1));
    if (counts.last_reference != reference) {
        counts.last_reference = reference;
        counts.in_last_reference = 0;
        ++counts.reference_sentences;
    }
    ++counts.references;
    counts.reference_max = std::max(counts.reference_max, ++counts.in_last_reference);
}

void SegmentIndex::build(const std::string_view* source, const std::string_view* references,
                         std::size_t n_references) {
    text_.clear();
    tokens_.clear();
    pairs_.clear();
    counts_.clear();
    orders_.clear();
    reference_lengths_.clear();

    const bool has_source = source != nullptr;
    if (has_source) text_.add_sentence(options_.tokenizer, options_.lowercase, *source);
    for (std::size_t r = 0; r < n_references; ++r) {
        text_.add_sentence(options_.tokenizer, options_.lowercase, references[r]);
    }
    text_.finish();
    const std::size_t sentences = text_.sentences();
    for (std::size_t s = has_source ? 1 : 0; s < sentences; ++s) {
        reference_lengths_.push_back(static_cast<std::uint32_t>(text_.end_of(s) - text_.begin_of(s)));
    }
    if (text_.tokens() * options_.max_order > PairTable::kMaxId) {
        throw std::invalid_argument("a segment and its references must have fewer than 16 million tokens");
    }

    token_ids_.resize(text_.tokens());
    Order range{0, 0, 0};
    for (std::size_t s = 0; s < sentences; ++s) {
        for (std::size_t i = text_.begin_of(s); i < text_.end_of(s); ++i) {
            const auto fresh = static_cast<Id>(counts_.size());
            const Id id = tokens_.find_or_insert(text_.token(i), fresh);
            if (id == fresh) counts_.emplace_back();
            token_ids_[i] = id;
            count(s, has_source, id);
        }
        if (has_source && s == 0) range.source_last = static_cast<Id>(counts_.size());
    }
    range.last = static_cast<Id>(counts_.size());
    orders_.push_back(range);

    current_ = token_ids_;
    for (std::size_t n = 1; n < options_.max_order; ++n) {
        range = {range.last, range.last, range.last};
        for (std::size_t s = 0; s < sentences; ++s) {
            for (std::size_t i = text_.begin_of(s); i + n < text_.end_of(s); ++i) {
                const auto fresh = static_cast<Id>(counts_.size());
                const Id id = pairs_.find_or_insert(current_[i], token_ids_[i + n], fresh);
                if (id == fresh) counts_.emplace_back();
                current_[i] = id;
                count(s, has_source, id);
            }
            if (has_source && s == 0) range.source_last = static_cast<Id>(counts_.size());
        }
        range.last = static_cast<Id>(counts_.size());
        orders_.push_back(range);
    }
}

void CandidateCounts::reset(const SegmentIndex& index) {
    for (const Id id : touched_) counts_[id] = 0;
    touched_.clear();
    if (counts_.size() < index.size()) counts_.resize(index.size(), 0);
    orders_.assign(index.options().max_order, Order{});
    novel_tokens_.clear();
    novel_pairs_.clear();
    text_.clear();
}

void CandidateCounts::count(const SegmentIndex& index, std::string_view candidate, bool number_novel) {
    reset(index);
    const NgramOptions& options = index.options();
    text_.add_sentence(options.tokenizer, options.lowercase, candidate);
    text_.finish();
    length_ = text_.tokens();
    if (index.size() + length_ * options.max_order > PairTable::kMaxId) {
        throw std::invalid_argument("a candidate must have fewer than 16 million tokens");
    }

    // Novel n-grams are numbered from index.size() on, so one number never means two things.
    auto fresh = static_cast<Id>(index.size());
    const Id known = fresh;
    auto touch = [&](Order& order, Id source_last, Id id) {
        if (counts_[id]++ == 0) {
            touched_.push_back(id);
            order.distinct_reference += id >= source_last;
        }
    };

    token_ids_.resize(length_);
    Order& unigrams = orders_[0];
    unigrams.total = static_cast<std::uint32_t>(length_);
    for (std::size_t i = 0; i < length_; ++i) {
        Id id = index.find_token(text_.token(i));
        if (id != kNoId) {
            touch(unigrams, index.order(0).source_last, id);
        } else if (number_novel) {
            id = novel_tokens_.find_or_insert(text_.token(i), fresh);
            fresh += id == fresh;
        }
        token_ids_[i] = id;
    }
    unigrams.distinct_novel = fresh - known;

    current_ = token_ids_;
    for (std::size_t n = 1; n < options.max_order && n < length_; ++n) {
        Order& order = orders_[n];
        order.total = static_cast<std::uint32_t>(length_ - n);
        const Id before = fresh;
        for (std::size_t i = 0; i + n < length_; ++i) {
            const Id prefix = current_[i];
            const Id token = token_ids_[i + n];
            Id id = prefix < known && token < known ? index.find_pair(prefix, token) : kNoId;
            if (id != kNoId) {
                touch(order, index.order(n).source_last, id);
            } else if (number_novel) {
                id = novel_pairs_.find_or_insert(prefix, token, fresh);
                fresh += id == fresh;
            }
            current_[i] = id;
        }
        order.distinct_novel = fresh - before;
    }
}

}  // namespace plainwright
