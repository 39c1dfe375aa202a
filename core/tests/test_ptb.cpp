#include "check.hpp"
#include "plainwright/ptb.hpp"

namespace {

std::string tokens(std::string_view text, const plainwright::PtbOptions& options = {}) {
    std::string out;
    for (const auto& token : plainwright::ptb_tokenize(text, options)) {
        if (!out.empty()) out += ' ';
        out += token.text;
    }
    return out;
}

std::string round_trip(std::string_view text) {
    const auto found = plainwright::ptb_tokenize(text, {});
    std::vector<std::string_view> views;
    for (const auto& token : found) views.push_back(token.text);
    return plainwright::ptb_detokenize(views);
}

void marks_are_split_and_joined_again() {
    CHECK(tokens("It doesn't cost \"$5\" (yet).") == "It does n't cost `` $ 5 '' ( yet ) .");
    CHECK(tokens("(a)", {.directed_quotes = true, .escape_brackets = true}) == "-LRB- a -RRB-");
    CHECK(round_trip("It doesn't cost \"$5\" (yet).") == "It doesn't cost \"$5\" (yet).");
}

void spans_are_bytes_of_the_raw_text() {
    const auto found = plainwright::ptb_tokenize("\xc3\xa9, b", {});
    CHECK(found.size() == 3);
    CHECK(found[1].start == 2 && found[1].end == 3);
}

void odd_input_does_no_harm() {
    for (const std::string_view odd :
         {"", " ", "'", "\"", "''", "(", ")", "$", "%", "\xff'", "\xe2\x80", "'\xe2\x80\x99s"}) {
        round_trip(odd);
    }
    CHECK(plainwright::ptb_detokenize({"", "a", ""}) == "a");
}

}  // namespace

int main() {
    marks_are_split_and_joined_again();
    spans_are_bytes_of_the_raw_text();
    odd_input_does_no_harm();
}
