#include "plainwright/syllables.hpp"

#include <algorithm>
#include <array>

#include "plainwright/sentences.hpp"
#include "plainwright/unicode.hpp"

namespace plainwright {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'; }

// ---- numbers as they are read out

int below_hundred(unsigned n) {
    static constexpr std::array<std::uint8_t, 20> small = {2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 2, 2, 2, 2, 3, 2, 2};
    if (n < 20) return small[n];
    const int tens = n / 10 == 7 ? 3 : 2;
    return tens + (n % 10 == 0 ? 0 : small[n % 10]);
}

int below_thousand(unsigned n) {
    if (n < 100) return below_hundred(n);
    return below_hundred(n / 100) + 2 + (n % 100 == 0 ? 0 : below_hundred(n % 100));
}

// "nineteen ninety", "nineteen hundred", "twenty fifteen"; 2000 to 2009 are read as numbers.
bool read_as_year(std::uint64_t n) { return (n >= 1100 && n < 2000) || (n >= 2010 && n < 2100); }

int integer_syllables(std::string_view digits, bool grouped) {
    if (digits.size() > 12 || (digits.size() > 1 && digits[0] == '0')) {
        int count = 0;
        for (const char c : digits) count += below_hundred(static_cast<unsigned>(c - '0'));
        return count;
    }
    std::uint64_t n = 0;
    for (const char c : digits) n = n * 10 + static_cast<unsigned>(c - '0');
    if (digits.size() == 4 && !grouped && read_as_year(n)) {
        const auto rest = static_cast<unsigned>(n % 100);
        const int tail = rest == 0 ? 2 : rest < 10 ? 1 + below_hundred(rest) : below_hundred(rest);  // "oh five"
        return below_hundred(static_cast<unsigned>(n / 100)) + tail;
    }
    if (n < 1000) return below_thousand(static_cast<unsigned>(n));
    int count = 0;
    for (int scale = 0; n > 0; ++scale, n /= 1000) {
        const auto group = static_cast<unsigned>(n % 1000);
        if (group > 0) count += below_thousand(group) + (scale == 0 ? 0 : 2);  // thousand, million, billion
    }
    return count;
}

// Reads digits with "," between groups of three and "." before decimals, from `i` on.
int read_number(std::string_view word, std::size_t& i) {
    std::string digits;
    bool grouped = false;
    while (i < word.size()) {
        if (is_digit(word[i])) {
            digits += word[i++];
        } else if (word[i] == ',' && i + 3 < word.size() && is_digit(word[i + 1]) && is_digit(word[i + 2]) &&
                   is_digit(word[i + 3])) {
            grouped = true;
            ++i;
        } else {
            break;
        }
    }
    int count = integer_syllables(digits, grouped);
    if (i + 1 < word.size() && word[i] == '.' && is_digit(word[i + 1])) {
        count += 1;  // "point"
        for (++i; i < word.size() && is_digit(word[i]); ++i)
            count += below_hundred(static_cast<unsigned>(word[i] - '0'));
    }
    // "20th" has one syllable more than "20"; "st", "nd", "rd", "th" and the plural "s" add none elsewhere.
    const std::string_view rest = word.substr(i);
    for (const std::string_view ending : {"st", "nd", "rd", "th", "s"}) {
        if (rest == ending) {
            count += ending == "th" && digits.size() == 2 && digits[0] != '1' && digits[1] == '0';
            i = word.size();
        }
    }
    return count;
}

// ---- the rule

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return word.ends_with(e); });
}

// Letters with an accent lose it; anything else outside a-z is dropped.
std::string plain_letters(std::string_view word) {
    // U+00E0 to U+00FF, in order.
    static constexpr std::string_view latin = "aaaaaaaceeeeiiiidnooooo ouuuuyty";
    std::string letters;
    for (std::size_t i = 0; i < word.size();) {
        const auto [character, length] = decode(word, i);
        i += length;
        if (character >= 'a' && character <= 'z') {
            letters += static_cast<char>(character);
        } else if (character == 0xe9) {
            letters += "ay";  // "café": not silent
        } else if (character >= 0xe0 && character <= 0xff && latin[character - 0xe0] != ' ') {
            letters += latin[character - 0xe0];
        } else if (has_trait(character, kLetter)) {
            letters += 'x';
        }
    }
    return letters;
}

bool contains(std::string_view word, std::string_view part) { return word.find(part) != word.npos; }

bool contains_any(std::string_view word, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(word, part); });
}

// Whether `word` ends in `ending` with a letter out of `before` in front of it.
bool ends_after(std::string_view word, std::string_view ending, std::string_view before) {
    return word.size() > ending.size() && word.ends_with(ending) &&
           before.find(word[word.size() - ending.size() - 1]) != before.npos;
}

constexpr std::string_view kConsonants = "bcdfghjklmnpqrstvwxz";

// Groups of vowels, less the silent "e" of -e, -ed and -es.
int sounded_groups(std::string_view word) {
    int groups = 0;
    for (std::size_t i = 0; i < word.size(); ++i) groups += is_vowel(word[i]) && (i == 0 || !is_vowel(word[i - 1]));
    if (ends_after(word, "e", kConsonants) && !ends_after(word, "le", "bcdfghjkmnpqrstvwxz")) --groups;
    if (ends_after(word, "ed", "bcfghjklmnpqrsvwxz") && !ends_after(word, "led", "bcdfgkpstz")) --groups;
    if (ends_after(word, "es", "bdfhjklmnpqrtvw") && !ends_after(word, "les", "bcdfghjkmnpqrstvwxz") &&
        !ends_with_any(word, {"ches", "shes"})) {
        --groups;
    }
    return groups;
}

// Neighbouring vowels that are two syllables, and syllables without a vowel. Each was kept because it raises
// the accuracy on the CMU dictionary.
int extra_syllables(std::string_view word) {
    int count = word.starts_with("mc");
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
        const bool hiatus = word[i] == 'i' && (word[i + 1] == 'a' || word[i + 1] == 'o');
        if (hiatus && (i + 2 == word.size() || word[i + 2] != 'u' || contains(word, "rious"))) {
            ++count;
            break;
        }
    }
    const std::string_view inside = word.empty() ? word : word.substr(1);
    count += contains(word, "ying");
    count += contains(word, "eo") && !contains(word, "geon");
    count += word.ends_with("ism");
    count += contains(word, "iu");
    count += contains(word, "ier");
    count += contains(word, "iest");
    count += contains(inside, "ya") && !contains(word, "yard");
    count += contains(inside, "yo");
    count += contains_any(word, {"uing", "oing", "aing", "eing"});
    count += contains(inside, "yer");
    count += contains_any(word, {"tua", "dua", "nua", "sual"});
    count += ends_with_any(word, {"auer", "nuer", "duer", "fluer"});
    return count;
}

// Groups of vowels that are not sounded, or that `extra_syllables` counted too generously.
int missing_syllables(std::string_view word) {
    int count = contains_any(word, {"tion", "sion", "cion", "xion", "gion", "lion", "nion"});
    for (const std::string_view part : {"tia", "cia"}) {
        const std::size_t at = word.find(part);
        if (at != word.npos && (at + 3 == word.size() || word[at + 3] != 't')) {
            ++count;
            break;
        }
    }
    for (const std::string_view ending : {"ely", "eness", "eless", "eful", "ement", "ements", "elessly", "efully"}) {
        if (ends_after(word, ending, kConsonants)) {
            ++count;
            break;
        }
    }
    for (const std::string_view second : {"eman", "etown", "eland", "ewood", "efield", "eberg", "esman", "eworth"}) {
        const std::size_t at = word.find(second);
        if (at != word.npos && at > 0 && !is_vowel(word[at - 1])) {
            ++count;
            break;
        }
    }
    count += ends_with_any(word, {"que", "gue", "ques", "gues"});
    count += ends_with_any(word, {"ically"});
    count += word.starts_with("fore") && word.size() > 5 && !is_vowel(word[4]);
    return count;
}

// A letter's name has one syllable, that of W three.
int spelt(std::string_view letters) {
    int count = 0;
    for (const char c : letters) count += c == 'w' ? 3 : is_lower(c);
    return count;
}

int letters_syllables(std::string_view lower, bool all_upper) {
    const SyllableDictionary* dictionary = syllable_dictionary();
    if (dictionary != nullptr) {
        if (const auto found = dictionary->find(lower)) return *found;
    }
    int possessives = 0;
    while (lower.size() > 2 && lower.ends_with("'s")) {
        lower.remove_suffix(2);
        possessives += ends_with_any(lower, {"s", "x", "z", "ch", "sh", "ce", "ge", "se"});
        if (const auto found = dictionary ? dictionary->find(lower) : std::nullopt) return possessives + *found;
    }
    const bool no_vowel = std::none_of(lower.begin(), lower.end(), is_vowel);
    if (all_upper && lower.size() >= 2 && (lower.size() <= 3 || no_vowel)) return possessives + spelt(lower);
    return possessives + rule_syllables(lower);
}

// One part of a word, without hyphens: runs of letters and of numbers.
int part_syllables(std::string_view lower, bool all_upper) {
    const std::string_view undotted = lower.ends_with('.') ? lower.substr(0, lower.size() - 1) : lower;
    if (is_dotted_abbreviation(undotted)) return spelt(undotted);
    int count = 0;
    for (std::size_t i = 0; i < lower.size();) {
        if (is_digit(lower[i])) {
            count += read_number(lower, i);
            continue;
        }
        const std::size_t start = i;
        bool letter = false;
        while (i < lower.size() && !is_digit(lower[i])) {
            const auto [character, length] = decode(lower, i);
            const bool inside = has_trait(character, kLetter);
            if (!inside && character != '\'') break;
            letter |= inside;
            i += length;
        }
        if (letter) {
            std::string_view run = lower.substr(start, i - start);
            while (run.ends_with('\'')) run.remove_suffix(1);
            const bool known = syllable_dictionary() != nullptr && syllable_dictionary()->find(run);
            while (!known && run.starts_with('\'')) run.remove_prefix(1);
            count += letters_syllables(run, all_upper);
        }
        if (i < lower.size() && !is_digit(lower[i])) i += decode(lower, i).length;
    }
    return count;
}

// Lower case, with the typographic apostrophe as the plain one and every dash or slash as "-".
std::string folded(std::string_view word) {
    std::string lower;
    append_lower(word, lower);
    if (is_ascii(lower)) {
        std::replace(lower.begin(), lower.end(), '/', '-');
        return lower;
    }
    std::string result;
    for (std::size_t i = 0; i < lower.size();) {
        const auto [character, length] = decode(lower, i);
        if (character == 0x2019 || character == 0x2018) {
            result += '\'';
        } else if ((character >= 0x2010 && character <= 0x2015) || character == '/') {
            result += '-';
        } else {
            result.append(lower, i, length);
        }
        i += length;
    }
    return result;
}

int vowel_groups(std::string_view word) {
    int groups = 0;
    bool inside = false;
    for (const char c : word) {
        const bool vowel = is_vowel(c);
        groups += vowel && !inside;
        inside = vowel;
    }
    const std::size_t n = word.size();
    const bool silent = n >= 2 && word[n - 1] == 'e' && (!is_vowel(word[n - 2]) || word[n - 2] == 'y');
    return std::max(1, groups - silent);
}

}  // namespace

int rule_syllables(std::string_view word) {
    const std::string letters = plain_letters(word);
    return std::max(1, sounded_groups(letters) + extra_syllables(letters) - missing_syllables(letters));
}

int spoken_syllables(std::string_view word) {
    const std::string lower = folded(word);
    if (const SyllableDictionary* dictionary = syllable_dictionary()) {
        if (const auto found = dictionary->find(lower); found && has_trait(decode(lower, 0).character, kLetter)) {
            return *found;
        }
    }
    const bool all_upper = std::none_of(word.begin(), word.end(), is_lower);
    int count = 0;
    for (std::size_t start = 0; start <= lower.size();) {
        const std::size_t end = std::min(lower.find('-', start), lower.size());
        count += part_syllables(std::string_view(lower).substr(start, end - start), all_upper);
        start = end + 1;
    }
    return count;
}

int vowel_group_syllables(std::string_view token) {
    std::string lower;
    append_lower(token, lower);
    std::string_view rest = lower;
    if (rest == "-") return 1;
    if (rest.find('-') == rest.npos) return vowel_groups(rest);
    while (rest.ends_with('-')) rest.remove_suffix(1);
    if (rest.empty()) return 0;
    int count = 0;
    for (;;) {
        const std::size_t end = rest.find('-');
        count += vowel_groups(rest.substr(0, end));
        if (end == rest.npos) return count;
        rest.remove_prefix(end + 1);
    }
}

}  // namespace plainwright
