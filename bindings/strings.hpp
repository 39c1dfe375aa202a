// Python strings as UTF-8 views that stay valid while the GIL is released.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <string_view>
#include <vector>

namespace plainwright_python {

namespace nb = nanobind;

inline std::string place(const char* what, std::size_t index) {
    return std::string(what) + "[" + std::to_string(index) + "]";
}

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

// Owns a tuple of strings, so that no other thread can free them, and a view of each.
class StringList {
 public:
    StringList() = default;
    StringList(nb::handle sequence, const char* what) { append(sequence, what); }

    std::size_t size() const { return views_.size(); }
    const std::string_view* data() const { return views_.data(); }
    const std::string_view& operator[](std::size_t index) const { return views_[index]; }

    void append(nb::handle sequence, const char* what) {
        if (PyUnicode_Check(sequence.ptr())) {
            throw nb::type_error((std::string(what) + " must be a list of strings, not one string").c_str());
        }
        PyObject* raw = PySequence_Tuple(sequence.ptr());
        if (raw == nullptr) nb::raise_python_error();
        owners_.push_back(nb::steal(raw));
        const Py_ssize_t size = PyTuple_Size(raw);
        for (Py_ssize_t i = 0; i < size; ++i) {
            nb::handle item = PyTuple_GetItem(raw, i);
            Py_ssize_t length = 0;
            const char* text = PyUnicode_Check(item.ptr()) ? PyUnicode_AsUTF8AndSize(item.ptr(), &length) : nullptr;
            // The name of the place costs an allocation, so it is built only for the error.
            views_.push_back(text != nullptr ? std::string_view(text, static_cast<std::size_t>(length))
                                             : view_of(item, place(what, static_cast<std::size_t>(i))));
        }
    }

 private:
    std::vector<nb::object> owners_;
    std::vector<std::string_view> views_;
};

// One list of strings per segment, flattened: the strings of segment i are data()[first(i)] to data()[first(i + 1)].
class StringLists {
 public:
    StringLists(nb::handle sequence, const char* what) {
        nb::object outer = nb::steal(PySequence_Tuple(sequence.ptr()));
        if (!outer.is_valid()) nb::raise_python_error();
        const Py_ssize_t size = PyTuple_Size(outer.ptr());
        firsts_.reserve(static_cast<std::size_t>(size) + 1);
        firsts_.push_back(0);
        for (Py_ssize_t i = 0; i < size; ++i) {
            strings_.append(PyTuple_GetItem(outer.ptr(), i), what);
            firsts_.push_back(strings_.size());
        }
    }

    std::size_t size() const { return firsts_.size() - 1; }
    const std::string_view* begin_of(std::size_t segment) const { return strings_.data() + firsts_[segment]; }
    std::size_t size_of(std::size_t segment) const { return firsts_[segment + 1] - firsts_[segment]; }

 private:
    StringList strings_;
    std::vector<std::size_t> firsts_;
};

using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Hands a row-major matrix to NumPy without a copy.
inline Matrix to_numpy(std::vector<double>&& values, std::size_t rows, std::size_t columns) {
    auto* owned = new std::vector<double>(std::move(values));
    nb::capsule owner(owned, [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
    return Matrix(owned->data(), {rows, columns}, owner);
}

}  // namespace plainwright_python
