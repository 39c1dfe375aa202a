#include <stdexcept>

#include "check.hpp"
#include "plainwright/readability.hpp"
#include "plainwright/syllables.hpp"

namespace {

// In the format of cmudict.dict, written for this test.
constexpr std::string_view kDictionary =
    "cat K AE1 T\ncat(2) K AE1 T AH0\nfire F AY1 ER0 # a comment 1\nlead L EH1 D\n";

void the_first_pronunciation_counts() {
    const plainwright::SyllableDictionary dictionary(kDictionary);
    CHECK(dictionary.size() == 3);
    CHECK(dictionary.find("cat") == 1);
    CHECK(dictionary.find("fire") == 2);
    CHECK(!dictionary.find("dog"));
    CHECK(!dictionary.find(""));
}

void a_foreign_file_is_refused() {
    bool refused = false;
    try {
        plainwright::SyllableDictionary("cat K AE1 T\nnonsense\n");
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

void rule_and_numbers_work_without_a_dictionary() {
    CHECK(plainwright::syllable_dictionary() == nullptr);
    CHECK(plainwright::spoken_syllables("table") == 2);
    CHECK(plainwright::spoken_syllables("nation's") == 2);
    // one million two hundred thirty-four thousand five hundred sixty-seven point eight nine
    CHECK(plainwright::spoken_syllables("1,234,567.89") == 21);
    CHECK(plainwright::spoken_syllables("1905") == 4);  // nineteen oh five
    CHECK(plainwright::spoken_syllables("\xff") == 0);
}

void the_released_counter_splits_like_java() {
    CHECK(plainwright::vowel_group_syllables("--") == 0);
    CHECK(plainwright::vowel_group_syllables("-a") == 2);
    CHECK(plainwright::vowel_group_syllables("TABLE") == 1);
}

void counts_have_their_places() {
    const auto counts = plainwright::readability_counts("the cat , sat .", plainwright::ReadabilityMode::tokenized);
    CHECK((counts == plainwright::ReadabilityCounts{1, 5, 5, 11, 9, 0}));
}

}  // namespace

int main() {
    the_first_pronunciation_counts();
    a_foreign_file_is_refused();
    rule_and_numbers_work_without_a_dictionary();
    the_released_counter_splits_like_java();
    counts_have_their_places();
}
