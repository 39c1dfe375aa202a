// Files and directories for tests, which go away with the object.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "check.hpp"

// A directory of its own, with a letter beyond ASCII in its name.
class TemporaryDirectory {
 public:
    TemporaryDirectory()
        : path_(std::filesystem::temp_directory_path() /
                std::filesystem::path(u8"plainwright_é_").concat(std::to_string(std::random_device{}()))) {
        CHECK(std::filesystem::create_directory(path_));
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }

    bool is_empty() const { return std::filesystem::is_empty(path_); }
    // A path in it, or its own, as the core takes it.
    std::string path(const char* name = nullptr) const {
        const std::u8string path = (name == nullptr ? path_ : path_ / name).u8string();
        return {path.begin(), path.end()};
    }
    std::string write(const char* name, const std::string& bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return path(name);
    }

 private:
    std::filesystem::path path_;
};

class TemporaryFile {
 public:
    explicit TemporaryFile(const std::string& bytes) : path_(directory_.write("file", bytes)) {}
    const std::string& path() const { return path_; }

 private:
    TemporaryDirectory directory_;
    std::string path_;
};
