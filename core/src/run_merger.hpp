// K-way merge of sorted runs of records, one run per partition.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record_store.hpp"

namespace plainwright {

// Sorted records, in memory or in a file, one after the other.
class SortedRun {
 public:
    void assign(std::string bytes) { bytes_ = std::move(bytes); }
    void move_to(std::unique_ptr<UnnamedFile> file) { file_ = std::move(file); }

    // The next record stays valid until the next call.
    bool advance() {
        if (at_ + kLargest > bytes_.size() && file_ && file_->has_more()) refill();
        if (at_ == bytes_.size()) return false;
        current_ = read_record(bytes_, at_).bytes;
        return true;
    }
    std::string_view current() const { return current_; }

 private:
    static constexpr std::size_t kLargest = 1 << 17;  // a record has at most 65,541 bytes
    static constexpr std::size_t kPiece = 1 << 20;

    void refill() {
        bytes_.erase(0, at_);
        at_ = 0;
        bytes_ += file_->read(kPiece);
    }

    std::string bytes_;
    std::unique_ptr<UnnamedFile> file_;
    std::size_t at_ = 0;
    std::string_view current_;
};

class RunMerger {
 public:
    SortedRun& operator[](std::size_t partition) { return runs_[partition]; }

    // Calls `take(record)` for the next records of all runs in order, at most `most` of them.
    template <typename Take>
    void read(std::size_t most, Take&& take) {
        const auto later = [&](std::size_t a, std::size_t b) { return runs_[a].current() > runs_[b].current(); };
        if (!started_) {
            for (std::size_t i = 0; i < kPartitions; ++i) {
                if (runs_[i].advance()) heap_.push_back(i);
            }
            std::make_heap(heap_.begin(), heap_.end(), later);
            started_ = true;
        }
        for (; most > 0 && !heap_.empty(); --most) {
            std::pop_heap(heap_.begin(), heap_.end(), later);
            SortedRun& run = runs_[heap_.back()];
            take(run.current());
            if (run.advance()) {
                std::push_heap(heap_.begin(), heap_.end(), later);
            } else {
                heap_.pop_back();
            }
        }
    }

 private:
    std::array<SortedRun, kPartitions> runs_;
    std::vector<std::size_t> heap_;  // runs with a record left, by their current record
    bool started_ = false;
};

}  // namespace plainwright
