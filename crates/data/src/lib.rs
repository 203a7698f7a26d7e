//! The file format of self-play games: training positions with scores and results.
