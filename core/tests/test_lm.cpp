// The language model: querying, states, ARPA in and out, files that are not what they should be.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "../src/lm_format.hpp"
#include "check.hpp"
#include "plainwright/kneser_ney.hpp"
#include "plainwright/language_model.hpp"
#include "plainwright/ngram_model.hpp"
#include "random.hpp"
#include "temporary.hpp"

using namespace plainwright;

namespace {

// By hand: "a c" leads nowhere, "c" has no back-off.
const std::string kArpa =
    "\\data\\\nngram 1=6\nngram 2=4\nngram 3=2\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.5\n-0.8\t</s>\n-0.6\ta\t-0.25\n"
    "-0.7\tb\t-0.125\n-0.9\tc\n\n\\2-grams:\n-0.3\t<s> a\t-0.0625\n-0.4\ta b\t0\n-0.5\ta c\t0\n-0.2\tb </s>\n\n"
    "\\3-grams:\n-0.1\t<s> a b\n-0.15\ta b </s>\n\n\\end\\\n";

bool near(double a, double b) { return std::fabs(a - b) < 1e-6; }

std::string packed(const std::string& arpa) {
    ArpaReader reader;
    reader.feed(arpa);
    std::string bytes;
    write_packed(reader.finish(), [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

void test_scores_and_states() {
    const TemporaryFile file(packed(kArpa));
    const auto model = LanguageModel::open(file.path());
    model->verify();
    CHECK(model->order() == 3);
    CHECK(model->word("nobody") == kUnknownWord && model->word("") == kUnknownWord);
    CHECK(model->text(model->word("b")) == "b");
    CHECK(model->begin_sentence() == model->word("<s>") && model->end_sentence() == model->word("</s>"));

    LmState state = model->begin_state();
    LmResult result = model->score(state, model->word("a"), state);
    CHECK(near(result.log10, -0.3) && result.ngram_length == 2 && state.length == 2);
    LmState other;
    result = model->score(state, model->word("c"), other);
    CHECK(near(result.log10, -0.0625 - 0.5) && other == model->empty_state());
    result = model->score(state, model->word("b"), state);
    CHECK(near(result.log10, -0.1) && result.ngram_length == 3 && state.length == 2);
    result = model->score(state, model->end_sentence(), other);
    CHECK(near(result.log10, -0.15) && other.length == 0);
    CHECK(near(model->score_line("a b").log10, -0.55));
    CHECK(model->score_line("a nobody").unknown == 1);
    CHECK(model->score(state, 0xffffffffU, other).ngram_length == 1);
}

void test_a_state_made_by_hand_scores_alike() {
    const TemporaryFile file(packed(kArpa));
    const auto model = LanguageModel::open(file.path());
    LmState state = model->begin_state(), next;
    model->score(state, model->word("a"), state);
    LmState made;
    made.words = state.words;
    made.length = state.length;
    CHECK(made == state && std::hash<LmState>{}(made) == std::hash<LmState>{}(state));
    for (WordId word = 0; word < model->words(); ++word) {
        CHECK(near(model->score(made, word, next).log10, model->score(state, word, next).log10));
    }
}

void test_bytes_do_not_depend_on_the_way_there() {
    const std::string bytes = packed(kArpa);
    const TemporaryFile file(bytes);
    std::string arpa;
    write_arpa(LanguageModel::open(file.path())->unpack(), [&](std::string_view piece) { arpa += piece; });
    CHECK(packed(arpa) == bytes);
}

void test_arpa_may_arrive_in_pieces() {
    ArpaReader reader;
    for (const char c : kArpa) reader.feed({&c, 1});
    std::string bytes;
    write_packed(reader.finish(), [&](std::string_view piece) { bytes += piece; });
    CHECK(bytes == packed(kArpa));
}

// "a b" and "a": worked out in tests/learn/test_lm.py.
void test_estimation() {
    KneserNeyEstimator estimator;
    estimator.add("a b");
    estimator.add(" a ");
    std::vector<OrderReport> report;
    std::string bytes;
    write_packed(estimator.estimate({2, {0}, {0.5, 1.0, 1.5}}, report),
                 [&](std::string_view piece) { bytes += piece; });
    CHECK(report.size() == 2 && report[0].fallback && report[1].counted == 4);
    const TemporaryFile file(bytes);
    const auto model = LanguageModel::open(file.path());
    CHECK(near(model->score_line("a b").log10, std::log10(0.625 * 0.375 * 0.6875)));
    CHECK(near(model->score_line("x", false, false).log10, std::log10(0.125)));
    bool refused = false;
    try {
        estimator.add("a <s> b");
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused && estimator.sentences() == 2 && estimator.tokens() == 3);
}

// Makes the damage look intended, so that what stands behind the header's checksum is tried as well.
void forge(std::string& bytes) {
    lm_format::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    header.magic = lm_format::kMagic;
    header.version = lm_format::kVersion;
    header.endian_mark = lm_format::kEndianMark;
    header.file_bytes = bytes.size();
    header.body_checksum = lm_format::checksum_of(bytes.data() + sizeof header, bytes.size() - sizeof header);
    header.header_checksum = lm_format::header_checksum(header);
    std::memcpy(bytes.data(), &header, sizeof header);
}

void test_damaged_files_never_crash() {
    const std::string bytes = packed(kArpa);
    std::uint64_t seed = 1;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = bytes;
        for (std::uint32_t i = 0; i <= next_number(seed) % 8; ++i) {
            damaged[next_number(seed) % damaged.size()] = static_cast<char>(next_number(seed));
        }
        if (round % 2 == 0) forge(damaged);
        if (round % 5 == 0) damaged.resize(next_number(seed) % damaged.size());
        const TemporaryFile file(damaged);
        try {
            const auto model = LanguageModel::open(file.path());
            if (round % 3 == 0) model->verify();
            model->score_line("a b c a nobody b");
            model->unpack();
        } catch (const std::runtime_error& error) {
            CHECK(std::string(error.what()).find(file.path()) == 0);
        }
    }
}

// A float that the packed model holds is replaced by `value`, and the checksums are repaired.
bool verifies_with(float known, float value) {
    std::string bytes = packed(kArpa);
    const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&known), sizeof known));
    CHECK(at != std::string::npos);
    std::memcpy(bytes.data() + at, &value, sizeof value);
    forge(bytes);
    const TemporaryFile file(bytes);
    try {
        LanguageModel::open(file.path())->verify();
        return true;
    } catch (const std::runtime_error& error) {
        CHECK(std::string(error.what()).find(file.path() + ": damaged: ") == 0);
        return false;
    }
}

void test_forged_content_is_refused_when_verified() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float known : {-0.0625F, 0.1F}) {  // a back-off and, of the highest order, a probability
        CHECK(verifies_with(known, -0.5F));
        CHECK(!verifies_with(known, std::nanf("")));
        CHECK(verifies_with(known, -kInfinity));
    }
    CHECK(!verifies_with(-0.0625F, kInfinity));
    // The keys of the words, which stand sorted behind their texts, in another order.
    std::string bytes = packed(kArpa);
    lm_format::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t texts = sizeof header + lm_format::padded(header.words * 4);
    const std::size_t table = texts + lm_format::padded(header.text_bytes);
    std::uint64_t key = 1;
    std::memcpy(bytes.data() + table + (header.word_slots - 2) * lm_format::kWordStride, &key, sizeof key);
    forge(bytes);
    const TemporaryFile unsorted(bytes);
    std::string said;
    try {
        LanguageModel::open(unsorted.path())->verify();
    } catch (const std::runtime_error& error) {
        said = error.what();
    }
    CHECK(said.find("its n-grams are not in order") != std::string::npos);
    // A text of a word with a line end in it would make two lines of an ARPA file.
    bytes = packed(kArpa);
    bytes[texts] = '\n';
    forge(bytes);
    const TemporaryFile split(bytes);
    bool refused = false;
    try {
        LanguageModel::open(split.path())->verify();
    } catch (const std::runtime_error&) {
        refused = true;
    }
    CHECK(refused);
}

void test_garbage_for_arpa_never_crashes() {
    std::uint64_t seed = 2;
    for (int round = 0; round < 20000; ++round) {
        std::string arpa = kArpa;
        for (std::uint32_t i = 0; i <= next_number(seed) % 4; ++i) {
            const std::size_t at = next_number(seed) % arpa.size();
            const std::string_view choices = "\n\t \\-9a=\xff";
            arpa.replace(at, next_number(seed) % 6, 1, choices[next_number(seed) % choices.size()]);
        }
        try {
            packed(arpa);
        } catch (const std::invalid_argument&) {
        }
    }
}

}  // namespace

int main() {
    test_scores_and_states();
    test_a_state_made_by_hand_scores_alike();
    test_bytes_do_not_depend_on_the_way_there();
    test_arpa_may_arrive_in_pieces();
    test_estimation();
    test_forged_content_is_refused_when_verified();
    test_damaged_files_never_crash();
    test_garbage_for_arpa_never_crashes();
}
