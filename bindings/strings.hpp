// Python strings as UTF-8 views that stay valid while the GIL is released.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <string_view>
#include <vector>

#include "plainwright/intrinsics.hpp"

namespace plainwright_python {

namespace nb = nanobind;

inline std::string_view view_of(nb::handle item, const std::string& where) {
    if (!PyUnicode_Check(item.ptr())) {
        throw nb::type_error((where + " must be a string").c_str());
    }
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
    if (text == nullptr) {
        PyErr_Clear();
        throw nb::value_error((where + " holds a lone surrogate, which is not valid text").c_str());
    }
    return {text, static_cast<std::size_t>(size)};
}

inline nb::object as_tuple(nb::handle sequence, const std::string& where) {
    if (PyUnicode_Check(sequence.ptr())) {
        throw nb::type_error((where + " must be a list of strings, not one string").c_str());
    }
    PyObject* raw = PySequence_Tuple(sequence.ptr());
    if (raw == nullptr) {
        PyErr_Clear();
        throw nb::type_error((where + " must be a list of strings").c_str());
    }
    return nb::steal(raw);
}

// Strings lie scattered in memory: asking for those soon needed keeps the GIL free of waiting for them.
using plainwright::prefetch;

// Appends a view of each item from `first` to `last` of a tuple, which must outlive the views.
inline void append_views(nb::handle tuple, std::size_t first, std::size_t last, const std::string& where,
                         std::vector<std::string_view>& views) {
    constexpr std::size_t kAhead = 8;
    for (std::size_t i = first; i < last; ++i) {
        if (i + kAhead < last) prefetch(PyTuple_GetItem(tuple.ptr(), static_cast<Py_ssize_t>(i + kAhead)));
        nb::handle item = PyTuple_GetItem(tuple.ptr(), static_cast<Py_ssize_t>(i));
        Py_ssize_t length = 0;
        const char* text = PyUnicode_Check(item.ptr()) ? PyUnicode_AsUTF8AndSize(item.ptr(), &length) : nullptr;
        // The name of the place costs an allocation, so it is built only for the error.
        views.push_back(text != nullptr ? std::string_view(text, static_cast<std::size_t>(length))
                                        : view_of(item, where + "[" + std::to_string(i) + "]"));
    }
}

inline std::size_t tuple_size(nb::handle tuple) { return static_cast<std::size_t>(PyTuple_Size(tuple.ptr())); }

// Owns a tuple of strings, so that no other thread can free them, and a view of each.
class StringList {
 public:
    StringList(nb::handle sequence, const char* what) : owner_(as_tuple(sequence, what)) {
        append_views(owner_, 0, tuple_size(owner_), what, views_);
    }

    std::size_t size() const { return views_.size(); }
    const std::string_view* data() const { return views_.data(); }
    const std::string_view& operator[](std::size_t index) const { return views_[index]; }

 private:
    nb::object owner_;
    std::vector<std::string_view> views_;
};

// Sources, outputs and references of a corpus, read in chunks: while one thread holds the GIL to look at the strings
// of its chunk, the others score theirs.
class Segments {
 public:
    struct Chunk {
        std::vector<nb::object> owners;
        std::vector<std::string_view> sources;
        std::vector<std::string_view> outputs;
        std::vector<std::string_view> references;  // flattened; those of segment i start at firsts[i]
        std::vector<std::size_t> firsts;

        // Lets go of the strings; needs the GIL.
        void clear() {
            for (auto* views : {&sources, &outputs, &references}) views->clear();
            owners.clear();
            firsts.clear();
        }
    };

    // `sources` may be None.
    Segments(nb::handle sources, nb::handle outputs, nb::handle references)
        : outputs_(as_tuple(outputs, "outputs")), references_(as_tuple(references, "references")) {
        if (!sources.is_none()) sources_ = as_tuple(sources, "sources");
        if (tuple_size(references_) != size() || (sources_.is_valid() && tuple_size(sources_) != size())) {
            throw nb::value_error("sources, outputs and references must have one entry per segment");
        }
    }

    std::size_t size() const { return tuple_size(outputs_); }

    // Needs the GIL.
    void load(std::size_t first, std::size_t last, Chunk& chunk) const {
        chunk.clear();
        if (sources_.is_valid()) append_views(sources_, first, last, "sources", chunk.sources);
        append_views(outputs_, first, last, "outputs", chunk.outputs);
        chunk.firsts.push_back(0);
        for (std::size_t i = first; i < last; ++i) {
            if (i + 4 < last) prefetch(PyTuple_GetItem(references_.ptr(), static_cast<Py_ssize_t>(i + 4)));
            if (i + 2 < last) prefetch_group(PyTuple_GetItem(references_.ptr(), static_cast<Py_ssize_t>(i + 2)));
            nb::handle group = PyTuple_GetItem(references_.ptr(), static_cast<Py_ssize_t>(i));
            load_group(group, i, chunk);
            chunk.firsts.push_back(chunk.references.size());
        }
    }

 private:
    static void prefetch_group(PyObject* group) {
        if (PyList_Check(group)) {
            for (Py_ssize_t k = 0, n = PyList_Size(group); k < n; ++k) prefetch(PyList_GetItem(group, k));
        } else if (PyTuple_Check(group)) {
            for (Py_ssize_t k = 0, n = PyTuple_Size(group); k < n; ++k) prefetch(PyTuple_GetItem(group, k));
        }
    }

    static void load_group(nb::handle group, std::size_t segment, Chunk& chunk) {
        const std::size_t before = chunk.references.size();
        if (PyTuple_Check(group.ptr())) {
            chunk.owners.push_back(nb::borrow(group));
        } else {
            chunk.owners.push_back(as_tuple(group, "references[" + std::to_string(segment) + "]"));
        }
        const nb::handle owned = chunk.owners.back();
        try {
            append_views(owned, 0, tuple_size(owned), "references", chunk.references);
        } catch (const nb::builtin_exception&) {
            // Once more with the segment in the message, which is too dear to build for every group.
            append_views(owned, 0, tuple_size(owned), "references[" + std::to_string(segment) + "]", chunk.references);
        }
        if (chunk.references.size() == before) {
            throw nb::value_error(
                ("references[" + std::to_string(segment) + "] is empty; every segment needs one").c_str());
        }
    }

    nb::object sources_;
    nb::object outputs_;
    nb::object references_;
};

template <typename Number, std::size_t Dimensions>
using Array = nb::ndarray<nb::numpy, Number, nb::ndim<Dimensions>>;
using Matrix = Array<double, 2>;

// Hands numbers, row by row, to NumPy without a copy.
template <typename Number, std::size_t Dimensions>
Array<Number, Dimensions> to_numpy(std::vector<Number>&& values, const std::size_t (&shape)[Dimensions]) {
    values.reserve(1);  // no numbers need a valid pointer too
    auto* owned = new std::vector<Number>(std::move(values));
    nb::capsule owner(owned, [](void* pointer) noexcept { delete static_cast<std::vector<Number>*>(pointer); });
    return Array<Number, Dimensions>(owned->data(), Dimensions, shape, owner);
}

}  // namespace plainwright_python
