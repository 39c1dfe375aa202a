#include "plainwright/tokenize.hpp"

#include <stdexcept>

namespace plainwright {

Tokenizer tokenizer_from_name(std::string_view name) {
    if (name == "none") return Tokenizer::none;
    if (name == "13a") return Tokenizer::v13a;
    if (name == "intl") return Tokenizer::intl;
    throw std::invalid_argument("tokenizer must be one of none, 13a, intl; got '" + std::string(name) + "'");
}

void tokenize(Tokenizer, bool, std::string_view line, std::string& out) { out.append(line); }

}  // namespace plainwright
