// Expected strings read off sacreBLEU 2.6; the full comparison is tests/text/test_tokenize.py.
#include <stdexcept>

#include "check.hpp"
#include "plainwright/tokenize.hpp"
#include "plainwright/unicode.hpp"

using plainwright::Tokenizer;

namespace {

std::string tokens(Tokenizer tokenizer, bool lowercase, std::string_view line) {
    std::string out;
    plainwright::tokenize(tokenizer, lowercase, line, out);
    return out;
}

std::string lower(std::string_view text) {
    std::string out;
    plainwright::append_lower(text, out);
    return out;
}

void names_are_known_or_refused() {
    CHECK(plainwright::tokenizer_from_name("13a") == Tokenizer::v13a);
    bool refused = false;
    try {
        plainwright::tokenizer_from_name("13b");
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

void lines_split_as_in_sacrebleu() {
    CHECK(tokens(Tokenizer::v13a, false, "a.,b") == "a . , b");
    CHECK(tokens(Tokenizer::v13a, false, "a..5 1.5, 4-5") == "a . .5 1.5 , 4 - 5");
    CHECK(tokens(Tokenizer::v13a, true, "&AMP;lt; <SKIPPED>X-\nY") == "< xy");
    CHECK(tokens(Tokenizer::intl, false, "In 1990. ") == "In 1990.");
    CHECK(tokens(Tokenizer::intl, false, "5\xe2\x82\xac") == "5 \xe2\x82\xac");
    CHECK(tokens(Tokenizer::none, true, " A\xc2\xa0 B\x1c") == "a b");
    CHECK(tokens(Tokenizer::none, false, "").empty());
}

void output_is_appended() {
    std::string out = "x";
    plainwright::tokenize(Tokenizer::none, false, " a  b ", out);
    CHECK(out == "xa b");
}

void lower_case_knows_sigma_and_dotted_i() {
    CHECK(lower("\xce\x91\xce\xa3 \xce\xa3") == "\xce\xb1\xcf\x82 \xcf\x83");
    CHECK(lower("\xc4\xb0") == "i\xcc\x87");
}

void utf8_is_what_python_takes_for_it() {
    for (const char* good : {"", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "abcdefgh\xf4\x8f\xbf\xbf"}) {
        CHECK(plainwright::is_utf8(good));
    }
    // A lone continuation, a cut sequence, long forms, a surrogate, beyond the last character, no lead byte at all.
    for (const char* bad : {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xff"}) {
        CHECK(!plainwright::is_utf8(bad));
    }
}

void bytes_that_are_not_utf8_are_copied() {
    for (const std::string_view bad : {"\xff", "\xe2\x82", "\xf0\x9f\x98", "\xc3", "a\x80.", "\xe2\x82.\xe2"}) {
        for (const auto tokenizer : {Tokenizer::none, Tokenizer::v13a, Tokenizer::intl}) {
            CHECK(tokens(tokenizer, true, bad).size() >= bad.size());
        }
        CHECK(lower(bad) == bad);
        CHECK(plainwright::strip_right(bad) == bad);
    }
}

}  // namespace

int main() {
    names_are_known_or_refused();
    lines_split_as_in_sacrebleu();
    output_is_appended();
    lower_case_knows_sigma_and_dotted_i();
    utf8_is_what_python_takes_for_it();
    bytes_that_are_not_utf8_are_copied();
}
