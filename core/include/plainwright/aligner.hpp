// Word alignment: IBM Model 2 with its distortion reduced to one number, the tension towards the diagonal (Dyer,
// Chahuneau and Smith 2013), with a Dirichlet prior that may favour words that look alike.
//
// Each direction explains the words of one side ("target") by those of the other ("source") or by nothing:
//   p(t_j, a_j = i) = (1 - p0) exp(-tension |j/n - i/m|) / Z p(t_j | s_i),    p(t_j, a_j = null) = p0 p(t_j | null).
// The table p(t|s) has one row for each source word. Both halves of an iteration go through the text row by row: the
// row lies spread out in a small array, so a pair of words costs no search. Rows and blocks of sentences are the units
// of work, sums within them have one order, and so results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plainwright/parallel_text.hpp"

namespace plainwright {

struct AlignerOptions {
    std::size_t iterations = 5;
    double null_probability = 0.08;
    double tension = 4.0;
    bool fit_tension = true;
    // Of the symmetric Dirichlet prior of each row, used by variational Bayes; 0 for plain maximum likelihood.
    double alpha = 0.01;
    // Pseudo-counts for the pair of a word with itself; words of one lemma and similar words get a share. 0: none.
    double likeness = 0.0;
    std::size_t threads = 1;
};

struct DirectionReport {
    std::vector<double> log_likelihoods;  // natural, of the text before each iteration
    double tension = 0;
    std::size_t entries = 0;  // of the table
};

// For every token of the target side: the position of its source word, or kNull.
using Links = std::vector<std::uint16_t>;
constexpr std::uint16_t kNull = 0xffff;

// The numbers of each word's lemmas, ascending; empty if none are known.
using Lemmas = std::vector<std::vector<std::uint32_t>>;

using AlignProgress = std::function<void(std::size_t iteration)>;

// Throws std::invalid_argument for options out of range. `lemmas` may be null.
Links align_direction(const TextSide& source, const TextSide& target, const AlignerOptions& options,
                      const Lemmas* source_lemmas, const Lemmas* target_lemmas, DirectionReport& report,
                      const AlignProgress& progress);

// How alike two words are spelt, from 0 to 1: 1 less the edit distance over the longer length, in characters,
// without regard to case.
double spelling_likeness(std::string_view a, std::string_view b);

enum class Heuristic { forward, backward, intersection, union_, grow_diag, grow_diag_final, grow_diag_final_and };

using Point = std::pair<std::uint16_t, std::uint16_t>;  // source position, target position

// Joins two directions of one sentence pair. Points come sorted. Koehn, Och and Marcu (2003) describe growing; where
// their text leaves the order open, points go by target position, then by source position. Throws std::invalid_argument
// for points outside the sentences.
std::vector<Point> symmetrise(std::size_t source_length, std::size_t target_length, std::span<const Point> forward,
                              std::span<const Point> backward, Heuristic heuristic);

}  // namespace plainwright
