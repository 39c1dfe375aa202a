#include "plainwright/language_model.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "files.hpp"
#include "lm_format.hpp"
#include "plainwright/intrinsics.hpp"
#include "plainwright/ngram_model.hpp"

namespace plainwright {

using namespace lm_format;

namespace {

constexpr std::uint64_t kNotFound = ~std::uint64_t{0};
constexpr std::uint64_t kMostSteps = 4096;  // from a key's home to its slot; real models take a few hundred at most

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw std::runtime_error(path + ": " + what);
}

template <typename Value>
Value load(const char* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Says something about what follows: a back-off other than 1, or a longer n-gram that starts with this one.
bool matters(float backoff) { return backoff != 0.0F || !std::signbit(backoff); }

// A probability is stored positive if no longer n-gram ends in this one.
bool extends_left(float log10) { return std::signbit(log10); }

std::unique_ptr<const MappedFile> map(const std::string& path) {
    try {
        return std::make_unique<const MappedFile>(path);
    } catch (const MappingError& error) {
        fail(path, "cannot be mapped into memory (" + error.code().message() + ")");
    } catch (const std::system_error& error) {
        const bool missing = error.code() == std::errc::no_such_file_or_directory;
        fail(path, missing ? "no such file" : "cannot be read (" + error.code().message() + ")");
    }
}

}  // namespace

inline LanguageModel::Place LanguageModel::seek(const Table& table, std::uint64_t key) {
    std::uint64_t at = home_of(key, table.range);
    const auto key_at = [&table](std::uint64_t slot) { return load<std::uint64_t>(table.data + slot * table.stride); };
    // How many steps it takes is chance, so the first two are made without a branch. The last slot has the largest key.
    at += key_at(at) < key ? 1 : 0;
    at += key_at(at) < key ? 1 : 0;
    std::uint64_t found = key_at(at);
    while (found < key) found = key_at(++at);
    return {at, found == key};
}

inline std::uint64_t LanguageModel::find(const Table& table, std::uint64_t key) {
    const Place place = seek(table, key);
    return place.found ? place.slot : kNotFound;
}

inline void LanguageModel::prefetch(const Table& table, std::uint64_t key) {
    const char* home = table.data + home_of(key, table.range) * table.stride;
    plainwright::prefetch(home);
    plainwright::prefetch(home + 3 * table.stride);  // a search often runs into the next line of the cache
}

inline LanguageModel::Weights LanguageModel::weights_at(std::size_t n, std::uint64_t slot) const {
    const char* at = tables_[n].data + slot * tables_[n].stride + 8;
    return {load<float>(at), n == order_ ? -0.0F : load<float>(at + 4)};
}

std::shared_ptr<const LanguageModel> LanguageModel::open(const std::string& path) {
    return std::shared_ptr<const LanguageModel>(new LanguageModel(path));
}

LanguageModel::LanguageModel(const std::string& path)
    : path_(path), file_(map(path)), data_(file_->data()), size_(file_->size()) {
    check_header();
    place_sections();
}

LanguageModel::~LanguageModel() = default;

void LanguageModel::check_header() {
    if (!file_->is_regular()) fail(path_, "expected a packed language model, found something that is not a file");
    if (size_ < sizeof(Header)) {
        fail(path_,
             "expected a packed language model, found " + std::to_string(size_) + " bytes, fewer than its header");
    }
    const auto header = load<Header>(data_);
    if (header.magic != kMagic) fail(path_, "expected a packed language model; make one with `plainwright lm pack`");
    if (header.endian_mark != kEndianMark) {
        fail(path_,
             "this model was packed on a machine with another byte order; pack it here with `plainwright lm pack`");
    }
    if (header.version != kVersion) {
        fail(path_, "expected version " + std::to_string(kVersion) + " of the packed format, found version " +
                        std::to_string(header.version) + "; pack it again with `plainwright lm pack`");
    }
    if (header.header_checksum != lm_format::header_checksum(header))
        fail(path_, "damaged: the header's checksum is wrong");
    if (header.file_bytes != size_) {
        fail(path_,
             "damaged: expected " + std::to_string(header.file_bytes) + " bytes, found " + std::to_string(size_));
    }
}

// The header may be forged, checksum and all: nothing outside the file may be reached through it.
void LanguageModel::place_sections() {
    const auto header = load<Header>(data_);
    const auto require = [&](bool condition) {
        if (!condition) fail(path_, "damaged: the header's sizes contradict each other");
    };
    require(header.order >= 1 && header.order <= kMaxLmOrder);
    require(header.words >= 1 && header.words <= kMaxWords && header.entries[0] == header.words);
    require(header.begin < header.words && header.end < header.words);
    require(header.text_bytes <= kMaxTextBytes && header.word_slots <= 2 * kMaxSlots);
    order_ = header.order;
    words_ = header.words;
    begin_ = header.begin;
    end_ = header.end;

    std::uint64_t at = sizeof(Header);
    const auto section = [&](std::uint64_t bytes) {
        const char* here = data_ + at;
        at += padded(bytes);
        require(at <= size_);
        return here;
    };
    const auto table = [&](std::uint64_t entries, std::uint64_t slots, std::size_t stride) {
        require(entries <= kMaxSlots && slots <= 2 * kMaxSlots && slots > range_of(entries));
        const Table placed{section(slots * stride), slots, range_of(entries), stride};
        require(load<std::uint64_t>(placed.data + (slots - 1) * stride) == kEmptyKey);
        return placed;
    };
    text_ends_ = reinterpret_cast<const std::uint32_t*>(section(std::uint64_t{words_} * 4));
    text_ = section(header.text_bytes);
    word_table_ = table(words_, header.word_slots, kWordStride);
    unigrams_ = reinterpret_cast<const Weights*>(section(std::uint64_t{words_} * sizeof(Weights)));
    for (std::size_t n = 2; n <= order_; ++n) {
        tables_[n] = table(header.entries[n - 1], header.slots[n - 1], stride_of(n, order_));
    }
    for (std::size_t n = 2; n <= order_; ++n) {
        require(header.blanks[n - 1] <= header.entries[n - 1]);
        blanks_[n] = reinterpret_cast<const std::uint32_t*>(section(header.blanks[n - 1] * 4));
    }
    require(at == size_);
}

void LanguageModel::verify() const {
    const auto header = load<Header>(data_);
    if (checksum_of(data_ + sizeof(Header), size_ - sizeof(Header)) != header.body_checksum) {
        fail(path_, "damaged: the checksum of the content is wrong");
    }
    verify_words();
    for (std::size_t n = 2; n <= order_; ++n) verify_table(n);
    file_->release_pages();  // all of which were touched
}

// What a checksum cannot tell, because it can be forged as well: that searches are short and scores are numbers.
void LanguageModel::verify_words() const {
    verify_keys(word_table_);
    for (WordId word = 0; word < words_; ++word) {
        const std::string_view shown = text(word);
        const auto has = [&](char c) { return shown.find(c) != shown.npos; };
        if (shown.empty() || has(' ') || has('\t') || has('\n')) fail(path_, "damaged: a word with a space in it");
        verify_weights(unigrams_[word]);
    }
}

void LanguageModel::verify_table(std::size_t n) const {
    verify_keys(tables_[n]);
    for (std::uint64_t slot = 0; slot < tables_[n].slots; ++slot) verify_weights(weights_at(n, slot));
}

void LanguageModel::verify_keys(const Table& table) const {
    std::uint64_t last = 0;
    for (std::uint64_t slot = 0; slot < table.slots; ++slot) {
        const auto key = load<std::uint64_t>(table.data + slot * table.stride);
        if (key == kEmptyKey) continue;
        const std::uint64_t home = home_of(key, table.range);
        if (key < last || home > slot || slot - home > kMostSteps) fail(path_, "damaged: its n-grams are not in order");
        last = key;
    }
}

void LanguageModel::verify_weights(Weights weights) const {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    // A probability may have either sign and be 0, that is, minus infinity.
    if (std::isnan(weights.log10) || !(weights.backoff < kInfinity)) fail(path_, "damaged: a weight is no number");
}

std::uint64_t LanguageModel::ngrams(std::size_t n) const {
    const auto header = load<Header>(data_);
    if (n < 1 || n > order_) return 0;
    if (n == 1) return header.entries[0] - (header.has_unknown == 0 ? 1 : 0);
    return header.entries[n - 1] - header.blanks[n - 1];
}

std::string_view LanguageModel::text(WordId word) const {
    if (word >= words_) return {};
    const std::uint64_t end = text_ends_[word], begin = word == 0 ? 0 : text_ends_[word - 1];
    if (begin > end || end > load<Header>(data_).text_bytes) fail(path_, "damaged: the text of a word lies outside it");
    return {text_ + begin, end - begin};
}

WordId LanguageModel::word(std::string_view text) const { return word_of_key(key_of(text)); }

inline WordId LanguageModel::word_of_key(std::uint64_t key) const {
    const std::uint64_t slot = find(word_table_, key);
    if (slot == kNotFound) return kUnknownWord;
    const auto word = load<WordId>(word_table_.data + slot * kWordStride + 8);
    return word < words_ ? word : kUnknownWord;
}

LmState LanguageModel::begin_state() const {
    LmState state;
    state.words[0] = begin_;
    state.backoffs[0] = unigrams_[begin_].backoff;
    state.length = order_ > 1 && matters(state.backoffs[0]) ? 1 : 0;
    return state;
}

LmResult LanguageModel::score(const LmState& state, WordId word, LmState& next) const {
    if (word >= words_) word = kUnknownWord;
    Weights found = unigrams_[word];
    LmState reached;
    reached.words[0] = word;
    reached.backoffs[0] = found.backoff;
    reached.length = order_ > 1 && matters(found.backoff) ? 1 : 0;

    const std::size_t context = std::min<std::size_t>(state.length, order_ - 1);
    std::uint64_t parent = word;
    std::size_t length = 1;
    while (length <= context && extends_left(found.log10)) {
        const WordId older = state.words[length - 1];
        parent = find(tables_[length + 1], make_key(parent, older));
        if (parent == kNotFound) break;
        ++length;
        found = weights_at(length, parent);
        if (length == order_) break;
        reached.words[length - 1] = older;
        reached.backoffs[length - 1] = found.backoff;
        if (matters(found.backoff)) reached.length = static_cast<std::uint8_t>(length);
    }
    float log10 = -std::fabs(found.log10);
    if (length <= context) {
        if (std::isnan(state.backoffs[0])) return score(with_backoffs(state), word, next);
        for (std::size_t i = length; i <= context; ++i) log10 += state.backoffs[i - 1];
    }
    next = reached;
    return {log10, static_cast<std::uint8_t>(length)};
}

LmState LanguageModel::with_backoffs(LmState state) const {
    const std::size_t context = std::min<std::size_t>(state.length, order_ - 1);
    std::uint64_t slot = state.words[0] < words_ ? state.words[0] : kUnknownWord;
    state.backoffs = {unigrams_[slot].backoff};
    for (std::size_t n = 2; n <= context; ++n) {
        slot = find(tables_[n], make_key(slot, state.words[n - 1]));
        if (slot == kNotFound) break;
        state.backoffs[n - 1] = weights_at(n, slot).backoff;
    }
    if (std::isnan(state.backoffs[0])) state.backoffs[0] = 0;  // a damaged file
    return state;
}

// Scores sentences order by order: the searches of one order do not depend on each other, so their waits for memory
// overlap. Gives the same numbers as `score`, word by word.
class LanguageModel::BatchScorer {
 public:
    explicit BatchScorer(const LanguageModel& model) : model_(model) {}

    // As many of the lines as make a batch; returns how many.
    std::size_t score(const std::string_view* lines, std::size_t size, bool begin, bool end, LineScore* scores) {
        clear();
        std::size_t taken = 0;
        while (taken < size && words_.size() < kBatchWords) read_line(lines[taken++], begin, end);
        find_words();
        for (std::size_t n = 2; n <= model_.order_ && !active_.empty(); ++n) extend(n);
        for (std::size_t i = 0, first = 0; i < taken; first = ends_[i++]) {
            scores[i] = sum(first, ends_[i], begin ? 1 : 0);
        }
        return taken;
    }

 private:
    static constexpr std::size_t kBatchWords = 256;

    struct Match {
        std::uint64_t slot;
        std::uint64_t key;
        float log10;
        std::uint32_t length;
        std::array<float, kMaxLmOrder> backoffs;
    };

    void clear() {
        words_.clear();
        keys_.clear();
        places_.clear();
        ends_.clear();
        active_.clear();
    }

    void add_word(WordId word, std::uint64_t key) {
        words_.push_back(word);
        keys_.push_back(key);
        places_.push_back(static_cast<std::uint32_t>(words_.size() - (ends_.empty() ? 0 : ends_.back())));
    }

    // Words get their numbers later: first all of their slots are on their way from memory.
    void read_line(std::string_view line, bool begin, bool end) {
        if (begin) add_word(model_.begin_, kEmptyKey);
        for_each_token(line, [&](std::string_view token) {
            add_word(kUnknownWord, key_of(token, line.data() + line.size()));
            prefetch(model_.word_table_, keys_.back());
        });
        if (end) add_word(model_.end_, kEmptyKey);
        ends_.push_back(words_.size());
    }

    void find_words() {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (keys_[i] != kEmptyKey) words_[i] = model_.word_of_key(keys_[i]);
            plainwright::prefetch(&model_.unigrams_[words_[i]]);
        }
        matches_.resize(words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const Weights& found = model_.unigrams_[words_[i]];
            matches_[i].slot = words_[i];
            matches_[i].log10 = found.log10;
            matches_[i].length = 1;
            matches_[i].backoffs[0] = found.backoff;
            if (extends_left(found.log10)) active_.push_back(static_cast<std::uint32_t>(i));
        }
    }

    void extend(std::size_t n) {
        const Table table = model_.tables_[n];
        keep_active([&](std::uint32_t i) {
            if (places_[i] < n) return false;  // too near the start of its sentence
            // Nothing is found where the words before are not in the model, or nothing follows them there.
            const Match& before = matches_[i - 1];
            if (before.length < n - 1 || !matters(before.backoffs[n - 2])) return false;
            matches_[i].key = make_key(matches_[i].slot, words_[i + 1 - n]);
            prefetch(table, matches_[i].key);
            return true;
        });
        keep_active([&](std::uint32_t i) {
            Match& match = matches_[i];
            const Place place = seek(table, match.key);
            const Weights there = model_.weights_at(n, place.slot);
            match.slot = place.slot;
            match.log10 = place.found ? there.log10 : match.log10;
            match.backoffs[n - 1] = there.backoff;  // beyond `length` if not found, where nobody looks
            match.length = place.found ? static_cast<std::uint32_t>(n) : match.length;
            return place.found & extends_left(there.log10);
        });
    }

    // As std::erase_if would, but without a branch on what cannot be foreseen.
    template <typename Test>
    void keep_active(Test&& test) {
        std::size_t kept = 0;
        for (const std::uint32_t i : active_) {
            const bool keep = test(i);
            active_[kept] = i;
            kept += keep ? 1 : 0;
        }
        active_.resize(kept);
    }

    // `skipped` words at the start are context only.
    LineScore sum(std::size_t first, std::size_t last, std::size_t skipped) const {
        LineScore total;
        for (std::size_t i = first + skipped; i < last; ++i) {
            float log10 = -std::fabs(matches_[i].log10);
            const std::size_t context = i == first ? 0 : matches_[i - 1].length;
            for (std::size_t n = matches_[i].length; n <= context; ++n) log10 += matches_[i - 1].backoffs[n - 1];
            total.log10 += log10;
            ++total.tokens;
            if (words_[i] == kUnknownWord) {
                total.unknown_log10 += log10;
                ++total.unknown;
            }
        }
        return total;
    }

    const LanguageModel& model_;
    std::vector<WordId> words_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> places_;  // in the sentence, from 1
    std::vector<std::size_t> ends_;      // of the sentences
    std::vector<Match> matches_;
    std::vector<std::uint32_t> active_;  // words whose n-gram may be found in a longer one
};

void LanguageModel::score_lines(const std::string_view* lines, std::size_t size, LineScore* scores, bool begin,
                                bool end) const {
    BatchScorer scorer(*this);
    for (std::size_t done = 0; done < size;) {
        done += scorer.score(lines + done, size - done, begin, end, scores + done);
    }
}

LineScore LanguageModel::score_line(std::string_view line, bool begin, bool end) const {
    LineScore score;
    score_lines(&line, 1, &score, begin, end);
    return score;
}

bool LanguageModel::is_blank(std::size_t n, std::uint64_t slot) const {
    const std::uint32_t* first = blanks_[n];
    return std::binary_search(first, first + load<Header>(data_).blanks[n - 1], static_cast<std::uint32_t>(slot));
}

NgramModel LanguageModel::unpack() const {
    NgramModel model;
    model.has_unknown = load<Header>(data_).has_unknown != 0;
    model.orders.resize(order_);
    for (WordId word = 0; word < words_; ++word) {
        model.vocabulary.emplace_back(text(word));
        model.orders[0].words.push_back(word);
        model.orders[0].log10.push_back(-std::fabs(unigrams_[word].log10));
        model.orders[0].backoff.push_back(unigrams_[word].backoff + 0.0F);  // no negative zero
    }
    for (std::size_t n = 2; n <= order_; ++n) unpack_order(n, model);
    return model;
}

void LanguageModel::unpack_order(std::size_t n, NgramModel& model) const {
    NgramOrder& out = model.orders[n - 1];
    for (std::uint64_t slot = 0; slot < tables_[n].slots; ++slot) {
        std::uint64_t key = load<std::uint64_t>(tables_[n].data + slot * tables_[n].stride);
        if (key == kEmptyKey || is_blank(n, slot)) continue;
        for (std::size_t m = n; m >= 2; --m) {
            const std::uint64_t pair = unmix(key), parent = pair >> 32;
            if ((pair & 0xffffffffU) >= words_ || parent >= (m == 2 ? words_ : tables_[m - 1].slots)) {
                fail(path_, "damaged: an n-gram refers to something that is not there");
            }
            out.words.push_back(static_cast<WordId>(pair));
            if (m == 2) {
                out.words.push_back(static_cast<WordId>(parent));
            } else {
                key = load<std::uint64_t>(tables_[m - 1].data + parent * tables_[m - 1].stride);
            }
        }
        const Weights weights = weights_at(n, slot);
        out.log10.push_back(-std::fabs(weights.log10));
        out.backoff.push_back(weights.backoff + 0.0F);
    }
}

}  // namespace plainwright
