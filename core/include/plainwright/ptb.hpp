// Penn-Treebank-style tokens for the decoder, each with its place in the raw text, and the way back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plainwright {

struct PtbOptions {
    bool directed_quotes = true;   // straight double quotes as `` and '', a single opening one as `
    bool escape_brackets = false;  // ( as -LRB-, ) as -RRB-, and so on
};

struct PtbToken {
    std::string text;
    std::size_t start;  // bytes of the raw text; differs from `text` where options or dashes rewrite it
    std::size_t end;
};

// Tokens of raw text. Contractions are split (do n't, it 's), so are quotes, brackets and punctuation;
// abbreviations keep their period; numbers, URLs, e-mail addresses and hyphenated words stay whole; a dash
// between two words is "--".
std::vector<PtbToken> ptb_tokenize(std::string_view text, const PtbOptions& options);

// Text as it is written, from such tokens or from tokenised lower-case corpora ("-lrb- 1990 -rrb- , `` word
// ''").
std::string ptb_detokenize(const std::vector<std::string_view>& tokens);

}  // namespace plainwright
