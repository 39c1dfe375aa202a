// Learns a tagger: an averaged perceptron over hashed features, cut down to a given size.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <stdexcept>

#include "key_counts.hpp"
#include "plainwright/tagger.hpp"
#include "tagger_features.hpp"
#include "tagger_format.hpp"

namespace plainwright {

namespace {

// A word goes to the dictionary if it occurs so often, and nearly always with one tag.
constexpr std::size_t kDictionaryCount = 50;
constexpr double kDictionaryShare = 0.998;

// A random number generator of our own: the same numbers everywhere.
class Random {
 public:
    explicit Random(std::uint64_t seed) : state_(lm_format::mix(seed + 1)) {}
    std::uint32_t next() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>(state_ >> 32);
    }
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>((std::uint64_t{next()} * limit) >> 32); }

 private:
    std::uint64_t state_;
};

// The weight of a feature for a tag while it is learnt.
struct Cell {
    TagId tag;
    std::int32_t weight = 0;
    std::uint32_t since = 0;  // when the weight was last changed
    std::int64_t total = 0;   // of the weights at all times before

    void change(std::int32_t by, std::uint32_t now) {
        total += std::int64_t{weight} * (now - since);
        since = now;
        weight += by;
    }
};

struct Feature {
    std::uint32_t key;
    std::uint32_t count;
    std::vector<Cell> cells = {};

    void change(TagId tag, std::int32_t by, std::uint32_t now) {
        for (Cell& cell : cells) {
            if (cell.tag == tag) return cell.change(by, now);
        }
        cells.push_back({tag});
        cells.back().change(by, now);
    }
};

void append_bytes(std::string& out, const void* data, std::size_t bytes) {
    if (bytes > 0) out.append(static_cast<const char*>(data), bytes);
    out.resize(lm_format::padded(out.size()), '\0');
}

template <typename Value>
void append_section(std::string& out, const std::vector<Value>& values) {
    append_bytes(out, values.data(), values.size() * sizeof(Value));
}

}  // namespace

void TaggerTrainer::add(std::span<const std::string_view> words, std::span<const std::string_view> tags) {
    if (words.size() != tags.size()) throw std::invalid_argument("every word needs one tag");
    std::vector<std::string> names = tag_names_;  // stays as it was if a tag is refused
    std::vector<TagId> numbers;
    for (const std::string_view tag : tags) {
        if (tag.empty() || tag.find(' ') != tag.npos) throw std::invalid_argument("a tag needs a name without spaces");
        const auto known = std::find(names.begin(), names.end(), tag);
        numbers.push_back(static_cast<TagId>(known - names.begin()));
        if (known != names.end()) continue;
        if (names.size() == kMaxTags) {
            throw std::invalid_argument("more than " + std::to_string(kMaxTags) + " different tags");
        }
        names.emplace_back(tag);
    }
    tag_names_ = std::move(names);
    if (words.empty()) return;
    for (const std::string_view word : words) {
        text_ += word;
        word_ends_.push_back(text_.size());
    }
    tags_.insert(tags_.end(), numbers.begin(), numbers.end());
    ends_.push_back(tags_.size());
}

class TaggerLearner {
 public:
    TaggerLearner(const TaggerTrainer& text, const TaggerOptions& options) : text_(text), options_(options) {
        number_tags();
        Random random(options.seed);
        for (std::uint32_t i = 0; i < text.sentences(); ++i) {
            examples_.push_back({i, false});
            if (random.next() < options.lower_share * 4294967296.0) examples_.push_back({i, true});
        }
    }

    std::string train(const std::function<void(std::size_t, std::size_t)>& report) {
        find_dictionary();
        find_features();
        Random random(options_.seed + 1);
        scores_.resize(names_.size());
        const std::size_t total = options_.passes * examples_.size();
        std::size_t done = 0;
        for (std::size_t pass = 0; pass < options_.passes; ++pass) {
            for (std::size_t i = examples_.size(); i > 1; --i) std::swap(examples_[i - 1], examples_[random.below(i)]);
            for (const Example& example : examples_) {
                learn_from(example);
                if (++done % 1000 == 0) report(done, total);
            }
        }
        average();
        return pack();
    }

 private:
    struct Example {
        std::uint32_t sentence;
        bool lowered;
    };
    // An averaged weight.
    struct Mean {
        std::uint32_t feature;
        TagId tag;
        double value;
        double worth;
    };

    // The most frequent first, so that ties go to them.
    void number_tags() {
        std::vector<std::size_t> counts(text_.tag_names_.size());
        for (const TagId tag : text_.tags_) ++counts[tag];
        std::vector<TagId> order(counts.size());
        std::iota(order.begin(), order.end(), TagId{0});
        std::sort(order.begin(), order.end(), [&](TagId a, TagId b) {
            return counts[a] != counts[b] ? counts[a] > counts[b] : text_.tag_names_[a] < text_.tag_names_[b];
        });
        number_of_.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            number_of_[order[i]] = static_cast<TagId>(i);
            names_.push_back(text_.tag_names_[order[i]]);
        }
    }

    // Puts the words of an example before `features_`, and its tags into `gold_`.
    void look_at(const Example& example) {
        const std::size_t first = example.sentence == 0 ? 0 : text_.ends_[example.sentence - 1];
        const std::size_t last = text_.ends_[example.sentence];
        words_.clear();
        gold_.clear();
        lowered_.clear();
        const std::size_t begin = first == 0 ? 0 : text_.word_ends_[first - 1];
        const std::string_view all(text_.text_);
        if (example.lowered) lowered_.reserve(2 * (text_.word_ends_[last - 1] - begin) + 16);  // views must stay valid
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t from = i == 0 ? 0 : text_.word_ends_[i - 1];
            const std::string_view word = all.substr(from, text_.word_ends_[i] - from);
            gold_.push_back(number_of_[text_.tags_[i]]);
            words_.push_back(example.lowered ? lowered(word) : word);
        }
        looked_at_.read(words_);
    }

    std::string_view lowered(std::string_view word) {
        const std::size_t before = lowered_.size();
        append_lower(word, lowered_);
        return std::string_view(lowered_).substr(before);
    }

    void find_dictionary() {
        std::map<std::uint32_t, std::vector<std::uint32_t>> counts;
        for (const Example& example : examples_) {
            look_at(example);
            for (std::size_t i = 0; i < words_.size(); ++i) {
                auto& found = counts[looked_at_.word_key(i)];
                found.resize(names_.size());
                ++found[gold_[i]];
            }
        }
        for (const auto& [key, found] : counts) {
            const auto most = std::max_element(found.begin(), found.end());
            const std::size_t total = std::accumulate(found.begin(), found.end(), std::size_t{0});
            if (total >= kDictionaryCount && *most >= kDictionaryShare * static_cast<double>(total)) {
                dictionary_[key] = static_cast<TagId>(most - found.begin());
            }
        }
    }

    void find_features() {
        KeyCounts counts;
        for (const Example& example : examples_) {
            look_at(example);
            for (std::size_t i = 0; i < words_.size(); ++i) {
                if (dictionary_.count(looked_at_.word_key(i)) != 0) continue;
                collect_keys(i, i > 0 ? gold_[i - 1] : kNoTag, i > 1 ? gold_[i - 2] : kNoTag);
                for (const std::uint32_t key : keys_) counts.add(key);
            }
        }
        const auto kept = counts.at_least(options_.min_count);
        table_ = KeyTable(kept.size());
        for (const KeyCounts::Entry& entry : kept) {
            table_.add({entry.key, static_cast<std::uint32_t>(features_.size()), 1});
            features_.push_back({entry.key, entry.count});
        }
    }

    void collect_keys(std::size_t i, TagId last, TagId second_last) {
        keys_.clear();
        looked_at_.append_fixed(i, keys_);
        looked_at_.append_tagged(i, last, second_last, keys_);
    }

    void learn_from(const Example& example) {
        look_at(example);
        TagId last = kNoTag, second_last = kNoTag;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            TagId found;
            if (const auto known = dictionary_.find(looked_at_.word_key(i)); known != dictionary_.end()) {
                found = known->second;
            } else {
                collect_keys(i, last, second_last);
                found = predict();
                ++now_;
                if (found != gold_[i]) correct(found, gold_[i]);
            }
            second_last = last;
            last = found;
        }
    }

    TagId predict() {
        std::fill(scores_.begin(), scores_.end(), 0);
        active_.clear();
        for (const std::uint32_t key : keys_) table_.prefetch(key);
        for (const std::uint32_t key : keys_) {
            if (const KeyTable::Slot* slot = table_.find(key)) {
                Feature& feature = features_[slot->first];
                active_.push_back(slot->first);
                for (const Cell& cell : feature.cells) scores_[cell.tag] += cell.weight;
            }
        }
        return static_cast<TagId>(std::max_element(scores_.begin(), scores_.end()) - scores_.begin());
    }

    void correct(TagId wrong, TagId right) {
        for (const std::uint32_t feature : active_) {
            features_[feature].change(right, 1, now_);
            features_[feature].change(wrong, -1, now_);
        }
    }

    void average() {
        for (std::uint32_t i = 0; i < features_.size(); ++i) {
            for (Cell& cell : features_[i].cells) {
                cell.change(0, now_);
                const double value = static_cast<double>(cell.total) / std::max(1U, now_);
                if (value == 0) continue;
                means_.push_back({i, cell.tag, value, std::abs(value) * worth_of(features_[i].count)});
            }
        }
    }

    // Frequent features are worth more, but not in proportion: the fourth root kept most agreement at 1 and 2 MB, among
    // the powers 0, 1/4, 1/2 and 1. (Square roots, unlike powers, are equal on all machines.)
    static double worth_of(std::uint32_t count) { return std::sqrt(std::sqrt(static_cast<double>(count))); }

    // Keeps the weights that are worth most, as many as the size allows.
    void cut() {
        std::sort(means_.begin(), means_.end(), [](const Mean& a, const Mean& b) {
            return a.worth != b.worth       ? a.worth > b.worth
                   : a.feature != b.feature ? a.feature < b.feature
                                            : a.tag < b.tag;
        });
        std::size_t bytes = 5 * dictionary_.size() + 1024, kept = 0;  // some room for header, names, padding
        std::vector<bool> used(features_.size());
        for (; kept < means_.size(); ++kept) {
            bytes += used[means_[kept].feature] ? 2 : 7;
            used[means_[kept].feature] = true;
            if (bytes > options_.max_bytes) break;
        }
        means_.resize(kept);
        std::sort(means_.begin(), means_.end(), [](const Mean& a, const Mean& b) {
            return a.feature != b.feature ? a.feature < b.feature : a.tag < b.tag;
        });
    }

    // Makes the largest weight 127; to cut the largest ones off for finer steps cost agreement.
    double scale() const {
        double largest = 0;
        for (const Mean& mean : means_) largest = std::max(largest, std::abs(mean.value));
        return largest > 0 ? 127 / largest : 1;
    }

    std::string pack() {
        cut();
        const double factor = scale();
        std::vector<std::uint32_t> keys, words;
        std::vector<std::uint8_t> counts, tags, word_tags;
        std::vector<std::int8_t> values;
        for (std::size_t i = 0; i < means_.size(); ++i) {
            const double value = std::round(means_[i].value * factor);
            if (value == 0) continue;
            const std::uint32_t key = features_[means_[i].feature].key;
            if (keys.empty() || keys.back() != key) {
                keys.push_back(key);
                counts.push_back(0);
            }
            ++counts.back();
            tags.push_back(means_[i].tag);
            values.push_back(static_cast<std::int8_t>(value));
        }
        for (const auto& [key, tag] : dictionary_) {
            words.push_back(key);
            word_tags.push_back(tag);
        }
        std::string names;
        for (const std::string& name : names_) names += (names.empty() ? "" : " ") + name;
        tagger_format::Header header{};
        header.magic = tagger_format::kMagic;
        header.version = tagger_format::kVersion;
        header.endian_mark = tagger_format::kEndianMark;
        header.name_bytes = static_cast<std::uint32_t>(names.size());
        header.words = static_cast<std::uint32_t>(words.size());
        header.features = static_cast<std::uint32_t>(keys.size());
        header.weights = static_cast<std::uint32_t>(values.size());
        std::string bytes(sizeof header, '\0');
        append_bytes(bytes, names.data(), names.size());
        append_section(bytes, words);
        append_section(bytes, word_tags);
        append_section(bytes, keys);
        append_section(bytes, counts);
        append_section(bytes, tags);
        append_section(bytes, values);
        header.file_bytes = bytes.size();
        std::memcpy(bytes.data(), &header, sizeof header);
        header.checksum = tagger_format::checksum_of(bytes.data(), bytes.size());
        std::memcpy(bytes.data(), &header, sizeof header);
        return bytes;
    }

    const TaggerTrainer& text_;
    const TaggerOptions& options_;
    std::vector<std::string> names_;
    std::vector<TagId> number_of_;  // by the numbers of `text_`
    std::vector<Example> examples_;
    std::map<std::uint32_t, TagId> dictionary_;
    KeyTable table_;
    std::vector<Feature> features_;  // by key
    std::vector<Mean> means_;
    std::uint32_t now_ = 0;

    // Scratch space.
    std::vector<std::string_view> words_;
    std::vector<TagId> gold_;
    std::string lowered_;
    TaggerFeatures looked_at_;
    std::vector<std::uint32_t> keys_, active_;
    std::vector<std::int32_t> scores_;
};

std::string TaggerTrainer::train(const TaggerOptions& options,
                                 const std::function<void(std::size_t, std::size_t)>& report) const {
    return TaggerLearner(*this, options).train(report);
}

}  // namespace plainwright
