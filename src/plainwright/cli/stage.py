"""`python -m plainwright.cli.stage`: the same commands for `plainwright learn run`, which watches over them.

Progress is told in lines, and the process ends when the one that started it is gone, however that ended.
"""

from __future__ import annotations

import os
import threading

from plainwright.cli.main import main
from plainwright.cli.progress import tell_parent
from plainwright.learn.recipe import PROGRESS_MARK

__all__: list[str] = []


def _end_with_parent() -> None:
    """Nobody writes to standard input; it ends when the other side is closed, and a command must not read it."""
    watched = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def watch() -> None:
        os.read(watched, 1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    _end_with_parent()
    tell_parent(PROGRESS_MARK)
    main()
