#include "plainwright/ptb.hpp"

#include <algorithm>
#include <utility>

#include "plainwright/sentences.hpp"
#include "plainwright/unicode.hpp"

namespace plainwright {
namespace {

constexpr std::string_view kOpenDouble = "\xe2\x80\x9c", kCloseDouble = "\xe2\x80\x9d";
constexpr std::string_view kOpenSingle = "\xe2\x80\x98", kCloseSingle = "\xe2\x80\x99";
constexpr std::string_view kOpenGuillemet = "\xc2\xab", kCloseGuillemet = "\xc2\xbb";
constexpr std::string_view kEllipsis = "\xe2\x80\xa6", kEmDash = "\xe2\x80\x94";
constexpr std::string_view kPound = "\xc2\xa3", kEuro = "\xe2\x82\xac", kYen = "\xc2\xa5";

constexpr std::pair<std::string_view, std::string_view> kBrackets[] = {
    {"(", "-LRB-"}, {")", "-RRB-"}, {"[", "-LSB-"}, {"]", "-RSB-"}, {"{", "-LCB-"}, {"}", "-RCB-"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Equal but for ASCII case and for the kind of apostrophe.
bool ends_like(std::string_view word, std::string_view ending, std::size_t& length) {
    std::size_t i = word.size();
    for (std::size_t j = ending.size(); j-- > 0;) {
        if (ending[j] == '\'') {
            const std::string_view head = word.substr(0, i);
            const std::size_t width = head.ends_with('\'') ? 1 : head.ends_with(kCloseSingle) ? kCloseSingle.size() : 0;
            if (width == 0) return false;
            i -= width;
        } else {
            if (i == 0 || lower(word[i - 1]) != ending[j]) return false;
            --i;
        }
    }
    length = word.size() - i;
    return true;
}

// Length of the contracted ending of `word` ("n't", "'s"), 0 without one; a word of nothing else is not
// split.
std::size_t contraction_length(std::string_view word) {
    for (const std::string_view ending : {"n't", "'s", "'re", "'ve", "'ll", "'d", "'m"}) {
        std::size_t length = 0;
        if (ends_like(word, ending, length) && length < word.size()) return length;
    }
    return 0;
}

bool is_contraction(std::string_view token) {
    for (const std::string_view ending : {"n't", "'s", "'re", "'ve", "'ll", "'d", "'m"}) {
        std::size_t length = 0;
        if (ends_like(token, ending, length) && length == token.size()) return true;
    }
    return false;
}

bool is_currency(std::string_view mark) { return one_of(mark, {"$", kPound, kEuro, kYen}); }

// "'tis", "'em", "'90s": an apostrophe that stands for something left out.
bool keeps_apostrophe(std::string_view word) {
    if (word.size() >= 3 && is_digit(word[1]) && is_digit(word[2])) return true;
    std::string rest(word.substr(1));
    std::transform(rest.begin(), rest.end(), rest.begin(), lower);
    while (!rest.empty() && std::string_view(".,;:!?").find(rest.back()) != std::string_view::npos) rest.pop_back();
    return one_of(rest, {"tis", "twas", "em", "til", "cause", "bout", "n", "n'", "s", "re", "ve", "ll", "d", "m"});
}

bool is_address(std::string_view word) {
    if (word.find("://") != word.npos || word.starts_with("www.")) return true;
    const std::size_t at = word.find('@');
    return at != word.npos && at > 0 && word.find('.', at) != word.npos;
}

class ChunkSplitter {
 public:
    ChunkSplitter(std::string_view text, const PtbOptions& options, std::vector<PtbToken>& out)
        : text_(text), options_(options), out_(out) {}

    void split(std::size_t start, std::size_t end, bool is_last, bool number_follows) {
        is_last_ = is_last;
        number_follows_ = number_follows;
        start_ = start;
        end_ = end;
        tail_.clear();
        while (take_opening()) {
        }
        is_address_ = is_address(core());
        while (take_closing()) {
        }
        split_core();
        for (auto at = tail_.rbegin(); at != tail_.rend(); ++at) out_.push_back(std::move(*at));
    }

 private:
    static constexpr std::size_t kBracketReach = 100;  // keeps long runs of brackets linear

    std::string_view core() const { return text_.substr(start_, end_ - start_); }

    bool is_whole(std::string_view mark) const { return core().size() == mark.size(); }

    std::string shown(std::string_view mark, bool opening) const {
        if (options_.directed_quotes) {
            if (mark == "\"") return opening ? "``" : "''";
            if (mark == "'" && opening) return "`";
        }
        if (options_.escape_brackets) {
            for (const auto& [bracket, name] : kBrackets) {
                if (mark == bracket) return std::string(name);
            }
        }
        return std::string(mark);
    }

    bool take_opening() {
        const std::string_view word = core();
        if (word.empty()) return false;
        const auto mark = word.substr(0, decode(word, 0).length);
        const bool bracket = one_of(mark, {"(", "[", "{"});
        bool takes = bracket ? !closes_inside(word) : one_of(mark, {"\"", kOpenDouble, kOpenSingle, kOpenGuillemet});
        // A quote on its own: the second of a pair closes.
        if (mark == "\"" && is_whole(mark)) return false;
        if (mark == "'" && word.size() > 1) takes = !keeps_apostrophe(word);
        if (is_currency(mark) && word.size() > mark.size()) takes = is_digit(word[mark.size()]);
        if (!takes) return false;
        out_.push_back({shown(mark, true), start_, start_ + mark.size()});
        start_ += mark.size();
        return true;
    }

    // "(re)write" and "[sic]ness" stay whole: their bracket closes before a letter.
    static bool closes_inside(std::string_view word) {
        const std::string_view near = word.substr(0, kBracketReach);
        const std::size_t close = near.find(word[0] == '(' ? ')' : word[0] == '[' ? ']' : '}');
        return close != near.npos && close + 1 < word.size() && has_trait(decode(word, close + 1).character, kLetter);
    }

    // "word(s)" stays whole: its bracket opens after a letter or digit.
    static bool opens_inside(std::string_view word) {
        const char close = word.back();
        if (word.size() > kBracketReach) word.remove_prefix(word.size() - kBracketReach);
        const std::size_t open = word.rfind(close == ')' ? '(' : close == ']' ? '[' : '{');
        return open != word.npos && open > 0 && has_trait(decode_before(word, open).character, kLetter | kNumber);
    }

    bool take_closing() {
        const std::string_view word = core();
        if (word.empty()) return false;
        if (const std::size_t dots = trailing_dots(word); dots > 1) return take(dots);
        const auto mark = word.substr(word.size() - decode_before(word, word.size()).length);
        if (one_of(mark, {")", "]", "}"})) return (is_whole(mark) || !opens_inside(word)) && take(mark.size());
        if (one_of(mark,
                   {",", ";", ":", "!", "?", "\"", "'", kCloseDouble, kCloseSingle, kCloseGuillemet, kEllipsis})) {
            return take(mark.size());
        }
        if (mark == "%" && word.size() > 1) return is_digit(word[word.size() - 2]) && take(1);
        if (mark == ".") return splits_period(word.substr(0, word.size() - 1)) && take(1);
        if (const std::size_t length = contraction_length(word); length > 0 && !is_address_) return take(length);
        return false;
    }

    static std::size_t trailing_dots(std::string_view word) {
        std::size_t dots = 0;
        while (dots < word.size() && word[word.size() - 1 - dots] == '.') ++dots;
        return dots;
    }

    bool splits_period(std::string_view word) const {
        if (word.empty()) return true;
        if (is_dotted_abbreviation(word)) return false;
        const auto first = decode(word, 0);
        if (first.length == word.size() && has_trait(first.character, kUpper)) return is_last_;
        switch (abbreviation_kind(word)) {
            case Abbreviation::title:
            case Abbreviation::general:
                return false;
            case Abbreviation::before_number:
                return !number_follows_;
            case Abbreviation::none:
                break;
        }
        return true;
    }

    bool take(std::size_t length) {
        end_ -= length;
        tail_.push_back({shown(text_.substr(end_, length), is_opening_alone()), end_, end_ + length});
        return true;
    }

    // A straight quote between two spaces opens if an even number came before it.
    bool is_opening_alone() {
        if (start_ != end_ || text_[end_] != '"' || !tail_.empty()) return false;
        if (!out_.empty() && out_.back().end == start_) return false;
        for (; counted_ < start_; ++counted_) quotes_ += text_[counted_] == '"';
        return quotes_ % 2 == 0;
    }

    // What is left between opening and closing marks: splits at dashes and ellipses that join two words.
    void split_core() {
        const std::string_view word = core();
        std::size_t start = 0;
        for (std::size_t i = 1; i < word.size() && !is_address_; ++i) {
            const std::size_t length = i > start ? joint_length(word, i) : 0;
            if (length == 0) continue;
            push_word(start_ + start, start_ + i);
            const auto joint = word.substr(i, length);
            const bool dash = joint[0] == '-' || joint == kEmDash;
            out_.push_back({dash ? "--" : std::string(joint), start_ + i, start_ + i + length});
            start = i + length;
            i = start - 1;
        }
        push_word(start_ + start, end_);
    }

    void push_word(std::size_t start, std::size_t end) {
        const std::string_view word = text_.substr(start, end - start);
        if (word.empty()) return;
        const std::size_t length = is_address_ ? 0 : contraction_length(word);
        out_.push_back({std::string(word.substr(0, word.size() - length)), start, end - length});
        if (length > 0) out_.push_back({std::string(word.substr(word.size() - length)), end - length, end});
    }

    // Length of the dash, ellipsis or comma at `i` that stands between two words.
    static std::size_t joint_length(std::string_view word, std::size_t i) {
        const std::string_view rest = word.substr(i);
        std::size_t length = 0;
        if (rest.starts_with("--")) {
            while (length < rest.size() && rest[length] == '-') ++length;
        } else if (rest.starts_with(kEmDash)) {
            length = kEmDash.size();
        } else if (rest.starts_with(kEllipsis)) {
            length = kEllipsis.size();
        } else if (rest.starts_with("...")) {
            while (length < rest.size() && rest[length] == '.') ++length;
        } else if ((rest[0] == ',' || rest[0] == ';') && rest.size() > 1 && !is_digit(rest[1])) {
            length = 1;
        }
        return length < rest.size() ? length : 0;
    }

    std::string_view text_;
    const PtbOptions& options_;
    std::vector<PtbToken>& out_;
    std::vector<PtbToken> tail_;  // closing marks, last first
    std::size_t start_ = 0, end_ = 0;
    std::size_t counted_ = 0, quotes_ = 0;  // straight quotes before `counted_`
    bool is_address_ = false;
    bool is_last_ = false;
    bool number_follows_ = false;
};

// ---- the way back

std::string_view unescaped(std::string_view token) {
    for (const auto& [bracket, name] : kBrackets) {
        if (token.size() == name.size() &&
            std::equal(token.begin(), token.end(), name.begin(), [](char a, char b) { return lower(a) == lower(b); })) {
            return bracket;
        }
    }
    return token;
}

bool is_open_bracket(std::string_view token) { return one_of(token, {"(", "[", "{"}); }

bool attaches_left(std::string_view token) {
    if (token.find_first_not_of('.') == token.npos) return true;
    return one_of(token, {",", ";", ":", "!", "?", "%", ")", "]", "}", "''", kCloseDouble, kCloseSingle,
                          kCloseGuillemet, kEllipsis}) ||
           is_contraction(token);
}

bool attaches_right(std::string_view token) {
    return is_open_bracket(token) || one_of(token, {"``", "`", kOpenDouble, kOpenSingle, kOpenGuillemet});
}

bool is_number(std::string_view token) { return !token.empty() && is_digit(token[0]); }

bool ends_in_currency(std::string_view token) {
    return !token.empty() && is_currency(token.substr(token.size() - decode_before(token, token.size()).length));
}

// Decides for straight quotes, which do not say whether they open: the first opens, the next closes, unless
// the neighbours make that impossible.
class QuoteState {
 public:
    explicit QuoteState(std::string_view mark) : mark_(mark) {}

    bool opens(const std::vector<std::string_view>& tokens, std::size_t i) {
        const bool at_end = i + 1 == tokens.size();
        bool opening = !open_;
        if (opening && at_end) opening = false;
        if (!opening && i == 0 && !at_end) opening = true;
        if (opening && mark_ == "'") {
            // A possessive follows an "s", or has no partner later on.
            const bool possessive = i > 0 && !tokens[i - 1].empty() && lower(tokens[i - 1].back()) == 's';
            opening = !possessive && std::find(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1, tokens.end(),
                                               mark_) != tokens.end();
        }
        open_ = opening;
        return opening;
    }

 private:
    std::string_view mark_;
    bool open_ = false;
};

}  // namespace

std::vector<PtbToken> ptb_tokenize(std::string_view text, const PtbOptions& options) {
    std::vector<PtbToken> tokens;
    std::vector<std::pair<std::size_t, std::size_t>> chunks;
    for (std::size_t i = 0; i < text.size();) {
        const auto [character, length] = decode(text, i);
        if (is_space(character)) {
            i += length;
            continue;
        }
        const std::size_t start = i;
        while (i < text.size() && !is_space(decode(text, i).character)) i += decode(text, i).length;
        chunks.emplace_back(start, i);
    }
    ChunkSplitter splitter(text, options, tokens);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const bool is_last = i + 1 == chunks.size();
        const bool number_follows = !is_last && has_trait(decode(text, chunks[i + 1].first).character, kNumber);
        splitter.split(chunks[i].first, chunks[i].second, is_last, number_follows);
    }
    return tokens;
}

std::string ptb_detokenize(const std::vector<std::string_view>& tokens) {
    std::string out;
    QuoteState doubles("\"");
    QuoteState singles("'");
    const bool directed = std::any_of(tokens.begin(), tokens.end(),
                                      [](std::string_view token) { return one_of(token, {"``", "''", "`"}); });
    bool glue = true;  // no space before the next token
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view token = unescaped(tokens[i]);
        if (token.empty()) continue;
        bool left = attaches_left(token);
        bool right = attaches_right(token);
        if (token == "'" && directed) {
            left = true;
        } else if (token == "\"" || token == "'") {
            right = (token == "\"" ? doubles : singles).opens(tokens, i);
            left = !right;
        }
        if (token == "--") left = right = true;
        if (ends_in_currency(token) && i + 1 < tokens.size()) right = is_number(tokens[i + 1]);
        if (!glue && !left) out += ' ';
        if (token == "``" || token == "''") {
            out += '"';
        } else if (token == "`") {
            out += '\'';
        } else if (token == "--" && out.size() > 0 && i + 1 < tokens.size()) {
            out += kEmDash;
        } else {
            out += token;
        }
        glue = right;
    }
    return out;
}

}  // namespace plainwright
