// Writes the packed language model.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "lm_format.hpp"
#include "plainwright/ngram_model.hpp"

namespace plainwright {

using namespace lm_format;

namespace {

constexpr std::uint32_t kAbsent = 0xffffffffU;
constexpr std::size_t kPiece = std::size_t{1} << 20;

// Finds n-grams of one order in a list that may grow.
class NgramIndex {
 public:
    NgramIndex(std::size_t n, const std::vector<WordId>& words) : n_(n), words_(words) {}

    std::uint32_t find(const WordId* ngram) const {
        if (slots_.empty()) return kAbsent;
        for (std::size_t at = place(ngram); slots_[at] != kAbsent; at = (at + 1) & mask_) {
            if (std::equal(ngram, ngram + n_, &words_[std::size_t{slots_[at]} * n_])) return slots_[at];
        }
        return kAbsent;
    }

    // The n-gram with number `entry` must be in the list, and not in the index.
    void add(std::uint32_t entry) {
        if ((size_ + 1) * 3 > slots_.size() * 2) grow();
        ++size_;
        put(entry);
    }

 private:
    std::size_t place(const WordId* ngram) const {
        std::uint64_t hash = n_;
        for (std::size_t i = 0; i < n_; ++i) hash = mix(hash ^ ngram[i]);
        return (hash >> 20) & mask_;
    }

    void put(std::uint32_t entry) {
        std::size_t at = place(&words_[std::size_t{entry} * n_]);
        while (slots_[at] != kAbsent) at = (at + 1) & mask_;
        slots_[at] = entry;
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), kAbsent);
        mask_ = slots_.size() - 1;
        for (std::uint32_t entry = 0; entry < size_; ++entry) put(entry);
    }

    std::size_t n_;
    const std::vector<WordId>& words_;
    std::vector<std::uint32_t> slots_;
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

class Packer {
 public:
    explicit Packer(NgramModel&& model) : model_(std::move(model)) {}

    void write(const Sink& sink) {
        check_sizes();
        index_ngrams();
        add_missing();
        score_missing();
        mark_extensions();
        for (std::size_t n = 2; n <= model_.order(); ++n) lay_out(n);
        emit(sink);
    }

 private:
    struct Flags {
        bool left = false;
        bool right = false;
    };
    struct Layout {
        std::uint64_t slots = 0;
        std::vector<std::uint64_t> keys;     // by entry
        std::vector<std::uint32_t> sorted;   // entries by key
        std::vector<std::uint32_t> slot_of;  // by entry
    };

    NgramOrder& grams(std::size_t n) { return model_.orders[n - 1]; }
    const WordId* ngram(std::size_t n, std::size_t entry) { return &grams(n).words[entry * n]; }

    // The number of an n-gram; a unigram's is its word.
    std::uint32_t entry_of(std::size_t n, const WordId* words) { return n == 1 ? words[0] : index_[n].find(words); }

    void check_sizes() {
        if (model_.vocabulary.size() > kMaxWords) throw std::invalid_argument("more words than the format can hold");
        for (const NgramOrder& order : model_.orders) {
            if (range_of(order.size()) >= kMaxSlots)
                throw std::invalid_argument("more n-grams than the format can hold");
        }
    }

    void index_ngrams() {
        index_.reserve(model_.order() + 1);
        for (std::size_t n = 0; n <= model_.order(); ++n) {
            index_.emplace_back(n, model_.orders[n == 0 ? 0 : n - 1].words);
            if (n < 2) continue;
            listed_.push_back(grams(n).size());
            for (std::size_t i = 0; i < grams(n).size(); ++i) {
                if (index_[n].find(ngram(n, i)) != kAbsent) fail_twice(n, i);
                index_[n].add(static_cast<std::uint32_t>(i));
            }
        }
    }

    [[noreturn]] void fail_twice(std::size_t n, std::size_t entry) {
        std::string text;
        for (std::size_t i = 0; i < n; ++i) text += (i == 0 ? "" : " ") + model_.vocabulary[ngram(n, entry)[i]];
        throw std::invalid_argument("the " + std::to_string(n) + "-gram '" + text + "' is listed twice");
    }

    // Both parts of each n-gram without its first or its last word must be there for a search to get to it.
    void add_missing() {
        for (std::size_t n = model_.order(); n > 2; --n) {
            for (std::size_t i = 0; i < grams(n).size(); ++i) {
                for (const std::size_t first : {0, 1}) add_if_missing(n - 1, ngram(n, i) + first);
            }
        }
    }

    void add_if_missing(std::size_t n, const WordId* words) {
        if (index_[n].find(words) != kAbsent) return;
        NgramOrder& order = grams(n);
        order.words.insert(order.words.end(), words, words + n);
        order.log10.push_back(0);
        order.backoff.push_back(0);
        index_[n].add(static_cast<std::uint32_t>(order.size() - 1));
    }

    void score_missing() {
        for (std::size_t n = 2; n < model_.order(); ++n) {
            for (std::size_t i = listed_[n - 2]; i < grams(n).size(); ++i) {
                const std::uint32_t prefix = entry_of(n - 1, ngram(n, i)), suffix = entry_of(n - 1, ngram(n, i) + 1);
                grams(n).log10[i] = std::min(0.0F, grams(n - 1).backoff[prefix] + grams(n - 1).log10[suffix]);
            }
        }
    }

    void mark_extensions() {
        for (std::size_t n = 1; n < model_.order(); ++n) flags_.emplace_back(grams(n).size());
        for (std::size_t n = 2; n <= model_.order(); ++n) {
            for (std::size_t i = 0; i < grams(n).size(); ++i) {
                flags_[n - 2][entry_of(n - 1, ngram(n, i))].right = true;
                flags_[n - 2][entry_of(n - 1, ngram(n, i) + 1)].left = true;
            }
        }
    }

    void lay_out(std::size_t n) {
        const std::size_t size = grams(n).size();
        Layout layout;
        layout.keys.resize(size);
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint32_t suffix = entry_of(n - 1, ngram(n, i) + 1);
            const std::uint64_t parent = n == 2 ? suffix : layouts_[n - 3].slot_of[suffix];
            layout.keys[i] = make_key(parent, ngram(n, i)[0]);
        }
        place(layout);
        if (layout.slots > kMaxSlots) throw std::invalid_argument("more n-grams than the format can hold");
        layouts_.push_back(std::move(layout));
    }

    static void place(Layout& layout) {
        const std::size_t size = layout.keys.size();
        layout.sorted.resize(size);
        std::iota(layout.sorted.begin(), layout.sorted.end(), 0U);
        std::sort(layout.sorted.begin(), layout.sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
            return layout.keys[a] != layout.keys[b] ? layout.keys[a] < layout.keys[b] : a < b;
        });
        layout.slot_of.resize(size);
        const std::uint64_t range = range_of(size);
        std::uint64_t next = 0;
        for (const std::uint32_t entry : layout.sorted) {
            next = std::max(next, home_of(layout.keys[entry], range));
            layout.slot_of[entry] = static_cast<std::uint32_t>(next++);
        }
        layout.slots = std::max(next, range) + 1;
    }

    void append(const void* data, std::size_t bytes) { body_.append(static_cast<const char*>(data), bytes); }
    void pad() { body_.resize(padded(body_.size()), '\0'); }

    // One table; `payload(entry)` appends what follows the key.
    template <typename Payload>
    void append_table(const Layout& layout, std::size_t payload_bytes, Payload&& payload) {
        std::size_t next = 0;
        const std::string nothing(payload_bytes, '\0');
        for (std::uint64_t slot = 0; slot < layout.slots; ++slot) {
            if (next < layout.sorted.size() && layout.slot_of[layout.sorted[next]] == slot) {
                const std::uint32_t entry = layout.sorted[next++];
                append(&layout.keys[entry], 8);
                payload(entry);
            } else {
                append(&kEmptyKey, 8);
                append(nothing.data(), nothing.size());
            }
        }
        pad();
    }

    void append_vocabulary(Header& header) {
        std::uint64_t end = 0;
        Layout layout;
        for (const std::string& word : model_.vocabulary) {
            end += word.size();
            if (end > kMaxTextBytes) throw std::invalid_argument("more text in the words than the format can hold");
            const auto stored = static_cast<std::uint32_t>(end);
            append(&stored, 4);
            layout.keys.push_back(key_of(word));
        }
        pad();
        for (const std::string& word : model_.vocabulary) body_ += word;
        pad();
        place(layout);
        require_distinct(layout);
        append_table(layout, 8, [&](std::uint32_t word) {
            const std::array<std::uint32_t, 2> stored{word, 0};
            append(stored.data(), 8);
        });
        header.text_bytes = end;
        header.word_slots = layout.slots;
    }

    void require_distinct(const Layout& words) const {
        for (std::size_t i = 1; i < words.sorted.size(); ++i) {
            if (words.keys[words.sorted[i - 1]] != words.keys[words.sorted[i]]) continue;
            throw std::invalid_argument("the words '" + model_.vocabulary[words.sorted[i - 1]] + "' and '" +
                                        model_.vocabulary[words.sorted[i]] + "' cannot be told apart by their hash");
        }
    }

    void append_log10(std::size_t n, std::size_t entry) {
        const bool extends = n < model_.order() && flags_[n - 1][entry].left;
        const float size = std::fabs(grams(n).log10[entry]), log10 = extends ? -size : size;
        append(&log10, 4);
    }

    void append_backoff(std::size_t n, std::size_t entry) {
        float backoff = grams(n).backoff[entry];
        if (backoff == 0.0F) backoff = n < model_.order() && flags_[n - 1][entry].right ? 0.0F : -0.0F;
        append(&backoff, 4);
    }

    void append_ngrams(Header& header) {
        for (std::size_t i = 0; i < grams(1).size(); ++i) {
            append_log10(1, i);
            append_backoff(1, i);
        }
        pad();
        for (std::size_t n = 2; n <= model_.order(); ++n) {
            const bool last = n == model_.order();
            append_table(layouts_[n - 2], last ? 4 : 8, [&](std::uint32_t entry) {
                append_log10(n, entry);
                if (!last) append_backoff(n, entry);
            });
            header.slots[n - 1] = layouts_[n - 2].slots;
        }
    }

    void append_blanks(Header& header) {
        for (std::size_t n = 2; n <= model_.order(); ++n) {
            const auto& slot_of = layouts_[n - 2].slot_of;
            std::vector<std::uint32_t> blanks(slot_of.begin() + static_cast<std::ptrdiff_t>(listed_[n - 2]),
                                              slot_of.end());
            std::sort(blanks.begin(), blanks.end());
            append(blanks.data(), blanks.size() * 4);
            pad();
            header.blanks[n - 1] = blanks.size();
        }
    }

    void emit(const Sink& sink) {
        Header header{};
        append_vocabulary(header);
        append_ngrams(header);
        append_blanks(header);
        header.magic = kMagic;
        header.version = kVersion;
        header.endian_mark = kEndianMark;
        header.order = static_cast<std::uint32_t>(model_.order());
        header.words = static_cast<std::uint32_t>(model_.vocabulary.size());
        header.begin = model_.find_required("<s>");
        header.end = model_.find_required("</s>");
        header.has_unknown = model_.has_unknown ? 1 : 0;
        for (std::size_t n = 1; n <= model_.order(); ++n) header.entries[n - 1] = grams(n).size();
        header.file_bytes = sizeof header + body_.size();
        header.body_checksum = checksum_of(body_.data(), body_.size());
        header.header_checksum = header_checksum(header);
        sink({reinterpret_cast<const char*>(&header), sizeof header});
        for (std::size_t at = 0; at < body_.size(); at += kPiece) sink(std::string_view(body_).substr(at, kPiece));
    }

    NgramModel model_;
    std::vector<NgramIndex> index_;          // by order
    std::vector<std::size_t> listed_;        // n-grams of the ARPA file, by order from 2
    std::vector<std::vector<Flags>> flags_;  // by order from 1
    std::vector<Layout> layouts_;            // by order from 2
    std::string body_;
};

}  // namespace

void write_packed(NgramModel model, const Sink& sink) {
    if (model.orders.empty() || model.order() > kMaxLmOrder) {
        throw std::invalid_argument("a language model has orders 1 to " + std::to_string(kMaxLmOrder));
    }
    Packer(std::move(model)).write(sink);
}

}  // namespace plainwright
