// A random number generator of our own: the same numbers everywhere.
#pragma once

#include <cstdint>

inline std::uint32_t next_number(std::uint64_t& seed) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(seed >> 33);
}
