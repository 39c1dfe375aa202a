// BLEU's sufficient statistics as sacreBLEU counts them (Papineni et al., 2002; Post, 2018).
#pragma once

#include "plainwright/ngrams.hpp"

namespace plainwright {

// Candidate length, closest reference length, then matches and totals for each order.
inline std::size_t bleu_stats(std::size_t max_order) { return 2 + 2 * max_order; }

void bleu_segment(const SegmentIndex& index, const CandidateCounts& counts, double* stats);

}  // namespace plainwright
