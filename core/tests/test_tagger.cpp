// The tagger: it learns what it is shown, the same every time, and no bytes do harm.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../src/tagger_format.hpp"
#include "check.hpp"
#include "plainwright/tagger.hpp"
#include "random.hpp"

using namespace plainwright;

namespace {

using Words = std::vector<std::string_view>;

const std::vector<std::pair<Words, Words>> kSentences = {
    {{"The", "dog", "can", "bark", "."}, {"DT", "NN", "MD", "VB", "."}},
    {{"The", "can", "fell", "."}, {"DT", "NN", "VBD", "."}},
    {{"A", "bark", "woke", "Ann", "."}, {"DT", "NN", "VBD", "NNP", "."}},
    {{"Ann", "can", "(", "slowly", ")", "bark", "."}, {"NNP", "MD", "-LRB-", "RB", "-RRB-", "VB", "."}},
};

void nothing(std::size_t, std::size_t) {}

std::string learn(const TaggerOptions& options) {
    TaggerTrainer trainer;
    for (const auto& [words, tags] : kSentences) trainer.add(words, tags);
    return trainer.train(options, nothing);
}

const TaggerOptions kSmall{.passes = 10, .min_count = 1, .max_bytes = 20'000, .lower_share = 0.5, .seed = 3};

Words tags_of(const Tagger& tagger, const Words& words) {
    std::vector<TagId> found(words.size());
    tagger.tag(words, found);
    Words names;
    for (const TagId tag : found) names.push_back(tagger.tags()[tag]);
    return names;
}

void test_it_learns_what_it_is_shown() {
    const Tagger tagger(learn(kSmall));
    for (const auto& [words, tags] : kSentences) CHECK(tags_of(tagger, words) == tags);
    CHECK(tagger.tags().size() == 10);
}

void test_brackets_may_be_escaped_and_case_may_be_missing() {
    const Tagger tagger(learn(kSmall));
    const Words tags = kSentences[3].second;
    CHECK(tags_of(tagger, {"Ann", "can", "-LRB-", "slowly", "-RRB-", "bark", "."}) == tags);
    CHECK(tags_of(tagger, {"ann", "can", "-lrb-", "slowly", "-rrb-", "bark", "."}) == tags);
    CHECK(tags_of(tagger, {"ANN", "CAN", "-LRB-", "SLOWLY", "-RRB-", "BARK", "."}) == tags);
}

void test_the_same_text_gives_the_same_bytes_within_the_size() {
    const std::string bytes = learn(kSmall);
    CHECK(bytes == learn(kSmall) && bytes.size() <= kSmall.max_bytes);
    TaggerOptions tight = kSmall;
    tight.max_bytes = 2'000;
    const std::string cut = learn(tight);
    CHECK(cut.size() <= 2'000 && cut.size() < bytes.size());
}

void test_odd_words_are_words() {
    const Tagger tagger(learn(kSmall));
    CHECK(tags_of(tagger, {}).empty());
    const std::string long_word(100'000, 'x');
    CHECK(tags_of(tagger, {"", "\xff\xfe", "\xc3\x89t\xc3\xa9", "-", "-LQB-", long_word}).size() == 6);
}

void test_wrong_text_is_refused() {
    TaggerTrainer trainer;
    const auto refused = [&](const Words& words, const Words& tags) {
        try {
            trainer.add(words, tags);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(refused({"a"}, {}) && refused({"a"}, {""}) && refused({"a"}, {"N N"}));
    std::vector<std::string> many;
    for (std::size_t i = 0; i <= kMaxTags; ++i) many.push_back("T" + std::to_string(i));
    CHECK(refused(Words(many.size(), "a"), Words(many.begin(), many.end())));
    CHECK(trainer.tokens() == 0);
}

// Makes the damage look intended, so that what stands behind the checksum is tried as well.
void forge(std::string& bytes) {
    tagger_format::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    header.magic = tagger_format::kMagic;
    header.version = tagger_format::kVersion;
    header.endian_mark = tagger_format::kEndianMark;
    header.file_bytes = bytes.size();
    std::memcpy(bytes.data(), &header, sizeof header);
    header.checksum = tagger_format::checksum_of(bytes.data(), bytes.size());
    std::memcpy(bytes.data(), &header, sizeof header);
}

std::string refusal(const std::string& bytes) {
    try {
        const Tagger tagger(bytes);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

void test_names_that_are_no_text_are_refused() {
    std::string bytes = learn(kSmall);
    bytes[sizeof(tagger_format::Header)] = '\xff';
    forge(bytes);
    CHECK(refusal(bytes) == "damaged: the name of a tag is not UTF-8 text");
}

// A tagger of one tag whose dictionary, and nothing else, has these keys.
std::string with_dictionary(const std::vector<std::uint32_t>& keys) {
    const auto padded = [](std::string text) { return text + std::string((8 - text.size() % 8) % 8, '\0'); };
    tagger_format::Header header{};
    header.name_bytes = 2;
    header.words = static_cast<std::uint32_t>(keys.size());
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes += padded("NN");
    bytes += padded(std::string(reinterpret_cast<const char*>(keys.data()), keys.size() * 4));
    bytes += padded(std::string(keys.size(), '\0'));
    forge(bytes);
    return bytes;
}

// Neighbours would all want one place: a million of them would take a million steps each.
void test_keys_that_crowd_are_refused() {
    std::vector<std::uint32_t> spread, crowded;
    for (std::uint32_t i = 0; i < 1'000'000; ++i) {
        spread.push_back(i * 4000);
        crowded.push_back(i);
    }
    CHECK(refusal(with_dictionary(spread)).empty());
    CHECK(refusal(with_dictionary(crowded)) == "damaged: its keys are no hashes");
}

void test_damaged_files_never_crash() {
    const std::string bytes = learn(kSmall);
    std::uint64_t seed = 1;
    std::size_t read = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string damaged = bytes;
        for (std::uint32_t i = 0; i <= next_number(seed) % 4; ++i) {
            // Half of the damage hits the counts, which everything else hangs on.
            const std::size_t range = next_number(seed) % 2 == 0 ? sizeof(tagger_format::Header) : damaged.size();
            damaged[next_number(seed) % range] = static_cast<char>(next_number(seed));
        }
        if (round % 5 == 0) damaged.resize(next_number(seed) % damaged.size());
        const bool forged = round % 2 == 0 && damaged.size() >= sizeof(tagger_format::Header);
        if (forged) forge(damaged);
        try {
            const Tagger tagger(damaged);
            CHECK(tags_of(tagger, kSentences[0].first).size() == 5);
            CHECK(forged || damaged == bytes);
            ++read;
        } catch (const std::invalid_argument&) {
        }
    }
    CHECK(read > 100);  // damage to weights is no damage to the form
}

}  // namespace

int main() {
    test_it_learns_what_it_is_shown();
    test_brackets_may_be_escaped_and_case_may_be_missing();
    test_the_same_text_gives_the_same_bytes_within_the_size();
    test_odd_words_are_words();
    test_wrong_text_is_refused();
    test_names_that_are_no_text_are_refused();
    test_keys_that_crowd_are_refused();
    test_damaged_files_never_crash();
}
