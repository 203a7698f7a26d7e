"""Opening books in the Polyglot format."""

from __future__ import annotations

import os
from ._bartizan import BookReader, Entry, zobrist_hash


def open_reader(path: str | os.PathLike[str]) -> BookReader:
    """Opens a book."""
    return BookReader(path)


def built_in() -> BookReader:
    """The book of the built-in engine."""
    return BookReader()


__all__ = ["BookReader", "Entry", "built_in", "open_reader", "zobrist_hash"]
