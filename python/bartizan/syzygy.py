"""Syzygy endgame tables."""

from __future__ import annotations

import os
from ._bartizan import Tablebase
from ._errors import MissingTableError, TablebaseError


def open_tablebase(*folders: str | os.PathLike[str]) -> Tablebase:
    """Opens the tables in folders."""
    return Tablebase(list(folders))


__all__ = ["MissingTableError", "Tablebase", "TablebaseError", "open_tablebase"]
