//! Statistics of chess matches: Elo, SPRT, pentanomial pairs, rating ladders, least squares.
