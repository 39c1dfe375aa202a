#include "plainwright/sari.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace plainwright {

namespace {

double f1(double precision, double recall) {
    return precision > 0 || recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

// A quotient of sums where an empty denominator has an agreed value.
double ratio(double numerator, double denominator, double if_empty) {
    return denominator > 0 ? numerator / denominator : if_empty;
}

struct OrderCounts {
    double added;             // distinct n-grams the candidate adds
    double added_good;        // ... that a reference has
    double added_references;  // distinct n-grams the references add
};

OrderCounts added_counts(const SegmentIndex& index, const CandidateCounts& counts, std::size_t n) {
    const auto& range = index.order(n);
    const auto& candidate = counts.order(n);
    return {static_cast<double>(candidate.distinct_novel + candidate.distinct_reference),
            static_cast<double>(candidate.distinct_reference), static_cast<double>(range.last - range.source_last)};
}

// The authors' released scorer, and the Hugging Face edition, which differs in keep recall and in 0/0. Counts of
// source and candidate are multiplied by the number of references, so that they compare with summed counts.
template <bool kHuggingFace>
void released(const SegmentIndex& index, const CandidateCounts& counts, double* stats) {
    constexpr double kEmpty = kHuggingFace ? 1.0 : 0.0;
    const auto weight = static_cast<double>(index.references());
    const std::size_t orders = index.options().max_order;
    double add = 0, keep = 0, removed = 0;
    for (std::size_t n = 0; n < orders; ++n) {
        const auto& range = index.order(n);
        double keep_ratio = 0, keep_kept = 0, keep_wanted_ratio = 0, keep_wanted = 0, keep_good_sum = 0,
               keep_wanted_sum = 0, delete_ratio = 0, deleted = 0;
        for (Id id = range.first; id < range.source_last; ++id) {
            const double source = index.counts(id).source * weight;
            const double candidate = counts[id] * weight;
            const double references = index.counts(id).references;
            const double wanted = std::min(source, references);
            if (wanted > 0) {
                keep_wanted += 1;
                keep_wanted_sum += wanted;
            }
            if (candidate > 0) {
                const double kept = std::min(source, candidate);
                const double good = std::min(kept, references);
                keep_kept += 1;
                keep_ratio += good / kept;
                keep_good_sum += good;
                if (wanted > 0) keep_wanted_ratio += good / wanted;
            }
            const double gone = source - candidate;
            if (gone > 0) {
                deleted += 1;
                delete_ratio += std::max(gone - references, 0.0) / gone;
            }
        }
        const double keep_recall = kHuggingFace ? ratio(keep_good_sum, keep_wanted_sum, kEmpty)
                                                : ratio(keep_wanted_ratio, keep_wanted, kEmpty);
        keep += f1(ratio(keep_ratio, keep_kept, kEmpty), keep_recall);
        removed += ratio(delete_ratio, deleted, kEmpty);
        const OrderCounts added = added_counts(index, counts, n);
        add +=
            f1(ratio(added.added_good, added.added, kEmpty), ratio(added.added_good, added.added_references, kEmpty));
    }
    stats[0] = add / static_cast<double>(orders);
    stats[1] = keep / static_cast<double>(orders);
    stats[2] = removed / static_cast<double>(orders);
    stats[3] = 1;
}

// Equations 4 to 7 as printed: occurrence is 0 or 1, or the share of references that have the n-gram; precision
// and recall are averaged over the orders before F is taken. Recall of additions sums over the references'
// n-grams: the printed sum over the output's would make it always 1.
void equations(const SegmentIndex& index, const CandidateCounts& counts, double* stats) {
    const auto references = static_cast<double>(index.references());
    const std::size_t orders = index.options().max_order;
    double add_precision = 0, add_recall = 0, keep_precision = 0, keep_recall = 0, delete_precision = 0;
    for (std::size_t n = 0; n < orders; ++n) {
        const auto& range = index.order(n);
        double kept = 0, kept_good = 0, wanted = 0, deleted = 0, deleted_good = 0;
        for (Id id = range.first; id < range.source_last; ++id) {
            const double share = index.counts(id).references / references;
            wanted += share;
            if (counts[id] > 0) {
                kept += 1;
                kept_good += share;
            } else {
                deleted += 1;
                deleted_good += 1 - share;
            }
        }
        keep_precision += ratio(kept_good, kept, 0);
        keep_recall += ratio(kept_good, wanted, 0);
        delete_precision += ratio(deleted_good, deleted, 0);
        const OrderCounts added = added_counts(index, counts, n);
        add_precision += ratio(added.added_good, added.added, 0);
        add_recall += ratio(added.added_good, added.added_references, 0);
    }
    stats[0] = f1(add_precision / static_cast<double>(orders), add_recall / static_cast<double>(orders));
    stats[1] = f1(keep_precision / static_cast<double>(orders), keep_recall / static_cast<double>(orders));
    stats[2] = delete_precision / static_cast<double>(orders);
    stats[3] = 1;
}

void pooled(const SegmentIndex& index, const CandidateCounts& counts, double* stats) {
    const auto weight = static_cast<double>(index.references());
    for (std::size_t n = 0; n < index.options().max_order; ++n, stats += 9) {
        const auto& range = index.order(n);
        const OrderCounts added = added_counts(index, counts, n);
        double keep_good = 0, keep_system = 0, keep_references = 0;
        double delete_good = 0, delete_system = 0, delete_references = 0;
        for (Id id = range.first; id < range.source_last; ++id) {
            const double source = index.counts(id).source * weight;
            const double kept = std::min(source, counts[id] * weight);
            const double wanted = std::min(source, static_cast<double>(index.counts(id).references));
            keep_system += kept;
            keep_references += wanted;
            keep_good += std::min(kept, wanted);
            delete_system += source - kept;
            delete_references += source - wanted;
            delete_good += std::min(source - kept, source - wanted);
        }
        const double values[9] = {added.added_good, added.added, added.added_references, keep_good,        keep_system,
                                  keep_references,  delete_good, delete_system,          delete_references};
        std::copy(values, values + 9, stats);
    }
}

}  // namespace

SariVariant sari_variant_from_name(std::string_view name) {
    if (name == "xu2016") return SariVariant::xu2016;
    if (name == "equations") return SariVariant::equations;
    if (name == "easse") return SariVariant::easse;
    if (name == "huggingface") return SariVariant::huggingface;
    throw std::invalid_argument("unknown SARI variant '" + std::string(name) + "'");
}

NgramOptions sari_options(SariVariant variant, Tokenizer tokenizer, bool lowercase, std::size_t max_order) {
    const auto count = variant == SariVariant::equations ? ReferenceCount::sentences : ReferenceCount::sum;
    return {tokenizer, lowercase, max_order, count};
}

std::size_t sari_stats(SariVariant variant, std::size_t max_order) {
    return variant == SariVariant::easse ? 9 * max_order : 4;
}

void sari_segment(SariVariant variant, const SegmentIndex& index, const CandidateCounts& counts, double* stats) {
    switch (variant) {
        case SariVariant::xu2016:
            return released<false>(index, counts, stats);
        case SariVariant::huggingface:
            return released<true>(index, counts, stats);
        case SariVariant::equations:
            return equations(index, counts, stats);
        case SariVariant::easse:
            return pooled(index, counts, stats);
    }
}

}  // namespace plainwright
