"""Parts by name: who has a name, and what is said where two want the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plainwright.errors import DataError, PlainwrightWarning, UnknownNameError
from plainwright.registry import Registry

GROUP = "plainwright.toys"


def toys() -> Registry[object]:
    return Registry("toy", GROUP, {"ball": "our ball"}, reserved=["kite"])


@pytest.mark.parametrize("name", ["ball", "kite"])
def test_an_entry_point_with_a_taken_name_is_ignored_and_said_to_be(install: Callable[..., None], name: str) -> None:
    install(GROUP, ball="strangers:Ball", kite="strangers:Kite")
    message = f"toy '{name}' of 'strangers:{name.title()}' is ignored, because another one has that name; rename the"
    with pytest.warns(PlainwrightWarning, match=message):
        toys().warn_if_ignored(name)
    with pytest.warns(PlainwrightWarning, match="toy 'ball' of"):
        assert toys()["ball"] == "our ball"


def test_a_part_that_is_registered_and_offered_is_one(install: Callable[..., None]) -> None:
    install(GROUP, counter="collections:Counter", registry=f"{Registry.__module__}:Registry")
    registry = toys()
    registry.register("registry", Registry)
    assert registry["registry"] is Registry
    assert [registry["counter"] for _ in range(2)] == [registry.parts["counter"]] * 2  # loaded once, no warning


def test_messages_show_the_way_out(install: Callable[..., None]) -> None:
    install(GROUP, broken="no.such.module:Toy")
    with pytest.raises(DataError, match=r"'no.such.module:Toy' cannot be loaded .*; repair or uninstall the package"):
        toys()["broken"]
    with pytest.raises(UnknownNameError, match="unknown toy 'top'; choose among ball, broken, kite"):
        toys()["top"]
    with pytest.raises(DataError, match="toy 'kite' is registered already; give yours another name"):
        toys().register("kite", object())
