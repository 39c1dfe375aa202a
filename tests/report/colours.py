"""The colours of a page in a browser, and whether one can be told from another."""

from __future__ import annotations

import re
from typing import Any


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two CSS colours, as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def colours_of(page: Any, *more: str) -> dict[str, str]:
    """The colours that the style sheet names, and more of them if asked, as the browser resolves them."""
    return page.evaluate(
        """(more) => {
          const style = getComputedStyle(document.documentElement);
          const probe = document.body.appendChild(document.createElement("i"));
          const colour = (name) => {
            probe.style.color = style.getPropertyValue("--" + name);
            return getComputedStyle(probe).color;
          };
          const names = ["paper", "raised", "ink", "soft", "accent", "accent-soft", "del", "del-back",
            "ins", "ins-back", "warn", "warn-back", ...[..."0123456789"].map((digit) => "s" + digit), ...more];
          return Object.fromEntries(names.map((name) => [name, colour(name)]));
        }""",
        list(more),
    )
