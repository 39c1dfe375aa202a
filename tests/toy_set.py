"""A small tokenised set written by hand, with two systems, for the tests of `evaluate` and of the commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

SOURCES = (
    "The enormous house , which was built in 1902 , stood on the hill .",
    "He purchased an automobile , and he sold his bicycle .",
    "She resided in the village until her demise .",
    "The committee , which met on Monday , terminated the project .",
)
REFERENCES = (
    ("The huge house was built in 1902 . It stood on the hill .", "The big house stood on the hill ."),
    ("He bought a car and sold his bicycle .", "He bought a car , and he sold his bike ."),
    ("She lived in the village until she died .", "She lived in the village until her death ."),
    ("The committee met on Monday . It ended the project .", "The committee ended the project on Monday ."),
)
CAREFUL = (
    "The big house , which was built in 1902 , stood on the hill .",
    "He bought a car , and he sold his bike .",
    "She lived in the village until her death .",
    "The committee , which met on Monday , ended the project .",
)
HASTY = (
    "The house stood .",
    "He purchased an automobile .",
    "She resided in the village .",
    "The committee terminated the project .",
)
RAW = (
    "The big house, which was built in 1902, stood on the hill.",
    "He bought a car, and he sold his bike.",
    "She lived in the village until her death.",
    "The committee, which met on Monday, ended the project.",
)


def write_lines(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def write_set(directory: Path) -> Path:
    """source.txt, reference.0.txt, reference.1.txt, careful.txt and hasty.txt."""
    write_lines(directory / "source.txt", SOURCES)
    for number, column in enumerate(zip(*REFERENCES, strict=True)):
        write_lines(directory / f"reference.{number}.txt", column)
    write_lines(directory / "careful.txt", CAREFUL)
    write_lines(directory / "hasty.txt", HASTY)
    return directory
