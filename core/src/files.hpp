// Files as the operating system has them: all that the core needs beyond the standard library. Paths are UTF-8 on
// Windows, bytes elsewhere.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <system_error>

namespace plainwright {

// A file can be read, but not mapped.
struct MappingError : std::system_error {
    using std::system_error::system_error;
};

// A whole file in memory, for reading; processes that map it share its pages.
class MappedFile {
 public:
    // Throws std::system_error, with the path, if the file cannot be read.
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    bool is_regular() const { return regular_; }
    const char* data() const { return data_; }  // nullptr if the file is empty or not regular
    std::size_t size() const { return size_; }
    // Pages that were touched stay in the system's cache, but no longer count as this process's memory.
    void release_pages() const;

 private:
    bool regular_ = false;
    char* data_ = nullptr;
    std::size_t size_ = 0;
};

// Opens a new file for writing and reading that is gone when it is closed, whatever happens to the process; nullptr,
// with errno set, if there is no room for one in `directory`.
std::FILE* open_unnamed_file(const std::string& directory);

}  // namespace plainwright
