"""Names and codes of openings."""

from ._bartizan import Opening, by_name, classify, openings

__all__ = ["Opening", "by_name", "classify", "openings"]
