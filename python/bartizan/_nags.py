"""The glyphs of a move."""

from __future__ import annotations

from collections.abc import Iterator, MutableSet
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._bartizan import GameNode


class Nags(MutableSet[int]):
    """The numbers of the glyphs of a node, from 0 to 255. Changes go into the game."""

    def __init__(self, node: GameNode) -> None:
        self._node = node

    def __contains__(self, nag: object) -> bool:
        return nag in self._node._get_nags()

    def __iter__(self) -> Iterator[int]:
        return iter(self._node._get_nags())

    def __len__(self) -> int:
        return len(self._node._get_nags())

    def add(self, value: int) -> None:
        """Adds a glyph."""
        if value not in self:
            self._node._set_nags([*self, value])

    def discard(self, value: int) -> None:
        """Removes a glyph."""
        self._node._set_nags([nag for nag in self if nag != value])

    def __repr__(self) -> str:
        return repr(set(self))
