// Phrase search by hand; tests/decode compares with an oracle on random tables.
#include <cmath>

#include "check.hpp"
#include "plainwright/decoder.hpp"

using namespace plainwright;

namespace {

using Weights = std::vector<std::pair<std::string, double>>;

std::vector<GrammarBlock> table(std::string_view lines) { return {{std::make_shared<MemoryGrammar>(lines), ""}}; }

std::string text(const DecodeResult& result, std::size_t rank) {
    std::string joined;
    const Candidate& candidate = result.candidates[rank];
    for (std::uint32_t i = candidate.first_token; i < candidate.last_token; ++i) {
        if (!joined.empty()) joined += ' ';
        joined += result.words[result.tokens[i]];
    }
    return joined;
}

DecodeResult decode(const Decoder& decoder, std::vector<std::string_view> tokens) {
    return decoder.decode({Sentence{std::move(tokens), {}}}, 1).front();
}

DecoderSettings settings(std::size_t distortion_limit, std::size_t stack = 100) {
    DecoderSettings settings;
    settings.search = SearchKind::phrases;
    settings.candidates = 100;
    settings.pop_limit = stack;
    settings.phrases.distortion_limit = distortion_limit;
    return settings;
}

constexpr std::string_view kTable =
    "[X] ||| a ||| b ||| p=1 ||| \n"
    "[X] ||| a b ||| c ||| p=3 ||| \n"
    "[X] ||| d |||  ||| p=0.5 ||| \n";

void without_distortion_phrases_keep_their_order() {
    const Decoder decoder(table(kTable), nullptr, Weights{{"p", 1}, {"Distortion", 1}}, settings(0));
    const DecodeResult result = decode(decoder, {"a", "b", "d"});
    CHECK(result.candidates.size() == 2);
    CHECK(text(result, 0) == "c" && std::abs(result.candidates[0].score - 3.5) < 1e-9);
    CHECK(text(result, 1) == "b b" && std::abs(result.candidates[1].score - 1.5) < 1e-9);
}

void orders_are_those_within_the_limit() {
    const auto outputs = [](std::size_t limit) {
        const Decoder decoder(table(""), nullptr, {}, settings(limit, 0));
        return decode(decoder, {"x", "y", "z"}).candidates.size();
    };
    CHECK(outputs(0) == 1);
    CHECK(outputs(1) == 1);  // nothing can be put first whose end is one word from the gap before it
    CHECK(outputs(2) == 3);  // x y z, x z y, y x z
    CHECK(outputs(3) == 6);  // all
    CHECK(outputs(60) == 6);
}

void distortion_counts_the_words_of_all_jumps() {
    const Decoder decoder(table(""), nullptr, Weights{{"Distortion", 1}}, settings(3, 0));
    const DecodeResult result = decode(decoder, {"x", "y", "z"});
    // z x y: 2 on, 3 back, none; z y x: 2 on, 2 back, 2 back.
    CHECK(text(result, 0) == "z y x" && std::abs(result.candidates[0].score - 6) < 1e-9);
}

void narrow_stacks_end_with_an_output() {
    const Decoder decoder(table(kTable), nullptr, Weights{{"p", 1}, {"Distortion", -0.1}}, settings(6, 1));
    CHECK(!decode(decoder, {"a", "b", "d", "a", "d", "z", "a"}).candidates.empty());
    CHECK(decode(decoder, {}).candidates.size() == 1);
}

void gaps_are_found_and_refused() {
    const MemoryGrammar with_gaps("[X] ||| a b ||| b ||| p=1 ||| \n[X] ||| a [X,1] ||| [X,1] ||| p=1 ||| \n");
    CHECK(has_gaps(with_gaps) && !has_gaps(MemoryGrammar(kTable)));
    bool refused = false;
    try {
        const Decoder decoder(table("[X] ||| a [X,1] ||| [X,1] ||| p=1 ||| \n"), nullptr, {}, settings(6));
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

}  // namespace

int main() {
    without_distortion_phrases_keep_their_order();
    orders_are_those_within_the_limit();
    distortion_counts_the_words_of_all_jumps();
    narrow_stacks_end_with_an_output();
    gaps_are_found_and_refused();
}
