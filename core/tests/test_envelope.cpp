#include <vector>

#include "check.hpp"
#include "plainwright/envelope.hpp"

using namespace plainwright;

namespace {

void test_by_hand() {
    // -x, then 0 from -1 to 1 (raised by 1), then x; 0.2 x - 9 is never highest. The second group is one line.
    const std::vector<double> slopes{0, 1, -1, 0.2, 5}, heights{1, 0, 0, -9, 3};
    const std::vector<std::int64_t> firsts{0, 4, 5};
    const Envelopes found = upper_envelopes(slopes, heights, firsts);
    CHECK((found.leftmost == std::vector<std::int64_t>{2, 4}));
    CHECK(found.corners.size() == 2);
    CHECK(found.corners[0].at == -1 && found.corners[0].from == 2 && found.corners[0].to == 0);
    CHECK(found.corners[1].at == 1 && found.corners[1].from == 0 && found.corners[1].to == 1);
}

void test_of_equal_lines_the_first_counts() {
    const std::vector<double> slopes{1, 1, 1}, heights{2, 2, 1};
    const std::vector<std::int64_t> firsts{0, 3};
    const Envelopes found = upper_envelopes(slopes, heights, firsts);
    CHECK((found.leftmost == std::vector<std::int64_t>{0}));
    CHECK(found.corners.empty());
}

}  // namespace

int main() {
    test_by_hand();
    test_of_equal_lines_the_first_counts();
}
