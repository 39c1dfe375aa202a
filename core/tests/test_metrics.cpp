// The core on its own: numbering of n-grams, SARI's and BLEU's statistics, threads.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "plainwright/bleu.hpp"
#include "plainwright/parallel.hpp"
#include "plainwright/sari.hpp"

using namespace plainwright;

namespace {

bool near(double a, double b) { return std::abs(a - b) < 5e-5; }

double sari(SariVariant variant, std::string_view source, std::string_view output,
            const std::vector<std::string_view>& references, std::size_t max_order = kSariOrder) {
    SegmentIndex index(sari_options(variant, Tokenizer::none, true, max_order));
    CandidateCounts counts;
    index.build(&source, references.data(), references.size());
    counts.count(index, output, true);
    double stats[4];
    sari_segment(variant, index, counts, stats);
    return (stats[0] + stats[1] + stats[2]) / 3;
}

// The worked example of Xu et al. (2016), with the values of the authors' released scorer.
void test_worked_example() {
    const std::string_view source = "About 95 species are currently accepted .";
    const std::vector<std::string_view> references = {"About 95 species are currently known .",
                                                      "About 95 species are now accepted .",
                                                      "95 species are now accepted ."};
    CHECK(near(sari(SariVariant::xu2016, source, "About 95 you now get in .", references), 0.268278));
    CHECK(near(sari(SariVariant::xu2016, source, "About 95 species are now agreed .", references), 0.589000));
    CHECK(near(sari(SariVariant::xu2016, source, "About 95 species are currently agreed .", references), 0.507161));
}

// Words alone: "a" of "a b" for the reference "a c" adds nothing, keeps all and deletes all that it should.
void test_order_of_sari() {
    for (const auto variant : {SariVariant::xu2016, SariVariant::equations}) {
        CHECK(near(sari(variant, "a b", "a", {"a c"}, 1), 2.0 / 3));
        CHECK(near(sari(variant, "a b", "a c", {"a c"}, 1), 1));
    }
    CHECK(sari_stats(SariVariant::easse, 2) == 18);
    CHECK(sari_stats(SariVariant::xu2016, 2) == 4);
}

void test_counts_of_references() {
    const std::vector<std::string_view> references = {"a a b", "a b b b", "c"};
    auto count_of = [&](ReferenceCount method, std::string_view token) {
        SegmentIndex index({Tokenizer::none, false, 2, method});
        index.build(nullptr, references.data(), references.size());
        const std::string padded = std::string(token) + "        ";  // tokens are read eight bytes at a time
        return index.counts(index.find_token(std::string_view(padded).substr(0, token.size()))).references;
    };
    CHECK(count_of(ReferenceCount::sum, "a") == 3 && count_of(ReferenceCount::sum, "b") == 4);
    CHECK(count_of(ReferenceCount::maximum, "a") == 2 && count_of(ReferenceCount::maximum, "b") == 3);
    CHECK(count_of(ReferenceCount::sentences, "a") == 2 && count_of(ReferenceCount::sentences, "c") == 1);
}

void test_numbers_are_grouped_by_order_source_first() {
    SegmentIndex index({Tokenizer::none, false, 2, ReferenceCount::sum});
    const std::string_view source = "a b a";
    const std::string_view reference = "b a c";
    index.build(&source, &reference, 1);
    CHECK(index.order(0).first == 0 && index.order(0).source_last == 2 && index.order(0).last == 3);
    CHECK(index.order(1).first == 3 && index.order(1).source_last == 5 && index.order(1).last == 6);
    CHECK(index.size() == 6);
}

void test_novel_ngrams_are_counted_once() {
    SegmentIndex index({Tokenizer::none, false, 2, ReferenceCount::sum});
    const std::string_view source = "a b";
    const std::string_view reference = "a c";
    index.build(&source, &reference, 1);
    CandidateCounts counts;
    counts.count(index, "x y x y a c", true);
    CHECK(counts.length() == 6);
    CHECK(counts.order(0).distinct_novel == 2);      // x, y
    CHECK(counts.order(0).distinct_reference == 1);  // c
    CHECK(counts.order(1).distinct_novel == 3);      // x y, y x, y a
    CHECK(counts.order(1).distinct_reference == 1);  // a c
    counts.count(index, "a b", true);                // nothing is left over from the first candidate
    CHECK(counts.order(0).distinct_novel == 0 && counts.order(0).distinct_reference == 0);
}

// Thousands of segments of all sizes through one scratch space: tables grow, are cleared and wrap their epochs.
void test_scratch_space_is_reused_safely() {
    SegmentIndex reused(sari_options(SariVariant::xu2016, Tokenizer::none, true));
    CandidateCounts counts;
    for (int i = 0; i < 9000; ++i) {
        std::string source, reference;
        const int words = i % 97 == 0 ? 700 : i % 13;
        for (int w = 0; w < words; ++w) {
            source.append("w").append(std::to_string((w * 7 + i) % 401)).append(" ");
            reference.append("w").append(std::to_string((w * 5 + i) % 401)).append(" ");
        }
        if (i % 50 != 0 && i < 8900) {  // most are only built, some compared with fresh space
            const std::string_view views[] = {source, reference};
            reused.build(&views[0], &views[1], 1);
            continue;
        }
        const std::string_view source_view = source, reference_view = reference;
        double stats[4];
        reused.build(&source_view, &reference_view, 1);
        counts.count(reused, reference, true);
        sari_segment(SariVariant::xu2016, reused, counts, stats);
        const double fresh = sari(SariVariant::xu2016, source, reference, {reference_view});
        CHECK((stats[0] + stats[1] + stats[2]) / 3 == fresh);
    }
}

void test_white_space_and_case() {
    const std::vector<std::string_view> plain = {"a b c"};
    const double value = sari(SariVariant::xu2016, "a b", "a c", plain);
    CHECK(sari(SariVariant::xu2016, "  A\tB ", "a \n C", {"A  b   c "}) == value);
    CHECK(sari(SariVariant::xu2016,
               "a\xc2\xa0"
               "b",
               "a c", plain) == value);  // a no-break space separates words, as in Python
    CHECK(sari(SariVariant::xu2016, "a\x01 b", "a\x01 b", {"a\x01 b"}) > 0);  // a control character does not
    CHECK(sari(SariVariant::xu2016, "", "", {""}) == 0);
}

void test_bleu() {
    SegmentIndex index({Tokenizer::none, false, 4, ReferenceCount::maximum});
    const std::vector<std::string_view> references = {"a b c d e f", "a b c"};
    index.build(nullptr, references.data(), references.size());
    CandidateCounts counts;
    counts.count(index, "a b c x", false);
    double stats[10];
    bleu_segment(index, counts, ReferenceLength::closest, stats);
    const std::vector<double> expected = {4, 3, 3, 2, 1, 0, 4, 3, 2, 1};
    CHECK(std::vector<double>(stats, stats + 10) == expected);
    bleu_segment(index, counts, ReferenceLength::mean, stats);
    CHECK(stats[1] == 4);  // (6 + 3) / 2, cut
    double values[6];
    bleu_from_stats(stats, {4, Smoothing::exponential, 0, false}, values);
    CHECK(near(values[0], 100 * std::pow(3.0 / 4 * 2.0 / 3 * 1.0 / 2 * 1.0 / 2, 0.25)));
    bleu_from_stats(stats, {4, Smoothing::none, 0, false}, values);
    CHECK(values[0] == 0);
}

void test_unknown_names_throw() {
    auto throws = [](auto&& call) {
        try {
            call();
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(throws([] { sari_variant_from_name("xu"); }));
    CHECK(throws([] { reference_length_from_name(""); }));
    CHECK(throws([] { smoothing_from_name("EXP"); }));
}

void test_threads_cover_everything_once_and_pass_errors_on() {
    std::vector<int> seen(10007, 0);
    parallel_chunks(seen.size(), 4, 64, [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) ++seen[i];
    });
    for (const int times : seen) CHECK(times == 1);
    bool caught = false;
    try {
        parallel_chunks(1000, 3, 10, [](std::size_t, std::size_t first, std::size_t) {
            if (first >= 500) throw std::runtime_error("no");
        });
    } catch (const std::runtime_error&) {
        caught = true;
    }
    CHECK(caught);
}

}  // namespace

int main() {
    test_worked_example();
    test_order_of_sari();
    test_counts_of_references();
    test_numbers_are_grouped_by_order_source_first();
    test_novel_ngrams_are_counted_once();
    test_scratch_space_is_reused_safely();
    test_white_space_and_case();
    test_bleu();
    test_unknown_names_throw();
    test_threads_cover_everything_once_and_pass_errors_on();
}
