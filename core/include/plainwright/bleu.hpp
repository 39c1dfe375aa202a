// BLEU's sufficient statistics as sacreBLEU counts them (Papineni et al., 2002; Post, 2018).
#pragma once

#include <string_view>

#include "plainwright/ngrams.hpp"

namespace plainwright {

// Which reference length the brevity penalty compares with. `mean` is cut to a whole number.
enum class ReferenceLength { closest, shortest, mean };

// Throws std::invalid_argument for an unknown name.
ReferenceLength reference_length_from_name(std::string_view name);

// Candidate length, reference length, then matches and totals for each order.
inline std::size_t bleu_stats(std::size_t max_order) { return 2 + 2 * max_order; }

enum class Smoothing { none, floor, add_k, exponential };

// "none", "floor", "add-k" or "exp"; throws std::invalid_argument for any other name.
Smoothing smoothing_from_name(std::string_view name);

struct BleuFormula {
    std::size_t max_order = 4;
    Smoothing smoothing = Smoothing::exponential;
    double smooth_value = 0;
    bool effective_order = false;
};

// From summed statistics: BLEU, the precisions (all 0 to 100), then the brevity penalty: 2 + max_order values.
void bleu_from_stats(const double* stats, const BleuFormula& formula, double* values);

// `index` must count references by ReferenceCount::maximum.
void bleu_segment(const SegmentIndex& index, const CandidateCounts& counts, ReferenceLength method, double* stats);

}  // namespace plainwright
