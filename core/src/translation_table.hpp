// Probabilities p(t|s) of all word pairs that co-occur in a sentence pair: their prior and their M-step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "likeness.hpp"
#include "plainwright/aligner.hpp"
#include "plainwright/parallel.hpp"
#include "postings.hpp"

namespace plainwright {

// The logarithmic derivative of the gamma function, by its recurrence and asymptotic series; error below 1e-9.
inline double digamma(double x) {
    double result = 0;
    for (; x < 7; ++x) result -= 1 / x;
    x -= 0.5;
    const double square = 1 / (x * x);
    return result + std::log(x) + square * (1.0 / 24 - square * (7.0 / 960 - square * (31.0 / 8064)));
}

class TranslationTable {
 public:
    TranslationTable(const Postings& postings, const TextSide& target, const AlignerOptions& options,
                     const Likeness* likeness, std::size_t threads)
        : options_(options), threads_(threads) {
        build_rows(postings, target);
        if (likeness != nullptr) find_alike(*likeness);
        fill_initial(target.vocabulary.size());
    }

    std::size_t entries() const { return columns_.size() + null_values_.size(); }
    // Target words of one source word, ascending, and their probabilities.
    std::span<const TokenId> columns(std::size_t row) const { return {columns_.data() + starts_[row], row_size(row)}; }
    std::span<const float> values(std::size_t row) const { return {values_.data() + starts_[row], row_size(row)}; }
    float null_value(TokenId target) const { return null_values_[target]; }

    template <typename Body>
    void for_each_row(Body&& body) const {
        parallel_chunks(starts_.size() - 1, threads_, kRowsAtOnce,
                        [&](std::size_t worker, std::size_t first, std::size_t last) {
                            for (std::size_t row = first; row < last; ++row) body(worker, row);
                        });
    }

    // New probabilities of one row from its expected counts by target word.
    void maximise_row(std::size_t row, std::vector<double>& counts) {
        const TokenId* columns = columns_.data() + starts_[row];
        for (const LikePair& pair : alike(row)) counts[columns[pair.entry]] += options_.likeness * pair.share;
        float* values = values_.data() + starts_[row];
        normalise(row_size(row), [&](std::size_t entry) { return counts[columns[entry]]; }, values);
    }

    void maximise_null(const std::vector<std::vector<double>>& by_block) {
        std::vector<double> counts(null_values_.size(), 0.0);
        for (const auto& block : by_block) {
            for (std::size_t word = 0; word < counts.size(); ++word) counts[word] += block[word];
        }
        normalise(counts.size(), [&](std::size_t word) { return counts[word]; }, null_values_.data());
    }

 private:
    static constexpr std::size_t kRowsAtOnce = 16;  // rows that one thread takes at once
    static constexpr std::size_t kUnseen = 1000;    // words of a small vocabulary

    std::size_t row_size(std::size_t row) const { return starts_[row + 1] - starts_[row]; }

    // Twice through the text: the sizes of all rows first, so that no row ever grows.
    void build_rows(const Postings& postings, const TextSide& target) {
        const std::size_t rows = postings.words();
        starts_.assign(rows + 1, 0);
        std::vector<std::vector<std::uint32_t>> seen(threads_);
        const auto collect = [&](std::size_t worker, std::size_t row, std::uint32_t stamp, auto&& take) {
            std::vector<std::uint32_t>& stamps = seen[worker];
            if (stamps.empty()) stamps.assign(target.vocabulary.size(), 0);
            postings.for_each_sentence(row, [&](std::uint32_t sentence) {
                for (const TokenId token : target.sentence(sentence)) {
                    if (stamps[token] == stamp) continue;
                    stamps[token] = stamp;
                    take(token);
                }
            });
        };
        const auto offset = static_cast<std::uint32_t>(rows);
        for_each_row([&](std::size_t worker, std::size_t row) {
            std::uint64_t size = 0;
            collect(worker, row, static_cast<std::uint32_t>(row) + 1, [&](TokenId) { ++size; });
            starts_[row + 1] = size;
        });
        for (std::size_t row = 0; row < rows; ++row) starts_[row + 1] += starts_[row];
        columns_.resize(starts_[rows]);
        values_.resize(starts_[rows]);
        for_each_row([&](std::size_t worker, std::size_t row) {
            std::uint64_t at = starts_[row];
            collect(worker, row, offset + static_cast<std::uint32_t>(row) + 1,
                    [&](TokenId token) { columns_[at++] = token; });
            std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(starts_[row]),
                      columns_.begin() + static_cast<std::ptrdiff_t>(at));
        });
    }

    void find_alike(const Likeness& likeness) {
        alike_.resize(starts_.size() - 1);
        for_each_row(
            [&](std::size_t, std::size_t row) { alike_[row] = likeness.row(static_cast<TokenId>(row), columns(row)); });
    }

    // The prior's mean, with one count spread evenly over the row. Where words may be alike, a short row stands for one
    // of kUnseen words: otherwise small texts would make unlike words as likely as like ones.
    void fill_initial(std::size_t target_words) {
        for_each_row([&](std::size_t, std::size_t row) {
            const std::size_t size = row_size(row);
            float* values = values_.data() + starts_[row];
            const double even = 1 / static_cast<double>(alike_.empty() ? size : std::max(size, kUnseen));
            double total = 1;
            for (const LikePair& pair : alike(row)) total += options_.likeness * pair.share;
            std::fill(values, values + size, static_cast<float>(even / total));
            for (const LikePair& pair : alike(row)) {
                values[pair.entry] += static_cast<float>(options_.likeness * pair.share / total);
            }
        });
        const std::size_t least = alike_.empty() ? 1 : kUnseen;
        null_values_.assign(target_words, 1.0F / static_cast<float>(std::max(target_words, least)));
    }

    std::span<const LikePair> alike(std::size_t row) const {
        return alike_.empty() ? std::span<const LikePair>() : std::span<const LikePair>(alike_[row]);
    }

    template <typename Count>
    void normalise(std::size_t size, Count&& count, float* values) const {
        double total = 0;
        for (std::size_t entry = 0; entry < size; ++entry) total += count(entry);
        if (options_.alpha <= 0) {
            if (total <= 0) return;  // the null word of a model without one
            for (std::size_t entry = 0; entry < size; ++entry) values[entry] = static_cast<float>(count(entry) / total);
            return;
        }
        const double all = digamma(total + options_.alpha * static_cast<double>(size));
        for (std::size_t entry = 0; entry < size; ++entry) {
            values[entry] = static_cast<float>(std::exp(digamma(count(entry) + options_.alpha) - all));
        }
    }

    const AlignerOptions& options_;
    std::size_t threads_;
    std::vector<std::uint64_t> starts_;  // of rows
    std::vector<TokenId> columns_;
    std::vector<float> values_;
    std::vector<float> null_values_;            // by target word
    std::vector<std::vector<LikePair>> alike_;  // by row; empty where the prior is even
};

}  // namespace plainwright
