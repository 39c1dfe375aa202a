#include "plainwright/tokenize.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "plainwright/unicode.hpp"

namespace plainwright {
namespace {

// sacreBLEU writes 13a and intl as successive substitutions; both reduce to one pass over these classes. A
// `stop` is what their first two rules treat (13a: "." and ","; intl: punctuation), see `write_stops`.
enum Class : std::uint8_t { kWord, kDigit, kSpace, kSplit, kStop, kDash, kNotAscii };

using ClassTable = std::array<std::uint8_t, 256>;  // by byte

ClassTable make_none_table() {
    ClassTable table;
    table.fill(kNotAscii);
    for (char32_t c = 0; c < 128; ++c) table[c] = is_space(c) ? kSpace : kWord;
    return table;
}

ClassTable make_13a_table() {
    ClassTable table = make_none_table();
    const auto within = [](char32_t c, char first, char last) { return c >= char32_t(first) && c <= char32_t(last); };
    for (char32_t c = 0; c < 128; ++c) {
        if (table[c] == kSpace) continue;
        if (within(c, '{', '~') || within(c, '[', '`') || within(c, ' ', '&') || within(c, '(', '+') ||
            within(c, ':', '@') || c == '/') {
            table[c] = kSplit;
        } else if (c == '.' || c == ',') {
            table[c] = kStop;
        } else if (within(c, '0', '9')) {
            table[c] = kDigit;
        } else if (c == '-') {
            table[c] = kDash;
        }
    }
    return table;
}

Class intl_class(char32_t c) {
    if (is_space(c)) return kSpace;
    const auto found = traits(c);
    if (found & kPunctuation) return kStop;
    if (found & kSymbol) return kSplit;
    if (found & kNumber) return kDigit;
    return kWord;
}

ClassTable make_intl_table() {
    ClassTable table;
    table.fill(kNotAscii);
    for (char32_t c = 0; c < 128; ++c) table[c] = intl_class(c);
    return table;
}

const ClassTable kNoneTable = make_none_table();
const ClassTable k13aTable = make_13a_table();
const ClassTable kIntlTable = make_intl_table();

// Writes tokens with one space between them; the caller has made room for two bytes per byte of input.
class Writer {
 public:
    explicit Writer(char* at) : start_(at), at_(at) {}

    // A token ends here.
    void gap() { gap_ = true; }

    // Where the bytes of a piece of a token go; `close` says where they ended.
    char* open() {
        if (gap_ && at_ != start_) *at_++ = ' ';
        gap_ = false;
        return at_;
    }

    void close(char* at) { at_ = at; }

    void put(std::string_view bytes) { close(std::copy(bytes.begin(), bytes.end(), open())); }

    char* end() const { return at_; }

 private:
    char* start_;
    char* at_;
    bool gap_ = false;
};

inline char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

using Unit = std::pair<Class, unsigned>;  // with its length in bytes

template <Tokenizer tokenizer>
const ClassTable& class_table() {
    if constexpr (tokenizer == Tokenizer::none) return kNoneTable;
    if constexpr (tokenizer == Tokenizer::v13a) return k13aTable;
    return kIntlTable;
}

template <Tokenizer tokenizer>
Unit unit_at(std::string_view line, std::size_t i) {
    const auto kind = static_cast<Class>(class_table<tokenizer>()[static_cast<unsigned char>(line[i])]);
    if (kind != kNotAscii) return {kind, 1};
    const auto [character, length] = decode(line, i);
    if constexpr (tokenizer == Tokenizer::intl) return {intl_class(character), length};
    return {is_space(character) ? kSpace : kWord, length};
}

// A run of k stops between X and Y. The rule "non-digit, stop" pairs X with the first stop if X is no digit,
// and from there on stop with stop, without overlap; every paired stop ends up between spaces. The last one
// may stay unpaired; then the rule "stop, non-digit" splits it off unless Y is a digit. At the ends of a line
// 13a sees a space, intl sees nothing, which matches neither rule.
template <Tokenizer tokenizer>
std::size_t write_stops(std::string_view line, std::size_t i, Class before, Writer& writer) {
    constexpr bool ends_are_spaces = tokenizer == Tokenizer::v13a;
    const std::size_t first = i;
    std::size_t count = 0;
    std::size_t last = i;
    Class after = kSpace;
    while (i < line.size()) {
        const auto [kind, length] = unit_at<tokenizer>(line, i);
        after = kind;
        if (kind != kStop) break;
        last = i;
        i += length;
        ++count;
    }
    const bool at_start = first == 0;
    const bool pairs_with_before = at_start ? ends_are_spaces : before != kDigit;
    const bool last_unpaired = (count % 2 == 0) == pairs_with_before;
    const bool after_splits = i == line.size() ? ends_are_spaces : after != kDigit;
    for (std::size_t j = first; j < i;) {
        const auto length = unit_at<tokenizer>(line, j).second;
        const bool sticks = j == last && last_unpaired && !after_splits;
        if (!sticks) writer.gap();
        writer.put(line.substr(j, length));
        if (!sticks) writer.gap();
        j += length;
    }
    return i;
}

// `lowercase` is for ASCII lines only; others arrive lower-cased.
template <Tokenizer tokenizer, bool lowercase>
char* write_tokens(std::string_view line, char* at) {
    const auto& table = class_table<tokenizer>();
    Writer writer(at);
    Class before = kSpace;
    for (std::size_t i = 0; i < line.size();) {
        auto [kind, length] = unit_at<tokenizer>(line, i);
        if (kind <= kDigit || (kind == kDash && before != kDigit)) {
            // Nearly all bytes pass here. The locals matter: a store through `char*` may alias any member.
            char* to = writer.open();
            std::size_t from = i;
            for (; length > 0; --length) *to++ = lowercase ? lower_ascii(line[from++]) : line[from++];
            for (; from < line.size(); ++from) {
                const auto next = static_cast<Class>(table[static_cast<unsigned char>(line[from])]);
                if (next > kDigit) break;
                kind = next;
                *to++ = lowercase ? lower_ascii(line[from]) : line[from];
            }
            before = kind;
            writer.close(to);
            i = from;
            continue;
        }
        if (kind == kStop) {
            i = write_stops<tokenizer>(line, i, before, writer);
        } else {
            writer.gap();
            if (kind != kSpace) {
                writer.put(line.substr(i, length));
                writer.gap();
            }
            i += length;
        }
        before = kind;
    }
    return writer.end();
}

template <Tokenizer tokenizer>
void append_tokens(std::string_view line, bool lowercase, std::string& out) {
    const std::size_t old_size = out.size();
    out.resize(old_size + 2 * line.size() + 1);
    char* const at = out.data() + old_size;
    const char* const end =
        lowercase ? write_tokens<tokenizer, true>(line, at) : write_tokens<tokenizer, false>(line, at);
    out.resize(static_cast<std::size_t>(end - out.data()));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    std::size_t read = text.find(from);
    if (read == std::string::npos) return;
    std::string result;
    result.reserve(text.size());
    std::size_t copied = 0;
    for (; read != std::string::npos; read = text.find(from, copied)) {
        result.append(text, copied, read - copied).append(to);
        copied = read + from.size();
    }
    text = result.append(text, copied);
}

// Three calls of memchr beat one find_first_of by far.
bool may_hold_markup(std::string_view line) {
    return line.find('<') != line.npos || line.find('&') != line.npos || line.find('\n') != line.npos;
}

// The "language-independent part" of mteval-v13a, in its order: "&amp;lt;" becomes "<".
void undo_markup(std::string& line) {
    replace_all(line, "<skipped>", "");
    replace_all(line, "-\n", "");
    replace_all(line, "&quot;", "\"");
    replace_all(line, "&amp;", "&");
    replace_all(line, "&lt;", "<");
    replace_all(line, "&gt;", ">");
}

}  // namespace

Tokenizer tokenizer_from_name(std::string_view name) {
    if (name == "none") return Tokenizer::none;
    if (name == "13a") return Tokenizer::v13a;
    if (name == "intl") return Tokenizer::intl;
    throw std::invalid_argument("tokenizer must be one of none, 13a, intl; got '" + std::string(name) + "'");
}

void tokenize(Tokenizer tokenizer, bool lowercase, std::string_view line, std::string& out) {
    thread_local std::string lowered;
    thread_local std::string unmarked;
    if (lowercase && !is_ascii(line)) {
        lowered.clear();
        append_lower(line, lowered);
        line = lowered;
        lowercase = false;
    }
    line = strip_right(line);
    switch (tokenizer) {
        case Tokenizer::none:
            return append_tokens<Tokenizer::none>(line, lowercase, out);
        case Tokenizer::intl:
            return append_tokens<Tokenizer::intl>(line, lowercase, out);
        case Tokenizer::v13a:
            break;
    }
    if (may_hold_markup(line)) {
        unmarked.clear();
        if (lowercase) {
            append_lower(line, unmarked);  // before the search: "&AMP;" counts once lower-cased
        } else {
            unmarked.assign(line);
        }
        lowercase = false;
        undo_markup(unmarked);
        line = unmarked;
    }
    append_tokens<Tokenizer::v13a>(line, lowercase, out);
}

}  // namespace plainwright
