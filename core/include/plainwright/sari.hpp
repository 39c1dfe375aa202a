// SARI (Xu et al., 2016): how well the n-grams added, kept and deleted agree with the references.
#pragma once

#include <string_view>

#include "plainwright/ngrams.hpp"

namespace plainwright {

enum class SariVariant { xu2016, equations, easse, huggingface };

// Throws std::invalid_argument for an unknown name.
SariVariant sari_variant_from_name(std::string_view name);

inline constexpr std::size_t kSariOrder = 4;  // as in the paper

// What the variant counts: n-grams of the orders 1 to `max_order`.
NgramOptions sari_options(SariVariant variant, Tokenizer tokenizer, bool lowercase, std::size_t max_order = kSariOrder);

// Length of a segment's vector of statistics. `easse` pools counts: for each order correct, system total and
// reference total of add, keep and delete. The others sum segment scores: add, keep, delete (0 to 1), segments.
std::size_t sari_stats(SariVariant variant, std::size_t max_order = kSariOrder);

// The statistics of one candidate; `counts` must have been counted against `index`, built with
// `sari_options`, with novel n-grams numbered.
void sari_segment(SariVariant variant, const SegmentIndex& index, const CandidateCounts& counts, double* stats);

}  // namespace plainwright
