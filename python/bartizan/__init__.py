from ._bartizan import *
