#include "plainwright/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace plainwright {

namespace {

// Ties between a shorter and a longer reference go to the shorter one.
std::size_t closest_length(const std::vector<std::uint32_t>& lengths, std::size_t candidate) {
    auto distance = [candidate](std::size_t length) {
        return length > candidate ? length - candidate : candidate - length;
    };
    std::size_t best = lengths.front();
    for (const std::size_t length : lengths) {
        if (distance(length) < distance(best) || (distance(length) == distance(best) && length < best)) {
            best = length;
        }
    }
    return best;
}

std::size_t reference_length(const std::vector<std::uint32_t>& lengths, std::size_t candidate, ReferenceLength method) {
    switch (method) {
        case ReferenceLength::shortest:
            return *std::min_element(lengths.begin(), lengths.end());
        case ReferenceLength::mean:
            return std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}) / lengths.size();
        case ReferenceLength::closest:
            break;
    }
    return closest_length(lengths, candidate);
}

}  // namespace

ReferenceLength reference_length_from_name(std::string_view name) {
    if (name == "closest") return ReferenceLength::closest;
    if (name == "shortest") return ReferenceLength::shortest;
    if (name == "mean") return ReferenceLength::mean;
    throw std::invalid_argument("unknown reference length '" + std::string(name) + "'");
}

Smoothing smoothing_from_name(std::string_view name) {
    if (name == "none") return Smoothing::none;
    if (name == "floor") return Smoothing::floor;
    if (name == "add-k") return Smoothing::add_k;
    if (name == "exp") return Smoothing::exponential;
    throw std::invalid_argument("unknown smoothing '" + std::string(name) + "'");
}

void bleu_from_stats(const double* stats, const BleuFormula& formula, double* values) {
    const std::size_t max_order = formula.max_order;
    const double output_length = stats[0], reference_length = stats[1];
    const double* correct = stats + 2;
    const double* total = correct + max_order;
    double* precisions = values + 1;
    double& penalty = values[1 + max_order];
    std::fill(values, values + 1 + max_order, 0.0);
    penalty = 1;
    if (output_length < reference_length) {
        penalty = output_length > 0 ? std::exp(1 - reference_length / output_length) : 0;
    }
    if (std::all_of(correct, correct + max_order, [](double count) { return count == 0; })) return;

    double halving = 1;
    std::size_t orders = max_order;
    for (std::size_t n = 0; n < max_order; ++n) {
        const double added = formula.smoothing == Smoothing::add_k && n > 0 ? formula.smooth_value : 0;
        const double matched = correct[n] + added, possible = total[n] + added;
        if (possible == 0) break;  // a short output has no longer n-grams
        if (formula.effective_order) orders = n + 1;
        if (matched > 0) {
            precisions[n] = 100 * matched / possible;
        } else if (formula.smoothing == Smoothing::exponential) {
            halving *= 2;
            precisions[n] = 100 / (halving * possible);
        } else if (formula.smoothing == Smoothing::floor) {
            precisions[n] = 100 * formula.smooth_value / possible;
        }
    }
    double sum = 0;
    for (std::size_t n = 0; n < orders; ++n) {
        if (precisions[n] == 0) return;  // the geometric mean is 0
        sum += std::log(precisions[n]);
    }
    values[0] = penalty * std::exp(sum / static_cast<double>(orders));
}

void bleu_segment(const SegmentIndex& index, const CandidateCounts& counts, ReferenceLength method, double* stats) {
    const std::size_t max_order = index.options().max_order;
    stats[0] = static_cast<double>(counts.length());
    stats[1] = static_cast<double>(reference_length(index.reference_lengths(), counts.length(), method));
    double* correct = stats + 2;
    double* total = correct + max_order;
    std::fill(correct, total, 0.0);
    for (std::size_t n = 0; n < max_order; ++n) total[n] = counts.order(n).total;
    std::size_t n = 0;
    for (const Id id : counts.touched()) {
        while (id >= index.order(n).last) ++n;
        correct[n] += std::min(counts[id], index.counts(id).references);
    }
}

}  // namespace plainwright
