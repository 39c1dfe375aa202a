// ARPA files in and out.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "plainwright/ngram_model.hpp"

namespace plainwright {

namespace {

constexpr std::size_t kMaxLine = std::size_t{1} << 20;  // a longer "line" is not ARPA
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kShown = 60;

bool is_gap(char c) { return c == ' ' || c == '\t'; }

std::string_view stripped(std::string_view line) {
    while (!line.empty() && (is_gap(line.back()) || line.back() == '\r')) line.remove_suffix(1);
    while (!line.empty() && is_gap(line.front())) line.remove_prefix(1);
    return line;
}

std::string quoted(std::string_view text) {
    const bool cut = text.size() > kShown;
    std::string shown = "'";
    for (const char c : text.substr(0, kShown)) {
        const auto byte = static_cast<unsigned char>(c);
        shown += byte < 0x20 || byte >= 0x7f ? '?' : c;  // the message must be valid text whatever the file holds
    }
    return shown + (cut ? "…'" : "'");
}

template <typename Number>
bool parse(std::string_view text, Number& value) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

bool is_unknown(std::string_view word) { return word == "<unk>" || word == "<UNK>"; }

}  // namespace

WordId NgramModel::find_required(std::string_view word) const {
    const auto found = std::find(vocabulary.begin(), vocabulary.end(), word);
    if (found == vocabulary.end()) throw std::invalid_argument(std::string(word) + " is not among the 1-grams");
    return static_cast<WordId>(found - vocabulary.begin());
}

void ArpaReader::fail(const std::string& what) const {
    throw std::invalid_argument(std::to_string(line_) + ": " + what);
}

void ArpaReader::feed(std::string_view piece) {
    while (!piece.empty()) {
        const std::size_t end = piece.find('\n');
        if (partial_.size() + std::min(end, piece.size()) > kMaxLine) {
            ++line_;
            fail("expected an ARPA file, found a line of more than a megabyte");
        }
        if (end == std::string_view::npos) {
            partial_ += piece;
            return;
        }
        ++line_;
        if (partial_.empty()) {
            take_line(stripped(piece.substr(0, end)));
        } else {
            partial_ += piece.substr(0, end);
            take_line(stripped(partial_));
            partial_.clear();
        }
        piece.remove_prefix(end + 1);
    }
}

void ArpaReader::take_line(std::string_view line) {
    if (line.empty() || part_ == Part::done) return;
    if (part_ == Part::before) {
        if (line == "\\data\\") part_ = Part::counts;
    } else if (line.front() == '\\') {
        take_heading(line);
    } else if (part_ == Part::counts) {
        take_count(line);
    } else {
        take_ngram(line);
    }
}

void ArpaReader::take_count(std::string_view line) {
    const std::size_t equals = line.find('=');
    std::size_t n = 0;
    std::uint64_t count = 0;
    const bool well_formed = line.starts_with("ngram") && equals != std::string_view::npos &&
                             parse(stripped(line.substr(5, equals - 5)), n) &&
                             parse(stripped(line.substr(equals + 1)), count);
    if (!well_formed) fail("expected `ngram N=COUNT`, found " + quoted(line));
    if (n != announced_.size() + 1) {
        fail("expected the count of order " + std::to_string(announced_.size() + 1) + ", found order " +
             std::to_string(n));
    }
    if (n > kMaxLmOrder)
        fail("expected orders 1 to " + std::to_string(kMaxLmOrder) + ", found order " + std::to_string(n));
    announced_.push_back(count);
}

void ArpaReader::take_heading(std::string_view line) {
    if (part_ == Part::ngrams) close_order();
    if (current_ == announced_.size() && current_ > 0) {
        if (line != "\\end\\") fail("expected \\end\\, found " + quoted(line));
        part_ = Part::done;
        return;
    }
    const std::string expected = std::string("\\") + std::to_string(current_ + 1) + "-grams:";
    if (announced_.empty() || line != expected) {
        fail("expected " + (announced_.empty() ? "`ngram 1=COUNT`" : expected) + ", found " + quoted(line));
    }
    start_order(current_ + 1);
}

void ArpaReader::start_order(std::size_t n) {
    part_ = Part::ngrams;
    current_ = n;
    model_.orders.emplace_back();
    if (n == 1) {
        model_.vocabulary.emplace_back("<unk>");
        model_.has_unknown = false;
        model_.orders[0].words.push_back(kUnknownWord);
        model_.orders[0].log10.push_back(kMissingUnknown);
        model_.orders[0].backoff.push_back(0);
    }
}

void ArpaReader::close_order() {
    const std::uint64_t added = current_ == 1 && !model_.has_unknown ? 1 : 0;
    const std::uint64_t found = model_.orders.back().size() - added;
    if (found != announced_[current_ - 1]) {
        fail("expected " + std::to_string(announced_[current_ - 1]) + " " + std::to_string(current_) +
             "-grams before this line, as the head announces, found " + std::to_string(found));
    }
}

float ArpaReader::number(std::string_view field, const char* what) const {
    float value = 0;
    if (!parse(field, value) || std::isnan(value) || value == std::numeric_limits<float>::infinity()) {
        fail(std::string("expected a ") + what + ", found " + quoted(field));
    }
    return value;
}

void ArpaReader::take_ngram(std::string_view line) {
    const std::size_t n = current_;
    fields_.clear();
    for (std::size_t at = 0; at < line.size() && fields_.size() <= n + 2;) {
        const std::size_t begin = at;
        while (at < line.size() && !is_gap(line[at])) ++at;
        fields_.push_back(line.substr(begin, at - begin));
        while (at < line.size() && is_gap(line[at])) ++at;
    }
    if (fields_.size() != n + 1 && fields_.size() != n + 2) {
        fail("expected a log probability, " + std::to_string(n) + (n == 1 ? " word" : " words") +
             " and perhaps a back-off, found " + quoted(line));
    }
    const float log10 = number(fields_[0], "log probability");
    if (log10 > 0) fail("expected a log probability of at most 0, found " + quoted(fields_[0]));
    const float backoff = fields_.size() == n + 2 ? number(fields_.back(), "back-off") : 0.0F;
    NgramOrder& order = model_.orders[n - 1];
    if (n == 1 && is_unknown(fields_[1])) {
        if (model_.has_unknown) fail("<unk> is listed twice");
        model_.has_unknown = true;
        order.log10[0] = log10;
        order.backoff[0] = backoff;
        return;
    }
    if (order.size() >= 0xfffffff0U) fail("more n-grams than can be held");
    for (std::size_t i = 1; i <= n; ++i) order.words.push_back(n == 1 ? new_word(fields_[i]) : known_word(fields_[i]));
    order.log10.push_back(log10);
    order.backoff.push_back(backoff);
}

WordId ArpaReader::new_word(std::string_view word) {
    const auto id = static_cast<WordId>(model_.vocabulary.size());
    if (!ids_.emplace(word, id).second) fail("the word " + quoted(word) + " is listed twice");
    model_.vocabulary.emplace_back(word);
    return id;
}

WordId ArpaReader::known_word(std::string_view word) const {
    if (is_unknown(word)) return kUnknownWord;
    const auto found = ids_.find(word);
    if (found == ids_.end()) fail("the word " + quoted(word) + " is not among the 1-grams");
    return found->second;
}

NgramModel ArpaReader::finish() {
    if (!partial_.empty()) feed("\n");
    if (part_ == Part::before) fail("expected an ARPA file, found no line `\\data\\`");
    if (part_ != Part::done) fail("expected \\end\\, found the end of the file: it is truncated");
    for (const char* word : {"<s>", "</s>"}) {
        if (!ids_.contains(std::string_view(word)))
            fail(std::string("expected ") + word + " among the 1-grams, found none");
    }
    return std::move(model_);
}

namespace {

class ArpaWriter {
 public:
    ArpaWriter(const NgramModel& model, const Sink& sink) : model_(model), sink_(sink) {}

    void write() {
        out_ = "\\data\\\n";
        for (std::size_t n = 1; n <= model_.order(); ++n) {
            const std::size_t size = model_.orders[n - 1].size() - first(n);
            out_ += std::string("ngram ") + std::to_string(n) + "=" + std::to_string(size) + "\n";
        }
        for (std::size_t n = 1; n <= model_.order(); ++n) {
            out_ += std::string("\n\\") + std::to_string(n) + "-grams:\n";
            for (std::size_t i = first(n); i < model_.orders[n - 1].size(); ++i) write_ngram(n, i);
        }
        out_ += "\n\\end\\\n";
        sink_(out_);
    }

 private:
    std::size_t first(std::size_t n) const { return n == 1 && !model_.has_unknown ? 1 : 0; }

    void write_ngram(std::size_t n, std::size_t entry) {
        const NgramOrder& order = model_.orders[n - 1];
        append_number(order.log10[entry]);
        for (std::size_t i = 0; i < n; ++i) {
            out_ += i == 0 ? '\t' : ' ';
            out_ += model_.vocabulary[order.words[entry * n + i]];
        }
        if (n < model_.order()) {
            out_ += '\t';
            append_number(order.backoff[entry]);
        }
        out_ += '\n';
        if (out_.size() >= kPiece) {
            sink_(out_);
            out_.clear();
        }
    }

    // As few digits as bring the same number back.
    void append_number(float value) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, value == 0.0F ? 0.0F : value).ptr;
        out_.append(digits, end);
    }

    const NgramModel& model_;
    const Sink& sink_;
    std::string out_;
};

}  // namespace

void write_arpa(const NgramModel& model, const Sink& sink) { ArpaWriter(model, sink).write(); }

}  // namespace plainwright
