// Mapped files, unnamed files, and paths that lead to neither.
#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "../src/files.hpp"
#include "../src/record_store.hpp"
#include "check.hpp"
#include "plainwright/grammar.hpp"
#include "temporary.hpp"

using namespace plainwright;

namespace {

void test_mapped_bytes() {
    const TemporaryDirectory directory;
    const std::string bytes("one\r\ntwo\n\0\x1a three", 17);
    const MappedFile file(directory.write("file", bytes));
    CHECK(file.is_regular());
    CHECK(std::string_view(file.data(), file.size()) == bytes);
    file.release_pages();
    CHECK(std::string_view(file.data(), file.size()) == bytes);
}

void test_nothing_to_map() {
    const TemporaryDirectory directory;
    const MappedFile empty(directory.write("empty", ""));
    CHECK(empty.is_regular() && empty.data() == nullptr && empty.size() == 0);
    const MappedFile not_a_file(directory.path());
    CHECK(!not_a_file.is_regular() && not_a_file.data() == nullptr && not_a_file.size() == 0);
}

void test_missing() {
    const TemporaryDirectory directory;
    for (const char* name : {"missing", "missing/file"}) {
        const std::string path = directory.path(name);
        bool refused = false;
        try {
            const MappedFile file(path);
        } catch (const std::system_error& error) {
            refused = error.code() == std::error_code(ENOENT, std::generic_category()) &&
                      std::string_view(error.what()).starts_with(path);
        }
        CHECK(refused);
    }
}

void test_grammar_that_is_none() {
    const TemporaryDirectory directory;
    for (const std::string& path : {directory.path(), directory.write("empty", ""), directory.write("text", "text")}) {
        bool refused = false;
        try {
            PackedGrammar::open(path);
        } catch (const GrammarError&) {
            refused = true;
        }
        CHECK(refused);
    }
}

void test_records_beyond_memory() {
    const TemporaryDirectory directory;
    {
        RecordStore store(100, directory.path());
        std::string expected;
        for (std::uint32_t i = 0; i < 1000; ++i) {
            std::array<std::string, kPartitions> batch;
            append_record(batch[i % kPartitions], "\r\n\x1a " + std::to_string(i), i);
            if (i % kPartitions == 1) expected += batch[1];
            store.append(batch);
        }
        CHECK(store.take(1) == expected);
        CHECK(store.take(1).empty());
    }
    CHECK(directory.is_empty());
}

void test_no_room_for_records() {
    const TemporaryDirectory directory;
    RecordStore store(0, directory.path("missing"));
    std::array<std::string, kPartitions> batch;
    append_record(batch[0], "bytes", 1);
    std::string message;
    try {
        store.append(batch);
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
    CHECK(message == directory.path("missing") + ": no room for temporary files (No such file or directory)");
}

}  // namespace

int main() {
    test_mapped_bytes();
    test_nothing_to_map();
    test_missing();
    test_grammar_that_is_none();
    test_records_beyond_memory();
    test_no_room_for_records();
}
