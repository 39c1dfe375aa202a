// Tokenisers as sacreBLEU defines them: the tokens, joined by single spaces.
#pragma once

#include <string>
#include <string_view>

namespace plainwright {

enum class Tokenizer { none, v13a, intl };

// "none", "13a" or "intl"; throws std::invalid_argument for any other name.
Tokenizer tokenizer_from_name(std::string_view name);

// Appends the tokens of `line` (UTF-8) to `out`, one space between tokens, none at either end.
// With `lowercase`, letters are lower-cased first, as Python's str.lower does.
void tokenize(Tokenizer tokenizer, bool lowercase, std::string_view line, std::string& out);

}  // namespace plainwright
