"""Pictures of boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ._bartizan import Board, Move, draw_board


class Svg(str):
    """A picture, which notebooks show."""

    def _repr_svg_(self) -> str:
        return self


def board(
    board: Board | None = None,
    *,
    orientation: bool = True,
    lastmove: Move | None = None,
    arrows: Iterable[tuple[int, int] | tuple[int, int, str]] = (),
    marks: Mapping[int, str] | None = None,
    labels: Mapping[int, str] | None = None,
    size: int | None = None,
    coordinates: bool = True,
    check: bool = True,
    style: str = "brown",
    colors: Mapping[str, str] | None = None,
) -> Svg:
    """The picture of a board. Arrows and marks are green, red, yellow, blue, orange or cyan.

    >>> from bartizan import svg, Board, E2, E4
    >>> svg.board(Board(), arrows=[(E2, E4)], size=200)[:4]
    '<svg'
    """
    full = [(arrow[0], arrow[1], arrow[2] if len(arrow) == 3 else "green") for arrow in arrows]
    return Svg(
        draw_board(
            board, orientation=orientation, lastmove=lastmove, arrows=full, marks=list((marks or {}).items()),
            labels=list((labels or {}).items()), size=size, coordinates=coordinates, check=check, style=style,
            colors=dict(colors or {}),
        )
    )
