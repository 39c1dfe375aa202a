"""The drawings with two axes: marks where the numbers are, names that do not cover each other, lines inside."""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.report.frame import Plane
from plainwright.report.panels import Row, row_panel
from plainwright.report.plots import Curve, Line, Point, cloud, curves, scatter

values = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 4))
AXES = {"across": "SARI", "up": "simplicity"}


def marks(drawing: str, class_: str) -> list[ElementTree.Element]:
    return [node for node in ElementTree.fromstring(drawing).iter() if class_ in (node.get("class") or "").split()]


def coordinates(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)]


def start(mark: ElementTree.Element) -> tuple[float, float]:
    return coordinates(mark.get("d") or "")[0]


def test_marks_stand_where_the_numbers_are():
    points = [Point("a", 0, 0, 10), Point("b", 1, 5, 20), Point("c", 2, 10, 30)]
    (ax, ay), (bx, by), (cx, cy) = map(start, marks(scatter(points, "d", **AXES), "mark"))
    assert ax < bx < cx
    assert ay > by > cy  # up is up
    assert bx == pytest.approx((ax + cx) / 2, abs=0.1)
    assert by == pytest.approx((ay + cy) / 2, abs=0.1)


def test_every_point_is_spoken_and_said_on_pointing():
    drawing = scatter([Point("one & only", 0, 1.25, -2)], "SARI and simplicity", **AXES)
    assert "SARI and simplicity: one &amp; only 1.25, −2.00" in drawing
    assert "<title>one &amp; only: 1.25, −2.00</title>" in drawing


@given(st.lists(st.tuples(values, values), min_size=1, max_size=30))
def test_names_stay_inside_and_never_cover_each_other(places):
    points = [Point(f"system-{i}", i, x, y) for i, (x, y) in enumerate(places)]
    boxes = []
    for name in marks(scatter(points, "d", **AXES), "name"):
        width, x = 7.0 * len(name.text or ""), float(name.get("x") or 0)
        left = x - {"start": 0, "middle": width / 2, "end": width}[name.get("text-anchor", "start")]
        boxes.append((left, float(name.get("y") or 0), left + width))
    assert all(left >= 0 and right <= 340.1 for left, _, right in boxes)
    for i, (left, y, right) in enumerate(boxes):
        for other_left, other_y, other_right in boxes[:i]:
            assert abs(y - other_y) >= 12.9 or right <= other_left + 0.2 or other_right <= left + 0.2


@given(st.lists(st.tuples(values, values), min_size=1, max_size=20), values, values)
def test_a_fitted_line_never_leaves_the_plot_nor_bends(places, slope, intercept):
    drawing = cloud(places, "d", **AXES, line=Line(slope, intercept))
    plane = Plane.around([x for x, _ in places], [y for _, y in places])
    for fit in marks(drawing, "fit"):
        (x1, y1), (x2, y2) = coordinates(fit.get("d") or "")
        assert plane.up.end - 0.1 <= min(y1, y2)
        assert max(y1, y2) <= plane.up.start + 0.1
        assert plane.across.start - 0.1 <= x1 <= x2 <= plane.across.end + 0.1


def test_a_line_follows_its_slope():
    (fit,) = marks(cloud([(0, 0), (10, 10)], "d", **AXES, line=Line(1, 0)), "fit")
    plane = Plane.around([0, 10], [0, 10])
    first, last = coordinates(fit.get("d") or "")
    assert first == pytest.approx(plane.place(0, 0), abs=0.1)
    assert last == pytest.approx(plane.place(10, 10), abs=0.1)


def test_outputs_that_fall_together_make_a_larger_dot():
    (dots,) = marks(cloud([(1, 1), (1, 1), (1, 1), (1, 1), (2, 2)], "d", **AXES), "cloud")
    radii = [float(radius) for radius in re.findall(r"0a([\d.]+) [\d.]+ 0 1 0 -", (dots.get("d") or ""))]
    assert sorted(radii) == [2.2, 4.4]  # four times the area for four
    assert "5 points" in cloud([(1, 1)] * 4 + [(2, 2)], "d", **AXES)


def test_a_curve_has_a_mark_at_each_point_inside_its_band():
    curve = Curve("3 raters", 1, [(10, 0.4), (20, 0.6), (30, 0.7)], [(0.2, 0.5), (0.5, 0.7), (0.6, 0.8)])
    drawing = curves([curve], "Power", across="sentences", up="power", domain=(0, 1))
    assert len(marks(drawing, "mark")) == 3
    (band,) = marks(drawing, "band")
    outline = coordinates(band.get("d") or "")
    lower, upper = outline[:3], outline[3:][::-1]
    for mark, (_, below), (_, above) in zip(marks(drawing, "mark"), lower, upper, strict=True):
        assert above < start(mark)[1] < below
    assert "3 raters from 0.40 at 10 to 0.70 at 30" in drawing


def test_the_chosen_point_is_ringed_and_named_and_the_level_is_drawn():
    curve = Curve("all", 0, [(1, 0.5), (2, 0.9)])
    drawing = curves([curve], "d", across="n", up="power", level=("wanted", 0.8), chosen=("take 2", 2, 0.9))
    (ring,) = marks(drawing, "ring")
    last = start(marks(drawing, "mark")[-1])
    assert (float(ring.get("cx") or 0), float(ring.get("cy") or 0)) == pytest.approx(last, abs=0.1)
    texts = re.findall(r">([^<>]+)</text>", drawing)
    assert {"take 2", "wanted"} <= set(texts)


@pytest.mark.parametrize(("low", "places"), [(0.9, "foot"), (0.05, "head")])
def test_the_name_of_the_chosen_point_keeps_away_from_the_curve(low, places):
    curve = Curve("all", 0, [(1, 0.95), *((n, low) for n in range(2, 7))])
    drawing = curves([curve], "d", across="n", up="power", domain=(0, 1), chosen=("best: 1 rater", 1, 0.95))
    [name] = [node for node in marks(drawing, "strong") if node.text == "best: 1 rater"]
    assert (float(name.get("y") or 0) > 130) == (places == "foot")  # of a drawing 260 high


def test_counts_have_no_halves_on_their_axis():
    drawing = curves([Curve("c", 0, [(1, 0.1), (2, 0.2), (3, 0.3)])], "d", across="raters", up="tau", domain=(0, 1))
    below = [node.text for node in marks(drawing, "tick") if node.get("text-anchor") == "middle"]
    assert below == ["1", "2", "3"]


def test_a_row_without_a_value_says_so_and_why():
    rows = [Row("SARI", 0, 0.6, (0.2, 0.8)), Row("flat", 1, None, note="every value is <1>")]
    drawing = row_panel(rows, "Correlation", reference=("", 0), domain=(-1, 1))
    assert "no value" in drawing
    assert "every value is <1>" in unescape(drawing)
    assert len(marks(drawing, "mark")) == 1
    assert "Correlation: SARI 0.60; flat –" in drawing


def test_a_fixed_domain_gives_all_panels_one_scale():
    one = row_panel([Row("a", 0, 0.5)], "d", domain=(-1, 1))
    two = row_panel([Row("a", 0, 0.5), Row("b", 1, -0.9)], "d", domain=(-1, 1))
    assert start(marks(one, "mark")[0])[0] == start(marks(two, "mark")[0])[0]
