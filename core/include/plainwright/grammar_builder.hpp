// Packs lines of PPDB text into the file that `PackedGrammar` opens.
//
// The same lines give the same bytes. Words, labels and targets are numbered in sorted order, so the order of the
// lines matters only for the order of features and among equal rules.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plainwright {

class GrammarBuilder {
 public:
    // A feature with at most 2^`bits` different values keeps them exactly; others are rounded to an even grid of
    // that many points. `bits` from 1 to 16.
    explicit GrammarBuilder(unsigned bits = 16);
    ~GrammarBuilder();

    // Returns null, or what is wrong with the line; then nothing was added.
    const char* add(std::string_view line);
    std::size_t size() const;

    // The bytes of the file; `size` receives their number. The builder is empty afterwards.
    std::vector<std::uint64_t> finish(std::size_t& size);

 private:
    class State;
    std::unique_ptr<State> state_;
    unsigned bits_;
};

}  // namespace plainwright
