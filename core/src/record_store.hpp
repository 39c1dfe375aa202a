// Records of bytes with a count, in partitions that live in memory until they get too large, then in unnamed files.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "files.hpp"

namespace plainwright {

constexpr std::size_t kPartitions = 64;
using RecordBatch = std::array<std::string, kPartitions>;  // records of each

// Not std::hash, which may differ between machines. FNV-1a, with its bits mixed once more.
inline std::size_t partition_of(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    return (hash ^ hash >> 32) % kPartitions;
}

// A record is its length (2 bytes), its count (4 bytes) and its bytes.
struct Record {
    std::string_view bytes;
    std::uint32_t count;
};

inline void append_record(std::string& out, std::string_view bytes, std::uint32_t count) {
    const auto length = static_cast<std::uint16_t>(bytes.size());
    out.append(reinterpret_cast<const char*>(&length), sizeof length);
    out.append(reinterpret_cast<const char*>(&count), sizeof count);
    out.append(bytes);
}

inline Record read_record(std::string_view data, std::size_t& at) {
    std::uint16_t length = 0;
    Record record{};
    std::memcpy(&length, data.data() + at, sizeof length);
    std::memcpy(&record.count, data.data() + at + sizeof length, sizeof record.count);
    at += sizeof length + sizeof record.count;
    record.bytes = data.substr(at, length);
    at += length;
    return record;
}

// A file that is written first, then read.
class UnnamedFile {
 public:
    explicit UnnamedFile(const std::string& directory) : file_(open_unnamed_file(directory)), directory_(directory) {
        if (file_ == nullptr) fail();
    }
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;
    ~UnnamedFile() { std::fclose(file_); }

    void append(std::string_view bytes) {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size() || std::fflush(file_) != 0) {
            fail();
        }
        size_ += bytes.size();
    }

    bool has_more() const { return read_ < size_; }

    // The next bytes from the start on; nothing may be appended any more.
    std::string read(std::size_t length) {
        if (read_ == 0) std::rewind(file_);
        std::string bytes(std::min(length, size_ - read_), '\0');
        if (std::fread(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
        read_ += bytes.size();
        return bytes;
    }

 private:
    [[noreturn]] void fail() const {
        throw std::runtime_error(directory_ + ": no room for temporary files (" + std::strerror(errno) + ")");
    }

    std::FILE* file_;
    std::string directory_;
    std::size_t size_ = 0, read_ = 0;
};

class RecordStore {
 public:
    RecordStore(std::size_t memory, std::string directory) : memory_(memory), directory_(std::move(directory)) {}

    // Adds whole records; may be called from several threads.
    void append(const RecordBatch& batch) {
        const std::lock_guard guard(lock_);
        for (std::size_t i = 0; i < kPartitions; ++i) {
            buffers_[i] += batch[i];
            buffered_ += batch[i].size();
        }
        if (buffered_ > memory_) spill();
    }

    // All records of a partition; it is empty afterwards. Different partitions may be taken by different threads.
    std::string take(std::size_t partition) {
        std::string bytes;
        if (files_[partition]) {
            // Large reads fail on some systems above 2 GB.
            constexpr std::size_t kPiece = std::size_t{1} << 30;
            while (files_[partition]->has_more()) bytes += files_[partition]->read(kPiece);
            files_[partition].reset();
        }
        bytes += buffers_[partition];
        std::string().swap(buffers_[partition]);
        return bytes;
    }

 private:
    void spill() {
        for (std::size_t i = 0; i < kPartitions; ++i) {
            if (buffers_[i].empty()) continue;
            if (!files_[i]) files_[i] = std::make_unique<UnnamedFile>(directory_);
            files_[i]->append(buffers_[i]);
            std::string().swap(buffers_[i]);
        }
        buffered_ = 0;
    }

    std::size_t memory_;
    std::string directory_;
    std::mutex lock_;
    std::size_t buffered_ = 0;
    RecordBatch buffers_;
    std::array<std::unique_ptr<UnnamedFile>, kPartitions> files_;
};

// Records by their bytes; the first eight, as a number, decide most comparisons.
class RecordSorter {
 public:
    void add(std::string_view bytes, std::uint32_t count) { entries_.push_back({prefix(bytes), bytes, count}); }
    // All records of `bytes`, which must stay where they are.
    void add_all(std::string_view bytes) {
        for (std::size_t at = 0; at < bytes.size();) {
            const Record record = read_record(bytes, at);
            add(record.bytes, record.count);
        }
    }

    // Calls `take(bytes, count)` in order, once for each record that differs, with the sum of its counts.
    template <typename Take>
    void drain(Take&& take) {
        std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
            return a.prefix != b.prefix ? a.prefix < b.prefix : a.bytes < b.bytes;
        });
        for (std::size_t i = 0; i < entries_.size();) {
            std::uint32_t count = 0;
            std::size_t end = i;
            for (; end < entries_.size() && entries_[end].bytes == entries_[i].bytes; ++end) {
                count += entries_[end].count;
            }
            take(entries_[i].bytes, count);
            i = end;
        }
        entries_.clear();
    }

 private:
    struct Entry {
        std::uint64_t prefix;
        std::string_view bytes;
        std::uint32_t count;
    };

    static std::uint64_t prefix(std::string_view bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            value = value << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
        }
        return value;
    }

    std::vector<Entry> entries_;
};

}  // namespace plainwright
