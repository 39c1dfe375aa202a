// Text functions: tokenisers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "plainwright/tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void register_text(nb::module_& m) {
    m.def(
        "tokenize",
        [](std::string_view line, std::string_view tokenizer, bool lowercase) {
            std::string out;
            plainwright::tokenize(plainwright::tokenizer_from_name(tokenizer), lowercase, line, out);
            return out;
        },
        "line"_a, "tokenizer"_a, nb::kw_only(), "lowercase"_a = false,
        "The tokens of one line, joined by single spaces.");
}
