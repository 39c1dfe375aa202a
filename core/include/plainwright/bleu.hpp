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

// `index` must count references by ReferenceCount::maximum.
void bleu_segment(const SegmentIndex& index, const CandidateCounts& counts, ReferenceLength method, double* stats);

}  // namespace plainwright
