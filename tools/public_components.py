"""Print `PUBLIC` of plainwright.study.spread: how ratings spread in public data, as shares of the width of their scale.

    python tools/public_components.py [DATA]

For each set the variances of its aspects are averaged, each divided by the squared width of the scale.
"""

from __future__ import annotations

import sys

from plainwright.study.spread import PUBLIC, public_components


def main() -> None:
    """Estimate every set that `PUBLIC` names from the data on this machine."""
    data = sys.argv[1] if len(sys.argv) > 1 else None
    for name in PUBLIC:
        deviations = public_components(name, data=data).deviations()
        fields = ", ".join(f"{effect}={value:.3f}" for effect, value in deviations.items())
        print(f'    "{name}": _deviations({fields}),')  # noqa: T201


if __name__ == "__main__":
    main()
