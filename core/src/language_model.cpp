#include "plainwright/language_model.hpp"

#include <cmath>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "files.hpp"
#include "lm_lookup.hpp"
#include "plainwright/ngram_model.hpp"

namespace plainwright {

using namespace lm_format;

namespace {

constexpr std::uint64_t kMostSteps = 4096;  // from a key's home to its slot; real models take a few hundred at most

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw std::runtime_error(path + ": " + what);
}

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
