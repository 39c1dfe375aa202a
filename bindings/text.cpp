// Text functions: tokenisers, lower-casing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "plainwright/tokenize.hpp"
#include "plainwright/unicode.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// The UTF-8 form that Python keeps with the string; a lone surrogate has none. `where` names the text in
// messages.
std::string_view utf8_view(nb::handle text, const std::string& where) {
    if (!PyUnicode_Check(text.ptr())) {
        throw nb::type_error((where + " must be str").c_str());
    }
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {
        PyErr_Clear();
        throw nb::value_error((where + " holds a lone surrogate, which is no Unicode text").c_str());
    }
    return {data, static_cast<std::size_t>(size)};
}

nb::str to_python(std::string_view text) { return nb::str(text.data(), text.size()); }

}  // namespace

void register_text(nb::module_& m) {
    m.def(
        "tokenize",
        [](nb::str line, std::string_view tokenizer, bool lowercase) {
            std::string out;
            plainwright::tokenize(plainwright::tokenizer_from_name(tokenizer), lowercase,
                                  utf8_view(line, "the line"), out);
            return to_python(out);
        },
        "line"_a, "tokenizer"_a, nb::kw_only(), "lowercase"_a = false,
        "The tokens of one line, joined by single spaces.");
    m.def(
        "tokenize_lines",
        [](nb::list lines, std::string_view tokenizer, bool lowercase) -> nb::typed<nb::list, nb::str> {
            const auto kind = plainwright::tokenizer_from_name(tokenizer);
            nb::list result;
            std::string out;
            std::size_t index = 0;
            for (nb::handle line : lines) {
                out.clear();
                plainwright::tokenize(kind, lowercase, utf8_view(line, "line " + std::to_string(index++)),
                                      out);
                result.append(to_python(out));
            }
            return result;
        },
        "lines"_a, "tokenizer"_a, nb::kw_only(), "lowercase"_a = false,
        "The tokens of each line, joined by single spaces.");
    m.def(
        "lower",
        [](nb::str text) {
            std::string out;
            plainwright::append_lower(utf8_view(text, "the text"), out);
            return to_python(out);
        },
        "text"_a, "Lower case, as `str.lower` gives it.");
}
