// Parts of speech: tagging one call per batch of sentences, and learning a tagger.
#include "plainwright/tagger.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "plainwright/parallel.hpp"
#include "strings.hpp"

using namespace plainwright;
using namespace plainwright_python;
using namespace nb::literals;

namespace {

constexpr std::size_t kSentenceChunk = 64;

// Sentences as lists of words, all of them in one row.
class WordLists {
 public:
    WordLists(nb::handle sentences, const std::string& what) : outer_(as_tuple(sentences, what)) {
        for (std::size_t i = 0; i < tuple_size(outer_); ++i) {
            const std::string where = what + "[" + std::to_string(i) + "]";
            owners_.push_back(as_tuple(PyTuple_GetItem(outer_.ptr(), static_cast<Py_ssize_t>(i)), where));
            append_views(owners_.back(), 0, tuple_size(owners_.back()), where, words_);
            ends_.push_back(words_.size());
        }
    }

    std::size_t size() const { return ends_.size(); }
    std::size_t words() const { return words_.size(); }
    std::size_t begin_of(std::size_t i) const { return i == 0 ? 0 : ends_[i - 1]; }
    std::size_t size_of(std::size_t i) const { return ends_[i] - begin_of(i); }
    std::span<const std::string_view> operator[](std::size_t i) const {
        return std::span(words_).subspan(begin_of(i), size_of(i));
    }

 private:
    nb::object outer_;
    std::vector<nb::object> owners_;
    std::vector<std::string_view> words_;
    std::vector<std::size_t> ends_;
};

nb::list tag_sentences(const Tagger& self, nb::handle sentences, std::size_t threads) {
    const WordLists lists(sentences, "sentences");
    std::vector<TagId> found(lists.words());
    {
        const nb::gil_scoped_release release;
        threads = std::clamp<std::size_t>(threads, 1, 256);
        parallel_chunks(lists.size(), threads, kSentenceChunk, [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                self.tag(lists[i], std::span(found).subspan(lists.begin_of(i), lists.size_of(i)));
            }
        });
    }
    std::vector<nb::str> names;  // one object for each tag, however often it occurs
    for (const std::string& name : self.tags()) names.emplace_back(name.data(), name.size());
    nb::list result;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        nb::list tags;
        for (std::size_t k = 0; k < lists.size_of(i); ++k) tags.append(names[found[lists.begin_of(i) + k]]);
        result.append(tags);
    }
    return result;
}

void add_sentences(TaggerTrainer& self, nb::handle sentences, nb::handle tags) {
    const WordLists words(sentences, "sentences"), names(tags, "tags");
    if (words.size() != names.size()) throw nb::value_error("every sentence needs its tags");
    for (std::size_t i = 0; i < words.size(); ++i) self.add(words[i], names[i]);
}

nb::bytes train(const TaggerTrainer& self, std::size_t passes, std::size_t min_count, std::size_t max_bytes,
                double lower_share, std::uint64_t seed, nb::object report) {
    std::string bytes;
    {
        const nb::gil_scoped_release release;
        bytes = self.train({passes, min_count, max_bytes, lower_share, seed}, [&](std::size_t done, std::size_t total) {
            const nb::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (!report.is_none()) report(done, total);
        });
    }
    return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void register_tagger(nb::module_& m) {
    nb::class_<Tagger>(m, "Tagger", "Parts of speech of words.")
        .def(
            "__init__",
            [](Tagger* self, nb::bytes content) {
                new (self) Tagger(std::string_view(content.c_str(), content.size()));
            },
            "content"_a)
        .def_prop_ro("tags", &Tagger::tags)
        .def_prop_ro("features", &Tagger::features)
        .def_prop_ro("dictionary_words", &Tagger::dictionary_words)
        .def("tag", &tag_sentences, "sentences"_a, "threads"_a = 1, "The tags of the words of every sentence.",
             nb::sig("def tag(self, sentences: collections.abc.Sequence[collections.abc.Sequence[str]], threads: int = "
                     "1) -> list[list[str]]"));
    nb::class_<TaggerTrainer>(m, "TaggerTrainer", "Learns a tagger from sentences whose tags are known.")
        .def(nb::init<>())
        .def("add", &add_sentences, "sentences"_a, "tags"_a,
             nb::sig("def add(self, sentences: collections.abc.Sequence[collections.abc.Sequence[str]], tags: "
                     "collections.abc.Sequence[collections.abc.Sequence[str]]) -> None"))
        .def_prop_ro("sentences", &TaggerTrainer::sentences)
        .def_prop_ro("tokens", &TaggerTrainer::tokens)
        .def("train", &train, nb::kw_only(), "passes"_a, "min_count"_a, "max_bytes"_a, "lower_share"_a, "seed"_a,
             "report"_a = nb::none(), "The bytes of the tagger.",
             nb::sig("def train(self, *, passes: int, min_count: int, max_bytes: int, lower_share: float, seed: int, "
                     "report: collections.abc.Callable[[int, int], None] | None = None) -> bytes"));
}
