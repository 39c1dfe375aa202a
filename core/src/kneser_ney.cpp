#include "plainwright/kneser_ney.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lm_format.hpp"

namespace plainwright {

namespace {

constexpr WordId kBegin = 1, kEnd = 2;
constexpr std::uint32_t kAbsent = 0xffffffffU;
constexpr float kNever = -99.0F;  // what ARPA files say of <s>, which is never predicted

// The distinct n-grams of one order. Their numbers are those of their first occurrences, so they are the same on
// every machine.
struct Level {
    std::vector<std::uint32_t> prefix;    // number, one order below
    std::vector<std::uint32_t> suffix;    // number, one order below
    std::vector<WordId> word;             // the last one
    std::vector<std::uint32_t> seen;      // occurrences
    std::vector<std::uint32_t> adjusted;  // different words before it; occurrences if there can be none
    std::vector<double> probability;

    std::size_t size() const { return word.size(); }
};

// Finds the number of the pair (prefix, word).
class PairIndex {
 public:
    explicit PairIndex(Level& level) : level_(level) { slots_.assign(1024, kAbsent); }

    std::uint32_t find_or_add(std::uint32_t prefix, WordId word, std::uint32_t suffix) {
        std::size_t at = place(prefix, word);
        for (; slots_[at] != kAbsent; at = (at + 1) & (slots_.size() - 1)) {
            const std::uint32_t entry = slots_[at];
            if (level_.prefix[entry] == prefix && level_.word[entry] == word) return entry;
        }
        const auto entry = static_cast<std::uint32_t>(level_.size());
        if (entry >= lm_format::kMaxSlots / 2) throw std::invalid_argument("more n-grams than a model can hold");
        slots_[at] = entry;
        level_.prefix.push_back(prefix);
        level_.suffix.push_back(suffix);
        level_.word.push_back(word);
        level_.seen.push_back(0);
        level_.adjusted.push_back(0);
        if (level_.size() * 3 > slots_.size() * 2) grow();
        return entry;
    }

 private:
    std::size_t place(std::uint32_t prefix, WordId word) const {
        return (lm_format::mix(std::uint64_t{prefix} << 32 | word) >> 24) & (slots_.size() - 1);
    }

    void grow() {
        slots_.assign(slots_.size() * 2, kAbsent);
        for (std::uint32_t entry = 0; entry < level_.size(); ++entry) {
            std::size_t at = place(level_.prefix[entry], level_.word[entry]);
            while (slots_[at] != kAbsent) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = entry;
        }
    }

    Level& level_;
    std::vector<std::uint32_t> slots_;
};

// D1, D2 and D3+ of Chen and Goodman's equation 26, from the numbers of n-grams with counts 1 to 4. As in lmplz, no
// n-gram needs to have the count 4.
bool discounts_from(const std::array<std::uint64_t, 5>& having, Discounts& discounts) {
    for (std::size_t k = 1; k <= 3; ++k) {
        if (having[k] == 0) return false;
    }
    const double y = static_cast<double>(having[1]) / static_cast<double>(having[1] + 2 * having[2]);
    for (std::size_t k = 1; k <= 3; ++k) {
        const double ratio = static_cast<double>(having[k + 1]) / static_cast<double>(having[k]);
        const auto count = static_cast<double>(k);
        discounts[k - 1] = count - (count + 1) * y * ratio;
        if (discounts[k - 1] < 0 || discounts[k - 1] > count) return false;
    }
    return true;
}

float logarithm(double value) { return value > 0 ? static_cast<float>(std::log10(value)) : kNever; }

class Estimation {
 public:
    Estimation(const std::vector<WordId>& words, std::size_t types, const KneserNeyOptions& options)
        : words_(words), types_(types), options_(options), levels_(options.order) {}

    void run(std::vector<OrderReport>& report) {
        count_words();
        for (std::size_t n = 2; n <= options_.order; ++n) count_longer(n);
        adjust();
        backoffs_.resize(options_.order);
        for (std::size_t n = 1; n <= options_.order; ++n) report.push_back(smooth(n));
    }

    void export_to(NgramModel& model) const {
        model.orders.resize(options_.order);
        for (std::size_t n = 1; n <= options_.order; ++n) export_order(n, model.orders[n - 1]);
    }

 private:
    Level& level(std::size_t n) { return levels_[n - 1]; }
    const Level& level(std::size_t n) const { return levels_[n - 1]; }

    std::uint32_t threshold(std::size_t n) const { return options_.prune[std::min(n, options_.prune.size()) - 1]; }
    bool is_kept(std::size_t n, std::size_t entry) const { return n == 1 || level(n).seen[entry] > threshold(n); }

    // A word's number is its own; all of them share the empty context, number 0.
    void count_words() {
        Level& words = level(1);
        words.prefix.assign(types_, 0);
        words.suffix.assign(types_, 0);
        words.seen.assign(types_, 0);
        words.adjusted.assign(types_, 0);
        for (WordId word = 0; word < types_; ++word) words.word.push_back(word);
        for (const WordId word : words_) ++words.seen[word];
        ending_.assign(words_.begin(), words_.end());
    }

    // `ending_[i]` is the number of the (n-1)-gram that ends at word i, kAbsent where the sentence has too few words.
    void count_longer(std::size_t n) {
        PairIndex index(level(n));
        std::uint32_t before = kAbsent;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::uint32_t suffix = ending_[i], prefix = words_[i] == kBegin ? kAbsent : before;
            before = suffix;
            ending_[i] = prefix == kAbsent ? kAbsent : index.find_or_add(prefix, words_[i], suffix);
            if (ending_[i] != kAbsent) ++level(n).seen[ending_[i]];
        }
    }

    void adjust() {
        level(options_.order).adjusted = level(options_.order).seen;
        for (std::size_t n = 2; n <= options_.order; ++n) {
            for (const std::uint32_t suffix : level(n).suffix) ++level(n - 1).adjusted[suffix];
        }
        // No word comes before <s>, so n-grams that start with it keep their occurrences.
        std::vector<bool> starts(types_, false);
        starts[kBegin] = true;
        for (std::size_t n = 2; n < options_.order; ++n) {
            std::vector<bool> longer(level(n).size());
            for (std::size_t i = 0; i < level(n).size(); ++i) {
                longer[i] = starts[level(n).prefix[i]];
                if (longer[i]) level(n).adjusted[i] = level(n).seen[i];
            }
            starts = std::move(longer);
        }
        level(1).adjusted[kBegin] = 0;
    }

    OrderReport discounts(std::size_t n) const {
        OrderReport report;
        std::array<std::uint64_t, 5> having{};
        for (const std::uint32_t count : level(n).adjusted) {
            if (count >= 1 && count <= 4) ++having[count];
        }
        report.counted = level(n).size();
        report.fallback = !discounts_from(having, report.discounts);
        if (report.fallback) report.discounts = options_.fallback;
        return report;
    }

    // Probabilities of one order, and the back-offs of the contexts, which are n-grams of the order below.
    OrderReport smooth(std::size_t n) {
        OrderReport report = discounts(n);
        Level& grams = level(n);
        const std::size_t contexts = n == 1 ? 1 : level(n - 1).size();
        std::vector<double> total(contexts, 0.0), taken(contexts, 0.0);
        const auto discount = [&](std::uint32_t count) {
            return count == 0 ? 0.0 : report.discounts[std::min(count, 3U) - 1];
        };
        for (std::size_t i = 0; i < grams.size(); ++i) {
            const std::uint32_t count = grams.adjusted[i];
            total[grams.prefix[i]] += count;
            // What is left out gives all it has to the words that the context does not list.
            taken[grams.prefix[i]] += is_kept(n, i) ? discount(count) : count;
            report.kept += is_kept(n, i) ? 1 : 0;
        }
        std::vector<double>& backoff = backoffs_[n - 1];
        backoff.assign(contexts, 1.0);
        for (std::size_t c = 0; c < contexts; ++c) {
            if (total[c] > 0) backoff[c] = taken[c] / total[c];
        }
        const double uniform = 1.0 / static_cast<double>(types_ - 1);  // without <s>
        grams.probability.resize(grams.size());
        for (std::size_t i = 0; i < grams.size(); ++i) {
            const std::uint32_t context = grams.prefix[i], count = grams.adjusted[i];
            const double lower = n == 1 ? uniform : level(n - 1).probability[grams.suffix[i]];
            grams.probability[i] = (count - discount(count)) / total[context] + backoff[context] * lower;
        }
        return report;
    }

    void export_order(std::size_t n, NgramOrder& out) const {
        const Level& grams = level(n);
        for (std::uint32_t i = 0; i < grams.size(); ++i) {
            if (!is_kept(n, i)) continue;
            const std::size_t first = out.words.size();
            std::uint32_t entry = i;
            for (std::size_t m = n; m >= 1; --m) {
                out.words.push_back(level(m).word[entry]);
                entry = level(m).prefix[entry];
            }
            std::reverse(out.words.begin() + static_cast<std::ptrdiff_t>(first), out.words.end());
            const bool never = n == 1 && i == kBegin;
            out.log10.push_back(never ? kNever : std::min(0.0F, logarithm(grams.probability[i])));
            out.backoff.push_back(n < options_.order ? logarithm(backoffs_[n][i]) : 0.0F);
        }
    }

    const std::vector<WordId>& words_;
    std::size_t types_;
    const KneserNeyOptions& options_;
    std::vector<Level> levels_;
    std::vector<std::uint32_t> ending_;
    std::vector<std::vector<double>> backoffs_;  // [n] is for contexts of n words
};

void check(const KneserNeyOptions& options) {
    const auto require = [](bool condition, const char* message) {
        if (!condition) throw std::invalid_argument(message);
    };
    require(options.order >= 1 && options.order <= kMaxLmOrder, "the order must be from 1 to 5");
    require(!options.prune.empty() && options.prune[0] == 0, "words are never pruned: the first threshold must be 0");
    require(options.prune.size() <= options.order, "more pruning thresholds than orders");
    require(std::is_sorted(options.prune.begin(), options.prune.end()),
            "a pruning threshold must not be smaller than that of the order below");
    for (std::size_t k = 1; k <= 3; ++k) {
        require(options.fallback[k - 1] > 0 && options.fallback[k - 1] <= static_cast<double>(k),
                "the discounts to fall back on must be above 0 and at most 1, 2 and 3");
    }
}

}  // namespace

KneserNeyEstimator::KneserNeyEstimator() {
    for (const char* word : {"<unk>", "<s>", "</s>"}) {
        ids_.emplace(word, static_cast<WordId>(vocabulary_.size()));
        vocabulary_.emplace_back(word);
    }
}

void KneserNeyEstimator::add(std::string_view line) {
    const std::size_t before = words_.size();
    words_.push_back(kBegin);
    for_each_token(line, [&](std::string_view token) {
        auto found = ids_.find(token);
        if (found == ids_.end()) {
            if (vocabulary_.size() >= lm_format::kMaxWords)
                throw std::invalid_argument("more words than a model can hold");
            found = ids_.emplace(token, static_cast<WordId>(vocabulary_.size())).first;
            vocabulary_.emplace_back(token);
        } else if (found->second <= kEnd) {
            words_.resize(before);
            throw std::invalid_argument("the text must not contain " + found->first + ", which the model uses itself");
        }
        words_.push_back(found->second);
    });
    words_.push_back(kEnd);
    ++sentences_;
}

NgramModel KneserNeyEstimator::estimate(const KneserNeyOptions& options, std::vector<OrderReport>& report) const {
    check(options);
    if (tokens() == 0) throw std::invalid_argument("there is no text to learn from");
    Estimation estimation(words_, vocabulary_.size(), options);
    report.clear();
    estimation.run(report);
    NgramModel model;
    model.vocabulary = vocabulary_;
    estimation.export_to(model);
    return model;
}

}  // namespace plainwright
