#include <string>

#include "check.hpp"
#include "plainwright/sentences.hpp"

using plainwright::Abbreviation;

namespace {

std::string split(std::string_view text) {
    std::string out;
    for (const auto& [start, end] : plainwright::sentence_spans(text, plainwright::looks_tokenized(text))) {
        if (!out.empty()) out += '|';
        out += text.substr(start, end - start);
    }
    return out;
}

void abbreviations_are_known_in_any_case() {
    CHECK(plainwright::abbreviation_kind("Dr") == Abbreviation::title);
    CHECK(plainwright::abbreviation_kind("INC") == Abbreviation::general);
    CHECK(plainwright::abbreviation_kind("no") == Abbreviation::before_number);
    CHECK(plainwright::abbreviation_kind("word") == Abbreviation::none);
    CHECK(plainwright::abbreviation_kind("") == Abbreviation::none);
    CHECK(plainwright::is_dotted_abbreviation("U.S"));
    CHECK(!plainwright::is_dotted_abbreviation("3.5"));
}

void raw_and_tokenised_sentences_end() {
    CHECK(split("Dr. A. Bee of the U.S. He is. Is he?") == "Dr. A. Bee of the U.S.|He is.|Is he?");
    CHECK(split("the u.s. . the next . \" what \" .") == "the u.s. .|the next .|\" what \" .");
    CHECK(split("one\n\ntwo") == "one|two");
    CHECK(split("") == "");
    CHECK(split(". . .") == ". . .");
}

void bytes_that_are_not_utf8_do_no_harm() {
    for (const std::string_view bad : {"\xff. \xff", "a. \xe2\x82", "\xc2", ".\xf0 A. \xf0\x9f"}) {
        CHECK(!split(bad).empty());
    }
}

}  // namespace

int main() {
    abbreviations_are_known_in_any_case();
    raw_and_tokenised_sentences_end();
    bytes_that_are_not_utf8_do_no_harm();
}
