// Line search of tuning: envelopes of all segments in one call.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <stdexcept>

#include "plainwright/envelope.hpp"
#include "strings.hpp"

using namespace plainwright;
using namespace plainwright_python;
using namespace nb::literals;

namespace {

template <typename Number>
using Vector = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Number>
std::span<const Number> span_of(const Vector<Number>& values) {
    return {values.data(), values.shape(0)};
}

void check(std::span<const double> slopes, std::span<const double> heights, std::span<const std::int64_t> firsts) {
    const auto require = [](bool condition, const char* message) {
        if (!condition) throw std::invalid_argument(message);
    };
    require(slopes.size() == heights.size(), "slopes and heights must have one value for each line");
    require(!firsts.empty() && firsts.front() == 0 && firsts.back() == static_cast<std::int64_t>(slopes.size()),
            "firsts must begin with 0 and end with the number of lines");
    for (std::size_t i = 1; i < firsts.size(); ++i) require(firsts[i - 1] < firsts[i], "every group needs a line");
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        require(std::isfinite(slopes[i]) && std::isfinite(heights[i]), "slopes and heights must be finite");
    }
}

auto envelopes(const Vector<double>& slopes, const Vector<double>& heights, const Vector<std::int64_t>& firsts) {
    Envelopes found;
    {
        const nb::gil_scoped_release release;
        check(span_of(slopes), span_of(heights), span_of(firsts));
        found = upper_envelopes(span_of(slopes), span_of(heights), span_of(firsts));
    }
    std::vector<double> at;
    std::vector<std::int64_t> from, to;
    for (const Corner& corner : found.corners) {
        at.push_back(corner.at);
        from.push_back(corner.from);
        to.push_back(corner.to);
    }
    const std::size_t corners = at.size(), groups = found.leftmost.size();
    return std::tuple(to_numpy(std::move(found.leftmost), {groups}), to_numpy(std::move(at), {corners}),
                      to_numpy(std::move(from), {corners}), to_numpy(std::move(to), {corners}));
}

}  // namespace

void register_tune(nb::module_& m) {
    m.def("upper_envelopes", &envelopes, "slopes"_a, "heights"_a, "firsts"_a,
          "Of groups of lines: the leftmost line of each, then position, left and right line of every corner.");
}
