// Scores words and sentences with a packed language model.
#include <cmath>
#include <vector>

#include "lm_lookup.hpp"

namespace plainwright {

using namespace lm_format;

namespace {

// Says something about what follows: a back-off other than 1, or a longer n-gram that starts with this one.
bool matters(float backoff) { return backoff != 0.0F || !std::signbit(backoff); }

// A probability is stored positive if no longer n-gram ends in this one.
bool extends_left(float log10) { return std::signbit(log10); }

}  // namespace

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

}  // namespace plainwright
