// Sentence boundaries by rule, in raw and in tokenised English, and the abbreviations that hide them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace plainwright {

struct Span {
    std::size_t start;  // bytes
    std::size_t end;
    bool operator==(const Span&) const = default;
};

enum class Abbreviation {
    none,
    title,          // "Dr": a name follows, never a boundary
    general,        // "Inc": may end a sentence
    before_number,  // "No", "Jan": an abbreviation only if a number follows
};

// `word` without its final period, any case.
Abbreviation abbreviation_kind(std::string_view word);

// "U.S", "a.m", "Ph.D": letters with periods between them; `word` without its final period.
bool is_dotted_abbreviation(std::string_view word);

// True where more periods stand as tokens of their own ("the end . the next") than at the end of ordinary words.
bool looks_tokenized(std::string_view text);

// The sentences of `text` without the white space between them. In tokenised text only a period, question or
// exclamation mark that is a token of its own ends a sentence, whatever the case of the next word.
std::vector<Span> sentence_spans(std::string_view text, bool tokenized);

}  // namespace plainwright
