// Decoding with grammars small enough to do by hand; tests/decode compares with an oracle on random ones.
#include <cmath>

#include "check.hpp"
#include "plainwright/decoder.hpp"

using namespace plainwright;

namespace {

using Weights = std::vector<std::pair<std::string, double>>;

std::vector<GrammarBlock> grammar(std::string_view lines) { return {{std::make_shared<MemoryGrammar>(lines), ""}}; }

Sentence sentence(std::vector<std::string_view> tokens) { return {std::move(tokens), {}}; }

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
    return decoder.decode({sentence(std::move(tokens))}, 1).front();
}

DecoderSettings settings(std::size_t candidates, std::size_t pop_limit = 100) {
    DecoderSettings settings;
    settings.candidates = candidates;
    settings.pop_limit = pop_limit;
    return settings;
}

constexpr std::string_view kRules =
    "[X] ||| a ||| b ||| p=1 ||| \n"
    "[X] ||| a ||| c ||| p=2 ||| \n"
    "[X] ||| d |||  ||| p=3 ||| \n"
    "[NP] ||| [X,1] of [X,2] ||| [X,2] [X,1] ||| p=0.5 ||| \n";

void replaces_deletes_and_reorders() {
    const Decoder decoder(grammar(kRules), nullptr, Weights{{"p", 1}, {"tm_glue_0", -0.1}}, settings(10, 0));
    const DecodeResult best = decode(decoder, {"a", "of", "z"});
    CHECK(text(best, 0) == "z c");
    CHECK(std::abs(best.candidates[0].score - 2.5) < 1e-9);
    CHECK(text(best, 1) == "c of z");
    CHECK(std::abs(best.candidates[1].score - 1.8) < 1e-9);
    CHECK(best.candidates.size() == 6);
    CHECK(text(decode(decoder, {"d"}), 0).empty());
    CHECK(text(decode(decoder, {"d"}), 1) == "d");
}

void steps_tell_what_was_done() {
    const Decoder decoder(grammar(kRules), nullptr, Weights{{"p", 1}}, settings(1));
    const DecodeResult best = decode(decoder, {"a", "of", "z"});
    CHECK(best.steps.size() == 3);
    const Step &order = best.steps[0], &unknown = best.steps[1], &replaced = best.steps[2];
    CHECK(order.grammar == 0 && order.source_begin == 0 && order.source_end == 3 && order.target_end == 2);
    CHECK(best.labels[order.label] == "NP");
    CHECK(unknown.grammar == -1 && unknown.rule == kUnknownWordRule && unknown.depth == 1);
    CHECK(unknown.source_begin == 2 && unknown.target_begin == 0 && unknown.target_end == 1);
    CHECK(replaced.grammar == 0 && replaced.source_begin == 0 && replaced.target_begin == 1);
}

void empty_and_long_sentences_return() {
    DecoderSettings short_only = settings(3);
    short_only.max_tokens = 2;
    const Decoder decoder(grammar(kRules), nullptr, {}, short_only);
    CHECK(decode(decoder, {}).candidates.size() == 1);
    CHECK(text(decode(decoder, {}), 0).empty());
    CHECK(decode(decoder, {"a", "a", "a"}).too_long);
    CHECK(!decode(decoder, {"a", "a"}).too_long);
}

void cyclic_renaming_ends() {
    const Decoder decoder(grammar("[A] ||| [X,1] ||| [X,1] ||| p=1 ||| \n[X] ||| [A,1] ||| so [A,1] ||| p=1 ||| \n"),
                          nullptr, Weights{{"p", 1}}, settings(50, 0));
    const DecodeResult result = decode(decoder, {"z"});
    CHECK(result.candidates.size() == 2);
    CHECK(text(result, 0) == "so z" && std::abs(result.candidates[0].score - 3) < 1e-9);
}

void longer_phrases_come_first() {
    const std::string_view rules =
        "[X] ||| plant ||| herb ||| p=9 ||| \n"
        "[X] ||| power plant ||| factory ||| p=1 ||| \n"
        "[X] ||| a power plant ||| a power plant ||| p=0 ||| \n";
    DecoderSettings longest = settings(10, 0);
    longest.parser.longest_match = true;
    const Decoder decoder(grammar(rules), nullptr, Weights{{"p", 1}}, longest);
    CHECK(text(decode(decoder, {"the", "power", "plant"}), 0) == "the factory");
    const DecodeResult locked = decode(decoder, {"a", "power", "plant"});
    CHECK(locked.candidates.size() == 1 && text(locked, 0) == "a power plant");
    CHECK(text(decode(decoder, {"plant"}), 0) == "herb");
}

void labels_may_have_to_agree() {
    DecoderSettings strict = settings(10, 0);
    strict.parser.strict_labels = true;
    const Decoder decoder(grammar("[NN] ||| can ||| tin ||| p=1 ||| \n"), nullptr, Weights{{"p", 1}}, strict);
    const auto best = [&](std::vector<LabelledSpan> analysis) {
        return text(decoder.decode({Sentence{{"can"}, std::move(analysis)}}, 1).front(), 0);
    };
    CHECK(best({{0, 1, "NN"}}) == "tin");
    CHECK(best({{0, 1, "MD"}}) == "can");
    CHECK(best({}) == "tin");
}

void kept_words_fill_gaps_of_their_label() {
    const Decoder decoder(grammar("[NP] ||| [NP,1] 's law ||| the law of [NP,1] ||| p=1 ||| \n"), nullptr,
                          Weights{{"p", 1}}, settings(10, 0));
    const auto best = [&](std::vector<LabelledSpan> analysis) {
        return decoder.decode({Sentence{{"old", "rome", "'s", "law"}, std::move(analysis)}}, 1).front();
    };
    CHECK(text(best({}), 0) == "old rome 's law");
    CHECK(text(best({{1, 2, "NP"}}), 0) == "old the law of rome");
    const DecodeResult whole = best({{0, 2, "NP"}});
    CHECK(text(whole, 0) == "the law of old rome");
    CHECK(whole.candidates.size() == 2 && whole.steps.size() == 3 + 4);
}

void unknown_weights_are_refused() {
    bool refused = false;
    try {
        const Decoder decoder(grammar(kRules), nullptr, Weights{{"q", 1}}, {});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

// Weights and values may be as large as numbers get: sums of them are infinite, or no numbers at all, and must still be
// ranked in one order.
void scores_that_are_no_numbers_are_ranked() {
    std::string lines;
    for (int i = 0; i < 100; ++i) {
        const std::string number = std::to_string(i);
        lines += "[X] ||| a ||| w" + number + " ||| p=" + (i % 3 == 0 ? "3e38" : number) +
                 " q=" + (i % 5 == 0 ? "-3e38" : number) + " ||| \n[X] ||| a [X,1] ||| v" + number +
                 " [X,1] ||| p=" + number + " q=3e38 ||| \n";
    }
    const Weights weights{{"p", 1.7e308}, {"q", 1.7e308}};
    for (const std::size_t pop_limit : {0, 1, 50}) {
        const Decoder decoder(grammar(lines), nullptr, weights, settings(200, pop_limit));
        const DecodeResult result = decode(decoder, {"a", "a", "a"});
        CHECK(!result.candidates.empty());
        for (std::size_t i = 1; i < result.candidates.size(); ++i) {
            CHECK(result.candidates[i - 1].score >= result.candidates[i].score);
        }
    }
}

}  // namespace

int main() {
    replaces_deletes_and_reorders();
    steps_tell_what_was_done();
    empty_and_long_sentences_return();
    cyclic_renaming_ends();
    longer_phrases_come_first();
    labels_may_have_to_agree();
    kept_words_fill_gaps_of_their_label();
    unknown_weights_are_refused();
    scores_that_are_no_numbers_are_ranked();
}
