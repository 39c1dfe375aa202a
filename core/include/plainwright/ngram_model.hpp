// A back-off model as a list of n-grams in memory: what estimation makes, what an ARPA file holds, what is packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plainwright/language_model.hpp"

namespace plainwright {

struct NgramOrder {
    std::vector<WordId> words;  // n for each n-gram, in reading order
    std::vector<float> log10;
    std::vector<float> backoff;

    std::size_t size() const { return log10.size(); }
};

struct NgramModel {
    std::vector<std::string> vocabulary;  // [0] is <unk>
    std::vector<NgramOrder> orders;       // orders[0] has the words in the order of the vocabulary
    bool has_unknown = true;              // false: <unk> was not listed and got kMissingUnknown

    std::size_t order() const { return orders.size(); }
    WordId find_required(std::string_view word) const;  // throws std::invalid_argument
};

// What KenLM gives to unknown words of a model without <unk>.
inline constexpr float kMissingUnknown = -100.0F;

// Reads an ARPA file that arrives in pieces. Throws std::invalid_argument with "LINE: what is wrong".
class ArpaReader {
 public:
    void feed(std::string_view piece);
    NgramModel finish();

 private:
    enum class Part { before, counts, ngrams, done };

    void take_line(std::string_view line);
    void take_count(std::string_view line);
    void take_heading(std::string_view line);
    void take_ngram(std::string_view line);
    void start_order(std::size_t n);
    void close_order();
    WordId new_word(std::string_view word);
    WordId known_word(std::string_view word) const;
    float number(std::string_view field, const char* what) const;
    [[noreturn]] void fail(const std::string& what) const;

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    Part part_ = Part::before;
    std::size_t line_ = 0;
    std::size_t current_ = 0;  // the order being read
    std::string partial_;
    std::vector<std::string_view> fields_;
    std::vector<std::uint64_t> announced_;
    std::unordered_map<std::string, WordId, TextHash, std::equal_to<>> ids_;
    NgramModel model_;
};

// Takes bytes as they are made, in pieces of at most a megabyte or so.
using Sink = std::function<void(std::string_view)>;

void write_arpa(const NgramModel& model, const Sink& sink);

// Writes the file that LanguageModel::open reads. N-grams whose prefix or suffix is missing are allowed; what is
// missing is filled in without changing any score. Throws std::invalid_argument if an n-gram is listed twice.
void write_packed(NgramModel model, const Sink& sink);

}  // namespace plainwright
