#include "plainwright/sentences.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "plainwright/unicode.hpp"

namespace plainwright {
namespace {

constexpr std::size_t kLongestAbbreviation = 16;

// Each list is sorted: looked up by binary search.
constexpr std::string_view kTitles[] = {
    "adm", "approx", "brig", "c",   "ca",     "capt", "cf",   "cmdr", "col", "cpl", "dr",  "ens",  "fr", "ft",   "gen",
    "gov", "hon",    "lt",   "maj", "messrs", "mlle", "mm",   "mme",  "mr",  "mrs", "ms",  "msgr", "mt", "pres", "prof",
    "pvt", "rep",    "reps", "rev", "rt",     "sen",  "sens", "sgt",  "sr",  "st",  "ste", "supt", "v",  "viz",  "vs",
};
constexpr std::string_view kGeneral[] = {
    "ala",  "alta", "ariz", "assn", "asst", "ave",  "bldg",  "blvd", "bros", "calif", "co",   "colo", "conn", "corp",
    "dept", "dist", "div",  "ed",   "eds",  "esp",  "esq",   "est",  "etc",  "fla",   "govt", "inc",  "incl", "inst",
    "intl", "jr",   "kan",  "ltd",  "mass", "mich", "minn",  "mo",   "mont", "nat",   "nev",  "okla", "oreg", "penn",
    "ph",   "pty",  "rd",   "repr", "tenn", "tex",  "trans", "univ", "vt",   "wis",   "wyo",
};
constexpr std::string_view kBeforeNumber[] = {
    "apr", "art", "aug", "bk",  "ch", "chap", "dec", "eq", "feb", "fig", "figs", "jan",  "jul", "jun", "mar", "no",
    "nos", "nov", "nr",  "oct", "op", "p",    "par", "pp", "pt",  "sec", "sep",  "sept", "ser", "ver", "vol", "vols",
};
// Words that begin sentences far more often than they continue a name.
constexpr std::string_view kStarters[] = {
    "a",          "after",   "all",       "also", "although",  "an",    "and",     "another", "as",
    "at",         "because", "before",    "both", "but",       "by",    "despite", "during",  "each",
    "eventually", "finally", "following", "for",  "from",      "he",    "her",     "his",     "how",
    "however",    "i",       "if",        "in",   "initially", "it",    "its",     "later",   "many",
    "meanwhile",  "most",    "my",        "no",   "not",       "on",    "once",    "one",     "only",
    "other",      "our",     "several",   "she",  "since",     "so",    "some",    "soon",    "such",
    "that",       "the",     "their",     "then", "there",     "these", "they",    "this",    "those",
    "though",     "through", "thus",      "to",   "today",     "two",   "under",   "unlike",  "until",
    "upon",       "was",     "we",        "what", "when",      "where", "which",   "while",   "who",
    "with",       "within",  "you",       "your",
};

template <std::size_t n>
constexpr bool sorted(const std::string_view (&words)[n]) {
    return std::is_sorted(std::begin(words), std::end(words));
}
static_assert(sorted(kTitles) && sorted(kGeneral) && sorted(kBeforeNumber) && sorted(kStarters));

template <std::size_t n>
bool listed(const std::string_view (&words)[n], std::string_view word) {
    char lower[kLongestAbbreviation];
    if (word.empty() || word.size() > sizeof lower) return false;
    std::transform(word.begin(), word.end(), lower,
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return std::binary_search(std::begin(words), std::end(words), std::string_view(lower, word.size()));
}

bool is_opener(char32_t c) {
    return c == '"' || c == '\'' || c == '(' || c == '[' || c == '{' || c == '`' || c == 0x201c || c == 0x2018 ||
           c == 0xab || c == 0x2013 || c == 0x2014;
}

bool is_closer(char32_t c) {
    return c == '"' || c == '\'' || c == ')' || c == ']' || c == '}' || c == 0x201d || c == 0x2019 || c == 0xbb;
}

bool is_terminator(char32_t c) { return c == '.' || c == '!' || c == '?' || c == 0x2026 || c == 0x3002; }

struct Chunk {
    std::size_t start, end;  // a run without white space
    int newlines_before;
};

std::vector<Chunk> chunks_of(std::string_view text) {
    std::vector<Chunk> chunks;
    int newlines = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto [character, length] = decode(text, i);
        if (is_space(character)) {
            newlines += character == '\n' || character == 0x2029;
            i += length;
            continue;
        }
        const std::size_t start = i;
        while (i < text.size()) {
            const auto next = decode(text, i);
            if (is_space(next.character)) break;
            i += next.length;
        }
        chunks.push_back({start, i, newlines});
        newlines = 0;
    }
    return chunks;
}

std::string_view without_openers(std::string_view word) {
    while (!word.empty()) {
        const auto [character, length] = decode(word, 0);
        if (!is_opener(character)) break;
        word.remove_prefix(length);
    }
    return word;
}

bool all_digits(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Length of a footnote mark such as "[12]" at the end of `word`, 0 without one. Looks at a few bytes only, so that a
// megabyte of brackets stays quick.
std::size_t footnote_length(std::string_view word) {
    constexpr std::size_t longest = 6;
    const std::string_view tail = word.substr(word.size() - std::min(word.size(), longest));
    const std::size_t open = tail.rfind('[');
    if (!tail.ends_with(']') || open == tail.npos || open + 2 >= tail.size()) return 0;
    return all_digits(tail.substr(open + 1, tail.size() - open - 2)) ? tail.size() - open : 0;
}

// Without closing quotes, brackets and footnote marks.
std::string_view without_closers(std::string_view word) {
    while (!word.empty()) {
        std::size_t length = footnote_length(word);
        if (length == 0) {
            const auto last = decode_before(word, word.size());
            if (!is_closer(last.character)) break;
            length = last.length;
        }
        word.remove_suffix(length);
    }
    return word;
}

bool is_list_mark(std::string_view word) {
    return word == "-" || word == "*" || word == "\xe2\x80\xa2" ||
           (word.size() >= 2 && word.size() <= 4 && (word.back() == '.' || word.back() == ')') &&
            all_digits(word.substr(0, word.size() - 1)));
}

// "I" alone is the pronoun: "He said no. I left."
bool is_roman_numeral(std::string_view word) {
    return !word.empty() && word != "I" && word.find_first_not_of("IVXLC") == word.npos;
}

// The first run of letters of `word`: "The" of "The," and "It" of "It's".
std::string_view first_letters(std::string_view word) {
    std::size_t i = 0;
    while (i < word.size() && ((word[i] | 32) >= 'a' && (word[i] | 32) <= 'z')) ++i;
    return word.substr(0, i);
}

bool starts_lower(std::string_view word) {
    const char32_t first = decode(word, 0).character;
    if (!has_trait(first, kLetter) || lower_character(first) != first || !has_trait(first, kCased)) return false;
    // "iPhone" and "eBay" may begin a sentence.
    const std::size_t second = decode(word, 0).length;
    return !(second < word.size() && word[second] >= 'A' && word[second] <= 'Z');
}

bool has_upper(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto [character, length] = decode(text, i);
        if (has_trait(character, kUpper)) return true;
        i += length;
    }
    return false;
}

// Whether the period that ends `word` (given without it) closes a sentence before `next`, which begins like
// one.
bool period_ends_sentence(std::string_view word, std::string_view next, bool begins_sentence, bool all_lower) {
    if (word.empty()) return true;
    const char32_t after = decode(next, 0).character;
    const bool number_follows = has_trait(after, kNumber) || is_roman_numeral(first_letters(next));
    const bool starter_follows = !all_lower && listed(kStarters, first_letters(next));
    if (begins_sentence && is_list_mark(std::string(word) + '.')) return false;
    if (word == "e.g" || word == "i.e") return false;
    if (is_dotted_abbreviation(word)) return starter_follows;
    const auto letter = decode(word, 0);
    if (letter.length == word.size() && has_trait(letter.character, kUpper)) return starter_follows;
    switch (abbreviation_kind(word)) {
        case Abbreviation::title:
            return false;
        case Abbreviation::general:
            return starter_follows;
        case Abbreviation::before_number:
            return !number_follows;
        case Abbreviation::none:
            break;
    }
    return true;
}

// Whether a sentence ends between two chunks of raw text.
bool raw_boundary(std::string_view left, std::string_view right, bool begins_sentence, bool all_lower) {
    const std::string_view ended = without_closers(left);
    if (ended.empty()) return false;
    const auto last = decode_before(ended, ended.size());
    if (!is_terminator(last.character)) return false;
    const std::string_view next = without_openers(right);
    if (next.empty()) return false;
    if (starts_lower(next) && !all_lower) return false;
    const char32_t first = decode(next, 0).character;
    if (!has_trait(first, kLetter | kNumber | kSymbol) && first != '.' && first != '#' && first != '%') return false;
    const bool is_period = last.character == '.' && (ended.size() < 2 || ended[ended.size() - 2] != '.');
    if (!is_period) return true;
    return period_ends_sentence(without_openers(ended.substr(0, ended.size() - 1)), next, begins_sentence, all_lower);
}

bool is_closing_token(std::string_view word) {
    return word == "''" || word == "\"" || word == "'" || word == ")" || word == "]" || word == "-rrb-" ||
           word == "-RRB-" || word == "-rsb-" || word == "-RSB-" || word == "\xe2\x80\x9d" || word == "\xe2\x80\x99";
}

bool is_terminator_token(std::string_view word) { return word == "." || word == "!" || word == "?"; }

// Finds the ends of tokenised sentences; one object per sentence.
class TokenBoundaries {
 public:
    explicit TokenBoundaries(bool all_lower) : all_lower_(all_lower) {}

    bool between(std::string_view before, std::string_view token, std::string_view next) {
        quotes_ += token == "\"";
        if (is_terminator_token(token)) {
            ended_ = !abbreviates(before, token, next);
            // "What ? " he said: only a full stop ends a sentence before a small letter.
            stops_ = token == ".";
        } else {
            ended_ = ended_ && is_closing_token(token);
        }
        if (!ended_ || is_terminator_token(next) || next == "," || next == ";") return false;
        if (is_closing_token(next) && (next != "\"" || quotes_ % 2 == 1)) return false;
        return stops_ || all_lower_ || !starts_lower(next);
    }

 private:
    // "p . 493", "c . 1900": the period of an abbreviation that lost it to the tokeniser.
    static bool abbreviates(std::string_view before, std::string_view token, std::string_view next) {
        const auto kind = abbreviation_kind(before);
        return token == "." && has_trait(decode(next, 0).character, kNumber) &&
               (kind == Abbreviation::before_number || kind == Abbreviation::title);
    }

    bool all_lower_;
    bool ended_ = false;  // a terminator has been seen, closing tokens may follow
    bool stops_ = false;
    int quotes_ = 0;  // straight ones since the sentence began
};

}  // namespace

Abbreviation abbreviation_kind(std::string_view word) {
    if (listed(kTitles, word)) return Abbreviation::title;
    if (listed(kGeneral, word)) return Abbreviation::general;
    if (listed(kBeforeNumber, word)) return Abbreviation::before_number;
    return Abbreviation::none;
}

bool is_dotted_abbreviation(std::string_view word) {
    std::size_t letters = 0;
    std::size_t periods = 0;
    for (std::size_t i = 0; i < word.size();) {
        const auto [character, length] = decode(word, i);
        i += length;
        if (character == '.') {
            if (letters == 0) return false;
            letters = 0;
            ++periods;
        } else if (!has_trait(character, kLetter) || ++letters > 2) {
            return false;
        }
    }
    return periods > 0 && letters > 0;
}

bool looks_tokenized(std::string_view text) {
    std::size_t alone = 0;
    std::size_t attached = 0;
    for (std::size_t at = text.find('.'); at != text.npos; at = text.find('.', at + 1)) {
        const bool ends_chunk = at + 1 == text.size() || is_space(decode(text, at + 1).character);
        if (!ends_chunk) continue;
        std::size_t start = at;
        while (start > 0 && at - start < kLongestAbbreviation && !is_space(decode_before(text, start).character))
            --start;
        const std::string_view word = text.substr(start, at - start);
        if (word.empty()) {
            ++alone;
        } else if (word.size() > 1 && !is_dotted_abbreviation(word) && abbreviation_kind(word) == Abbreviation::none) {
            ++attached;
        }
    }
    return alone > attached;
}

std::vector<Span> sentence_spans(std::string_view text, bool tokenized) {
    std::vector<Span> spans;
    const auto chunks = chunks_of(text);
    const bool all_lower = !has_upper(text);
    const auto word = [&](std::size_t i) { return text.substr(chunks[i].start, chunks[i].end - chunks[i].start); };
    TokenBoundaries tokens(all_lower);
    std::size_t first = 0;
    for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
        const std::string_view next = word(i + 1);
        bool boundary =
            chunks[i + 1].newlines_before >= 2 || (chunks[i + 1].newlines_before == 1 && is_list_mark(next));
        if (tokenized) {
            boundary |= tokens.between(i > first ? word(i - 1) : "", word(i), next);
        } else if (!boundary) {
            boundary = raw_boundary(word(i), next, i == first, all_lower);
        }
        if (!boundary) continue;
        spans.push_back({chunks[first].start, chunks[i].end});
        first = i + 1;
        tokens = TokenBoundaries(all_lower);
    }
    if (first < chunks.size()) spans.push_back({chunks[first].start, chunks.back().end});
    return spans;
}

}  // namespace plainwright
