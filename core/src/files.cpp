#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>

#ifdef _WIN32
#include <io.h>
#include <share.h>
#include <windows.h>

#include <filesystem>
#include <random>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace plainwright {

#ifdef _WIN32

namespace {

// With a code of the generic category where there is one, as on other systems.
std::error_code last_error() {
    const std::error_code code(static_cast<int>(::GetLastError()), std::system_category());
    const std::error_condition condition = code.default_error_condition();
    return condition.category() == std::generic_category() ? std::error_code(condition.value(), condition.category())
                                                           : code;
}

// Closed on every way out.
class Handle {
 public:
    explicit Handle(HANDLE handle) : handle_(handle) {}
    ~Handle() {
        if (*this) ::CloseHandle(handle_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    explicit operator bool() const { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
    HANDLE get() const { return handle_; }

 private:
    HANDLE handle_;
};

std::filesystem::path wide(const std::string& path) { return std::u8string(path.begin(), path.end()); }

}  // namespace

MappedFile::MappedFile(const std::string& path) {
    // Backup semantics open directories too, so that these are told from files that may not be read.
    const Handle file(::CreateFileW(wide(path).c_str(), GENERIC_READ,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    if (!file) throw std::system_error(last_error(), path);
    BY_HANDLE_FILE_INFORMATION status{};
    regular_ = ::GetFileType(file.get()) == FILE_TYPE_DISK;
    if (regular_) {
        if (::GetFileInformationByHandle(file.get(), &status) == 0) throw std::system_error(last_error(), path);
        regular_ = (status.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
    }
    if (!regular_) return;
    size_ = static_cast<std::size_t>(std::uint64_t{status.nFileSizeHigh} << 32 | status.nFileSizeLow);
    if (size_ == 0) return;
    const Handle mapping(::CreateFileMappingW(file.get(), nullptr, PAGE_READONLY, 0, 0, nullptr));
    if (mapping) data_ = static_cast<char*>(::MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, size_));
    if (data_ == nullptr) throw MappingError(last_error(), path);
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::UnmapViewOfFile(data_);
}

void MappedFile::release_pages() const {
    // What is not locked leaves the working set instead, so the call is said to fail.
    if (data_ != nullptr) ::VirtualUnlock(data_, size_);
}

std::FILE* open_unnamed_file(const std::string& directory) {
    std::random_device random;
    int descriptor = -1;
    do {
        const std::filesystem::path name = wide(directory) / (L".plainwright." + std::to_wstring(random()));
        ::_wsopen_s(&descriptor, name.c_str(), _O_CREAT | _O_EXCL | _O_RDWR | _O_BINARY | _O_TEMPORARY | _O_NOINHERIT,
                    _SH_DENYNO, _S_IREAD | _S_IWRITE);
    } while (descriptor < 0 && errno == EEXIST);
    return descriptor < 0 ? nullptr : ::_fdopen(descriptor, "w+b");
}

#else

namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

// Closed on every way out.
class Descriptor {
 public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return number_; }

 private:
    int number_;
};

}  // namespace

MappedFile::MappedFile(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status{};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0) throw std::system_error(last_error(), path);
    regular_ = S_ISREG(status.st_mode);
    if (!regular_ || status.st_size == 0) return;
    size_ = static_cast<std::size_t>(status.st_size);
    void* data = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.get(), 0);
    if (data == MAP_FAILED) throw MappingError(last_error(), path);
    data_ = static_cast<char*>(data);
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
}

void MappedFile::release_pages() const {
    if (data_ != nullptr) ::madvise(data_, size_, MADV_DONTNEED);
}

std::FILE* open_unnamed_file(const std::string& directory) {
    std::string name = directory + "/.plainwright.XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) return nullptr;
    ::unlink(name.c_str());
    return ::fdopen(descriptor, "w+b");
}

#endif

}  // namespace plainwright
