// Splits a range of independent items over threads; which thread takes an item never affects the result.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace plainwright {

// How many of `threads` get anything to do.
inline std::size_t useful_threads(std::size_t n, std::size_t threads, std::size_t chunk) {
    return std::max<std::size_t>(1, std::min(threads, (n + chunk - 1) / chunk));
}

// Calls `body(worker, first, last)` for chunks that cover [0, n). Each worker number runs on one thread only,
// so per-worker scratch space needs no lock. The first exception thrown by any chunk is rethrown.
template <typename Body>
void parallel_chunks(std::size_t n, std::size_t threads, std::size_t chunk, Body&& body) {
    threads = useful_threads(n, threads, chunk);
    if (threads == 1) {
        if (n > 0) body(std::size_t{0}, std::size_t{0}, n);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_lock;
    auto work = [&](std::size_t worker) {
        try {
            for (;;) {
                const std::size_t first = next.fetch_add(chunk);
                if (first >= n) return;
                body(worker, first, std::min(n, first + chunk));
            }
        } catch (...) {
            const std::lock_guard guard(failure_lock);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> pool;
    pool.reserve(threads - 1);
    try {
        for (std::size_t worker = 1; worker < threads; ++worker) pool.emplace_back(work, worker);
    } catch (const std::system_error&) {
        // The machine has no more threads to give; those that run do all the work.
    }
    work(0);
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace plainwright
