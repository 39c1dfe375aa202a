"""plainwright makes English easier to read, and measures honestly whether it did.

Importing this package is cheap: nothing heavy is loaded until it is used. The parts are
`plainwright.text`, `plainwright.metrics`, `plainwright.corpora`, `plainwright.evaluate`
and `plainwright.report`; the command line is `plainwright --help`.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
