#include "plainwright/aligner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "diagonal.hpp"
#include "likeness.hpp"
#include "plainwright/parallel.hpp"
#include "postings.hpp"
#include "translation_table.hpp"

namespace plainwright {

namespace {

constexpr double kSmallestPrior = 1e-300;  // keeps logarithms finite where the model excludes a word

class Direction {
 public:
    Direction(const TextSide& source, const TextSide& target, const AlignerOptions& options, const Likeness* likeness)
        : source_(source),
          target_(target),
          options_(options),
          postings_(source),
          blocks_((source.sentences() + kBlock - 1) / kBlock),
          threads_(std::clamp<std::size_t>(options.threads, 1, 256)),
          table_(postings_, target, options, likeness, threads_),
          tension_(options.tension) {
        std::size_t longest = 1;
        for (std::size_t i = 0; i < source.sentences(); ++i) {
            longest = std::max({longest, source.length(i), target.length(i)});
        }
        diagonal_ = Diagonal(tension_, longest);
    }

    double tension() const { return tension_; }
    std::size_t entries() const { return table_.entries(); }

    // One step of expectation and maximisation; returns the log-likelihood before it.
    double iterate() {
        scales_.resize(target_.tokens.size());
        std::vector<std::vector<double>> null_counts(blocks_);
        std::vector<double> log_likelihoods(blocks_);
        std::vector<double> masses(options_.fit_tension ? target_.tokens.size() : 0);
        for_each_block([&](std::size_t block, std::vector<float>& dense) {
            const std::vector<double> sums = explained(block, dense);
            null_counts[block].assign(target_.vocabulary.size(), 0.0);
            log_likelihoods[block] = finish_block(block, sums, null_counts[block], masses);
        });
        const double distance = maximise_rows();
        table_.maximise_null(null_counts);
        if (options_.fit_tension) fit_tension(masses, distance);
        double total = 0;
        for (const double value : log_likelihoods) total += value;
        return total;
    }

    Links best() {
        Links links(target_.tokens.size(), kNull);
        for_each_block([&](std::size_t block, std::vector<float>& dense) { best_in_block(block, dense, links); });
        return links;
    }

 private:
    static constexpr std::size_t kBlock = Postings::kBlock;

    std::size_t first_sentence(std::size_t block) const { return block * kBlock; }
    std::size_t last_sentence(std::size_t block) const { return std::min(source_.sentences(), (block + 1) * kBlock); }

    template <typename Body>
    void for_each_block(Body&& body) {
        std::vector<std::vector<float>> scratch(threads_);
        parallel_chunks(blocks_, threads_, 1, [&](std::size_t worker, std::size_t first, std::size_t last) {
            scratch[worker].resize(target_.vocabulary.size());
            for (std::size_t block = first; block < last; ++block) body(block, scratch[worker]);
        });
    }

    // Calls `take(i, m, n, first target token, p)` for each occurrence of each source word in the block, where p(token)
    // looks the table up.
    template <typename Take>
    void for_each_occurrence(std::size_t block, std::vector<float>& dense, Take&& take) const {
        for (std::size_t row = 0; row < postings_.words(); ++row) {
            const std::uint64_t begin = postings_.block_begin(block, row), end = postings_.block_end(block, row);
            if (begin == end) continue;
            const TokenId* columns = table_.columns(row).data();
            const float* values = table_.values(row).data();
            const std::size_t size = table_.columns(row).size();
            // A long row for few occurrences is searched, not spread out.
            const bool search = size > 256 * (end - begin);
            if (!search) {
                for (std::size_t entry = 0; entry < size; ++entry) dense[columns[entry]] = values[entry];
            }
            for (std::uint64_t at = begin; at < end; ++at) {
                const std::size_t sentence = postings_.sentences[at];
                if (search) {
                    for (const TokenId token : target_.sentence(sentence)) {
                        dense[token] = values[std::lower_bound(columns, columns + size, token) - columns];
                    }
                }
                take(sentence, std::size_t{postings_.positions[at]} + 1);
            }
        }
    }

    // For each target token of the block: sum over source words of p(t|s) exp(-tension distance).
    std::vector<double> explained(std::size_t block, std::vector<float>& dense) const {
        const std::uint64_t first = target_.starts[first_sentence(block)];
        std::vector<double> sums(target_.starts[last_sentence(block)] - first, 0.0);
        for_each_occurrence(block, dense, [&](std::size_t sentence, std::size_t i) {
            const auto tokens = target_.sentence(sentence);
            const Diagonal::Slope slope = diagonal_.slope(i, source_.length(sentence), tokens.size());
            double* sum = sums.data() + (target_.starts[sentence] - first);
            for (std::size_t j = 0; j < tokens.size(); ++j) sum[j] += dense[tokens[j]] * slope(j + 1);
        });
        return sums;
    }

    // Turns sums into what posteriors are multiplied with, and counts the words explained by nothing.
    double finish_block(std::size_t block, const std::vector<double>& sums, std::vector<double>& null_counts,
                        std::vector<double>& masses) {
        const std::uint64_t first = target_.starts[first_sentence(block)];
        double log_likelihood = 0;
        for (std::size_t sentence = first_sentence(block); sentence < last_sentence(block); ++sentence) {
            const std::size_t m = source_.length(sentence), n = target_.length(sentence);
            for (std::size_t j = 0; j < n; ++j) {
                const std::uint64_t token = target_.starts[sentence] + j;
                const double scale = (1 - options_.null_probability) / diagonal_.total(j + 1, m, n);
                const double nothing = options_.null_probability * table_.null_value(target_.tokens[token]);
                const double words = scale * sums[token - first];
                const double all = std::max(words + nothing, kSmallestPrior);
                log_likelihood += std::log(all);
                scales_[token] = static_cast<float>(scale / all);
                null_counts[target_.tokens[token]] += nothing / all;
                if (!masses.empty()) masses[token] = words / all;
            }
        }
        return log_likelihood;
    }

    // New rows from expected counts, in place: a row needs no other. Returns the expected sum of distances.
    double maximise_rows() {
        struct Scratch {
            std::vector<float> dense;
            std::vector<double> counts;
        };
        std::vector<Scratch> scratch(threads_);
        std::vector<double> distances(postings_.words());
        table_.for_each_row([&](std::size_t worker, std::size_t row) {
            Scratch& own = scratch[worker];
            own.dense.resize(target_.vocabulary.size());
            own.counts.resize(target_.vocabulary.size());
            const auto columns = table_.columns(row);
            const auto values = table_.values(row);
            for (std::size_t entry = 0; entry < columns.size(); ++entry) {
                own.dense[columns[entry]] = values[entry];
                own.counts[columns[entry]] = 0;
            }
            distances[row] = count_row(row, own.dense, own.counts);
            table_.maximise_row(row, own.counts);
        });
        double total = 0;
        for (const double distance : distances) total += distance;
        return total;
    }

    double count_row(std::size_t row, const std::vector<float>& dense, std::vector<double>& counts) const {
        double distance = 0;
        for (std::uint64_t at = postings_.starts[row]; at < postings_.starts[row + 1]; ++at) {
            const std::size_t sentence = postings_.sentences[at];
            const std::size_t i = std::size_t{postings_.positions[at]} + 1;
            const auto tokens = target_.sentence(sentence);
            const std::size_t m = source_.length(sentence), n = tokens.size();
            const Diagonal::Slope slope = diagonal_.slope(i, m, n);
            const float* scale = scales_.data() + target_.starts[sentence];
            const double here = static_cast<double>(i) / static_cast<double>(m), step = 1 / static_cast<double>(n);
            for (std::size_t j = 0; j < n; ++j) {
                const double count = dense[tokens[j]] * slope(j + 1) * scale[j];
                counts[tokens[j]] += count;
                distance += count * std::fabs(step * static_cast<double>(j + 1) - here);
            }
        }
        return distance;
    }

    // The likelihood is concave in the tension, and flat where the expected distance under the model equals the one
    // under the posteriors: bisection finds the place.
    void fit_tension(const std::vector<double>& masses, double wanted) {
        std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> by_lengths;
        for (std::size_t sentence = 0; sentence < source_.sentences(); ++sentence) {
            const std::size_t m = source_.length(sentence), n = target_.length(sentence);
            if (n == 0) continue;
            std::vector<double>& sums = by_lengths[{m, n}];
            sums.resize(n, 0.0);
            for (std::size_t j = 0; j < n; ++j) sums[j] += masses[target_.starts[sentence] + j];
        }
        double low = 0.1, high = 14;  // the range of fast_align
        while (high - low > 1e-3) {
            const double middle = (low + high) / 2;
            diagonal_ = Diagonal(middle, diagonal_.longest());
            double expected = 0;
            for (const auto& [lengths, sums] : by_lengths) {
                for (std::size_t j = 0; j < sums.size(); ++j) {
                    expected += sums[j] * diagonal_.expected_distance(j + 1, lengths.first, lengths.second);
                }
            }
            (expected > wanted ? low : high) = middle;
        }
        tension_ = (low + high) / 2;
        diagonal_ = Diagonal(tension_, diagonal_.longest());
    }

    // Among equally good source words the first wins, and any wins over nothing.
    void best_in_block(std::size_t block, std::vector<float>& dense, Links& links) const {
        const std::uint64_t first = target_.starts[first_sentence(block)];
        const std::uint64_t last = target_.starts[last_sentence(block)];
        std::vector<double> best(last - first, -1.0);
        for_each_occurrence(block, dense, [&](std::size_t sentence, std::size_t i) {
            const auto tokens = target_.sentence(sentence);
            const std::size_t m = source_.length(sentence), n = tokens.size();
            const Diagonal::Slope slope = diagonal_.slope(i, m, n);
            for (std::size_t j = 0; j < n; ++j) {
                const std::uint64_t token = target_.starts[sentence] + j;
                const double score = dense[tokens[j]] * slope(j + 1);
                const auto position = static_cast<std::uint16_t>(i - 1);
                if (score > best[token - first] || (score == best[token - first] && position < links[token])) {
                    best[token - first] = score;
                    links[token] = position;
                }
            }
        });
        for (std::size_t sentence = first_sentence(block); sentence < last_sentence(block); ++sentence) {
            const std::size_t m = source_.length(sentence), n = target_.length(sentence);
            for (std::size_t j = 0; j < n; ++j) {
                const std::uint64_t token = target_.starts[sentence] + j;
                const double scale = (1 - options_.null_probability) / diagonal_.total(j + 1, m, n);
                const double nothing = options_.null_probability * table_.null_value(target_.tokens[token]);
                if (nothing > scale * best[token - first]) links[token] = kNull;
            }
        }
    }

    const TextSide& source_;
    const TextSide& target_;
    const AlignerOptions& options_;
    Postings postings_;
    std::size_t blocks_;
    std::size_t threads_;
    TranslationTable table_;
    double tension_;
    Diagonal diagonal_;
    std::vector<float> scales_;  // by target token: posterior over p(t|s) exp(-tension distance)
};

void check(const AlignerOptions& options) {
    if (options.iterations < 1) throw std::invalid_argument("iterations must be at least 1");
    if (!(options.null_probability >= 0 && options.null_probability < 1)) {
        throw std::invalid_argument("null probability must be at least 0 and below 1");
    }
    if (!(options.tension >= 0.1 && options.tension <= 14)) {
        throw std::invalid_argument("tension must be from 0.1 to 14");
    }
    if (!(options.alpha >= 0 && options.alpha <= 100)) throw std::invalid_argument("alpha must be from 0 to 100");
    if (!(options.likeness >= 0 && options.likeness <= 1e6)) {
        throw std::invalid_argument("likeness must be from 0 to 1000000");
    }
}

}  // namespace

Links align_direction(const TextSide& source, const TextSide& target, const AlignerOptions& options,
                      const Lemmas* source_lemmas, const Lemmas* target_lemmas, DirectionReport& report,
                      const AlignProgress& progress) {
    check(options);
    const Likeness likeness(source.vocabulary, target.vocabulary, source_lemmas, target_lemmas);
    Direction direction(source, target, options, options.likeness > 0 ? &likeness : nullptr);
    report.entries = direction.entries();
    for (std::size_t iteration = 0; iteration < options.iterations; ++iteration) {
        if (progress) progress(iteration);
        report.log_likelihoods.push_back(direction.iterate());
    }
    report.tension = direction.tension();
    return direction.best();
}

}  // namespace plainwright
