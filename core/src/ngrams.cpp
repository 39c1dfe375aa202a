#include "plainwright/ngrams.hpp"

#include <bit>
#include <stdexcept>

#include "plainwright/unicode.hpp"

namespace plainwright {

namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;

std::uint64_t load8(const char* text) {
    std::uint64_t word;
    std::memcpy(&word, text, 8);
    return word;
}

std::uint64_t shift_for(std::size_t capacity) { return 64U - static_cast<unsigned>(std::countr_zero(capacity)); }

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

char* TokenText::make_room(std::size_t size) {
    // A whole segment is one buffer, and its spans are 32 bits wide.
    if (used_ + size > 0xfffffff0U) throw std::invalid_argument("a segment must be shorter than 4 GB");
    if (buffer_.size() < used_ + size + 16) buffer_.resize(2 * (used_ + size) + 64);
    return buffer_.data() + used_;
}

// Nearly all English lines are ASCII: lower-cased in one vectorised pass, then split eight bytes at a time.
bool TokenText::add_plain_ascii(bool lowercase, std::string_view line) {
    char* const text = make_room(line.size());
    unsigned char all = 0;
    if (lowercase) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            const auto c = static_cast<unsigned char>(line[i]);
            all |= c;
            text[i] = static_cast<char>(c + (static_cast<unsigned char>(c - 'A') < 26 ? 32 : 0));
        }
    } else {
        for (std::size_t i = 0; i < line.size(); ++i) {
            all |= static_cast<unsigned char>(line[i]);
            text[i] = line[i];
        }
    }
    if (all >= 0x80) return false;

    constexpr std::uint64_t kHigh = 0x8080808080808080ULL;
    constexpr std::uint64_t kBeyondSpace = 0x2121212121212121ULL;
    std::memset(text + line.size(), ' ', 8);  // ends the last token, and stays in the room made
    const std::size_t tokens_before = tokens_.size();
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= line.size(); at += 8) {
        // The high bit of a byte survives the subtraction unless the byte is a space or a control character.
        std::uint64_t stops = ~((load8(text + at) | kHigh) - kBeyondSpace) & kHigh;
        for (; stops != 0; stops &= stops - 1) {
            const std::size_t stop = at + static_cast<std::size_t>(std::countr_zero(stops)) / 8;
            if (stop > line.size()) break;
            if (text[stop] != ' ' && !is_space(static_cast<unsigned char>(text[stop]))) {
                tokens_.resize(tokens_before);  // a control character inside a word
                return false;
            }
            if (stop > begin) {
                tokens_.push_back(
                    {static_cast<std::uint32_t>(used_ + begin), static_cast<std::uint32_t>(stop - begin)});
            }
            begin = stop + 1;
        }
    }
    used_ += line.size();
    return true;
}

void TokenText::add_tokenized(Tokenizer tokenizer, bool lowercase, std::string_view line) {
    tokenized_.clear();
    tokenize(tokenizer, lowercase, line, tokenized_);
    char* const text = make_room(tokenized_.size());
    std::copy(tokenized_.begin(), tokenized_.end(), text);
    std::size_t begin = 0;
    while (begin < tokenized_.size()) {
        const std::size_t stop = std::min(tokenized_.find(' ', begin), tokenized_.size());
        tokens_.push_back({static_cast<std::uint32_t>(used_ + begin), static_cast<std::uint32_t>(stop - begin)});
        begin = stop + 1;
    }
    used_ += tokenized_.size();
}

void TokenText::add_sentence(Tokenizer tokenizer, bool lowercase, std::string_view line) {
    if (tokenizer != Tokenizer::none || !add_plain_ascii(lowercase, line)) {
        add_tokenized(tokenizer, lowercase, line);
    }
    sentence_ends_.push_back(tokens_.size());
}

void SegmentIndex::read_text(const std::string_view* source, const std::string_view* references,
                             std::size_t n_references) {
    text_.clear();
    reference_lengths_.clear();
    if (source != nullptr) text_.add_sentence(options_.tokenizer, options_.lowercase, *source);
    for (std::size_t r = 0; r < n_references; ++r) {
        const std::size_t before = text_.tokens();
        text_.add_sentence(options_.tokenizer, options_.lowercase, references[r]);
        reference_lengths_.push_back(static_cast<std::uint32_t>(text_.tokens() - before));
    }
    const std::size_t most = text_.tokens() * options_.max_order;
    if (most > PairTable::kMaxId) {
        throw std::invalid_argument("a segment and its references must have fewer than 16 million tokens");
    }
    if (counts_.size() < most) {
        counts_.resize(most);
        seen_.resize(most);
    }
}

template <ReferenceCount kCount, typename Number>
inline void SegmentIndex::number_order(std::size_t n, bool has_source, Number&& number) {
    Counts* const counts = counts_.data();
    Seen* const seen = seen_.data();
    Id* const current = current_.data();
    auto fresh = static_cast<Id>(size_);
    Order range{fresh, fresh, fresh};
    // Writes a new n-gram's counts; the number itself was given by `number`.
    auto numbered = [&](std::size_t i) {
        const Id id = number(i, fresh);
        current[i] = id;
        if (id == fresh) {
            counts[id] = {};
            if constexpr (kCount != ReferenceCount::sum) seen[id] = {};
            ++fresh;
        }
        return id;
    };
    std::size_t sentence = 0;
    if (has_source) {
        const std::size_t end = text_.end_of(sentence++);
        for (std::size_t i = 0; i + n < end; ++i) ++counts[numbered(i)].source;
        range.source_last = fresh;
    }
    for (; sentence < text_.sentences(); ++sentence) {
        const std::size_t end = text_.end_of(sentence);
        const auto reference = static_cast<std::uint32_t>(sentence + 1);
        for (std::size_t i = text_.begin_of(sentence); i + n < end; ++i) {
            const Id id = numbered(i);
            if constexpr (kCount == ReferenceCount::sum) {
                ++counts[id].references;
            } else {
                const bool again = seen[id].reference == reference;
                seen[id] = {reference, again ? seen[id].count + 1 : 1};
                counts[id].references = kCount == ReferenceCount::sentences
                                            ? counts[id].references + !again
                                            : std::max(counts[id].references, seen[id].count);
            }
        }
    }
    range.last = fresh;
    size_ = fresh;
    orders_.push_back(range);
}

template <ReferenceCount kCount>
void SegmentIndex::number_and_count(bool has_source) {
    token_ids_.resize(text_.tokens());
    current_.resize(text_.tokens());
    orders_.clear();
    size_ = 0;
    number_order<kCount>(0, has_source,
                         [this](std::size_t i, Id fresh) { return tokens_.find_or_insert(text_.token(i), fresh); });
    std::copy(current_.begin(), current_.end(), token_ids_.begin());
    const Id* const tokens = token_ids_.data();
    const Id* const current = current_.data();
    for (std::size_t n = 1; n < options_.max_order; ++n) {
        number_order<kCount>(n, has_source, [=, this](std::size_t i, Id fresh) {
            return pairs_.find_or_insert(current[i], tokens[i + n], fresh);
        });
    }
}

void SegmentIndex::build(const std::string_view* source, const std::string_view* references, std::size_t n_references) {
    tokens_.clear();
    pairs_.clear();
    read_text(source, references, n_references);
    switch (options_.reference_count) {
        case ReferenceCount::sum:
            return number_and_count<ReferenceCount::sum>(source != nullptr);
        case ReferenceCount::maximum:
            return number_and_count<ReferenceCount::maximum>(source != nullptr);
        case ReferenceCount::sentences:
            return number_and_count<ReferenceCount::sentences>(source != nullptr);
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
