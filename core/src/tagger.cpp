#include "plainwright/tagger.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "plainwright/unicode.hpp"
#include "tagger_features.hpp"
#include "tagger_format.hpp"

namespace plainwright {

using namespace tagger_format;

namespace {

constexpr std::size_t kMostSteps = 256;  // to where a key stands; of ten million hashes, none takes more than 100

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

// Hands out the sections of a file one by one; none reaches beyond its end.
class Sections {
 public:
    explicit Sections(std::string_view bytes) : rest_(bytes) {}

    template <typename Value>
    std::vector<Value> next(std::size_t count) {
        const std::size_t bytes = count * sizeof(Value), stored = lm_format::padded(bytes);
        require(stored <= rest_.size(), "damaged: it ends before its weights do");
        std::vector<Value> values(count);
        if (bytes > 0) std::memcpy(values.data(), rest_.data(), bytes);
        rest_.remove_prefix(stored);
        return values;
    }
    bool is_at_end() const { return rest_.empty(); }

 private:
    std::string_view rest_;
};

Header checked_header(std::string_view bytes) {
    Header header{};
    require(bytes.size() >= sizeof header, "expected a tagger, found fewer bytes than its header has");
    std::memcpy(&header, bytes.data(), sizeof header);
    require(header.magic == kMagic, "expected a tagger; make one with `plainwright learn tagger`");
    require(header.endian_mark == kEndianMark, "this tagger was made on a machine with another byte order");
    if (header.version != kVersion) {
        throw std::invalid_argument("expected version " + std::to_string(kVersion) +
                                    " of the format of taggers, found version " + std::to_string(header.version) +
                                    "; make it again with `plainwright learn tagger`");
    }
    require(header.file_bytes == bytes.size(), "damaged: its size is not what its header says");
    require(header.checksum == tagger_format::checksum_of(bytes.data(), bytes.size()),
            "damaged: its checksum is wrong");
    return header;
}

std::vector<std::string> split_names(const std::vector<char>& text) {
    std::vector<std::string> names(1);
    for (const char c : text) {
        if (c == ' ') {
            names.emplace_back();
        } else {
            names.back() += c;
        }
    }
    require(names.size() <= kMaxTags, "damaged: it has too many tags");
    for (const std::string& name : names) {
        require(!name.empty(), "damaged: a tag has no name");
        require(is_utf8(name), "damaged: the name of a tag is not UTF-8 text");
    }
    return names;
}

void require_sorted(const std::vector<std::uint32_t>& keys) {
    require(std::adjacent_find(keys.begin(), keys.end(), std::greater_equal<>()) == keys.end(),
            "damaged: its keys are not in order");
}

}  // namespace

KeyTable::KeyTable(std::size_t keys) {
    // At least half of the slots stay empty. The margin takes what runs over the end.
    const unsigned bits = std::max(4, static_cast<int>(std::bit_width(2 * keys)));
    slots_.resize((std::size_t{1} << bits) + keys + 1);
    shift_ = 32 - std::min(32U, bits);
}

void KeyTable::add(Slot slot) {
    const std::size_t home = slot.key >> shift_;
    std::size_t at = home;
    while (slots_[at].count != 0) ++at;
    require(at - home <= kMostSteps, "damaged: its keys are no hashes");
    slots_[at] = slot;
}

Tagger::Tagger(std::string_view bytes) {
    const Header header = checked_header(bytes);
    // A checksum can be forged: what stands behind it is looked at as well.
    Sections sections(bytes.substr(sizeof header));
    tags_ = split_names(sections.next<char>(header.name_bytes));
    const auto is_tag = [this](TagId tag) { return tag < tags_.size(); };
    const auto words = sections.next<std::uint32_t>(header.words);
    const auto word_tags = sections.next<TagId>(header.words);
    const auto keys = sections.next<std::uint32_t>(header.features);
    const auto counts = sections.next<std::uint8_t>(header.features);
    const auto weight_tags = sections.next<TagId>(header.weights);
    const auto values = sections.next<std::int8_t>(header.weights);
    require(sections.is_at_end(), "damaged: more bytes than its header says");
    require_sorted(words);
    require_sorted(keys);
    require(std::all_of(word_tags.begin(), word_tags.end(), is_tag) &&
                std::all_of(weight_tags.begin(), weight_tags.end(), is_tag),
            "damaged: a tag that is not there");
    dictionary_words_ = words.size();
    dictionary_ = KeyTable(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) dictionary_.add({words[i], word_tags[i], 1});
    features_ = keys.size();
    table_ = KeyTable(keys.size());
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        require(counts[i] > 0 && counts[i] <= header.weights - first, "damaged: a feature without its weights");
        table_.add({keys[i], first, counts[i]});
        first += counts[i];
    }
    require(first == header.weights, "damaged: weights without a feature");
    weights_.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) weights_.push_back({weight_tags[i], values[i]});
}

void Tagger::tag(std::span<const std::string_view> words, std::span<TagId> found) const {
    TaggerFeatures features;
    features.read(words);
    std::vector<std::uint32_t> keys;
    std::vector<std::int32_t> scores(tags_.size());
    TagId last = kNoTag, second_last = kNoTag;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (const KeyTable::Slot* known = dictionary_.find(features.word_key(i))) {
            found[i] = static_cast<TagId>(known->first);
        } else {
            keys.clear();
            features.append_fixed(i, keys);
            features.append_tagged(i, last, second_last, keys);
            for (const std::uint32_t key : keys) table_.prefetch(key);
            std::fill(scores.begin(), scores.end(), 0);
            for (const std::uint32_t key : keys) {
                const KeyTable::Slot* slot = table_.find(key);
                if (slot == nullptr) continue;
                const TagWeight* weight = &weights_[slot->first];
                for (const TagWeight* end = weight + slot->count; weight != end; ++weight) {
                    scores[weight->tag] += weight->weight;
                }
            }
            // Of equals the first, which is the most frequent.
            found[i] = static_cast<TagId>(std::max_element(scores.begin(), scores.end()) - scores.begin());
        }
        second_last = last;
        last = found[i];
    }
}

}  // namespace plainwright
